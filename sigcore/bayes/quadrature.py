"""Nodes and weights to integrate over a beta distribution, sharp or wide, without log-beta.

The variable is the log-odds t = log(z / (1 - z)). There the density is log-concave and smooth also
when a parameter is 1 or less, and both z and 1 - z keep their digits. With a parameter of 0.001
most of the distribution lies where z or 1 - z is smaller than any floating-point number; t is not.
The weights are normalised to sum to 1, so that log-beta, which has lost 8 digits at counts of 1e8,
is not needed.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, betaincc, expit, polygamma

__all__ = ["BetaNodes", "beta_nodes", "beta_tails", "expect_far_out", "log_odds_edges"]

FloatArray = npt.NDArray[np.float64]

# The density falls below 1e-17 of its peak within 40 spreads in all cases: the tails of t are no
# heavier than exponential, with a rate of at least 1/spread.
N_SPREADS = 40
# Where z = exp(t) to all digits; the floating-point numbers end at exp(-745).
FAR = 500.0
N_NODES = 16
N_ZOOMS = 60  # each to a quarter of the width
# Panels around a peak: equal ones beside it, then each longer than the last by this factor.
N_EQUAL, GROWTH = 10, 1.1
LEGENDRE_NODES, LEGENDRE_WEIGHTS = np.polynomial.legendre.leggauss(N_NODES)


class BetaNodes(NamedTuple):
    """Nodes as log-odds, as `z` and as its complement 1 - z, and weights of sum 1."""

    log_odds: FloatArray
    z: FloatArray
    complement: FloatArray
    weight: FloatArray


def beta_nodes(a: float, b: float, *, edges: FloatArray | None = None) -> BetaNodes:
    """Return nodes and weights for expectations over Beta(a, b).

    Parameters
    ----------
    a, b : float
        Parameters of the beta distribution.
    edges : ndarray, optional
        Further places, in log-odds, where the integrand bends sharply: panels end there.

    Returns
    -------
    BetaNodes
        Gauss-Legendre nodes on the panels of `log_odds_edges`. The complements keep their digits
        where z is close to 1.
    """
    panels = log_odds_edges(a, b)
    if edges is not None:
        inside = edges[(edges > panels[0]) & (edges < panels[-1])]
        panels = np.unique(np.concatenate([panels, inside]))
    log_odds, weight = _legendre(panels)
    weight *= np.exp(_log_density(a, b, log_odds))
    return BetaNodes(log_odds, expit(log_odds), expit(-log_odds), weight / weight.sum())


def expect_far_out(
    a: float, b: float, tail: Callable[[FloatArray], FloatArray], *, edges: FloatArray
) -> float:
    """Return the expectation over Beta(a, b) of a tail that is tiny wherever the density is not.

    Parameters
    ----------
    a, b : float
        Parameters of the beta distribution.
    tail : callable
        Gives the probability below, or above, values given as log-odds.
    edges : ndarray
        Places, in log-odds, that resolve the tail around its centre.

    Returns
    -------
    float
        0 if it is less than a floating-point number can be.

    Notes
    -----
    The peak of the product of density and tail lies between their centres, where `beta_nodes` may
    have no nodes; here panels are laid around it. It may be steep on one side and slow on the
    other, so the panels grow with the distance.
    """

    def log_product(log_odds: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore"):
            return np.asarray(_log_density(a, b, log_odds) + np.log(tail(log_odds)))

    places = np.unique(np.concatenate([log_odds_edges(a, b), edges[np.isfinite(edges)]]))
    grid = places
    for _ in range(N_ZOOMS):
        values = log_product(grid)
        best = int(np.argmax(values))
        low, high = max(best - 1, 0), min(best + 1, len(grid) - 1)
        centre, width, peak = grid[best], (grid[high] - grid[low]) / 2, values[best]
        if peak == -np.inf:
            return 0.0
        if peak - min(values[low], values[high]) < 1:
            break
        grid = np.unique(np.append(np.linspace(grid[low], grid[high], 9), centre))
    steps = _growing(width, places[-1] - places[0])
    log_odds, weight = _legendre(
        np.unique(np.concatenate([places, centre - steps, centre + steps]))
    )
    found = weight @ np.exp(log_product(log_odds) - peak)
    all_log_odds, all_weight = _legendre(log_odds_edges(a, b))
    mass = all_weight @ np.exp(_log_density(a, b, all_log_odds))
    return float(np.exp(peak) * found / mass)


def beta_tails(a: float, b: float, log_odds: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the probabilities that Beta(a, b) lies below and above values given as log-odds."""
    near = np.clip(log_odds, -FAR, FAR)
    z, complement = expit(near), expit(-near)
    below = np.where(near < 0, betainc(a, b, z), betaincc(b, a, complement))
    above = np.where(near < 0, betaincc(a, b, z), betainc(b, a, complement))
    # Further out the smaller tail is a power of z or of 1 - z.
    lower, upper = log_odds < -FAR, log_odds > FAR
    below = np.where(lower, below * np.exp(a * np.minimum(log_odds + FAR, 0.0)), below)
    above = np.where(upper, above * np.exp(-b * np.maximum(log_odds - FAR, 0.0)), above)
    return np.where(upper, 1 - above, below), np.where(lower, 1 - below, above)


def log_odds_edges(a: float, b: float) -> FloatArray:
    """Return panel edges that resolve the log-odds of Beta(a, b) around its centre.

    The log-odds are a difference of the logarithms of two gamma variables, of shapes a and b. Such
    a logarithm has an exponential tail on its left, of rate a, and a short one on its right, so the
    parameters below 1 stretch one side each.
    """
    centre = np.log(max(a, 1.0)) - np.log(max(b, 1.0))
    spread_a, spread_b = np.sqrt(polygamma(1, a)), np.sqrt(polygamma(1, b))
    left = np.hypot(spread_a, min(spread_b, 1.0))
    right = np.hypot(min(spread_a, 1.0), spread_b)
    # The log density has complex poles at distance pi: panels wider than 1 would see them.
    fine = min(left, right, 1.0)
    steps = np.arange(N_SPREADS + 1)
    offsets = np.concatenate([-steps * left, -steps * fine, steps * fine, steps * right])
    return np.unique(centre + offsets)


def _growing(width: float, reach: float) -> FloatArray:
    """Return distances from 0 to `reach`, the first ones `width` apart, the others ever more."""
    near = width * np.arange(N_EQUAL + 1)
    n_far = max(0, int(np.ceil(np.log(reach / near[-1]) / np.log(GROWTH))))
    return np.append(near, near[-1] * GROWTH ** np.arange(1, n_far + 1))


def _legendre(edges: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return nodes and weights of Gauss-Legendre quadrature on the panels between edges."""
    half = np.diff(edges)[:, None] / 2
    middle = (edges[:-1] + edges[1:])[:, None] / 2
    return (middle + half * LEGENDRE_NODES).ravel(), (half * LEGENDRE_WEIGHTS).ravel()


def _log_density(a: float, b: float, log_odds: FloatArray) -> FloatArray:
    """Return the log density of the log-odds relative to that of their mode log(a/b)."""
    return _log_density_at(a, b, log_odds - (np.log(a) - np.log(b)))


def _log_density_at(a: float, b: float, distance: FloatArray) -> FloatArray:
    # Log density of the log-odds relative to its mode log(a/b), at mode + distance. With
    # p = a/(a+b), q = b/(a+b) it is a d - (a+b) log(p e^d + q), or with e^d taken out of the
    # logarithm -b d - (a+b) log(p + q e^-d). The form with the smaller of p, q under the
    # exponential loses no digits when one parameter is huge and the other is not; far to the left
    # p e^d and q are added as logarithms, as q may be too small to be the rest of p to 1.
    if a < b:
        return _log_density_at(b, a, -distance)
    p, q = a / (a + b), b / (a + b)
    near = np.maximum(distance, -30.0)
    far = np.minimum(distance, -30.0)
    return np.where(
        distance > -30.0,
        -b * near - (a + b) * np.log1p(q * np.expm1(-near)),
        a * far - (a + b) * np.logaddexp(np.log(p) + far, np.log(q)),
    )
