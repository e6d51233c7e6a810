"""SPA and PA of hybrids of two metrics, for thousands of random hybrids at once.

A hybrid takes some segments from one metric and the rest from another. The sums of d, d^2 and d^4
over its segments are linear in the choice of segments, so one matrix product a metric and power
serves all hybrids that the metric takes part in; a hybrid then costs additions and a normal tail
for each pair of systems. Hybrids that differ from system to system are in `cell_hybrids`.

The rest is what is left of a metric's sum without the segments drawn. Where next to nothing is left
its digits are lost, and such sums are computed again from the differences themselves.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.meta.evaluation import EvaluationTask
from sigcore.meta.screening import Screen, screen, screened_differences
from sigcore.permutation.analytic import edgeworth_in_place

__all__ = [
    "SLACK",
    "MetaValues",
    "hybrid_differences",
    "least_reliable",
    "metric_values",
    "power_list",
]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
MetricPairs = Sequence[tuple[int, int]]

SLACK = 1e-10  # values of SPA closer than this are equal; rounding errors are below 1e-11
# Smallest sum of d^2 whose tail is that accurate: as a share of what it was subtracted from, of the
# root of what the sum of d^4 was, and of squares of scores; see `least_reliable`.
_LEAST_SHARE = 1e-3
_LEAST_ROOT_SHARE = 1e-2
_LEAST_SHARE_OF_SCORES = 1e-6
_CELLS = 1 << 14  # values handled at once, so that temporaries stay in cache
_BLOCK = 16  # pairs of systems handled at once, for the same reason
_MOST_SUMS = 1 << 22  # draws x pairs of systems x metrics whose sums are in memory


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
    """Sums of powers of the differences between systems, of one metric.

    `inside` are the sums of d, d^2 and d^4 over the units drawn (draws x pairs), `total` those over
    all units (pairs), `by_pair` is the first of `inside` as pairs x draws, `masks` are the units
    drawn (draws x units).
    """

    metric: int
    masks: FloatArray
    inside: tuple[FloatArray, FloatArray, FloatArray]
    total: tuple[FloatArray, FloatArray, FloatArray]
    by_pair: FloatArray


def metric_values(task: EvaluationTask) -> MetaValues:
    """Evaluate the metrics themselves; the arrays returned have one value a metric."""
    everything = np.ones((1, task.n_units))
    spa, n_agree = np.empty(task.n_metrics), np.empty(task.n_metrics, dtype=np.int64)
    for index in range(task.n_metrics):
        moments = _moments(task, index, everything)
        spa[index] = 1.0 - _distances(task, moments, moments, np.zeros(1, dtype=np.int64))[0]
        slack = float(task.slack[index])
        n_agree[index] = _agree(moments.total[0], task.gold_tied, slack).sum()
    return MetaValues(spa=spa, n_agree=n_agree)


def hybrid_differences(
    task: EvaluationTask,
    metric_pairs: MetricPairs,
    masks: FloatArray,
    meta: Collection[str],
    *,
    divisor: int = 1,
    observed: FloatArray | None = None,
) -> dict[str, FloatArray]:
    """Compute the values of hybrids minus those of their complements, for pairs of metrics.

    Parameters
    ----------
    task : EvaluationTask
        Metrics and what people say.
    metric_pairs : sequence of (int, int)
        Pairs of metrics.
    masks : ndarray of 0.0 and 1.0, shape (draws, units)
        Units in which a hybrid takes the scores of the first metric. Its complement takes those of
        the second there, and those of the first elsewhere.
    meta : collection of {"spa", "pa"}
        What to compute; ``"pa"`` in numbers of agreeing pairs.
    divisor : int, default 1
        What to divide numbers of agreeing pairs by before the difference is taken.
    observed : ndarray, shape (metric pairs,), optional
        Differences of SPA with which the size of a hybrid's will be compared. Hybrids that are
        clearly above or below get a rough value, on the right side; without, all are accurate.

    Returns
    -------
    dict of str to ndarray, shape (metric pairs, draws)
    """
    found = {name: np.empty((len(metric_pairs), len(masks))) for name in meta}
    involved = sorted({metric for pair in metric_pairs for metric in pair})
    step = max(1, _MOST_SUMS // max(1, len(involved) * task.n_pairs))
    for start in range(0, len(masks), step):
        draws = slice(start, start + step)
        moments = {metric: _moments(task, metric, masks[draws]) for metric in involved}
        if "spa" in meta:
            found["spa"][:, draws] = _spa_differences(task, metric_pairs, moments, observed)
        if "pa" in meta:
            found["pa"][:, draws] = [
                _agreement_differences(task, moments[a], moments[b], divisor)
                for a, b in metric_pairs
            ]
    return found


def power_list(differences: FloatArray) -> list[FloatArray]:
    """Return d, d^2 and d^4."""
    square = differences * differences
    return [differences, square, square * square]


def least_reliable(
    square: FloatArray | float, fourth: FloatArray | float, scores: FloatArray | float
) -> FloatArray:
    """Return the sum of d^2 of a hybrid below which its tail may have lost its digits.

    Parameters
    ----------
    square, fourth : ndarray
        Sums of d^2 and of d^4 over all that those of the hybrid were subtracted from.
    scores : ndarray
        Sums of squares of the scores that sums of d were subtracted from.

    Notes
    -----
    Rounding errors of sums are about e = 1e-15 of sums of sizes, say W, W2 and W4 for d, d^2 and
    d^4. With v the sum of d^2 of the hybrid, the tail is then off by about ``0.4 e W / sqrt(v) +
    0.12 e W2 / v + 0.05 e W4 / v^2``. The limits keep the last two terms below 1e-12. As W is at
    most the root of n times the sum of squares for n units, the first stays below 4e-13 sqrt(n).
    """
    by_powers = np.maximum(_LEAST_SHARE * square, _LEAST_ROOT_SHARE * np.sqrt(fourth))
    least: FloatArray = np.maximum(by_powers, _LEAST_SHARE_OF_SCORES * scores)
    return least


def _moments(task: EvaluationTask, metric: int, masks: FloatArray) -> _Moments:
    one, two, four = power_list(task.differences(metric, task.first, metric, task.second))
    by_pair = _sums_by_pair(task, metric, one, masks)
    return _Moments(
        metric=metric,
        masks=masks,
        inside=(np.ascontiguousarray(by_pair.T), masks @ two.T, masks @ four.T),
        total=(one.sum(axis=1), two.sum(axis=1), four.sum(axis=1)),
        by_pair=by_pair,
    )


def _sums_by_pair(
    task: EvaluationTask, metric: int, differences: FloatArray, masks: FloatArray
) -> FloatArray:
    """Sum differences over the units drawn; system by system is faster where nothing is missing."""
    if task.scores.has_gaps:
        return differences @ masks.T
    by_system = task.units[metric] @ masks.T
    sums: FloatArray = by_system[task.first] - by_system[task.second]
    size = np.square(task.units[metric]).sum(axis=1)
    least = least_reliable(0.0, 0.0, size[task.first] + size[task.second])
    # Sums of two systems that are nearly the same leave no digits when subtracted.
    close = np.square(differences).sum(axis=1) < least
    sums[close] = differences[close] @ masks.T
    return sums


def _spa_differences(
    task: EvaluationTask,
    metric_pairs: MetricPairs,
    moments: dict[int, _Moments],
    observed: FloatArray | None,
) -> FloatArray:
    """Return differences of SPA; see `hybrid_differences` for which are rough."""
    screens: dict[int, Screen] = {}
    order = _from_near_to_far(task, moments)
    if observed is not None:
        screens = {m: screen(each.inside, each.total, order) for m, each in moments.items()}
    differences = []
    for row, (a, b) in enumerate(metric_pairs):
        one, other = moments[a], moments[b]
        drawn, rows = np.empty(len(one.inside[0])), np.arange(len(one.inside[0]))
        if observed is not None:
            floor = float(task.floor[[a, b]].max())
            drawn, error = screened_differences(
                screens[a], screens[b], task.gold_pvalues[order], floor=floor
            )
            close = np.abs(np.abs(drawn) - abs(float(observed[row]))) <= error + SLACK
            rows = np.flatnonzero(close)
        drawn[rows] = _distances(task, other, one, rows) - _distances(task, one, other, rows)
        differences.append(drawn)
    return np.array(differences)


def _from_near_to_far(task: EvaluationTask, moments: dict[int, _Moments]) -> IntArray:
    """Order pairs of systems by how far apart the metrics find them; the same ones come last."""
    z = np.full((len(moments), task.n_pairs), np.inf)
    for row, (metric, each) in zip(z, moments.items(), strict=True):
        differs = each.total[1] > task.floor[metric]
        np.divide(np.square(each.total[0]), each.total[1], out=row, where=differs)
    order: IntArray = np.argsort(z.mean(axis=0), kind="stable")
    return order


def _distances(task: EvaluationTask, drawn: _Moments, rest: _Moments, rows: IntArray) -> FloatArray:
    """Return 1 - SPA of hybrids that take the units drawn from one metric, for some draws."""
    distances = np.empty(len(rows))
    floor = float(task.floor[[drawn.metric, rest.metric]].max())
    reliable = least_reliable(drawn.total[1] + rest.total[1], drawn.total[2] + rest.total[2], 0.0)
    size = max(1, _CELLS // task.n_pairs)
    for start in range(0, len(rows), size):
        some = rows[start : start + size]
        sums = [
            inside[some] + (total - other[some])
            for inside, other, total in zip(drawn.inside, rest.inside, rest.total, strict=True)
        ]
        lost = sums[1] < reliable
        if lost.any():
            _sum_again(task, drawn, rest, some, lost, sums)
        distance = edgeworth_in_place(sums[0], sums[1], sums[2], floor=floor)
        distance -= task.gold_pvalues
        distances[start : start + size] = np.abs(distance, out=distance).mean(axis=1)
    return distances


def _sum_again(
    task: EvaluationTask,
    drawn: _Moments,
    rest: _Moments,
    rows: IntArray,
    lost: BoolArray,
    sums: Sequence[FloatArray],
) -> None:
    """Replace sums (draws x pairs) that lost their digits by sums without any subtraction."""
    draws, pairs = np.flatnonzero(lost.any(axis=1)), np.flatnonzero(lost.any(axis=0))
    first, second = task.first[pairs], task.second[pairs]
    inside = power_list(task.differences(drawn.metric, first, drawn.metric, second))
    outside = power_list(task.differences(rest.metric, first, rest.metric, second))
    masks = drawn.masks[rows[draws]]
    for total, one, other in zip(sums, inside, outside, strict=True):
        total[np.ix_(draws, pairs)] = masks @ one.T + (1.0 - masks) @ other.T


def _agreement_differences(
    task: EvaluationTask, one: _Moments, other: _Moments, divisor: int
) -> FloatArray:
    """Return how many more pairs of systems a hybrid orders as people do than its complement."""
    hybrids, complements = np.zeros((2, one.by_pair.shape[1]), dtype=np.int64)
    slack = float(task.slack[[one.metric, other.metric]].max())
    for start in range(0, task.n_pairs, _BLOCK):
        block = slice(start, start + _BLOCK)
        tied = task.gold_tied[block]
        swing = one.by_pair[block] - other.by_pair[block]
        hybrids += _count(_agree(other.total[0][block, None] + swing, tied, slack))
        complements += _count(_agree(one.total[0][block, None] - swing, tied, slack))
    return hybrids / divisor - complements / divisor


def _agree(sum_d: FloatArray, gold_tied: BoolArray, slack: float) -> BoolArray:
    """Say which pairs (first axis) agree: people prefer the first system, or none of the two."""
    agree = sum_d > slack
    if gold_tied.any():
        agree[gold_tied] = np.abs(sum_d[gold_tied]) <= slack
    return agree


def _count(agree: BoolArray) -> npt.NDArray[np.uint8]:
    """Count along the first axis of at most `_BLOCK` pairs; bytes are three times as fast."""
    counts: npt.NDArray[np.uint8] = agree.view(np.uint8).sum(axis=0, dtype=np.uint8)
    return counts
