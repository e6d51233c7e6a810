"""Match the rows of two tables by the items that they name."""

import warnings
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sigcore.errors import DataFileError, InputError, PairingWarning
from sigcore.io.columns import Columns

__all__ = ["is_label", "match_rows", "unlike_texts"]

_LABELS = frozenset(
    {
        *("id", "index", "line", "doc", "doc_id", "document", "document_id"),
        *("item", "item_id", "seg", "seg_id", "segment", "segment_id"),
        # The row labels of a data frame that was written with its index.
        *("", "unnamed: 0", "__index_level_0__"),
    }
)


def is_label(name: str) -> bool:
    """Return whether a column of this name tells items apart and has no scores."""
    return name.lower() in _LABELS


def match_rows(first: Columns, second: Columns, scores: tuple[int, int]) -> npt.NDArray[np.int64]:
    """Return, for each row of the first table, the row of the second with the same item.

    Items are told apart by the columns that both tables have and that have a name such as "id" or
    "segment", or none as the index of a data frame; by texts in the first column of tables without
    header; and by texts that are the same in both but for their order. Without such columns rows
    are matched one by one, with a `PairingWarning` if both have a column of texts that differ.

    Parameters
    ----------
    first, second : Columns
        Two tables.
    scores : tuple of two int
        Their columns of scores.

    Raises
    ------
    InputError
        If the tables do not have the same items; names the first difference and its line.
    """
    shared = _shared_columns(first, second, scores)
    used = [pair for pair in shared if _tells_items(first, second, *pair)]
    if not used:
        for note in unlike_texts(first, second, scores):
            warnings.warn(note, PairingWarning, stacklevel=3)
        return _by_number(first, second)
    keys = _keys(first, [one for one, _ in used]), _keys(second, [two for _, two in used])
    if keys[0] == keys[1]:
        return np.arange(first.n_rows)
    row_of = {key: row for row, key in enumerate(keys[1])}
    _refuse_other_items(first, keys[0], second, set(keys[1]))
    _refuse_other_items(second, keys[1], first, set(keys[0]))
    _refuse_repeats(first, keys[0])
    _refuse_repeats(second, keys[1])
    return np.array([row_of[key] for key in keys[0]])


def unlike_texts(first: Columns, second: Columns, scores: tuple[int, int]) -> list[str]:
    """Say which texts differ where rows are matched one by one; nothing where items have names.

    Parameters
    ----------
    first, second, scores
        As for `match_rows`.
    """
    shared = _shared_columns(first, second, scores)
    if any(_tells_items(first, second, *pair) for pair in shared):
        return []
    notes = []
    for one, two in shared:
        if first.is_numeric(one) or second.is_numeric(two):
            continue
        texts = first.texts(one), second.texts(two)
        if len(texts[0]) != len(texts[1]) or _is_same_throughout(*texts):
            continue
        # Texts that agree, but for their order at most, would have matched the rows.
        differ = [row for row, pair in enumerate(zip(*texts, strict=True)) if pair[0] != pair[1]]
        notes.append(
            f"{first.path.name} and {second.path.name} were matched line by line, but their "
            f"columns {first.names[one]!r} differ in {len(differ)} of {len(texts[0])} rows, first "
            f"in {texts[0][differ[0]]!r} and {texts[1][differ[0]]!r}. Name the items in a column "
            "'id' to match them by name."
        )
    return notes


def _shared_columns(
    first: Columns, second: Columns, scores: tuple[int, int]
) -> list[tuple[int, int]]:
    """Return the columns, but those of scores, that have the same name in both tables."""
    return [
        (one, second.names.index(name))
        for one, name in enumerate(first.names)
        if one != scores[0] and name in second.names and second.names.index(name) != scores[1]
    ]


def _tells_items(first: Columns, second: Columns, one: int, two: int) -> bool:
    if first.has_header and second.has_header and is_label(first.names[one]):
        return True
    if first.is_numeric(one) or second.is_numeric(two):
        return False
    texts = first.texts(one), second.texts(two)
    if _is_same_throughout(*texts):
        return False
    headless = one == two == 0 and not first.has_header and not second.has_header
    return headless or sorted(texts[0]) == sorted(texts[1])


def _is_same_throughout(*columns: list[str]) -> bool:
    """Return whether a column has one text only, such as the name of the system."""
    return any(len(set(texts)) == 1 for texts in columns)


def _keys(table: Columns, columns: Sequence[int]) -> list[str]:
    return [" ".join(cells) for cells in zip(*map(table.texts, columns), strict=True)]


def _by_number(first: Columns, second: Columns) -> npt.NDArray[np.int64]:
    if first.n_rows != second.n_rows:
        raise InputError(
            "both files must have a score for each of the same items; "
            f"{first.path} has {first.n_rows} and {second.path} has {second.n_rows}."
        )
    return np.arange(first.n_rows)


def _refuse_other_items(table: Columns, keys: list[str], other: Columns, known: set[str]) -> None:
    for row, key in enumerate(keys):
        if key not in known:
            raise DataFileError(
                table.path, f"has the item {key!r}, {other.path} has not.", line=table.line(row)
            )


def _refuse_repeats(table: Columns, keys: list[str]) -> None:
    seen = set()
    for row, key in enumerate(keys):
        if key in seen:
            raise DataFileError(
                table.path,
                f"has the item {key!r} twice, and the files are in different order: which rows "
                "belong together is unclear.",
                line=table.line(row),
            )
        seen.add(key)
