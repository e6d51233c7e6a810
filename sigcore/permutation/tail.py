"""Tails of the sign-flip null, kept on a scale where they do not underflow."""

import math
from dataclasses import dataclass

__all__ = ["ScaledTail", "Tail"]


@dataclass(frozen=True, slots=True)
class ScaledTail:
    """Upper tail of S at a sum s >= 0, scaled so that it never underflows.

    Attributes
    ----------
    tail, point : float
        P(S >= s) and P(S = s), both divided by exp(`log_scale`).
    log_scale : float
        The scale.
    error : float
        Bound on the error of both, relative to P(S >= s).
    method : str
        How it was found.
    certified : bool
        True if `error` is a bound, False if it is an estimate.
    """

    tail: float
    point: float
    log_scale: float
    error: float
    method: str
    certified: bool = True


@dataclass(frozen=True, slots=True)
class Tail:
    """Tail of the sign-flip null at the observed sum s of differences.

    Attributes
    ----------
    sign : int
        Sign of s: -1, 0 or 1.
    extreme : ScaledTail
        The tail at the absolute value of s, which every other probability follows from.
    error_bound : float
        Relative error of P(S >= abs(s)) and, on the same scale, of P(S = s).
    certified : bool
        True if `error_bound` is a bound, False if it is an estimate.
    method : str
        How it was found: "lattice", "fourier", "count", "enumerate", "inversion" or "identical".
    grid_step : float or None
        Step of the grid the differences lie on; None for real values off any grid.
    """

    sign: int
    extreme: ScaledTail
    error_bound: float
    certified: bool
    method: str
    grid_step: float | None

    @property
    def log_upper(self) -> float:
        """Return log P(S >= s)."""
        return self.probability("greater", "ge")[1]

    @property
    def log_point(self) -> float:
        """Return log P(S = s); minus infinity if it is too small beside P(S >= s) to be seen."""
        point = self.extreme.point
        return math.log(point) + self.extreme.log_scale if point > 0.0 else -math.inf

    def probability(self, alternative: str, ties: str) -> tuple[float, float]:
        """Return a p-value and its logarithm.

        Parameters
        ----------
        alternative : {"two-sided", "greater", "less"}
            Which sums count as extreme: abs(S) >= abs(s), S >= s or S <= s.
        ties : {"ge", "mid"}
            Whether sums equal to the observed one count in full or half.
        """
        tail, point = self.extreme.tail, self.extreme.point
        counted = 0.5 * point if ties == "mid" else 0.0
        if alternative == "two-sided":
            if self.sign == 0:
                return _complement(counted, self.extreme.log_scale)
            return _scaled(2.0 * (tail - counted), self.extreme.log_scale)
        towards = self.sign if alternative == "greater" else -self.sign
        if towards >= 0:
            return _scaled(tail - counted, self.extreme.log_scale)
        return _complement(tail - point + counted, self.extreme.log_scale)


def _scaled(mass: float, log_scale: float) -> tuple[float, float]:
    log_mass = math.log(mass) + log_scale if mass > 0.0 else -math.inf
    return min(1.0, mass * math.exp(log_scale)), min(0.0, log_mass)


def _complement(mass: float, log_scale: float) -> tuple[float, float]:
    removed = max(0.0, mass * math.exp(log_scale))
    return 1.0 - removed, math.log1p(-removed)
