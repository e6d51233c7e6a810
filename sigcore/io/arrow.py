"""Move columns between numpy and Arrow without pandas.

`pyarrow.array`, `Array.to_numpy` and `pyarrow.parquet.read_table` import pandas on their first
call, which takes about a second: as long as many jobs compute. Building and reading the buffers
directly avoids that.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["TableLike", "as_arrow", "as_column", "float_values", "int_values"]

TableLike: TypeAlias = "pa.Table | pd.DataFrame | Mapping[str, Sequence[Any]]"


def as_arrow(table: TableLike) -> pa.Table:
    """Return a table, a data frame without its index, or a mapping of columns as Arrow table."""
    if isinstance(table, pa.Table):
        return table
    if isinstance(table, Mapping):
        return pa.Table.from_arrays([as_column(v) for v in table.values()], names=list(table))
    return pa.Table.from_pandas(table, preserve_index=False)


def as_column(values: Any) -> pa.Array:
    """Return values as Arrow array: float64, int64, bool or text; None and NaN become null."""
    if isinstance(values, (pa.Array, pa.ChunkedArray)):
        return values
    if isinstance(values, np.ndarray) and values.dtype.kind not in "fiub":
        values = values.tolist()
    kinds = _kinds(values)
    if kinds <= {str}:
        return _text([None if value is None else str(value) for value in values])
    if kinds <= {bool} and None not in values:
        flags = np.asarray(values, dtype=np.bool_)
        return _array(pa.bool_(), np.packbits(flags, bitorder="little"), len(flags), None)
    if kinds <= {int} and None not in values:
        numbers = np.ascontiguousarray(values, dtype=np.int64)
        return _array(pa.int64(), numbers, len(numbers), None)
    if kinds <= {float, int}:
        scores = np.ascontiguousarray(values, dtype=np.float64)
        return _array(pa.float64(), scores, len(scores), ~np.isnan(scores))
    return pa.array(values)


def float_values(column: pa.ChunkedArray) -> npt.NDArray[np.float64]:
    """Return a float64 column as numpy array, null as NaN."""
    parts = [_chunk_values(chunk) for chunk in column.chunks]
    return np.concatenate([np.empty(0), *parts])


def int_values(column: pa.ChunkedArray) -> npt.NDArray[np.int64]:
    """Return an int64 column without nulls as numpy array."""
    parts = [
        np.frombuffer(chunk.buffers()[1], np.int64, len(chunk), chunk.offset * 8)
        for chunk in column.chunks
    ]
    return np.concatenate([np.empty(0, dtype=np.int64), *parts])


def _kinds(values: Any) -> set[type]:
    """Return the Python types of the values; numpy arrays of numbers have one."""
    if isinstance(values, np.ndarray):
        return {{"f": float, "b": bool}.get(values.dtype.kind, int)}
    return {
        type(value.item()) if isinstance(value, np.generic) else type(value)
        for value in values
        if value is not None
    }


def _text(values: list[str | None]) -> pa.Array:
    encoded = [b"" if value is None else value.encode() for value in values]
    offsets = np.zeros(len(values) + 1, dtype=np.int32)
    np.cumsum([len(item) for item in encoded], out=offsets[1:])
    valid = np.array([value is not None for value in values], dtype=np.bool_)
    buffers = [_bitmap(valid), pa.py_buffer(offsets), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(pa.string(), len(values), buffers)


def _array(
    kind: Any, data: npt.NDArray[Any], length: int, valid: npt.NDArray[np.bool_] | None
) -> pa.Array:
    bitmap = None if valid is None else _bitmap(valid)
    return pa.Array.from_buffers(kind, length, [bitmap, pa.py_buffer(data)])


def _bitmap(valid: npt.NDArray[np.bool_]) -> Any:
    """Return a validity bitmap, or None if all values are valid."""
    return None if valid.all() else pa.py_buffer(np.packbits(valid, bitorder="little"))


def _chunk_values(chunk: pa.Array) -> npt.NDArray[np.float64]:
    bitmap, data = chunk.buffers()
    values = np.frombuffer(data, np.float64, len(chunk), chunk.offset * 8)
    if chunk.null_count == 0:
        return values
    bits = np.unpackbits(np.frombuffer(bitmap, np.uint8), bitorder="little").astype(np.bool_)
    return np.where(bits[chunk.offset : chunk.offset + len(chunk)], values, np.nan)
