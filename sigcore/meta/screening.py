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
SingleArray = npt.NDArray[np.float32]

# With z = s / sqrt(sum d^2) and r = sum d^4 / (sum d^2)^2, `edgeworth_upper` is about
# (1 - tanh(z (a_0 + a_1 z^2))) / 2, a = _NORMAL + r _FOURTH: fitted so that the largest error is
# least.
_NORMAL = np.array([0.79880144, 0.03528205])
_FOURTH = np.array([-0.22619198, 0.08029096])
_MOST_RATIO = 0.3  # the error was looked at up to here
_FAR = 5.0  # beyond this z the tail is below _FAR_ERROR, for all such ratios
_FAR_ERROR = 5e-6
_LEAST_SHARE = 0.25  # hybrids whose sum of squares may be smaller than this share are not screened
_UNIT = 2.0**-24  # relative rounding error in single precision
_CELLS = 1 << 15  # values handled at once, so that temporaries stay in cache


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


def screened_differences(
    first: Screen, second: Screen, gold_pvalues: FloatArray
) -> tuple[FloatArray, float]:
    """Return about the SPA of hybrids minus that of their complements, and a bound on the error.

    Parameters
    ----------
    first, second : Screen
        The two metrics; a hybrid takes the units drawn from the first.
    gold_pvalues : ndarray, shape (pairs,)
        Mid-p by people.

    Returns
    -------
    tuple of ndarray, shape (draws,), and float
        The error is infinite, and the values mean nothing, where hybrids may vanish.
    """
    middle, reach = first.half + second.half, first.reach + second.reach
    n_pairs, n_draws = first.sums.shape
    if (middle[1] - reach[1] <= _LEAST_SHARE * middle[1]).any():
        return np.zeros(n_draws), float("inf")
    ratio = middle[2] / middle[1] ** 2
    if (ratio > _MOST_RATIO).any():
        return np.zeros(n_draws), float("inf")
    # Elsewhere one system is far ahead in every hybrid, so that both distances are the same.
    near = np.flatnonzero(np.abs(middle[0]) - reach[0] <= _FAR * np.sqrt(middle[1] + reach[1]))
    size = max(1, _CELLS // n_draws)
    coefficients = [a + b * ratio for a, b in zip(_NORMAL, _FOURTH, strict=True)]
    by_pair = np.array([*middle[:2], *coefficients, 1.0 - 2.0 * gold_pvalues])
    columns = by_pair.astype(np.float32)[:, :, None]
    distances = np.zeros((2, n_draws))
    for start in range(0, len(near), size):
        rows = near[start : start + size]
        sums, squares, linear, cubic, people = columns[:, rows]
        swing = first.sums[rows] - second.sums[rows]
        swing_of_squares = first.squares[rows] - second.squares[rows]
        for side, combine in enumerate((np.add, np.subtract)):
            spread = combine(squares, swing_of_squares)
            z = combine(sums, swing)
            z /= np.sqrt(spread, out=spread)
            preference = _one_less_twice_tail(z, linear, cubic, spread)
            preference -= people
            distances[side] += np.abs(preference, out=preference).sum(axis=0)
    # The distance of two p-values is half that of 1 - 2 p.
    difference: FloatArray = (distances[1] - distances[0]) / (2 * n_pairs)
    errors = np.full(n_pairs, _FAR_ERROR)
    errors[near] = _errors(middle[:, near], reach[:, near], ratio[near], size)
    return difference, 2.0 * float(errors.mean())


def _errors(middle: FloatArray, reach: FloatArray, ratio: FloatArray, n_summed: int) -> FloatArray:
    """Bound the error of the rough tail of any hybrid, for each pair of systems."""
    least, most = middle[1] - reach[1], middle[1] + reach[1]
    most_ratio, least_ratio = (middle[2] + reach[2]) / least**2, (middle[2] - reach[2]) / most**2
    # Largest sizes: of the tail's slope 0.3990, of z times the slope 0.2420, of the term of the
    # fourth cumulant 0.0460 and of its slope 0.0998, each for a ratio of 1.
    from_term = 0.0460 * np.maximum(most_ratio - ratio, ratio - least_ratio)
    from_sum = (0.3990 + 0.0998 * ratio) * (np.abs(middle[0]) + reach[0]) / np.sqrt(least)
    from_square = 0.2420 * (1.0 + ratio) * (2.0 * most / least + 4.0)
    rounding = _UNIT * (4.0 * from_sum + from_square + n_summed + 8.0)
    errors: FloatArray = _tail_error(ratio) + from_term + rounding
    return errors


def _tail_error(ratio: FloatArray) -> FloatArray:
    """Bound the error of the rough tail, arithmetic included; found on a grid of z and ratios."""
    return 1.5e-4 + 0.018 * ratio * ratio


def _one_less_twice_tail(
    z: SingleArray, linear: SingleArray, cubic: SingleArray, space: SingleArray
) -> SingleArray:
    """Return 1 - 2 p for the rough tail p; the space is overwritten."""
    power = np.multiply(z, z, out=space)
    power *= cubic
    power += linear
    power *= z
    return np.tanh(power, out=power)
