"""Power to tell two metrics apart against the number of segments or systems."""

import numpy as np
from matplotlib.axes import Axes

from sigcore.meta.power import SeparationCurve
from sigcore.plotting.curves import draw_power_curve
from sigcore.plotting.style import BLUE, RED

__all__ = ["draw_separation"]


def draw_separation(
    ax: Axes, curve: SeparationCurve, *, label: str | None = None, colour: str = BLUE
) -> Axes:
    """Draw how often two metrics separate.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    curve : SeparationCurve
        The curve; its band is the 95% interval of the simulation. The number of segments or
        systems that reaches the target is marked.
    label : str, optional
        Name of the curve, for a legend.
    colour : str
        Colour of the curve.

    Returns
    -------
    Axes
        The same `ax`.
    """
    observed = curve.n_segments if curve.by == "segments" else curve.n_systems
    draw_power_curve(
        ax,
        curve.sizes,
        curve.power,
        curve.low,
        curve.high,
        target=curve.target,
        observed=observed,
        label=label,
        colour=colour,
    )
    if np.isfinite(curve.n_target):
        ax.plot(curve.n_target, curve.target, "o", color=RED, markersize=6, zorder=4)
        ax.annotate(
            f"{curve.n_target:.0f} {curve.by}",
            xy=(curve.n_target, curve.target),
            xytext=(5, -5),
            textcoords="offset points",
            va="top",
            fontsize=8,
        )
    ax.set_xlabel(f"number of {curve.by}")
    return ax
