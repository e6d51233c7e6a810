"""Permutation tests of the mean and the median difference: the systems' scores are swapped.

Swapping the two scores of an item flips the sign of its difference. Both tests are exact: the law
of the mean comes from `sigcore.permutation`, that of the median from order statistics.
"""

import math

import numpy as np
import numpy.typing as npt

from sigcore.comparison.differences import as_pair
from sigcore.comparison.results import (
    Hypothesis,
    Interval,
    SignificanceResult,
    as_hypothesis,
    choose_tail,
    note_ties,
)
from sigcore.comparison.signflip_median import signflip_median_pvalue, signflip_median_pvalues
from sigcore.grid import find_grid
from sigcore.permutation.exact import enumerate_tail
from sigcore.permutation.paired import paired_permutation_test
from sigcore.permutation.smooth import smooth_tail
from sigcore.validation import FloatArray, as_choice

__all__ = ["STATISTICS", "permutation_mean_pvalues", "permutation_pvalues", "permutation_test"]

STATISTICS = ("mean", "median")
_SMALL = 24  # up to this many differences the mean is counted out in every case
_FEW = 18  # up to this many differences the interval of the mean comes from all subsets
_STEPS = 50  # halvings of the range of the differences in the search for an end of the interval


def permutation_test(
    u: npt.ArrayLike,
    v: npt.ArrayLike,
    *,
    statistic: str = "mean",
    alternative: str = "two-sided",
    hypothesised: float = 0.0,
    confidence: float = 0.95,
) -> SignificanceResult:
    """Test whether the two systems are exchangeable, by the mean or the median difference.

    Parameters
    ----------
    u, v : array_like of shape (n,)
        Scores of two systems on the same items.
    statistic : {"mean", "median"}
        What is compared with its law under random swaps.
    alternative : {"two-sided", "greater", "less"}
        "greater" means that u is better than v by more than `hypothesised`.
    hypothesised : float
        Difference under the null hypothesis: ``u - hypothesised`` and v are exchangeable.
    confidence : float
        Level of the interval.

    Returns
    -------
    SignificanceResult
        The interval is the set of differences that the test does not reject.

    Notes
    -----
    Exact, so nothing is added to counts and no seed is needed. The interval assumes that
    differences are symmetric about the true one.

    Examples
    --------
    >>> permutation_test([3, 1, 4, 1, 0, 9, 2, 0], [0, 0, 0, 0, 5, 0, 0, 6]).pvalue
    0.578125
    """
    pair = as_pair(u, v)
    hypothesis = as_hypothesis(alternative, hypothesised, confidence)
    as_choice(statistic, "statistic", STATISTICS)
    d = pair.difference
    estimate = float(d.mean() if statistic == "mean" else np.median(d))
    row = pair.minus(hypothesised)
    if statistic == "mean":
        # A power of two leaves all digits as they are and keeps far from overflow.
        unit = 2.0 ** -math.frexp(float(max(np.abs(pair.u).max(), np.abs(pair.v).max())))[1]
        result = paired_permutation_test(
            unit * pair.u, unit * pair.v, alternative=alternative, delta=unit * hypothesised
        )
        pvalue, how = result.pvalue, result.method
    else:
        pvalue, how = signflip_median_pvalue(row, alternative=alternative), "order statistics"
    return SignificanceResult(
        test=f"permutation_{statistic}",
        label=f"permutation test of the {statistic}",
        statistic=estimate - hypothesised,
        statistic_name=f"{statistic} difference",
        pvalue=pvalue,
        estimate=estimate,
        estimate_name=f"{statistic} difference",
        interval=_interval(d, statistic, hypothesis),
        hypothesis=hypothesis,
        n=pair.n,
        n_used=int(np.count_nonzero(row)),
        method=f"exact over all 2^n swaps ({how})",
        notes=note_ties(int(np.count_nonzero(row == 0.0)), pair.n, hypothesis, pvalue),
    )


def permutation_pvalues(
    rows: FloatArray, *, statistic: str = "mean", alternative: str = "two-sided"
) -> FloatArray:
    """Return the p-value of the permutation test on each row of differences from the null value.

    Parameters
    ----------
    rows : ndarray of shape (samples, n)
        Differences minus the hypothesised difference.
    statistic, alternative
        As for `permutation_test`.

    Returns
    -------
    ndarray of shape (samples,)
        Exact for the median; for the mean exact up to 24 differences, beyond that by
        numerical inversion, with an error below 1e-4 that vanishes quickly with n.
    """
    if statistic == "median":
        return signflip_median_pvalues(rows, alternative=alternative)
    return permutation_mean_pvalues(rows, alternative=alternative)


def permutation_mean_pvalues(rows: FloatArray, *, alternative: str = "two-sided") -> FloatArray:
    """Return the p-values of the mean; see `permutation_pvalues`."""
    if rows.shape[1] <= _SMALL:
        tails = (enumerate_tail(row).probability(alternative, "ge")[0] for row in rows)
        return np.fromiter(tails, dtype=np.float64, count=len(rows))
    grid = find_grid(rows)
    tail = smooth_tail(rows, spacing=2.0 * grid.step if grid else 0.0)
    # Half of the chance of a tie is in `middle`, so the other half is added on either side.
    greater = np.minimum(tail.middle + tail.point / 2.0, 1.0)
    less = np.minimum(1.0 - tail.middle + tail.point / 2.0, 1.0)
    return choose_tail(less, greater, alternative)


def _interval(d: FloatArray, statistic: str, hypothesis: Hypothesis) -> Interval:
    """Invert the test: the one-sided p-value rises with the hypothesised difference."""
    find = _lower_end
    if statistic == "mean" and len(d) <= _FEW:
        find = _lowest_subset_mean
    low, high = hypothesis.error_low, hypothesis.error_high
    return Interval(
        find(d, statistic, low) if low else -math.inf,
        0.0 - find(-d, statistic, high) if high else math.inf,  # zero has no sign
        hypothesis.confidence,
        "inverted permutation test",
    )


def _lowest_subset_mean(d: FloatArray, statistic: str, error: float) -> float:
    """Return the low end for the mean from the means of all subsets.

    The test of a value rejects unless more than a share `error` of all subsets, the empty one
    included, have a mean up to that value (Hartigan 1969).
    """
    sums, sizes = np.zeros(1), np.zeros(1)
    for value in d.tolist():
        sums = np.concatenate([sums, sums + value])
        sizes = np.concatenate([sizes, sizes + 1.0])
    rank = math.floor(error * len(sums) * (1.0 + 1e-12))
    if rank < 1:
        return -math.inf
    return float(np.partition(sums[1:] / sizes[1:], rank - 1)[rank - 1])


def _lower_end(d: FloatArray, statistic: str, error: float) -> float:
    # The p-value of a median still falls below the smallest difference, where no difference
    # changes its sign, but no further once the distance exceeds the range.
    least, high = float(d.min()), float(d.max())
    width = (high - least) or abs(least) or 1.0
    low = least - width
    if _greater(d - low, statistic) > error:
        return -math.inf
    for _ in range(_STEPS):
        middle = (low + high) / 2.0
        if _greater(d - middle, statistic) <= error:
            low = middle
        else:
            high = middle
    # The p-value jumps at the end, which belongs to the interval: a point of the grid of the
    # differences or another short number, else what is just below.
    grid = find_grid(d)
    points = [round(high, 12 - math.frexp(width)[1] * 3 // 10)]
    if grid is not None:
        points.append(grid.step * math.floor(high / grid.step))
    held = [p for p in points if p <= high and _greater(d - p, statistic) > error]
    return min(held, default=low)


def _greater(row: FloatArray, statistic: str) -> float:
    pvalues = permutation_pvalues(row[None, :], statistic=statistic, alternative="greater")
    return float(pvalues[0])
