"""Rankings of metrics: one row a metric, best on top, clusters as bands."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from sigcore.plotting.style import BLUE, ORANGE

__all__ = ["draw_ranking", "shade_clusters"]

FloatArray = npt.NDArray[np.float64]
_BAND = "#EFEFEF"


def draw_ranking(
    ax: Axes,
    names: Sequence[str],
    spa: FloatArray,
    pa: FloatArray,
    ranks: Sequence[int],
) -> Axes:
    """Draw soft and plain pairwise accuracy of metrics that are ordered best first.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    names, spa, pa, ranks : sequences of equal length
        Metrics in the order of the ranking, their scores and the rank of their cluster.

    Returns
    -------
    Axes
        The same `ax`.
    """
    rows = np.arange(len(names))
    shade_clusters(ax, ranks)
    ax.hlines(rows, np.minimum(spa, pa), np.maximum(spa, pa), color="#BDBDBD", linewidth=1)
    ax.plot(
        pa, rows, "D", markersize=4, markerfacecolor="white", color=ORANGE, label="PA", zorder=3
    )
    ax.plot(spa, rows, "o", markersize=5, color=BLUE, label="SPA", zorder=4)
    ax.set_yticks(rows, names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.grid(axis="x")
    ax.set_xlabel("accuracy against human judgement (right is better)")
    ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2)
    return ax


def shade_clusters(ax: Axes, ranks: Sequence[int]) -> None:
    """Shade every other cluster and write its rank at the right edge."""
    starts = [0, *(row for row in range(1, len(ranks)) if ranks[row] != ranks[row - 1])]
    ends = [*starts[1:], len(ranks)]
    for index, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if index % 2 == 0:
            ax.axhspan(start - 0.5, end - 0.5, color=_BAND, linewidth=0, zorder=0)
        ax.annotate(
            str(ranks[start]),
            xy=(1.01, (start + end - 1) / 2),
            xycoords=("axes fraction", "data"),
            va="center",
            fontsize=8,
        )
    ax.annotate("cluster", xy=(1.01, 1.01), xycoords="axes fraction", va="bottom", fontsize=8)
