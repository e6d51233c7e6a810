"""Compare metrics only where the result is needed: for clusters, and for some chosen metrics.

A ranking of forty metrics has eight hundred pairs, of which the greedy clusters read about a
hundred. Which ones, a few draws for all pairs foretell; those are then tested in full. Where the
forecast was wrong, more pairs follow, until nothing that is read is missing.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.comparison.multiplicity import adjust_pvalues
from sigcore.errors import InputError, ResolutionWarning
from sigcore.evalset import EvalSet
from sigcore.meta.adjustment import CORRECTIONS
from sigcore.meta.comparison import MetricComparison
from sigcore.meta.significance import compare_metrics
from sigcore.permutation.differences import Blocks
from sigcore.validation import as_choice, as_vector
from sigcore.wording import listed

__all__ = ["Comparer", "PairTests", "adjusted_pvalues", "needed_tests", "pairs_read"]

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
MetricPair = tuple[int, int]

_FORECAST = 100  # draws for all pairs


@dataclass(frozen=True, slots=True)
class PairTests:
    """Tests between metrics, as far as they were needed.

    Attributes
    ----------
    pvalues, low, high : ndarray, shape (metrics, metrics)
        Two-sided p-values with their 95% interval given the number of draws; NaN for a pair that
        was not needed, or whose test is undefined.
    tested : ndarray of bool, shape (metrics, metrics)
        Pairs that were tested.
    scheme : str
        How metrics were compared.
    """

    pvalues: FloatArray
    low: FloatArray
    high: FloatArray
    tested: BoolArray
    scheme: str


@dataclass(frozen=True, slots=True)
class Comparer:
    """Compares metrics of one evaluation set by SPA and PERM-INPUTS, always with the same coins.

    Attributes
    ----------
    evalset : EvalSet
        Gold and metrics.
    blocks : sequence or None
        Document of each segment, if documents swap.
    n_resamples, seed : int
        Draws of a test and their seed.
    """

    evalset: EvalSet
    blocks: Blocks | None
    n_resamples: int
    seed: int

    def require_segments(self) -> None:
        """Refuse data of which some metric, or all together, score no segment of all systems."""
        rated, metrics = self.evalset.mask, self.evalset.metric_names
        if not rated.all(axis=0).any():
            raise InputError(
                f"{self.evalset.title} must have a segment with gold for every system."
            )
        complete: BoolArray = np.all(rated & ~np.isnan(self.evalset.scores), axis=1)
        for name, scores, own in zip(metrics, self.evalset.scores, complete, strict=True):
            if not own.any():
                unscored = np.flatnonzero(np.isnan(scores).all(axis=1)).tolist()
                lacking = listed([self.evalset.systems[row] for row in unscored])
                why = f"it has none of {lacking}" if lacking else "each lacks one of some system"
                raise InputError(
                    f"metric {name!r} must have scores of every system on a segment with gold for "
                    f"every system; {why}. Leave out that metric."
                )
        if not complete.all(axis=0).any():
            raise InputError(f"No segment of {self.evalset.title} has a score by every metric.")

    def compare(
        self,
        pairs: Sequence[MetricPair] | None = None,
        *,
        n_draws: int | None = None,
        adjust: str | None = None,
    ) -> MetricComparison:
        """Compare some pairs of metrics or all, see `compare_metrics`."""
        with warnings.catch_warnings():
            # Neither level nor number of tests are those of the ranking, which warns by itself.
            warnings.simplefilter("ignore", ResolutionWarning)
            return compare_metrics(
                self.evalset.gold,
                self.evalset.scores,
                metric_names=self.evalset.metric_names,
                meta="spa",
                metric_pairs=pairs,
                adjust=adjust,
                blocks=self.blocks,
                n_resamples=n_draws or self.n_resamples,
                seed=self.seed,
                purpose=(self.evalset.testset, self.evalset.language_pair),
            )


def needed_tests(
    comparer: Comparer,
    spa: npt.ArrayLike,
    *,
    ranked: Sequence[int],
    chosen: Sequence[int],
    alpha: float,
) -> PairTests:
    """Test the pairs of metrics that greedy clusters and some chosen metrics need.

    Parameters
    ----------
    comparer : Comparer
        Compares metrics.
    spa : array_like, shape (metrics,)
        Scores by which metrics are ordered.
    ranked : sequence of int
        Metrics that are put into clusters.
    chosen : sequence of int
        Metrics that are tested against all others.
    alpha : float
        Level of the clusters.

    Returns
    -------
    PairTests
        Each p-value is that of a comparison of all pairs.
    """
    scores, names = as_vector(spa, "spa"), comparer.evalset.metric_names
    forecast = comparer.compare(n_draws=min(_FORECAST, comparer.n_resamples))
    guess = forecast["spa"].pvalues.copy()
    pvalues, low, high = np.full((3, *guess.shape), np.nan)
    tested = np.zeros(guess.shape, dtype=np.bool_)
    wanted = [(min(a, b), max(a, b)) for a in chosen for b in range(len(names)) if a != b]
    while True:
        wanted += pairs_read(scores, guess, ranked=ranked, names=names, alpha=alpha)
        missing = [pair for pair in dict.fromkeys(wanted) if not tested[pair]]
        if not missing:
            return PairTests(pvalues, low, high, tested, forecast.scheme)
        result = comparer.compare(missing)["spa"]
        both = tuple(np.array([*missing, *(pair[::-1] for pair in missing)]).T)
        tested[both] = True
        pvalues[both], guess[both] = result.pvalues[both], result.pvalues[both]
        low[both], high[both] = result.interval_low[both], result.interval_high[both]


def adjusted_pvalues(
    comparer: Comparer, tests: PairTests, metric: int, *, adjust: str
) -> FloatArray:
    """Adjust the p-values of one metric against all others for their number.

    Parameters
    ----------
    comparer : Comparer
        Compares metrics.
    tests : PairTests
        With all tests of the metric.
    metric : int
        The metric.
    adjust : {"none", "bonferroni", "holm", "bh", "maxt"}
        How; ``"maxt"`` uses the draws and is the least strict of those that hold the chance of any
        false finding.

    Returns
    -------
    ndarray, shape (metrics,)
        NaN for the metric itself.
    """
    as_choice(adjust, "adjust", CORRECTIONS)
    if adjust != "maxt":
        return adjust_pvalues(tests.pvalues[metric], method=adjust)
    others = [other for other in range(len(tests.pvalues)) if other != metric]
    result = comparer.compare([(metric, other) for other in others], adjust="maxt")["spa"]
    adjusted: FloatArray = result.adjusted[metric]
    return adjusted


def pairs_read(
    scores: FloatArray,
    pvalues: FloatArray,
    *,
    ranked: Sequence[int],
    names: Sequence[str],
    alpha: float,
) -> list[MetricPair]:
    """List the pairs of metrics, the smaller number first, that `greedy_clusters` looks at.

    These are the pairs within a cluster, and those of each member with the first metric of the
    next cluster.
    """
    order = sorted(ranked, key=lambda metric: (-scores[metric], names[metric]))
    pairs: list[MetricPair] = []
    cluster: list[int] = []
    for metric in order:
        pairs += [(min(metric, member), max(metric, member)) for member in cluster]
        if (pvalues[cluster, metric] <= alpha).any():
            cluster = []
        cluster.append(metric)
    return pairs
