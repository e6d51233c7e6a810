"""The t test, the sign test, McNemar's test and the permutation tests."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import minimize_scalar

from sigcore.comparison.mcnemar import mcnemar_test, score_interval, score_statistic
from sigcore.comparison.randomisation import permutation_pvalues, permutation_test
from sigcore.comparison.results import Hypothesis
from sigcore.comparison.significance import ROW_TESTS, TESTS, row_pvalues, run_test
from sigcore.comparison.signs import sign_test
from sigcore.comparison.student import t_pvalues, t_test
from sigcore.errors import InputError

ALTERNATIVES = ("two-sided", "greater", "less")


def binary(only_first, only_second, both=0, neither=0):
    u = [1] * only_first + [0] * only_second + [1] * both + [0] * neither
    v = [0] * only_first + [1] * only_second + [1] * both + [0] * neither
    return u, v


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_t_test_agrees_with_scipy(alternative):
    rng = np.random.default_rng(14)
    for n in (2, 3, 10, 500):
        u, v = rng.normal(size=(2, n))
        expected = stats.ttest_rel(u, v, alternative=alternative)
        result = t_test(u, v, alternative=alternative)
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-10)
        assert result.statistic == pytest.approx(expected.statistic, rel=1e-10)
        interval = expected.confidence_interval(0.95)
        assert (result.interval.low, result.interval.high) == pytest.approx(tuple(interval))


def test_t_test_of_constant_differences_says_why_it_is_not_run():
    result = t_test([2, 3, 4], [1, 2, 3])
    assert math.isnan(result.pvalue)
    assert result.reason == "all differences are equal (1): there is no spread to compare with."
    assert t_test([1], [2]).reason == "the t test needs at least 2 pairs; got 1."


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_sign_test_agrees_with_scipy(alternative):
    rng = np.random.default_rng(15)
    for n in (1, 2, 5, 20, 25_000):
        d = rng.integers(-2, 4, n).astype(float)
        used = int(np.count_nonzero(d))
        if used:
            expected = stats.binomtest(int((d > 0).sum()), used, alternative=alternative).pvalue
            result = sign_test(d, 0 * d, alternative=alternative)
            assert result.pvalue == pytest.approx(expected, rel=1e-9)
            assert result.n_used == used


def test_sign_test_interval_has_exact_binomial_ranks():
    # For n = 10 the 95% interval runs from the 2nd to the 9th value: coverage 0.9785.
    interval = sign_test(np.arange(1.0, 11.0), np.zeros(10)).interval
    assert (interval.low, interval.high) == (2.0, 9.0)
    # For n = 5 not even the extremes have 95%: 1 - 2 / 32.
    assert sign_test(np.arange(5.0), np.zeros(5)).interval.low == -math.inf
    one_sided = sign_test(np.arange(1.0, 11.0), np.zeros(10), alternative="greater").interval
    assert (one_sided.low, one_sided.high) == (2.0, math.inf)


def test_sign_test_with_hypothesised_difference_counts_from_it():
    result = sign_test([1.0, 2.0, 3.0, 0.5], [0.0] * 4, hypothesised=1.0)
    assert (result.statistic, result.n_used) == (2.0, 3)


def test_mcnemar_exact_is_the_binomial_test_of_discordant_pairs():
    for b, c in itertools.product(range(8), repeat=2):
        u, v = binary(b, c, both=3, neither=2)
        for alternative in ALTERNATIVES:
            expected = 1.0
            if b + c:
                expected = stats.binomtest(b, b + c, alternative=alternative).pvalue
            result = mcnemar_test(u, v, alternative=alternative)
            assert result.pvalue == pytest.approx(expected)


def test_mcnemar_asymptotic_is_the_chi_square_without_correction():
    result = mcnemar_test(*binary(15, 6, both=20, neither=9), method="asymptotic")
    assert result.pvalue == pytest.approx(stats.chi2.sf((15 - 6) ** 2 / (15 + 6), 1))


def test_mcnemar_mid_p_takes_half_of_the_observed_outcome():
    result = mcnemar_test(*binary(5, 1), method="mid-p", alternative="greater")
    assert result.pvalue == pytest.approx(stats.binom.sf(5, 6, 0.5) + 0.5 * 6 / 64)


def test_mcnemar_scales_with_the_two_values():
    u, v = binary(7, 2, both=11)
    one, hundred = mcnemar_test(u, v), mcnemar_test(np.multiply(u, 100), np.multiply(v, 100))
    assert one.pvalue == hundred.pvalue
    assert hundred.interval.low == pytest.approx(100 * one.interval.low)


def test_mcnemar_refuses_a_null_value_that_no_two_scores_have():
    u, v = [1, 1, 1, 0], [0, 0, 1, 0]
    result = mcnemar_test(u, v, hypothesised=5.0)
    assert result.reason == "these scores differ by 1 at most; got a null value of 5."
    assert mcnemar_test(u, v, hypothesised=1.0).reason is None


def test_mcnemar_needs_two_values():
    result = mcnemar_test([0, 1, 2], [1, 1, 0])
    assert math.isnan(result.pvalue)
    assert "two values" in result.reason


def test_score_statistic_uses_the_constrained_maximum_likelihood_estimate():
    rng = np.random.default_rng(16)
    for _ in range(60):
        n = int(rng.integers(2, 40))
        b, c, rest = (int(count) for count in rng.multinomial(n, [0.3, 0.2, 0.5]))
        delta = rng.uniform(-0.9, 0.9)

        def minus_log_likelihood(q, b=b, c=c, rest=rest, delta=delta):
            cells = np.maximum([q + delta, q, 1 - 2 * q - delta], 1e-300)
            return -float(np.dot([b, c, rest], np.log(cells)))

        bounds = (max(0.0, -delta), (1 - delta) / 2)
        q = minimize_scalar(minus_log_likelihood, bounds=bounds, options={"xatol": 1e-12}).x
        expected = (b - c - n * delta) / math.sqrt(n * (2 * q + delta - delta**2))
        assert score_statistic(b, c, n, delta) == pytest.approx(expected, rel=1e-3, abs=1e-3)


def test_score_interval_ends_where_the_statistic_is_critical():
    interval = score_interval(9, 4, 60, Hypothesis(confidence=0.95))
    z = stats.norm.ppf(0.975)
    assert score_statistic(9, 4, 60, interval.low) == pytest.approx(z, abs=1e-9)
    assert score_statistic(9, 4, 60, interval.high) == pytest.approx(-z, abs=1e-9)


def test_permutation_test_of_the_mean_has_the_published_values():
    # definitions: [1,-1,-1] and [3,1,4,1,-5,9,2,-6], by enumeration
    assert permutation_test([1, 0, 0], [0, 1, 1], alternative="greater").pvalue == 0.875
    d = np.array([3, 1, 4, 1, -5, 9, 2, -6])
    assert permutation_test(d, 0 * d).pvalue == 0.578125
    assert permutation_test(d, 0 * d, alternative="greater").pvalue == 0.2890625


def median_pvalues(d):
    signs = np.array(list(itertools.product((1, -1), repeat=len(d))))
    medians, observed = np.median(signs * np.abs(d), axis=1), np.median(d)
    return {
        "greater": np.mean(medians >= observed - 1e-12),
        "less": np.mean(medians <= observed + 1e-12),
        "two-sided": np.mean(np.abs(medians) >= abs(observed) - 1e-12),
    }


def test_permutation_test_of_the_median_is_the_share_of_all_swaps():
    rng = np.random.default_rng(17)
    for n in range(1, 11):
        for d in (rng.normal(0.3, 1, n), np.round(rng.normal(0.3, 1, n), 1), np.zeros(n)):
            for alternative, expected in median_pvalues(d).items():
                result = permutation_test(d, 0 * d, statistic="median", alternative=alternative)
                assert result.pvalue == pytest.approx(expected, abs=1e-12)


def test_permutation_p_of_the_median_agrees_with_draws_on_a_large_sample():
    rng = np.random.default_rng(18)
    for n in (1000, 1001):
        d = np.round(rng.normal(0.03, 1, n), 2)
        signs = rng.choice([-1.0, 1.0], size=(5000, n))
        drawn = np.mean(np.abs(np.median(signs * d, axis=1)) >= abs(np.median(d)) - 1e-12)
        result = permutation_test(d, 0 * d, statistic="median")
        assert result.pvalue == pytest.approx(drawn, abs=4 * math.sqrt(0.25 / 5000))


@pytest.mark.parametrize("statistic", ["mean", "median"])
@pytest.mark.parametrize("n", [11, 18, 30, 61])
def test_permutation_interval_is_the_set_of_differences_that_are_not_rejected(statistic, n):
    d = np.random.default_rng(19).normal(0.5, 1, n)
    result = permutation_test(d, 0 * d, statistic=statistic)
    for end, side in ((result.interval.low, -1), (result.interval.high, 1)):
        inside, outside = (
            permutation_test(d, 0 * d, statistic=statistic, hypothesised=end + step).pvalue
            for step in (-side * 1e-4, side * 1e-4)
        )
        assert inside > 0.05 - 1e-4
        assert outside <= 0.05 + 1e-4


def test_rows_of_the_permutation_test_agree_with_the_exact_test():
    rng = np.random.default_rng(20)
    for n in (10, 30, 200):
        for rows in (rng.normal(0.1, 1, (5, n)), np.round(rng.normal(0.1, 1, (5, n)), 1)):
            for alternative in ALTERNATIVES:
                single = [permutation_test(r, 0 * r, alternative=alternative).pvalue for r in rows]
                many = permutation_pvalues(rows, alternative=alternative)
                assert many == pytest.approx(single, abs=1e-4)


@pytest.mark.parametrize("test", TESTS)
def test_swapping_the_systems_swaps_the_direction(test):
    rng = np.random.default_rng(21)
    u, v = rng.integers(0, 2, (2, 40)) if test == "mcnemar" else rng.normal(size=(2, 40))
    greater = run_test(test, u, v, alternative="greater").pvalue
    swapped = run_test(test, v, u, alternative="less").pvalue
    assert greater == pytest.approx(swapped, abs=0.02 if "boot" in test else 1e-9)


@pytest.mark.parametrize("test", TESTS)
def test_a_clearly_better_first_system_is_greater(test):
    rng = np.random.default_rng(22)
    v = rng.integers(0, 2, 60) if test == "mcnemar" else rng.normal(size=60)
    u = np.ones(60) if test == "mcnemar" else v + rng.normal(1.0, 0.5, 60)
    assert run_test(test, u, v, alternative="greater").pvalue < 0.01
    assert run_test(test, u, v, alternative="less").pvalue > 0.9
    assert run_test(test, u, v).pvalue < 0.02


@pytest.mark.parametrize("test", TESTS)
def test_identical_systems_are_never_significant(test):
    x = [0.0, 1.0, 1.0, 0.0, 1.0, 0.0]
    result = run_test(test, x, x)
    assert result.pvalue == 1.0 or result.reason
    assert not result.pvalue < 0.05


@pytest.mark.parametrize("test", TESTS)
def test_records_are_flat(test):
    record = run_test(test, [1, 2, 3, 4, 5, 7], [1, 1, 5, 2, 2, 2]).to_record()
    assert record["test"] == test
    assert all(isinstance(value, (str, int, float, type(None))) for value in record.values())


@pytest.mark.parametrize("test", [name for name in ROW_TESTS if "bootstrap" not in name])
def test_rows_agree_with_single_tests_by_name(test):
    rows = np.random.default_rng(23).normal(0.2, 1, (6, 45))
    single = [run_test(test, row, 0 * row, alternative="greater").pvalue for row in rows]
    assert row_pvalues(test, rows, alternative="greater") == pytest.approx(single, abs=1e-6)


def test_t_pvalues_of_constant_rows_are_undefined():
    assert np.isnan(t_pvalues(np.array([[1.0, 1.0, 1.0]]))).all()


def test_bad_arguments_are_refused():
    with pytest.raises(InputError, match="`test` must be one of"):
        run_test("z", [1, 2], [2, 1])
    with pytest.raises(InputError, match="`alternative` must be one of"):
        t_test([1, 2], [2, 1], alternative="bigger")
    with pytest.raises(InputError, match="`confidence` must lie between 0 and 1"):
        t_test([1, 2], [2, 1], confidence=95)
    with pytest.raises(InputError, match="`hypothesised` must be finite"):
        t_test([1, 2], [2, 1], hypothesised=math.nan)
    with pytest.raises(InputError, match="got 3 and 2 scores"):
        t_test([1, 2, 3], [2, 1])
    with pytest.raises(InputError, match="`u` must contain numbers only"):
        t_test(["a", "b"], [1, 2])
