"""Averages of metrics over tasks, and which of them differ significantly."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.meta.adjustment import CORRECTIONS, adjust_tally
from sigcore.meta.clusters import greedy_clusters
from sigcore.meta.hybrids import SLACK
from sigcore.meta.registry import meta_metric
from sigcore.meta.tally import Tally, TallyResult
from sigcore.meta.tasks import TaskResult
from sigcore.validation import as_choice, as_probability, as_vector

__all__ = ["TaskAverage", "average_tasks"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TaskAverage:
    """Result of `average_tasks`.

    Attributes
    ----------
    metric_names : tuple of str
        Metrics that have a score in all tasks, in the order of the first.
    task_names : tuple of str
        The tasks.
    weights : ndarray, shape (tasks,)
        Their weights, which add up to 1.
    scores : ndarray, shape (metrics,)
        Weighted mean of the scores, each in the range from 0 to 1.
    mean_ranks : ndarray, shape (metrics,)
        Weighted mean of the ranks; 1 is best.
    task_scores : ndarray, shape (tasks, metrics)
        Scores as the tasks give them.
    task_ranks : ndarray of int, shape (tasks, metrics)
        Clusters by the greedy rule; the plain order where a task is not tested.
    tested : ndarray of bool, shape (tasks,)
        Whether the differences in a task were tested.
    metric_pairs : tuple of (int, int)
        Pairs of metrics.
    comparison : TallyResult or None
        Differences of mean scores and their p-values; None unless all tasks are tested.
    adjusted : ndarray or None, shape (2, metric pairs)
        p-values corrected for the number of comparisons, both ways.
    ranks : ndarray of int or None, shape (metrics,)
        Clusters of the mean scores by the greedy rule.
    left_out : tuple of str
        Metrics without a score in all tasks.
    """

    metric_names: tuple[str, ...]
    task_names: tuple[str, ...]
    weights: FloatArray
    scores: FloatArray
    mean_ranks: FloatArray
    task_scores: FloatArray
    task_ranks: IntArray
    tested: npt.NDArray[np.bool_]
    metric_pairs: tuple[tuple[int, int], ...]
    comparison: TallyResult | None
    adjusted: FloatArray | None
    ranks: IntArray | None
    left_out: tuple[str, ...]


def average_tasks(
    results: Sequence[TaskResult],
    weights: npt.ArrayLike | None = None,
    *,
    alternative: str = "two-sided",
    estimator: str = "plus-one",
    adjust: str | None = None,
    alpha: float = 0.05,
) -> TaskAverage:
    """Average scores and ranks of metrics over tasks, and test the differences of mean scores.

    Parameters
    ----------
    results : sequence of TaskResult
        One for each task. Only metrics that have a score in all of them are averaged.
    weights : array_like, optional
        Weight of each task; by default those of the tasks.
    alternative, estimator, adjust
        As for `compare_metrics`.
    alpha : float, default 0.05
        Level of significance, for clusters.

    Returns
    -------
    TaskAverage

    Notes
    -----
    Values of meta-metrics from -1 to 1 are mapped to the range from 0 to 1 first, as WMT23 does.
    A draw of a mean difference is the same weighted mean of the draws of the tasks, draw by draw.
    It has the right spread if tasks on the same data were drawn with the same coins, as `run_tasks`
    does. DEVIATES: mt-metrics-eval repeats the draws of tasks that stopped early; here all tasks
    must have the same number of draws.
    """
    _validate(results, alternative, estimator, adjust)
    shares = _weights(results, weights)
    names = _in_all_tasks(results)
    taken = [result.take(names) for result in results]
    task_scores = np.array([result.scores for result in taken])
    task_ranks = np.array([_ranks(result, alternative, estimator, alpha) for result in taken])
    scaled = np.array([_in_unit_range(result) for result in taken])
    comparison = _compare(taken, shares, alternative, estimator)
    adjusted = ranks = None
    scores = shares @ scaled
    if comparison is not None:
        adjusted = adjust_tally(
            comparison, method=adjust or "none", alternative=alternative, estimator=estimator
        )
        ranks = _cluster(scores, taken[0].metric_pairs, adjusted, comparison, names, alpha)
    return TaskAverage(
        metric_names=tuple(names),
        task_names=tuple(result.task.name for result in results),
        weights=shares,
        scores=scores,
        mean_ranks=shares @ task_ranks,
        task_scores=task_scores,
        task_ranks=task_ranks,
        tested=np.array([result.null is not None for result in results]),
        metric_pairs=taken[0].metric_pairs,
        comparison=comparison,
        adjusted=adjusted,
        ranks=ranks,
        left_out=_left_out(results, names),
    )


def _validate(
    results: Sequence[TaskResult], alternative: str, estimator: str, adjust: str | None
) -> None:
    if not results:
        raise InputError("`results` must have one task or more.")
    as_choice(alternative, "alternative", ("two-sided", "greater"))
    as_choice(estimator, "estimator", ("plus-one", "plain"))
    as_choice(adjust or "none", "adjust", CORRECTIONS)
    lengths = sorted({result.null.shape[1] for result in results if result.null is not None})
    if len(lengths) > 1:
        raise InputError(f"`results` must have the same number of draws; got {lengths}.")


def _in_all_tasks(results: Sequence[TaskResult]) -> list[str]:
    """List the metrics that have a score in every task."""
    scored = [
        {
            name
            for name, score in zip(result.metric_names, result.scores, strict=True)
            if np.isfinite(score)
        }
        for result in results
    ]
    names = [name for name in results[0].metric_names if all(name in each for each in scored)]
    if len(names) < 2:
        raise InputError(
            f"at least 2 metrics must have a score in all tasks; got {len(names)}: {names}."
        )
    return names


def _weights(results: Sequence[TaskResult], weights: npt.ArrayLike | None) -> FloatArray:
    given = [result.task.weight for result in results] if weights is None else weights
    shares = as_vector(given, "weights")
    if len(shares) != len(results) or (shares < 0.0).any() or shares.sum() == 0.0:
        raise InputError(
            f"`weights` must be {len(results)} numbers from 0, not all of them 0; got {given}."
        )
    normalised: FloatArray = shares / shares.sum()
    return normalised


def _in_unit_range(result: TaskResult) -> FloatArray:
    meta = meta_metric(result.task.meta)
    return np.array([meta.in_unit_range(score) for score in result.scores])


def _compare(
    results: Sequence[TaskResult], shares: FloatArray, alternative: str, estimator: str
) -> TallyResult | None:
    """Test weighted sums of differences against the same sums of draws."""
    if any(result.null is None for result in results):
        return None
    # Half the difference where values from -1 to 1 are mapped to the range from 0 to 1.
    factors = [
        share / (1.0 - meta_metric(result.task.meta).lowest)
        for share, result in zip(shares, results, strict=True)
    ]
    observed = np.zeros_like(results[0].differences)
    null: FloatArray | float = 0.0
    for factor, result in zip(factors, results, strict=True):
        observed += factor * result.differences
        null = null + factor * _draws(result)
    return _tally(observed, np.asarray(null), alternative, estimator)


def _draws(result: TaskResult) -> FloatArray:
    if result.null is None:
        raise InputError(f"the task `{result.task.name}` was not tested.")
    return result.null


def _tally(observed: FloatArray, null: FloatArray, alternative: str, estimator: str) -> TallyResult:
    """Count draws, undefined ones as extreme; pairs without a value have no p-value."""
    tally = Tally(len(observed), alternative=alternative, keep=True)
    rows = np.flatnonzero(np.isfinite(observed) & ~np.isnan(null).all(axis=1))
    tally.add(rows, observed[rows], null[rows], slack=SLACK, unit=1.0)
    return tally.result(estimator)


def _ranks(result: TaskResult, alternative: str, estimator: str, alpha: float) -> IntArray:
    """Rank the metrics of one task: clusters, or the plain order if it was not tested."""
    as_probability(alpha, "alpha")
    if result.null is None:
        better = result.scores[None, :] > result.scores[:, None]
        return np.asarray(1 + np.count_nonzero(better, axis=1), dtype=np.int64)
    tally = _tally(result.differences, result.null, alternative, estimator)
    names = result.metric_names
    return _cluster(result.scores, result.metric_pairs, tally.pvalues, tally, names, alpha)


def _cluster(
    scores: FloatArray,
    metric_pairs: Sequence[tuple[int, int]],
    both_ways: FloatArray,
    tally: TallyResult,
    names: Sequence[str],
    alpha: float,
) -> IntArray:
    pvalues, differences = np.full((2, len(scores), len(scores)), np.nan)
    first, second = np.array(metric_pairs, dtype=np.int64).reshape(-1, 2).T
    pvalues[first, second], pvalues[second, first] = both_ways
    differences[first, second], differences[second, first] = tally.observed, -tally.observed
    clusters = greedy_clusters(scores, pvalues, names=names, alpha=alpha, differences=differences)
    return clusters.ranks


def _left_out(results: Sequence[TaskResult], kept: Sequence[str]) -> tuple[str, ...]:
    every = dict.fromkeys(name for result in results for name in result.metric_names)
    return tuple(sorted(name for name in every if name not in kept))
