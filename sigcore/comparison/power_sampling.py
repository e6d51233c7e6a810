"""Samples for power simulations, and the test that judges them."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from sigcore.comparison.differences import Pair
from sigcore.comparison.significance import ROW_TESTS, SignificanceOptions, row_pvalues, run_test
from sigcore.validation import FloatArray

__all__ = ["DISTRIBUTIONS", "METHODS", "Judge", "PairTest", "Source", "batches", "inner_options"]

METHODS = ("bootstrap", "montecarlo")
DISTRIBUTIONS = ("normal", "laplace", "uniform")
PairTest = Callable[[FloatArray, FloatArray], float]

_BATCH = 1 << 21  # differences held at once
_RESAMPLES = 199  # of a bootstrap test inside a simulation


@dataclass(frozen=True, slots=True)
class Source:
    """Where the samples of a simulation come from.

    Attributes
    ----------
    pair : Pair
        The data.
    distribution : str
        "empirical" to resample the data, else the distribution of the differences.
    effect : float
        Mean difference in the population.
    hypothesised : float
        Difference under the null hypothesis; taken off samples of differences.
    """

    pair: Pair
    distribution: str
    effect: float
    hypothesised: float

    def differences(self, n: int, runs: int, rng: np.random.Generator) -> Iterator[FloatArray]:
        """Yield samples of differences from the null value, in batches (runs x n)."""
        values = self.pair.minus(self.hypothesised) + self._shift
        for size in batches(runs, n):
            if self.distribution == "empirical":
                yield values[rng.integers(0, self.pair.n, size=(size, n))]
            else:
                yield self._simulated((size, n), rng) - self.hypothesised

    def pairs(
        self, n: int, runs: int, rng: np.random.Generator
    ) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Yield one sample of the scores of both systems a run."""
        first = self.pair.u + self._shift
        for _ in range(runs):
            if self.distribution == "empirical":
                index = rng.integers(0, self.pair.n, size=n)
                yield first[index], self.pair.v[index]
            else:
                yield self._simulated((1, n), rng)[0], np.zeros(n)

    @property
    def _shift(self) -> float:
        return self.effect - float(self.pair.difference.mean())

    def _simulated(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        sd = float(self.pair.difference.std(ddof=1)) if self.pair.n > 1 else 0.0
        if self.distribution == "laplace":
            return rng.laplace(self.effect, sd / math.sqrt(2.0), size=shape)
        if self.distribution == "uniform":
            half = sd * math.sqrt(3.0)
            return rng.uniform(self.effect - half, self.effect + half, size=shape)
        return rng.normal(self.effect, sd, size=shape)


@dataclass(frozen=True, slots=True)
class Judge:
    """A test and its level.

    Attributes
    ----------
    test : str or function
        Short name, or a function of two score vectors that returns a p-value.
    alternative : {"two-sided", "greater", "less"}
        Direction.
    alpha : float
        Level.
    options : SignificanceOptions
        Choices of single tests.
    """

    test: str | PairTest
    alternative: str
    alpha: float
    options: SignificanceOptions

    @property
    def name(self) -> str:
        """Short name of the test; "own" for a function."""
        return self.test if isinstance(self.test, str) else "own"

    def sample_pvalues(
        self, source: Source, n: int, runs: int, rng: np.random.Generator
    ) -> FloatArray:
        """Return the p-values of `runs` samples of `n` pairs."""
        if self.name in ROW_TESTS:
            rows = source.differences(n, runs, rng)
            return np.concatenate([self.row_pvalues(batch, rng) for batch in rows])
        samples = source.pairs(n, runs, rng)
        return np.array([self._pair_pvalue(u, v, source.hypothesised) for u, v in samples])

    def row_pvalues(self, rows: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Return the p-value of each sample of differences from the null value."""
        return row_pvalues(
            self.name, rows, alternative=self.alternative, options=self.options, rng=rng
        )

    def _pair_pvalue(self, u: FloatArray, v: FloatArray, hypothesised: float) -> float:
        if not isinstance(self.test, str):
            return float(self.test(u - hypothesised, v))
        return run_test(
            self.test,
            u,
            v,
            alternative=self.alternative,
            hypothesised=hypothesised,
            options=self.options,
        ).pvalue


def batches(runs: int, n: int) -> list[int]:
    """Return how many of `runs` samples of size `n` to hold at a time."""
    size = max(1, _BATCH // n)
    return [min(size, runs - start) for start in range(0, runs, size)]


def inner_options(options: SignificanceOptions | None) -> SignificanceOptions:
    """Return the options of a test inside a simulation, with at most 199 resamples."""
    chosen = options or SignificanceOptions()
    return chosen.with_resamples(min(chosen.n_resamples, _RESAMPLES))
