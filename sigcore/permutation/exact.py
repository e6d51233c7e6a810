"""The tail of the sign-flip null, by whichever exact method suits the differences.

S = sum of e_i d_i, e_i fair signs, d_i the paired differences; s is the observed sum. Integers and
values on a grid go to `lattice_tail` or, if the grid is very fine, to `two_scale_tail`; a few real
values are enumerated, many are inverted numerically.
"""

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.grid import IntArray
from sigcore.permutation.curbing import Numbers
from sigcore.permutation.enumeration import MAX_HALVED, can_be_listed, meet_in_the_middle
from sigcore.permutation.inversion import inversion_tail
from sigcore.permutation.lattice_inversion import group_sizes, lattice_tail
from sigcore.permutation.real_tail import IDENTICAL, as_tail, real_tail
from sigcore.permutation.tail import ScaledTail, Tail
from sigcore.permutation.two_scales import two_scale_tail
from sigcore.permutation.units import Units, as_numbers, integer_units, real_units

__all__ = ["Tail", "enumerate_tail", "enumerate_units", "signflip_tail", "units_tail"]

# Sums below this are exact as floats.
_EXACT_SUM = 2.0**53
_LOG_2 = math.log(2.0)
# Relative error that is good enough not to look for another way.
_ACCURATE = 1e-6


def signflip_tail(
    differences: npt.ArrayLike, *, step: float = 1.0, magnitude: npt.ArrayLike | None = None
) -> Tail:
    """Compute the tail of the sign-flip null at the observed sum of differences.

    Parameters
    ----------
    differences : array_like
        One difference an item, integers or reals. Zeros are allowed and change nothing.
    step : float
        What one unit of integer differences stands for; only named in the result.
    magnitude : float or array_like, optional
        Size of the scores the differences were computed from, for all or for each; sets the
        rounding error within which a real difference is zero or on a grid. See `find_grid`.

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
    values = as_numbers(differences, "differences")
    if values.dtype.kind != "f":
        return units_tail(integer_units(values, step=step))
    sizes = np.abs(values)
    if magnitude is not None:
        sizes = np.maximum(sizes, np.asarray(magnitude, dtype=np.float64))
    return units_tail(real_units(values, sizes))


def units_tail(units: Units) -> Tail:
    """Compute the tail of the sign-flip null from numbers made ready for it."""
    if units.values.dtype.kind == "f":
        return real_tail(units.values, units.blur, rounded=units.rounded)
    tail = _integer_tail(units.values, units.step)
    if tail is None:
        # Integers beyond what can be added up, and too many of them to be listed.
        return real_tail(units.values.astype(np.float64), units.blur, rounded=True)
    return _with_doubtful_ties(tail) if units.lossy else tail


def enumerate_tail(differences: npt.ArrayLike) -> Tail:
    """Compute the tail of the sign-flip null by comparing all sums.

    For at most 44 differences other than 0, in about 2^(n/2) steps. Integers are compared exactly.
    Sums of real values that rounding errors alone may part are tied.
    """
    return enumerate_units(Units(as_numbers(differences, "differences"), None))


def enumerate_units(units: Units) -> Tail:
    """Compare all sums of numbers made ready for it, as `enumerate_tail` does."""
    values = units.values[units.values != 0]
    if values.size > MAX_HALVED:
        raise InputError(
            f"`differences` must have at most {MAX_HALVED} values other than 0 to be enumerated; "
            f'got {values.size}. Method "exact" has no such limit.'
        )
    if values.size == 0:
        return as_tail(0, IDENTICAL, units.step)
    if values.dtype.kind != "f" and can_be_listed(values):
        total = int(values.sum())
        sizes = np.abs(values)
        result = meet_in_the_middle(sizes, (int(sizes.sum()) - abs(total)) // 2)
        tail = as_tail((total > 0) - (total < 0), result, units.step)
        return _with_doubtful_ties(tail) if units.lossy else tail
    rounded = units.rounded or values.dtype.kind != "f"
    return real_tail(values.astype(np.float64), units.blur, rounded=rounded)


def _with_doubtful_ties(tail: Tail) -> Tail:
    """Count the probability of a tie as part of the error.

    Off a grid, where sums are ordered level by level, more than ties depends on what was lost.
    """
    if tail.grid_step is None:
        return replace(tail, error_bound=math.inf, certified=False)
    return replace(tail, error_bound=tail.error_bound + tail.extreme.point / tail.extreme.tail)


def _integer_tail(differences: Numbers, step: float | None) -> Tail | None:
    """Return the tail for integers, or None if they are too many and too large to be exact."""
    if differences.dtype.kind == "O":
        return _listed(differences, step)
    values, counts = group_sizes(differences)
    if not values.size:
        return as_tail(0, IDENTICAL, step)
    if float(values[-1]) * differences.size >= _EXACT_SUM:
        return _listed(differences, step)
    common = 1 if values[0] == 1 else int(np.gcd.reduce(values))
    signed_sum = int(differences.sum())
    values, observed = values // common, abs(signed_sum) // common
    result = _lattice_or_listed(values, counts, observed)
    named = None if step is None else step * common
    return as_tail((signed_sum > 0) - (signed_sum < 0), result, named)


def _listed(differences: Numbers, step: float | None) -> Tail | None:
    nonzero = differences[differences != 0]
    return enumerate_units(Units(nonzero, step)) if can_be_listed(nonzero) else None


def _lattice_or_listed(values: IntArray, counts: IntArray, observed: int) -> ScaledTail:
    sizes, weights = values.astype(np.float64), counts.astype(np.float64)
    n_items, deficit = int(counts.sum()), int(values @ counts) - observed
    # A few large integers have fewer subsets than possible sums.
    if n_items <= MAX_HALVED and 2.0 ** (n_items / 2) < deficit / 8:
        return meet_in_the_middle(np.repeat(values, counts), deficit // 2)
    result = lattice_tail(values, counts, observed)
    if result is not None:
        return result
    log_atom = -n_items * _LOG_2
    inverted = inversion_tail(
        sizes, weights, float(observed), float(deficit), log_atom=log_atom, spacing=2.0
    )
    if inverted.error <= _ACCURATE:
        return inverted
    apart = two_scale_tail(values, counts, observed)
    return inverted if apart is None or apart.error > inverted.error else apart
