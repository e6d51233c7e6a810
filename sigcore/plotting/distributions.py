"""Distributions of scores and of their differences."""

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from sigcore.plotting.style import BLUE, GREY, RED

__all__ = ["draw_difference_histogram", "draw_score_histogram"]

FloatArray = npt.NDArray[np.float64]
_MOST_BINS = 60


def draw_score_histogram(
    ax: Axes, scores: FloatArray, *, name: str, colour: str = BLUE, unit: str = "score"
) -> Axes:
    """Draw the distribution of a system's scores, with its mean and median.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    scores : ndarray of shape (n,)
        The scores.
    name : str
        Name of the system.
    colour : str
        Colour of the bars.
    unit : str
        What a score is, for the axis.

    Returns
    -------
    Axes
        The same `ax`.
    """
    ax.hist(scores, bins=_bins(scores).tolist(), color=colour, edgecolor="white", linewidth=0.3)
    _mark_centres(ax, scores)
    ax.set_xlabel(unit)
    ax.set_ylabel("pairs")
    ax.set_title(f"{name} (n = {len(scores)})")
    return ax


def draw_difference_histogram(
    ax: Axes, differences: FloatArray, *, names: tuple[str, str], unit: str = "score"
) -> Axes:
    """Draw the distribution of the differences of two systems, with a line at no difference.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    differences : ndarray of shape (n,)
        First system minus second.
    names : tuple of two str
        The systems.
    unit : str
        What a score is, for the axis.

    Returns
    -------
    Axes
        The same `ax`.
    """
    ax.hist(
        differences, bins=_bins(differences).tolist(), color=GREY, edgecolor="white", linewidth=0.3
    )
    ax.axvline(0.0, color="black", linewidth=0.8)
    _mark_centres(ax, differences)
    ax.set_xlabel(f"difference in {unit}, {names[0]} - {names[1]}")
    ax.set_ylabel("pairs")
    ax.set_title(f"Difference (n = {len(differences)})")
    return ax


def _bins(values: FloatArray) -> FloatArray:
    """Return edges of bins by the rule of Freedman and Diaconis, at most 60."""
    low, high = float(values.min()), float(values.max())
    if low == high:
        return np.array([low - 0.5, high + 0.5])
    quartiles = np.quantile(values, [0.25, 0.75])
    width = 2.0 * float(quartiles[1] - quartiles[0]) / len(values) ** (1 / 3)
    wanted = (high - low) / width if width > 0.0 else _MOST_BINS
    return np.linspace(low, high, int(np.clip(np.ceil(wanted), 1, _MOST_BINS)) + 1)


def _mark_centres(ax: Axes, values: FloatArray) -> None:
    ax.axvline(float(values.mean()), color=RED, linewidth=1.2, label="mean")
    ax.axvline(float(np.median(values)), color=RED, linewidth=1.2, linestyle=":", label="median")
    ax.legend(loc="upper right")
