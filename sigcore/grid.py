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

__all__ = [
    "ROUNDING",
    "Grid",
    "IntArray",
    "find_grid",
    "merge_ties",
    "rounding_scale",
    "snap_zeros",
    "tie_tolerance",
    "to_integers",
]

IntArray = npt.NDArray[np.int64]

_EPSILON = float(np.finfo(np.float64).eps)
_LARGEST_FLOAT = float(np.finfo(np.float64).max)
# A score read from text and one subtraction err by 1.5 eps of their size; 8 leaves room for a mean.
ROUNDING = 8 * _EPSILON
# Scores that differ by a larger factor than this cannot have been rounded together.
_LIKE_SIZE = float(1 << 20)
_DECIMALS = tuple(float(10**digits) for digits in range(7))
_PROBE = 32
_EUCLID_STEPS = 100_000
_BINARY_STEPS = 1 << 20


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
    values: npt.ArrayLike, *, max_steps: int = 10**8, magnitude: npt.ArrayLike | None = None
) -> Grid | None:
    """Find the grid that all finite values lie on.

    Parameters
    ----------
    values : array_like
        Numbers of any shape; NaN and infinity are passed over.
    max_steps : int
        The grid may have at most this many steps up to the largest value.
    magnitude : float or array_like, optional
        Size of the numbers that `values` were computed from, for all or for each, which sets
        their rounding error. Differences of scores near 100 carry errors of 1e-14, however small
        they are. The values themselves, by `rounding_scale`, when not given.

    Returns
    -------
    Grid or None
        None when the values are real numbers without a common step.

    Notes
    -----
    Integers and up to six decimals are tried first; then Euclid's algorithm runs on the floats:
    the smallest remainder that rounding errors do not explain becomes the next step. It gives up
    when errors reach an eighth of a step, because then anything would fit, and at 100,000 steps.
    Powers of 2, of which floats hold multiples without error, are tried up to a million steps: the
    scores of models in half precision lie on such a grid. A finer one, such as that of all float32
    numbers, is no property of the data.

    Examples
    --------
    >>> find_grid([-25.200000000000003, 0.3, 7.0]).step
    0.1
    >>> find_grid([0.5581452669873181, 0.7213, 0.1]) is None
    True
    """
    array = np.abs(np.asarray(values, dtype=np.float64))
    finite = np.isfinite(array)
    tolerance = _tolerance(array, magnitude)[finite]
    array = array[finite]
    largest = float(array.max(initial=0.0))
    if largest == 0.0:
        return Grid(1.0, 0.0)
    blur = float(tolerance.max())
    if np.all(array <= tolerance):
        return Grid(1.0, blur)
    step = _decimal_step(array, tolerance, largest / max_steps)
    if step is None:
        step = _euclid_step(array, tolerance, largest / min(max_steps, _EUCLID_STEPS))
    if step is None:
        step = _binary_step(array, largest, min(max_steps, _BINARY_STEPS))
    if step is None or blur > step / 8:
        return None
    off = _off_grid(array, np.rint(array / step), step, tolerance)
    return None if off.any() else Grid(step, blur)


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


def rounding_scale(differences: FloatArray, sizes: FloatArray) -> float | FloatArray:
    """Return the size of the numbers whose rounding errors each difference may carry.

    Parameters
    ----------
    differences, sizes : ndarray
        Differences, and the largest number that each was computed from.

    Returns
    -------
    float or ndarray
        The largest of all sizes, if it is less than a million times each difference: such scores
        may have been centred or standardised together. Otherwise the sizes item by item; beside
        1e16 a difference of 1 would be taken for its rounding error.
    """
    nonzero = np.abs(differences[differences != 0.0])
    largest = float(sizes.max(initial=0.0))
    if nonzero.size and float(nonzero.min()) * _LIKE_SIZE < largest:
        return sizes
    return largest


def snap_zeros(differences: FloatArray, magnitude: npt.ArrayLike) -> FloatArray:
    """Set differences that rounding errors explain to 0; `magnitude` as for `find_grid`."""
    explained = np.abs(differences) <= ROUNDING * np.asarray(magnitude, dtype=np.float64)
    return np.where(explained, 0.0, differences)


def merge_ties(values: npt.ArrayLike, magnitudes: npt.ArrayLike) -> FloatArray:
    """Make values whose sizes differ by rounding errors only equal in size.

    Parameters
    ----------
    values : array_like of shape (n,)
        Differences of scores.
    magnitudes : array_like of shape (n,), or float
        Size of the scores that each comes from, which sets its rounding error: ``25.2 - 25.1`` and
        ``0.3 - 0.2`` are both a tenth, but not the same float. One huge score does not blur the
        differences of other items.

    Returns
    -------
    ndarray
        The values; what is closer to zero than 8 units of rounding of its scores is zero, and
        sizes that close to each other are one size.

    Examples
    --------
    >>> a, b, zero = merge_ties([25.2 - 25.1, 0.1, 1e-17], 25.2).tolist()
    >>> a == b, zero
    (True, 0.0)
    """
    array = np.asarray(values, dtype=np.float64)
    errors = np.broadcast_to(ROUNDING * np.asarray(magnitudes, dtype=np.float64), array.shape)
    sizes = np.where(np.abs(array) <= errors, 0.0, np.abs(array))
    order = np.argsort(sizes, kind="stable")
    ordered, error = sizes[order], errors[order]
    starts = np.ones(len(ordered), dtype=bool)
    starts[1:] = np.diff(ordered) > np.maximum(error[1:], error[:-1])
    # What is not zero starts anew after the zeros, however wide their errors are.
    starts[1:] |= (ordered[1:] > 0.0) & (ordered[:-1] == 0.0)
    first = np.maximum.accumulate(np.where(starts, np.arange(len(ordered)), 0))
    merged = np.empty_like(sizes)
    merged[order] = ordered[first]
    return np.copysign(merged, array) + 0.0  # no negative zero


def tie_tolerance(differences: FloatArray) -> float:
    """Return how far apart two signed sums of `differences` may be and still count as tied.

    It is relative to the sum of sizes, not to the observed sum, which may be near zero.
    """
    return float((ROUNDING * np.abs(differences)).sum())


def _tolerance(array: FloatArray, magnitude: npt.ArrayLike | None) -> FloatArray:
    """Return the rounding error that each value may carry."""
    if magnitude is None:
        known = array[np.isfinite(array)]
        scale = rounding_scale(known, known)
        magnitude = array if isinstance(scale, np.ndarray) else scale
    sizes = np.asarray(magnitude, dtype=np.float64)
    if sizes.ndim == 0:
        # One size for all: that of the largest value, if it is larger.
        sizes = np.maximum(sizes, np.max(array, where=np.isfinite(array), initial=0.0))
    return np.broadcast_to(ROUNDING * sizes, array.shape)


def _off_grid(
    array: FloatArray, multiples: FloatArray, step: float, tolerance: FloatArray | float
) -> npt.NDArray[np.bool_]:
    """Tell which values are further from their multiple of the step than rounding explains."""
    slack = tolerance + ROUNDING * np.abs(array)
    with np.errstate(over="ignore", invalid="ignore"):
        return ~(np.abs(array - multiples * step) <= slack)


def _decimal_step(array: FloatArray, tolerance: FloatArray, smallest: float) -> float | None:
    for scale in _DECIMALS:
        if 1.0 / scale < smallest:
            return None
        if _fits(array[:_PROBE], scale, tolerance[:_PROBE]) and _fits(array, scale, tolerance):
            common = int(np.gcd.reduce(np.rint(array * scale).astype(np.int64)))
            return common / scale if common else None
    return None


def _fits(array: FloatArray, scale: float, tolerance: FloatArray) -> bool:
    scaled = array * scale
    return bool(np.all(np.abs(scaled - np.rint(scaled)) <= tolerance * scale))


def _euclid_step(array: FloatArray, tolerance: FloatArray, smallest: float) -> float | None:
    if float(array.max()) > _LARGEST_FLOAT / 2.0:
        # A multiple of the step next to the largest value may exceed all floats.
        step = _euclid_step(array / 4.0, tolerance / 4.0, smallest / 4.0)
        return None if step is None else 4.0 * step
    nonzero, blur = array[array > tolerance], tolerance[array > tolerance]
    index = int(np.argmin(nonzero))
    step, step_error = float(nonzero[index]), float(blur[index])
    while step >= smallest:
        multiples = np.rint(nonzero / step)
        noise = blur + multiples * step_error
        if float(noise.max()) > step / 8:
            return None
        remainder = np.abs(nonzero - multiples * step)
        off = remainder > noise
        if not off.any():
            # The largest multiple fixes the step best.
            index = int(np.argmax(multiples))
            return _tidy(float(nonzero[index] / multiples[index]), float(blur[index]))
        index = int(np.argmin(np.where(off, remainder, math.inf)))
        step, step_error = float(remainder[index]), float(noise[index])
    return None


def _binary_step(array: FloatArray, largest: float, max_steps: int) -> float | None:
    """Return the largest step of which all values are multiples to the last bit, if coarse."""
    exponent = math.frexp(largest / max_steps)[1]
    if exponent < -1000:
        return None
    scaled = np.ldexp(array[:_PROBE], -exponent)
    if np.any(scaled != np.rint(scaled)):
        return None
    scaled = np.ldexp(array, -exponent)
    if np.any(scaled != np.rint(scaled)):
        return None
    return math.ldexp(int(np.gcd.reduce(scaled.astype(np.int64))), exponent)


def _tidy(step: float, tolerance: float) -> float:
    """Return 1/q in place of a step that rounding errors alone part from it."""
    inverse = float(np.rint(1.0 / step)) if 1e-9 < step < 1.0 else 0.0
    if inverse > 1.0 and abs(1.0 / inverse - step) <= tolerance:
        return 1.0 / inverse
    return step
