"""Per-item counts of two systems, checked and turned into hits and errors."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.grid import IntArray
from sigcore.validation import refuse_other_labels

__all__ = ["MEASURES", "Counts", "paired_counts"]

Counts = npt.ArrayLike | Mapping[str, npt.ArrayLike]

# For each measure the columns it needs, the hits first.
MEASURES = {
    "f1": ("tp", "fp", "fn"),
    "precision": ("tp", "fp"),
    "recall": ("tp", "fn"),
    "accuracy": ("correct", "total"),
}
_TABLE = ("tp", "fp", "fn")
# Products of two sums, with hits counted twice, must fit in 64 bits.
_LARGEST_SUM = 2**30


def paired_counts(a: Counts, b: Counts, measure: str) -> tuple[IntArray, IntArray]:
    """Return hits and errors of each item, shape (n, 2), for both systems.

    Parameters
    ----------
    a, b : array_like of int or mapping of str to vectors
        Counts as `prf_permutation_test` takes them.
    measure : str
        A key of `MEASURES`.

    Raises
    ------
    InputError
        If they are not counts of the same items.
    """
    # Columns go by name.
    refuse_other_labels({"a": a, "b": b}, axes=["index"])
    counts_a, counts_b = _hits_and_errors(a, "a", measure), _hits_and_errors(b, "b", measure)
    if len(counts_a) != len(counts_b):
        raise InputError(
            "`a` and `b` must have one row for each item, in the same order; "
            f"got {len(counts_a)} and {len(counts_b)} rows."
        )
    total = float(counts_a.sum(dtype=np.float64) + counts_b.sum(dtype=np.float64))
    if total >= _LARGEST_SUM:
        raise InputError(f"`a` and `b` must add up to less than {_LARGEST_SUM}; got {total:.10g}.")
    return counts_a, counts_b


def _hits_and_errors(counts: Counts, name: str, measure: str) -> IntArray:
    columns = _by_name(counts)
    if columns is not None:
        table = _from_columns(columns, name, MEASURES[measure])
    else:
        table = _from_table(_whole_numbers(counts, name), name, measure)
    hits, rest = table[:, 0], table[:, 1:].sum(axis=1)
    if measure != "accuracy":
        return np.column_stack([hits, rest])
    if np.any(hits > rest):
        row = int(np.argmax(hits > rest))
        raise InputError(
            f"`{name}` must not have more correct than total; "
            f"got {hits[row]} of {rest[row]} in row {row}."
        )
    return np.column_stack([hits, rest - hits])


def _by_name(counts: Any) -> Mapping[str, npt.ArrayLike] | None:
    """Return columns by name, of a mapping or a data frame; None for an array."""
    if isinstance(counts, Mapping):
        return counts
    names = [name for name in getattr(counts, "columns", ()) if isinstance(name, str)]
    return {name: counts[name] for name in names} or None


def _from_columns(
    counts: Mapping[str, npt.ArrayLike], name: str, columns: tuple[str, ...]
) -> IntArray:
    missing = [column for column in columns if column not in counts]
    if missing:
        raise InputError(
            f"`{name}` must have the columns {', '.join(columns)}; {', '.join(missing)} missing."
        )
    vectors = [_whole_numbers(counts[column], f"{name}[{column!r}]") for column in columns]
    for column, vector in zip(columns, vectors, strict=True):
        if vector.shape != vectors[0].shape or vector.ndim != 1:
            raise InputError(
                f"`{name}` must have columns of one length; got shape {vectors[0].shape} for "
                f"{columns[0]} and {vector.shape} for {column}."
            )
    return np.column_stack(vectors)


def _from_table(table: IntArray, name: str, measure: str) -> IntArray:
    expected = "(n, 2): correct, total" if measure == "accuracy" else "(n, 3): tp, fp, fn"
    widths = {"accuracy": (2,), "f1": (2, 3)}.get(measure, (3,))
    if table.ndim != 2 or table.shape[1] not in widths:
        raise InputError(f"`{name}` must have shape {expected}; got shape {table.shape}.")
    if table.shape[1] == 2:
        return table
    return table[:, [_TABLE.index(column) for column in MEASURES[measure]]]


def _whole_numbers(values: Any, name: str) -> IntArray:
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise InputError(f"`{name}` must have rows of one length: {error}.") from error
    if np.ma.is_masked(values):
        raise InputError(f"`{name}` must not have masked values.")
    if array.size == 0:
        raise InputError(f"`{name}` must not be empty.")
    if array.ndim == 0:
        raise InputError(f"`{name}` must have a row for each item; got {values!r}.")
    if array.dtype.kind not in "biuf":
        raise InputError(f"`{name}` must contain whole numbers; got {array.dtype} values.")
    bad = ~((array >= 0) & (array == np.floor(array)) & (array < _LARGEST_SUM))
    if np.any(bad):
        place = tuple(np.argwhere(bad)[0].tolist())
        raise InputError(
            f"`{name}` must contain whole numbers from 0 to {_LARGEST_SUM - 1}; "
            f"found {array[place]} at index {place if len(place) > 1 else place[0]}."
        )
    return array.astype(np.int64)
