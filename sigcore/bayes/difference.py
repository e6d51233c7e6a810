"""Probability that the measure of one model exceeds that of another, from their posteriors.

The posteriors are taken as independent, as in the paper, although both models are trained and
validated on the same folds.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from sigcore.bayes.posterior import Posterior
from sigcore.bayes.quadrature import beta_nodes, log_odds_edges
from sigcore.errors import InputError
from sigcore.seeding import generator
from sigcore.validation import as_count

__all__ = ["HypothesisProbabilities", "compare_posteriors", "sample_posteriors"]

FloatArray = npt.NDArray[np.float64]

# Of the quadrature; probabilities that differ by less are equal.
ACCURACY = 1e-9


@dataclass(frozen=True, slots=True)
class HypothesisProbabilities:
    """Probabilities of the hypotheses on the difference B - A.

    Attributes
    ----------
    h0 : float
        B - A <= 0; with a region of practical equivalence, B - A < -rope.
    h1 : float
        B - A > rope.
    rope : float
        -rope <= B - A <= rope; 0 without a region.
    """

    h0: float
    h1: float
    rope: float

    @property
    def decision(self) -> str:
        """The most probable hypothesis, "H0", "H1" or "rope"; H0 if it ties with H1."""
        if self.rope > max(self.h0, self.h1):
            return "rope"
        return "H0" if self.h0 >= self.h1 - ACCURACY else "H1"


def compare_posteriors(
    posterior_a: Posterior, posterior_b: Posterior, *, rope: float = 0.0
) -> HypothesisProbabilities:
    """Compute the probabilities of the hypotheses by quadrature.

    Parameters
    ----------
    posterior_a, posterior_b : Posterior
        Posteriors of the same measure.
    rope : float
        Half-width of the region of practical equivalence, on the scale of the measure.

    Returns
    -------
    HypothesisProbabilities
        Exact to 1e-9 for counts up to 1e8; small probabilities are relatively accurate too.

    Notes
    -----
    P(H0) = P(B - A <= 0). Algorithm 1 (line 17) and equations 32 and 33 of Wang & Li (2019) print
    P(A - B <= 0), which is P(H1); the tables of the paper have the sign used here.

    Examples
    --------
    >>> twin = Posterior("recall", 5.0, 3.0)
    >>> round(compare_posteriors(twin, twin).h0, 12)
    0.5
    """
    _validate(posterior_a, posterior_b, rope)
    h0, above = _split(posterior_a, posterior_b, -rope)
    if rope == 0:
        return HypothesisProbabilities(h0, above, 0.0)
    below, h1 = _split(posterior_a, posterior_b, rope)
    return HypothesisProbabilities(h0, h1, max(0.0, below - h0))


def sample_posteriors(
    posterior_a: Posterior,
    posterior_b: Posterior,
    *,
    rope: float = 0.0,
    n_draws: int = 1_000_000,
    seed: int = 0,
) -> HypothesisProbabilities:
    """Estimate the probabilities of the hypotheses by Monte Carlo, as the paper does.

    Parameters
    ----------
    posterior_a, posterior_b, rope
        See `compare_posteriors`.
    n_draws : int
        Number of independent pairs, L in the paper.
    seed : int
        Seed of the draws.

    Returns
    -------
    HypothesisProbabilities
        Shares of the draws.
    """
    _validate(posterior_a, posterior_b, rope)
    count = as_count(n_draws, "n_draws", minimum=1)
    difference = _draw(posterior_b, "B", count, seed) - _draw(posterior_a, "A", count, seed)
    h1 = int(np.count_nonzero(difference > rope))
    if rope == 0:
        return HypothesisProbabilities((count - h1) / count, h1 / count, 0.0)
    h0 = int(np.count_nonzero(difference < -rope))
    return HypothesisProbabilities(h0 / count, h1 / count, (count - h0 - h1) / count)


def _validate(posterior_a: Posterior, posterior_b: Posterior, rope: float) -> None:
    if posterior_a.measure != posterior_b.measure:
        raise InputError(
            "`posterior_a` and `posterior_b` must be of one measure; got "
            f"{posterior_a.measure!r} and {posterior_b.measure!r}."
        )
    if not 0.0 <= rope < 1.0:
        raise InputError(f"`rope` must be at least 0 and below 1; got {rope}.")


def _split(a: Posterior, b: Posterior, margin: float) -> tuple[float, float]:
    # P(B - A <= margin) and P(B - A > margin). The order of integration is fixed by the
    # parameters, so that exchanging the models exchanges the results to the last digit.
    if a == b and margin == 0:
        return 0.5, 0.5
    if (b.a, b.b) < (a.a, a.b):
        at_most, over = _split(b, a, -margin)
        return over, at_most
    edges = np.concatenate([[-np.inf], log_odds_edges(b.a, b.b), [np.inf]])
    z, complement, weight = beta_nodes(a.a, a.b, edges=_move_log_odds(b, edges, -margin))
    below, above = b.tails(*_move(b, z, complement, margin))
    at_most, over = float(weight @ below), float(weight @ above)
    # The smaller one has all its digits; the larger one is what it leaves, so that they add up.
    return (at_most, 1 - at_most) if at_most < over else (1 - over, over)


def _move_log_odds(posterior: Posterior, log_odds: FloatArray, margin: float) -> FloatArray:
    # Where a value of log-odds lands when the measure is moved by the margin; values that leave
    # (0, 1) are dropped.
    values, complement = _move(posterior, expit(log_odds), expit(-log_odds), margin)
    z, rest = posterior.to_beta(values, complement)
    inside = (z > 0) & (rest > 0)
    return np.asarray(np.log(z[inside]) - np.log(rest[inside]))


def _move(
    posterior: Posterior, z: FloatArray, complement: FloatArray, margin: float
) -> tuple[FloatArray, FloatArray]:
    value, rest = posterior.from_beta(z, complement)
    return np.clip(value + margin, 0.0, 1.0), np.clip(rest - margin, 0.0, 1.0)


def _draw(posterior: Posterior, model: str, count: int, seed: int) -> FloatArray:
    z = generator(seed, "bayes-test", posterior.measure, model).beta(
        posterior.a, posterior.b, count
    )
    return posterior.from_beta(z, 1 - z)[0]
