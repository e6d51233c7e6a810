"""Read tables of fold counts: one row a model, repetition and fold."""

import re
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

import numpy as np

from sigcore.bayes.folds import FoldCounts
from sigcore.errors import DataFileError
from sigcore.io.lines import read_separated

__all__ = ["read_fold_pair", "read_folds"]

KEYS = ("model", "rep", "fold")
CHUNKS = ("gold", "predicted", "correct")
CELLS = ("tp", "fp", "fn")
SYNONYMS = {"repetition": "rep"}

Triple = tuple[int, int, int]

# Sums of counts stay exact as floats.
_WHOLE = re.compile("[0-9]{1,15}")
_SHOWN = 30


def read_folds(path: str | Path) -> dict[str, FoldCounts]:
    """Read the fold counts of one or more models.

    Parameters
    ----------
    path : str or Path
        A table separated by tabs or commas. Columns are ``model``, ``rep`` (from 1), ``fold``
        (1 or 2) and ``TP``, ``FP``, ``FN`` or ``gold``, ``predicted``, ``correct``; with both
        kinds they must agree. Other columns are ignored, the order of columns and rows is free.
        All models have the same repetitions.

    Returns
    -------
    dict of str to FoldCounts
        The models in the order in which they first occur.

    Raises
    ------
    DataFileError
        For a count that is not a whole number of at least 0, a model without a name, a fold that
        is missing or occurs twice, a column that does, or kinds of counts that contradict each
        other; with the line.
    """
    (first, header), *rows = read_separated(path, separators="\t,") or [(1, [])]
    columns = _columns(path, header, first)
    models: dict[str, dict[tuple[int, int], Triple]] = {}
    for line, values in rows:
        if len(values) != len(columns):
            raise DataFileError(
                path, f"expected {len(columns)} columns, found {len(values)}.", line=line
            )
        cells = dict(zip(columns, values, strict=True))
        place = _place(path, cells, line)
        model = cells["model"].strip()
        if not model:
            raise DataFileError(path, "the model must have a name; its cell is empty.", line=line)
        folds = models.setdefault(model, {})
        if place in folds:
            raise DataFileError(path, f"{_name(model, place)} occurs twice.", line=line)
        folds[place] = _counts(path, cells, line)
    if not models:
        raise DataFileError(path, "has no rows.")
    repetitions = max(repetition for folds in models.values() for repetition, _ in folds)
    return {model: _assemble(path, model, folds, repetitions) for model, folds in models.items()}


def read_fold_pair(path: str | Path) -> dict[str, FoldCounts]:
    """Read the fold counts of two models, the baseline first, as `read_folds` does.

    Raises
    ------
    DataFileError
        Also if the table has one model, or more than two.
    """
    models = read_folds(path)
    if len(models) != 2:
        raise DataFileError(
            path,
            "must have the folds of two models, the baseline first; it has "
            f"{len(models)}: {', '.join(models)}.",
        )
    return models


def _columns(path: str | Path, header: list[str], line: int) -> list[str]:
    names = [name.strip().lower() for name in header]
    columns = [SYNONYMS.get(name, name) for name in names]
    missing = [name for name in KEYS if name not in columns]
    if missing or not (set(CHUNKS) <= set(columns) or set(CELLS) <= set(columns)):
        raise DataFileError(
            path,
            "expected columns model, rep, fold and TP, FP, FN or gold, predicted, correct; "
            f"found {', '.join(header).strip() or 'none'}.",
            line=line,
        )
    for name in (*KEYS, *CHUNKS, *CELLS):
        if columns.count(name) > 1:
            found = [
                given.strip()
                for given, column in zip(header, columns, strict=True)
                if column == name
            ]
            message = f"each column must occur once; found {' and '.join(found)}."
            raise DataFileError(path, message, line=line)
    return columns


def _place(path: str | Path, cells: Mapping[str, str], line: int) -> tuple[int, int]:
    repetition, fold = (_whole(path, cells[key], key, line) for key in ("rep", "fold"))
    if repetition < 1 or fold not in (1, 2):
        raise DataFileError(
            path,
            f"rep must be 1 or more and fold 1 or 2; found rep {repetition}, fold {fold}.",
            line=line,
        )
    return repetition, fold


def _counts(path: str | Path, cells: Mapping[str, str], line: int) -> Triple:
    """Return TP, FP, FN of a row, from either kind of columns."""
    found: list[Triple] = []
    if all(name in cells for name in CELLS):
        tp, fp, fn = (_whole(path, cells[name], name.upper(), line) for name in CELLS)
        found.append((tp, fp, fn))
    if all(name in cells for name in CHUNKS):
        gold, predicted, correct = (_whole(path, cells[name], name, line) for name in CHUNKS)
        if correct > min(gold, predicted):
            raise DataFileError(
                path,
                f"correct ({correct}) must not exceed gold ({gold}) or predicted ({predicted}).",
                line=line,
            )
        found.append((correct, predicted - correct, gold - correct))
    if found[0] != found[-1]:
        raise DataFileError(
            path,
            f"TP, FP, FN are {found[0]}, but gold, predicted, correct give {found[-1]}.",
            line=line,
        )
    return found[0]


def _whole(path: str | Path, text: str, name: str, line: int) -> int:
    stripped = text.strip()
    if not _WHOLE.fullmatch(stripped):
        shown = repr(text) if len(text) <= _SHOWN else f"{text[:_SHOWN]!r}..."
        message = f"{name} must be a whole number, 0 or more, of at most 15 digits; found {shown}."
        raise DataFileError(path, message, line=line)
    return int(stripped)


def _assemble(
    path: str | Path, model: str, folds: Mapping[tuple[int, int], Triple], n_repetitions: int
) -> FoldCounts:
    # The last repetition may be a slip of many digits: no list of all places.
    places = ((rep, fold) for rep in range(1, n_repetitions + 1) for fold in (1, 2))
    missing = [_name(model, place) for place in islice((p for p in places if p not in folds), 3)]
    if missing:
        raise DataFileError(path, f"has no row for {', '.join(missing)}.")
    return FoldCounts(np.array([folds[place] for place in sorted(folds)]).reshape(-1, 2, 3))


def _name(model: str, place: tuple[int, int]) -> str:
    return f"model {model}, repetition {place[0]}, fold {place[1]}"
