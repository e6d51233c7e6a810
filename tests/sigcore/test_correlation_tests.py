"""Fisher's interval and the Williams test: published values, scipy, and error rates."""

import math

import numpy as np
import pytest
from scipy import stats

from sigcore.errors import DegenerateDataWarning, InputError
from sigcore.meta.correlation_tests import (
    fisher_interval,
    williams_from_correlations,
    williams_test,
)


def test_spearman_interval_equals_the_published_example() -> None:
    # Bonett's R package statpsych, example of ci.spear.
    y = [21, 4, 9, 12, 35, 18, 10, 22, 24, 1, 6, 8, 13, 16, 19]
    x = [67, 28, 30, 28, 52, 40, 25, 37, 44, 10, 14, 20, 28, 40, 51]
    value = float(stats.spearmanr(x, y).statistic)
    assert value == pytest.approx(0.8699639, abs=5e-8)
    interval = fisher_interval(value, 15, coefficient="spearman")
    assert interval.low == pytest.approx(0.5840951, abs=5e-8)
    assert interval.high == pytest.approx(0.9638297, abs=5e-8)


@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_pearson_interval_equals_scipys(confidence: float) -> None:
    x, y = np.random.default_rng(0).normal(size=(2, 12))
    result = stats.pearsonr(x, y)
    expected = result.confidence_interval(confidence)
    interval = fisher_interval(float(result.statistic), 12, confidence=confidence)
    assert (interval.low, interval.high) == pytest.approx(tuple(expected), abs=1e-12)


def test_kendall_interval_by_hand() -> None:
    # artanh(0.5) = ln(3) / 2; s = sqrt(0.437 / 100).
    interval = fisher_interval(0.5, 104, coefficient="kendall")
    reach = 1.959963984540054 * math.sqrt(0.00437)
    assert interval.low == pytest.approx(math.tanh(math.log(3) / 2 - reach))
    assert interval.high == pytest.approx(math.tanh(math.log(3) / 2 + reach))


def test_intervals_of_extremes() -> None:
    assert fisher_interval(1.0, 10).low == 1.0
    interval = fisher_interval(0.3, 3)
    assert math.isnan(interval.low)
    assert interval.reason == "more than 3 observations are needed; got 3"


def test_williams_by_hand() -> None:
    # K = 1 - 0.36 - 0.16 - 0.25 + 0.24 = 0.47; mean correlation 0.5; n = 11:
    # t = 0.2 sqrt(10 * 1.5) / sqrt(2 * 10 / 8 * 0.47 + 0.25 * 0.125).
    statistic = 0.2 * math.sqrt(15) / math.sqrt(1.175 + 0.03125)
    result = williams_from_correlations(0.6, 0.4, 0.5, 11)
    assert result.statistic == pytest.approx(statistic)
    assert result.pvalue == pytest.approx(2 * stats.t.sf(statistic, 8))


def test_directions_of_the_williams_test() -> None:
    greater, less, both = (
        williams_from_correlations(0.7, 0.4, 0.2, 20, alternative=alternative)
        for alternative in ("greater", "less", "two-sided")
    )
    assert greater.pvalue < 0.5 < less.pvalue
    assert greater.pvalue + less.pvalue == pytest.approx(1.0)
    assert both.pvalue == pytest.approx(2 * greater.pvalue)
    swapped = williams_from_correlations(0.4, 0.7, 0.2, 20, alternative="less")
    assert swapped.pvalue == pytest.approx(greater.pvalue)


def test_williams_leaves_out_what_lacks_a_score() -> None:
    rng = np.random.default_rng(1)
    gold, metric, other = rng.normal(size=(3, 15))
    expected = williams_test(gold[2:], metric[2:], other[2:])
    gold[0] = other[1] = np.nan
    result = williams_test(gold, metric, other)
    assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-12)
    assert (result.n, result.n_left_out) == (13, 2)
    correlations = np.corrcoef([gold[2:], metric[2:], other[2:]])
    assert result.correlations == pytest.approx(correlations[[0, 0, 1], [1, 2, 2]])
    matrices = [scores.reshape(3, 5) for scores in (gold, metric, other)]
    assert williams_test(*matrices) == result


def test_williams_keeps_its_level() -> None:
    # Two metrics with equal correlations: 3,000 sets of 15 systems.
    rng = np.random.default_rng(2)
    quality = rng.normal(size=(3000, 1, 15))
    noise = rng.normal(size=(3000, 3, 15))
    noise[:, 2] += 0.8 * noise[:, 1]
    noise[:, 2] /= math.sqrt(1.64)
    sets = quality + noise
    pvalues = np.array([williams_test(*scores).pvalue for scores in sets])
    # Binomial bounds of 4 standard errors; the test is approximate.
    assert abs((pvalues <= 0.05).mean() - 0.05) < 4 * math.sqrt(0.05 * 0.95 / 3000)


def test_a_rescaled_copy_is_not_different() -> None:
    rng = np.random.default_rng(3)
    gold, metric = rng.normal(size=(2, 20))
    result = williams_test(gold, metric, 3.0 * metric + 1.0)
    assert result.statistic == 0.0
    assert result.pvalue == 1.0
    assert williams_test(gold, metric, metric, alternative="greater").pvalue == 0.5


def test_what_two_metrics_differ_by_sets_them_apart_for_sure() -> None:
    # Gold is metric minus other, which correlate with 0.5: the limit of less and less noise.
    nearly = williams_from_correlations(0.5, -0.5 + 1e-9, 0.5, 20)
    assert nearly.statistic > 1e4
    result = williams_from_correlations(0.5, -0.5, 0.5, 20)
    assert (result.statistic, result.pvalue) == (math.inf, 0.0)
    turned = williams_from_correlations(-0.5, 0.5, 0.5, 20, alternative="greater")
    assert (turned.statistic, turned.pvalue) == (-math.inf, 1.0)


def test_undefined_tests_say_why() -> None:
    with pytest.warns(DegenerateDataWarning, match="more than 3 observations are needed; got 3"):
        result = williams_test([1, 2, 3], [1, 3, 2], [3, 1, 2])
    assert math.isnan(result.pvalue)
    with pytest.warns(DegenerateDataWarning, match="scores of people or of a metric are equal"):
        williams_test([1, 2, 3, 4], [1, 1, 1, 1], [3, 1, 2, 4])
    with pytest.warns(DegenerateDataWarning, match="one metric is the other turned round"):
        williams_test([1, 2, 3, 5], [1, 2, 4, 3], [-1, -2, -4, -3])
    with pytest.warns(DegenerateDataWarning, match="got 0"):
        williams_test([np.nan, np.nan], [1, 2], [1, 2])


def test_wrong_input_is_refused() -> None:
    with pytest.raises(InputError, match=r"`value` must lie between -1 and 1; got 1\.2"):
        fisher_interval(1.2, 10)
    with pytest.raises(InputError, match="`confidence` must lie between 0 and 1"):
        fisher_interval(0.2, 10, confidence=95)
    with pytest.raises(InputError, match="`r_between` must be finite; got nan"):
        williams_from_correlations(0.1, 0.2, math.nan, 10)
    with pytest.raises(InputError, match="must be possible together"):
        williams_from_correlations(0.9, -0.9, 0.9, 10)
    with pytest.raises(InputError, match="`alternative` must be one of"):
        williams_test([1, 2], [1, 2], [1, 2], alternative="bigger")
    with pytest.raises(InputError, match="`gold` and `other` must have the same shape"):
        williams_test([1, 2], [1, 2], [1, 2, 3])
