"""The ranking of metrics: their scores, put in order and into clusters."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from sigcore.meta.clusters import all_pairs_clusters, greedy_clusters

__all__ = ["comparison_matrix", "rank_metrics"]

Row = Mapping[str, Any]


def rank_metrics(
    metrics: Sequence[Row], comparisons: Iterable[Row], *, alpha: float = 0.05
) -> list[dict[str, Any]]:
    """Order metrics by SPA and say to which cluster each belongs.

    Parameters
    ----------
    metrics : sequence of rows
        Each with `metric`, `spa`, `pa` and further columns, which are kept.
    comparisons : iterable of rows
        For each ordered pair of metrics and each of the meta-metrics ``"spa"`` and ``"pa"`` a row:
        `meta`, `metric`, `other`, `difference`, `pvalue` and, if they were corrected, `adjusted`,
        in both directions.
    alpha : float
        Two metrics differ where the corrected p <= alpha.

    Returns
    -------
    list of dict
        The rows of `metrics`, best first, with `rank`, `rank_pa`, `rank_all_pairs` and
        `n_beaten`. One metric beats another only if it is better on the cells that were compared.
    """
    rows = list(comparisons)
    names = [row["metric"] for row in metrics]
    spa = np.array([row["spa"] for row in metrics])
    pa = np.array([row["pa"] for row in metrics])
    of_spa, of_pa = (
        {
            "pvalues": comparison_matrix(names, rows, meta),
            "differences": _matrix(names, rows, meta, itemgetter("difference")),
        }
        for meta in ("spa", "pa")
    )
    greedy = greedy_clusters(spa, **of_spa, names=names, alpha=alpha)
    by_pa = greedy_clusters(pa, **of_pa, names=names, alpha=alpha)
    strict = all_pairs_clusters(spa, **of_spa, names=names, alpha=alpha)
    beaten = (of_spa["pvalues"] <= alpha) & (of_spa["differences"] > 0.0)
    return [
        {
            **metrics[index],
            "rank": int(greedy.ranks[index]),
            "rank_pa": int(by_pa.ranks[index]),
            "rank_all_pairs": int(strict.ranks[index]),
            "n_beaten": int(beaten[index].sum()),
        }
        for index in greedy.order
    ]


def comparison_matrix(
    names: Sequence[str], comparisons: Iterable[Row], meta: str
) -> npt.NDArray[np.float64]:
    """Arrange the corrected p-values of one meta-metric as a matrix in the order of `names`.

    The diagonal, and pairs that were not compared, are NaN.
    """
    return _matrix(names, comparisons, meta, lambda row: row.get("adjusted", row["pvalue"]))


def _matrix(
    names: Sequence[str], comparisons: Iterable[Row], meta: str, value: Callable[[Row], float]
) -> npt.NDArray[np.float64]:
    index = {name: position for position, name in enumerate(names)}
    matrix = np.full((len(names), len(names)), np.nan)
    for row in comparisons:
        if row["meta"] == meta:
            matrix[index[row["metric"]], index[row["other"]]] = value(row)
    return matrix
