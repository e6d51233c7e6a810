"""Differences of very different sizes, brought to like sizes without changing any comparison.

Floats hold 16 digits, so beside a difference of 1e16 all sums of small ones would be lost. But a
difference larger than all smaller ones together never needs its size, only its sign.

Let the sizes fall into levels such that any two unequal signed sums of a level differ by more than
all lower levels together can make up for. Whether one choice of signs has a larger total than
another is then decided by the highest level on which their sums differ, and by its sign alone: the
totals are ordered like words in a dictionary. Multiplying a level by any factor keeps that order as
long as the smallest gap between unequal sums of the level still exceeds the new total of the
lower ones (gaps and totals both count the signed sums, of which neighbours are twice a size apart).
So each level is brought down to just that. A p-value depends on the order of sums only.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from sigcore.grid import ROUNDING, IntArray, find_grid, tie_tolerance, to_integers
from sigcore.validation import FloatArray

__all__ = ["Numbers", "curb", "curb_integers"]

# Integers of 64 bits, Python integers of any size, or floats.
Numbers: TypeAlias = npt.NDArray[Any]

# Sums below this are exact as floats.
_EXACT = 1 << 53
# Where floats would be exact, levels are told apart only if they lie this far apart.
_FAR_APART = 1 << 20
# Unequal sums of a level are compared if there are at most so many.
_MAX_SUMS = 1 << 12
_SAFELY = 1.0 + 1e-9


@dataclass(frozen=True, slots=True)
class _Level:
    """Sizes that are compared with each other.

    Attributes
    ----------
    sizes : list of int or ndarray
        Whole multiples of a step, or real sizes.
    gap : int or float
        Half the smallest gap between unequal signed sums, on the scale of `sizes`.
    """

    sizes: list[int] | FloatArray
    gap: float


def curb_integers(differences: Numbers) -> Numbers:
    """Return integers whose signed sums are ordered as those of `differences`, smaller if possible.

    Examples
    --------
    >>> curb_integers(np.array([2**60, -3, 3])).tolist()
    [3, -1, 1]
    """
    nonzero, order = _ascending(differences)
    if not nonzero.size:
        return differences.astype(np.int64)
    sizes: list[int] = nonzero.tolist()
    totals = list(accumulate(sizes))
    reach = _FAR_APART if totals[-1] < _EXACT else 1
    levels, end = [], len(sizes)
    # From the top, a level may begin at sizes larger than all below together.
    for start in range(len(sizes) - 1, 0, -1):
        if sizes[start] <= reach * totals[start - 1]:
            continue
        level, unit = _whole_level(sizes[start:end])
        if level.gap * unit > totals[start - 1]:
            levels.append(level)
            end = start
    levels.append(_whole_level(sizes[:end])[0])
    return _as_integers(_stack(levels), differences, order)


def curb(differences: FloatArray, magnitude: FloatArray) -> tuple[Numbers, FloatArray]:
    """Return numbers whose signed sums are ordered as those of `differences`, but of like sizes.

    Parameters
    ----------
    differences : ndarray
        Real values; those that rounding errors explain are zero already.
    magnitude : ndarray
        Size of the numbers each was computed from, which sets its rounding error.

    Returns
    -------
    curbed : ndarray
        Integers if every level lies on a grid of its own, else real values. `differences`
        themselves if their sizes do not fall into levels.
    magnitude : ndarray
        The magnitudes on the scale of real values returned.
    """
    nonzero, order = _ascending(differences)
    if not nonzero.size:
        return differences, magnitude
    scale = magnitude[order]
    blur = tie_tolerance(nonzero)
    reach = 1.0 if nonzero[0] < _FAR_APART * blur else _FAR_APART
    # Rounding errors of what lies below, and of its sum, count as part of it.
    totals = np.cumsum(nonzero * _SAFELY + ROUNDING * scale)
    levels, end = [], nonzero.size
    for start in _candidates(nonzero, reach):
        level, unit = _real_level(nonzero[start:end], scale[start:end])
        if level.gap * unit > totals[start - 1]:
            levels.append(level)
            end = start
    if not levels:
        return differences, magnitude
    levels.append(_real_level(nonzero[:end], scale[:end])[0])
    if all(isinstance(level.sizes, list) for level in levels):
        return _as_integers(_stack(levels), differences, order), magnitude
    curbed, curbed_scale = np.zeros((2, differences.size))
    curbed[order] = _stack_real(levels)
    curbed_scale[order] = scale / nonzero * curbed[order]
    return np.copysign(curbed, differences), curbed_scale


def _ascending(
    differences: Numbers,
) -> tuple[Numbers, IntArray]:
    """Return the sizes other than 0 in ascending order, and where they stand."""
    sizes = np.abs(differences)
    order = np.argsort(sizes, kind="stable")
    order = order[int(np.count_nonzero(sizes == 0)) :]
    return sizes[order], order


def _candidates(sizes: FloatArray, reach: float) -> list[int]:
    """Return where a level may begin, from the top: at sizes larger than all below together."""
    larger = sizes[1:] * _SAFELY > reach * np.cumsum(sizes)[:-1]
    starts: list[int] = (np.flatnonzero(larger) + 1).tolist()
    return starts[::-1]


def _whole_level(sizes: list[int]) -> tuple[_Level, int]:
    """Return sizes in units of their common divisor, and this unit."""
    unit = math.gcd(*sizes)
    steps = [size // unit for size in sizes]
    sums = {0}
    for step in steps:
        sums |= {known + step for known in sums}
        if len(sums) > _MAX_SUMS:
            return _Level(steps, 1), unit
    ordered = sorted(sums)
    gap = min(high - low for low, high in pairwise(ordered))
    return _Level(steps, gap), unit


def _real_level(sizes: FloatArray, scale: FloatArray) -> tuple[_Level, float]:
    """Return sizes in steps of their grid and the step, or as they are and 1."""
    grid = find_grid(sizes, magnitude=scale)
    if grid is not None:
        level, unit = _whole_level(to_integers(sizes, grid).tolist())
        return level, unit * grid.step
    blur = ROUNDING * float(scale.sum()) + tie_tolerance(sizes)
    # Floats are multiples of a power of 2, so that their sums can be told apart exactly.
    level = _whole_level(_as_multiples(sizes))[0]
    gap = float(sizes[0]) / level.sizes[0] * level.gap
    # Whether sums that rounding errors may part are equal cannot be known.
    return _Level(sizes, gap - blur if gap > 2.0 * blur else 0.0), 1.0


def _as_multiples(sizes: FloatArray) -> list[int]:
    """Return floats as multiples of the last binary digit of the smallest."""
    shift = max(math.frexp(float(sizes[0]))[1] - 53, -1074)
    return [int(Fraction(size) / Fraction(2) ** shift) for size in sizes.tolist()]


def _stack(levels: list[_Level]) -> list[int]:
    """Put levels of whole sizes on top of each other; the highest comes first, sizes ascend."""
    stacked: list[int] = []
    total = 0
    for level in reversed(levels):
        factor = total // int(level.gap) + 1
        raised = [factor * int(size) for size in level.sizes]
        total += sum(raised)
        stacked += raised
    return stacked


def _stack_real(levels: list[_Level]) -> FloatArray:
    """Put levels on top of each other, shifting each by a power of 2, which is exact."""
    stacked: list[FloatArray] = []
    total = 0.0
    for level in reversed(levels):
        sizes = np.asarray(level.sizes, dtype=np.float64)
        # From 2 to 4 times what is needed, or for the lowest level from 1/2 to 1.
        excess = math.frexp(4.0 * total / level.gap if total else 1.0 / float(sizes[-1]))[1]
        sizes = np.ldexp(sizes, excess)
        total += float(sizes.sum())
        stacked.append(sizes)
    return np.concatenate(stacked)


def _as_integers(sizes: list[int], differences: Numbers, order: IntArray) -> Numbers:
    """Give sizes the places and signs of the differences."""
    fits = sum(sizes) < 1 << 62
    curbed = np.zeros(differences.size, dtype=np.int64 if fits else object)
    curbed[order] = sizes
    return np.where(np.asarray(differences < 0, dtype=np.bool_), -curbed, curbed)
