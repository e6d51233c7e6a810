"""The event "the measure of A exceeds that of B by at least this much", in whole numbers.

Precision, recall, F1 and accuracy are all hits / (hits + errors), with F1's hits counted twice.
The difference of two such ratios is compared with the observed one by cross-multiplication, so
equal differences reached from different counts are ties and not off by a last bit.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np
import numpy.typing as npt

from sigcore.grid import IntArray
from sigcore.permutation.plane_walk import Walk

__all__ = ["PlaneEvent", "RatioEvent", "ratio", "row_entry"]

# Products of three roundings differ from the true value by less than four units in the last
# place; a comparison closer than this is settled with Python integers.
_UNSURE = 2.0**-49


class PlaneEvent(Protocol):
    """A half of the plane, bounded by a curve, that a walk may end in."""

    @property
    def threshold(self) -> int | Fraction:
        """What `compare` compares with; at 0, the least, the mean of the walk is in the event."""

    def compare(self, hits: IntArray, errors: IntArray, /) -> npt.NDArray[np.int8]:
        """Return 1 for points inside, 0 for those on the edge, which counts, and -1 outside.

        It never falls with `hits` and never rises with `errors`.
        """


@dataclass(frozen=True, slots=True)
class RatioEvent:
    """Compares the difference of two ratios with a threshold.

    Attributes
    ----------
    hits, errors : int
        Sums over both systems; a swap does not change them.
    threshold : Fraction
        Difference to compare with, at least 0.
    hit_weight : int
        2 for F1, otherwise 1.
    """

    hits: int
    errors: int
    threshold: Fraction
    hit_weight: int

    def compare(self, hits: IntArray, errors: IntArray) -> npt.NDArray[np.int8]:
        """Return the sign of (ratio of A - ratio of B - threshold) for A's sums."""
        hits_a = self.hit_weight * np.clip(hits, 0, self.hits)
        errors_a = np.clip(errors, 0, self.errors)
        hits_b = self.hit_weight * self.hits - hits_a
        # 0/0 is 0: with no hits any positive total gives that.
        total_a = np.maximum(hits_a + errors_a, 1)
        total_b = np.maximum(hits_b + self.errors - errors_a, 1)
        cross = hits_a * total_b - hits_b * total_a
        top, bottom = self.threshold.numerator, self.threshold.denominator
        left = cross.astype(np.float64) * float(bottom)
        right = float(top) * total_a.astype(np.float64) * total_b
        sign: npt.NDArray[np.int8] = np.sign(left - right).astype(np.int8)
        unsure = np.abs(left - right) <= _UNSURE * (np.abs(left) + right)
        if np.any(unsure):
            exact = cross[unsure].astype(object) * bottom
            exact -= top * total_a[unsure].astype(object) * total_b[unsure]
            sign[unsure] = np.sign(exact).astype(np.int8)
        return sign


def ratio(hits: int, errors: int, hit_weight: int) -> Fraction:
    """Return hits / (hits + errors) with weighted hits; 0/0 is 0."""
    total = hit_weight * hits + errors
    return Fraction(hit_weight * hits, total) if total else Fraction(0)


def row_entry(event: PlaneEvent, walk: Walk, rows: IntArray, *, strict: bool = False) -> IntArray:
    """Find where each row of the walk's lattice enters the event.

    Parameters
    ----------
    event : PlaneEvent
        The comparison.
    walk : Walk
        The lattice.
    rows : ndarray of int
        Values of the second coordinate j.
    strict : bool
        Whether the difference must exceed the threshold or may equal it.

    Returns
    -------
    ndarray of int
        Smallest i of each row inside; one past the largest i of the walk where there is none.

    Notes
    -----
    The difference never falls along i: a step adds hits and removes errors, or, on a line, has
    been directed so. (Along a line a ratio is a Moebius function, hence monotone, and the two
    ratios mirror each other.) So bisection finds the edge. The edge never falls along j.
    """
    wanted = 1 if strict else 0
    first = np.zeros(len(rows), dtype=np.int64)
    last = np.full(len(rows), int(walk.high[0]) + 1, dtype=np.int64)
    for _ in range(int(walk.high[0] + 1).bit_length()):
        middle = (first + last) // 2
        hits = walk.origin[0] + middle * walk.basis[0, 0]
        errors = walk.origin[1] + middle * walk.basis[0, 1] + rows * walk.basis[1, 1]
        inside = event.compare(hits, errors) >= wanted
        undecided = first < last
        last = np.where(inside & undecided, middle, last)
        first = np.where(~inside & undecided, middle + 1, first)
    return last
