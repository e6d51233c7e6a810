"""Meta-metrics with fewer systems or fewer segments: Figures 2 and 3 of the SPA paper."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from sigcore.plotting.style import BLUE, ORANGE

__all__ = ["draw_intervals", "draw_stability", "intervals_figure", "stability_figure"]

Row = Mapping[str, Any]

# The same two colours and shapes as in the ranking.
_LOOKS: dict[str, dict[str, Any]] = {
    "spa": {"color": BLUE, "marker": "o", "markersize": 3.5},
    "pa": {"color": ORANGE, "marker": "D", "markersize": 3.5, "markerfacecolor": "white"},
}
# Text in the colour of a line must be dark enough to read.
_INK = {"spa": BLUE, "pa": "#8F6200"}


def draw_stability(ax: Axes, rows: Sequence[Row]) -> Axes:
    """Draw how well scores on a subset of the systems agree with those on all of them.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    rows : sequence of rows
        The table `ablation_systems` of one language pair.

    Returns
    -------
    Axes
        The same `ax`.
    """
    for meta in ("pa", "spa"):
        columns = _columns(rows, meta, ("n_systems", "mean", "lower_quartile", "upper_quartile"))
        sizes, mean, low, high = columns
        ax.fill_between(sizes, low, high, color=_LOOKS[meta]["color"], alpha=0.15, linewidth=0)
        ax.plot(sizes, mean, linewidth=1.5, **_LOOKS[meta])
    _label_lines(ax, rows)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid(axis="y")
    return ax


def stability_figure(tables: Mapping[str, Sequence[Row]]) -> Figure:
    """Draw Figure 2 of the SPA paper: a panel for each language pair.

    Parameters
    ----------
    tables : mapping of str to rows
        For each title of a panel the table `ablation_systems`.

    Returns
    -------
    Figure
    """
    columns = min(3, len(tables))
    lines = -(-len(tables) // columns)
    figure, axes = plt.subplots(
        lines,
        columns,
        figsize=(0.9 + 3.1 * columns, 0.6 + 2.5 * lines),
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for ax, (title, rows) in zip(axes.flat, tables.items(), strict=False):
        draw_stability(ax, rows)
        ax.set_title(title)
    # Only now: a limit set before the last panel is drawn would cut off what lies below it there.
    axes[0, 0].set_ylim(top=1.02)
    for ax in axes.flat[len(tables) :]:
        ax.set_visible(False)
    figure.supxlabel("number of systems", fontsize=9)
    figure.supylabel("Pearson r with the scores on\nall systems: mean, middle half", fontsize=9)
    return figure


def draw_intervals(ax: Axes, rows: Sequence[Row]) -> Axes:
    """Draw the intervals of one metric's SPA and PA against the number of segments.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    rows : sequence of rows
        The rows of one metric in the table `ablation_segments`.

    Returns
    -------
    Axes
        The same `ax`.
    """
    ends = {}
    for meta in ("pa", "spa"):
        sizes, mean, low, high = _columns(rows, meta, ("n_segments", "mean", "low", "high"))
        colour = _LOOKS[meta]["color"]
        ax.fill_between(sizes, low, high, color=colour, alpha=0.2, linewidth=0)
        for edge in (low, high):
            ax.plot(sizes, edge, color=colour, linewidth=1.0)
        ax.plot(sizes, mean, linewidth=1.5, **_LOOKS[meta])
        ends[meta] = (mean[-1], high[-1] - low[-1])
    higher = max(ends, key=lambda meta: ends[meta][0])
    for meta, (height, width) in ends.items():
        ax.annotate(
            f"{meta.upper()}, width {width:.3f}",
            xy=(1.02, height),
            xycoords=("axes fraction", "data"),
            va="bottom" if meta == higher else "top",
            color=_INK[meta],
            fontsize=8,
            fontweight="bold",
        )
    ax.grid(axis="y")
    ax.set_ylim(top=min(1.005, ax.get_ylim()[1]))
    ax.set_xlim(left=0)
    return ax


def intervals_figure(rows: Sequence[Row], *, metrics: Sequence[str], title: str) -> Figure:
    """Draw Figure 3 of the SPA paper for one language pair: a panel for each chosen metric.

    Parameters
    ----------
    rows : sequence of rows
        The table `ablation_segments`.
    metrics : sequence of str
        The metrics to show, from top to bottom.
    title : str
        Title of the figure.

    Returns
    -------
    Figure
    """
    figure, axes = plt.subplots(
        len(metrics),
        1,
        figsize=(5.6, 0.7 + 2.2 * len(metrics)),
        sharex=True,
        squeeze=False,
        layout="constrained",
    )
    for ax, metric in zip(axes[:, 0], metrics, strict=True):
        draw_intervals(ax, [row for row in rows if row["metric"] == metric])
        ax.set_title(metric)
    axes[-1, 0].set_xlabel("number of segments drawn")
    figure.supylabel("score, mean and 95% interval", fontsize=9)
    figure.suptitle(title, x=0.01, ha="left", fontweight="bold")
    return figure


def _columns(rows: Sequence[Row], meta: str, names: Sequence[str]) -> list[list[Any]]:
    """Return columns of one meta-metric, in the order of the first; undefined rows left out."""
    chosen = [row for row in rows if row["meta"] == meta and row["mean"] is not None]
    chosen = sorted(chosen, key=lambda row: row[names[0]])
    return [[row[name] for row in chosen] for name in names]


def _label_lines(ax: Axes, rows: Sequence[Row]) -> None:
    """Write SPA above and PA below its line, where the two are far apart."""
    spa, pa = (
        dict(zip(*_columns(rows, meta, ("n_systems", "mean")), strict=True))
        for meta in ("spa", "pa")
    )
    shared = [size for size in spa if size in pa]
    if not shared:
        return
    # Not at the very edge, where the text would leave the panel.
    inner = shared[1:-1] or shared
    place = inner[int(np.argmax([abs(spa[size] - pa[size]) for size in inner]))]
    for meta, line in (("spa", spa), ("pa", pa)):
        other = pa if meta == "spa" else spa
        above = line[place] >= other[place]
        ax.annotate(
            meta.upper(),
            xy=(place, line[place]),
            xytext=(-5, 5) if above else (5, -5),
            textcoords="offset points",
            ha="right" if above else "left",
            va="bottom" if above else "top",
            color=_INK[meta],
            fontweight="bold",
        )
