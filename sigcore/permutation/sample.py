"""Paired scores made ready for a sign-flip test: differences, grid and blocks taken care of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.grid import IntArray, find_grid, snap_zeros, to_integers
from sigcore.validation import FloatArray, as_vector

__all__ = ["Blocks", "PairedSample", "paired_sample"]

Blocks: TypeAlias = Sequence[object] | npt.NDArray[np.generic]

# Differences and sums of integers below this size are exact, also as floats.
_LARGEST = 1 << 51


@dataclass(frozen=True, slots=True)
class PairedSample:
    """Differences of two systems, one a unit that swaps.

    Attributes
    ----------
    units : ndarray
        u - v - delta, summed within blocks; whole steps where there is a grid, else real values.
    step : float or None
        Size of a step; None without a grid.
    magnitude : float
        Size of the numbers the differences were computed from.
    n : int
        Number of items.
    n_blocks : int or None
        Number of blocks, if any.
    mean : float
        Mean of u - v.
    delta : float
        Mean difference under the null hypothesis.
    """

    units: IntArray | FloatArray
    step: float | None
    magnitude: float
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
    first, second = _as_scores(u, "u"), _as_scores(v, "v")
    if first.size != second.size:
        raise InputError(
            f"`u` and `v` must have the same length; got {first.size} and {second.size}."
        )
    if not np.isfinite(delta):
        raise InputError(f"`delta` must be finite; got {delta}.")
    units, step, magnitude = _in_steps(first, second, float(delta))
    n_blocks = None
    if blocks is not None:
        units, largest = _sum_blocks(units, blocks)
        n_blocks, magnitude = units.size, magnitude * largest
    mean = float((first - second).mean())
    return PairedSample(units, step, magnitude, first.size, n_blocks, mean, float(delta))


def _as_scores(values: npt.ArrayLike, name: str) -> IntArray | FloatArray:
    """Return integers as they are and everything else as a finite float vector."""
    array = np.asarray(values)
    whole = array.dtype.kind in "iub" and array.ndim == 1 and array.size > 0
    if whole and int(array.min()) > -_LARGEST and int(array.max()) < _LARGEST:
        return array.astype(np.int64, copy=False)
    return as_vector(values, name)


def _in_steps(
    first: IntArray | FloatArray, second: IntArray | FloatArray, delta: float
) -> tuple[IntArray | FloatArray, float | None, float]:
    """Return the differences, the step they are counted in and the size of the scores."""
    if first.dtype.kind == second.dtype.kind == "i" and delta.is_integer():
        return first - second - int(delta), 1.0, 0.0
    magnitude = max(float(np.abs(first).max()), float(np.abs(second).max()), abs(delta))
    differences = np.subtract(first, second, dtype=np.float64) - delta
    grid = find_grid(differences, magnitude=magnitude)
    if grid is None:
        return snap_zeros(differences, magnitude=magnitude), None, magnitude
    return to_integers(differences, grid), grid.step, magnitude


def _sum_blocks(
    units: IntArray | FloatArray, blocks: Blocks
) -> tuple[IntArray | FloatArray, float]:
    """Return the sum of each block and the size of the largest block."""
    labels = np.asarray(blocks)
    if labels.shape != units.shape:
        raise InputError(
            f"`blocks` must have one label for each of {units.size} items; "
            f"got shape {labels.shape}."
        )
    _, codes = np.unique(labels, return_inverse=True)
    sums = np.bincount(codes, weights=units)
    largest = float(np.bincount(codes).max())
    return (np.rint(sums).astype(np.int64) if units.dtype.kind == "i" else sums), largest
