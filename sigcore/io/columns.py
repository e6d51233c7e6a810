"""Read a table of scores as columns: CSV, TSV, blank-separated text or Parquet.

Cells end at tabs in `.tsv`; in `.csv` at commas, or semicolons if the first line has no comma.
Other text files are split at tabs, commas or semicolons if the first line has one, else at blanks.
Decimal commas are refused. The first line is a header if it has text in a column where the second
has a number. A score may be missing: empty, `NA`, `N/A`, `NaN`, `None` or `null`.
"""

import csv
import io
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sigcore.errors import DataFileError
from sigcore.io.arrow import float_values
from sigcore.validation import FloatArray

__all__ = ["Columns", "read_columns"]

_MISSING = frozenset({"", "na", "n/a", "nan", "none", "null"})
_SEPARATORS = {".csv": ",;", ".tsv": "\t"}


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a table.

    Attributes
    ----------
    path : Path
        The file.
    names : tuple of str
        Names of the columns; "1", "2", ... without a header.
    cells : tuple of (list of str or ndarray)
        Their contents: text, or numbers that were numbers in the file.
    has_header : bool
        Whether the names are from the file.
    lines : tuple of int or None
        Line on which each row begins; None for Parquet.
    """

    path: Path
    names: tuple[str, ...]
    cells: tuple[list[str] | FloatArray, ...]
    has_header: bool
    lines: tuple[int, ...] | None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.cells[0])

    def line(self, row: int) -> int | None:
        """Return the line of a row; None for Parquet."""
        return None if self.lines is None else self.lines[row]

    def find(self, column: str) -> int:
        """Return the index of a column by its name, or by its number counted from 1."""
        if column in self.names:
            return self.names.index(column)
        if column.isdecimal() and 1 <= int(column) <= len(self.names):
            return int(column) - 1
        raise DataFileError(
            self.path, f"has no column {column!r}; it has {', '.join(map(repr, self.names))}."
        )

    def is_numeric(self, index: int) -> bool:
        """Return whether a column has a number and nothing that is neither number nor missing."""
        cells = self.cells[index]
        if not isinstance(cells, list):
            return True
        values = [_parse(cell) for cell in cells]
        return None not in values and not all(value != value for value in values)

    def is_score(self, index: int) -> bool:
        """Return whether a column is meant to have numbers: at least half of its cells do."""
        cells = self.cells[index]
        if not isinstance(cells, list):
            return True
        values = [_parse(cell) for cell in cells]
        n_text, n_missing = values.count(None), sum(value != value for value in values)
        return len(values) - n_text - n_missing >= max(n_text, 1)

    def numbers(self, index: int) -> FloatArray:
        """Return a column as numbers, NaN where one is missing.

        Raises
        ------
        DataFileError
            With the line of the first cell that is not a number.
        """
        cells = self.cells[index]
        if not isinstance(cells, list):
            return cells
        values = np.empty(len(cells))
        for row, cell in enumerate(cells):
            value = _parse(cell)
            if value is None:
                place = f"column {self.names[index]!r}"
                raise DataFileError(
                    self.path,
                    f"expected a number in {place}; found {cell!r}.",
                    line=self.line(row),
                )
            values[row] = value
        return values

    def texts(self, index: int) -> list[str]:
        """Return a column as text."""
        cells = self.cells[index]
        if isinstance(cells, list):
            return cells
        return [str(int(value)) if value.is_integer() else str(value) for value in cells.tolist()]


def read_columns(path: str | Path) -> Columns:
    """Read a table.

    Parameters
    ----------
    path : str or Path
        A `.parquet` file or a text file.

    Raises
    ------
    DataFileError
        If it is no such table: empty, not UTF-8, or with rows of different length.
    """
    file = Path(path)
    return _read_parquet(file) if file.suffix == ".parquet" else _read_text(file)


def _read_parquet(path: Path) -> Columns:
    try:
        table = pq.read_table(path)
    except pa.ArrowInvalid as error:
        raise DataFileError(path, f"cannot be read as Parquet: {error}") from error
    if table.num_rows == 0 or table.num_columns == 0:
        raise DataFileError(path, "is empty.")
    _refuse_repeats(path, table.column_names, None)
    return Columns(path, tuple(table.column_names), tuple(map(_cells, table.columns)), True, None)


def _cells(column: pa.ChunkedArray) -> list[str] | FloatArray:
    kind = column.type
    if pa.types.is_boolean(kind):
        column = column.cast(pa.int8())
    if pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return float_values(column.cast(pa.float64()))
    return ["" if value is None else str(value) for value in column.to_pylist()]


def _read_text(path: Path) -> Columns:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataFileError(path, "is not UTF-8 text.") from error
    try:
        rows = _split(text.rstrip("\r\n"), _SEPARATORS.get(path.suffix, "\t,;"), path.suffix)
    except csv.Error as error:
        raise DataFileError(path, f"cannot be read as a table: {error}.") from error
    if not any(row for _, row in rows):
        raise DataFileError(path, "is empty.")
    width = len(rows[0][1])
    for line, row in rows:
        if len(row) != width:
            raise DataFileError(
                path, f"expected {width} columns as in line 1; found {len(row)}.", line=line
            )
    header = _has_header([row for _, row in rows[:2]])
    names = rows[0][1] if header else [str(index + 1) for index in range(width)]
    _refuse_repeats(path, names, 1)
    lines, body = zip(*rows[1 if header else 0 :], strict=True)
    _refuse_decimal_commas(path, body[0], lines[0])
    cells = tuple(list(column) for column in zip(*body, strict=True))
    return Columns(path, tuple(names), cells, header, lines)


def _split(text: str, separators: str, suffix: str) -> list[tuple[int, list[str]]]:
    """Return the rows, each with the line on which it begins: a quoted cell may have several."""
    first = text.split("\n", 1)[0]
    default = separators[0] if suffix in _SEPARATORS else None
    separator = next((mark for mark in separators if mark in first), default)
    if separator is None:
        return [(line, row.split()) for line, row in enumerate(text.split("\n"), start=1)]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    rows, line = [], 1
    for row in reader:
        rows.append((line, [cell.strip() for cell in row]))
        line = reader.line_num + 1
    return rows


def _refuse_repeats(path: Path, names: list[str], line: int | None) -> None:
    if len(dict.fromkeys(names)) != len(names):
        raise DataFileError(path, f"has two columns of the same name in {names}.", line=line)


def _refuse_decimal_commas(path: Path, row: list[str], line: int) -> None:
    """Refuse `1,5 2,5` and `1,5;2,5`: split at commas the middle cell has two numbers."""
    for cell in row[1:-1]:
        parts = cell.replace(";", " ").split()
        if len(parts) == 2 and all(_parse(part) is not None for part in parts):
            raise DataFileError(
                path,
                f"has two numbers in a cell, {cell!r}; write decimal points and separate the "
                "columns by one mark.",
                line=line,
            )


def _has_header(rows: list[list[str]]) -> bool:
    if len(rows) < 2:
        return False
    return any(
        _is_name(first) and _parse(second) is not None
        for first, second in zip(rows[0], rows[1], strict=True)
    )


def _is_name(cell: str) -> bool:
    """Return whether a cell may name a column: infinity is no score, but no name either."""
    try:
        float(cell)
    except ValueError:
        return _parse(cell) is None
    return False


def _parse(cell: str) -> float | None:
    """Return the number in a cell, NaN if it is missing, None if it is no number."""
    if cell.lower() in _MISSING:
        return math.nan
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
