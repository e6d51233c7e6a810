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
    MAX_HALVED,
    MAX_LISTED,
    count_bounded_subsets,
    meet_in_the_middle,
)
from sigcore.permutation.inversion import inversion_tail
from sigcore.permutation.lattice_inversion import group_sizes, lattice_tail
from sigcore.permutation.tail import ScaledTail, Tail
from sigcore.permutation.tilting import tilt_to
from sigcore.validation import FloatArray, as_vector

__all__ = ["Tail", "enumerate_tail", "signflip_tail"]

_LOG_2 = math.log(2.0)
# Chernoff's bound exceeds the number of subsets by a factor of up to a hundred or so.
_WORTH_LISTING = math.log(100.0 * MAX_LISTED)
_IDENTICAL = ScaledTail(1.0, 1.0, 0.0, 0.0, "identical")


def signflip_tail(
    differences: npt.ArrayLike, *, step: float = 1.0, magnitude: float | None = None
) -> Tail:
    """Compute the tail of the sign-flip null at the observed sum of differences.

    Parameters
    ----------
    differences : array_like
        One difference an item, integers or reals. Zeros are allowed and change nothing.
    step : float
        What one unit of integer differences stands for; only named in the result.
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
    if np.can_cast(array.dtype, np.int64):
        if array.ndim != 1 or array.size == 0:
            raise InputError(f"`differences` must be a non-empty vector; got shape {array.shape}.")
        tail = _integer_tail(array.astype(np.int64, copy=False), step)
        if tail is not None:
            return tail
    values = as_vector(array, "differences")
    grid = find_grid(values, magnitude=magnitude)
    tail = None if grid is None else _integer_tail(to_integers(values, grid), grid.step)
    return tail or _real_tail(snap_zeros(values, magnitude=magnitude))


def enumerate_tail(differences: npt.ArrayLike) -> Tail:
    """Compute the tail of the sign-flip null by comparing all sums.

    For at most 44 differences other than 0, in about 2^(n/2) steps. Sums that rounding errors
    alone may part are tied.
    """
    values = _nonzero(as_vector(differences, "differences"))
    if values.size > MAX_HALVED:
        raise InputError(
            f"`differences` must have at most {MAX_HALVED} values other than 0 to be enumerated; "
            f'got {values.size}. Method "exact" has no such limit.'
        )
    if values.size == 0:
        return _as_tail(0, _IDENTICAL, None)
    tolerance = tie_tolerance(values)
    sign, against = _direction(values, tolerance)
    result = meet_in_the_middle(np.abs(values), math.fsum(against), 0.5 * tolerance)
    return _as_tail(sign, result, None)


def _integer_tail(differences: IntArray, step: float) -> Tail | None:
    """Return the tail for integers, or None if their sums are too large to be exact as floats."""
    values, counts = group_sizes(differences)
    if not values.size:
        return _as_tail(0, _IDENTICAL, step)
    if float(values[-1]) * differences.size >= 2.0**53:
        return None
    common = 1 if values[0] == 1 else int(np.gcd.reduce(values))
    signed_sum = int(differences.sum())
    values, observed = values // common, abs(signed_sum) // common
    result = _lattice_or_listed(values, counts, observed)
    return _as_tail((signed_sum > 0) - (signed_sum < 0), result, step * common)


def _lattice_or_listed(values: IntArray, counts: IntArray, observed: int) -> ScaledTail:
    sizes, weights = values.astype(np.float64), counts.astype(np.float64)
    n_items, deficit = int(counts.sum()), int(values @ counts) - observed
    # A few large integers have fewer subsets than possible sums.
    if n_items <= MAX_HALVED and 2.0 ** (n_items / 2) < deficit / 8:
        return meet_in_the_middle(np.repeat(sizes, counts), deficit / 2, 0.25)
    result = lattice_tail(values, counts, observed)
    if result is not None:
        return result
    log_atom = -n_items * _LOG_2
    return inversion_tail(
        sizes, weights, float(observed), float(deficit), log_atom=log_atom, spacing=2.0
    )


def _real_tail(differences: FloatArray) -> Tail:
    differences = _nonzero(differences)
    if differences.size <= MAX_HALVED:
        return enumerate_tail(differences)
    tolerance = tie_tolerance(differences)
    sign, against = _direction(differences, tolerance)
    observed = abs(math.fsum(differences)) if sign else 0.0
    deficit = 2.0 * math.fsum(against)
    sizes, counts = np.unique(np.abs(differences), return_counts=True)
    weights = counts.astype(np.float64)
    log_count = differences.size * _LOG_2
    result = None
    if log_count + _log_chernoff(sizes, weights, observed, deficit) <= _WORTH_LISTING:
        items = np.repeat(sizes, counts)
        result = count_bounded_subsets(items, 0.5 * deficit, 0.5 * tolerance)
    if result is None:
        n_against = np.searchsorted(against, sizes, "right") - np.searchsorted(against, sizes)
        log_atom = _log_binomials(counts, n_against) - log_count
        result = inversion_tail(sizes, weights, observed, deficit, log_atom=log_atom)
    return _as_tail(sign, result, None)


def _nonzero(differences: FloatArray) -> FloatArray:
    """Drop zeros and scale by a power of 2, which is exact, so that no sum overflows."""
    values = differences[differences != 0.0]
    scaled: FloatArray = np.ldexp(values, -int(np.frexp(np.abs(values).max(initial=0.0))[1]))
    return scaled


def _direction(differences: FloatArray, tolerance: float) -> tuple[int, FloatArray]:
    """Return the sign of the sum and the sizes, ascending, of the differences that oppose it."""
    total = math.fsum(differences)
    sign = 0 if abs(total) <= tolerance else int(math.copysign(1, total))
    return sign, np.sort(np.abs(differences[differences * (sign or 1) < 0.0]))


def _log_chernoff(sizes: FloatArray, weights: FloatArray, observed: float, deficit: float) -> float:
    """Return the logarithm of Chernoff's bound of the tail; minus infinity at the largest sum."""
    if deficit == 0.0:
        return -math.inf
    return tilt_to(sizes, weights, observed, deficit).log_scale


def _log_binomials(counts: IntArray, chosen: IntArray) -> float:
    """Return the logarithm of the product of binomial coefficients."""
    shared = (chosen > 0) & (chosen < counts)
    return math.fsum(
        math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
        for n, k in zip(counts[shared].tolist(), chosen[shared].tolist(), strict=True)
    )


def _as_tail(sign: int, extreme: ScaledTail, step: float | None) -> Tail:
    return Tail(sign, extreme, extreme.error, extreme.certified, extreme.method, step)
