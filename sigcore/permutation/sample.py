"""Paired scores made ready for a sign-flip test: differences, grid and blocks taken care of."""

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.grid import IntArray
from sigcore.permutation.blocks import Blocks, block_codes
from sigcore.permutation.curbing import Numbers
from sigcore.permutation.decimals import decimal_units, inexact_items, loses_digits
from sigcore.permutation.units import LARGEST, Units, as_numbers, integer_units, real_units
from sigcore.validation import FloatArray, as_number

__all__ = ["Blocks", "PairedSample", "paired_sample"]

# Sums beyond this may overflow.
_HUGE = 1e300


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
    first, second = as_numbers(u, "u"), as_numbers(v, "v")
    if first.size != second.size:
        raise InputError(
            f"`u` and `v` must have the same length; got {first.size} and {second.size}."
        )
    shift = as_number(delta, "delta")
    codes = None if blocks is None else block_codes(blocks, first.size)
    if first.dtype.kind != "f" and second.dtype.kind != "f" and shift.is_integer():
        gains = _subtract(first, second)
        units, law = _whole_units(gains, int(shift), codes)
    else:
        with np.errstate(over="ignore"):
            gains = first.astype(np.float64) - second.astype(np.float64)
        sizes = np.maximum(np.abs(first), np.abs(second)).astype(np.float64)
        sizes = np.maximum(sizes, abs(shift))
        units, law = _real_units(gains, sizes, shift, codes)
        inexact = inexact_items(first, second, shift, codes)
        if loses_digits(gains - shift, shift, sizes, inexact):
            units = decimal_units(first, second, shift, codes) or units
        units = replace(units, rounded=bool(inexact.any()))
    n_blocks = None if codes is None else units.values.size
    return PairedSample(units, law, first.size, n_blocks, _mean(gains), shift)


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
    gains: FloatArray, sizes: FloatArray, shift: float, codes: IntArray | None
) -> tuple[Units, tuple[IntArray | FloatArray, float]]:
    with np.errstate(over="ignore"):
        differences = gains - shift
    _require_finite(differences)
    units = real_units(differences, sizes)
    if codes is not None and units.step is not None:
        units = integer_units(_sum_blocks(units.values, codes), step=units.step)
    elif codes is not None:
        differences = np.bincount(codes, weights=differences).astype(np.float64)
        units = real_units(differences, np.bincount(codes, weights=sizes).astype(np.float64))
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


def _require_finite(differences: FloatArray) -> None:
    bad = np.flatnonzero(~np.isfinite(differences))
    if bad.size:
        raise InputError(
            f"`u` - `v` - `delta` must be finite; at index {bad[0]} it is beyond the largest float."
        )


def _mean(gains: Numbers) -> float:
    if gains.dtype.kind == "O":
        total: int = sum(gains.tolist())
        return total / gains.size
    if gains.dtype.kind == "i":
        return float(gains.sum(dtype=np.float64)) / gains.size
    if float(np.abs(gains).max()) * gains.size > _HUGE:
        return math.ldexp(float(np.ldexp(gains, -64).mean()), 64)
    return float(gains.mean())
