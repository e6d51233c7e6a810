"""Results of tasks as Parquet: scores of metrics, and the draws of their comparisons."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from sigcore.errors import DataFileError
from sigcore.io.arrow import as_column, float_values
from sigcore.io.schemas import SCHEMAS
from sigcore.io.tables import read_table, write_table
from sigcore.meta.tasks import TaskResult
from sigcore.tasksets import Task

__all__ = ["read_task_results", "write_task_results"]

FloatArray = npt.NDArray[np.float64]


def write_task_results(path: str | Path, results: Sequence[TaskResult]) -> None:
    """Write the results of tasks on one language pair.

    Parameters
    ----------
    path : str or Path
        The file: the table `task_draws`, a row for each task and pair of metrics. Scores are in the
        metadata.
    results : sequence of TaskResult
        What `run_tasks` returned.
    """
    schema = SCHEMAS["task_draws"]
    tables = [_table(result) for result in results] or [schema.empty_table()]
    facts = [
        {
            "task": result.task.name,
            "metrics": list(result.metric_names),
            "scores": [None if np.isnan(score) else float(score) for score in result.scores],
            "n_system_pairs": result.n_system_pairs,
            "tested": result.null is not None,
        }
        for result in results
    ]
    write_table(path, pa.concat_tables(tables), metadata={"tasks": facts})


def read_task_results(path: str | Path, tasks: Iterable[Task]) -> dict[str, TaskResult]:
    """Read results of tasks; by name of the task.

    Parameters
    ----------
    path : str or Path
        A file that `write_task_results` wrote.
    tasks : iterable of Task
        The tasks to read.
    """
    table, metadata = read_table(path)
    facts = {entry["task"]: entry for entry in metadata.get("tasks", ())}
    names = table.column("task").to_pylist()
    found: dict[str, TaskResult] = {}
    for task in tasks:
        if task.name not in facts:
            raise DataFileError(path, f"must have results of the task `{task.name}`.")
        rows = [index for index, name in enumerate(names) if name == task.name]
        part = table.slice(rows[0], len(rows)) if rows else table.slice(0, 0)
        found[task.name] = _result(task, facts[task.name], part)
    return found


def _table(result: TaskResult) -> pa.Table:
    first = [result.metric_names[a] for a, _ in result.metric_pairs]
    second = [result.metric_names[b] for _, b in result.metric_pairs]
    columns = [
        as_column([result.task.name] * len(first)),
        as_column(first),
        as_column(second),
        as_column(result.differences),
        _lists(result.null, len(first)),
    ]
    return pa.Table.from_arrays(columns, schema=SCHEMAS["task_draws"])


def _lists(null: FloatArray | None, n_rows: int) -> pa.Array:
    values = np.empty((n_rows, 0)) if null is None else null
    offsets = np.arange(n_rows + 1, dtype=np.int32) * values.shape[1]
    flat = as_column(np.ascontiguousarray(values).ravel())
    # `pa.array` would import pandas.
    starts = pa.Array.from_buffers(
        pa.int32(), len(offsets), [None, pa.py_buffer(offsets.tobytes())]
    )
    return pa.ListArray.from_arrays(starts, flat)


def _result(task: Task, facts: dict[str, Any], table: pa.Table) -> TaskResult:
    names = tuple(facts["metrics"])
    position = {name: index for index, name in enumerate(names)}
    first, second = table.column("metric").to_pylist(), table.column("other").to_pylist()
    draws = table.column("draws").combine_chunks()
    return TaskResult(
        task=task,
        metric_names=names,
        scores=np.array([np.nan if score is None else score for score in facts["scores"]]),
        metric_pairs=tuple((position[a], position[b]) for a, b in zip(first, second, strict=True)),
        differences=float_values(table.column("difference")),
        null=_matrix(draws, table.num_rows) if facts["tested"] else None,
        n_system_pairs=int(facts["n_system_pairs"]),
    )


def _matrix(draws: Any, n_rows: int) -> FloatArray:
    chunks = draws.chunks if isinstance(draws, pa.ChunkedArray) else [draws]
    flat = [float_values(pa.chunked_array([chunk.flatten()])) for chunk in chunks]
    return np.concatenate(flat).reshape(n_rows, -1)
