"""Two score vectors as pairs, and their differences with ties made exact."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.validation import FloatArray, as_vector

__all__ = ["Pair", "as_pair", "merge_ties"]

_HUGE = 1e100  # the square of a larger score could overflow
# A score read from text and two subtractions err by less than this much of their size.
_ROUNDING = 8 * float(np.finfo(np.float64).eps)


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
        size = max(_largest(self.u), _largest(self.v), abs(offset))
        return merge_ties(self.u - self.v - offset, size)


def as_pair(u: npt.ArrayLike, v: npt.ArrayLike) -> Pair:
    """Check two score vectors and form their differences.

    Raises
    ------
    InputError
        If one of them is not a finite vector, or the lengths differ.
    """
    first, second = as_vector(u, "u"), as_vector(v, "v")
    if len(first) != len(second):
        raise InputError(
            "`u` and `v` must have one score for each of the same items; "
            f"got {len(first)} and {len(second)} scores."
        )
    size = max(_largest(first), _largest(second))
    if size > _HUGE or 0.0 < size < 1.0 / _HUGE:
        raise InputError(
            f"`u` and `v` must not exceed {_HUGE:g} in size nor all be below {1.0 / _HUGE:g}; the "
            f"largest is {size:g}. Rescale the scores."
        )
    return Pair(first, second, merge_ties(first - second, size))


def merge_ties(values: npt.ArrayLike, magnitude: float) -> FloatArray:
    """Make values whose sizes differ by rounding errors only equal in size.

    Parameters
    ----------
    values : array_like
        Differences of scores.
    magnitude : float
        Size of the scores they come from, which sets the rounding error: ``25.2 - 25.1`` and
        ``0.3 - 0.2`` are both a tenth, but not the same float.

    Returns
    -------
    ndarray
        The values; sizes closer to each other than 8 units of rounding are one size, and what is
        closer to zero is zero.

    Examples
    --------
    >>> a, b, zero = merge_ties([25.2 - 25.1, 0.1, 1e-17], 25.2).tolist()
    >>> a == b, zero
    (True, 0.0)
    """
    array = np.asarray(values, dtype=np.float64)
    sizes = np.concatenate([[0.0], np.abs(array).ravel()])
    order = np.argsort(sizes, kind="stable")
    ordered = sizes[order]
    starts = np.concatenate([[True], np.diff(ordered) > _ROUNDING * magnitude])
    first = np.maximum.accumulate(np.where(starts, np.arange(len(ordered)), 0))
    merged = np.empty_like(sizes)
    merged[order] = ordered[first]
    signed: FloatArray = np.copysign(merged[1:].reshape(array.shape), array)
    return signed + 0.0  # no negative zero


def _largest(values: FloatArray) -> float:
    return float(np.abs(values).max())
