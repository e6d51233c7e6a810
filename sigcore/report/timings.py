"""The page on the run time of the paired permutation tests."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import jinja2

import sigcore

__all__ = ["render_timings"]


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
