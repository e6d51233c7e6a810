"""One style for all figures, and a way to save them that gives the same bytes every time."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.rcsetup import cycler

from sigcore.errors import InputError
from sigcore.io.files import atomic_path

__all__ = [
    "BLUE",
    "GREEN",
    "GREY",
    "ORANGE",
    "PALETTE",
    "PURPLE",
    "RED",
    "figure_style",
    "save",
    "save_all",
]

# Okabe and Ito (2008): distinguishable with every common colour vision deficiency.
BLUE = "#0072B2"
ORANGE = "#E69F00"
GREEN = "#009E73"
RED = "#D55E00"
PURPLE = "#CC79A7"
SKY = "#56B4E9"
YELLOW = "#F0E442"
GREY = "#6E6E6E"
PALETTE = (BLUE, ORANGE, GREEN, RED, PURPLE, SKY, YELLOW, GREY)

_STYLE: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.grid": False,
    "axes.labelsize": 9,
    "axes.prop_cycle": cycler(color=PALETTE),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "figure.dpi": 100,
    "figure.titlesize": 11,
    "font.family": "DejaVu Sans",  # ships with matplotlib, so it is the same on every machine
    "font.size": 9,
    "grid.color": "#D9D9D9",
    "grid.linewidth": 0.6,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "pdf.fonttype": 42,
    "savefig.bbox": "tight",
    "savefig.dpi": 200,
    "svg.hashsalt": "sigcore",
    "text.parse_math": False,  # a name with dollar signs is no formula
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
}

# What matplotlib would write about the time of day and itself.
_NO_DATES = {
    ".pdf": {"CreationDate": None, "Producer": None, "Creator": None},
    ".png": {"Software": None},
    ".svg": {"Date": None, "Creator": None},
}


@contextmanager
def figure_style() -> Iterator[None]:
    """Draw with the house style, without a display, inside the `with` block."""
    with mpl.rc_context(rc=_STYLE):
        mpl.use("agg")
        yield


def save(figure: Figure, path: str | Path) -> None:
    """Save a figure atomically and without a date; the ending of `path` says the format."""
    target = Path(path)
    ending = target.suffix.lower()
    if ending not in _NO_DATES:
        raise InputError(f"a figure must end in {', '.join(_NO_DATES)}; got {str(path)!r}.")
    with atomic_path(target) as temporary, mpl.rc_context(rc=_STYLE):
        figure.savefig(temporary, format=ending[1:], metadata=_NO_DATES[ending])


def save_all(figure: Figure, stem: str | Path) -> None:
    """Save a figure in every format; `stem` is the path without the ending."""
    # In this order, on which bytes depend: a layout settles when it is drawn again.
    for ending in (".svg", ".pdf", ".png"):
        save(figure, f"{stem}{ending}")
