"""Every test on thousands of random inputs, and on 25,000 pairs, against other code."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from sigcore.comparison.bootstrap import KINDS, bootstrap_test
from sigcore.comparison.dominance import violation_ratio
from sigcore.comparison.mcnemar import mcnemar_test
from sigcore.comparison.significance import SignificanceOptions, row_pvalues, run_test

ALTERNATIVES = ("two-sided", "greater", "less")
LARGE = 25_001
FEW = SignificanceOptions(n_resamples=999)


def random_rows(rng, n, count):
    """Draw samples with many ties and zeros, with some, and with none; in tenths where tied."""
    tied = rng.integers(-3, 5, size=(count, n)) / 10
    some = rng.integers(-40, 50, size=(count, n)) / 10
    return np.vstack([tied, some, rng.normal(0.3, 1.0, size=(count, n))])


def both_tails(null, observed):
    """Return P(null <= observed) and P(null >= observed) for each column."""
    return (null <= observed + 1e-9).mean(axis=0), (null >= observed - 1e-9).mean(axis=0)


def choose(tails, alternative):
    less, greater = tails
    both = np.minimum(1.0, 2.0 * np.minimum(less, greater))
    return {"less": less, "greater": greater, "two-sided": both}[alternative]


def signed_rank_weights(rows, zeros):
    """Return the rank of each difference, 0 for those left out."""
    weights = np.zeros_like(rows)
    for row, weight in zip(rows, weights, strict=True):
        used = row != 0.0
        if zeros == "wilcox":
            weight[used] = stats.rankdata(np.round(np.abs(row[used]), 9))
        else:
            weight[used] = stats.rankdata(np.round(np.abs(row), 9))[used]
    return weights


@pytest.mark.parametrize("n", range(1, 11))
def test_exact_tests_agree_with_all_sign_patterns(n):
    rows = random_rows(np.random.default_rng(900 + n), n, 100)
    signs = np.array(list(itertools.product([-1.0, 1.0], repeat=n)))
    sizes = np.abs(rows)
    tails = {"permutation_mean": both_tails(signs @ sizes.T, rows.sum(axis=1))}
    medians = np.stack([np.median(signs * size, axis=1) for size in sizes], axis=1)
    tails["permutation_median"] = both_tails(medians, np.median(rows, axis=1))
    for test, expected in tails.items():
        for alternative in ALTERNATIVES:
            found = row_pvalues(test, rows, alternative=alternative)
            np.testing.assert_allclose(found, choose(expected, alternative), rtol=1e-9)
    for zeros in ("wilcox", "pratt"):
        ranks = signed_rank_weights(rows, zeros)
        observed = np.where(rows > 0.0, ranks, 0.0).sum(axis=1)
        expected = both_tails((signs > 0) @ ranks.T, observed)
        options = SignificanceOptions(wilcoxon_zeros=zeros, wilcoxon_method="exact")
        for alternative in ALTERNATIVES:
            found = row_pvalues("wilcoxon", rows, alternative=alternative, options=options)
            np.testing.assert_allclose(found, choose(expected, alternative), rtol=1e-9)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [2, 3, 7, 20, 60, 300])
def test_closed_tests_agree_with_scipy(n, alternative):
    rows = random_rows(np.random.default_rng(920 + n), n, 60)
    rows = rows[(np.ptp(rows, axis=1) > 0) & rows.any(axis=1)]
    t = stats.ttest_1samp(rows, 0.0, axis=1, alternative=alternative).pvalue
    np.testing.assert_allclose(row_pvalues("t", rows, alternative=alternative), t, rtol=1e-8)
    sign = [
        stats.binomtest(int((row > 0).sum()), int((row != 0).sum()), alternative=alternative).pvalue
        for row in rows
    ]
    np.testing.assert_allclose(row_pvalues("sign", rows, alternative=alternative), sign, rtol=1e-8)
    for zeros, continuity in itertools.product(("wilcox", "pratt", "zsplit"), (True, False)):
        options = SignificanceOptions(
            wilcoxon_method="asymptotic", wilcoxon_zeros=zeros, wilcoxon_continuity=continuity
        )
        found = row_pvalues("wilcoxon", rows, alternative=alternative, options=options)
        expected = [
            stats.wilcoxon(
                np.round(row, 12),
                zero_method=zeros,
                correction=continuity,
                alternative=alternative,
                method="asymptotic",
            ).pvalue
            for row in rows
        ]
        np.testing.assert_allclose(found, expected, rtol=1e-8)


@pytest.mark.parametrize("n", [12, 60, 25_000])
def test_mcnemar_agrees_with_whole_numbers(n):
    rng = np.random.default_rng(940)
    for _ in range(100 if n == 25_000 else 1000):
        b, c = rng.integers(0, 6 if n == 12 else 30, 2).tolist()
        u, v = np.zeros(n), np.zeros(n)
        u[:b], v[b : b + c] = 1.0, 1.0
        u[b + c :] = v[b + c :] = rng.integers(0, 2, n - b - c)
        chances = [Fraction(math.comb(b + c, k), 2 ** (b + c)) for k in range(b + c + 1)]
        less, greater, tie = sum(chances[: b + 1]), sum(chances[b:]), chances[b]
        z = (b - c) / math.sqrt(b + c) if b + c else 0.0
        expected = {
            "exact": (less, greater),
            "mid-p": (less - tie / 2, greater - tie / 2),
            "asymptotic": (stats.norm.cdf(z), stats.norm.sf(z)),
        }
        for (method, tails), alternative in itertools.product(expected.items(), ALTERNATIVES):
            found = mcnemar_test(u, v, method=method, alternative=alternative)
            wanted = float(choose(tails, alternative))
            assert found.pvalue == pytest.approx(wanted, rel=1e-9), (b, c, method)


def resample_law(x, statistic):
    """Return the statistic, and its standard error, of every resample, in the sample first."""
    every = np.sort(np.array([x, *itertools.product(x, repeat=len(x))]), axis=1)
    n = len(x)
    if statistic == "mean":
        return every.mean(axis=1), every.std(axis=1, ddof=1) / math.sqrt(n)
    middle = (n + 1) / 2
    weights = np.diff(stats.beta.cdf(np.arange(n + 1) / n, middle, middle))
    centre = every @ weights
    return np.median(every, axis=1), np.sqrt((every - centre[:, None]) ** 2 @ weights)


def adjusted_tail(quantile, bias_share, acceleration, side):
    """Invert the BCa end: the level at which it passes the quantile (Efron 1987)."""
    bias = side * stats.norm.ppf(bias_share)
    z = stats.norm.ppf(np.clip(quantile, 1e-12, 1 - 1e-12)) - bias
    return stats.norm.cdf(z / (1 + side * acceleration * z) - bias)


def expected_tails(x, statistic, kind, n_resamples):
    """Return lower and upper bounds of the p-values "greater" and "less" than 0 of all resamples.

    The share of resamples beyond 0, and that below the estimate for BCa, may be off by five
    standard errors of a share of `n_resamples`, to whose count beyond 0 one is added.
    """
    slack = 5 / math.sqrt(n_resamples)
    values, errors = resample_law(x, statistic)
    estimate, error = values[0], errors[0]
    values, errors = values[1:], errors[1:]
    ends = values
    if kind == "basic":
        ends = 2 * estimate - values
    if kind == "studentised":
        with np.errstate(divide="ignore", invalid="ignore"):
            same = np.abs(values - estimate) <= 1e-12
            t = np.where(same, 0.0, (values - estimate) / errors)
        ends = estimate - error * t
    below = np.mean(values < estimate - 1e-12) + np.mean(np.abs(values - estimate) <= 1e-12) / 2
    leave_one = np.array([np.delete(x, i) for i in range(len(x))])
    left = leave_one.mean(axis=1) if statistic == "mean" else np.median(leave_one, axis=1)
    deviation = left.mean() - left
    acceleration = (deviation**3).sum() / (6 * (deviation**2).sum() ** 1.5 or 1.0)
    bounds = []
    for side, share in ((1, np.mean(ends <= 1e-12)), (-1, np.mean(ends >= -1e-12))):
        near = [np.clip(share + k * slack * math.sqrt(share * (1 - share)), 0, 1) for k in (-1, 1)]
        near = [(share * n_resamples + 1) / (n_resamples + 1) for share in near]
        if kind == "bca":
            width = slack * math.sqrt(below * (1 - below))
            shares = [np.clip(below + k * width, 1e-9, 1 - 1e-9) for k in (-1, 1)]
            near = [adjusted_tail(q, s, acceleration, side) for q in near for s in shares]
        bounds.append((min(near), max(near)))
    return bounds


@pytest.mark.parametrize("statistic", ["mean", "median"])
@pytest.mark.parametrize("kind", KINDS)
def test_bootstraps_agree_with_all_resamples(kind, statistic):
    rng = np.random.default_rng(960)
    n_resamples = 1999
    for x in random_rows(rng, 5, 350):
        if np.ptp(x) == 0:
            continue
        x = x + 0.05 * rng.integers(2)
        bounds = expected_tails(x, statistic, kind, n_resamples)
        for alternative, (low, high) in zip(("greater", "less"), bounds, strict=True):
            found = bootstrap_test(
                x,
                0 * x,
                statistic=statistic,
                kind=kind,
                alternative=alternative,
                n_resamples=n_resamples,
            )
            assert low - 0.01 <= found.pvalue <= high + 0.01, (x, alternative)


def test_violation_ratios_agree_with_integrals_over_quantile_functions():
    rng = np.random.default_rng(970)
    for n in rng.integers(2, 30, 2000).tolist():
        u, v = rng.normal(size=n), rng.normal(0.3, 1.5, size=n)
        # The middle of each of n parts of a fine grid, by the inverse of the empirical law.
        grid = (np.arange(16 * n) + 0.5) / (16 * n)
        gap = np.quantile(v, grid, method="inverted_cdf") - np.quantile(
            u, grid, method="inverted_cdf"
        )
        expected = (np.maximum(gap, 0.0) ** 2).mean() / (gap**2).mean()
        found = float(violation_ratio(np.sort(u), np.sort(v)))
        assert found == pytest.approx(expected, rel=1e-9)


@pytest.fixture(scope="module")
def large():
    rng = np.random.default_rng(980)
    return np.rint(3.0 * rng.normal(0.006, 1.0, LARGE)), np.zeros(LARGE)


def check(test, scores, tails, *, rel=1e-8, bound=0.0, alternatives=ALTERNATIVES):
    for alternative in alternatives:
        found = run_test(test, *scores, alternative=alternative, options=FEW)
        assert found.pvalue == pytest.approx(float(choose(tails, alternative)), rel=rel, abs=bound)


def test_the_mean_of_25_000_whole_numbers_has_the_law_of_a_convolution(large):
    d = np.abs(large[0]).astype(int)
    size = 1 << 18  # more than twice the sum
    assert 2 * d.sum() < size
    angle = 2 * np.pi * np.arange(size) / size
    law = np.ones(size)
    for value, count in zip(*np.unique(d, return_counts=True), strict=True):
        law *= np.cos(value * angle) ** count
    chances = np.fft.fft(law).real / size
    observed = int(large[0].sum())
    sums = (np.arange(size) + size // 2) % size - size // 2
    tails = chances[sums <= observed].sum(), chances[sums >= observed].sum()
    check("permutation_mean", large, tails, alternatives=("greater", "less"))


def test_medians_of_25_000_differences_have_binomial_laws(large):
    # Shifted so that the median, the null value and their neighbours are apart.
    u = large[0] + 0.01 * np.random.default_rng(981).normal(0.01, 1.0, LARGE)
    half = (LARGE + 1) // 2
    middle = float(np.median(u))
    # The median of a swap is at least m > 0 if half of all are, and only those that large can be.
    assert middle > 0.0
    at_least = stats.binom.sf(half - 1, np.count_nonzero(np.abs(u) >= middle), 0.5)
    above = stats.binom.sf(half - 1, np.count_nonzero(np.abs(u) > middle), 0.5)
    check("permutation_median", (u, large[1]), (1 - above, at_least), rel=1e-7)
    share = np.mean(u <= 0.0)
    at_most = stats.binom.sf(half - 1, LARGE, share)
    check("bootstrap_median", (u, large[1]), (1 - at_most, at_most), bound=0.09)


def test_means_of_25_000_differences_are_normal(large):
    d = large[0]
    tails = [stats.ttest_1samp(d, 0, alternative=side).pvalue for side in ("less", "greater")]
    check("t", large, tails)
    check("bootstrap_mean", large, tails, bound=0.09, alternatives=("greater", "less"))


def test_the_error_of_a_violation_ratio_of_25_000_scores_is_that_of_other_resamples(large):
    rng = np.random.default_rng(982)
    u, v = large[0] + rng.normal(size=LARGE), 2.0 * rng.normal(size=LARGE)

    def ratio(index):
        gap = np.sort(u[index]) - np.sort(v[index])
        return (gap[gap < 0] ** 2).sum() / (gap**2).sum()

    error = np.std([ratio(rng.integers(0, LARGE, LARGE)) for _ in range(100)], ddof=1)
    z = (ratio(np.arange(LARGE)) - 0.5) / error
    for alternative in ("greater", "less"):
        options = SignificanceOptions(n_resamples=199)
        found = run_test("aso", u, v, alternative=alternative, options=options)
        assert found.statistic == pytest.approx(z, rel=0.4)
        tails = stats.norm.sf(found.statistic), stats.norm.cdf(found.statistic)
        assert found.pvalue == pytest.approx(float(choose(tails, alternative)), rel=1e-9)
