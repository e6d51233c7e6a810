"""What the run times of several methods say: fastest times, ratios and growth."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sigcore.errors import InputError

__all__ = [
    "TimingSummary",
    "method_label",
    "spaced_sizes",
    "summarise_timings",
    "timing_columns",
]

_LABELS = {
    "exact": "exact (tilted inversion)",
    "fft": "FFT convolution",
    "dp": "DP convolution",
    "monte-carlo": "Monte Carlo",
    "algorithm-1": "plain Monte Carlo",
    "scipy": "scipy",
}


@dataclass(frozen=True, slots=True)
class TimingSummary:
    """Times of one method.

    Attributes
    ----------
    method : str
        As in `time_methods`.
    n_resamples : int or None
        Number of draws, for methods that draw.
    seconds : dict of int to float
        Time for each number of items: the fastest of the repeats, as all else is disturbance.
    ratio : float
        Time at the largest number of items, divided by that of the baseline.
    exponent : float
        Slope of log time against log items by least squares; NaN for a single size.
    """

    method: str
    n_resamples: int | None
    seconds: dict[int, float]
    ratio: float
    exponent: float

    @property
    def label(self) -> str:
        """What tables and figures call it."""
        return method_label(self.method, self.n_resamples)


def summarise_timings(
    rows: Sequence[Mapping[str, Any]], *, baseline: str = "exact"
) -> list[TimingSummary]:
    """Take the fastest time of each method and size, and how times grow with the size.

    Parameters
    ----------
    rows : sequence of mappings
        What `time_methods` returned; all methods with the same sizes.
    baseline : str
        The method that others are compared with.

    Returns
    -------
    list of TimingSummary
        In the order in which methods first occur.
    """
    fastest: dict[tuple[str, int | None], dict[int, float]] = {}
    for row in sorted(rows, key=lambda row: int(row["n"])):
        seconds = fastest.setdefault((row["method"], row["n_resamples"]), {})
        seconds[row["n"]] = min(row["seconds"], seconds.get(row["n"], math.inf))
    if (baseline, None) not in fastest:
        raise InputError(f"`rows` must have times of the method {baseline!r}.")
    compared = fastest[baseline, None]
    return [
        TimingSummary(
            name,
            n_resamples,
            seconds,
            ratio=seconds[max(seconds)] / compared[max(seconds)],
            exponent=_exponent(seconds),
        )
        for (name, n_resamples), seconds in fastest.items()
    ]


def timing_columns(summaries: Sequence[TimingSummary]) -> dict[str, list[Any]]:
    """Return summaries as columns of a table for people: milliseconds, ratio and exponent.

    Of many sizes only some are shown, each at least twice the one before.
    """
    sizes = spaced_sizes(list(summaries[0].seconds), factor=2.0)
    columns: dict[str, list[Any]] = {"method": [summary.label for summary in summaries]}
    for size in sizes:
        columns[f"N = {size:,} (ms)"] = [
            _three_digits(1e3 * summary.seconds[size]) for summary in summaries
        ]
    columns[f"times exact, N = {max(sizes):,}"] = [
        _three_digits(summary.ratio) for summary in summaries
    ]
    columns["exponent of N"] = [
        "" if math.isnan(summary.exponent) else f"{summary.exponent:.2f}" for summary in summaries
    ]
    return columns


def spaced_sizes(sizes: Sequence[int], *, factor: float) -> list[int]:
    """Leave out sizes that are less than `factor` times the one before; the largest stays.

    Examples
    --------
    >>> spaced_sizes([500, 1000, 1500, 2000, 3000], factor=2.0)
    [500, 1500, 3000]
    """
    kept = [max(sizes)]
    for size in sorted(sizes, reverse=True):
        if size * factor <= kept[-1]:
            kept.append(size)
    return kept[::-1]


def method_label(method: str, n_resamples: int | None) -> str:
    """Name a method for people.

    Examples
    --------
    >>> method_label("monte-carlo", 5000)
    'Monte Carlo, K = 5,000'
    """
    draws = "" if n_resamples is None else f", K = {n_resamples:,}"
    return _LABELS[method] + draws


def _exponent(seconds: Mapping[int, float]) -> float:
    if len(seconds) < 2:
        return math.nan
    x, y = np.log(list(seconds)), np.log(list(seconds.values()))
    return float(np.polyfit(x, y, 1)[0])


def _three_digits(number: float) -> str:
    return f"{number:.3g}" if number < 1000 else f"{float(f'{number:.3g}'):,.0f}"
