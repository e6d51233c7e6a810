"""Meta-metrics of hybrids of two metrics, for thousands of random hybrids at once.

A hybrid takes some segments from one metric and the rest from another. The sums of d, d^2 and d^4
over its segments are linear in the choice of segments, so one matrix product a metric and power
serves all hybrids that the metric takes part in; a hybrid then costs additions and a normal tail
for each pair of systems.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.meta.accuracy import difference_signs
from sigcore.permutation.analytic import edgeworth_in_place
from sigcore.permutation.differences import Blocks, block_order
from sigcore.permutation.pairwise import pairwise_pvalues
from sigcore.validation import as_matrix

__all__ = ["EvaluationTask", "MetaValues", "evaluation_task", "hybrid_values", "metric_values"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

# Sums that should be zero but were obtained by subtraction are off by rounding errors; this share
# of the sum of sizes is far above them and far below any real difference.
_ROUNDING = 1e-12
_CELLS = 1 << 14  # values handled at once, so that temporaries stay in cache


@dataclass(frozen=True, slots=True)
class EvaluationTask:
    """Metrics on one scale, and what people say about each pair of systems.

    Attributes
    ----------
    metrics : ndarray, shape (metrics, systems, units)
        Scores, standardised over all cells of a metric, then summed over the segments of a unit.
    constant : ndarray of bool, shape (metrics,)
        Metrics that could not be standardised; their scores are 0.
    first, second : ndarray of int, shape (pairs,)
        The systems of each pair, turned so that people do not prefer the second.
    gold_pvalues : ndarray, shape (pairs,)
        Mid-p of "first is better", by people.
    gold_tied : ndarray of bool, shape (pairs,)
        Whether people give both systems the same mean.
    n_segments, n_segments_dropped : int
        Segments with all scores, and the others.
    """

    metrics: FloatArray
    constant: BoolArray
    first: IntArray
    second: IntArray
    gold_pvalues: FloatArray
    gold_tied: BoolArray
    n_segments: int
    n_segments_dropped: int

    @property
    def n_pairs(self) -> int:
        """Number of pairs of systems."""
        return len(self.first)

    @property
    def n_units(self) -> int:
        """Number of units that swap."""
        return int(self.metrics.shape[2])


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
    """Prepare gold and metrics for `metric_values` and `hybrid_values`.

    Parameters
    ----------
    gold : array_like, shape (systems, segments)
        Human scores; NaN marks a missing score.
    scores : array_like, shape (metrics, systems, segments)
        Scores of the metrics.
    blocks : sequence, optional
        Label of each segment; segments with equal labels are one unit.
    """
    people, metrics = _validate(gold, scores)
    order, labels = block_order(blocks, people.shape[1])
    gaps = np.isnan(np.concatenate([people[None], metrics])).any(axis=(0, 1))
    complete = ~np.atleast_1d(gaps)[order]
    order, labels = order[complete], labels[complete]
    if not len(order):
        raise InputError("`gold` and `scores` must share a segment without missing scores.")
    people = np.take(people, order, axis=1)
    signs = difference_signs(people)
    pvalues = pairwise_pvalues(people, ties="mid", blocks=labels).pvalues
    first, second = np.triu_indices(len(people), 1)
    first, second = np.where(signs < 0, second, first), np.where(signs < 0, first, second)
    standardised, constant = _standardise(np.take(metrics, order, axis=2))
    starts = np.flatnonzero(np.diff(labels, prepend=-1))
    return EvaluationTask(
        metrics=np.add.reduceat(standardised, starts, axis=2),
        constant=constant,
        first=first,
        second=second,
        gold_pvalues=pvalues[first, second],
        gold_tied=signs == 0,
        n_segments=len(order),
        n_segments_dropped=len(complete) - len(order),
    )


def metric_values(task: EvaluationTask) -> MetaValues:
    """Evaluate the metrics themselves; the arrays returned have one value a metric."""
    everything = np.ones((1, task.n_units))
    spa, n_agree = np.empty(len(task.metrics)), np.empty(len(task.metrics), dtype=np.int64)
    for index in range(len(task.metrics)):
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


def _validate(gold: npt.ArrayLike, scores: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    people = as_matrix(gold, "gold")
    metrics = np.asarray(scores, dtype=np.float64)
    if metrics.ndim != 3 or metrics.shape[1:] != people.shape or not len(metrics):
        raise InputError(
            f"`scores` must have shape (metrics, systems, segments) = (..., {people.shape[0]}, "
            f"{people.shape[1]}) as `gold`; got {metrics.shape}."
        )
    if np.isinf(metrics).any():
        raise InputError(
            "`scores` must not contain infinity; found it at "
            f"{tuple(np.argwhere(np.isinf(metrics))[0].tolist())}."
        )
    if len(people) < 2:
        raise InputError(f"`gold` must have at least 2 systems; got {len(people)}.")
    return people, metrics


def _standardise(metrics: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Shift and scale each metric to mean 0 and standard deviation 1; constant ones to 0."""
    centred = metrics - metrics.mean(axis=(1, 2), keepdims=True)
    spread = centred.std(axis=(1, 2))
    constant = spread <= _ROUNDING * np.abs(metrics).max(axis=(1, 2))
    centred[constant] = 0.0
    centred /= np.where(constant, 1.0, spread)[:, None, None]
    return centred, constant


def _moments(task: EvaluationTask, metric: int, masks: FloatArray) -> _Moments:
    scores = task.metrics[metric]
    one = scores[task.first] - scores[task.second]
    two = one * one
    four = two * two
    by_system = masks @ scores.T
    return _Moments(
        inside=(
            by_system[:, task.first] - by_system[:, task.second],
            masks @ two.T,
            masks @ four.T,
        ),
        total=(one.sum(axis=1), two.sum(axis=1), four.sum(axis=1)),
        size=float(np.abs(one).sum(axis=1).max()),
    )


def _mixed(task: EvaluationTask, drawn: _Moments, rest: _Moments) -> tuple[FloatArray, IntArray]:
    """Return SPA and agreeing pairs of hybrids that take the units drawn from one metric."""
    n_draws = len(drawn.inside[0])
    spa, n_agree = np.empty(n_draws), np.empty(n_draws, dtype=np.int64)
    slack = _ROUNDING * (drawn.size + rest.size)
    floor = _ROUNDING * float(drawn.total[1].max() + rest.total[1].max())
    size = max(1, _CELLS // task.n_pairs)
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
