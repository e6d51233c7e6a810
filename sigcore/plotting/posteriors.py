"""Posterior distributions of two models (Figures 1 to 3 of Wang & Li 2019)."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sigcore.bayes.folds import FoldCounts
from sigcore.bayes.posterior import (
    MEASURES,
    Posterior,
    fold_posterior,
    mean_count_posterior,
)
from sigcore.plotting.style import BLUE, RED

__all__ = ["draw_posteriors", "posteriors_figure"]

COLOURS = (BLUE, RED)
TITLES = {"precision": "Precision", "recall": "Recall", "f1": "F1"}
# The figures of the paper show each curve between these quantiles.
TAIL = 0.001
N_POINTS = 400


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
    for posterior, label, colour in zip(posteriors, labels, COLOURS, strict=True):
        _draw_curve(ax, posterior, colour, label, "-")
    for posterior, label, colour in zip(older, labels[: len(older)], COLOURS, strict=False):
        _draw_curve(ax, posterior, colour, f"{label}, mean counts", "--")
    top = ax.get_ylim()[1]
    for row, (posterior, colour) in enumerate(zip(posteriors, COLOURS, strict=True), 1):
        height = -0.05 * row * top
        ax.plot(
            posterior.equal_tailed_interval(credibility),
            (height, height),
            color=colour,
            linewidth=2.5,
            solid_capstyle="butt",
        )
        ax.plot(posterior.mean, height, "o", color=colour, markersize=4)
    ax.axhline(0, color="black", linewidth=0.6)
    ax.set_ylim(-0.05 * (len(posteriors) + 1) * top, top)
    ax.set_yticks([tick for tick in ax.get_yticks() if 0 <= tick <= top])
    ax.locator_params(axis="x", nbins=5)
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
    figure = Figure(figsize=(3.2 * len(measures), 3.4 if title else 3.2), layout="constrained")
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
    handles, names = axes[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=len(names))
    if title:
        figure.suptitle(title, x=0.01, ha="left", fontweight="bold")
    return figure


def _draw_curve(ax: Axes, posterior: Posterior, colour: str, label: str, line: str) -> None:
    lower, upper = posterior.quantile([TAIL, 1 - TAIL])
    values = np.linspace(lower, upper, N_POINTS)
    ax.plot(values, posterior.density(values), line, color=colour, label=label, linewidth=1.4)
