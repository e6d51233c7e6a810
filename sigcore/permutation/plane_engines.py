"""Ways to the tail of a difference of two ratios: which engine, and those that list states."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.errors import MemoryLimitError
from sigcore.grid import IntArray
from sigcore.permutation.lattice_inversion import lattice_tail
from sigcore.permutation.montecarlo import Draws
from sigcore.permutation.plane_event import RatioEvent, row_entry
from sigcore.permutation.plane_fourier import fourier_tail
from sigcore.permutation.plane_walk import Walk
from sigcore.permutation.statespace import box_shape, dense_law
from sigcore.permutation.tail import ScaledTail

__all__ = [
    "MAX_ENUMERATED",
    "Problem",
    "dp_tail",
    "enumerate_tail",
    "exact_tail",
    "sample",
]

# 2^24 swaps take some ten seconds.
MAX_ENUMERATED = 24
_FEW_ITEMS = 16
# Relative error that is good enough not to look for another engine, and one that will do, stated
# in the result, where there is none.
_ACCURATE, _TOLERABLE = 1e-8, 1e-4
# Cells times items, a nanosecond each: below the first the convolution is faster than anything
# else, above the second it takes too long.
_LITTLE_WORK, _MUCH_WORK = 8e7, 5e10
_CELL_BYTES = 24.0
# Probabilities of so many items, or sums of this size, do not suffer from underflow.
_NO_UNDERFLOW, _SAFE = 1000, 1e-290
_ENUMERATED_AT_ONCE = 14
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Problem:
    """A comparison of two systems by a ratio of sums.

    Attributes
    ----------
    walk : Walk
        The sums of A under swaps.
    event : RatioEvent
        Compares differences with the absolute value of the observed one.
    sign : int
        Sign of the observed difference.
    """

    walk: Walk
    event: RatioEvent
    sign: int

    @property
    def start(self) -> tuple[int, int]:
        """A reachable point where the difference is the absolute value of the observed one."""
        return self.walk.observed if self.sign >= 0 else self.walk.opposite

    @property
    def n_items(self) -> int:
        """Number of items whose counts differ."""
        return int(self.walk.counts.sum())


def exact_tail(problem: Problem, *, max_memory: float) -> ScaledTail:
    """Compute the tail of the difference by the fastest exact engine that fits.

    Raises
    ------
    MemoryLimitError
        If none fits.
    """
    if problem.n_items == 0:
        return ScaledTail(1.0, 1.0, 0.0, 0.0, "identical")
    tail = _line_tail(problem)
    if tail is not None:
        return tail
    work = _cells(problem) * problem.n_items
    if work <= _LITTLE_WORK:
        return dp_tail(problem, max_memory=max_memory)
    if problem.n_items <= _FEW_ITEMS:
        return enumerate_tail(problem)
    inverted: ScaledTail | None = None
    refusal: MemoryLimitError | None = None
    try:
        inverted = fourier_tail(problem.event, problem.walk, problem.start, max_memory=max_memory)
        if inverted.error <= _ACCURATE:
            return inverted
    except MemoryLimitError as error:
        refusal = error
    if work <= _MUCH_WORK and _cells(problem) * _CELL_BYTES <= max_memory:
        tail = dp_tail(problem, max_memory=max_memory)
        if tail.error <= _ACCURATE:
            return tail
    if problem.n_items <= MAX_ENUMERATED:
        return enumerate_tail(problem)
    if inverted is not None and inverted.error <= _TOLERABLE:
        return inverted
    raise refusal or MemoryLimitError(
        "the Fourier inversion is not accurate for these counts, and the convolution, which would "
        f"need about {_cells(problem) * _CELL_BYTES / 1e9:.1f} GB, is too long or underflows; use "
        "method='monte-carlo'."
    )


def dp_tail(problem: Problem, *, max_memory: float) -> ScaledTail:
    """Compute the tail from the law of all states, convolved item by item."""
    needed = _cells(problem) * _CELL_BYTES
    if needed > max_memory:
        raise MemoryLimitError(
            f"the convolution would need about {needed / 1e9:.1f} GB, more than `max_memory` "
            f"({max_memory / 1e9:.1f} GB); use method='exact' or 'monte-carlo'."
        )
    walk = problem.walk
    law = dense_law(walk.steps, walk.counts)
    rows = np.arange(walk.low[1], walk.high[1] + 1)
    place = np.arange(law.shape[0])[:, None]
    entry = row_entry(problem.event, walk, rows)
    beyond = row_entry(problem.event, walk, rows, strict=True)
    upper = float(law.sum(where=place >= entry))
    point = float(law.sum(where=(place >= entry) & (place < beyond)))
    # One rounding for each item, and those of the sum; unless parts of a tail underflow.
    error = (problem.n_items + 64) * float(np.finfo(np.float64).eps)
    sure = problem.n_items <= _NO_UNDERFLOW or upper > _SAFE
    return ScaledTail(upper, point, 0.0, error if sure else math.inf, "dp")


def enumerate_tail(problem: Problem) -> ScaledTail:
    """Compute the tail by listing all swaps."""
    if problem.n_items > MAX_ENUMERATED:
        raise MemoryLimitError(
            f"method='enumerate' lists 2^n swaps and takes at most {MAX_ENUMERATED} items whose "
            f"counts differ; got {problem.n_items}. Use method='exact' or 'monte-carlo'."
        )
    walk = problem.walk
    items = np.repeat(walk.steps, walk.counts, axis=0)
    inner = _subset_sums(items[:_ENUMERATED_AT_ONCE])
    upper = point = 0
    for outer in _subset_sums(items[_ENUMERATED_AT_ONCE:]):
        hits, errors = (walk.origin + (inner + outer) @ walk.basis).T
        side = problem.event.compare(hits, errors)
        upper += int(np.count_nonzero(side >= 0))
        point += int(np.count_nonzero(side == 0))
    share = 2.0**-problem.n_items
    return ScaledTail(upper * share, point * share, 0.0, 0.0, "enumerate")


def sample(
    problem: Problem, *, alternative: str, n_resamples: int, rng: np.random.Generator
) -> Draws:
    """Compare random swaps with the observed difference.

    Items with equal moves are drawn together, as one binomial number.
    """
    walk = problem.walk
    batch = max(1, _CHUNK // max(1, len(walk.counts)))
    beyond = tied = 0
    for start in range(0, n_resamples, batch):
        size = (min(batch, n_resamples - start), len(walk.counts))
        side = _compare(problem, rng.binomial(walk.counts, 0.5, size) @ walk.steps, alternative)
        beyond += int(np.count_nonzero(side > 0))
        tied += int(np.count_nonzero(side == 0))
    return Draws(beyond, tied, n_resamples)


def _line_tail(problem: Problem) -> ScaledTail | None:
    """Use the one-dimensional test where all moves lie on a line; None where it does not apply."""
    walk = problem.walk
    if np.any(walk.steps[:, 1]):
        return None
    row = np.zeros(1, dtype=np.int64)
    entry = int(row_entry(problem.event, walk, row)[0])
    if int(row_entry(problem.event, walk, row, strict=True)[0]) != entry + 1:
        # Several sums share the observed difference, for instance where there are no hits.
        return None
    return lattice_tail(walk.steps[:, 0], walk.counts, 2 * entry - int(walk.high[0]))


def _cells(problem: Problem) -> float:
    return float(math.prod(box_shape(problem.walk.steps, problem.walk.counts)))


def _subset_sums(items: IntArray) -> IntArray:
    sums = np.zeros((1, items.shape[1]), dtype=np.int64)
    for item in items:
        sums = np.concatenate([sums, sums + item])
    return sums


def _compare(problem: Problem, points: IntArray, alternative: str) -> npt.NDArray[np.int8]:
    """Return 1 where a lattice point is more extreme than observed, 0 where it is as extreme."""
    event, walk = problem.event, problem.walk
    hits, errors = (walk.origin + points @ walk.basis).T
    above = event.compare(hits, errors)
    below = event.compare(event.hits - hits, event.errors - errors)
    if alternative == "two-sided":
        return np.maximum(above, below)
    greater = above if problem.sign >= 0 else -below
    return greater if alternative == "greater" else -greater
