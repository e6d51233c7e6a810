"""Run time against the number of items: Figure 1 of Zmigrod et al. (2022)."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullLocator

from sigcore.permutation.timing_summary import TimingSummary, spaced_sizes, summarise_timings
from sigcore.plotting.style import BLUE, GREEN, GREY, ORANGE, PURPLE, RED

__all__ = ["draw_timings", "timings_figure"]

# Colour, marker and line: each method can be told by any two of them, and by its label.
_LOOKS: dict[str, dict[str, Any]] = {
    "exact": {"color": BLUE, "marker": "o", "linewidth": 2.4},
    "fft": {"color": GREEN, "marker": "s"},
    "dp": {"color": ORANGE, "marker": "D"},
    "monte-carlo": {"color": GREY, "marker": "^", "linestyle": (0, (5, 1.5))},
    "algorithm-1": {"color": RED, "marker": "v", "linestyle": (0, (1, 1.2))},
    "scipy": {"color": PURPLE, "marker": "P", "linestyle": (0, (3, 1, 1, 1))},
}
# Distance of two labels, as a share of the height of the axes.
_LABEL_GAP = 0.052


def draw_timings(ax: Axes, rows: Sequence[Mapping[str, Any]]) -> Axes:
    """Draw the fastest time of each method, with thin bars up to the slowest of the repeats.

    Parameters
    ----------
    ax : Axes
        Where to draw; both axes become logarithmic.
    rows : sequence of mappings
        The table ``timings``.

    Returns
    -------
    Axes
        The same `ax`.
    """
    summaries = summarise_timings(rows)
    for summary in summaries:
        look = {"linewidth": 1.3, "markersize": 4, **_LOOKS[summary.method]}
        ax.plot(list(summary.seconds), list(summary.seconds.values()), **look)
        _draw_ranges(ax, summary, rows, look["color"])
    ax.set_xscale("log")
    ax.set_yscale("log")
    sizes = list(summaries[0].seconds)
    ax.set_xticks(spaced_sizes(sizes, factor=1.5))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda size, _: f"{size:,.0f}"))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.yaxis.set_major_formatter(FuncFormatter(lambda seconds, _: _duration(seconds)))
    ax.grid(axis="y")
    ax.set_xlabel("number of items N (sentences)")
    ax.set_ylabel("processor time of one test (one thread)")
    _label_ends(ax, summaries)
    return ax


def timings_figure(rows: Sequence[Mapping[str, Any]]) -> Figure:
    """Draw the whole figure from the table ``timings``."""
    figure, ax = plt.subplots(figsize=(6.4, 4.6))
    draw_timings(ax, rows)
    ax.set_title("Time of a paired permutation test")
    return figure


def _draw_ranges(
    ax: Axes, summary: TimingSummary, rows: Sequence[Mapping[str, Any]], colour: str
) -> None:
    for size in summary.seconds:
        times = [
            row["seconds"]
            for row in rows
            if (row["method"], row["n_resamples"], row["n"])
            == (summary.method, summary.n_resamples, size)
        ]
        ax.plot([size, size], [min(times), max(times)], color=colour, linewidth=0.8)


def _duration(seconds: float) -> str:
    for limit, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= 0.999 * limit:
            return f"{seconds / limit:g} {unit}"
    return f"{seconds:g} s"


def _label_ends(ax: Axes, summaries: Sequence[TimingSummary]) -> None:
    """Write each method at the end of its line, moved apart where lines end close together."""
    last = [list(summary.seconds.items())[-1] for summary in summaries]
    bottom, top = np.log(ax.get_ylim())
    heights = [(np.log(seconds) - bottom) / (top - bottom) for _, seconds in last]
    for summary, (size, seconds), height in zip(summaries, last, _apart(heights), strict=True):
        colour = _LOOKS[summary.method]["color"]
        ax.annotate(
            summary.label,
            xy=(size, seconds),
            xycoords="data",
            xytext=(1.04, height),
            textcoords="axes fraction",
            va="center",
            fontsize=8,
            fontweight="bold" if summary.method == "exact" else "normal",
            color=colour,
            arrowprops={
                "arrowstyle": "-",
                "color": colour,
                "linewidth": 0.6,
                "relpos": (0.0, 0.5),
                "shrinkA": 1,
                "shrinkB": 3,
            },
        )


def _apart(heights: Sequence[float]) -> list[float]:
    """Move heights apart to at least the gap of labels, each as little as possible.

    Labels that would overlap form a group with one label a gap, centred on its members.
    """
    order = np.argsort(heights, kind="stable")
    groups: list[list[int]] = []
    for index in order.tolist():
        groups.append([index])
        while len(groups) > 1 and _overlap(groups[-2], groups[-1], heights):
            last = groups.pop()
            groups[-1] += last
    placed = [0.0] * len(heights)
    for group in groups:
        start = _start(group, heights)
        for position, index in enumerate(group):
            placed[index] = start + position * _LABEL_GAP
    return placed


def _overlap(lower: list[int], upper: list[int], heights: Sequence[float]) -> bool:
    end = _start(lower, heights) + len(lower) * _LABEL_GAP
    return _start(upper, heights) < end - 1e-9


def _start(group: list[int], heights: Sequence[float]) -> float:
    centre = sum(heights[index] for index in group) / len(group)
    return centre - 0.5 * (len(group) - 1) * _LABEL_GAP
