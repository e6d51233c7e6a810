"""Monte Carlo sign-flip test: Algorithm 1 of Zmigrod et al. (2022), in bounded memory."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import betaincinv, gammaln, xlogy

from sigcore.grid import tie_tolerance
from sigcore.permutation.curbing import Numbers
from sigcore.permutation.shared_signs import coin_flips

__all__ = ["Draws", "confidence_sequence", "draw_sums", "exact_interval"]

_CHUNK = 1 << 22
# Draws between two looks at whether the test is decided.
_LOOK = 500
# Sums of integers below these sizes are exact; single precision is the fastest. One bit is left
# for the difference of two sums.
_EXACT_TYPES = ((2.0**24, np.float32), (2.0**52, np.float64), (2.0**60, np.int64))


@dataclass(frozen=True, slots=True)
class Draws:
    """How many random sums were at least as extreme as the observed one.

    Attributes
    ----------
    beyond : int
        Draws strictly more extreme.
    tied : int
        Draws exactly as extreme.
    n_drawn : int
        Draws made.
    """

    beyond: int
    tied: int
    n_drawn: int

    def pvalue(self, *, ties: str, estimator: str) -> float:
        """Return the share of draws, with the observed one among them for "plus-one".

        Tied draws, and the observed one, count half for ties "mid".
        """
        weight = 0.5 if ties == "mid" else 1.0
        count = self.beyond + weight * self.tied
        if estimator == "plain":
            return count / self.n_drawn
        return (count + weight) / (self.n_drawn + 1)


def draw_sums(
    differences: Numbers,
    *,
    alternative: str,
    n_resamples: int,
    rng: np.random.Generator,
    alpha: float | None = None,
    risk: float = 1e-3,
) -> Draws:
    """Draw random signs and compare the signed sums with the observed one.

    Parameters
    ----------
    differences : ndarray
        Integers are compared exactly; real sums that rounding errors alone part are tied.
    alternative : {"two-sided", "greater", "less"}
        What counts as extreme.
    n_resamples : int
        Largest number of draws.
    rng : numpy.random.Generator
        Source of the signs.
    alpha : float, optional
        Stop as soon as it is decided on which side of this level the p-value lies.
    risk : float
        Probability of deciding wrongly, at most.
    """
    nonzero = differences[differences != 0]
    slack = tie_tolerance(nonzero) if nonzero.dtype.kind == "f" else 0
    values = nonzero.astype(_exact_type(nonzero))
    observed = _extremeness(nonzero.sum(keepdims=True), alternative)[0]
    size = max(1, _CHUNK // max(1, values.size))
    size = size if alpha is None else min(size, _LOOK)
    wide = np.float64 if values.dtype == np.float32 else values.dtype
    beyond = tied = n_drawn = 0
    while n_drawn < n_resamples:
        coins = coin_flips(rng, min(size, n_resamples - n_drawn), values.size)
        sums = 2 * (coins.astype(values.dtype) @ values).astype(wide) - nonzero.sum()
        gap = _extremeness(sums, alternative) - observed
        beyond += int(np.count_nonzero(gap > slack))
        tied += int(np.count_nonzero(np.abs(gap) <= slack))
        n_drawn += len(coins)
        if alpha is not None and _log_mixture(beyond + tied, n_drawn, alpha) <= math.log(risk):
            break
    return Draws(beyond, tied, n_drawn)


def exact_interval(draws: Draws, *, ties: str, confidence: float = 0.95) -> tuple[float, float]:
    """Return the interval of Clopper and Pearson (1934) for the p-value that was sampled.

    For ties "mid" it reaches from the lower limit without the tied draws to the upper with them.
    """
    most, n_drawn = draws.beyond + draws.tied, draws.n_drawn
    least = draws.beyond if ties == "mid" else most
    tail = 0.5 * (1.0 - confidence)
    low = float(betaincinv(least, n_drawn - least + 1, tail)) if least else 0.0
    high = float(betaincinv(most + 1, n_drawn - most, 1.0 - tail)) if most < n_drawn else 1.0
    return low, high


def confidence_sequence(draws: Draws, *, ties: str, risk: float) -> tuple[float, float]:
    """Return limits that hold for all numbers of draws together, so that stopping may depend on it.

    The p-values with (n + 1) P(count draws out of n) > risk; with probability 1 - risk the true
    one is never excluded (Robbins 1970, Lai 1976).
    """
    most = draws.beyond + draws.tied
    least = draws.beyond if ties == "mid" else most
    return _boundary(least, draws.n_drawn, risk, 0.0), _boundary(most, draws.n_drawn, risk, 1.0)


def _exact_type(differences: Numbers) -> np.dtype[Any]:
    """Return the fastest type that adds the differences up exactly, or floats."""
    if differences.dtype.kind == "f":
        return np.dtype(np.float64)
    total = float(np.abs(differences).astype(np.float64).sum())
    fitting = (kind for limit, kind in _EXACT_TYPES if total < limit)
    return np.dtype(next(fitting, np.object_))


def _extremeness(sums: Numbers, alternative: str) -> Numbers:
    if alternative == "two-sided":
        return np.abs(sums)
    return sums if alternative == "greater" else -sums


def _log_mixture(count: int, n_drawn: int, share: float) -> float:
    """Return the logarithm of (n + 1) times the binomial probability of `count`."""
    log_choose = gammaln(n_drawn + 1) - gammaln(count + 1) - gammaln(n_drawn - count + 1)
    log_mass = log_choose + xlogy(count, share) + xlogy(n_drawn - count, 1.0 - share)
    return float(math.log(n_drawn + 1) + log_mass)


def _boundary(count: int, n_drawn: int, risk: float, end: float) -> float:
    """Find by bisection where the confidence sequence ends between the estimate and `end`."""
    inside, outside = count / n_drawn, end
    if inside == outside:
        return end
    for _ in range(60):
        middle = 0.5 * (inside + outside)
        if _log_mixture(count, n_drawn, middle) > math.log(risk):
            inside = middle
        else:
            outside = middle
    return outside
