"""Tests on random inputs with ties, zeros and few items, against scipy and full enumeration."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from sigcore.comparison.bootstrap import bootstrap_test
from sigcore.comparison.differences import as_pair
from sigcore.comparison.mcnemar import mcnemar_test
from sigcore.comparison.pairs import compare_pairs
from sigcore.comparison.randomisation import permutation_test
from sigcore.comparison.signed_rank import wilcoxon_test
from sigcore.comparison.significance import ROW_TESTS, SignificanceOptions, row_pvalues, run_test
from sigcore.comparison.system_pairs import ordered_pairs, pair_records
from sigcore.grid import merge_ties

ALTERNATIVES = ("two-sided", "greater", "less")


def random_differences(rng, n):
    kind = rng.integers(4)
    if kind == 0:
        return rng.integers(-3, 4, n).astype(float)
    if kind == 1:
        return rng.normal(size=n)
    if kind == 2:
        return rng.integers(-5, 6, n) / 10
    return np.round(rng.exponential(size=n), 1)


def share(null, observed, alternative):
    slack = 1e-9 * max(1.0, np.abs(null).max())
    greater, less = np.mean(null >= observed - slack), np.mean(null <= observed + slack)
    both = min(1.0, 2 * min(greater, less))
    return {"greater": greater, "less": less, "two-sided": both}[alternative]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_every_closed_test_agrees_with_its_oracle(alternative):
    rng = np.random.default_rng(81)
    for _ in range(150):
        n = int(rng.integers(1, 10))
        d, v = random_differences(rng, n), rng.integers(0, 50, n)
        scale, null = float(rng.choice([1.0, 1e-80, 1e60])), float(rng.choice([0.0, 1.0, 0.1]))
        x = np.round(d - null, 9)
        signs = np.array(list(itertools.product([-1, 1], repeat=n)))
        flipped = signs * np.abs(x)
        ranks = np.where(x != 0, stats.rankdata(np.abs(x)) - np.count_nonzero(x == 0), 0.0)
        expected = {
            "permutation_mean": share(flipped.sum(axis=1), x.sum(), alternative),
            "permutation_median": share(np.median(flipped, axis=1), np.median(x), alternative),
            "wilcoxon": share((signs > 0) @ ranks, ranks[x > 0].sum(), alternative),
        }
        if used := np.count_nonzero(x):
            above = int(np.count_nonzero(x > 0))
            expected["sign"] = stats.binomtest(above, used, alternative=alternative).pvalue
        if np.ptp(d) > 0:
            expected["t"] = stats.ttest_1samp(d, null, alternative=alternative).pvalue
        for test, pvalue in expected.items():
            found = run_test(
                test,
                scale * (v + d),
                scale * v,
                alternative=alternative,
                hypothesised=scale * null,
            )
            assert found.pvalue == pytest.approx(pvalue, rel=1e-7), (test, d, null)


def test_large_samples_with_ties_agree_with_scipy():
    rng = np.random.default_rng(82)
    d = np.rint(3 * rng.normal(0.01, 1.0, 25_000)) / 3
    zero = np.zeros_like(d)
    for alternative in ALTERNATIVES:
        rank = stats.wilcoxon(d, alternative=alternative, method="asymptotic")
        found = run_test("wilcoxon", d, zero, alternative=alternative).pvalue
        assert found == pytest.approx(rank.pvalue, rel=1e-9)
        above, used = int((d > 0).sum()), int((d != 0).sum())
        count = stats.binomtest(above, used, alternative=alternative).pvalue
        found = run_test("sign", d, zero, alternative=alternative).pvalue
        assert found == pytest.approx(count, rel=1e-8)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_the_interval_of_the_median_is_what_the_test_does_not_reject(alternative):
    rng = np.random.default_rng(83)
    samples = [random_differences(rng, int(rng.integers(2, 12))) for _ in range(60)]
    # The end lies below the smallest difference, and there is no spread at all.
    for d in (*samples, np.array([1.0, 3.0, 2.0, 1.0]), np.array([-1.0, -1.0]), np.zeros(6)):
        for confidence in (0.5, 0.8, 0.95):
            result = permutation_test(
                d, 0 * d, statistic="median", alternative=alternative, confidence=confidence
            )
            low, high = result.interval.low, result.interval.high
            for null in (*np.unique(d), d.min() - 0.1, d.max() + 0.1, d.min() - 50, d.max() + 50):
                row = as_pair(d, 0 * d).minus(null)[None, :]
                pvalue = row_pvalues("permutation_median", row, alternative=alternative)[0]
                if low < null < high:
                    assert pvalue > 1 - confidence - 1e-9
                elif null < low - 1e-9 or null > high + 1e-9:
                    assert pvalue <= 1 - confidence + 1e-9


@pytest.mark.parametrize("statistic", ["mean", "median"])
@pytest.mark.parametrize("n", [16, 21, 30])
def test_the_interval_holds_every_value_on_the_grid_that_is_not_rejected(statistic, n):
    rng = np.random.default_rng(86)
    for _ in range(4):
        d, v = rng.integers(-6, 8, n) / 10, rng.integers(0, 1000, n) / 10
        interval = permutation_test(v + d, v, statistic=statistic).interval
        for tenths in {math.floor(10 * interval.low) + k for k in (-1, 0, 1, 2)} | {
            math.floor(10 * interval.high) + k for k in (-1, 0, 1, 2)
        }:
            pvalue = permutation_test(
                v + d, v, statistic=statistic, hypothesised=tenths / 10
            ).pvalue
            if pvalue > 0.05:
                assert interval.low <= tenths / 10 <= interval.high
            else:
                assert not interval.low < tenths / 10 < interval.high


def test_one_huge_score_does_not_hide_the_other_differences():
    d = np.array([1e17] + [1.0, 2.0, 3.0, 4.0] * 5)
    plain = np.concatenate([[9.0], d[1:]])
    for test in ("sign", "wilcoxon", "permutation_median"):
        found = run_test(test, d, 0 * d, alternative="greater").pvalue
        assert found == run_test(test, plain, 0 * d, alternative="greater").pvalue
        assert found < 0.001


def test_ties_are_judged_by_the_scores_they_come_from():
    merged = merge_ties([0.1, 25.2 - 25.1, 1.0, 4.0], [0.3, 25.2, 1.0, 1e17])
    assert merged[0] == merged[1]
    assert merged[2:].tolist() == [1.0, 0.0]
    assert as_pair([1e17, 1.0], [1e17 - 16, 0.0]).difference.tolist() == [0.0, 1.0]


def test_the_t_test_runs_when_the_null_value_dwarfs_the_spread():
    d = np.array([1.0, 2.0, 4.0]) * 1e-20
    assert run_test("t", d, 0 * d, hypothesised=1.0).pvalue < 1e-10
    assert run_test("t", d, 0 * d, hypothesised=1.0, alternative="greater").pvalue == 1.0


@pytest.mark.parametrize("continuity", [True, False])
def test_all_zeros_have_p_one_with_split_zeros(continuity):
    x = np.arange(8.0)
    for alternative in ALTERNATIVES:
        result = wilcoxon_test(
            x,
            x,
            alternative=alternative,
            zeros="zsplit",
            method="asymptotic",
            continuity=continuity,
        )
        assert result.pvalue == 1.0


@pytest.mark.parametrize("test", ROW_TESTS)
def test_rows_pairs_and_records_have_the_p_value_of_the_single_test(test):
    rng = np.random.default_rng(84)
    scores = rng.normal(size=(3, 40)) + np.array([[0.3], [0.1], [0.0]])
    names = ["a", "b", "c"]
    options = SignificanceOptions(n_resamples=199, seed=5)
    result = compare_pairs(scores, names, test=test, options=options)
    pairs = ordered_pairs(scores, names)
    records = pair_records(scores, names, pairs, test=test, options=options)
    for (first, second), record in zip(pairs, records, strict=True):
        i, j = result.names.index(first), result.names.index(second)
        u, v = scores[names.index(first)], scores[names.index(second)]
        single = run_test(test, u, v, options=options).pvalue
        row = row_pvalues(test, (u - v)[None, :], options=options)[0]
        assert record["pvalue"] == single
        assert result.pvalues[i, j] == pytest.approx(single, rel=1e-9)
        assert row == pytest.approx(single, rel=1e-3)  # smooth rows of the permutation test


@pytest.mark.parametrize("statistic", ["mean", "median"])
@pytest.mark.parametrize("null", [0.0, 0.1, 0.3])
def test_bootstrap_has_the_law_of_all_resamples_also_where_they_hit_the_null(statistic, null):
    # In tenths of a point, so that whole numbers tell what is a tie.
    tenths, v = np.array([-4, 0, 1, 3, 7]), np.array([25.1, 0.2, 99.3, 7.7, 3.0])
    every = np.array(list(itertools.product(tenths, repeat=5)))
    values = every.sum(axis=1) if statistic == "mean" else 5 * np.median(every, axis=1)
    value = round(50 * null)
    assert np.any(values == value)
    for alternative, expected in (
        ("greater", np.mean(values <= value)),
        ("less", np.mean(values >= value)),
    ):
        found = bootstrap_test(
            v + tenths / 10,
            v,
            statistic=statistic,
            kind="percentile",
            alternative=alternative,
            hypothesised=null,
        ).pvalue
        bound = 4 * math.sqrt(expected * (1 - expected) / 9999)
        assert found == pytest.approx(expected, abs=bound + 1e-4)


def test_the_studentised_median_of_mostly_equal_differences_is_finite():
    d = np.concatenate([np.zeros(1900), np.ones(100)])
    result = bootstrap_test(d, 0 * d, statistic="median", kind="studentised", n_resamples=99)
    assert result.pvalue == 1.0
    assert (result.interval.low, result.interval.high) == (0.0, 0.0)


def test_small_mid_p_values_keep_their_digits():
    right, wrong = np.ones(60), np.zeros(60)
    found = mcnemar_test(right, wrong, method="mid-p", alternative="greater").pvalue
    assert found == pytest.approx(0.5**61)


def test_almost_stochastic_order_sees_equal_distributions_through_rounding_errors():
    x = np.array([0.3, 0.4, 0.7, 1.1, 0.9, 2.2])
    result = run_test("aso", x + 0.1, x[::-1], hypothesised=0.1)
    assert result.reason == "both systems have the same distribution of scores."


def test_the_exact_signed_rank_test_says_when_it_is_given_too_much():
    d = np.random.default_rng(85).normal(size=2001)
    result = wilcoxon_test(d, 0 * d, method="exact")
    assert math.isnan(result.pvalue)
    assert result.reason == "the exact test takes up to 2,000 ranked differences; got 2,001."
    options = SignificanceOptions(wilcoxon_method="exact")
    assert np.isnan(row_pvalues("wilcoxon", d[None, :], options=options)).all()
