"""The smallest difference that a test would find with a given power, by simulation."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.comparison.differences import as_pair
from sigcore.comparison.power import detectable_effect_t
from sigcore.comparison.power_sampling import Judge, batches, inner_options
from sigcore.comparison.results import as_hypothesis
from sigcore.comparison.significance import ROW_TESTS, SignificanceOptions
from sigcore.comparison.student import is_constant
from sigcore.comparison.walsh import pseudomedian
from sigcore.errors import InputError
from sigcore.seeding import generator
from sigcore.validation import FloatArray, as_choice, as_count, as_probability

__all__ = ["detectable_effect"]

_RUNS, _RUNS_RESAMPLING, _FEWEST = 500, 100, 50
_WORK = 2_000_000  # differences to test for one shift, if that leaves enough runs
_BISECTIONS = 10
_WIDEST = 64.0  # times what the t test would find


def detectable_effect(
    u: npt.ArrayLike,
    v: npt.ArrayLike,
    *,
    test: str = "wilcoxon",
    n: int | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    hypothesised: float = 0.0,
    n_runs: int | None = None,
    options: SignificanceOptions | None = None,
    seed: int = 0,
) -> float:
    """Return the smallest mean difference from the null value that a test finds with a given power.

    Parameters
    ----------
    u, v : array_like
        Scores of two systems on the same items.
    test : str
        One of `ROW_TESTS`.
    n : int, optional
        Number of pairs; that of the data when not given.
    power, alpha, alternative
        As for `detectable_effect_t`.
    hypothesised : float
        Difference under the null hypothesis.
    n_runs, options, seed
        As for `power_curve`; 500 runs, or 100 for a bootstrap test, when not given, and fewer,
        but at least 50, for samples of more than 4000 pairs.

    Returns
    -------
    float
        Positive for either direction. NaN if all differences are equal; infinite if no shift is
        enough, as for a median when most items tie.

    Notes
    -----
    The differences are centred as the test sees them, resampled and shifted. Items whose
    difference is the null value stay there, as ties do; the others are shifted by so much that the
    mean of all moves by the difference in question. The same resamples serve every shift, so power
    rises with it and bisection finds the answer.
    """
    pair = as_pair(u, v)
    as_choice(test, "test", ROW_TESTS)
    as_hypothesis(alternative, hypothesised, 0.95)
    if not as_probability(alpha, "alpha") < as_probability(power, "power"):
        raise InputError(f"`power` must exceed `alpha`; got {power} and {alpha}.")
    size = as_count(pair.n if n is None else n, "n", minimum=2)
    d = pair.minus(hypothesised)
    if is_constant(d):
        return math.nan
    if n_runs is None:
        most = _RUNS_RESAMPLING if test.startswith("bootstrap") else _RUNS
        n_runs = min(most, max(_FEWEST, _WORK // size))
    runs = as_count(n_runs, "n_runs", minimum=1)
    shifted = _Shifted(d, Judge(test, alternative, alpha, inner_options(options)), size, runs, seed)
    start = detectable_effect_t(size, sd=float(d.std(ddof=1)), power=power, alpha=alpha)
    return _search(shifted, power, start)


@dataclass(frozen=True, slots=True)
class _Shifted:
    """The test on resamples of shifted differences."""

    d: FloatArray
    judge: Judge
    n: int
    runs: int
    seed: int

    def power(self, shift: float) -> float:
        """Return the share of runs that reject."""
        tied = self.d == 0.0
        side = -1.0 if self.judge.alternative == "less" else 1.0
        moved = self.d - _centre(self.d[~tied], self.judge.name) + side * shift / np.mean(~tied)
        values = np.where(tied, 0.0, moved)
        rng = generator(self.seed, "detectable", str(self.n))
        inner = generator(self.seed, "detectable-test", str(self.n))
        rejected = 0
        for size in batches(self.runs, self.n):
            rows = values[rng.integers(0, len(values), size=(size, self.n))]
            rejected += int(
                np.count_nonzero(self.judge.row_pvalues(rows, inner) < self.judge.alpha)
            )
        return rejected / self.runs


def _search(shifted: _Shifted, power: float, start: float) -> float:
    low, high = 0.0, start
    while shifted.power(high) < power:
        low, high = high, 2.0 * high
        if high > _WIDEST * start:
            return math.inf
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2.0
        if shifted.power(middle) < power:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0


def _centre(d: FloatArray, test: str) -> float:
    """Return the difference as the test sees it."""
    if test == "wilcoxon":
        return pseudomedian(d)
    return float(np.median(d) if test == "sign" or test.endswith("median") else d.mean())
