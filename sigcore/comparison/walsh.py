"""Order statistics of all pairwise averages, without forming them.

The Walsh averages of n values are ``(x_i + x_j) / 2``, about n^2 / 2 of them: 2.5 GB at n = 25,000.
With x sorted they form a matrix with sorted rows, so the number of averages up to a bound is found
by one bisection a row, and an order statistic by narrowing the rows between two bounds. This is
selection in an implicit sorted matrix (Johnson and Mizoguchi 1978; Monahan 1984), here with the two
bounds from a systematic sample of what is left.
"""

import math

import numpy as np
import numpy.typing as npt

from sigcore.validation import FloatArray

__all__ = ["n_walsh", "pseudomedian", "walsh_order_statistic"]

IntArray = npt.NDArray[np.int64]

_SAMPLE = 4096  # averages looked at to place the bounds
_SPREAD = 3.0  # distance of the bounds from the target, in standard deviations of the sample rank


def n_walsh(n: int, *, self_pairs: bool = True) -> int:
    """Return the number of averages of `n` values, with i <= j or with i < j."""
    return n * (n + 1) // 2 if self_pairs else n * (n - 1) // 2


def pseudomedian(x: FloatArray, *, self_pairs: bool = True) -> float:
    """Return the median of the Walsh averages: the Hodges-Lehmann estimate.

    Parameters
    ----------
    x : ndarray of shape (n,)
        Values in any order; at least two if `self_pairs` is False.
    self_pairs : bool
        Whether i = j counts, as usual, or only i < j.
    """
    values = np.sort(x)
    total = n_walsh(len(values), self_pairs=self_pairs)
    below = walsh_order_statistic(values, (total + 1) // 2, self_pairs=self_pairs)
    if total % 2:
        return below
    above = walsh_order_statistic(values, total // 2 + 1, self_pairs=self_pairs)
    return (below + above) / 2.0


def walsh_order_statistic(x: FloatArray, rank: int, *, self_pairs: bool = True) -> float:
    """Return the average of the given rank among all Walsh averages.

    Parameters
    ----------
    x : ndarray of shape (n,)
        Values in increasing order.
    rank : int
        From 1, the smallest average, to `n_walsh`.
    self_pairs : bool
        Whether i = j counts.
    """
    n = len(x)
    first = np.arange(n) + (0 if self_pairs else 1)
    last = np.full(n, n)  # candidates of row i are the columns first[i] to last[i] - 1
    target, before = rank - 1, math.inf
    while True:
        widths = last - first
        total = int(widths.sum())
        if total <= max(_SAMPLE, 4 * n):
            return float(np.partition(_sums(x, first, widths), target)[target]) / 2.0
        # Where few distinct sums are left two bounds may enclose them all. One bound cannot: what
        # equals it is either the answer or out.
        spread = 0.0 if total > before / 2 else _SPREAD
        before = total
        low, high = _bounds(x, first, widths, target, spread)
        below_low = _bisect(x, first, last, low, strict=True)
        up_to_high = _bisect(x, first, last, high, strict=False)
        n_below, n_up_to = int((below_low - first).sum()), int((up_to_high - first).sum())
        if target < n_below:
            last = below_low
        elif target >= n_up_to:
            first, target = up_to_high, target - n_up_to
        elif low == high:
            return low / 2.0
        else:
            first, last, target = below_low, up_to_high, target - n_below


def _sums(x: FloatArray, first: IntArray, widths: IntArray) -> FloatArray:
    """Return all candidate sums x_i + x_j."""
    rows = np.repeat(np.arange(len(x)), widths)
    return x[rows] + x[_columns(np.arange(len(rows)), rows, first, widths)]


def _columns(positions: IntArray, rows: IntArray, first: IntArray, widths: IntArray) -> IntArray:
    """Return the columns of candidates that are numbered row by row."""
    starts = np.cumsum(widths) - widths
    return np.asarray(first[rows] + positions - starts[rows], dtype=np.int64)


def _bounds(
    x: FloatArray, first: IntArray, widths: IntArray, target: int, spread: float
) -> tuple[float, float]:
    """Return two candidate sums that most probably enclose the target closely, or one twice."""
    total = int(widths.sum())
    # The offset keeps clear of a pattern in the rows; any set of candidates gives a right result.
    positions = (np.arange(_SAMPLE) * total + total // 3) // _SAMPLE
    rows = np.searchsorted(np.cumsum(widths), positions, side="right")
    sample = np.sort(x[rows] + x[_columns(positions, rows, first, widths)])
    fraction = target / total
    margin = spread * math.sqrt(_SAMPLE * fraction * (1.0 - fraction) + 1.0)
    centre = fraction * _SAMPLE
    low = sample[max(0, int(centre - margin))]
    high = sample[min(_SAMPLE - 1, int(centre + margin))]
    return float(low), float(high)


def _bisect(
    x: FloatArray, first: IntArray, last: IntArray, bound: float, *, strict: bool
) -> IntArray:
    """Return for each row the first candidate column whose sum is not below (not up to) `bound`.

    The sums themselves are compared, not ``x_j`` with ``bound - x_i``, so that rounding cannot put
    equal sums on different sides.
    """
    low, high = first.copy(), last.copy()
    for _ in range(int((last - first).max()).bit_length()):
        middle = (low + high) // 2
        sums = x + x[np.minimum(middle, len(x) - 1)]
        open_ = low < high
        inside = (sums < bound if strict else sums <= bound) & open_
        low = np.where(inside, middle + 1, low)
        high = np.where(open_ & ~inside, middle, high)
    return low
