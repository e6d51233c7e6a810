"""Results as rows of the tables `pvalues` and `metrics`, and p-values back from rows."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from sigcore.evalset import EvalSet
from sigcore.meta.accuracy import segment_accuracy
from sigcore.meta.spa import spa_from_pvalues
from sigcore.permutation.pairwise import PairwisePvalues, pairwise_pvalues

__all__ = ["metric_records", "pvalue_matrices", "pvalue_records"]

Row = Mapping[str, Any]
FloatArray = npt.NDArray[np.float64]


def pvalue_records(
    evalset: EvalSet,
    scorers: Sequence[str | None],
    *,
    pairs: Sequence[tuple[int, int]] | None = None,
    **options: Any,
) -> list[dict[str, Any]]:
    """Compute the p-values of system pairs by some scorers, each beside those of the gold.

    Parameters
    ----------
    evalset : EvalSet
        The selected systems, segments and metrics.
    scorers : sequence of str or None
        Names of metrics; None stands for the gold.
    pairs : sequence of (int, int), optional
        Pairs of systems; by default all. A row never depends on which others are computed.
    **options
        For `pairwise_pvalues`.

    Returns
    -------
    list of dict
        Rows of the table `pvalues`. A cell without gold is left out for every scorer, and a cell
        without a score of the metric for the gold beside it.
    """
    chosen = list(combinations(range(evalset.n_systems), 2)) if pairs is None else list(pairs)
    people: dict[bytes, PairwisePvalues] = {}
    rows: list[dict[str, Any]] = []
    for scorer in scorers:
        scores = evalset.gold if scorer is None else evalset.scores[evalset.metric_index(scorer)]
        cells = evalset.mask & ~np.isnan(scores)
        if cells.tobytes() not in people:
            rated = np.where(cells, evalset.gold, np.nan)
            people[cells.tobytes()] = pairwise_pvalues(rated, pairs=chosen, **options)
        gold = people[cells.tobytes()]
        own = gold
        if scorer is not None:
            own = pairwise_pvalues(np.where(cells, scores, np.nan), pairs=chosen, **options)
        name = {"scorer": scorer or evalset.gold_name, "is_gold": scorer is None}
        rows.extend(name | row for row in _pair_rows(evalset.systems, chosen, own, gold))
    return rows


def metric_records(
    evalset: EvalSet, pvalues: Iterable[Row], *, missing: str = "listwise"
) -> list[dict[str, Any]]:
    """Score every metric of a set by SPA and PA.

    Parameters
    ----------
    evalset : EvalSet
        The selected systems, segments and metrics.
    pvalues : iterable of rows
        The table `pvalues` of the set.
    missing : {"listwise", "pairwise"}
        Which segments are used, as for the table.

    Returns
    -------
    list of dict
        Rows of the table `metrics`, in the order of the set.
    """
    by_metric: dict[str, list[Row]] = {name: [] for name in evalset.metric_names}
    for row in pvalues:
        if not row["is_gold"]:
            by_metric[row["scorer"]].append(row)
    rows = []
    for index, metric in enumerate(evalset.metrics):
        own = by_metric[metric.name]
        gaps = evalset.mask & np.isnan(evalset.scores[index])
        accuracy = segment_accuracy(evalset.gold, evalset.scores[index], missing=missing)
        people, machine = pvalue_matrices(own, evalset.systems)
        rows.append(
            {
                "metric": metric.name,
                "reference": metric.reference,
                "reference_free": metric.reference_free,
                "primary": metric.primary,
                "baseline": metric.baseline,
                "mine": metric.extra,
                "spa": spa_from_pvalues(people, machine),
                "pa": accuracy.value,
                "n_agreements": accuracy.n_agree,
                "n_pairs": accuracy.n_pairs,
                "n_systems": evalset.n_systems,
                "n_segments": min(row["n_segments"] for row in own),
                "n_missing": int(gaps.sum()),
                "n_tied_pairs": _count_ties(evalset, index),
                "method": own[0]["method"],
            }
        )
    return rows


def pvalue_matrices(rows: Iterable[Row], systems: Sequence[str]) -> FloatArray:
    """Arrange the p-values of one metric and, before them, those of the gold on the same cells.

    Returns
    -------
    ndarray, shape (2, systems, systems)
        Entry (i, j) is that of system i being better than system j. Only pairs in the order of the
        rows are filled; the rest is NaN.
    """
    index = {name: position for position, name in enumerate(systems)}
    matrices = np.full((2, len(systems), len(systems)), np.nan)
    for row in rows:
        place = index[row["system_a"]], index[row["system_b"]]
        matrices[(slice(None), *place)] = row["gold_pvalue"], row["pvalue"]
    return matrices


def _count_ties(evalset: EvalSet, metric: int) -> int:
    """Count the pairs of systems that a metric scores alike wherever people rated both."""
    scores = np.where(evalset.mask, evalset.scores[metric], np.nan)
    return sum(
        not (np.abs(first - second) > 0.0).any() for first, second in combinations(scores, 2)
    )


def _pair_rows(
    systems: Sequence[str],
    pairs: Iterable[tuple[int, int]],
    own: PairwisePvalues,
    gold: PairwisePvalues,
) -> Iterable[dict[str, Any]]:
    for i, j in pairs:
        yield {
            "system_a": systems[i],
            "system_b": systems[j],
            "n_segments": int(own.n_segments[i, j]),
            "difference": float(own.statistic[i, j]),
            "pvalue": float(own.pvalues[i, j]),
            "gold_difference": float(gold.statistic[i, j]),
            "gold_pvalue": float(gold.pvalues[i, j]),
            "method": own.method,
            "grid_step": own.step,
        }
