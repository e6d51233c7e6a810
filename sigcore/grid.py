"""Scores on a grid: find the step, turn scores into integers. The only place that decides ties.

Human scores lie on a grid (MQM in tenths, ESA in points, counts in ones, averages of three
raters in thirds), but as floats they carry rounding errors: ``25.2 - 25.1`` is not ``0.1``. Sums
of such floats tie or not by chance. Scaled to integers they tie exactly when they should.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.validation import FloatArray

__all__ = ["Grid", "IntArray", "find_grid", "snap_zeros", "tie_tolerance", "to_integers"]

IntArray = npt.NDArray[np.int64]

_EPSILON = float(np.finfo(np.float64).eps)
# A score read from text and one subtraction err by 1.5 eps of their size; 8 leaves room for a mean.
_ROUNDING = 8 * _EPSILON
_DECIMALS = tuple(float(10**digits) for digits in range(7))
_PROBE = 32
_EUCLID_STEPS = 100_000


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid through zero on which all values of a data set lie.

    Attributes
    ----------
    step : float
        The largest number of which every value is a whole multiple.
    tolerance : float
        How far from a multiple a value may lie: the rounding error of floats of that size.
    """

    step: float
    tolerance: float


def find_grid(
    values: npt.ArrayLike, *, max_steps: int = 10**8, magnitude: float | None = None
) -> Grid | None:
    """Find the grid that all finite values lie on.

    Parameters
    ----------
    values : array_like
        Numbers of any shape; NaN and infinity are passed over.
    max_steps : int
        The grid may have at most this many steps up to the largest value.
    magnitude : float, optional
        Size of the numbers that `values` were computed from, which sets their rounding error.
        Differences of scores near 100 carry errors of 1e-14, however small they are. The largest
        value itself when not given.

    Returns
    -------
    Grid or None
        None when the values are real numbers without a common step.

    Notes
    -----
    Integers and up to six decimals are tried first; then Euclid's algorithm runs on the floats:
    the smallest remainder that rounding errors do not explain becomes the next step. It gives up
    when errors reach an eighth of a step, because then anything would fit, and at 100,000 steps:
    a finer one, such as the grid of all float32 numbers, is no property of the data.

    Examples
    --------
    >>> find_grid([-25.200000000000003, 0.3, 7.0]).step
    0.1
    >>> find_grid([0.5581452669873181, 0.7213, 0.1]) is None
    True
    """
    array = np.abs(np.asarray(values, dtype=np.float64)).ravel()
    array = array[np.isfinite(array)]
    largest = float(array.max(initial=0.0))
    if largest == 0.0:
        return Grid(1.0, 0.0)
    tolerance = _ROUNDING * max(largest, magnitude or 0.0)
    if largest <= tolerance:
        return Grid(1.0, tolerance)
    step = _decimal_step(array, tolerance, largest / max_steps)
    if step is None:
        step = _euclid_step(array, tolerance, largest / min(max_steps, _EUCLID_STEPS))
    if step is None or _off_grid(array, np.rint(array / step), step, tolerance).any():
        return None
    return Grid(step, tolerance)


def to_integers(values: npt.ArrayLike, grid: Grid) -> IntArray:
    """Return how many steps of `grid` each value is.

    Raises
    ------
    InputError
        If a value is not finite or does not lie on the grid.

    Examples
    --------
    >>> to_integers([0.30000000000000004, -0.5], Grid(0.1, 1e-15)).tolist()
    [3, -5]
    """
    array = np.asarray(values, dtype=np.float64)
    multiples = np.rint(array / grid.step)
    off = _off_grid(array, multiples, grid.step, grid.tolerance)
    if off.any():
        first = np.argwhere(off)[0]
        raise InputError(
            f"`values` must lie on the grid of step {grid.step}; "
            f"found {array[tuple(first)]} at index {tuple(first.tolist())}."
        )
    return multiples.astype(np.int64)


def snap_zeros(differences: FloatArray, *, magnitude: float | None = None) -> FloatArray:
    """Set differences that rounding errors explain to 0; `magnitude` as for `find_grid`."""
    largest = max(float(np.abs(differences).max(initial=0.0)), magnitude or 0.0)
    return np.where(np.abs(differences) <= _ROUNDING * largest, 0.0, differences)


def tie_tolerance(differences: FloatArray) -> float:
    """Return how far apart two signed sums of `differences` may be and still count as tied.

    It is relative to the sum of sizes, not to the observed sum, which may be near zero.
    """
    return _ROUNDING * float(np.abs(differences).sum())


def _off_grid(
    array: FloatArray, multiples: FloatArray, step: float, tolerance: float
) -> npt.NDArray[np.bool_]:
    """Tell which values are further from their multiple of the step than rounding explains."""
    slack = tolerance + _ROUNDING * np.abs(array)
    return ~(np.abs(array - multiples * step) <= slack)


def _decimal_step(array: FloatArray, tolerance: float, smallest: float) -> float | None:
    for scale in _DECIMALS:
        if 1.0 / scale < smallest:
            return None
        if _fits(array[:_PROBE], scale, tolerance) and _fits(array, scale, tolerance):
            common = int(np.gcd.reduce(np.rint(array * scale).astype(np.int64)))
            return common / scale
    return None


def _fits(array: FloatArray, scale: float, tolerance: float) -> bool:
    scaled = array * scale
    return bool(np.abs(scaled - np.rint(scaled)).max() <= tolerance * scale)


def _euclid_step(array: FloatArray, tolerance: float, smallest: float) -> float | None:
    nonzero = array[array > tolerance]
    step, step_error = float(nonzero.min()), tolerance
    while step >= smallest:
        multiples = np.rint(nonzero / step)
        noise = tolerance + multiples * step_error
        if float(noise.max()) > step / 8:
            return None
        remainder = np.abs(nonzero - multiples * step)
        off = remainder > noise
        if not off.any():
            # The largest multiple fixes the step best.
            index = int(np.argmax(multiples))
            return _tidy(float(nonzero[index] / multiples[index]), tolerance)
        index = int(np.argmin(np.where(off, remainder, math.inf)))
        step, step_error = float(remainder[index]), float(noise[index])
    return None


def _tidy(step: float, tolerance: float) -> float:
    """Return 1/q in place of a step that rounding errors alone part from it."""
    inverse = float(np.rint(1.0 / step)) if 1e-9 < step < 1.0 else 0.0
    if inverse > 1.0 and abs(1.0 / inverse - step) <= tolerance:
        return 1.0 / inverse
    return step
