"""The ways to find the p-values of some pairs of systems from their differences."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from sigcore.permutation.convolution import exact_permutation_test
from sigcore.permutation.differences import DifferenceTable
from sigcore.permutation.exact import enumerate_units, units_tail
from sigcore.permutation.shared_signs import SignCounts, sign_counts
from sigcore.permutation.smooth import resonance, smooth_tail
from sigcore.permutation.tail import Tail
from sigcore.permutation.units import Units
from sigcore.seeding import generator

__all__ = [
    "STRATEGIES",
    "TOLERABLE",
    "PairOptions",
    "PairPvalues",
    "choose_method",
    "shares",
    "table_resonance",
]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_ACCURATE = 1e-8  # an analytic value with a larger error estimate may be refined
_FEW = 28  # exact values of so few units take milliseconds; of a few more, up to half a second
TOLERABLE = 1e-3  # values whose estimate by `smooth_tail` alone is smaller are within 1e-4
# Exact inversion on a grid costs in proportion to the standard deviation of a sum, in steps.
_COARSE = 1e5
_NEAR_GRID = 0.5  # from this resonance on, analytic values of many units need refinement too


@dataclass(frozen=True, slots=True)
class PairPvalues:
    """p-values of some pairs in both directions.

    Attributes
    ----------
    forward, backward : ndarray
        One-sided p-values of "the first is better" and "the second is better".
    error : ndarray
        Their absolute errors.
    """

    forward: FloatArray
    backward: FloatArray
    error: FloatArray


@dataclass(frozen=True, slots=True)
class PairOptions:
    """How p-values are to be found.

    Attributes
    ----------
    ties : {"ge", "mid"}
        Whether sums equal to the observed one count wholly or by half.
    n_resamples, seed : int
        For Monte Carlo.
    refine : bool
        Whether analytic values with a large error estimate are replaced by exact ones.
    resonance : float
        How nearly all differences are multiples of a step, for the error of analytic values.
    """

    ties: str
    n_resamples: int
    seed: int
    refine: bool
    resonance: float = 1.0


def choose_method(method: str, table: DifferenceTable) -> str:
    """Turn "auto" into a method, from all the scores and not from the pairs asked for."""
    if method != "auto":
        return method
    return "exact" if _on_coarse_grid(table) else "analytic"


def _on_coarse_grid(table: DifferenceTable) -> bool:
    if table.step is None:
        return False
    spread = np.fmax.reduce(table.scores, axis=0) - np.fmin.reduce(table.scores, axis=0)
    by_unit = np.add.reduceat(np.nan_to_num(spread), table.starts)
    return bool(np.sqrt(np.square(by_unit).sum()) <= _COARSE)


def table_resonance(table: DifferenceTable) -> float:
    """Look for a common step in the differences of neighbours, whatever pairs are asked for."""
    systems = np.arange(len(table.scores))
    rows = table.differences(systems, np.roll(systems, 1))
    return resonance(rows, limit=np.inf if table.step is None else np.pi)


def shares(counts: SignCounts, options: PairOptions) -> PairPvalues:
    """Turn counts of draws into plain shares; the error is one standard error."""
    tied = counts.equal / 2.0 if options.ties == "mid" else 0.0
    forward = (counts.at_least - tied) / options.n_resamples
    backward = (counts.at_most - tied) / options.n_resamples
    error = np.sqrt(forward * np.maximum(1.0 - forward, 0.0) / options.n_resamples)
    return PairPvalues(forward, backward, error)


def _by_tail(
    tail_of: Callable[[Units], Tail],
    table: DifferenceTable,
    options: PairOptions,
    first: IntArray,
    second: IntArray,
) -> PairPvalues:
    pairs = zip(first.tolist(), second.tolist(), strict=True)
    tails = [tail_of(table.units(i, j)) for i, j in pairs]
    forward = np.array([tail.probability("greater", options.ties)[0] for tail in tails])
    backward = np.array([tail.probability("less", options.ties)[0] for tail in tails])
    relative = np.array([tail.error_bound for tail in tails])
    return PairPvalues(forward, backward, relative * np.minimum(forward, backward))


def _by_convolution(
    convolve: str, table: DifferenceTable, options: PairOptions, first: IntArray, second: IntArray
) -> PairPvalues:
    found = PairPvalues(*np.empty((3, len(first))))
    for index, (i, j) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        sizes = table.units(i, j).values
        law = exact_permutation_test(sizes, -sizes, convolve=convolve)
        tied = 0.5 * law.pmf[law.support == law.statistic].sum() if options.ties == "mid" else 0.0
        found.forward[index] = law.pmf[law.support >= law.statistic].sum() - tied
        found.backward[index] = law.pmf[law.support <= law.statistic].sum() - tied
        found.error[index] = law.error
    return found


def _analytic(
    table: DifferenceTable, options: PairOptions, first: IntArray, second: IntArray
) -> PairPvalues:
    rows = table.differences(first, second)
    found = smooth_tail(rows, spacing=_spacing(rows) if table.step is not None else 0.0)
    tied = found.point / 2.0 if options.ties == "ge" else 0.0
    n_nonzero = np.count_nonzero(rows, axis=1)
    unseen = np.where(n_nonzero > 0, np.exp(-n_nonzero * (1.0 - options.resonance) / 4.0), 0.0)
    # By Hoeffding neither the tail nor what is found for it is larger.
    unseen = np.minimum(unseen, np.exp(-0.5 * _squared_scores(rows)))
    result = PairPvalues(found.middle + tied, 1.0 - found.middle + tied, found.error + unseen)
    # Between few and many units the estimate is pessimistic: real-valued scores of 30 to 80 units
    # have errors of 1e-5 to 1e-15, and an exact value would take up to half a second. Where a few
    # units outweigh the others, `smooth_tail` sees it by itself, and the error is large indeed.
    dominated = found.error > TOLERABLE
    worthwhile = (n_nonzero <= _FEW) | (options.resonance >= _NEAR_GRID) | dominated
    weak = np.flatnonzero((result.error > _ACCURATE) & worthwhile)
    if options.refine and len(weak):
        better = _by_tail(units_tail, table, options, first[weak], second[weak])
        result.forward[weak], result.backward[weak] = better.forward, better.backward
        result.error[weak] = better.error
    return result


def _squared_scores(rows: FloatArray) -> FloatArray:
    """Return the squared sum of each row in units of its variance under sign flips."""
    variance = np.vecdot(rows, rows)
    squared: FloatArray = np.square(rows.sum(axis=1)) / np.where(variance > 0.0, variance, 1.0)
    return squared


def _monte_carlo(
    table: DifferenceTable, options: PairOptions, first: IntArray, second: IntArray
) -> PairPvalues:
    rng = generator(options.seed, "pairwise signs")
    rows = table.differences(first, second)
    exact = table.step is not None
    counts = sign_counts(rows, n_resamples=options.n_resamples, rng=rng, exact=exact)
    return shares(counts, options)


def _spacing(rows: FloatArray) -> FloatArray:
    """Return the distance of neighbouring sums of each row of whole numbers."""
    steps = rows.astype(np.int64)
    common = np.gcd.reduce(steps[:, :32], axis=1)
    # Most rows have no common divisor among their first numbers already.
    rest = common != 1
    common[rest] = np.gcd.reduce(steps[rest], axis=1)
    spacing: FloatArray = 2.0 * common
    return spacing


# Each takes the scores, the options and the systems of some pairs.
STRATEGIES: dict[str, Callable[[DifferenceTable, PairOptions, IntArray, IntArray], PairPvalues]] = {
    "exact": partial(_by_tail, units_tail),
    "enumerate": partial(_by_tail, enumerate_units),
    "dp": partial(_by_convolution, "dp"),
    "fft": partial(_by_convolution, "fft"),
    "analytic": _analytic,
    "monte-carlo": _monte_carlo,
}
