"""Differences as numbers that sign-flip tests can work with: integers wherever there is a grid."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.grid import ROUNDING, find_grid, rounding_scale, snap_zeros, to_integers
from sigcore.permutation.curbing import Numbers, curb, curb_integers
from sigcore.validation import FloatArray, as_vector

__all__ = ["LARGEST", "Units", "as_numbers", "integer_units", "real_units"]

# Differences and sums of a few integers below this size fit in 64 bits.
LARGEST = 1 << 60
# Integers up to here are left as they are, as long as their sum is exact as a float.
_SMALL, _EXACT_SUM = 10**8, 2.0**53
_LARGEST_FLOAT = float(np.finfo(np.float64).max)
_SUBNORMAL = float(np.finfo(np.float64).smallest_subnormal)


@dataclass(frozen=True, slots=True)
class Units:
    """One number for each item or block that swaps.

    Attributes
    ----------
    values : ndarray
        Integers of 64 bits, Python integers if these do not suffice, or real values. Their signed
        sums are ordered as those of the differences, ties included.
    step : float or None
        What all differences are multiples of; None if there is no such grid.
    blur : float
        Rounding error that a sum of `values` may carry; 0 for integers.
    rounded : bool
        Whether real values are rounded, so that equal ones need not be equal on paper.
    lossy : bool
        Whether scores were lost beside larger ones, so that not even equal sums of integers need
        be equal on paper.
    """

    values: Numbers
    step: float | None
    blur: float = 0.0
    rounded: bool = False
    lossy: bool = False


def as_numbers(values: npt.ArrayLike, name: str) -> Numbers:
    """Return a vector: whole numbers as integers that are exact, all else as finite floats.

    Integers of 64 bits if all are below `LARGEST` in size, else Python integers.
    """
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise InputError(f"`{name}` must contain numbers only: {error}.") from error
    if isinstance(values, np.ma.MaskedArray) or array.ndim != 1 or array.size == 0:
        return as_vector(values, name)
    if array.dtype.kind in "iub":
        if int(array.max()) < LARGEST and int(array.min()) > -LARGEST:
            return array.astype(np.int64, copy=False)
        return array.astype(object)
    big = _python_integers(values, array)
    if big is not None:
        _refuse_beyond_floats(big, name)
        return big
    vector = as_vector(array, name)
    # Read from text, a whole number beyond 2^53 may have lost its last digits.
    if np.all(np.abs(vector) <= _EXACT_SUM) and np.all(vector == np.rint(vector)):
        return vector.astype(np.int64)
    return vector


def integer_units(differences: Numbers, *, step: float = 1.0) -> Units:
    """Curb integers that are too large to be added up as floats."""
    largest = int(np.abs(differences).max())
    if largest <= _SMALL and float(largest) * differences.size < _EXACT_SUM:
        return Units(differences.astype(np.int64, copy=False), step)
    common = int(np.gcd.reduce(differences))
    return Units(curb_integers(differences), step * common)


def real_units(differences: FloatArray, magnitude: FloatArray) -> Units:
    """Find the grid of real differences, if there is one; else bring them to like sizes.

    Parameters
    ----------
    differences, magnitude : ndarray
        Differences and the size of the numbers that each was computed from.
    """
    differences = snap_zeros(differences, magnitude)
    scale = rounding_scale(differences, magnitude)
    differences = snap_zeros(differences, scale)
    grid = find_grid(differences, magnitude=scale)
    if grid is not None:
        return Units(to_integers(differences, grid), grid.step)
    largest = max(float(np.abs(differences).max()), float(np.max(scale)))
    if largest > _LARGEST_FLOAT / (4.0 * differences.size):
        # A power of 2 changes no digit, and keeps sums from overflow.
        differences, scale = np.ldexp(differences, -64), np.ldexp(scale, -64)
    curbed, scale = curb(differences, np.broadcast_to(scale, differences.shape))
    if curbed.dtype.kind != "f":
        return Units(curbed, None)
    # Below the normal range floats are equally spaced.
    return Units(curbed, None, ROUNDING * float(scale.sum()) + curbed.size * _SUBNORMAL)


def _python_integers(values: npt.ArrayLike, array: npt.NDArray[np.generic]) -> Numbers | None:
    """Return integers that numpy keeps as objects, or has rounded to floats; None if not all are.

    Lists of integers beyond 63 bits become floats in silence.
    """
    if array.dtype.kind == "O":
        listed = array.tolist()
    elif array.dtype.kind != "f" or not isinstance(values, (list, tuple)):
        return None
    elif np.any(np.abs(array) >= LARGEST):
        listed = list(values)
    else:
        return None
    if not all(isinstance(value, (int, np.integer)) for value in listed):
        return None
    whole = np.empty(len(listed), dtype=object)
    whole[:] = [int(value) for value in listed]
    return whole


def _refuse_beyond_floats(whole: Numbers, name: str) -> None:
    for index, value in enumerate(whole.tolist()):
        if abs(value) >= 1 << 1023:
            raise InputError(
                f"`{name}` must contain numbers below 2^1023; found one of {value.bit_length()} "
                f"bits at index {index}."
            )
