"""Typeset tables for papers and notes: LaTeX with booktabs, and Markdown."""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pyarrow as pa

from sigcore.io.arrow import TableLike, as_arrow

__all__ = ["is_missing", "table_rows", "to_latex", "to_markdown"]


def to_latex(
    table: TableLike,
    *,
    formats: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
    caption: str | None = None,
    label: str | None = None,
) -> str:
    r"""Typeset a table for LaTeX with the booktabs package.

    Parameters
    ----------
    table : pyarrow.Table, pandas.DataFrame or mapping of columns
        The table. Numbers are set flush right, a missing value as a dash.
    formats : mapping of column to format, optional
        How to print numbers, for example ``{"spa": ".3f"}``.
    headers : mapping of column to text, optional
        Heads of columns, typeset as they are; other columns have their escaped name.
    caption, label : str, optional
        With one of them the table becomes a float. They are typeset as they are.

    Returns
    -------
    str
        The source, ready to paste.

    Examples
    --------
    >>> print(to_latex({"metric": ["MEE_4"], "spa": [0.75]}, formats={"spa": ".3f"}), end="")
    \begin{tabular}{lr}
    \toprule
    metric & spa \\
    \midrule
    MEE\_4 & 0.750 \\
    \bottomrule
    \end{tabular}
    """
    arrow = as_arrow(table)
    heads = [(headers or {}).get(name) or _escape_latex(name) for name in arrow.column_names]
    rows = _formatted(arrow, formats, missing="--", escape=_escape_latex)
    align = "".join("r" if numeric else "l" for numeric in _numeric(arrow))
    lines = [rf"\begin{{tabular}}{{{align}}}", r"\toprule", _latex_row(heads), r"\midrule"]
    lines += [*map(_latex_row, rows), r"\bottomrule", r"\end{tabular}"]
    if caption is not None or label is not None:
        lines = [r"\begin{table}", r"\centering", *lines]
        lines += [rf"\caption{{{caption}}}"] if caption is not None else []
        lines += [rf"\label{{{label}}}"] if label is not None else []
        lines += [r"\end{table}"]
    return "\n".join(lines) + "\n"


def to_markdown(
    table: TableLike,
    *,
    formats: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> str:
    """Typeset a table as a Markdown pipe table; parameters as in `to_latex`."""
    arrow = as_arrow(table)
    heads = [(headers or {}).get(name) or _escape_markdown(name) for name in arrow.column_names]
    rule = ["---:" if numeric else "---" for numeric in _numeric(arrow)]
    rows = [heads, rule, *_formatted(arrow, formats, missing="", escape=_escape_markdown)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def table_rows(table: pa.Table) -> Iterator[tuple[Any, ...]]:
    """Iterate over the rows of an Arrow table as Python values."""
    return zip(*(column.to_pylist() for column in table.columns), strict=True)


def is_missing(value: Any) -> bool:
    """Whether a cell is empty: None or NaN."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def _numeric(table: pa.Table) -> list[bool]:
    return [pa.types.is_integer(kind) or pa.types.is_floating(kind) for kind in table.schema.types]


def _formatted(
    table: pa.Table,
    formats: Mapping[str, str] | None,
    *,
    missing: str,
    escape: Callable[[str], str],
) -> Iterator[list[str]]:
    """Print the cells of a table, row by row."""
    specs = [(formats or {}).get(name, "") for name in table.column_names]
    for row in table_rows(table):
        cells = zip(row, specs, strict=True)
        yield [missing if is_missing(v) else escape(format(v, spec)) for v, spec in cells]


def _latex_row(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{char: "\\" + char for char in "&%$#_{}"},
}


def _escape_latex(text: str) -> str:
    return "".join(_LATEX.get(char, char) for char in text.replace("\n", " "))


def _escape_markdown(text: str) -> str:
    special = "\\`*_[]<>|#"
    return "".join("\\" + char if char in special else char for char in text.replace("\n", " "))
