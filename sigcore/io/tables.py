"""Write and read tables and evaluation sets: same content, same bytes.

Nothing that changes between two runs enters a file: no time, no index, no version but that of the
Parquet library. All writers are atomic, see `sigcore.io.files`.
"""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sigcore.errors import DataFileError, InputError
from sigcore.evalset import EvalSet, LeftOut, Metric
from sigcore.io.arrow import TableLike, as_arrow, float_values, int_values
from sigcore.io.files import atomic_path, to_json, write_json, write_text
from sigcore.io.typeset import is_missing, table_rows, to_latex, to_markdown

__all__ = [
    "TableLike",
    "atomic_path",
    "read_evalset_table",
    "read_metric_names",
    "read_table",
    "read_tables",
    "to_latex",
    "to_markdown",
    "write_csv",
    "write_evalset",
    "write_json",
    "write_table",
    "write_text",
]

_METADATA_KEY = b"sigcore"
_METRIC_PREFIX = "metric:"


def write_table(
    path: str | Path, table: TableLike, *, metadata: Mapping[str, Any] | None = None
) -> None:
    """Write a table as Parquet.

    Parameters
    ----------
    path : str or Path
        The file.
    table : pyarrow.Table, pandas.DataFrame or mapping of columns
        The table; the index of a data frame is not written. NaN in columns is written as null,
        an Arrow table as it is.
    metadata : mapping, optional
        Facts about the table, stored as JSON under the key ``sigcore`` of the schema.
    """
    stored = {_METADATA_KEY: to_json(metadata).encode()} if metadata is not None else None
    arrow = as_arrow(table).replace_schema_metadata(stored)
    with atomic_path(path) as temporary:
        pq.write_table(arrow, temporary, compression="zstd")


def read_table(
    path: str | Path, *, columns: Sequence[str] | None = None
) -> tuple[pa.Table, dict[str, Any]]:
    """Read a Parquet file, all columns or some, and the facts stored with it."""
    try:
        with pq.ParquetFile(path) as file:
            stored = (file.schema_arrow.metadata or {}).get(_METADATA_KEY)
            table = file.read(columns=columns, use_threads=False)
    except (OSError, pa.ArrowInvalid) as error:
        raise DataFileError(path, f"cannot be read as Parquet: {error}.") from error
    return table, json.loads(stored) if stored is not None else {}


def read_tables(paths: Sequence[str | Path]) -> pa.Table:
    """Read Parquet files with the same columns as one table, in this order."""
    if not paths:
        raise InputError("`paths` must name at least one file.")
    tables = [read_table(path)[0].replace_schema_metadata(None) for path in paths]
    for path, table in zip(paths, tables, strict=True):
        if table.schema != tables[0].schema:
            expected = ", ".join(tables[0].column_names)
            raise DataFileError(path, f"expected the columns of {paths[0]}, {expected}.")
    # One chunk, so that what is written does not show how many files there were.
    return pa.concat_tables(tables).combine_chunks()


def write_csv(path: str | Path, table: TableLike) -> None:
    """Write a table as CSV: UTF-8, line feeds, numbers in full, missing values empty."""
    arrow = as_arrow(table)
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(arrow.column_names)
    for row in table_rows(arrow):
        writer.writerow([_plain(value) for value in row])
    write_text(path, buffer.getvalue())


def write_evalset(path: str | Path, evalset: EvalSet, left_out: Sequence[LeftOut] = ()) -> None:
    """Write an evaluation set as Parquet, one row a system and segment.

    Parameters
    ----------
    path : str or Path
        The file.
    evalset : EvalSet
        The set. Columns are ``system``, ``segment``, ``document``, ``gold`` and, for each metric,
        ``metric:<name>``; a missing score is null.
    left_out : sequence of LeftOut
        What the selection left out; stored with the other facts in the schema.
    """
    n_systems, n_segments = evalset.gold.shape
    columns: dict[str, Any] = {
        "system": [system for system in evalset.systems for _ in range(n_segments)],
        "segment": np.tile(evalset.segments, n_systems),
        "document": (evalset.documents or (None,) * n_segments) * n_systems,
        "gold": evalset.gold.ravel(),
    }
    for metric, scores in zip(evalset.metrics, evalset.scores, strict=True):
        columns[_METRIC_PREFIX + metric.name] = scores.ravel()
    metadata = {
        "testset": evalset.testset,
        "language_pair": evalset.language_pair,
        "gold_name": evalset.gold_name,
        "systems": evalset.systems,
        "human_systems": evalset.human_systems,
        "metrics": [asdict(metric) for metric in evalset.metrics],
        "left_out": [asdict(entry) for entry in left_out],
    }
    write_table(path, columns, metadata=metadata)


def read_evalset_table(
    path: str | Path, *, metrics: Sequence[str] | None = None
) -> tuple[EvalSet, tuple[LeftOut, ...]]:
    """Read what `write_evalset` wrote.

    Parameters
    ----------
    path : str or Path
        The file.
    metrics : sequence of str, optional
        Names of the metrics to read; only their columns are read. The default is all.

    Returns
    -------
    evalset : EvalSet
        The evaluation set.
    left_out : tuple of LeftOut
        What the selection had left out.
    """
    _, facts = read_table(path, columns=[])
    if "metrics" not in facts or "systems" not in facts:
        raise DataFileError(path, "is not an evaluation set: its schema has no such facts.")
    wanted = _wanted([Metric(**values) for values in facts["metrics"]], metrics, path)
    names = [_METRIC_PREFIX + metric.name for metric in wanted]
    table, _ = read_table(path, columns=["segment", "document", "gold", *names])
    shape = (len(facts["systems"]), table.num_rows // len(facts["systems"]))
    documents = table.column("document").slice(0, shape[1]).to_pylist()
    scores = [float_values(table.column(name)).reshape(shape) for name in names]
    evalset = EvalSet(
        testset=facts["testset"],
        language_pair=facts["language_pair"],
        gold_name=facts["gold_name"],
        systems=tuple(facts["systems"]),
        human_systems=tuple(facts["human_systems"]),
        segments=int_values(table.column("segment"))[: shape[1]],
        documents=None if None in documents else tuple(documents),
        gold=float_values(table.column("gold")).reshape(shape),
        metrics=tuple(wanted),
        scores=np.array(scores).reshape(len(names), *shape),
    )
    return evalset, tuple(LeftOut(**entry) for entry in facts["left_out"])


def read_metric_names(path: str | Path) -> list[str]:
    """Read which metrics `write_evalset` wrote, without their scores."""
    return [metric["name"] for metric in read_table(path, columns=[])[1]["metrics"]]


def _plain(value: Any) -> str:
    """Print a cell of a CSV file."""
    if is_missing(value):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def _wanted(stored: list[Metric], names: Sequence[str] | None, path: str | Path) -> list[Metric]:
    """Return the stored metrics with these names, in the order of the file."""
    if names is None:
        return stored
    known = [metric.name for metric in stored]
    for name in names:
        if name not in known:
            raise InputError(f"`metrics` must be among those of {path}; got {name!r}.")
    return [metric for metric in stored if metric.name in names]
