"""Differences between systems, ready for sign-flip tests: gaps, grid and blocks taken care of."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.grid import find_grid, rounding_scale, snap_zeros, to_integers
from sigcore.permutation.blocks import Blocks, block_codes
from sigcore.permutation.decimals import any_lost
from sigcore.permutation.sample import paired_sample
from sigcore.permutation.units import Units, integer_units
from sigcore.validation import as_choice

__all__ = [
    "Blocks",
    "DifferenceTable",
    "block_order",
    "difference_table",
    "in_range",
    "in_steps",
]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

# Sums of N floats that are equal on paper differ by rounding errors of about sqrt(N) eps times
# their size. Differences of real scores that small do not occur.
_ROUNDING = 1e-12
# Sums of fourth powers of numbers between 2^-200 and 2^200 neither overflow nor vanish.
_LARGEST_EXPONENT = 200


@dataclass(frozen=True, slots=True)
class DifferenceTable:
    """Segment scores from which the differences of any pair of systems can be taken.

    Attributes
    ----------
    scores : ndarray, shape (systems, segments)
        Whole steps where there is a grid; the segments of a block stand together. NaN is missing.
    step : float or None
        Step of the grid; None for real-valued scores.
    unit : float
        What a difference of 1 in `scores` is worth: the step of the grid, or a power of two.
    starts : ndarray of int
        Where each block begins.
    segments : ndarray of int
        The column of the original matrix that each segment comes from.
    given : ndarray, shape (systems, segments)
        The scores themselves, in the same order of segments.
    """

    scores: FloatArray
    step: float | None
    unit: float
    starts: IntArray
    segments: IntArray
    given: FloatArray

    def units(self, first: int, second: int) -> Units:
        """Return the differences of a pair as numbers whose signed sums can be compared."""
        if self.step is not None:
            row = self.differences(np.array([first]), np.array([second]))[0]
            return integer_units(row.astype(np.int64), step=self.step)
        rated = ~np.isnan(self.given[first] - self.given[second])
        of_unit = np.repeat(np.arange(len(self.starts)), self._unit_sizes())
        blocks = of_unit[rated] if len(self.starts) < len(of_unit) else None
        u, v = self.given[first, rated], self.given[second, rated]
        return paired_sample(u, v, blocks=blocks).units

    def differences(self, first: IntArray, second: IntArray) -> FloatArray:
        """Return the differences of some pairs (pairs x units), 0 where a score is missing."""
        rows: FloatArray = self.scores[first] - self.scores[second]
        rows[np.isnan(rows)] = 0.0
        if len(self.starts) < self.scores.shape[1]:
            rows = np.add.reduceat(rows, self.starts, axis=1)
        return rows

    def n_shared(self) -> IntArray:
        """Return how many segments each pair of systems has in common (systems x systems)."""
        rated = (~np.isnan(self.scores)).astype(np.float64)
        return np.rint(rated @ rated.T).astype(np.int64)

    def _unit_sizes(self) -> IntArray:
        return np.diff(self.starts, append=self.scores.shape[1])

    def sums(self) -> FloatArray:
        """Return the sum of differences of each pair (systems x systems), rounding errors zeroed.

        On a grid sums are exact. Otherwise a sum below 1e-12 of the sizes summed is zero.
        """
        rated = ~np.isnan(self.scores)
        filled = np.where(rated, self.scores, 0.0)
        # Entry (i, j): scores of i over the segments that j has too.
        shared = filled @ rated.T.astype(np.float64)
        result: FloatArray = shared - shared.T
        if self.step is None:
            size = np.abs(filled) @ rated.T.astype(np.float64)
            result[np.abs(result) <= _ROUNDING * (size + size.T)] = 0.0
        return result


def difference_table(
    scores: FloatArray, *, missing: str, blocks: Blocks | None = None
) -> DifferenceTable:
    """Prepare a matrix of scores (systems x segments) for tests of its differences.

    Parameters
    ----------
    scores : ndarray, shape (systems, segments)
        NaN marks a missing score.
    missing : {"listwise", "pairwise"}
        Keep the segments rated for all systems, or all of them.
    blocks : sequence, optional
        Label of each segment; equal labels form a unit, wherever they stand.
    """
    as_choice(missing, "missing", ("listwise", "pairwise"))
    order, labels = block_order(blocks, scores.shape[1])
    if missing == "listwise":
        complete = np.count_nonzero(np.isnan(scores), axis=0)[order] == 0
        order, labels = order[complete], labels[complete]
    starts = np.flatnonzero(np.diff(labels, prepend=-1))
    # `take` returns C order whatever came in: sums then have the same bits for every layout.
    given = np.take(scores, order, axis=1)
    scaled, factor = in_range(given)
    # Scores that vanish beside the largest one are on no grid with it.
    whole = factor == 1.0 or np.array_equal(scaled * factor, given, equal_nan=True)
    values, step = in_steps(scaled) if whole else (scaled, None)
    return DifferenceTable(
        scores=values,
        step=None if step is None else step * factor,
        unit=factor if step is None else step * factor,
        starts=starts,
        segments=order,
        given=given,
    )


def block_order(blocks: Blocks | None, n_segments: int) -> tuple[IntArray, IntArray]:
    """Return an order of segments that puts blocks together, and the block number of each."""
    if blocks is None:
        return np.arange(n_segments), np.arange(n_segments)
    labels = block_codes(blocks, n_segments, items="segments")
    order = np.argsort(labels, kind="stable")
    return order, labels[order]


def in_range(scores: FloatArray) -> tuple[FloatArray, float]:
    """Scale scores by a power of two if sums of their powers would leave the range of floats.

    Returns the scaled scores and what one of them is worth. The scaling is exact, but for scores
    that vanish beside the largest one; scores of usual size come back as they are, with 1.
    """
    largest = float(np.fmax.reduce(np.abs(scores), axis=None, initial=0.0))
    exponent = int(np.frexp(largest)[1])
    if abs(exponent) <= _LARGEST_EXPONENT:
        return scores, 1.0
    # 2^1023 is the largest power of two.
    exponent = min(exponent, 1023)
    return np.ldexp(scores, -exponent), float(np.ldexp(1.0, exponent))


def in_steps(scores: FloatArray) -> tuple[FloatArray, float | None]:
    """Express scores in steps of their grid, counted from one of them, so that sums are exact.

    Only differences keep their meaning. Real-valued scores come back as they are, with None.
    """
    rated = ~np.isnan(scores)
    if not rated.any():
        return scores, None
    known = scores[rated]
    # Scores may lie on a grid that does not pass through zero; their differences do not care. Next
    # to the score nearest to zero, small ones lose no digits.
    origin = known[np.argmin(np.abs(known))]
    sizes = np.abs(known)
    shifted = snap_zeros(known - origin, sizes)
    grid = find_grid(shifted, magnitude=rounding_scale(shifted, sizes))
    if grid is None or any_lost(known, sizes.max()):
        return scores, None
    steps = np.full(scores.shape, np.nan)
    steps[rated] = to_integers(shifted, grid)
    return steps, grid.step
