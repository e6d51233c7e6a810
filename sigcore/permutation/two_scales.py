"""Tail of the sign-flip null for whole numbers that all lie near multiples of a large step.

Averages of three raters, printed with six decimals, are 333,333 or 666,667 millionths: a grid far
too fine for `lattice_tail`, on which sums gather in narrow lumps. Numerical inversion sees the
lumps but not what lies within one. With d = h k - r, whole k and r are both small, and their sums
are a walk in the plane, whose tail `fourier_tail` finds with a bound on the error.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.errors import MemoryLimitError
from sigcore.grid import IntArray
from sigcore.permutation.plane_fourier import fourier_tail
from sigcore.permutation.plane_walk import Walk, group_moves
from sigcore.permutation.smooth import common_step
from sigcore.permutation.tail import ScaledTail

__all__ = ["two_scale_tail"]

# The step may be a fraction, as a third of 10,000: the sizes are multiplied by up to this.
_MAX_MULTIPLIER = 12
# Root mean square of the rests, which are at most 6 if they are roundings. Others would take long.
_MAX_REST = 8.0
_MAX_MEMORY = 5e7


@dataclass(frozen=True, slots=True)
class _SumEvent:
    """The event that twice step * multiples - rests is at least `total` + `threshold`.

    Attributes
    ----------
    step, total : int
        The step, and the sum of step * multiples - rests over all moves.
    threshold : int
        At least 0.
    """

    step: int
    total: int
    threshold: int

    def compare(self, multiples: IntArray, rests: IntArray) -> npt.NDArray[np.int8]:
        """Return the sign of the distance from the edge."""
        excess = 2 * (self.step * multiples - rests) - self.total - self.threshold
        sign: npt.NDArray[np.int8] = np.sign(excess).astype(np.int8)
        return sign


def two_scale_tail(values: IntArray, counts: IntArray, observed: int) -> ScaledTail | None:
    """Compute P(S >= observed) and P(S = observed) for integers near multiples of a step.

    Parameters
    ----------
    values, counts : ndarray
        Distinct sizes, positive and ascending, and how often each occurs.
    observed : int
        A sum that some choice of signs attains, not negative.

    Returns
    -------
    ScaledTail or None
        None if the sizes are not near multiples of a step, or not near enough.
    """
    sizes = np.repeat(values, counts)
    about = common_step(sizes)
    if about is None:
        return None
    multiplier, step, multiples = _best_step(sizes, about)
    rests = step * multiples - multiplier * sizes
    if float(rests @ rests.astype(np.float64)) > _MAX_REST**2 * rests.size:
        return None
    moves = np.column_stack([multiples, rests])
    # Which way a move points does not change the law of S.
    moves, repeats = group_moves(moves)
    lengths = moves @ np.array([step, -1])
    furthest = repeats @ np.where(lengths[:, None] > 0, moves, 0)
    start = int(furthest[0]), int(furthest[1])
    # On the lattice of all integers, not on that which the moves span: there both coordinates
    # would be nearly proportional where a size decides its rest, as with thirds of 10,000.
    walk = Walk(moves, repeats, np.eye(2, dtype=np.int64), np.zeros(2, dtype=np.int64), start)
    event = _SumEvent(step, int(repeats @ lengths), multiplier * observed)
    try:
        return fourier_tail(event, walk, start, max_memory=_MAX_MEMORY)
    except MemoryLimitError:
        return None


def _best_step(sizes: IntArray, about: float) -> tuple[int, int, IntArray]:
    """Return what to multiply sizes by, the step they are then nearest to, and its multiples.

    Parameters
    ----------
    sizes : ndarray
        Positive integers.
    about : float
        The step, roughly, before sizes are multiplied.
    """
    multiples = np.rint(sizes / about)
    exact = float(multiples @ sizes) / float(multiples @ multiples)
    multiples = np.rint(sizes / exact).astype(np.int64)
    multipliers = np.arange(1, _MAX_MULTIPLIER + 1)
    steps = np.rint(multipliers * exact).astype(np.int64)
    rests = np.multiply.outer(multipliers, sizes) - np.multiply.outer(steps, multiples)
    best = int(np.argmin(np.square(rests.astype(np.float64)).sum(axis=1)))
    return int(multipliers[best]), int(steps[best]), multiples
