"""The exact law of the median under sign flips.

Let y_1 >= ... >= y_n be the sizes of the differences, each with a fair random sign. The order
statistics above zero are the sizes with a positive sign, in order, so the k-th of them falls on
y_i with the chance that the k-th head comes at toss i. Nothing needs to be resampled.
"""

import math

import numpy as np
from scipy.special import bdtrc, gammaln

from sigcore.comparison.results import choose_tail
from sigcore.grid import ROUNDING
from sigcore.validation import FloatArray

__all__ = ["signflip_median_pvalue", "signflip_median_pvalues"]

_LOG_2 = math.log(2.0)


def signflip_median_pvalues(rows: FloatArray, *, alternative: str = "two-sided") -> FloatArray:
    """Return the exact p-value of the median sign-flip test on each row of differences."""
    return np.array([signflip_median_pvalue(row, alternative=alternative) for row in rows])


def signflip_median_pvalue(differences: FloatArray, *, alternative: str = "two-sided") -> float:
    """Return the chance, under sign flips, of a median at least as extreme as the observed one.

    Parameters
    ----------
    differences : ndarray of shape (n,)
        Differences minus the hypothesised difference.
    alternative : {"two-sided", "greater", "less"}
        Direction.
    """
    sizes = np.sort(np.abs(differences))[::-1]
    median = float(np.median(differences))
    # No signs lead to a median beyond the larger half of the sizes, so an outlier does not blur it.
    largest = float(sizes[(len(sizes) - 1) // 2])
    if largest == 0.0:
        return 1.0
    tolerance = ROUNDING * largest
    extreme = abs(median)
    if extreme <= tolerance:
        # P(M >= 0) = P(M <= 0) = 1 - P(M > 0)
        towards = away = 1.0 - _upper(sizes, tolerance)
    else:
        towards = _upper(sizes, extreme - tolerance)
        away = 1.0 - _upper(sizes, extreme + tolerance)
    less, greater = (away, towards) if median >= 0.0 else (towards, away)
    return float(choose_tail(less, greater, alternative))


def _upper(sizes: FloatArray, bound: float) -> float:
    """Return P(M >= bound) for bound >= 0; no value lies within rounding errors of the bound."""
    n = len(sizes)
    if n % 2:
        n_above = int(np.count_nonzero(sizes >= bound))
        needed = (n + 1) // 2
        return float(bdtrc(needed - 1, n_above, 0.5)) if n_above >= needed else 0.0
    return _upper_even(sizes, bound)


def _upper_even(sizes: FloatArray, bound: float) -> float:
    """Return P(M >= bound) where the median is the mean of two middle values.

    With n = 2k, either both have a positive sign: the k-th head at toss i, the next at j. Or
    there are k heads in all, the smallest size has a tail, and the last head is at m: then the
    median is (y_m - y_n) / 2.
    """
    n, k = len(sizes), len(sizes) // 2
    toss = np.arange(k, n)
    log_ways = gammaln(toss) - gammaln(k) - gammaln(toss - k + 1)
    # J_i, the number of sizes that reach the bound together with y_i.
    partner = np.searchsorted(-sizes, sizes[toss - 1] - 2.0 * bound, side="right")
    room = np.maximum(partner - toss, 0)
    both = np.exp(log_ways - toss * _LOG_2) * -np.expm1(-room * _LOG_2)
    reach = sizes[toss - 1] - sizes[-1] >= 2.0 * bound
    mixed = np.exp(log_ways - n * _LOG_2) * reach
    return float(both.sum() + mixed.sum())
