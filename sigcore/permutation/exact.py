"""The tail of the sign-flip null, by whichever exact method suits the differences.

S = sum of e_i d_i, e_i fair signs, d_i the paired differences; s is the observed sum. Integers and
values on a grid go to `lattice_tail`, a few real values are enumerated, many are inverted
numerically.
"""

import math

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.grid import IntArray, find_grid, snap_zeros, tie_tolerance, to_integers
from sigcore.permutation.enumeration import (
    MAX_BOUNDED,
    MAX_HALVED,
    count_bounded_subsets,
    meet_in_the_middle,
)
from sigcore.permutation.inversion import inversion_tail
from sigcore.permutation.lattice_inversion import lattice_tail
from sigcore.permutation.results import ScaledTail, Tail
from sigcore.permutation.tilting import tilt_to
from sigcore.validation import FloatArray, as_vector

__all__ = ["Tail", "group_sizes", "signflip_tail"]

_LOG_2 = math.log(2.0)
_IDENTICAL = ScaledTail(1.0, 1.0, 0.0, 0.0, "identical")


def signflip_tail(differences: npt.ArrayLike, *, magnitude: float | None = None) -> Tail:
    """Compute the tail of the sign-flip null at the observed sum of differences.

    Parameters
    ----------
    differences : array_like
        One difference an item, integers or reals. Zeros are allowed and change nothing.
    magnitude : float, optional
        Size of the scores the differences were computed from; sets the rounding error within
        which a real difference is zero or on a grid. See `find_grid`.

    Returns
    -------
    Tail
        Probabilities of sums at least as large as, and equal to, the observed one.

    Examples
    --------
    >>> import math
    >>> tail = signflip_tail([1, 1, 1, 1, 1])
    >>> math.exp(tail.log_upper), tail.method
    (0.03125, 'count')
    """
    array = np.asarray(differences)
    if array.dtype.kind in "iub":
        if array.ndim != 1 or array.size == 0:
            raise InputError(f"`differences` must be a non-empty vector; got shape {array.shape}.")
        integers = array.astype(np.int64, copy=False)
        if float(np.abs(integers).max()) * integers.size < 2.0**53:
            return _integer_tail(integers, 1.0)
    values = as_vector(array, "differences")
    grid = find_grid(values, magnitude=magnitude)
    if grid is not None:
        return _integer_tail(to_integers(values, grid), grid.step)
    return _real_tail(snap_zeros(values, magnitude=magnitude))


def group_sizes(differences: IntArray) -> tuple[IntArray, IntArray]:
    """Return the distinct absolute values above 0, ascending, and how often each occurs."""
    sizes = np.abs(differences)
    if int(sizes.max()) <= 4 * sizes.size + 65536:
        histogram = np.bincount(sizes)
        values = np.flatnonzero(histogram[1:]) + 1
        return values, histogram[values]
    values, counts = np.unique(sizes, return_counts=True)
    return values[values > 0], counts[values > 0]


def _integer_tail(differences: IntArray, step: float) -> Tail:
    values, counts = group_sizes(differences)
    if not values.size:
        return _as_tail(0, _IDENTICAL, step)
    common = 1 if values[0] == 1 else int(np.gcd.reduce(values))
    signed_sum = int(differences.sum())
    values, observed = values // common, abs(signed_sum) // common
    result = lattice_tail(values, counts, observed)
    if result is None:
        result = inversion_tail(
            values.astype(np.float64),
            counts.astype(np.float64),
            float(observed),
            float(int(values @ counts) - observed),
            log_atom=-int(counts.sum()) * _LOG_2,
            spacing=2.0,
        )
    return _as_tail((signed_sum > 0) - (signed_sum < 0), result, step * common)


def _real_tail(differences: FloatArray) -> Tail:
    differences = differences[differences != 0.0]
    tolerance = tie_tolerance(differences)
    signed_sum = math.fsum(differences)
    sign = 0 if abs(signed_sum) <= tolerance else int(math.copysign(1, signed_sum))
    # Sizes of the items that pull against the observed direction.
    against = np.sort(np.abs(differences[differences * (sign or 1) < 0.0]))
    limit = math.fsum(against)
    sizes, counts = np.unique(np.abs(differences), return_counts=True)
    items = np.repeat(sizes, counts)
    if items.size <= MAX_HALVED:
        return _as_tail(sign, meet_in_the_middle(items, limit, 0.5 * tolerance), None)
    observed = 0.0 if sign == 0 else abs(signed_sum)
    weights = counts.astype(np.float64)
    tilt = tilt_to(sizes, weights, observed, 2.0 * limit)
    if items.size * _LOG_2 + tilt.log_scale <= math.log(MAX_BOUNDED):
        return _as_tail(sign, count_bounded_subsets(items, limit, 0.5 * tolerance), None)
    n_against = np.searchsorted(against, sizes, "right") - np.searchsorted(against, sizes, "left")
    log_atom = _log_binomials(counts, n_against) - items.size * _LOG_2
    result = inversion_tail(sizes, weights, observed, 2.0 * limit, log_atom=log_atom)
    return _as_tail(sign, result, None)


def _log_binomials(counts: IntArray, chosen: IntArray) -> float:
    shared = (chosen > 0) & (chosen < counts)
    return math.fsum(
        math.log(math.comb(n, k))
        for n, k in zip(counts[shared].tolist(), chosen[shared].tolist(), strict=True)
    )


def _as_tail(sign: int, extreme: ScaledTail, step: float | None) -> Tail:
    return Tail(sign, extreme, extreme.error, extreme.certified, extreme.method, step)
