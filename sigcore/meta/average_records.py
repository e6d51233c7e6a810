"""Averages over tasks as rows of the tables `average`, `task_scores` and `comparisons`."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sigcore.meta.averaging import TaskAverage
from sigcore.tasksets.data import Task

__all__ = ["average_comparisons", "average_records", "task_records"]

Record = dict[str, Any]


def average_records(average: TaskAverage, *, by: str, alpha: float) -> list[Record]:
    """Return the rows of the table `average`, best first.

    Parameters
    ----------
    average : TaskAverage
        What `average_tasks` returned.
    by : {"scores", "ranks"}
        What metrics are ordered by; equal ones by name.
    alpha : float
        Metrics are beaten where the corrected p <= alpha.
    """
    keys = average.mean_ranks if by == "ranks" else -average.scores
    order = sorted(range(len(keys)), key=lambda index: (keys[index], average.metric_names[index]))
    beaten = _n_beaten(average, alpha)
    return [
        {
            "rank": None if average.ranks is None else int(average.ranks[index]),
            "metric": average.metric_names[index],
            "score": float(average.scores[index]),
            "mean_rank": float(average.mean_ranks[index]),
            "n_beaten": None if beaten is None else beaten[index],
            "n_tasks": len(average.task_names),
        }
        for index in order
    ]


def task_records(average: TaskAverage, tasks: Sequence[Task]) -> list[Record]:
    """Return the rows of the table `task_scores`, task by task.

    Parameters
    ----------
    average : TaskAverage
        What `average_tasks` returned.
    tasks : sequence of Task
        The tasks, in the same order.
    """
    return [
        {
            "task": task.name,
            "testset": task.testset,
            "language_pairs": "+".join(task.language_pairs),
            "meta": task.meta,
            "weight": float(average.weights[row]),
            "tested": bool(average.tested[row]),
            "metric": name,
            "score": float(average.task_scores[row, column]),
            "rank": int(average.task_ranks[row, column]),
        }
        for row, task in enumerate(tasks)
        for column, name in enumerate(average.metric_names)
    ]


def average_comparisons(average: TaskAverage, **settings: Any) -> list[Record]:
    """Return the rows of the table `comparisons` for mean scores; none if a task was not tested.

    Parameters
    ----------
    average : TaskAverage
        What `average_tasks` returned.
    **settings
        Columns that are the same in every row, such as `scheme` and `seed`.
    """
    found, adjusted = average.comparison, average.adjusted
    if found is None or adjusted is None:
        return []
    return [
        {
            "meta": "average",
            "metric": average.metric_names[pair[side]],
            "other": average.metric_names[pair[1 - side]],
            "difference": float(found.observed[row]) * (1 - 2 * side),
            "pvalue": float(found.pvalues[side, row]),
            "adjusted": float(adjusted[side, row]),
            "interval_low": float(found.interval_low[side, row]),
            "interval_high": float(found.interval_high[side, row]),
            **settings,
        }
        for row, pair in enumerate(average.metric_pairs)
        for side in (0, 1)
    ]


def _n_beaten(average: TaskAverage, alpha: float) -> list[int] | None:
    """Count for each metric the others with significantly lower mean score."""
    if average.comparison is None or average.adjusted is None:
        return None
    counts = [0] * len(average.metric_names)
    for row, (a, b) in enumerate(average.metric_pairs):
        difference = average.comparison.observed[row]
        side, winner = (0, a) if difference > 0.0 else (1, b)
        if difference != 0.0 and np.less_equal(average.adjusted[side, row], alpha):
            counts[winner] += 1
    return counts
