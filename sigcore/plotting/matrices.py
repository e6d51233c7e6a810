"""Matrices: significance between metrics, and p-values between systems."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.patheffects import Normal, Stroke

from sigcore.plotting.style import RED

__all__ = ["draw_pair_matrix", "draw_significance", "significance_legend"]

FloatArray = npt.NDArray[np.float64]

# Dark means significant, also in grey print.
_LEVEL_COLOURS = ("#08306B", "#2171B5", "#6BAED6", "#E9E9E9")
# A white seam tells a line from dark cells, also in grey print.
_ON_WHITE = [Stroke(linewidth=4.0, foreground="white"), Normal()]


def draw_significance(
    ax: Axes,
    names: Sequence[str],
    scores: FloatArray,
    pvalues: FloatArray,
    ranks: Sequence[int],
    *,
    alpha: float = 0.05,
) -> Axes:
    """Draw which metrics differ significantly, as Figure 4 of the SPA paper does.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    names, scores, ranks : sequences of length M
        Metrics ordered best first, their scores and the rank of their cluster. A score that
        another metric has too is marked with ``=``, or with ``≠`` if the two stand in different
        clusters.
    pvalues : array of shape (M, M)
        p-value of the difference between the metric of the row and that of the column; NaN is
        shown as "n/a".
    alpha : float
        Level of significance.

    Returns
    -------
    Axes
        The same `ax`.
    """
    upper = np.triu(np.ones_like(pvalues, dtype=bool), 1)
    shown = np.where(upper, pvalues, np.nan)
    # An upper edge belongs to the darker side (p <= alpha), BoundaryNorm counts it to the lighter.
    edges = [-1.0, *(np.nextafter(level, 2.0) for level in _levels(alpha)), 2.0]
    colours = ListedColormap(_LEVEL_COLOURS).with_extremes(bad="white")
    ax.imshow(shown, cmap=colours, norm=BoundaryNorm(edges, colours.N), interpolation="nearest")
    for row, column in np.argwhere(upper & np.isnan(pvalues)).tolist():
        ax.text(column, row, "n/a", ha="center", va="center", fontsize=5)
    labels = [
        f"{name}  {score:.3f} {mark}"
        for name, score, mark in zip(names, scores, _tie_marks(scores, ranks), strict=True)
    ]
    positions = np.arange(len(names))
    ax.set_yticks(positions, labels)
    ax.set_xticks(positions, names, rotation=90)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    _separate_cells(ax, len(names))
    for row in range(1, len(names)):
        if ranks[row] != ranks[row - 1]:
            ends = [row - 0.5, row - 0.5, len(names) - 0.5], [-0.5, row - 0.5, row - 0.5]
            ax.plot(*ends, color=RED, linewidth=1.6, path_effects=_ON_WHITE)
    return ax


def significance_legend(alpha: float = 0.05, *, ties: bool = False) -> list[Artist]:
    """Legend entries for `draw_significance`; with those of tied scores if they are marked."""
    labels = [f"p ≤ {level:g}" for level in _levels(alpha)] + ["not significant"]
    handles = [
        Patch(facecolor=colour, label=label)
        for colour, label in zip(_LEVEL_COLOURS, labels, strict=True)
    ]
    handles.append(Patch(facecolor="white", edgecolor=RED, label="cluster boundary"))
    # The marks stand in the text: a marker such as "$=$" would need mathematics, which is off.
    marks = ("=  tied scores", "≠  tied, in different clusters") if ties else ()
    return [*handles, *(Line2D([], [], linestyle="", label=mark) for mark in marks)]


def draw_pair_matrix(
    ax: Axes,
    systems: Sequence[str],
    values: FloatArray,
    *,
    title: str,
    colormap: str,
    row_labels: bool = True,
) -> AxesImage:
    """Draw a value between 0 and 1 for each pair of systems, rows against columns.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    systems : sequence of S names
        In the order of rows and columns.
    values : array of shape (S, S)
        Only the upper triangle is shown; the first system has no column and the last no row.
    title : str
        Title of the panel.
    colormap : str
        A sequential map, so that it can be read in grey print too.
    row_labels : bool
        Whether to write the names at the rows.

    Returns
    -------
    AxesImage
        For a colour bar.
    """
    shown = np.where(np.triu(np.ones_like(values, dtype=bool), 1), values, np.nan)[:-1, 1:]
    image = ax.imshow(shown, cmap=colormap, vmin=0, vmax=1, interpolation="nearest")
    positions = np.arange(len(systems) - 1)
    ax.set_xticks(positions, systems[1:], rotation=90)
    ax.set_yticks(positions, systems[:-1] if row_labels else [""] * len(positions))
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    _separate_cells(ax, len(systems) - 1)
    ax.set_title(title)
    return image


def _tie_marks(scores: FloatArray, ranks: Sequence[int]) -> list[str]:
    """Mark scores that occur more than once; differently where a cluster boundary parts them."""
    clusters: dict[float, list[int]] = {}
    for score, rank in zip(scores.tolist(), ranks, strict=True):
        clusters.setdefault(score, []).append(rank)
    marks = {
        score: "≠" if len(set(found)) > 1 else "=" if len(found) > 1 else " "
        for score, found in clusters.items()
    }
    return [marks[score] for score in scores.tolist()]


def _levels(alpha: float) -> list[float]:
    """Give the three levels that are told apart by colour: alpha, a fifth and a fiftieth of it."""
    return [alpha / 50, alpha / 5, alpha]


def _separate_cells(ax: Axes, size: int) -> None:
    """Draw thin white lines between cells."""
    ax.set_xticks(np.arange(size + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(size + 1) - 0.5, minor=True)
    ax.grid(which="minor", color="white", linewidth=0.8)
    ax.tick_params(which="minor", length=0)
