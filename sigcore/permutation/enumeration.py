"""Exact tails of the sign-flip null for a few values, by enumeration.

Making the items of a subset negative lowers the sum from its maximum by twice their sizes, so
P(S >= s) is the share of subsets that add up to at most half the distance of s from the maximum.
"""

import math

import numpy as np

from sigcore.permutation.curbing import Numbers
from sigcore.permutation.tail import ScaledTail
from sigcore.permutation.tilting import EPSILON
from sigcore.validation import FloatArray

__all__ = [
    "MAX_HALVED",
    "MAX_LISTED",
    "can_be_listed",
    "count_bounded_subsets",
    "meet_in_the_middle",
]

# 2^22 sums a half: half a second and 150 MB.
MAX_HALVED = 44
# At most so many subsets are listed one by one.
MAX_LISTED = 1 << 22

# Sums below this fit in 64 bits.
_LARGEST_SUM = 1 << 62
# Beyond that they are listed as Python integers, which takes a second for so many.
_MAX_BIG = 32
_LOG_2 = math.log(2.0)


def can_be_listed(integers: Numbers) -> bool:
    """Return whether all sums of some integers can be listed: quickly if they fit in 64 bits."""
    if not integers.size:
        return True
    fits = int(np.abs(integers).max()) * integers.size < _LARGEST_SUM
    return integers.size <= (MAX_HALVED if fits else _MAX_BIG)


def meet_in_the_middle(
    sizes: Numbers, limit: float, tolerance: float = 0, *, n_alike: int = 1
) -> ScaledTail:
    """Compare all 2^n subset sums with a limit, from the sorted sums of two halves.

    Parameters
    ----------
    sizes : ndarray
        At most `MAX_HALVED` positive sizes, integers or real.
    limit : float
        Sum of the sizes of the items observed negative.
    tolerance : float
        Sums within this distance of `limit` are tied with it; 0 for integers.
    n_alike : int
        Subsets known to have the sum `limit`: the one observed, and those that only exchange items
        of equal size. Whether others within the tolerance are tied too, floats cannot tell; they
        are counted as tied, and as the error.
    """
    left, right = _sorted_sums(sizes[::2]), _sorted_sums(sizes[1::2])
    upto = int(np.searchsorted(right, limit + tolerance - left, side="right").sum())
    below = int(np.searchsorted(right, limit - tolerance - left, side="left").sum())
    share = 2.0**-sizes.size
    error = _doubtful(upto - below, n_alike, tolerance) / upto
    return ScaledTail(upto * share, (upto - below) * share, 0.0, error, "enumerate")


def count_bounded_subsets(
    sizes: FloatArray, limit: float, tolerance: float, *, n_alike: int = 1
) -> ScaledTail | None:
    """List the subsets that add up to at most `limit`, level by level of their number of items.

    Takes time and memory in proportion to the number of such subsets, whatever the number of
    items; meant for sums so far out that there are few. Parameters as above, sizes ascending.
    None if there are more than `MAX_LISTED`.
    """
    sums, last = np.zeros(1), np.full(1, -1)
    n_upto = n_tied = 0
    while sums.size:
        n_upto += sums.size
        n_tied += int(np.count_nonzero(sums >= limit - tolerance))
        # Each subset grows by the items after its last one that still fit.
        end = np.searchsorted(sizes, limit + tolerance - sums, side="right")
        n_new = np.maximum(end - last - 1, 0)
        if n_upto + int(n_new.sum()) > MAX_LISTED:
            return None
        parent = np.repeat(np.arange(sums.size), n_new)
        offset = np.arange(parent.size) - np.repeat(np.cumsum(n_new) - n_new, n_new)
        last = last[parent] + 1 + offset
        sums = sums[parent] + sizes[last]
    # The scale, a power of 2, is kept as a rounded logarithm.
    error = _doubtful(n_tied, n_alike, tolerance) / n_upto + EPSILON * sizes.size
    return ScaledTail(float(n_upto), float(n_tied), -sizes.size * _LOG_2, error, "enumerate")


def _doubtful(n_tied: int, n_alike: int, tolerance: float) -> int:
    """Return how many of the sums taken as tied may not be so."""
    return max(0, n_tied - n_alike) if tolerance > 0 else 0


def _sorted_sums(sizes: Numbers) -> Numbers:
    sums = np.zeros(1, dtype=sizes.dtype)
    for size in sizes.tolist():
        # Two sorted runs: the stable sort merges them in linear time.
        sums = np.sort(np.concatenate([sums, sums + size]), kind="stable")
    return sums
