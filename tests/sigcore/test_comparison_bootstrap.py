import math

import numpy as np
import pytest
from scipy import stats

from sigcore.comparison.bootstrap import KINDS, bootstrap_pvalues, bootstrap_test
from sigcore.comparison.resampling import jackknife, median_error, replicate
from sigcore.errors import InputError

X = np.random.default_rng(24).gamma(1.0, size=30)
STATISTICS = {"mean": np.mean, "median": np.median}


@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize("kind", ["basic", "percentile", "bca"])
def test_intervals_agree_with_scipy(statistic, kind):
    method = {"bca": "BCa"}.get(kind, kind)
    expected = stats.bootstrap(
        (X,), STATISTICS[statistic], method=method, n_resamples=20_000, rng=1
    ).confidence_interval
    found = bootstrap_test(X, 0 * X, statistic=statistic, kind=kind, n_resamples=19_999).interval
    # Medians of a small sample jump between its values: a step may separate two runs.
    tolerance = 0.03 if statistic == "mean" else 0.15
    assert (found.low, found.high) == pytest.approx(tuple(expected), abs=tolerance)


@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_interval_leaves_out_what_the_test_rejects(statistic, kind, alternative):
    for hypothesised in (0.45, 0.6, 0.7, 1.0, 1.3, 1.6):
        result = bootstrap_test(
            X,
            0 * X,
            statistic=statistic,
            kind=kind,
            alternative=alternative,
            hypothesised=hypothesised,
            n_resamples=999,
        )
        if abs(result.pvalue - 0.05) > 0.003:
            assert (hypothesised in result.interval) == (result.pvalue > 0.05)


def test_median_replicates_have_the_law_of_resampled_medians():
    rng = np.random.default_rng(25)
    for n in (5, 8, 31):
        x = rng.normal(size=n)
        fast = replicate(x, "median", 40_000, rng).values
        slow = np.median(x[rng.integers(0, n, (40_000, n))], axis=1)
        assert stats.ks_2samp(fast, slow).statistic < 0.015


def test_median_replicates_of_odd_samples_have_efrons_probabilities():
    # P(median* <= x_(k)) = P(Binomial(n, k / n) >= (n + 1) / 2), Efron (1979)
    x = np.arange(7.0)
    values = replicate(x, "median", 50_000, np.random.default_rng(26)).values
    for k in range(1, 7):
        expected = stats.binom.sf(3, 7, k / 7)
        assert np.mean(values <= k - 1) == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("statistic", STATISTICS)
def test_jackknife_leaves_out_one_point(statistic):
    for n in (2, 3, 8, 9):
        x = np.random.default_rng(n).integers(0, 6, n).astype(float)
        expected = [STATISTICS[statistic](np.delete(x, index)) for index in range(n)]
        assert jackknife(x, statistic) == pytest.approx(expected)


def test_maritz_jarrett_error_is_the_bootstrap_error_of_odd_medians():
    x = np.sort(np.random.default_rng(27).normal(size=21))
    values = replicate(x, "median", 100_000, np.random.default_rng(28)).values
    assert float(median_error(x)) == pytest.approx(values.std(), rel=0.01)


def test_studentised_mean_shifts_to_the_null_in_the_right_direction():
    x = np.random.default_rng(29).normal(0.5, 1, 40)
    expected = stats.ttest_1samp(x, 0.0)
    for alternative, pvalue in (
        ("greater", expected.pvalue / 2),
        ("less", 1 - expected.pvalue / 2),
    ):
        found = bootstrap_test(x, 0 * x, alternative=alternative).pvalue
        assert found == pytest.approx(pvalue, abs=0.02)


def test_basic_one_sided_is_the_two_delta_rule():
    draws = bootstrap_test(X, 0 * X, kind="basic", alternative="greater", hypothesised=0.7)
    same = bootstrap_test(X - 0.7, 0 * X, kind="basic", alternative="greater")
    assert draws.pvalue == pytest.approx(same.pvalue, abs=1e-3)
    rng = np.random.default_rng(30)
    shifted = X - 0.7
    means = shifted[rng.integers(0, 30, (20_000, 30))].mean(axis=1)
    assert same.pvalue == pytest.approx(np.mean(means >= 2 * shifted.mean()), abs=0.01)


def test_p_is_never_zero_and_the_seed_decides():
    x = np.random.default_rng(31).normal(5, 1, 30)
    one = bootstrap_test(x, 0 * x, n_resamples=99, seed=0)
    assert one.pvalue == 2 / 100
    assert one == bootstrap_test(x, 0 * x, n_resamples=99, seed=0)
    assert one.interval != bootstrap_test(x, 0 * x, n_resamples=99, seed=1).interval


def test_bca_caps_the_bias_when_all_resamples_lie_on_one_side():
    x = np.array([0.0] * 9 + [1.0])
    result = bootstrap_test(x, 0 * x, statistic="median", kind="bca", n_resamples=99)
    assert math.isfinite(result.interval.low)
    assert 0.0 < result.pvalue <= 1.0


@pytest.mark.parametrize("kind", KINDS)
def test_a_null_value_outside_all_resamples_has_a_p_value(kind):
    for hypothesised in (-100.0, 100.0):
        for alternative in ("two-sided", "greater", "less"):
            result = bootstrap_test(
                X,
                0 * X,
                kind=kind,
                hypothesised=hypothesised,
                alternative=alternative,
                n_resamples=99,
            )
            wrong = alternative == ("less" if hypothesised < 0 else "greater")
            assert result.pvalue == pytest.approx(1.0 if wrong else result.pvalue)
            # BCa spreads the ends of so few resamples.
            assert wrong or result.pvalue <= (0.1 if kind == "bca" else 0.02)


def test_ties_with_the_null_value_count_for_both_sides_and_are_told():
    d = np.array([0.0] * 8 + [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
    result = bootstrap_test(d, 0 * d, statistic="median")
    assert result.pvalue > 0.5
    assert "exactly 0" in result.notes[0]


@pytest.mark.parametrize("statistic", STATISTICS)
def test_constant_differences_say_why_it_is_not_run(statistic):
    result = bootstrap_test([2, 3, 4], [1, 2, 3], statistic=statistic)
    assert result.reason == "all differences are equal (1): every resample is the same."
    assert bootstrap_test([1], [2]).reason == "the bootstrap needs at least 2 pairs; got 1."


def test_rows_are_tested_one_by_one():
    rows = np.stack([X, np.ones(30), -X])
    pvalues = bootstrap_pvalues(
        rows,
        statistic="mean",
        kind="studentised",
        alternative="greater",
        n_resamples=199,
        rng=np.random.default_rng(0),
    )
    assert pvalues[0] < 0.01
    assert math.isnan(pvalues[1])
    assert pvalues[2] > 0.99


def test_bad_arguments_are_refused():
    with pytest.raises(InputError, match="`kind` must be one of"):
        bootstrap_test(X, 0 * X, kind="normal")
    with pytest.raises(InputError, match="`n_resamples` must be at least 1"):
        bootstrap_test(X, 0 * X, n_resamples=0)


@pytest.mark.parametrize("statistic", ["mean", "median"])
def test_resamples_of_one_value_are_infinitely_far_and_not_by_rounding(statistic):
    # Of 27 resamples of three values one has only the smallest and one only the largest.
    for sample in ([-1, -2, 1], [1, 2, 4], [0.1, 0.2, 0.4], [0.3, 0.7, 1.3]):
        result = bootstrap_test(sample, [0, 0, 0], statistic=statistic, kind="studentised")
        assert (result.interval.low, result.interval.high) == (-math.inf, math.inf)
