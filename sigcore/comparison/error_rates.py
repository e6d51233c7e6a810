"""Size of tests and coverage of intervals, by simulation from populations with known truth."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from sigcore.comparison.effect_size import EffectSize, cohens_d, hedges_g
from sigcore.comparison.power_curves import wilson_interval
from sigcore.comparison.rank_effects import (
    cliffs_delta,
    common_language,
    hodges_lehmann,
    wilcoxon_r,
)
from sigcore.comparison.significance import SignificanceOptions, run_test
from sigcore.seeding import generator
from sigcore.validation import FloatArray, as_choice, as_count

__all__ = [
    "EFFECTS",
    "POPULATIONS",
    "ErrorRate",
    "ErrorRates",
    "Population",
    "effect_coverage",
    "parameter_of",
    "simulate_test",
]

BoolArray = npt.NDArray[np.bool_]

_CORRELATION, _SHIFT = 0.6, 0.3  # of the two systems in the simulation of effect sizes


@dataclass(frozen=True, slots=True)
class Population:
    """A distribution of differences with known centres.

    Attributes
    ----------
    draw : function of a generator and a shape
        Draws differences.
    mean, median, pseudomedian : float
        Its centres.
    balance : float
        What to take from scores of twice this distribution, so that neither they nor scores of
        the distribution itself come closer to dominating the other.
    """

    draw: Callable[[np.random.Generator, tuple[int, ...]], FloatArray]
    mean: float = 0.0
    median: float = 0.0
    pseudomedian: float = 0.0
    balance: float = 0.0


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """How often something happened in a simulation.

    Attributes
    ----------
    share : float
        Share of the runs; of those in which it was defined.
    low, high : float
        Its 99% interval (Wilson).
    runs : int
        Runs in which it was defined.
    """

    share: float
    low: float
    high: float
    runs: int


@dataclass(frozen=True, slots=True)
class ErrorRates:
    """Errors of a test and its interval.

    Attributes
    ----------
    size : ErrorRate
        p below the level though the null is true.
    coverage : ErrorRate
        The interval holds the true value.
    below, above : ErrorRate
        The true value lies below, or above, the interval: errors of its one-sided bounds.
    """

    size: ErrorRate
    coverage: ErrorRate
    below: ErrorRate
    above: ErrorRate


# The pseudomedian of the exponential law is half the median of the Gamma law of shape 2; its
# balance solves 4 exp(-b) = 1 + (1 - b)^2, where both parts of the distance of quantiles are equal.
POPULATIONS: Mapping[str, Population] = {
    "normal": Population(lambda rng, shape: rng.normal(size=shape)),
    "laplace": Population(lambda rng, shape: rng.laplace(size=shape)),
    "t3": Population(lambda rng, shape: rng.standard_t(3, size=shape)),
    "grid": Population(lambda rng, shape: np.rint(2.0 * rng.normal(size=shape)) / 2.0),
    "exponential": Population(
        lambda rng, shape: rng.exponential(size=shape),
        mean=1.0,
        median=math.log(2.0),
        pseudomedian=0.8391734950083302,
        balance=1.3000752425985869,
    ),
    "binary": Population(lambda rng, shape: rng.choice([-1.0, 0.0, 0.0, 1.0], size=shape)),
}

EFFECTS: Mapping[str, Callable[[FloatArray, FloatArray], EffectSize]] = {
    "cohens_d": cohens_d,
    "hedges_g": hedges_g,
    "wilcoxon_r": wilcoxon_r,
    "hodges_lehmann": hodges_lehmann,
    "cliffs_delta": cliffs_delta,
    "cliffs_delta_within": lambda u, v: cliffs_delta(u, v, pairing="within"),
    "common_language": common_language,
}


def simulate_test(
    test: str,
    population: str,
    n: int,
    *,
    runs: int = 1000,
    alpha: float = 0.05,
    options: SignificanceOptions | None = None,
    seed: int = 0,
) -> ErrorRates:
    """Estimate the size of a test and the coverage of its interval.

    Parameters
    ----------
    test : str
        A test by its short name.
    population : str
        One of `POPULATIONS`. For "binary" the scores have two values; for the test "aso" the
        second system has twice the spread of the first, and the two are in balance.
    n : int
        Pairs in a sample.
    runs : int
        Samples.
    alpha : float
        Level; the interval has level 1 - alpha.
    options : SignificanceOptions, optional
        Choices of single tests.
    seed : int
        Seed of the simulation.

    Returns
    -------
    ErrorRates
        Shares of the samples, in each of which the null is true.
    """
    as_choice(population, "population", tuple(POPULATIONS))
    as_count(runs, "runs", minimum=1)
    truth = parameter_of(test, POPULATIONS[population])
    rng = generator(seed, "error-rates", test, population, str(n))
    pvalues, intervals = [], []
    for _ in range(runs):
        u, v = _draw_pair(test, population, n, rng)
        result = run_test(test, u, v, hypothesised=truth, confidence=1.0 - alpha, options=options)
        pvalues.append(result.pvalue)
        intervals.append(result.interval)
    defined = np.array([pvalue for pvalue in pvalues if not math.isnan(pvalue)])
    value = 0.5 if test == "aso" else truth
    made = [interval for interval in intervals if interval is not None]
    return ErrorRates(
        size=_rate(defined < alpha),
        coverage=_rate(np.array([value in interval for interval in made])),
        below=_rate(np.array([value < interval.low for interval in made])),
        above=_rate(np.array([value > interval.high for interval in made])),
    )


def effect_coverage(effect: str, n: int, *, runs: int = 1000, seed: int = 0) -> ErrorRate:
    """Estimate the coverage of the 95% interval of an effect size.

    Parameters
    ----------
    effect : str
        One of `EFFECTS`.
    n : int
        Pairs in a sample. Scores are normal, correlated, and shifted against each other.
    runs, seed : int
        Samples, and seed of the simulation.
    """
    as_choice(effect, "effect", tuple(EFFECTS))
    rng = generator(seed, "effect-coverage", effect, str(n))
    truth, intervals = _true_effect(effect, n), []
    for _ in range(runs):
        shared, first, second = rng.normal(size=(3, n))
        own = math.sqrt(1.0 - _CORRELATION)
        u = math.sqrt(_CORRELATION) * shared + own * first + _SHIFT
        v = math.sqrt(_CORRELATION) * shared + own * second
        intervals.append(EFFECTS[effect](u, v).interval)
    return _rate(np.array([truth in interval for interval in intervals if interval is not None]))


def parameter_of(test: str, population: Population) -> float:
    """Return the true value of what a test is about."""
    if test == "aso":
        return 0.0
    if test == "wilcoxon":
        return population.pseudomedian
    if test == "sign" or test.endswith("median"):
        return population.median
    return population.mean


def _draw_pair(
    test: str, population: str, n: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Draw scores whose differences come from the population."""
    d = POPULATIONS[population].draw(rng, (n,))
    if population == "binary":
        return np.maximum(d, 0.0), np.maximum(-d, 0.0)
    if test == "aso":  # looks at the distribution of each system, not at differences
        return d, 2.0 * POPULATIONS[population].draw(rng, (n,)) - POPULATIONS[population].balance
    return d, np.zeros(n)


def _rate(happened: BoolArray) -> ErrorRate:
    runs = len(happened)
    low, high = wilson_interval(np.count_nonzero(happened), max(runs, 1), confidence=0.99)
    return ErrorRate(float(np.mean(happened)) if runs else math.nan, float(low), float(high), runs)


def _true_effect(effect: str, n: int) -> float:
    spread = math.sqrt(2.0 * (1.0 - _CORRELATION))
    standardised = _SHIFT / spread
    if effect == "hodges_lehmann":
        return _SHIFT
    if effect == "cliffs_delta":
        return 2.0 * float(ndtr(_SHIFT / math.sqrt(2.0))) - 1.0
    if effect == "cliffs_delta_within":
        return 2.0 * float(ndtr(standardised)) - 1.0
    if effect == "common_language":
        return float(ndtr(standardised))
    if effect == "wilcoxon_r":
        # W+ counts the n differences above 0 and the pairs of them with a positive sum.
        pairs, total = n * (n - 1) / 2.0, n * (n + 1) / 2.0
        positive = n * ndtr(standardised) + pairs * ndtr(math.sqrt(2.0) * standardised)
        deviation = math.sqrt(n * (n + 1) * (2 * n + 1) / 24.0)
        return float(positive - total / 2.0) / (deviation * math.sqrt(n))
    return standardised
