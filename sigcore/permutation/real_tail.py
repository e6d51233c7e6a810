"""The tail of the sign-flip null for real differences: enumerated if few, else inverted.

Sums of floats that are equal on paper differ by rounding errors, so sums that close count as tied.
Some are tied for certain: the observed one, and those in which only items of equal size have
changed places. Any others make the error reported.
"""

import math
from dataclasses import dataclass

import numpy as np

from sigcore.grid import IntArray, tie_tolerance
from sigcore.permutation.enumeration import (
    MAX_HALVED,
    MAX_LISTED,
    count_bounded_subsets,
    meet_in_the_middle,
)
from sigcore.permutation.inversion import inversion_tail
from sigcore.permutation.tail import ScaledTail, Tail
from sigcore.permutation.tilting import tilt_to
from sigcore.validation import FloatArray

__all__ = ["IDENTICAL", "as_tail", "real_tail"]

IDENTICAL = ScaledTail(1.0, 1.0, 0.0, 0.0, "identical")

_LOG_2 = math.log(2.0)
_LOG_MAX_LISTED = math.log(MAX_LISTED)
# Chernoff's bound exceeds the number of subsets by a factor of up to a hundred or so.
_WORTH_LISTING = math.log(100.0) + _LOG_MAX_LISTED


@dataclass(frozen=True, slots=True)
class _Observed:
    """Differences other than 0 and their sum.

    Attributes
    ----------
    sign : int
        Sign of the sum; 0 if rounding errors explain it.
    sizes, counts, n_against : ndarray
        Distinct sizes, ascending, how often each occurs, and how often against the sum.
    total : float
        The sum itself.
    against : float
        Sum of the sizes that oppose it.
    tolerance : float
        Half the distance at which two signed sums count as tied.
    """

    sign: int
    sizes: FloatArray
    counts: IntArray
    n_against: IntArray
    total: float
    against: float
    tolerance: float

    @property
    def items(self) -> FloatArray:
        """All sizes, ascending."""
        return np.repeat(self.sizes, self.counts)

    @property
    def log_alike(self) -> float:
        """Logarithm of the number of sign choices that only exchange items of equal size."""
        shared = (self.n_against > 0) & (self.n_against < self.counts)
        return math.fsum(
            math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
            for n, k in zip(
                self.counts[shared].tolist(), self.n_against[shared].tolist(), strict=True
            )
        )

    def n_alike(self) -> int:
        """Count the sign choices whose sum is the observed one for certain."""
        pairs = zip(self.counts.tolist(), self.n_against.tolist(), strict=True)
        n_exchanged = math.prod(math.comb(n, k) for n, k in pairs)
        # A sum of exactly 0 stays when all signs turn.
        turned = self.total == 0.0 and bool(np.any(2 * self.n_against != self.counts))
        return 2 * n_exchanged if turned else n_exchanged


def real_tail(differences: FloatArray, blur: float = 0.0, *, rounded: bool = False) -> Tail:
    """Compute the tail of the sign-flip null for real differences.

    Parameters
    ----------
    differences : ndarray
        Real values; zeros change nothing.
    blur : float
        Rounding error that a sum of differences may carry from the numbers these come from.
    rounded : bool
        Whether the differences themselves are rounded, so that equal ones need not be equal.
    """
    nonzero = differences[differences != 0.0]
    if nonzero.size == 0:
        return as_tail(0, IDENTICAL, None)
    observed = _observe(nonzero, blur)
    if nonzero.size <= MAX_HALVED:
        result = meet_in_the_middle(
            observed.items,
            observed.against,
            observed.tolerance,
            n_alike=1 if rounded else observed.n_alike(),
        )
    else:
        result = _few_subsets(observed, rounded) or _inverted(observed)
    return as_tail(observed.sign, result, None)


def as_tail(sign: int, extreme: ScaledTail, step: float | None) -> Tail:
    """Return the tail at a sum of some sign from the tail at its absolute value."""
    return Tail(sign, extreme, extreme.error, extreme.certified, extreme.method, step)


def _observe(nonzero: FloatArray, blur: float) -> _Observed:
    # Scaled by a power of 2, which is exact, no sum overflows.
    shift = -math.frexp(float(np.abs(nonzero).max()))[1]
    scaled = np.ldexp(nonzero, shift)
    # Adding up one after another errs by up to n eps / 2, n being 22 at most.
    tolerance = 2.0 * tie_tolerance(scaled) + math.ldexp(blur, shift)
    total = math.fsum(scaled)
    sign = 0 if abs(total) <= tolerance else int(math.copysign(1, total))
    sizes, group, counts = np.unique(np.abs(scaled), return_inverse=True, return_counts=True)
    opposed = scaled * (sign or 1) < 0.0
    n_against = np.bincount(group[opposed], minlength=sizes.size)
    against = math.fsum(np.abs(scaled[opposed]))
    return _Observed(sign, sizes, counts, n_against, total, against, tolerance)


def _few_subsets(observed: _Observed, rounded: bool) -> ScaledTail | None:
    """List the sign choices of a sum so far out that there are few; None if there are many."""
    weights = observed.counts.astype(np.float64)
    deficit = 2.0 * observed.against
    if deficit > 0.0:
        extreme = abs(observed.total) if observed.sign else 0.0
        # Chernoff's bound of the number of sign choices.
        log_bound = tilt_to(observed.sizes, weights, extreme, deficit).log_scale
        if log_bound + weights.sum() * _LOG_2 > _WORTH_LISTING:
            return None
    if observed.log_alike > _LOG_MAX_LISTED:
        return None
    n_alike = 1 if rounded else observed.n_alike()
    return count_bounded_subsets(
        observed.items, observed.against, observed.tolerance, n_alike=n_alike
    )


def _inverted(observed: _Observed) -> ScaledTail:
    weights = observed.counts.astype(np.float64)
    return inversion_tail(
        observed.sizes,
        weights,
        abs(observed.total) if observed.sign else 0.0,
        2.0 * observed.against,
        log_atom=observed.log_alike - float(weights.sum()) * _LOG_2,
    )
