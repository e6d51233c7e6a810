"""The page on the run time of the paired permutation tests."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import jinja2

import sigcore
from sigcore.report.page import Figure
from sigcore.report.simple import figure_html, table_html

__all__ = ["render_timings", "timings_section"]


def render_timings(
    columns: Mapping[str, Sequence[Any]], *, svg: str, n_repeats: int, facts: Mapping[str, str]
) -> str:
    """Render figure and table as one self-contained HTML page.

    Parameters
    ----------
    columns : mapping of str to sequence
        The table, as `timing_columns` gives it; the first column names the methods.
    svg : str
        The figure.
    n_repeats : int
        Measurements of each method and size.
    facts : mapping of str to str
        Machine and versions of the software.

    Returns
    -------
    str
        The page.
    """
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, keep_trailing_newline=True
    )
    template = environment.from_string(
        files("sigcore.report").joinpath("timings.html").read_text(encoding="utf-8")
    )
    return template.render(
        heads=list(columns),
        rows=list(zip(*columns.values(), strict=True)),
        # The XML declaration has no place inside a page.
        svg=svg[svg.index("<svg") :],
        n_repeats=n_repeats,
        facts=list(facts.items()),
        sigcore_version=sigcore.__version__,
    )


def timings_section(columns: Mapping[str, Sequence[Any]], *, svg: str, n_repeats: int) -> str:
    """Put figure and table into HTML for the report of a run; see `render_timings`."""
    rows = [
        dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)
    ]
    figure = Figure(
        svg,
        "Run time of a paired permutation test on N simulated sentences, as Figure 1 of Zmigrod, "
        f"Vieira and Cotterell (2022). Points are the fastest of {n_repeats} measurements, in "
        "processor time of one thread; thin bars reach to the slowest.",
        "benchmark/figures/timings",
    )
    link = (
        "<p>What was timed, and on which machine: "
        '<a href="benchmark/report.html">the page on run times</a>. Times are never the same '
        "twice.</p>"
    )
    return figure_html(figure) + table_html(rows, dict(zip(columns, columns, strict=True))) + link
