"""Whole figures of a meta-evaluation, put together from the drawing functions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

from sigcore.plotting.matrices import draw_pair_matrix, draw_significance, significance_legend
from sigcore.plotting.rankings import draw_ranking

__all__ = ["components_figure", "ranking_figure", "significance_figure"]

Row = Mapping[str, Any]
FloatArray = npt.NDArray[np.float64]


def ranking_figure(ranking: Sequence[Row], *, title: str) -> Figure:
    """Draw the ranking of one language pair: SPA, PA and clusters of every metric.

    Parameters
    ----------
    ranking : sequence of rows
        The table `ranking`, best first.
    title : str
        Title of the figure.

    Returns
    -------
    Figure
    """
    figure, ax = plt.subplots(figsize=(6.4, 0.6 + 0.22 * len(ranking)))
    draw_ranking(
        ax,
        [row["metric"] for row in ranking],
        np.array([row["spa"] for row in ranking]),
        np.array([row["pa"] for row in ranking]),
        [row["rank"] for row in ranking],
    )
    ax.set_title(title)
    return figure


def significance_figure(
    ranking: Sequence[Row], pvalues: Mapping[str, FloatArray], *, alpha: float, title: str
) -> Figure:
    """Draw which metrics differ significantly, by SPA and by PA, side by side.

    Parameters
    ----------
    ranking : sequence of rows
        The table `ranking`, best first.
    pvalues : mapping
        For ``"spa"`` and ``"pa"`` the matrix of p-values in the order of `ranking`.
    alpha : float
        Level of significance.
    title : str
        Title of the figure.

    Returns
    -------
    Figure
    """
    size = 1.2 + 0.2 * len(ranking)
    figure, axes = plt.subplots(1, 2, figsize=(2 * size + 4.2, size + 1.6), layout="constrained")
    for ax, meta, rank in zip(axes, ("spa", "pa"), ("rank", "rank_pa"), strict=True):
        # Each panel is in the order of its own scores, ties by name.
        order = sorted(range(len(ranking)), key=lambda i: (-ranking[i][meta], ranking[i]["metric"]))
        matrix = pvalues[meta][np.ix_(order, order)]
        ranks = [ranking[i][rank] for i in order]
        draw_significance(
            ax,
            [ranking[i]["metric"] for i in order],
            np.array([ranking[i][meta] for i in order]),
            matrix,
            ranks,
            alpha=alpha,
        )
        found = np.count_nonzero(matrix[np.triu_indices(len(order), 1)] <= alpha)
        ax.set_title(
            f"{meta.upper()}: {found} of {len(order) * (len(order) - 1) // 2} significant, "
            f"{max(ranks)} cluster{'' if max(ranks) == 1 else 's'}"
        )
    figure.suptitle(title, x=0.01, ha="left", fontweight="bold")
    figure.legend(
        handles=significance_legend(alpha, ties=True), loc="outside lower center", ncols=7
    )
    return figure


def components_figure(pvalues: Sequence[Row], *, metric: str, title: str) -> Figure:
    """Draw what SPA and PA of a metric are made of, as Figure 1 of the SPA paper does.

    Parameters
    ----------
    pvalues : sequence of rows
        The table `pvalues` of one language pair.
    metric : str
        The metric to show.
    title : str
        Title of the figure.

    Returns
    -------
    Figure
        PA in the upper row, SPA in the lower: human, metric and their agreement. Systems are
        ordered by human score, best first.
    """
    rows = [row for row in pvalues if row["scorer"] == metric and not row["is_gold"]]
    systems = _by_score(rows)
    orders, confidences = (
        [_arrange(rows, systems, preference, prefix) for prefix in ("gold_", "")]
        for preference in (_order, _confidence)
    )
    size = 1.0 + 0.19 * len(systems)
    figure, axes = plt.subplots(
        2, 3, figsize=(3 * size + 2.4, 2 * size + 1.6), layout="constrained"
    )
    panels_of = {
        "PA": (*orders, np.where(orders[0] == orders[1], 1.0, 0.0)),
        "SPA": (*confidences, 1 - np.abs(confidences[0] - confidences[1])),
    }
    for row, (name, (human, machine, agreement)) in enumerate(panels_of.items()):
        value = float(np.nanmean(agreement[np.triu_indices(len(systems), 1)]))
        panels = (
            (f"{name}: human", human, "cividis"),
            (f"{name}: {metric}", machine, "cividis"),
            (f"{name}: agreement, mean {value:.3f}", agreement, "YlGnBu"),
        )
        for column, (label, values, colours) in enumerate(panels):
            image = draw_pair_matrix(
                axes[row, column],
                systems,
                values,
                title=label,
                colormap=colours,
                row_labels=column == 0,
            )
            if column > 0:
                text = "confidence: row better" if column == 1 else "agreement"
                figure.colorbar(image, ax=axes[row, column], shrink=0.6, label=text)
    figure.suptitle(title, x=0.01, ha="left", fontweight="bold")
    return figure


def _by_score(rows: Sequence[Row]) -> list[str]:
    """Order systems by the sum of their mean differences by people."""
    total: dict[str, float] = {}
    for row in rows:
        total[row["system_a"]] = total.get(row["system_a"], 0.0) + row["gold_difference"]
        total[row["system_b"]] = total.get(row["system_b"], 0.0) - row["gold_difference"]
    return sorted(total, key=lambda name: (-total[name], name))


def _arrange(
    rows: Sequence[Row],
    systems: Sequence[str],
    preference: Callable[[Row, str], float],
    prefix: str,
) -> FloatArray:
    """Arrange by how much the row system is preferred to that of the column, from 0 to 1.

    `prefix` says whose columns of the table are read: ``"gold_"`` those of people.
    """
    index = {name: position for position, name in enumerate(systems)}
    matrix = np.full((len(systems), len(systems)), np.nan)
    for row in rows:
        a, b = index[row["system_a"]], index[row["system_b"]]
        matrix[a, b] = preference(row, prefix)
        matrix[b, a] = 1 - matrix[a, b]
    return matrix


def _confidence(row: Row, prefix: str) -> float:
    """Return one minus the p-value: how sure the scorer is that the first system is better."""
    return float(1 - row[f"{prefix}pvalue"])


def _order(row: Row, prefix: str) -> float:
    """Return 1 if the first system has the larger mean, 0 if the second has, 0.5 if none."""
    return float(1 + np.sign(row[f"{prefix}difference"])) / 2
