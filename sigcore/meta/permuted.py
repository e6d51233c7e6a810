"""Meta-metrics as statistics of a permutation test: of metrics, and of hybrids of two metrics.

Which way is fastest depends on the meta-metric: `permuted_statistics` chooses.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from sigcore.errors import DegenerateDataWarning, InputError
from sigcore.meta.aligned import AlignedScores
from sigcore.meta.cell_hybrids import cell_hybrid_values
from sigcore.meta.evaluation import EvaluationTask, task_of
from sigcore.meta.hybrids import SLACK, hybrid_differences, metric_values
from sigcore.meta.item_hybrids import (
    ITEM_STATISTICS,
    item_sums,
    means_of_hybrids,
    means_of_metrics,
)
from sigcore.meta.kendall_hybrids import KENDALL, KendallHybrids
from sigcore.meta.linear_hybrids import LINEAR, correlations_of_hybrids, correlations_of_metrics
from sigcore.meta.pair_swaps import PAIR_STATISTICS, agreement_values, swapped_differences
from sigcore.meta.registry import META_METRICS, MetaMetric, meta_metric
from sigcore.meta.schemes import Coins
from sigcore.validation import as_choice

__all__ = ["Statistics", "check_meta", "is_fast", "names_of_meta", "permuted_statistics"]

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
MetricPairs = Sequence[tuple[int, int]]
Observed = Mapping[str, FloatArray]
Draw = Callable[[MetricPairs, Coins, Observed | None], Mapping[str, FloatArray]]


@dataclass(frozen=True, slots=True)
class Statistics:
    """One or more meta-metrics on given scores, which share their draws.

    Attributes
    ----------
    values : mapping of str to ndarray, shape (metrics,)
        For each meta-metric the values of the metrics, in `units`; NaN where undefined.
    draw : callable
        Takes pairs of metrics, coins and the observed differences; returns for each meta-metric the
        differences between hybrids and their complements, shape (pairs, draws), in `units`. Those
        of SPA may be rough where they are far from the observed difference; without observed
        differences they are not.
    units : mapping of str to float
        What to divide values by to get the meta-metric.
    slack : mapping of str to float
        Values closer than this are equal.
    """

    values: Mapping[str, FloatArray]
    draw: Draw
    units: Mapping[str, float]
    slack: Mapping[str, float]


def names_of_meta(meta: str | Sequence[str]) -> tuple[str, ...]:
    """Return one name or several as several, each once."""
    if isinstance(meta, str):
        return (meta,)
    if not isinstance(meta, Sequence) or not all(isinstance(name, str) for name in meta):
        raise InputError(f"`meta` must be a name or a sequence of names; got {meta!r}.")
    return tuple(dict.fromkeys(meta))


def check_meta(meta: Sequence[str], scheme: str) -> None:
    """Refuse names of meta-metrics that do not exist or that a scheme does not suit."""
    known = PAIR_STATISTICS if scheme == "pairs" else tuple(META_METRICS)
    if not meta:
        raise InputError(f"`meta` must have one name or more out of {', '.join(known)}.")
    for name in meta:
        if scheme == "pairs" and name in META_METRICS and name not in known:
            raise InputError(
                f'`meta` must be one of {", ".join(known)} for `scheme` "pairs", which swaps '
                f"comparisons of translations; got {name!r}."
            )
        as_choice(name, "meta", known)


def is_fast(meta: str, scheme: str) -> bool:
    """Say whether all draws of a meta-metric are computed at once, not one after the other."""
    if scheme == "pairs":
        return meta in PAIR_STATISTICS
    return meta in ("spa", "pa", *LINEAR, *KENDALL) or (
        scheme == "inputs" and meta in ITEM_STATISTICS
    )


def permuted_statistics(
    scores: AlignedScores, meta: Sequence[str], *, scheme: str, pa_in_floats: bool
) -> list[Statistics]:
    """Prepare meta-metrics for a permutation test.

    Parameters
    ----------
    scores : AlignedScores
        Gold and metrics.
    meta : sequence of str
        Names of meta-metrics.
    scheme : str
        What is swapped.
    pa_in_floats : bool
        Whether values of Pairwise Accuracy are compared as floats, not as numbers of pairs.
    """
    if scheme == "pairs":
        return [_by_swapping_verdicts(scores, name) for name in meta]
    found = []
    together = tuple(name for name in meta if name in ("spa", "pa"))
    if together:
        found.append(_pairwise_accuracies(task_of(scores), together, pa_in_floats))
    for name in meta:
        if name.endswith("-sys") and scores.has_gaps:
            found.append(_on_complete_segments(scores, name))
        elif name in LINEAR:
            found.append(_correlation(scores, name))
        elif name in KENDALL:
            found.append(_kendall(scores, name))
        elif name in ITEM_STATISTICS and scheme == "inputs":
            found.append(_mean_over_items(scores, name))
        elif name not in together:
            found.append(_one_by_one(scores, meta_metric(name)))
    return found


def _pairwise_accuracies(
    task: EvaluationTask, meta: tuple[str, ...], pa_in_floats: bool
) -> Statistics:
    """Compute SPA and PA from power sums of differences, both from the same products."""
    divisor = task.n_pairs if pa_in_floats else 1

    def draw(
        pairs: MetricPairs, coins: Coins, observed: Observed | None
    ) -> Mapping[str, FloatArray]:
        if coins.shape[1] == 1:
            masks = coins[:, 0].astype(np.float64)
            seen = None if observed is None else observed.get("spa")
            return hybrid_differences(task, pairs, masks, meta, divisor=divisor, observed=seen)
        one, other = cell_hybrid_values(task, pairs, coins)
        by_pa = one.n_agree / divisor - other.n_agree / divisor
        return {name: one.spa - other.spa if name == "spa" else by_pa for name in meta}

    own = metric_values(task)
    values = {"spa": own.spa, "pa": own.n_agree / divisor}
    if np.isnan(task.gold_pvalues).any():  # two systems have no segment in common
        values = {name: np.full(task.n_metrics, np.nan) for name in values}
    return Statistics(
        values={name: values[name] for name in meta},
        draw=draw,
        units={"spa": 1.0, "pa": task.n_pairs / divisor},
        slack={"spa": SLACK, "pa": 0.0},
    )


def _correlation(scores: AlignedScores, name: str) -> Statistics:
    """Compute a correlation from sums that are linear in the coins."""

    def draw(pairs: MetricPairs, coins: Coins, _: Observed | None) -> Mapping[str, FloatArray]:
        one, other = correlations_of_hybrids(scores, name, pairs, coins)
        return {name: one - other}

    return _single(name, correlations_of_metrics(scores, name), draw)


def _on_complete_segments(scores: AlignedScores, name: str) -> Statistics:
    """Compute a correlation of systems, whose means are over the segments with all scores."""
    complete = ~np.isnan(scores.gold).any(axis=0)
    if not complete.any():
        return _one_by_one(scores, meta_metric(name))  # undefined, which it says
    units, labels = np.unique(scores.labels[complete], return_inverse=True)
    kept = AlignedScores(
        gold=scores.gold[:, complete],
        raw=scores.raw[:, :, complete],
        metrics=scores.metrics[:, :, complete],
        constant=scores.constant,
        labels=labels,
    )
    own = _correlation(kept, name)

    def draw(
        pairs: MetricPairs, coins: Coins, observed: Observed | None
    ) -> Mapping[str, FloatArray]:
        used = coins if coins.shape[2] == 1 else coins[:, :, units]
        return own.draw(pairs, used, observed)

    return replace(own, draw=draw)


def _kendall(scores: AlignedScores, name: str) -> Statistics:
    """Compute Kendall's tau-b from sums that are linear in the coins, and from ties."""
    # Ties of the metrics themselves are those of the hybrids.
    exact = replace(scores, metrics=scores.without_rounding())
    hybrids = KendallHybrids(exact, name)
    values = [meta_metric(name)(exact.gold, metric).value for metric in exact.metrics]

    def draw(pairs: MetricPairs, coins: Coins, _: Observed | None) -> Mapping[str, FloatArray]:
        return {name: hybrids.differences(pairs, coins)}

    return _single(name, np.array(values), draw)


def _mean_over_items(scores: AlignedScores, name: str) -> Statistics:
    """Compute a mean over items when whole items are swapped."""
    sums = item_sums(scores, name)

    def draw(pairs: MetricPairs, coins: Coins, _: Observed | None) -> Mapping[str, FloatArray]:
        one, other = means_of_hybrids(sums, pairs, coins)
        return {name: one - other}

    return _single(name, means_of_metrics(sums), draw)


def _by_swapping_verdicts(scores: AlignedScores, name: str) -> Statistics:
    """Compute accuracy with ties; verdicts on two translations are swapped, not scores."""
    values, shares = agreement_values(scores, name)

    def draw(pairs: MetricPairs, coins: Coins, _: Observed | None) -> Mapping[str, FloatArray]:
        return {name: swapped_differences(shares, pairs, coins)}

    return _single(name, values, draw)


def _one_by_one(scores: AlignedScores, meta: MetaMetric) -> Statistics:
    """Compute any meta-metric, for one hybrid after the other."""
    metrics = scores.without_rounding()

    def value(metric: FloatArray) -> float:
        return meta(scores.gold, metric).value

    def difference(one: FloatArray, other: FloatArray, coin: BoolArray) -> float:
        return value(np.where(coin, one, other)) - value(np.where(coin, other, one))

    def draw(pairs: MetricPairs, coins: Coins, _: Observed | None) -> Mapping[str, FloatArray]:
        by_segment = coins if coins.shape[2] == 1 else coins[:, :, scores.labels]
        with warnings.catch_warnings():
            # A value may be NaN then, which the test counts as extreme.
            warnings.simplefilter("ignore", DegenerateDataWarning)
            drawn = [
                [difference(metrics[a], metrics[b], coin) for coin in by_segment.astype(np.bool_)]
                for a, b in pairs
            ]
        return {meta.name: np.array(drawn)}

    return _single(meta.name, np.array([value(metric) for metric in metrics]), draw)


def _single(name: str, values: FloatArray, draw: Draw) -> Statistics:
    return Statistics({name: values}, draw, units={name: 1.0}, slack={name: SLACK})
