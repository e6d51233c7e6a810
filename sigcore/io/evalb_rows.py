"""The rows of an evalb output: one sentence in twelve columns."""

import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from sigcore.errors import DataFileError
from sigcore.io.evalb_totals import ROUNDING
from sigcore.parsing.scores import ERROR, SKIPPED, VALID, SentenceScores

__all__ = ["N_COLUMNS", "WITHOUT_TREE", "Row", "as_scores", "check_row", "parse_row"]

# A sentence without a tree that evalb was told to count.
WITHOUT_TREE = 3


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its line in the file and its columns; percentages lie between 0 and 100."""

    line: int
    id: int
    length: int
    status: int
    recall: float
    precision: float
    matched: int
    gold: int
    test: int
    crossing: int
    words: int
    tags: int
    accuracy: float


_COLUMNS = tuple(field.name for field in fields(Row))[1:]
N_COLUMNS = len(_COLUMNS)

# Percentage, its numerator, its denominator.
_PERCENTAGES = (
    ("recall", "matched", "gold"),
    ("precision", "matched", "test"),
    ("accuracy", "tags", "words"),
)
_WHOLE = re.compile(r"[0-9]{1,9}")
_PERCENT = re.compile(r"[0-9]{1,3}(\.[0-9]*)?")


def parse_row(path: Path, line: int, columns: list[str]) -> Row:
    """Read the columns, or raise `DataFileError` with the name of the bad one."""
    percentages = [name for name, _, _ in _PERCENTAGES]
    values: dict[str, Any] = {}
    for name, column in zip(_COLUMNS, columns, strict=True):
        if name in percentages:
            values[name] = _as_percent(path, line, name, column)
        elif _WHOLE.fullmatch(column):
            values[name] = int(column)
        else:
            raise DataFileError(path, f"`{name}` must be a whole number; got {column}.", line=line)
    return Row(line, **values)


def check_row(path: Path, row: Row, *, percentages: bool) -> None:
    """Raise `DataFileError` if a row contradicts itself, its percentages if asked for."""
    if row.status not in (VALID, ERROR, SKIPPED, WITHOUT_TREE):
        raise DataFileError(path, f"`status` must be 0 to 3; got {row.status}.", line=row.line)
    if row.status in (ERROR, SKIPPED):
        return
    for percent, part_name, whole_name in _PERCENTAGES:
        part, whole = getattr(row, part_name), getattr(row, whole_name)
        if part > whole:
            message = f"`{part_name}` must not exceed `{whole_name}`; got {part} and {whole}."
            raise DataFileError(path, message, line=row.line)
        printed = getattr(row, percent)
        if percentages and whole and abs(printed - 100 * part / whole) > ROUNDING:
            message = f"`{percent}` is {printed} but {part} of {whole} is {100 * part / whole:.2f}."
            raise DataFileError(path, message, line=row.line)


def as_scores(name: str, rows: list[Row], *, without_tree: int = SKIPPED) -> SentenceScores:
    """Put rows together; `without_tree` is the status of sentences that evalb gives status 3."""
    counts = ("length", "matched", "gold", "test", "crossing", "words", "tags")
    status = np.array([row.status for row in rows])
    return SentenceScores(
        name=name,
        sentences=tuple(str(row.id) for row in rows),
        status=np.where(status == WITHOUT_TREE, without_tree, status),
        recall_percent=np.array([row.recall for row in rows]),
        precision_percent=np.array([row.precision for row in rows]),
        **{count: np.array([getattr(row, count) for row in rows]) for count in counts},
    )


def _as_percent(path: Path, line: int, name: str, column: str) -> float:
    # Some versions print 0/0 as nan, evalb itself as 0.
    if column.lstrip("-+") == "nan":
        return 0.0
    if not _PERCENT.fullmatch(column) or float(column) > 100:
        message = f"`{name}` must be a percentage; got {column}."
        raise DataFileError(path, message, line=line)
    return float(column)
