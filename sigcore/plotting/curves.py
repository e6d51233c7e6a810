"""Curves against sample size: power, and p-values."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.ticker import LogFormatter

from sigcore.plotting.style import BLUE, GREY, PURPLE, RED

__all__ = ["draw_power_curve", "draw_pvalue_curve"]

FloatArray = npt.NDArray[np.float64]


def draw_power_curve(
    ax: Axes,
    sizes: Sequence[int] | npt.NDArray[np.int64],
    power: FloatArray,
    low: FloatArray,
    high: FloatArray,
    *,
    target: float = 0.8,
    observed: int | None = None,
    label: str | None = None,
    colour: str = BLUE,
) -> Axes:
    """Draw power against the number of pairs, with the error of the simulation.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    sizes, power, low, high : arrays of equal length
        Sample sizes, power, and the ends of its 95% interval.
    target : float
        Power marked by a line.
    observed : int, optional
        Sample size of the study, marked by a line.
    label : str, optional
        Name of the curve; a legend is drawn if there is one.
    colour : str
        Colour of the curve.

    Returns
    -------
    Axes
        The same `ax`.
    """
    ax.fill_between(sizes, low, high, color=colour, alpha=0.2, linewidth=0)
    ax.plot(sizes, power, "o-", color=colour, markersize=4, label=label)
    ax.axhline(target, color=GREY, linewidth=0.8, linestyle="--")
    ax.annotate(
        f"power {target:g}",
        xy=(0.01, target),
        xycoords=("axes fraction", "data"),
        va="bottom",
        fontsize=8,
    )
    if observed is not None:
        ax.axvline(observed, color=GREY, linewidth=0.8, linestyle=":")
        ax.annotate(
            "this study",
            xy=(observed, 1.01),
            xycoords=("data", "axes fraction"),
            ha="center",
            fontsize=8,
        )
    ax.set_ylim(0.0, 1.0)
    ax.set_xlim(left=0)
    ax.grid(axis="y")
    ax.set_xlabel("number of pairs")
    ax.set_ylabel("power (band: 95% interval)")
    if label is not None:
        ax.legend(loc="lower right")
    return ax


def draw_pvalue_curve(
    ax: Axes,
    sizes: Sequence[int] | npt.NDArray[np.int64],
    pvalues: FloatArray,
    *,
    alpha: float = 0.05,
    title: str = "",
) -> Axes:
    """Draw p-values against sample size, as Figure 5 of Zhu et al. (2020) does.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    sizes : sequence of length S
        Sample sizes.
    pvalues : array of shape (S, runs)
        p-values of several runs at each size; their mean is the line, their range the band.
    alpha : float
        Level, marked by a line.
    title : str
        Title of the panel.

    Returns
    -------
    Axes
        The same `ax`.
    """
    ax.fill_between(
        sizes, pvalues.min(axis=1), pvalues.max(axis=1), color=PURPLE, alpha=0.25, linewidth=0
    )
    ax.plot(sizes, pvalues.mean(axis=1), color=BLUE, linewidth=1.2)
    ax.axhline(alpha, color=RED, linewidth=1.0, linestyle=":")
    ax.set_xscale("log")
    # The default labels of a logarithmic axis are formulas, which the style leaves as they are.
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.xaxis.set_minor_formatter(LogFormatter(labelOnlyBase=False))
    ax.set_ylim(0.0, 1.0)
    ax.set_xlabel("number of pairs")
    ax.set_ylabel(f"p-value (mean, range of {pvalues.shape[1]} runs)")
    ax.set_title(title)
    return ax
