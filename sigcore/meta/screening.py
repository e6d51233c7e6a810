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

__all__ = ["Screen", "screen", "screened_differences", "screening_error"]

FloatArray = npt.NDArray[np.float64]
SingleArray = npt.NDArray[np.float32]

# With z = s / sqrt(sum d^2) and r = sum d^4 / (sum d^2)^2, `edgeworth_upper` is about
# (1 - tanh(z (a_0 + a_1 w + a_2 w^2))) / 2, w = min(z^2, 36), a = _NORMAL + r _FOURTH: fitted so
# that the largest error is least.
_NORMAL = np.array([7.977178e-1, 3.679833e-2, -3.158224e-4])
_FOURTH = np.array([-0.200610, 0.041585, 0.008362])
_REACH = np.float32(36.0)
_MOST_RATIO = 0.3  # the error was looked at up to here
_LEAST_SHARE = 0.25  # hybrids whose sum of squares may be smaller than this share are not screened
_UNIT = 2.0**-24  # relative rounding error in single precision
_BLOCK = 16  # pairs of systems handled at once, so that temporaries stay in cache


@dataclass(frozen=True, slots=True)
class Screen:
    """Sums over the units drawn, of one metric, as deviations from half the sums over all units.

    Attributes
    ----------
    half : ndarray, shape (3, pairs)
        Half the sums of d, d^2 and d^4 over all units.
    reach : ndarray, shape (3, pairs)
        Largest size of the deviations.
    sums, squares : ndarray of float32, shape (pairs, draws)
        Deviations of the sums of d and of d^2.
    """

    half: FloatArray
    reach: FloatArray
    sums: SingleArray
    squares: SingleArray


def screen(inside: Sequence[FloatArray], total: Sequence[FloatArray]) -> Screen:
    """Prepare a metric.

    Parameters
    ----------
    inside : sequence of ndarray, shape (draws, pairs)
        Sums of d, d^2 and d^4 over the units drawn.
    total : sequence of ndarray, shape (pairs,)
        The same sums over all units.
    """
    half = 0.5 * np.array(total)
    deviations = [part - middle for part, middle in zip(inside, half, strict=True)]
    return Screen(
        half=half,
        reach=np.array([np.abs(each).max(axis=0) for each in deviations]),
        sums=deviations[0].T.astype(np.float32, order="C"),
        squares=deviations[1].T.astype(np.float32, order="C"),
    )


def screening_error(first: Screen, second: Screen) -> float:
    """Bound the error of `screened_differences`; infinite where hybrids may vanish."""
    middle, reach = first.half + second.half, first.reach + second.reach
    least = middle[1] - reach[1]
    if (least <= _LEAST_SHARE * middle[1]).any():
        return float("inf")
    ratio = middle[2] / middle[1] ** 2
    if (ratio > _MOST_RATIO).any():
        return float("inf")
    most_ratio = (middle[2] + reach[2]) / least**2
    least_ratio = (middle[2] - reach[2]) / (middle[1] + reach[1]) ** 2
    # Largest sizes: of the tail's slope 0.3990, of z times the slope 0.2420, of the term of the
    # fourth cumulant 0.0460 and of its slope 0.0998, each for a ratio of 1.
    from_term = 0.0460 * np.maximum(most_ratio - ratio, ratio - least_ratio)
    from_sum = (0.3990 + 0.0998 * ratio) * (np.abs(middle[0]) + reach[0]) / np.sqrt(least)
    from_square = 0.2420 * (1.0 + ratio) * (2.0 * (middle[1] + reach[1]) / least + 4.0)
    rounding = _UNIT * (4.0 * from_sum + from_square + _BLOCK + 8.0)
    return 2.0 * float((_tail_error(ratio) + from_term + rounding).mean())


def screened_differences(first: Screen, second: Screen, gold_pvalues: FloatArray) -> FloatArray:
    """Return about the SPA of hybrids minus that of their complements, one value a draw.

    Parameters
    ----------
    first, second : Screen
        The two metrics; a hybrid takes the units drawn from the first.
    gold_pvalues : ndarray, shape (pairs,)
        Mid-p by people.
    """
    middle = first.half + second.half
    coefficients = _coefficients(middle[2] / middle[1] ** 2)
    by_pair = np.array([middle[0], middle[1], 1.0 - 2.0 * gold_pvalues, *coefficients])
    columns = by_pair.astype(np.float32)[:, :, None]
    n_pairs, n_draws = first.sums.shape
    distances = np.zeros((2, n_draws))
    for start in range(0, n_pairs, _BLOCK):
        block = slice(start, start + _BLOCK)
        sums, squares, people = columns[:3, block]
        swing = first.sums[block] - second.sums[block]
        swing_of_squares = first.squares[block] - second.squares[block]
        for side, combine in enumerate((np.add, np.subtract)):
            spread = combine(squares, swing_of_squares)
            z = combine(sums, swing)
            z /= np.sqrt(spread, out=spread)
            tail = _one_less_twice_tail(z, columns[3:, block], spread)
            tail -= people
            distances[side] += np.abs(tail, out=tail).sum(axis=0)
    # The distance of two p-values is half that of 1 - 2 p.
    difference: FloatArray = (distances[1] - distances[0]) / (2 * n_pairs)
    return difference


def _coefficients(ratio: FloatArray) -> FloatArray:
    return np.array([a + b * ratio for a, b in zip(_NORMAL, _FOURTH, strict=True)])


def _tail_error(ratio: FloatArray) -> FloatArray:
    """Bound the error of the rough tail, arithmetic included; found on a grid of z and ratios."""
    return 2.1e-5 + 1.5e-4 * ratio + 0.012 * ratio * ratio


def _one_less_twice_tail(
    z: SingleArray, coefficients: SingleArray, space: SingleArray
) -> SingleArray:
    """Return 1 - 2 p for the rough tail p; the space is overwritten."""
    square = np.multiply(z, z, out=space)
    np.minimum(square, _REACH, out=square)
    power: SingleArray = square * coefficients[2]
    power += coefficients[1]
    power *= square
    power += coefficients[0]
    power *= z
    np.tanh(power, out=power)
    return power
