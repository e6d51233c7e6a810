"""Paired scores made ready for a sign-flip test: differences, grid and blocks taken care of."""

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.grid import IntArray
from sigcore.permutation.blocks import Blocks, block_codes
from sigcore.permutation.curbing import Numbers
from sigcore.permutation.decimals import decimal_units, inexact_items, loses_digits
from sigcore.permutation.enumeration import can_be_listed
from sigcore.permutation.units import LARGEST, Units, as_numbers, integer_units, real_units
from sigcore.validation import FloatArray, as_number, refuse_other_labels

__all__ = ["Blocks", "PairedSample", "paired_sample"]

_LARGEST_FLOAT = float(np.finfo(np.float64).max)
# Sums beyond this may overflow.
_HUGE = 1e300
# A mean of less than this part of the largest score loses digits when it is added up as floats.
_CANCELLED = 1e-6


@dataclass(frozen=True, slots=True)
class PairedSample:
    """Differences of two systems, one a unit that swaps.

    Attributes
    ----------
    units : Units
        u - v - delta, summed within blocks, as numbers whose signed sums can be compared.
    law : tuple of ndarray and float
        The differences for plots: in steps of a size, or as they are and 1.
    n : int
        Number of items.
    n_blocks : int or None
        Number of blocks, if any.
    mean : float
        Mean of u - v.
    delta : float
        Mean difference under the null hypothesis.
    """

    units: Units
    law: tuple[IntArray | FloatArray, float]
    n: int
    n_blocks: int | None
    mean: float
    delta: float


def paired_sample(
    u: npt.ArrayLike, v: npt.ArrayLike, *, blocks: Blocks | None = None, delta: float = 0.0
) -> PairedSample:
    """Take the differences of two systems, on their grid if they have one.

    Parameters
    ----------
    u, v : array_like
        Scores on the same items.
    blocks : sequence, optional
        A label an item; equal labels form a unit, wherever they stand.
    delta : float
        Subtracted from each difference.
    """
    refuse_other_labels({"u": u, "v": v})
    first, second = as_numbers(u, "u"), as_numbers(v, "v")
    if first.size != second.size:
        raise InputError(
            f"`u` and `v` must have the same length; got {first.size} and {second.size}."
        )
    shift = as_number(delta, "delta")
    codes = None if blocks is None else block_codes(blocks, first.size)
    whole = first.dtype.kind != "f" and second.dtype.kind != "f"
    if whole and shift.is_integer():
        units, law = _whole_units(_subtract(first, second), int(shift), codes)
    else:
        # The difference of whole numbers is exact, what is taken from it is not.
        scores = (_subtract(first, second), np.zeros_like(first)) if whole else (first, second)
        units, law = _real_units(*scores, shift, codes)
    n_blocks = None if codes is None else units.values.size
    return PairedSample(units, law, first.size, n_blocks, _mean(first, second), shift)


def _subtract(first: Numbers, second: Numbers | int) -> Numbers:
    """Subtract whole numbers, as Python integers where 64 bits might not do."""
    bits = first.dtype.kind != "O" and getattr(second, "dtype", first.dtype).kind != "O"
    if bits and (not isinstance(second, int) or abs(second) < LARGEST):
        return np.asarray(first - second)
    return np.asarray(first.astype(object) - second, dtype=object)


def _whole_units(
    gains: Numbers, shift: int, codes: IntArray | None
) -> tuple[Units, tuple[IntArray | FloatArray, float]]:
    differences = _subtract(gains, shift)
    if codes is not None:
        differences = _sum_blocks(differences, codes)
    return integer_units(differences), (_for_plots(differences), 1.0)


def _real_units(
    first: Numbers, second: Numbers, shift: float, codes: IntArray | None
) -> tuple[Units, tuple[IntArray | FloatArray, float]]:
    with np.errstate(over="ignore"):
        differences = first.astype(np.float64) - second.astype(np.float64) - shift
    _require_finite(differences, "`u` - `v` - `delta`")
    # Scores that are equal leave no rounding error.
    sizes = np.where(first == second, 0.0, np.maximum(np.abs(first), np.abs(second)))
    sizes = np.maximum(sizes.astype(np.float64), abs(shift))
    units, law = _float_units(differences, sizes, codes)
    inexact = inexact_items(first, second, shift, codes)
    if loses_digits(first, second, shift, differences, sizes, inexact):
        units = _without_loss(units, decimal_units(first, second, shift, codes))
    return replace(units, rounded=bool(inexact.any())), law


def _without_loss(rounded: Units, exact: Units | None) -> Units:
    """Choose exact differences, unless their sums cannot be compared and rounded ones have a grid.

    Integers of 64 bits can be added up, larger ones only listed, a few of them. On a grid the loss
    matters for ties alone.
    """
    if exact is None:
        return replace(rounded, lossy=True)
    usable = exact.values.dtype.kind == "i" or can_be_listed(exact.values[exact.values != 0])
    return exact if usable or rounded.step is None else replace(rounded, lossy=True)


def _float_units(
    differences: FloatArray, sizes: FloatArray, codes: IntArray | None
) -> tuple[Units, tuple[IntArray | FloatArray, float]]:
    units = real_units(differences, sizes)
    if codes is not None and units.step is not None:
        units = integer_units(_sum_blocks(units.values, codes), step=units.step)
    elif codes is not None:
        differences = np.bincount(codes, weights=differences).astype(np.float64)
        _require_finite(differences, "the sum of a block")
        # Sizes that add up to more than all floats leave rounding errors as the largest one does.
        sizes = np.minimum(np.bincount(codes, weights=sizes), _LARGEST_FLOAT)
        units = real_units(differences, sizes)
    if units.step is None:
        return units, (differences, 1.0)
    return units, (np.asarray(units.values), units.step)


def _sum_blocks(differences: Numbers, codes: IntArray) -> Numbers:
    """Return the sum of whole numbers in each block."""
    largest = float(np.abs(differences).max())
    kind = np.int64 if largest * differences.size < LARGEST else object
    sums = np.zeros(int(codes.max()) + 1, dtype=kind)
    np.add.at(sums, codes, differences.astype(kind, copy=False))
    return sums


def _for_plots(differences: Numbers) -> IntArray | FloatArray:
    return differences if differences.dtype.kind == "i" else differences.astype(np.float64)


def _require_finite(differences: FloatArray, what: str) -> None:
    bad = np.flatnonzero(~np.isfinite(differences))
    if bad.size:
        raise InputError(
            f"{what} must be finite; at index {bad[0]} it is beyond the largest float."
        )


def _mean(first: Numbers, second: Numbers) -> float:
    """Return the mean difference; where sums cancel, without rounding errors."""
    size = first.size
    if first.dtype.kind == "O" or second.dtype.kind == "O":
        total = sum(map(Fraction, first.tolist())) - sum(map(Fraction, second.tolist()))
        return float(total / size)
    if first.dtype.kind == "i" and second.dtype.kind == "i":
        gains = first - second
        fits = float(np.abs(gains).max()) * size < LARGEST
        return (int(gains.sum()) if fits else sum(gains.tolist())) / size
    largest = max(float(np.abs(first).max()), float(np.abs(second).max()))
    if largest * size > _HUGE:
        return math.ldexp(_mean(np.ldexp(first, -64), np.ldexp(second, -64)), 64)
    mean = float((first - second).mean())
    if abs(mean) > _CANCELLED * largest:
        return mean
    return math.fsum(first.tolist() + np.negative(second).tolist()) / size
