"""Two score vectors as pairs, and their differences with ties made exact."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.grid import ROUNDING, find_grid, merge_ties
from sigcore.validation import FloatArray, as_vector, refuse_other_labels

__all__ = ["Pair", "as_pair"]

_HUGE = 1e100  # the square of a larger score could overflow


@dataclass(frozen=True, slots=True)
class Pair:
    """Scores of two systems on the same items.

    Attributes
    ----------
    u, v : ndarray of shape (n,)
        Scores of the first and the second system.
    difference : ndarray of shape (n,)
        ``u - v``, with equal differences equal to the last bit.
    """

    u: FloatArray
    v: FloatArray
    difference: FloatArray

    @property
    def n(self) -> int:
        """Number of pairs."""
        return len(self.u)

    def minus(self, offset: float) -> FloatArray:
        """Return ``u - v - offset``, with equal sizes equal to the last bit."""
        if offset == 0.0:
            return self.difference
        return _rounded(self.u - self.v - offset, _sizes(self.u, self.v, abs(offset)))


def as_pair(u: npt.ArrayLike, v: npt.ArrayLike) -> Pair:
    """Check two score vectors and form their differences.

    Raises
    ------
    InputError
        If one of them is not a finite vector, or the lengths differ.
    """
    refuse_other_labels({"u": u, "v": v})
    first, second = as_vector(u, "u"), as_vector(v, "v")
    if len(first) != len(second):
        raise InputError(
            "`u` and `v` must have one score for each of the same items; "
            f"got {len(first)} and {len(second)} scores."
        )
    sizes = _sizes(first, second)
    size = float(sizes.max())
    if size > _HUGE or 0.0 < size < 1.0 / _HUGE:
        raise InputError(
            f"`u` and `v` must not exceed {_HUGE:g} in size nor all be below {1.0 / _HUGE:g}; the "
            f"largest is {size:g}. Rescale the scores."
        )
    return Pair(first, second, _rounded(first - second, sizes))


def _rounded(values: FloatArray, sizes: FloatArray) -> FloatArray:
    """Free differences from the rounding errors of scores of these sizes.

    On a grid, such as that of decimals, each is a whole number of steps, so that sums and means of
    two of them tie as they should, too. Without one, sizes that rounding alone parts are merged.
    """
    grid = find_grid(values, magnitude=float(sizes.max()))
    if grid is not None and grid.tolerance < grid.step / 8.0:
        # A zero comes out without a sign.
        snapped = grid.step * np.rint(values / grid.step) + 0.0
        if np.all(np.abs(snapped - values) <= ROUNDING * sizes):
            return snapped
    return merge_ties(values, sizes)


def _sizes(u: FloatArray, v: FloatArray, offset: float = 0.0) -> FloatArray:
    """Return for each item the largest size of what enters its difference."""
    return np.maximum(np.maximum(np.abs(u), np.abs(v)), offset)
