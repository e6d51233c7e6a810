"""Writing a table in all the forms that people want it in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from sigcore.io.tables import to_latex, to_markdown, write_csv, write_table, write_text

__all__ = ["write_all"]

Row = Mapping[str, Any]


def write_all(
    output: Any,
    name: str,
    table: pa.Table,
    choose: Callable[[Sequence[Row]], tuple[list[Any], dict[str, str], dict[str, str]]],
) -> None:
    """Write a table in full as Parquet and CSV, and what people read of it for papers.

    Parameters
    ----------
    output : Snakemake outputs
        Files under `name`, and `name` with ``_csv``, ``_latex`` and ``_markdown``.
    name : str
        Name of the table among the outputs.
    table : pyarrow.Table
        The table.
    choose : callable
        Gives rows, heads of the columns and formats of their numbers for people.
    """
    write_table(output[name], table)
    write_csv(output[f"{name}_csv"], table)
    rows, headers, formats = choose(table.to_pylist())
    columns = {column: [row[column] for row in rows] for column in headers}
    latex = to_latex(columns, headers=headers, formats=formats)
    write_text(output[f"{name}_latex"], latex)
    markdown = to_markdown(columns, headers=headers, formats=formats)
    write_text(output[f"{name}_markdown"], markdown)
