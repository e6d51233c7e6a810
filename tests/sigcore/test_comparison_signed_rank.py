import itertools
import warnings

import numpy as np
import pytest
from scipy import stats

from sigcore.comparison.signed_rank import wilcoxon_pvalues, wilcoxon_test
from sigcore.comparison.significance import run_test
from sigcore.errors import InputError

ALTERNATIVES = ("two-sided", "greater", "less")


def samples():
    rng = np.random.default_rng(8)
    for n in range(1, 11):
        yield np.round(rng.normal(0.3, 1, n), 3)
        yield np.round(rng.normal(0.3, 1, n) * 2) / 2
        yield rng.integers(-2, 3, n).astype(float)


def enumerate_pvalues(d):
    """Signed-rank p-values by all sign patterns of the non-zero differences."""
    d = d[d != 0]
    ranks = stats.rankdata(np.abs(d))
    signs = np.array(list(itertools.product((0, 1), repeat=len(d)))).reshape(-1, len(d))
    sums, observed = signs @ ranks, ranks[d > 0].sum()
    less, greater = np.mean(sums <= observed + 1e-9), np.mean(sums >= observed - 1e-9)
    return {"less": less, "greater": greater, "two-sided": min(1, 2 * min(less, greater))}


def test_exact_p_is_the_share_of_sign_patterns_with_ties_and_zeros():
    for d in samples():
        for alternative, expected in enumerate_pvalues(d).items():
            result = wilcoxon_test(d, 0 * d, alternative=alternative, method="exact")
            assert result.pvalue == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("zeros", ["wilcox", "pratt", "zsplit"])
@pytest.mark.parametrize("continuity", [False, True])
def test_asymptotic_p_agrees_with_scipy(zeros, continuity):
    for d in samples():
        if not d.any():
            continue
        for alternative in ALTERNATIVES:
            result = wilcoxon_test(
                d,
                0 * d,
                alternative=alternative,
                method="asymptotic",
                zeros=zeros,
                continuity=continuity,
            )
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = stats.wilcoxon(
                    d,
                    alternative=alternative,
                    method="asymptotic",
                    zero_method=zeros,
                    correction=continuity,
                )
            assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-10)


def test_large_samples_with_ties_agree_with_scipy():
    rng = np.random.default_rng(9)
    d = np.round(rng.normal(0.01, 1, 25_000), 2)
    result = wilcoxon_test(d, 0 * d, zeros="pratt")
    expected = stats.wilcoxon(d, zero_method="pratt", method="asymptotic").pvalue
    assert result.pvalue == pytest.approx(expected, rel=1e-9)


def test_zero_handling_changes_the_asymptotic_p_and_is_named():
    d = np.array([0, 0, 0, 1, 2, 3, -1, 4, 5.0])
    results = {
        zeros: wilcoxon_test(d, 0 * d, zeros=zeros, method="asymptotic")
        for zeros in ("wilcox", "pratt", "zsplit")
    }
    assert len({round(result.pvalue, 6) for result in results.values()}) == 3
    assert "left out before ranking" in results["wilcox"].method
    assert results["wilcox"].n_used == results["pratt"].n_used == 6
    assert results["zsplit"].n_used == 9


def test_auto_is_exact_up_to_50_differences_that_are_not_zero():
    d = np.random.default_rng(10).normal(size=50)
    assert "exact" in wilcoxon_test(d, 0 * d).method
    assert "exact" in wilcoxon_test(np.append(d, 0.0), np.zeros(51)).method
    assert "normal" in wilcoxon_test(np.append(d, 9.0), np.zeros(51)).method


def test_one_sided_directions_are_not_swapped():
    d = np.arange(1.0, 13.0)
    assert wilcoxon_test(d, 0 * d, alternative="greater").pvalue == 2.0**-12
    assert wilcoxon_test(d, 0 * d, alternative="less").pvalue == 1.0
    for method in ("exact", "asymptotic"):
        better = wilcoxon_test(d, 0 * d, alternative="greater", method=method).pvalue
        swapped = wilcoxon_test(0 * d, d, alternative="less", method=method).pvalue
        assert better == pytest.approx(swapped, rel=1e-12)


def test_identical_systems_have_p_one():
    x = [1.0, 2.0, 3.0]
    for alternative in ALTERNATIVES:
        result = wilcoxon_test(x, x, alternative=alternative)
        assert result.pvalue == 1.0
        assert result.notes == ("All differences are zero.",)


def test_ties_by_rounding_errors_are_ties():
    u, v = np.array([25.2, 0.3, 7.4, 1.0]), np.array([25.1, 0.2, 7.3, 1.1])
    exact = wilcoxon_test(np.array([1, 1, 1, -1.0]), np.zeros(4))
    assert wilcoxon_test(u, v).pvalue == exact.pvalue


def test_hypothesised_difference_shifts_the_test():
    d = np.random.default_rng(11).normal(1.0, 1, 20)
    assert wilcoxon_test(d, 0 * d, hypothesised=1.0).pvalue == pytest.approx(
        wilcoxon_test(d - 1.0, 0 * d).pvalue
    )


def test_interval_is_the_set_of_differences_that_are_not_rejected():
    d = np.random.default_rng(12).normal(0.4, 1, 12)
    interval = wilcoxon_test(d, 0 * d).interval
    inside = np.linspace(interval.low + 1e-6, interval.high - 1e-6, 9)
    for value in inside:
        assert wilcoxon_test(d, 0 * d, hypothesised=value).pvalue > 0.05
    for value in (interval.low - 1e-6, interval.high + 1e-6):
        assert wilcoxon_test(d, 0 * d, hypothesised=value).pvalue <= 0.05


def test_interval_of_too_few_pairs_is_infinite():
    interval = wilcoxon_test([1.0, 2.0, 3.0], [0.0, 0.0, 0.0]).interval
    assert (interval.low, interval.high) == (-np.inf, np.inf)


def test_rows_agree_with_single_tests():
    rows = np.round(np.random.default_rng(13).normal(0.2, 1, (20, 60)), 1)
    for alternative in ALTERNATIVES:
        many = wilcoxon_pvalues(rows, alternative=alternative)
        single = [wilcoxon_test(row, 0 * row, alternative=alternative).pvalue for row in rows]
        assert many == pytest.approx(single, rel=1e-12)


def test_unknown_method_is_refused():
    with pytest.raises(InputError, match="`zeros` must be one of"):
        wilcoxon_test([1, 2], [0, 0], zeros="drop")


@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
def test_a_note_tells_why_the_interval_holds_what_the_test_rejects(test):
    # Without the zeros all ten differences are positive: p = 2 / 2^10. With them 0 is the median.
    d = np.concatenate([np.zeros(40), np.arange(1.0, 11.0)])
    result = run_test(test, d, 0 * d)
    assert result.pvalue == 2 / 2**10
    assert 0.0 in result.interval
    assert result.notes == (
        "The test leaves out 40 differences of 0, the interval does not; so it holds 0 though the "
        "test rejects.",
    )
    assert run_test(test, d[40:], 0 * d[40:]).notes == ()


@pytest.mark.parametrize("n", [51, 60, 90])
def test_the_interval_of_an_exact_test_is_exact_beyond_fifty_differences(n):
    d = np.random.default_rng(n).normal(0.2, 1.0, n)
    counts = [1]  # subsets of the ranks by their sum, in whole numbers
    for rank in range(1, n + 1):
        longer = counts + [0] * rank
        for total, count in enumerate(counts):
            longer[total + rank] += count
        counts = longer
    first, second = np.triu_indices(n)
    averages = np.sort((d[first] + d[second]) / 2)
    for alternative, error in (("two-sided", 25), ("greater", 50), ("less", 50)):
        below = np.cumsum(np.array(counts, dtype=object))
        k = int(sum(1000 * total <= error * 2**n for total in below))
        interval = wilcoxon_test(d, 0 * d, method="exact", alternative=alternative).interval
        assert interval.method == "Walsh averages, exact"
        if alternative != "less":
            assert interval.low == pytest.approx(averages[k - 1], abs=1e-12)
        if alternative != "greater":
            assert interval.high == pytest.approx(averages[-k], abs=1e-12)
