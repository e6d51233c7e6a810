"""What SPA and PA of metrics and hybrids are computed from: metrics, and people on each pair."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.meta.accuracy import difference_signs
from sigcore.meta.aligned import AlignedScores, raw_scores
from sigcore.permutation.differences import Blocks
from sigcore.permutation.pairwise import pairwise_pvalues

__all__ = ["ROUNDING", "EvaluationTask", "evaluation_task", "task_of"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
Index = int | IntArray

ROUNDING = 1e-12  # scores that differ by this share of their size are equal but for rounding errors


@dataclass(frozen=True, slots=True)
class EvaluationTask:
    """Metrics on one scale, and what people say about each pair of systems.

    Attributes
    ----------
    scores : AlignedScores
        Gold and metrics.
    units : ndarray, shape (metrics, systems, units)
        Standardised scores summed over the segments of a unit; missing ones are 0.
    first, second : ndarray of int, shape (pairs,)
        The systems of each pair, turned so that people do not prefer the second.
    gold_pvalues : ndarray, shape (pairs,)
        Mid-p of "first is better", by people; NaN where two systems share no segment.
    gold_tied : ndarray of bool, shape (pairs,)
        Whether people give both systems the same mean.
    slack : ndarray, shape (metrics,)
        The sum of differences up to which two systems are tied: rounding errors.
    floor : ndarray, shape (metrics,)
        The sum of squared differences up to which two systems are the same.
    """

    scores: AlignedScores
    units: FloatArray
    first: IntArray
    second: IntArray
    gold_pvalues: FloatArray
    gold_tied: BoolArray
    slack: FloatArray
    floor: FloatArray

    @property
    def n_metrics(self) -> int:
        """Number of metrics."""
        return len(self.units)

    @property
    def n_pairs(self) -> int:
        """Number of pairs of systems."""
        return len(self.first)

    @property
    def n_units(self) -> int:
        """Number of units that swap."""
        return int(self.units.shape[2])

    def differences(self, a: Index, i: Index, b: Index, j: Index) -> FloatArray:
        """Return by unit, system i by metric a minus system j by metric b, where both are rated."""
        if not self.scores.has_gaps:
            gap: FloatArray = self.units[a, i] - self.units[b, j]
            return gap
        return self.scores.by_unit(self.scores.metrics[a, i] - self.scores.metrics[b, j])

    def levels(self, a: Index, i: Index, j: Index) -> FloatArray:
        """Return by unit, the sum of systems i and j by metric a, where both are rated."""
        if not self.scores.has_gaps:
            level: FloatArray = self.units[a, i] + self.units[a, j]
            return level
        return self.scores.by_unit(self.scores.metrics[a, i] + self.scores.metrics[a, j])


def evaluation_task(
    gold: npt.ArrayLike, scores: npt.ArrayLike, *, blocks: Blocks | None = None
) -> EvaluationTask:
    """Prepare gold and metrics, on the segments with all scores.

    Parameters
    ----------
    gold : array_like, shape (systems, segments)
        Human scores; NaN marks a missing score.
    scores : array_like, shape (metrics, systems, segments)
        Scores of the metrics.
    blocks : sequence, optional
        Label of each segment; segments with equal labels are one unit.
    """
    raw = raw_scores(gold, scores, blocks=blocks)
    members = range(len(raw.metrics))
    return task_of(raw.align(raw.shared_cells(members), members))


def task_of(scores: AlignedScores) -> EvaluationTask:
    """Prepare scores for `metric_values`, `hybrid_differences` and `cell_hybrid_values`."""
    signs = difference_signs(scores.gold)
    pvalues = pairwise_pvalues(
        scores.gold, ties="mid", missing="pairwise", blocks=scores.labels
    ).pvalues
    upper, lower = np.triu_indices(len(scores.gold), 1)
    first, second = np.where(signs < 0, lower, upper), np.where(signs < 0, upper, lower)
    blur, sizes = _blur(scores), np.bincount(scores.labels).astype(np.float64)
    return EvaluationTask(
        scores=scores,
        units=scores.by_unit(scores.metrics),
        first=first,
        second=second,
        gold_pvalues=pvalues[first, second],
        gold_tied=signs == 0,
        slack=blur * len(scores.labels),
        floor=blur**2 * (sizes @ sizes),
    )


def _blur(scores: AlignedScores) -> FloatArray:
    """Return the size of rounding errors; the farther scores are from 0, the larger they are."""
    size = np.sqrt(np.nanmean(scores.raw**2, axis=(1, 2)))
    spread = np.where(scores.constant, 1.0, np.nanstd(scores.raw, axis=(1, 2)))
    blur: FloatArray = ROUNDING * size / spread
    return blur
