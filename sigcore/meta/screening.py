"""SPA differences of hybrids, fast and rough first, in full only where that decides a test.

A permutation test asks of a draw only whether it reaches the observed difference. Nearly all draws
are so far from it that an approximate normal tail in single precision settles the question. Its
error is bounded for each pair of metrics, and the draws closer than the bound are computed again in
double precision: the counts of draws are the same as without it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Screen", "screen", "screened_differences"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
SingleArray = npt.NDArray[np.float32]

# With z = s / sqrt(sum d^2) and r = sum d^4 / (sum d^2)^2, `edgeworth_upper` is about
# (1 - tanh(z (a_0 + a_1 z^2))) / 2, a = _NORMAL + r _FOURTH: fitted so that the largest error for
# ratios up to 0.3 is least.
_NORMAL = np.array([0.79880144, 0.03528205], dtype=np.float32)
_FOURTH = np.array([-0.22619198, 0.08029096], dtype=np.float32)
_FAR = 4.0  # beyond this z no tail is above _FAR_ERROR
_FAR_ERROR = 3.2e-5
_LEAST_SPREAD = 0.01  # draws with a hybrid whose sum of d^2 is a smaller share of others' are open
_LEAST_SUM = 1e-12  # of d^2; fourth powers of less would leave the range of single precision
_UNIT = 2.0**-24  # relative rounding error in single precision
_BLOCK_CELLS = 1 << 16  # values handled at once, so that temporaries stay in cache


@dataclass(frozen=True, slots=True)
class Screen:
    """Sums of d, d^2 and d^4 of one metric.

    Attributes
    ----------
    inside, outside : ndarray of float32, shape (3, pairs, draws)
        Sums over the units drawn, and over the others.
    low, high : ndarray, shape (3, pairs)
        Least and largest of both.
    """

    inside: SingleArray
    outside: SingleArray
    low: FloatArray
    high: FloatArray

    @property
    def largest_sum(self) -> FloatArray:
        """The largest size of a sum of d, for each pair of systems."""
        largest: FloatArray = np.maximum(self.high[0], -self.low[0])
        return largest


def screen(inside: Sequence[FloatArray], total: Sequence[FloatArray], order: IntArray) -> Screen:
    """Prepare a metric.

    Parameters
    ----------
    inside : sequence of ndarray, shape (draws, pairs)
        Sums of d, d^2 and d^4 over the units drawn.
    total : sequence of ndarray, shape (pairs,)
        The same sums over all units.
    order : ndarray of int
        The pairs of systems; those that are far apart, or the same, should be the last.
    """
    drawn = np.array([each.T[order] for each in inside])
    rest = np.array(total)[:, order, None] - drawn
    return Screen(
        inside=drawn.astype(np.float32),
        outside=rest.astype(np.float32),
        low=np.minimum(drawn.min(axis=2), rest.min(axis=2)),
        high=np.maximum(drawn.max(axis=2), rest.max(axis=2)),
    )


def screened_differences(
    first: Screen, second: Screen, gold_pvalues: FloatArray, *, floor: float
) -> tuple[FloatArray, FloatArray]:
    """Return about the SPA of hybrids minus that of their complements, and bounds on the errors.

    Parameters
    ----------
    first, second : Screen
        The two metrics; a hybrid takes the units drawn from the first.
    gold_pvalues : ndarray, shape (pairs,)
        Mid-p by people, in the order of the screens.
    floor : float
        Sum of d^2 up to which a hybrid finds two systems the same.

    Returns
    -------
    tuple of ndarray, shape (draws,)
        Where the error is infinite, as for hybrids that nearly vanish, the value means nothing.
    """
    n_pairs, n_draws = first.inside.shape[1:]
    low, high = first.low + second.low, first.high + second.high
    least = np.maximum(_LEAST_SPREAD * high[1], max(_LEAST_SUM, 2.0 * floor))
    near = _n_near(low, high, least, floor)
    if (high[1, :near] <= least[:near]).any():
        return np.zeros(n_draws), np.full(n_draws, np.inf)
    people = (1.0 - 2.0 * gold_pvalues)[:, None].astype(np.float32)
    distances, ratio = np.zeros((2, n_draws)), np.zeros(near)
    is_open = np.zeros(n_draws, dtype=np.bool_)
    size = max(1, _BLOCK_CELLS // n_draws)
    for start in range(0, near, size):
        rows = slice(start, min(start + size, near))
        for side, (drawn, rest) in enumerate(((first, second), (second, first))):
            preference, largest, vanishes = _preferences(drawn, rest, rows, least[rows])
            preference -= people[rows]
            distances[side] += np.abs(preference, out=preference).sum(axis=0)
            np.maximum(ratio[rows], largest, out=ratio[rows])
            is_open |= vanishes
    # The distance of two p-values is half that of 1 - 2 p.
    difference: FloatArray = (distances[1] - distances[0]) / (2 * n_pairs)
    errors = np.full(n_pairs, _FAR_ERROR)
    sizes = (first.largest_sum + second.largest_sum) / np.sqrt(np.maximum(low[1], least))
    errors[:near] = _errors(sizes[:near], ratio, size)
    return difference, np.where(is_open, np.inf, 2.0 * errors.mean())


def _preferences(
    drawn: Screen, rest: Screen, rows: slice, least: FloatArray
) -> tuple[SingleArray, SingleArray, BoolArray]:
    """Return 1 - 2 p of hybrids for some pairs of systems, roughly.

    Beside it are the largest ratio of sums of powers of each pair, and the draws in which a sum of
    d^2 is below the least one, which is taken in its place.
    """
    sums, squares, fourths = drawn.inside[:, rows] + rest.outside[:, rows]
    vanishes = np.zeros(squares.shape[1], dtype=np.bool_)
    if (drawn.low[1, rows] + rest.low[1, rows] < least).any():
        vanishes = (squares < least[:, None]).any(axis=0)
        np.maximum(squares, least[:, None], out=squares)
    fourths /= squares
    fourths /= squares
    largest: SingleArray = fourths.max(axis=1)
    sums /= np.sqrt(squares, out=squares)
    return _one_less_twice_tail(sums, fourths, squares), largest, vanishes


def _n_near(low: FloatArray, high: FloatArray, least: FloatArray, floor: float) -> int:
    """Count the pairs of systems up to the last one that is neither far apart nor the same.

    Beyond, one system is far ahead in every hybrid, or in none, so that all distances to people are
    the same.
    """
    ahead = (np.maximum(low[0], -high[0]) > _FAR * np.sqrt(high[1])) & (low[1] >= least)
    near = np.flatnonzero(~ahead & (high[1] > floor))
    return int(near[-1]) + 1 if near.size else 0


def _errors(sizes: FloatArray, ratio: FloatArray, n_summed: int) -> FloatArray:
    """Bound the error of the rough tail of any hybrid, for each pair of systems.

    Parameters
    ----------
    sizes : ndarray
        Largest size of the two terms of z, together.
    ratio : ndarray
        Largest ratio of sums of powers.
    n_summed : int
        How many distances are summed in single precision.
    """
    # Slopes of the tail are at most 0.3990 in z and 0.2420 in log z; for a ratio of 1 its term of
    # the fourth cumulant has slopes of at most 0.0998 in z and 0.0460 in log ratio.
    from_sum = (0.3990 + 0.0998 * ratio) * 2.0 * sizes
    from_squares = 0.2420 * (1.0 + ratio) * 4.0 + 0.0460 * ratio * 8.0
    rounding = _UNIT * (from_sum + from_squares + n_summed + 16.0)
    errors: FloatArray = _tail_error(ratio) + rounding
    return errors


def _tail_error(ratio: FloatArray) -> FloatArray:
    """Bound the error of the rough tail, arithmetic included; found on a grid of z and ratios."""
    return 1.5e-4 + 0.018 * ratio * ratio


def _one_less_twice_tail(z: SingleArray, ratio: SingleArray, space: SingleArray) -> SingleArray:
    """Return 1 - 2 p for the rough tail p; the space is overwritten."""
    square = np.multiply(z, z, out=space)
    slope = square * _FOURTH[1]
    slope += _FOURTH[0]
    slope *= ratio
    square *= _NORMAL[1]
    slope += square
    slope += _NORMAL[0]
    slope *= z
    tail: SingleArray = np.tanh(slope, out=slope)
    return tail
