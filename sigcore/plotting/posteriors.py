"""Posterior distributions of two models (Figures 1 to 3 of Wang & Li 2019)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from sigcore.bayes.folds import FoldCounts
from sigcore.bayes.posterior import (
    MEASURES,
    Posterior,
    fold_posterior,
    mean_count_posterior,
)
from sigcore.errors import InputError
from sigcore.plotting.style import BLUE, RED

__all__ = ["draw_posteriors", "posteriors_figure"]

FloatArray = npt.NDArray[np.float64]

# Colour, width of the curve and mark of the mean of either model: in grey the colours are alike.
LOOKS = ((BLUE, 1.0, "o"), (RED, 2.2, "D"))
TITLES = {"precision": "Precision", "recall": "Recall", "f1": "F1"}
# The figures of the paper show each curve between these quantiles.
TAIL = 0.001
N_POINTS = 400
# Points of a curve, a fiftieth, that do not count for the height of the axis at an end where the
# density is infinite.
OPEN_END = N_POINTS // 50
MARGIN = 1.05
# In inches: a panel, and in the legend a line and a letter.
PANEL_WIDTH, LINE_WIDTH, LETTER_WIDTH = 3.2, 0.5, 1 / 16
# Numbers on an axis that shows less than this are long, so there are fewer.
NARROW = 1e-3


class _Curve(NamedTuple):
    """Values, their density, and how high the axis should reach."""

    values: FloatArray
    density: FloatArray
    top: float


def draw_posteriors(
    ax: Axes,
    posteriors: Sequence[Posterior],
    labels: Sequence[str],
    *,
    older: Sequence[Posterior] = (),
    credibility: float = 0.95,
) -> Axes:
    """Draw the posterior densities of one measure, with credible intervals under the curves.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    posteriors : sequence of Posterior
        One for each model, of the same measure.
    labels : sequence of str
        Names of the models.
    older : sequence of Posterior, optional
        Posteriors of the mean counts, drawn dashed.
    credibility : float
        Of the equal-tailed intervals.

    Returns
    -------
    Axes
        The same `ax`.
    """
    _check_pair("posteriors", len(posteriors))
    curves = [_curve(posterior) for posterior in (*posteriors, *older)]
    names = [*labels, *(f"{label}, mean counts" for label in labels)]
    top = MARGIN * max(curve.top for curve in curves)
    for number, (curve, name) in enumerate(zip(curves, names, strict=False)):
        line, (colour, width, _) = "--" if number >= len(posteriors) else "-", LOOKS[number % 2]
        # A density that is infinite at an end leaves the axes there.
        density = np.minimum(curve.density, 2 * top)
        (drawn,) = ax.plot(curve.values, density, line, color=colour, label=name, linewidth=width)
        drawn.set_zorder(4 - width)  # thin over wide
    for row, (posterior, (colour, _, mark)) in enumerate(zip(posteriors, LOOKS, strict=True), 1):
        ends = posterior.equal_tailed_interval(credibility)
        height = -0.05 * row * top
        ax.plot(ends, (height, height), color=colour, linewidth=2.5, solid_capstyle="butt")
        ax.plot(posterior.mean, height, mark, color=colour, markersize=4)
    ax.axhline(0, color="black", linewidth=0.6)
    ax.set_ylim(-0.05 * (len(posteriors) + 1) * top, top)
    _set_ticks(ax, top)
    ax.set_title(TITLES[posteriors[0].measure])
    ax.set_xlabel(f"{TITLES[posteriors[0].measure]} (bars: {credibility:.4g} intervals)")
    return ax


def posteriors_figure(
    models: Mapping[str, FoldCounts],
    *,
    measures: Sequence[str] = MEASURES,
    prior: float = 1.0,
    rho1: float | None = None,
    rho2: float | None = None,
    credibility: float = 0.95,
    title: str = "",
) -> Figure:
    """Draw the posteriors of two models, one panel a measure.

    Parameters
    ----------
    models : mapping of name to FoldCounts
        The two models.
    measures : sequence of {"precision", "recall", "f1"}
        The panels.
    prior, rho1, rho2, credibility
        See `bayes_test`.
    title : str
        Title of the figure; none by default.

    Returns
    -------
    Figure
        The posteriors, and dashed the older ones, of mean counts.
    """
    _check_pair("models", len(models))
    figure = Figure(
        figsize=(PANEL_WIDTH * len(measures), 3.4 if title else 3.2), layout="constrained"
    )
    axes = figure.subplots(1, len(measures), squeeze=False)[0]
    for ax, measure in zip(axes, measures, strict=True):
        draw_posteriors(
            ax,
            [
                fold_posterior(folds, measure=measure, prior=prior, rho1=rho1, rho2=rho2)
                for folds in models.values()
            ],
            list(models),
            older=[
                mean_count_posterior(folds, measure=measure, prior=prior)
                for folds in models.values()
            ],
            credibility=credibility,
        )
    axes[0].set_ylabel("posterior density")
    _draw_legend(figure, axes[0].get_lines()[: 2 * len(models)])
    if title:
        figure.suptitle(title, x=0.01, ha="left", fontweight="bold")
    return figure


def _check_pair(name: str, number: int) -> None:
    if number != len(LOOKS):
        raise InputError(f"`{name}` must be of two models; got {number}.")


def _curve(posterior: Posterior) -> _Curve:
    lower, upper = posterior.quantile([TAIL, 1 - TAIL])
    if lower == upper:
        # All of it is nearer to one value than numbers are: a spike.
        return _Curve(np.array([lower, upper]), np.array([0.0, np.inf]), 1.0)
    values = np.linspace(lower, upper, N_POINTS)
    density = posterior.density(values)
    left = OPEN_END if posterior.a < 1 else 0
    right = OPEN_END if posterior.b < 1 else 0
    return _Curve(values, density, float(density[left : N_POINTS - right].max()))


def _set_ticks(ax: Axes, top: float) -> None:
    ax.set_yticks([tick for tick in ax.get_yticks() if 0 <= tick <= top])
    left, right = ax.get_xlim()
    ax.locator_params(axis="x", nbins=5 if right - left > NARROW else 4)
    # Numbers in full: a common offset or power would stand on the label or the title.
    ax.ticklabel_format(axis="both", style="plain", useOffset=False)


def _draw_legend(figure: Figure, curves: Sequence[Line2D]) -> None:
    # Named one by one: of itself a legend leaves out names that begin with "_".
    names = [str(curve.get_label()) for curve in curves]
    columns = _legend_columns(names, figure.get_figwidth())
    figure.legend(curves, names, loc="outside lower center", ncols=columns)


def _legend_columns(names: Sequence[str], room: float) -> int:
    """Return in how many columns the legend fits; each column has the same number of names."""
    for columns in (len(names), 2):
        size = len(names) // columns
        widest = [max(map(len, names[k : k + size])) for k in range(0, len(names), size)]
        if sum(LINE_WIDTH + LETTER_WIDTH * letters for letters in widest) <= room:
            return columns
    return 1
