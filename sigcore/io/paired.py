"""Read the scores of two systems, or of many systems on the same items."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sigcore.errors import DataFileError, InputError
from sigcore.io.alignment import is_label, match_rows, unlike_texts
from sigcore.io.columns import Columns, read_columns
from sigcore.validation import FloatArray, as_choice

__all__ = ["LAYOUTS", "PairedScores", "ScoreTable", "read_pair", "read_score_table"]

LAYOUTS = ("auto", "columns", "rows", "long", "segments")


@dataclass(frozen=True, slots=True)
class PairedScores:
    """Scores of two systems on the same items.

    Attributes
    ----------
    u, v : ndarray of shape (n,)
        The scores.
    names : tuple of two str
        Names of the systems.
    kept : ndarray of bool
        Which items of the first file these are; others lack a score.
    notes : tuple of str
        What speaks against the way in which the rows were matched.
    """

    u: FloatArray
    v: FloatArray
    names: tuple[str, str]
    kept: npt.NDArray[np.bool_]
    notes: tuple[str, ...] = ()

    @property
    def n_missing(self) -> int:
        """Number of items left out because a score was missing."""
        return int(np.count_nonzero(~self.kept))


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """Scores of several systems on the same items.

    Attributes
    ----------
    names : tuple of str
        Systems.
    scores : ndarray of shape (systems, items)
        The scores; NaN where one is missing.
    """

    names: tuple[str, ...]
    scores: FloatArray

    @property
    def n_missing(self) -> int:
        """Number of missing scores."""
        return int(np.isnan(self.scores).sum())

    def without(self, systems: Sequence[str]) -> "ScoreTable":
        """Return the table without some systems; names that it lacks are passed over."""
        kept = [index for index, name in enumerate(self.names) if name not in systems]
        return ScoreTable(tuple(self.names[index] for index in kept), self.scores[kept])


def read_pair(
    first: str | Path,
    second: str | Path | None = None,
    *,
    columns: Sequence[str] = (),
    drop_missing: bool = False,
) -> PairedScores:
    """Read two systems: from two files with one score a line, or from two columns of one file.

    Rows of two files that name their items are matched by name (`sigcore.io.alignment`).

    Parameters
    ----------
    first, second : str or Path
        One file or two.
    columns : sequence of str
        Names of the columns, or their numbers from 1: two for one file, up to one a file for
        two files. Needed only where a file has other columns of numbers too.
    drop_missing : bool
        Leave out items with a missing score; otherwise they are an error.

    Returns
    -------
    PairedScores
        Named after the columns if they have names, else after the files, else "A" and "B".
    """
    if second is None:
        table = read_columns(first)
        one, two = _pick(table, columns, 2)
        u, v = table.numbers(one), table.numbers(two)
        names = (table.names[one], table.names[two]) if table.has_header else ("A", "B")
        return _complete(table, table, np.arange(table.n_rows), u, v, names, drop_missing)
    tables = read_columns(first), read_columns(second)
    (one,) = _pick(tables[0], columns[:1], 1)
    (two,) = _pick(tables[1], columns[1:] or columns[:1], 1)
    rows = match_rows(*tables, (one, two))
    name_u, name_v = _system(tables[0], one), _system(tables[1], two)
    names = (name_u, name_v) if name_u != name_v else ("A", "B")
    u, v = tables[0].numbers(one), tables[1].numbers(two)[rows]
    pair = _complete(*tables, rows, u, v, names, drop_missing)
    return replace(pair, notes=tuple(unlike_texts(*tables, (one, two))))


def read_score_table(
    path: str | Path,
    *,
    layout: str = "auto",
    system_column: str = "system",
    item_column: str = "segment",
    score_column: str = "score",
) -> ScoreTable:
    """Read the scores of many systems.

    Parameters
    ----------
    path : str or Path
        CSV, TSV, text or Parquet.
    layout : {"auto", "columns", "rows", "long", "segments"}
        A column of numbers a system; a row a system, its name first; a row a score, with columns
        for system, item and score; or lines of system and score in the order of the items, without
        header. "auto" takes "long" if a column has the name of `system_column`, "segments" for two
        columns, text and numbers, without header, else "columns"; a table of more columns that has
        names in its rows but no header is refused.
    system_column, item_column, score_column : str
        Names of the columns in the long layout.

    Returns
    -------
    ScoreTable
        Systems in the order of the file.
    """
    as_choice(layout, "layout", LAYOUTS)
    table = read_columns(path)
    chosen = _guess(table, system_column) if layout == "auto" else layout
    if chosen == "long":
        return _from_long(table, system_column, item_column, score_column)
    if chosen == "segments":
        return _from_segments(table)
    return _from_rows(table) if chosen == "rows" else _from_columns(table)


def _pick(table: Columns, columns: Sequence[str], wanted: int) -> list[int]:
    """Return the columns of scores: those asked for, or the only ones there are."""
    if columns:
        if len(columns) != wanted:
            raise InputError(f"`columns` must name {wanted} columns; got {len(columns)}.")
        return [table.find(column) for column in columns]
    numeric = [index for index in range(len(table.names)) if table.is_score(index)]
    if len(numeric) > 1 and table.has_header:
        numeric = [index for index in numeric if not is_label(table.names[index])]
    if len(numeric) == wanted:
        return numeric
    if len(numeric) < wanted <= len(table.names):
        # A cell is not a number: reading the column says where.
        for index in range(wanted):
            table.numbers(index)
    if len(numeric) < wanted:
        raise DataFileError(
            table.path,
            f"expected {wanted} column{'s' if wanted > 1 else ''} of scores; found {len(numeric)}."
            + (" Give a second file, or one with two columns." if wanted == 2 else ""),
        )
    names = ", ".join(repr(table.names[index]) for index in numeric)
    raise DataFileError(
        table.path, f"has {len(numeric)} columns of numbers ({names}); say which to use (columns)."
    )


def _system(table: Columns, column: int) -> str:
    return table.names[column] if table.has_header else table.path.stem


def _complete(
    first: Columns,
    second: Columns,
    rows: npt.NDArray[np.int64],
    u: FloatArray,
    v: FloatArray,
    names: tuple[str, str],
    drop: bool,
) -> PairedScores:
    """Leave out, or refuse, items without both scores; `rows` are those of the second table."""
    gaps = np.isnan(u) | np.isnan(v)
    n_gaps = int(gaps.sum())
    if n_gaps and not drop:
        row = int(np.argmax(gaps))
        table, row = (first, row) if np.isnan(u[row]) else (second, int(rows[row]))
        count = "an item lacks" if n_gaps == 1 else f"{n_gaps} items, this the first, lack"
        raise DataFileError(
            table.path,
            f"{count} a score; fill it, or leave out such items on purpose (drop missing).",
            line=table.line(row),
        )
    if gaps.all():
        raise DataFileError(first.path, "has no item with a score of both systems.")
    return PairedScores(u[~gaps], v[~gaps], names, ~gaps)


def _guess(table: Columns, system_column: str) -> str:
    if table.has_header and system_column in table.names:
        return "long"
    two = len(table.names) == 2 and not table.has_header
    if two and not table.is_numeric(0) and table.is_numeric(1):
        return "segments"
    names_rows = not table.has_header and not table.is_numeric(0)
    if names_rows and len(dict.fromkeys(table.texts(0))) == table.n_rows > 1:
        raise DataFileError(
            table.path,
            f"has no header, so {table.texts(0)[0]!r} may be a system or an item; choose the "
            "layout rows or columns.",
        )
    return "columns"


def _from_columns(table: Columns) -> ScoreTable:
    used = [
        index
        for index, name in enumerate(table.names)
        if not is_label(name) and table.is_score(index)
    ]
    if len(used) < 2:
        raise DataFileError(
            table.path,
            f"expected a column of numbers for each of 2 or more systems; found {len(used)}.",
        )
    return ScoreTable(
        tuple(table.names[index] for index in used),
        np.stack([table.numbers(index) for index in used]),
    )


def _from_rows(table: Columns) -> ScoreTable:
    names = tuple(table.texts(0))
    _refuse_repeats(table, names)
    scores = np.stack([table.numbers(index) for index in range(1, len(table.names))], axis=1)
    return ScoreTable(names, scores)


def _from_segments(table: Columns) -> ScoreTable:
    systems, scores = table.texts(0), table.numbers(1)
    names = tuple(dict.fromkeys(systems))
    labels = np.array(systems, dtype=object)
    rows = [scores[labels == name] for name in names]
    lengths = {name: len(row) for name, row in zip(names, rows, strict=True)}
    if len(set(lengths.values())) > 1:
        few, many = min(lengths, key=lengths.__getitem__), max(lengths, key=lengths.__getitem__)
        raise DataFileError(
            table.path,
            f"systems must have equally many scores; {few!r} has {lengths[few]} and {many!r} "
            f"{lengths[many]}.",
        )
    return ScoreTable(names, np.stack(rows))


def _from_long(table: Columns, system: str, item: str, score: str) -> ScoreTable:
    systems, items = table.texts(table.find(system)), table.texts(table.find(item))
    values = table.numbers(table.find(score))
    names, labels = tuple(dict.fromkeys(systems)), tuple(dict.fromkeys(items))
    row_of = {name: index for index, name in enumerate(names)}
    column_of = {label: index for index, label in enumerate(labels)}
    rows = np.array([row_of[name] for name in systems])
    columns = np.array([column_of[label] for label in items])
    cells = rows * len(labels) + columns
    if len(np.unique(cells)) != len(cells):
        _, first = np.unique(cells, return_index=True)
        repeat = next(index for index in range(len(cells)) if index not in set(first.tolist()))
        raise DataFileError(
            table.path,
            f"{systems[repeat]!r} has two scores on {items[repeat]!r}.",
            line=table.line(repeat),
        )
    scores = np.full((len(names), len(labels)), np.nan)
    scores[rows, columns] = values
    return ScoreTable(names, scores)


def _refuse_repeats(table: Columns, names: tuple[str, ...]) -> None:
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            raise DataFileError(table.path, f"has two rows for the system {name!r}.")
