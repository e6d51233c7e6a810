"""The section of the report on averages over tasks."""

from collections.abc import Collection, Mapping, Sequence
from html import escape
from typing import Any

from sigcore.evalset import SystemScores
from sigcore.report.simple import note_html, table_html

__all__ = ["average_section", "describe_system_scores", "describe_unofficial"]

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
    remarks: Sequence[str] = (),
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
    remarks : sequence of str
        Sentences on what the tasks compare.
    """
    tasks = list(dict.fromkeys(row["task"] for row in task_scores))
    untested = list(dict.fromkeys(row["task"] for row in task_scores if not row["tested"]))
    paragraphs = [
        f"<p>{escape(description[:1].upper() + description[1:])}. Metrics are ordered by mean "
        f"{'rank' if by == 'ranks' else 'score'}. Correlations, from -1 to 1, are mapped to the "
        f"range from 0 to 1 first. Significance by {escape(scheme)}, draws of all tasks summed."
        + (
            " Ranks are those of clusters, so they depend on the test; the clusters of the "
            "average itself, and who beats whom, are those of mean scores."
            if by == "ranks"
            else ""
        )
        + "</p>"
    ]
    notes = [*skipped, *remarks]
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


def describe_system_scores(collected: Collection[SystemScores]) -> str:
    """Say where the scores of systems come from that tasks compare."""
    n_scores = sum(len(scores.metric_names) for scores in collected)
    n_published = sum(scores.n_published for scores in collected)
    sentence = (
        "Tasks on system scores compare what metrics give on the whole test set, also where nobody "
        "rated, as the official task does. "
    )
    if not n_published:
        return (
            f"{sentence}No file .sys.score was there, so these are means over segments; BLEU, chrF "
            "and others that score a corpus at once differ from their published scores."
        )
    return (
        f"{sentence}{n_published} of {n_scores} sets of scores are published ones (.sys.score, "
        ".domain.score), the others means over segments."
    )


def describe_unofficial(
    others: Collection[str], averaged: Collection[str], primary: Collection[str]
) -> list[str]:
    """Name the metrics that are not averaged, and official ones without scores.

    Parameters
    ----------
    others : collection of str
        Metrics of the run that are neither primary nor baselines nor the user's own.
    averaged : collection of str
        Those that are.
    primary : collection of str
        Base names of the official primary metrics.
    """
    found = []
    if others:
        found.append(
            "Only primary metrics, baselines and your own are averaged, "
            f"{len(averaged)} of {len(averaged) + len(others)}; not {', '.join(sorted(others))}."
        )
    # A label is a base name, or an identifier where several metrics have that base name.
    absent = [
        name
        for name in sorted(primary)
        if name not in averaged
        and not any(label.rpartition("-")[0] == name for label in set(averaged) - set(primary))
    ]
    if absent:
        found.append(f"Primary metrics without scores of segments: {', '.join(absent)}.")
    return found


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
