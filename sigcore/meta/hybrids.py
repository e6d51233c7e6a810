"""SPA and PA of hybrids of two metrics, for thousands of random hybrids at once.

A hybrid takes some segments from one metric and the rest from another. The sums of d, d^2 and d^4
over its segments are linear in the choice of segments, so one matrix product a metric and power
serves all hybrids that the metric takes part in; a hybrid then costs additions and a normal tail
for each pair of systems. Hybrids that differ from system to system are in `cell_hybrids`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.meta.accuracy import difference_signs
from sigcore.meta.aligned import AlignedScores, raw_scores
from sigcore.permutation.analytic import edgeworth_in_place
from sigcore.permutation.differences import Blocks
from sigcore.permutation.pairwise import pairwise_pvalues

__all__ = [
    "CELLS",
    "ROUNDING",
    "EvaluationTask",
    "MetaValues",
    "evaluation_task",
    "hybrid_values",
    "metric_values",
    "task_of",
]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
Index = int | IntArray

# Sums that should be zero but were obtained by subtraction are off by rounding errors; this share
# of the sum of sizes is far above them and far below any real difference.
ROUNDING = 1e-12
CELLS = 1 << 14  # values handled at once, so that temporaries stay in cache


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
    """

    scores: AlignedScores
    units: FloatArray
    first: IntArray
    second: IntArray
    gold_pvalues: FloatArray
    gold_tied: BoolArray

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


@dataclass(frozen=True, slots=True)
class MetaValues:
    """Meta-metrics of metrics or hybrids; the shape is said where they come from.

    Attributes
    ----------
    spa : ndarray
        Soft Pairwise Accuracy with the fourth-cumulant approximation of mid-p.
    n_agree : ndarray of int
        Pairs of systems that the metric orders as people do.
    """

    spa: FloatArray
    n_agree: IntArray


@dataclass(frozen=True, slots=True)
class _Moments:
    """Sums of d, d^2 and d^4 of one metric: over the units drawn (draws x pairs), and over all."""

    inside: tuple[FloatArray, FloatArray, FloatArray]
    total: tuple[FloatArray, FloatArray, FloatArray]
    size: float


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
    """Prepare scores for `metric_values`, `hybrid_values` and `cell_hybrid_values`."""
    signs = difference_signs(scores.gold)
    pvalues = pairwise_pvalues(
        scores.gold, ties="mid", missing="pairwise", blocks=scores.labels
    ).pvalues
    upper, lower = np.triu_indices(len(scores.gold), 1)
    first, second = np.where(signs < 0, lower, upper), np.where(signs < 0, upper, lower)
    return EvaluationTask(
        scores=scores,
        units=scores.by_unit(scores.metrics),
        first=first,
        second=second,
        gold_pvalues=pvalues[first, second],
        gold_tied=signs == 0,
    )


def metric_values(task: EvaluationTask) -> MetaValues:
    """Evaluate the metrics themselves; the arrays returned have one value a metric."""
    everything = np.ones((1, task.n_units))
    spa, n_agree = np.empty(task.n_metrics), np.empty(task.n_metrics, dtype=np.int64)
    for index in range(task.n_metrics):
        moments = _moments(task, index, everything)
        spa[index : index + 1], n_agree[index : index + 1] = _mixed(task, moments, moments)
    return MetaValues(spa=spa, n_agree=n_agree)


def hybrid_values(
    task: EvaluationTask, metric_pairs: Sequence[tuple[int, int]], masks: FloatArray
) -> tuple[MetaValues, MetaValues]:
    """Evaluate hybrids of pairs of metrics.

    Parameters
    ----------
    task : EvaluationTask
        Metrics and what people say.
    metric_pairs : sequence of (int, int)
        Pairs of metrics.
    masks : ndarray of 0.0 and 1.0, shape (draws, units)
        Units in which a hybrid takes the scores of the first metric.

    Returns
    -------
    tuple of MetaValues
        Of the hybrids, and of their complements, which take the scores of the second metric where
        the hybrid takes those of the first; arrays of shape (metric pairs, draws).
    """
    involved = sorted({metric for pair in metric_pairs for metric in pair})
    moments = {metric: _moments(task, metric, masks) for metric in involved}
    shape = (2, len(metric_pairs), len(masks))
    spa, n_agree = np.empty(shape), np.empty(shape, dtype=np.int64)
    for row, (a, b) in enumerate(metric_pairs):
        spa[0, row], n_agree[0, row] = _mixed(task, moments[a], moments[b])
        spa[1, row], n_agree[1, row] = _mixed(task, moments[b], moments[a])
    return MetaValues(spa[0], n_agree[0]), MetaValues(spa[1], n_agree[1])


def _moments(task: EvaluationTask, metric: int, masks: FloatArray) -> _Moments:
    one = task.differences(metric, task.first, metric, task.second)
    two = one * one
    four = two * two
    return _Moments(
        inside=(_inside_sums(task, metric, one, masks), masks @ two.T, masks @ four.T),
        total=(one.sum(axis=1), two.sum(axis=1), four.sum(axis=1)),
        size=float(np.abs(one).sum(axis=1).max()),
    )


def _inside_sums(
    task: EvaluationTask, metric: int, differences: FloatArray, masks: FloatArray
) -> FloatArray:
    """Sum differences over the units drawn; system by system is faster where nothing is missing."""
    if task.scores.has_gaps:
        sums: FloatArray = masks @ differences.T
        return sums
    by_system = masks @ task.units[metric].T
    gaps: FloatArray = by_system[:, task.first] - by_system[:, task.second]
    return gaps


def _mixed(task: EvaluationTask, drawn: _Moments, rest: _Moments) -> tuple[FloatArray, IntArray]:
    """Return SPA and agreeing pairs of hybrids that take the units drawn from one metric."""
    n_draws = len(drawn.inside[0])
    spa, n_agree = np.empty(n_draws), np.empty(n_draws, dtype=np.int64)
    slack = ROUNDING * (drawn.size + rest.size)
    floor = ROUNDING * float(drawn.total[1].max() + rest.total[1].max())
    size = max(1, CELLS // task.n_pairs)
    for start in range(0, n_draws, size):
        rows = slice(start, start + size)
        sums = [
            inside[rows] + (total - other[rows])
            for inside, other, total in zip(drawn.inside, rest.inside, rest.total, strict=True)
        ]
        n_agree[rows] = _agreeing(sums[0], task.gold_tied, slack)
        distance = edgeworth_in_place(sums[0], sums[1], sums[2], floor=floor)
        distance -= task.gold_pvalues
        np.abs(distance, out=distance)
        spa[rows] = 1.0 - distance.mean(axis=1)
    return spa, n_agree


def _agreeing(sum_d: FloatArray, gold_tied: BoolArray, slack: float) -> IntArray:
    """Count agreeing pairs: people prefer the first system of each, or have no preference."""
    agree = sum_d > slack
    if gold_tied.any():
        agree[:, gold_tied] = np.abs(sum_d[:, gold_tied]) <= slack
    counts: IntArray = np.count_nonzero(agree, axis=1)
    return counts
