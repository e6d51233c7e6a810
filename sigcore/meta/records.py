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

__all__ = ["metric_records", "pvalue_matrix", "pvalue_records"]

Row = Mapping[str, Any]
FloatArray = npt.NDArray[np.float64]


def pvalue_records(
    evalset: EvalSet, scorers: Sequence[str | None], **options: Any
) -> list[dict[str, Any]]:
    """Compute the p-values of all system pairs by some scorers.

    Parameters
    ----------
    evalset : EvalSet
        The selected systems, segments and metrics.
    scorers : sequence of str or None
        Names of metrics; None stands for the gold.
    **options
        For `pairwise_pvalues`.

    Returns
    -------
    list of dict
        Rows of the table `pvalues`. A cell without gold is left out for every scorer.
    """
    rows: list[dict[str, Any]] = []
    for scorer in scorers:
        scores = evalset.gold if scorer is None else evalset.scores[evalset.metric_index(scorer)]
        result = pairwise_pvalues(np.where(evalset.mask, scores, np.nan), **options)
        name = evalset.gold_name if scorer is None else scorer
        rows.extend(_pair_rows(evalset.systems, name, scorer is None, result))
    return rows


def metric_records(
    evalset: EvalSet, pvalues: Iterable[Row], *, ties: str = "mid", **options: Any
) -> list[dict[str, Any]]:
    """Score every metric of a set by SPA and PA.

    Parameters
    ----------
    evalset : EvalSet
        The selected systems, segments and metrics.
    pvalues : iterable of rows
        The table `pvalues` of the set, gold included.
    ties, **options
        For `pairwise_pvalues`, as the table was made. Where a metric lacks scores, the p-values of
        the gold are computed anew without these cells.

    Returns
    -------
    list of dict
        Rows of the table `metrics`, in the order of the set.
    """
    by_scorer: dict[str | None, list[Row]] = {}
    for row in pvalues:
        by_scorer.setdefault(None if row["is_gold"] else row["scorer"], []).append(row)
    gold = pvalue_matrix(by_scorer[None], evalset.systems)
    rows = []
    for index, metric in enumerate(evalset.metrics):
        own = by_scorer[metric.name]
        gaps = evalset.mask & np.isnan(evalset.scores[index])
        people = gold
        if gaps.any():
            rated = np.where(gaps, np.nan, evalset.gold)
            people = pairwise_pvalues(rated, ties=ties, **options).pvalues
        accuracy = segment_accuracy(
            evalset.gold, evalset.scores[index], missing=options.get("missing", "listwise")
        )
        rows.append(
            {
                "metric": metric.name,
                "reference": metric.reference,
                "reference_free": metric.reference_free,
                "primary": metric.primary,
                "baseline": metric.baseline,
                "mine": metric.extra,
                "spa": spa_from_pvalues(people, pvalue_matrix(own, evalset.systems)),
                "pa": accuracy.value,
                "n_agreements": accuracy.n_agree,
                "n_pairs": accuracy.n_pairs,
                "n_systems": evalset.n_systems,
                "n_segments": min(row["n_segments"] for row in own),
                "n_missing": int(gaps.sum()),
                "method": own[0]["method"],
            }
        )
    return rows


def pvalue_matrix(rows: Iterable[Row], systems: Sequence[str]) -> FloatArray:
    """Arrange the p-values of one scorer: entry (i, j) of system i being better than system j.

    Only pairs in the order of the rows are filled; the rest is NaN.
    """
    index = {name: position for position, name in enumerate(systems)}
    matrix = np.full((len(systems), len(systems)), np.nan)
    for row in rows:
        matrix[index[row["system_a"]], index[row["system_b"]]] = row["pvalue"]
    return matrix


def _pair_rows(
    systems: Sequence[str], scorer: str, is_gold: bool, result: PairwisePvalues
) -> Iterable[dict[str, Any]]:
    for i, j in combinations(range(len(systems)), 2):
        yield {
            "scorer": scorer,
            "is_gold": is_gold,
            "system_a": systems[i],
            "system_b": systems[j],
            "n_segments": int(result.n_segments[i, j]),
            "difference": float(result.statistic[i, j]),
            "pvalue": float(result.pvalues[i, j]),
            "method": result.method,
            "grid_step": result.step,
        }
