"""Power against sample size by simulation, with the user's own test."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from sigcore.comparison.differences import as_pair
from sigcore.comparison.power_sampling import (
    DISTRIBUTIONS,
    METHODS,
    Judge,
    PairTest,
    Source,
    inner_options,
)
from sigcore.comparison.results import as_hypothesis
from sigcore.comparison.significance import ROW_TESTS, TESTS, SignificanceOptions
from sigcore.seeding import generator
from sigcore.validation import FloatArray, as_choice, as_count, as_probability

__all__ = ["PowerCurve", "default_sizes", "power_curve", "wilson_interval"]

# Runs when not given: the largest number that keeps the work of a size within bounds.
# Least, most and work for tests of many samples at once, of the bootstrap, and of single samples.
_RUNS = (200, 1000, 4_000_000)
_RUNS_RESAMPLING = (50, 200, 400_000)
_RUNS_SINGLE = (50, 200, 100_000)


@dataclass(frozen=True, slots=True)
class PowerCurve:
    """Estimated power at several sample sizes.

    Attributes
    ----------
    test : str
        The test; "own" for a function of the user.
    method : {"bootstrap", "montecarlo"}
        Where the samples came from: the data, or a distribution.
    distribution : str
        "empirical", or the name of the distribution.
    sizes : ndarray of int
        Sample sizes.
    power, low, high : ndarray
        Share of runs that reject, and its 95% interval (Wilson) for the simulation error.
    effect : float
        Mean difference in the population that was sampled.
    alpha, alternative, hypothesised
        Of the test; a run rejects if p < alpha.
    n_runs : int
        Runs at each size.
    n_resamples : int or None
        Resamples of the test in each run.
    seed : int
        Seed of the simulation.
    n_undefined : int
        Runs on which the test could not be run, counted as not rejecting.
    """

    test: str
    method: str
    distribution: str
    sizes: npt.NDArray[np.int64]
    power: FloatArray
    low: FloatArray
    high: FloatArray
    effect: float
    alpha: float
    alternative: str
    hypothesised: float
    n_runs: int
    n_resamples: int | None
    seed: int
    n_undefined: int

    def to_records(self) -> list[dict[str, float]]:
        """Return one row a sample size."""
        rows = zip(self.sizes.tolist(), self.power, self.low, self.high, strict=True)
        return [
            {"n": n, "power": float(power), "low": float(low), "high": float(high)}
            for n, power, low, high in rows
        ]


def power_curve(
    u: npt.ArrayLike,
    v: npt.ArrayLike,
    *,
    test: str | PairTest = "wilcoxon",
    method: str = "bootstrap",
    sizes: Sequence[int] | None = None,
    n_runs: int | None = None,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    hypothesised: float = 0.0,
    effect: float | None = None,
    distribution: str = "normal",
    options: SignificanceOptions | None = None,
    seed: int = 0,
) -> PowerCurve:
    """Estimate the power of a test against the number of pairs.

    Parameters
    ----------
    u, v : array_like of shape (n,)
        Scores of two systems on the same items.
    test : str or function
        A test by its short name, or a function of two score vectors that returns a p-value; the
        function gets the scores of u less `hypothesised`.
    method : {"bootstrap", "montecarlo"}
        Resample the pairs with replacement, or draw differences from `distribution` with the
        standard deviation of the data.
    sizes : sequence of int, optional
        Numbers of pairs; ten steps up to n when not given. They may exceed n.
    n_runs : int, optional
        Runs at each size; 1000, or 200 for a test that resamples or is a function, and fewer,
        but at least 200 or 50, for large samples. The result says how many.
    alpha, alternative, hypothesised
        Of the test.
    effect : float, optional
        Mean difference to assume; that of the data when not given.
    distribution : {"normal", "laplace", "uniform"}
        For "montecarlo".
    options : SignificanceOptions, optional
        Choices of single tests. A bootstrap test has at most 199 resamples in a run.
    seed : int
        Seed of the simulation.

    Returns
    -------
    PowerCurve

    Notes
    -----
    Power at the observed effect and size is a function of the p-value and adds nothing to it; read
    the curve: how power would grow with more data, if the effect were as observed.
    """
    pair = as_pair(u, v)
    as_hypothesis(alternative, hypothesised, 0.95)
    as_choice(method, "method", METHODS)
    as_choice(distribution, "distribution", DISTRIBUTIONS)
    if isinstance(test, str):
        as_choice(test, "test", TESTS if method == "bootstrap" else ROW_TESTS)
    judge = Judge(test, alternative, as_probability(alpha, "alpha"), inner_options(options))
    resamples = judge.name.startswith("bootstrap")
    wanted = default_sizes(pair.n) if sizes is None else sizes
    n_pairs = np.array([as_count(size, "sizes", minimum=2) for size in wanted], dtype=np.int64)
    if n_runs is None:
        n_runs = _default_runs(judge.name, int(n_pairs.max()))
    runs = as_count(n_runs, "n_runs", minimum=1)
    mean = float(pair.difference.mean()) if effect is None else float(effect)
    shape = "empirical" if method == "bootstrap" else distribution
    counts = _count(Source(pair, shape, mean, hypothesised), judge, n_pairs, runs, seed)
    low, high = wilson_interval(counts[:, 0], runs)
    return PowerCurve(
        test=judge.name,
        method=method,
        distribution=shape,
        sizes=n_pairs,
        power=counts[:, 0] / runs,
        low=low,
        high=high,
        effect=mean,
        alpha=alpha,
        alternative=alternative,
        hypothesised=hypothesised,
        n_runs=runs,
        n_resamples=judge.options.n_resamples if resamples else None,
        seed=seed,
        n_undefined=int(counts[:, 1].sum()),
    )


def default_sizes(n: int, *, points: int = 10) -> list[int]:
    """Return up to `points` sample sizes in even steps up to `n`, none below 5."""
    as_count(n, "n", minimum=1)
    as_count(points, "points", minimum=1)
    sizes = np.rint(np.arange(1, points + 1) * n / points).astype(int)
    return [int(size) for size in np.unique(np.maximum(sizes, max(2, min(n, 5))))]


def wilson_interval(
    successes: npt.ArrayLike, trials: int, *, confidence: float = 0.95
) -> tuple[FloatArray, FloatArray]:
    """Return Wilson's interval of a proportion."""
    counts = np.asarray(successes, dtype=np.float64)
    share = counts / trials
    z = float(ndtri((1.0 + confidence) / 2.0))
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    spread = np.sqrt(share * (1 - share) / trials + z * z / (4 * trials**2))
    half = z * spread / (1 + z * z / trials)
    # On paper the ends of no success and of nothing but successes are 0 and 1.
    low = np.where(counts == 0.0, 0.0, np.maximum(centre - half, 0.0))
    return low, np.where(counts == trials, 1.0, np.minimum(centre + half, 1.0))


def _default_runs(test: str, n: int) -> int:
    least, most, work = _RUNS if test in ROW_TESTS else _RUNS_SINGLE
    if test.startswith("bootstrap"):
        least, most, work = _RUNS_RESAMPLING
    return min(most, max(least, work // n))


def _count(
    source: Source, judge: Judge, sizes: npt.NDArray[np.int64], runs: int, seed: int
) -> npt.NDArray[np.int64]:
    """Return at each size how many runs reject and on how many the test is undefined."""
    counts = np.empty((len(sizes), 2), dtype=np.int64)
    for row, n in enumerate(sizes.tolist()):
        rng = generator(seed, "power", judge.name, source.distribution, str(n))
        pvalues = judge.sample_pvalues(source, n, runs, rng)
        counts[row] = np.count_nonzero(pvalues < judge.alpha), np.isnan(pvalues).sum()
    return counts
