"""Read the counts of two systems on the same items: tp, fp, fn, or correct and total."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sigcore.errors import DataFileError
from sigcore.grid import IntArray
from sigcore.io.alignment import is_label, match_rows
from sigcore.io.columns import Columns, read_columns
from sigcore.validation import as_choice

__all__ = ["MEASURES", "PairedCounts", "SystemCounts", "read_paired_counts"]

# The columns of a system without header, and those that a header must name.
_WITHOUT_HEADER = {
    "f1": ("tp", "fp", "fn"),
    "precision": ("tp", "fp", "fn"),
    "recall": ("tp", "fp", "fn"),
    "accuracy": ("correct", "total"),
}
_NEEDED = _WITHOUT_HEADER | {"precision": ("tp", "fp"), "recall": ("tp", "fn")}

MEASURES = tuple(_NEEDED)

SystemCounts = dict[str, IntArray]


@dataclass(frozen=True, slots=True)
class PairedCounts:
    """Counts of two systems on the same items.

    Attributes
    ----------
    a, b : dict of str to ndarray
        Counts of each item by name: the columns that the measure needs.
    names : tuple of two str
        Names of the systems.
    n_items : int
        Number of items.
    """

    a: SystemCounts
    b: SystemCounts
    names: tuple[str, str]
    n_items: int


def read_paired_counts(
    first: str | Path, second: str | Path | None = None, *, measure: str
) -> PairedCounts:
    """Read counts from a file for each system, or from one file with A's columns before B's.

    Parameters
    ----------
    first, second : str or Path
        Tables as `read_columns` takes them, one row an item. A system has the columns tp, fp and
        fn, in this order or named by a header, where `tp_a` and `tp.base` count as `tp`. For
        "accuracy" they are correct and total. A column before them, or one with a name such as
        "id" or "segment", may name the items; rows of two files are matched by it.
    measure : {"f1", "precision", "recall", "accuracy"}
        What the counts are for.

    Raises
    ------
    DataFileError
        For other columns, a count that is not a whole number of at least 0 (with its line), or
        files of different length.
    """
    as_choice(measure, "measure", MEASURES)
    one = read_columns(first)
    if second is None:
        columns = _count_columns(one, 2 * len(_WITHOUT_HEADER[measure]))
        half, odd = divmod(len(columns), 2)
        if odd:
            raise DataFileError(one.path, _expected(measure, "of A, then those of B", one))
        a = _counts(one, columns[:half], measure, "of A, then those of B")
        b = _counts(one, columns[half:], measure, "of A, then those of B")
        return PairedCounts(a, b, ("A", "B"), one.n_rows)
    two = read_columns(second)
    rows = match_rows(one, two, (-1, -1))
    a, b = (
        _counts(table, _count_columns(table, len(_WITHOUT_HEADER[measure])), measure, "of a system")
        for table in (one, two)
    )
    b = {name: values[rows] for name, values in b.items()}
    names = (one.path.stem, two.path.stem)
    return PairedCounts(a, b, names if names[0] != names[1] else ("A", "B"), one.n_rows)


def _count_columns(table: Columns, expected: int) -> list[int]:
    """Return all columns but those that name the items."""
    columns = list(range(len(table.names)))
    if table.has_header:
        return [index for index in columns if not is_label(table.names[index])]
    named = len(columns) == expected + 1 and not table.is_numeric(0)
    return columns[1:] if named else columns


def _counts(table: Columns, columns: list[int], measure: str, whose: str) -> SystemCounts:
    if table.has_header:
        # tp_a, tp.base and "tp 1" are the tp of some system.
        names = [re.split(r"[^a-z]", table.names[index].lower())[0] for index in columns]
    else:
        names = list(_WITHOUT_HEADER[measure])
        if len(names) != len(columns):
            raise DataFileError(table.path, _expected(measure, whose, table))
    needed = _NEEDED[measure]
    if any(names.count(name) != 1 for name in needed):
        raise DataFileError(table.path, _expected(measure, whose, table), line=1)
    return {name: _whole_numbers(table, columns[names.index(name)]) for name in needed}


def _expected(measure: str, whose: str, table: Columns) -> str:
    columns = ", ".join((_NEEDED if table.has_header else _WITHOUT_HEADER)[measure])
    found = ", ".join(table.names) if table.has_header else f"{len(table.names)} columns"
    return f"expected the columns {columns} {whose}; found {found}."


def _whole_numbers(table: Columns, index: int) -> IntArray:
    values = table.numbers(index)
    # NaN, a missing count, fails both comparisons.
    bad = ~((values >= 0) & (values == np.floor(values)))
    if bad.any():
        row = int(np.argmax(bad))
        raise DataFileError(
            table.path,
            f"expected a whole number of at least 0 in column {table.names[index]!r}; "
            f"found {values[row]:g}.",
            line=table.line(row),
        )
    return values.astype(np.int64)
