"""Write tables, texts and evaluation sets: whole or not at all, same content, same bytes.

Every writer first writes a temporary file beside the target and then renames it, so that a job
that is killed leaves no half file. Nothing that changes between two runs enters a file.
"""

import csv
import io
import json
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sigcore.errors import DataFileError, InputError
from sigcore.evalset import EvalSet, LeftOut, Metric

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "atomic_path",
    "read_evalset_table",
    "to_latex",
    "to_markdown",
    "write_csv",
    "write_evalset",
    "write_json",
    "write_table",
    "write_text",
]

TableLike: TypeAlias = "pa.Table | pd.DataFrame | Mapping[str, Sequence[Any]]"

_METADATA_KEY = b"sigcore"
_METRIC_PREFIX = "metric:"


@contextmanager
def atomic_path(path: str | Path) -> Iterator[Path]:
    """Give a temporary path to write to; on success it becomes `path`, on failure it vanishes.

    Parameters
    ----------
    path : str or Path
        The file to be. Its directory is made if needed.

    Yields
    ------
    Path
        A path in the same directory with the same suffix.

    Notes
    -----
    Two writers of the same path must not run at the same time.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    # The name is fixed, so what a killed job left behind is overwritten by the next one.
    temporary = path.with_name(f".{path.stem}.part{path.suffix}")
    try:
        yield temporary
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def write_table(
    path: str | Path, table: TableLike, *, metadata: Mapping[str, Any] | None = None
) -> None:
    """Write a table as Parquet.

    Parameters
    ----------
    path : str or Path
        The file.
    table : pyarrow.Table, pandas.DataFrame or mapping of columns
        The table; the index of a data frame is not written.
    metadata : mapping, optional
        Facts about the table, stored as JSON under the key ``sigcore`` of the schema.
    """
    arrow = _as_arrow(table)
    stored = {_METADATA_KEY: _json(metadata).encode()} if metadata is not None else None
    with atomic_path(path) as temporary:
        pq.write_table(arrow.replace_schema_metadata(stored), temporary, compression="zstd")


def write_csv(path: str | Path, table: TableLike) -> None:
    """Write a table as CSV: UTF-8, line feeds, numbers in full, missing values empty."""
    arrow = _as_arrow(table)
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(arrow.column_names)
    for row in _rows(arrow):
        writer.writerow([_plain(value) for value in row])
    write_text(path, buffer.getvalue())


def write_json(path: str | Path, value: Any) -> None:
    """Write a value as JSON: sorted keys, indented, NaN and infinity as null."""
    write_text(path, _json(value, indent=2) + "\n")


def write_text(path: str | Path, text: str) -> None:
    """Write a text as UTF-8, as it is."""
    with atomic_path(path) as temporary:
        temporary.write_bytes(text.encode())


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
    documents = evalset.documents
    columns: dict[str, Any] = {
        "system": np.repeat(np.array(evalset.systems, dtype=object), n_segments),
        "segment": np.tile(evalset.segments, n_systems),
        "document": pa.array((documents or (None,) * n_segments) * n_systems, pa.string()),
        "gold": pa.array(evalset.gold.ravel(), from_pandas=True),
    }
    for metric, scores in zip(evalset.metrics, evalset.scores, strict=True):
        columns[_METRIC_PREFIX + metric.name] = pa.array(scores.ravel(), from_pandas=True)
    metadata = {
        "testset": evalset.testset,
        "language_pair": evalset.language_pair,
        "gold_name": evalset.gold_name,
        "systems": evalset.systems,
        "human_systems": evalset.human_systems,
        "metrics": [asdict(metric) for metric in evalset.metrics],
        "left_out": [asdict(entry) for entry in left_out],
    }
    write_table(path, pa.table(columns), metadata=metadata)


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
    facts = _evalset_facts(Path(path))
    stored = [Metric(**values) for values in facts["metrics"]]
    wanted = _wanted(stored, metrics, Path(path))
    names = [_METRIC_PREFIX + metric.name for metric in wanted]
    table = pq.read_table(path, columns=["segment", "document", "gold", *names], use_threads=False)
    n_systems = len(facts["systems"])
    n_segments = table.num_rows // n_systems
    documents = table.column("document").slice(0, n_segments)
    shape = (n_systems, n_segments)
    scores = np.empty((len(wanted), *shape))
    for index, name in enumerate(names):
        scores[index] = table.column(name).to_numpy().reshape(shape)
    evalset = EvalSet(
        testset=facts["testset"],
        language_pair=facts["language_pair"],
        gold_name=facts["gold_name"],
        systems=tuple(facts["systems"]),
        human_systems=tuple(facts["human_systems"]),
        segments=table.column("segment").slice(0, n_segments).to_numpy().astype(np.int64),
        documents=None if documents.null_count else tuple(documents.to_pylist()),
        gold=table.column("gold").to_numpy().astype(np.float64).reshape(shape),
        metrics=tuple(wanted),
        scores=scores,
    )
    return evalset, tuple(LeftOut(**entry) for entry in facts["left_out"])


def to_latex(
    table: TableLike,
    *,
    formats: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
    caption: str | None = None,
    label: str | None = None,
) -> str:
    """Typeset a table for LaTeX with the booktabs package.

    Parameters
    ----------
    table : pyarrow.Table, pandas.DataFrame or mapping of columns
        The table.
    formats : mapping of column to format, optional
        How to print numbers, for example ``{"spa": ".3f"}``.
    headers : mapping of column to text, optional
        Heads of columns, typeset as they are; other columns have their escaped name.
    caption, label : str, optional
        With one of them the table becomes a float. They are typeset as they are.

    Returns
    -------
    str
        The source, ready to paste.
    """
    arrow = _as_arrow(table)
    heads = [(headers or {}).get(name) or _escape_latex(name) for name in arrow.column_names]
    rows = [heads, *_formatted(arrow, formats, missing="--", escape=_escape_latex)]
    lines = [" & ".join(row) + r" \\" for row in rows]
    align = "".join("r" if numeric else "l" for numeric in _numeric(arrow))
    body = [
        rf"\begin{{tabular}}{{{align}}}",
        r"\toprule",
        lines[0],
        r"\midrule",
        *lines[1:],
        r"\bottomrule",
        r"\end{tabular}",
    ]
    if caption is not None or label is not None:
        tail = [rf"\caption{{{caption}}}"] if caption is not None else []
        tail += [rf"\label{{{label}}}"] if label is not None else []
        body = [r"\begin{table}", r"\centering", *body, *tail, r"\end{table}"]
    return "\n".join(body) + "\n"


def to_markdown(
    table: TableLike,
    *,
    formats: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> str:
    """Typeset a table as a Markdown pipe table; parameters as in `to_latex`."""
    arrow = _as_arrow(table)
    heads = [(headers or {}).get(name) or _escape_markdown(name) for name in arrow.column_names]
    rule = ["---:" if numeric else "---" for numeric in _numeric(arrow)]
    rows = [heads, rule, *_formatted(arrow, formats, missing="", escape=_escape_markdown)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _as_arrow(table: TableLike) -> pa.Table:
    if isinstance(table, pa.Table):
        return table
    if isinstance(table, Mapping):
        return pa.table(dict(table))
    return pa.Table.from_pandas(table, preserve_index=False)


def _json(value: Any, *, indent: int | None = None) -> str:
    return json.dumps(
        _jsonable(value), indent=indent, sort_keys=True, ensure_ascii=False, allow_nan=False
    )


def _jsonable(value: Any) -> Any:
    """Turn numpy values, tuples and paths into what JSON knows; what is not finite into None."""
    if isinstance(value, Mapping):
        return {str(key): _jsonable(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return _jsonable(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_jsonable(item) for item in value]
    if isinstance(value, np.generic):
        return _jsonable(value.item())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return str(value) if isinstance(value, Path) else value


def _rows(arrow: pa.Table) -> Iterator[tuple[Any, ...]]:
    return zip(*(column.to_pylist() for column in arrow.columns), strict=True)


def _plain(value: Any) -> str:
    """Print a cell of a CSV file."""
    if _is_missing(value):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _evalset_facts(path: Path) -> dict[str, Any]:
    try:
        schema = pq.read_schema(path)
    except (OSError, pa.ArrowInvalid) as error:
        raise DataFileError(path, f"cannot be read as Parquet: {error}") from error
    stored = (schema.metadata or {}).get(_METADATA_KEY)
    facts: dict[str, Any] = json.loads(stored) if stored is not None else {}
    if "metrics" not in facts or "systems" not in facts:
        raise DataFileError(path, "is not an evaluation set: the facts in its schema are missing.")
    return facts


def _wanted(stored: list[Metric], names: Sequence[str] | None, path: Path) -> list[Metric]:
    """Return the stored metrics with these names, in the order of the file."""
    if names is None:
        return stored
    known = [metric.name for metric in stored]
    for name in names:
        if name not in known:
            raise InputError(f"`metrics` must be among those of {path}; got {name!r}.")
    return [metric for metric in stored if metric.name in names]


def _numeric(arrow: pa.Table) -> list[bool]:
    return [pa.types.is_integer(kind) or pa.types.is_floating(kind) for kind in arrow.schema.types]


def _formatted(
    arrow: pa.Table,
    formats: Mapping[str, str] | None,
    *,
    missing: str,
    escape: Callable[[str], str],
) -> Iterator[list[str]]:
    """Print the cells of a table, row by row."""
    specs = [(formats or {}).get(name, "") for name in arrow.column_names]
    for row in _rows(arrow):
        cells = zip(row, specs, strict=True)
        yield [missing if _is_missing(v) else escape(format(v, spec)) for v, spec in cells]


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{char: "\\" + char for char in "&%$#_{}"},
}


def _escape_latex(text: str) -> str:
    return "".join(_LATEX.get(char, char) for char in text)


def _escape_markdown(text: str) -> str:
    return "".join("\\" + char if char in "\\`*_[]<>|#" else char for char in text)
