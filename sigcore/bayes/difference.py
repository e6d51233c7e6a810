"""Probability that the measure of one model exceeds that of another, from their posteriors.

The posteriors are taken as independent, as in the paper, although both models are trained and
validated on the same folds.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from sigcore.bayes.posterior import Posterior
from sigcore.bayes.quadrature import beta_nodes, beta_tails, expect_far_out, log_odds_edges
from sigcore.errors import InputError
from sigcore.seeding import generator
from sigcore.validation import as_count, as_number

__all__ = ["HypothesisProbabilities", "compare_posteriors", "sample_posteriors"]

FloatArray = npt.NDArray[np.float64]

# Of the quadrature; probabilities that differ by less are equal.
ACCURACY = 1e-9
# The quadrature ends where the density of one model is 1e-17 of its peak; what lies further out is
# all of a smaller probability than this.
_FAR = 1e-15
_MOST_DRAWS = 100_000_000  # of Monte Carlo
_DRAWS = 1 << 20  # held in memory at once


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
        Exact to 1e-9 for counts up to 1e8 and priors from 1e-100. Small probabilities are
        relatively accurate too, down to 1e-300; what is smaller is 0.

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
    region = _validate(posterior_a, posterior_b, rope)
    h0, above = _split(posterior_a, posterior_b, -region)
    if region == 0:
        return HypothesisProbabilities(h0, above, 0.0)
    below, h1 = _split(posterior_a, posterior_b, region)
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
        Number of independent pairs, L in the paper; 1e8 at most.
    seed : int
        Seed of the draws.

    Returns
    -------
    HypothesisProbabilities
        Shares of the draws.

    Notes
    -----
    The draws are log-odds of the beta variables, differences of the logarithms of two gamma
    variables each. A prior of 0.02 and no errors put half of Z within 1e-16 of 1, where draws of
    Z itself are ties.
    """
    region = _validate(posterior_a, posterior_b, rope)
    count = as_count(n_draws, "n_draws", minimum=1)
    if count > _MOST_DRAWS:
        raise InputError(
            f"`n_draws` must be at most {_MOST_DRAWS}; got {count}. Quadrature has no such error."
        )
    generators = [generator(seed, "bayes-test", posterior_a.measure, model) for model in ("A", "B")]
    h0 = h1 = 0
    for start in range(0, count, _DRAWS):
        size = min(_DRAWS, count - start)
        draws_a, draws_b = (
            _draw_log_odds(posterior, size, rng)
            for posterior, rng in zip((posterior_a, posterior_b), generators, strict=True)
        )
        if region == 0:
            difference = draws_b - draws_a
        else:
            difference = _difference(posterior_a, draws_a, draws_b)
        h0 += int(np.count_nonzero(difference < -region))
        h1 += int(np.count_nonzero(difference > region))
    if region == 0:
        h0 = count - h1
    return HypothesisProbabilities(h0 / count, h1 / count, (count - h0 - h1) / count)


def _validate(posterior_a: Posterior, posterior_b: Posterior, rope: float) -> float:
    if posterior_a.measure != posterior_b.measure:
        raise InputError(
            "`posterior_a` and `posterior_b` must be of one measure; got "
            f"{posterior_a.measure!r} and {posterior_b.measure!r}."
        )
    region = as_number(rope, "rope")
    if not 0.0 <= region < 1.0:
        raise InputError(f"`rope` must be at least 0 and below 1; got {rope}.")
    return region


def _split(a: Posterior, b: Posterior, margin: float) -> tuple[float, float]:
    # P(B - A <= margin) and P(B - A > margin). The order of integration is fixed by the
    # parameters, so that exchanging the models exchanges the results to the last digit.
    if a == b and margin == 0:
        return 0.5, 0.5
    if (b.a, b.b) < (a.a, a.b):
        at_most, over = _split(b, a, -margin)
        return over, at_most
    edges = np.concatenate([[-np.inf], log_odds_edges(b.a, b.b), [np.inf]])
    moved = _move_log_odds(b, edges, -margin)
    nodes = beta_nodes(a.a, a.b, edges=moved)
    below, above = _tails(b, nodes.log_odds, margin)
    at_most, over = float(nodes.weight @ below), float(nodes.weight @ above)
    # The smaller one has all its digits; the larger one is what it leaves, so that they add up.
    side = int(over <= at_most)
    smaller = min(at_most, over)
    if smaller < _FAR:
        smaller = expect_far_out(
            a.a, a.b, lambda log_odds: _tails(b, log_odds, margin)[side], edges=moved
        )
    return (1 - smaller, smaller) if side else (smaller, 1 - smaller)


def _tails(posterior: Posterior, log_odds: FloatArray, margin: float) -> tuple[FloatArray, ...]:
    # Probabilities below and above values given as log-odds and moved by the margin.
    if margin == 0:
        return beta_tails(posterior.a, posterior.b, log_odds)
    return posterior.tails(*_move(posterior, expit(log_odds), expit(-log_odds), margin))


def _move_log_odds(posterior: Posterior, log_odds: FloatArray, margin: float) -> FloatArray:
    # Where a value of log-odds lands when the measure is moved by the margin; values that leave
    # (0, 1) are dropped.
    if margin == 0:
        return log_odds
    values, complement = _move(posterior, expit(log_odds), expit(-log_odds), margin)
    z, rest = posterior.to_beta(values, complement)
    inside = (z > 0) & (rest > 0)
    return np.asarray(np.log(z[inside]) - np.log(rest[inside]))


def _move(
    posterior: Posterior, z: FloatArray, complement: FloatArray, margin: float
) -> tuple[FloatArray, FloatArray]:
    value, rest = posterior.from_beta(z, complement)
    return np.clip(value + margin, 0.0, 1.0), np.clip(rest - margin, 0.0, 1.0)


def _draw_log_odds(posterior: Posterior, count: int, rng: np.random.Generator) -> FloatArray:
    return _draw_log_gamma(posterior.a, count, rng) - _draw_log_gamma(posterior.b, count, rng)


def _draw_log_gamma(shape: float, count: int, rng: np.random.Generator) -> FloatArray:
    # G(a) is G(a + 1) U^(1/a). For a small a it is mostly less than any floating-point number;
    # its logarithm is not. Draws of Z itself would be 0 or 1 and tie.
    larger, uniform = rng.standard_gamma(shape + 1, count), rng.standard_exponential(count)
    return np.asarray(np.log(larger) - uniform / shape)


def _difference(posterior: Posterior, draws_a: FloatArray, draws_b: FloatArray) -> FloatArray:
    # B - A; near 1 from what is left to 1, which has more digits.
    value_a, rest_a = posterior.from_beta(expit(draws_a), expit(-draws_a))
    value_b, rest_b = posterior.from_beta(expit(draws_b), expit(-draws_b))
    return np.where(value_a + value_b < 1, value_b - value_a, rest_a - rest_b)
