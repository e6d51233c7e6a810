"""Whole figures of a comparison of systems, put together from the drawing functions."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

from sigcore.plotting.curves import draw_power_curve, draw_pvalue_curve
from sigcore.plotting.distributions import draw_difference_histogram, draw_score_histogram
from sigcore.plotting.matrices import draw_significance, significance_legend
from sigcore.plotting.style import BLUE, ORANGE, figure_style

__all__ = ["figure_svg", "histograms_figure", "power_figure", "simulation_figure", "systems_figure"]

FloatArray = npt.NDArray[np.float64]
Row = Mapping[str, Any]

_TESTS = {"t": "t test", "wilcoxon": "Wilcoxon signed-rank test"}


def histograms_figure(u: FloatArray, v: FloatArray, names: tuple[str, str]) -> Figure:
    """Draw the scores of two systems and their differences side by side.

    Parameters
    ----------
    u, v : ndarray of shape (n,)
        Scores of the systems on the same units.
    names : tuple of two str
        Names of the systems.

    Returns
    -------
    Figure
    """
    figure = Figure(figsize=(11, 3), layout="constrained")
    axes = figure.subplots(1, 3)
    draw_score_histogram(axes[0], u, name=names[0], colour=BLUE)
    draw_score_histogram(axes[1], v, name=names[1], colour=ORANGE)
    draw_difference_histogram(axes[2], u - v, names=names)
    return figure


def power_figure(curve: Sequence[Row], *, label: str, target: float, observed: int) -> Figure:
    """Draw power against the number of pairs.

    Parameters
    ----------
    curve : sequence of rows
        Columns ``n``, ``power``, ``low`` and ``high``, by increasing ``n``.
    label : str
        Name of the test.
    target : float
        Power marked by a line.
    observed : int
        Number of pairs of the study, marked by a line.

    Returns
    -------
    Figure
    """
    figure = Figure(figsize=(5.5, 3.5), layout="constrained")
    draw_power_curve(
        figure.subplots(),
        [row["n"] for row in curve],
        *(np.array([row[name] for row in curve]) for name in ("power", "low", "high")),
        target=target,
        observed=observed,
        label=label,
    )
    return figure


def systems_figure(
    systems: Sequence[Row], pairs: Sequence[Row], *, alpha: float, title: str
) -> Figure:
    """Draw which systems differ, as Figure 4 of Zhu et al. (2020) does.

    Parameters
    ----------
    systems : sequence of rows
        The table `system_ranking`, best first.
    pairs : sequence of rows
        The table `system_pairs`.
    alpha : float
        Level of significance.
    title : str
        Title of the figure.

    Returns
    -------
    Figure
    """
    names = [row["system"] for row in systems]
    side = 2.5 + 0.28 * len(names)
    figure = Figure(figsize=(side + 1.5, side), layout="constrained")
    ax = draw_significance(
        figure.subplots(),
        names,
        np.array([row["mean"] for row in systems]),
        _matrix(names, pairs),
        [row["rank"] for row in systems],
        alpha=alpha,
    )
    ax.set_title(title)
    ax.legend(handles=significance_legend(alpha), loc="lower left")
    return figure


def simulation_figure(rows: Sequence[Row], *, alpha: float) -> Figure:
    """Draw p-values against sample size, as Figure 5 of Zhu et al. (2020) does.

    Parameters
    ----------
    rows : sequence of rows
        The table `pvalue_simulation`.
    alpha : float
        Level, marked by a line.

    Returns
    -------
    Figure
        A panel for each setting, in the order of `rows`.
    """
    panels = list(dict.fromkeys(row["setting"] for row in rows))
    figure = Figure(figsize=(9, 6), layout="constrained")
    for ax, panel, letter in zip(figure.subplots(2, 2).flat, panels, "abcd", strict=True):
        found = [row for row in rows if row["setting"] == panel]
        sizes = sorted({row["n"] for row in found})
        pvalues = [[row["pvalue"] for row in found if row["n"] == n] for n in sizes]
        first = found[0]
        truth = "true" if first["null_true"] else "false"
        test = _TESTS.get(first["test"], first["test"])
        draw_pvalue_curve(
            ax,
            sizes,
            np.array(pvalues),
            alpha=alpha,
            title=f"({letter}) {first['distribution']}, {test}: H0 {truth}",
        )
    return figure


def figure_svg(figure: Figure) -> str:
    """Return a figure as the SVG element of a page, the same text every time."""
    buffer = io.StringIO()
    with figure_style():
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    return text[text.index("<svg") :]


def _matrix(names: Sequence[str], pairs: Sequence[Row]) -> FloatArray:
    """Arrange corrected p-values so that row against column asks whether the row is better."""
    place = {name: index for index, name in enumerate(names)}
    matrix = np.full((len(names), len(names)), np.nan)
    for row in pairs:
        i, j = place[row["system_a"]], place[row["system_b"]]
        value = np.nan if row["adjusted"] is None else row["adjusted"]
        if row["alternative"] != "less":
            matrix[i, j] = value
        if row["alternative"] != "greater":
            matrix[j, i] = value
    return matrix
