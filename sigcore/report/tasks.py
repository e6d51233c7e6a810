"""The section of the report on averages over tasks."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from sigcore.report.simple import note_html, table_html

__all__ = ["average_section"]

Row = Mapping[str, Any]

_MOST_TASKS = 12  # columns for more tasks would not fit


def average_section(
    average: Sequence[Row],
    task_scores: Sequence[Row],
    *,
    description: str,
    by: str,
    scheme: str,
    left_out: Sequence[str],
    skipped: Sequence[str],
) -> str:
    """Make the HTML of the section.

    Parameters
    ----------
    average : sequence of rows
        The table `average`, best first.
    task_scores : sequence of rows
        The table `task_scores`.
    description : str
        What the set of tasks is.
    by : {"scores", "ranks"}
        What metrics are ordered by.
    scheme : str
        What was swapped to find significant differences.
    left_out : sequence of str
        Metrics that are not in all tasks.
    skipped : sequence of str
        Sentences on tasks that could not be run.
    """
    tasks = list(dict.fromkeys(row["task"] for row in task_scores))
    untested = list(dict.fromkeys(row["task"] for row in task_scores if not row["tested"]))
    paragraphs = [
        f"<p>{escape(description[:1].upper() + description[1:])}. Metrics are ordered by mean "
        f"{'rank' if by == 'ranks' else 'score'}. Correlations, from -1 to 1, are mapped to the "
        f"range from 0 to 1 first. Significance by {escape(scheme)}, draws of all tasks summed.</p>"
    ]
    notes = list(skipped)
    if untested:
        notes.append(
            f"{len(untested)} of {len(tasks)} tasks are ranked without a test, for example "
            f"{untested[0]}; so there are no clusters of the average."
        )
    if "perm-pairs" in scheme:
        notes.append(
            "perm-pairs, the test of acc_eq in mt-metrics-eval, rejects too often: at level 0.05 "
            "it told equally good metrics apart in about 17 of 100 simulated cases. "
            "`acc_eq_scheme: inputs` holds the level."
        )
    if left_out:
        notes.append(f"Not in all tasks, so not averaged: {', '.join(left_out)}.")
    table = _table(average, task_scores, tasks)
    return "\n".join([*paragraphs, *map(note_html, notes), table])


def _table(average: Sequence[Row], task_scores: Sequence[Row], tasks: Sequence[str]) -> str:
    """Show averages, and the score in each task if they are not too many."""
    headers = {
        "rank": "cluster",
        "metric": "metric",
        "score": "mean score",
        "mean_rank": "mean rank",
        "n_beaten": "beats",
    }
    formats = {"score": ".4f", "mean_rank": ".2f"}
    rows = [dict(row) for row in average]
    if len(tasks) <= _MOST_TASKS:
        scores = {(row["task"], row["metric"]): row["score"] for row in task_scores}
        for task in tasks:
            headers[task] = task
            formats[task] = ".3f"
            for row in rows:
                row[task] = scores[task, row["metric"]]
    return table_html(rows, headers, formats=formats, caption=f"Average over {len(tasks)} tasks.")
