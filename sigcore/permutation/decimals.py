"""Differences of numbers so unlike in size that floats would lose the smaller one.

As floats, 1e22 - 2 is 1e22. If another item differs by 0.3, or by -1e22, that loss can decide the
order of sums. Such numbers are subtracted as the decimals that they are written as; floats that
take more than 15 digits to write, as their own value.
"""

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from sigcore.grid import ROUNDING, IntArray, rounding_scale
from sigcore.permutation.curbing import Numbers
from sigcore.permutation.enumeration import can_be_listed
from sigcore.permutation.units import Units, integer_units
from sigcore.validation import FloatArray

__all__ = ["any_lost", "decimal_units", "inexact_items", "loses_digits"]

_EPSILON = float(np.finfo(np.float64).eps)
_LARGEST_FLOAT = float(np.finfo(np.float64).max)
# Floats hold integers up to here.
_EXACT = 1 << 53
# Rounding errors matter only beside differences this much smaller than the scores.
_SPREAD = float(1 << 40)
# More digits than a float can stand for.
_MAX_BITS = 1000
_HUGE = 2.0**900


def inexact_items(
    first: Numbers, second: Numbers, shift: float, codes: IntArray | None
) -> npt.NDArray[np.bool_]:
    """Tell for which items u - v - delta, or the sum of their block, is rounded.

    Parameters
    ----------
    first, second : ndarray
        Scores of the two systems.
    shift : float
        What is subtracted from each difference.
    codes : ndarray of int or None
        Number of the block that each item belongs to, if sums of blocks are taken.
    """
    u, v = first.astype(np.float64), second.astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        gains = u - v
        errors = np.abs(_error(u, v, gains)) + np.abs(_error(gains, shift, gains - shift))
    inexact: npt.NDArray[np.bool_] = errors != 0.0
    for scores in (first, second):
        if scores.dtype.kind != "f":
            inexact |= np.asarray(np.abs(scores) > _EXACT, dtype=np.bool_)
    if codes is not None:
        inexact |= (np.bincount(codes) > 1)[codes]
    return inexact


def loses_digits(
    first: Numbers,
    second: Numbers,
    shift: float,
    differences: FloatArray,
    sizes: FloatArray,
    inexact: npt.NDArray[np.bool_],
) -> bool:
    """Tell whether rounding errors may decide how sums of differences compare.

    They may if they reach the smallest difference, or what is subtracted from all, or if a score
    is lost beside the one that it is compared with.

    Parameters
    ----------
    first, second, shift
        As for `inexact_items`.
    differences : ndarray
        u - v - delta of each item.
    sizes : ndarray
        The largest of the numbers that each difference is computed from.
    inexact : ndarray of bool
        Which differences are rounded.
    """
    scale = np.where(first == second, 0.0, rounding_scale(differences, sizes))
    if any(any_lost(each, scale) for each in (first, second, np.array([shift]))):
        return True
    left = np.abs(differences[np.abs(differences) > ROUNDING * sizes])
    if not left.size:
        return False
    smallest, largest = min(float(left.min()), abs(shift) or math.inf), float(sizes.max())
    if largest > _HUGE and smallest < 1.0 / _HUGE:
        # No scale has room for both.
        return True
    if not inexact.any() or largest < _SPREAD * smallest:
        return False
    error = float((_EPSILON * sizes[inexact]).sum())
    return error > 0.0 and 4.0 * error >= smallest


def any_lost(numbers: Numbers, scale: npt.ArrayLike) -> bool:
    """Tell whether a number is below the rounding errors of others, yet not one of them.

    What is left of 0.3 - 0.2 - 0.1 takes 16 or 17 digits to write; a score has fewer.

    Parameters
    ----------
    numbers : ndarray
        Scores, or what is taken from them.
    scale : array_like
        Size of the numbers that each is compared with.
    """
    # What a grid passes over, with room.
    blur = 4.0 * ROUNDING * np.asarray(scale, dtype=np.float64)
    lost = np.asarray((np.abs(numbers) < blur) & (numbers != 0), dtype=np.bool_)
    if not lost.any():
        return False
    found = np.broadcast_to(numbers, lost.shape)[lost].tolist()
    return any(not isinstance(number, float) or _is_short(number) for number in found)


def decimal_units(
    first: Numbers, second: Numbers, shift: float, codes: IntArray | None
) -> Units | None:
    """Subtract decimals without rounding, as integers in units of the last digit.

    None if these are too large to be worked with.
    """
    delta = _as_fraction(shift)
    pairs = zip(first.tolist(), second.tolist(), strict=True)
    differences = [_as_fraction(u) - _as_fraction(v) - delta for u, v in pairs]
    if codes is not None:
        sums = [Fraction(0)] * (int(codes.max()) + 1)
        for code, difference in zip(codes.tolist(), differences, strict=True):
            sums[code] += difference
        differences = sums
    scale = math.lcm(*(difference.denominator for difference in differences))
    whole = [int(difference * scale) for difference in differences]
    common = math.gcd(*whole) or 1
    step = Fraction(common, scale)
    if step > _LARGEST_FLOAT:
        return None
    steps = np.empty(len(whole), dtype=object)
    steps[:] = [value // common for value in whole]
    units = integer_units(steps, step=float(step))
    fits = int(np.abs(units.values).max()).bit_length() <= _MAX_BITS
    return units if fits or can_be_listed(units.values[units.values != 0]) else None


def _as_fraction(number: int | float) -> Fraction:
    """Return the decimal of up to 15 digits that a float stands for, or else the float itself."""
    return Fraction(f"{number:.15g}" if isinstance(number, float) and _is_short(number) else number)


def _is_short(number: float) -> bool:
    return float(f"{number:.15g}") == number


def _error(left: FloatArray, right: FloatArray | float, difference: FloatArray) -> FloatArray:
    """Return the rounding error of left - right (Knuth 1969, theorem B of section 4.2.2)."""
    back = difference - left
    result: FloatArray = (left - (difference - back)) - (right + back)
    return result
