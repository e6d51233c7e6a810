"""Nodes and weights to integrate over a beta distribution, sharp or wide, without log-beta.

The variable is the log-odds t = log(z / (1 - z)). There the density is log-concave and smooth also
when a parameter is 1, and both z and 1 - z keep their digits. The weights are normalised to sum
to 1, so that log-beta, which has lost 8 digits at counts of 1e8, is not needed.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import digamma, expit, polygamma

__all__ = ["BetaNodes", "beta_nodes", "log_odds_edges"]

FloatArray = npt.NDArray[np.float64]

# The density falls below 1e-17 of its peak within 40 sd in all cases: the tails of t are no
# heavier than exponential, with a rate of at least 1/sd.
N_SD = 40
N_NODES = 16
LEGENDRE_NODES, LEGENDRE_WEIGHTS = np.polynomial.legendre.leggauss(N_NODES)


class BetaNodes(NamedTuple):
    """Nodes `z`, their complements 1 - z to full relative precision, and weights of sum 1."""

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
        Gauss-Legendre nodes on panels no wider than one standard deviation.
    """
    panels = log_odds_edges(a, b)
    if edges is not None:
        inside = edges[(edges > panels[0]) & (edges < panels[-1])]
        panels = np.unique(np.concatenate([panels, inside]))
    half = np.diff(panels)[:, None] / 2
    middle = (panels[:-1] + panels[1:])[:, None] / 2
    log_odds = (middle + half * LEGENDRE_NODES).ravel()
    mode = np.log(a) - np.log(b)
    weight = (half * LEGENDRE_WEIGHTS).ravel() * np.exp(_log_density(a, b, log_odds - mode))
    return BetaNodes(expit(log_odds), expit(-log_odds), weight / weight.sum())


def log_odds_edges(a: float, b: float) -> FloatArray:
    """Return panel edges that resolve the log-odds of Beta(a, b) around its mean."""
    mean = digamma(a) - digamma(b)
    sd = np.sqrt(polygamma(1, a) + polygamma(1, b))
    steps = np.arange(-N_SD, N_SD + 1)
    # The log density has complex poles at distance pi: panels wider than 1 would see them.
    return np.unique(mean + np.concatenate([steps * sd, steps * min(sd, 1.0)]))


def _log_density(a: float, b: float, distance: FloatArray) -> FloatArray:
    # Log density of the log-odds relative to its mode log(a/b), at mode + distance. With
    # p = a/(a+b), q = b/(a+b) it is a d - (a+b) log(p e^d + q), or with e^d taken out of the
    # logarithm -b d - (a+b) log(p + q e^-d). The form with the smaller of p, q under the
    # exponential loses no digits when one parameter is huge and the other is not.
    if a < b:
        return _log_density(b, a, -distance)
    p, q = a / (a + b), b / (a + b)
    near = np.maximum(distance, -30.0)
    far = np.minimum(distance, -30.0)
    return np.where(
        distance > -30.0,
        -b * near - (a + b) * np.log1p(q * np.expm1(-near)),
        a * far - (a + b) * np.log1p(p * np.expm1(far)),
    )
