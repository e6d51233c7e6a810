"""Many parsers or taggers: their ranking beside every comparison."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sigcore.parsing.ranking import measure_title
from sigcore.plotting.matrices import draw_significance, significance_legend
from sigcore.plotting.rankings import shade_clusters
from sigcore.plotting.style import BLUE, GREEN, ORANGE

__all__ = ["draw_parsers", "parsers_figure"]

Row = Mapping[str, Any]
FloatArray = npt.NDArray[np.float64]

# Measures of the same kind, which can be read on one axis with the one that ranks.
_COMPANIONS = {"f1": ("precision", "recall"), "las": ("uas",), "uas": ("las",)}
_MARKS = (("D", ORANGE), ("s", GREEN))


def draw_parsers(
    ax: Axes, names: Sequence[str], values: Mapping[str, FloatArray], ranks: Sequence[int]
) -> Axes:
    """Draw one or more measures of parsers that are ordered best first.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    names, ranks : sequences of equal length
        Parsers in the order of the ranking and the rank of their cluster.
    values : mapping of measure to array
        What to show; the first measure is the one that ranks.

    Returns
    -------
    Axes
        The same `ax`.
    """
    rows = np.arange(len(names))
    shade_clusters(ax, ranks)
    stacked = np.array(list(values.values()))
    ax.hlines(rows, stacked.min(axis=0), stacked.max(axis=0), color="#BDBDBD", linewidth=1)
    main, *others = values.items()
    for (measure, numbers), (mark, colour) in zip(others, _MARKS, strict=False):
        ax.plot(
            numbers,
            rows,
            mark,
            markersize=4,
            markerfacecolor="white",
            color=colour,
            label=measure_title(measure),
            zorder=3,
        )
    ax.plot(main[1], rows, "o", markersize=5, color=BLUE, label=measure_title(main[0]), zorder=4)
    ax.set_yticks(rows, names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.grid(axis="x")
    if others:
        ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=len(values))
    return ax


def parsers_figure(
    parsers: Sequence[Row], pvalues: FloatArray, *, measure: str, alpha: float, correction: str
) -> Figure:
    """Draw the ranking of parsers and, row by row beside it, which of them differ.

    Parameters
    ----------
    parsers : sequence of rows
        The table `parsers`, best first.
    pvalues : array
        Matrix of corrected p-values in that order.
    measure : str
        The measure that ranks.
    alpha : float
        Level of significance.
    correction : str
        How p-values were corrected.

    Returns
    -------
    Figure
    """
    names = [row["parser"] for row in parsers]
    ranks = [row["rank"] for row in parsers]
    shown = (measure, *_COMPANIONS.get(measure, ()))
    values = {
        name: np.array([row[name] for row in parsers], dtype=np.float64)
        for name in shown
        if all(row[name] is not None for row in parsers)
    }
    # Wide enough for its title, however few parsers there are.
    size = max(1.6, 0.32 * len(names))
    figure, (left, right) = plt.subplots(
        1,
        2,
        sharey=True,
        figsize=(6.2 + size, size + 1.9),
        width_ratios=(3.6, size),
        layout="constrained",
    )
    draw_significance(right, names, values[measure], pvalues, ranks, alpha=alpha)
    right.set_aspect("auto")
    found = np.count_nonzero(pvalues[np.triu_indices(len(names), 1)] <= alpha)
    n_pairs = len(names) * (len(names) - 1) // 2
    right.set_title(f"{found} of {n_pairs} pairs differ significantly")
    draw_parsers(left, names, values, ranks)
    # The two share their rows, and so the ticks that part the cells.
    left.tick_params(which="minor", length=0)
    direction = "left" if measure == "crossing" else "right"
    unit = "crossing brackets a sentence" if measure == "crossing" else "share"
    left.set_xlabel(f"{unit} ({direction} is better)")
    left.set_title(f"Parsers by {measure_title(measure)}")
    figure.legend(
        handles=significance_legend(alpha),
        loc="outside lower center",
        ncols=5,
        title="p-value" if correction == "none" else f"p-value, corrected ({correction})",
    )
    return figure
