"""Averages over tasks in tables, in files and in the report."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from sigcore.errors import DataFileError
from sigcore.evalset import SystemScores
from sigcore.io.schemas import SCHEMAS, table_of
from sigcore.io.task_results import read_task_results, write_task_results
from sigcore.meta.average_records import average_comparisons, average_records, task_records
from sigcore.meta.averaging import TaskAverage, average_tasks
from sigcore.meta.tasks import TaskOptions, TaskResult, scheme_names
from sigcore.report.tasks import average_section, describe_system_scores, describe_unofficial
from sigcore.tasksets import Task

NAMES = ("x", "y", "z")
TASKS = (Task("t", ("a-b",), "spa", weight=3.0), Task("t", ("a-b", "c-d"), "pa"))


def result(task: Task, scores: list[float], spread: float | None) -> TaskResult:
    pairs = tuple(combinations(range(3), 2))
    rng = np.random.default_rng(len(task.name))
    null: npt.NDArray[np.float64] | None = None
    if spread is not None:
        null = rng.normal(0.0, spread, size=(3, 200))
    differences = np.array([scores[a] - scores[b] for a, b in pairs])
    return TaskResult(task, NAMES, np.array(scores), pairs, differences, null, 10)


@pytest.fixture
def average() -> TaskAverage:
    results = [result(TASKS[0], [0.7, 0.9, 0.2], 0.05), result(TASKS[1], [0.8, 0.8, 0.3], 0.05)]
    return average_tasks(results)


def test_metrics_come_best_first_with_those_they_beat(average: TaskAverage) -> None:
    rows = average_records(average, by="scores", alpha=0.05)
    assert [row["metric"] for row in rows] == ["y", "x", "z"]
    assert [row["n_beaten"] for row in rows] == [2, 1, 0]
    assert rows[0]["score"] == pytest.approx(0.75 * 0.9 + 0.25 * 0.8)
    assert table_of("average", rows).schema == SCHEMAS["average"]
    by_rank = average_records(average, by="ranks", alpha=0.05)
    assert [row["mean_rank"] for row in by_rank] == sorted(row["mean_rank"] for row in by_rank)


def test_comparisons_have_both_directions(average: TaskAverage) -> None:
    rows = average_comparisons(average, scheme="perm-inputs", seed=3)
    assert len(rows) == 6
    turned = {(row["metric"], row["other"]): row["difference"] for row in rows}
    for (one, other), difference in turned.items():
        assert turned[other, one] == -difference
    assert rows[0]["seed"] == 3
    assert table_of("comparisons", rows).num_rows == 6


def test_task_rows_have_every_task_and_metric(average: TaskAverage) -> None:
    rows = task_records(average, TASKS)
    assert len(rows) == 6
    assert rows[3]["language_pairs"] == "a-b+c-d"
    assert rows[0]["weight"] == 0.75
    assert table_of("task_scores", rows).schema == SCHEMAS["task_scores"]


def test_an_untested_task_leaves_cells_empty() -> None:
    untested = average_tasks(
        [result(TASKS[0], [0.7, 0.9, 0.2], 0.05), result(TASKS[1], [0.8, 0.8, 0.3], None)]
    )
    rows = average_records(untested, by="ranks", alpha=0.05)
    assert {row["rank"] for row in rows} == {row["n_beaten"] for row in rows} == {None}
    assert average_comparisons(untested) == []
    html = section(untested)
    assert "1 of 2 tasks are ranked without a test, for example t a-b+c-d pa" in html


def section(average: TaskAverage, scheme: str = "perm-inputs", by: str = "scores") -> str:
    return average_section(
        average_records(average, by=by, alpha=0.05),
        task_records(average, TASKS),
        description="mean of <two> tasks",
        by=by,
        scheme=scheme,
        left_out=["w"],
        skipped=["t e-f has no data."],
    )


def test_the_section_says_what_is_missing(average: TaskAverage) -> None:
    html = section(average)
    assert "Mean of &lt;two&gt; tasks." in html
    assert "Not in all tasks, so not averaged: w." in html
    assert "t e-f has no data." in html
    assert "<th>t a-b spa</th>" in html.replace(' class="number"', "")


def test_an_average_of_ranks_says_what_its_clusters_compare(average: TaskAverage) -> None:
    told = "the clusters of the average itself, and who beats whom, are those of mean scores."
    assert told in section(average, by="ranks")
    assert told not in section(average)


def test_the_section_warns_of_a_test_that_rejects_too_often(average: TaskAverage) -> None:
    options = TaskOptions(acc_eq_scheme="pairs")
    assert scheme_names(TASKS, options) == "perm-inputs"  # no task of acc_eq
    tasks = [*TASKS, replace(TASKS[0], meta="acc-eq")]
    scheme = scheme_names(tasks, options)
    assert scheme == "spa, pa by perm-inputs; acc-eq by perm-pairs"
    assert "rejects too often" in section(average, scheme)
    assert "rejects too often" not in section(average, scheme_names(tasks, TaskOptions()))


def test_metrics_that_are_not_averaged_are_named() -> None:
    found = describe_unofficial({"b", "a"}, {"BLEU-refB", "COMET"}, {"BLEU", "COMET", "MEE"})
    assert found == [
        "Only primary metrics, baselines and your own are averaged, 2 of 4; not a, b.",
        "Primary metrics without scores of segments: MEE.",
    ]
    assert describe_unofficial((), {"BLEU"}, {"BLEU"}) == []
    # A relative with a dash in its name does not stand for the metric.
    (told,) = describe_unofficial((), {"MATESE-QE", "BLEU"}, {"MATESE", "MATESE-QE", "BLEU"})
    assert told == "Primary metrics without scores of segments: MATESE."


def test_the_source_of_system_scores_is_told() -> None:
    means = SystemScores(
        domain=None,
        systems=("s", "t"),
        metric_names=("x", "y"),
        gold=np.zeros(2),
        scores=np.zeros((2, 2)),
        n_rated=np.ones(2, dtype=int),
        n_segments=np.ones((2, 2), dtype=int),
    )
    assert "these are means over segments" in describe_system_scores([means])
    published = replace(means, n_segments=np.array([[0, 0], [1, 1]]))
    told = describe_system_scores([means, published])
    assert "1 of 4 sets of scores are published ones" in told


def test_results_come_back_from_a_file_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "tasks.parquet"
    tested, untested = result(TASKS[0], [0.7, np.nan, 0.2], 0.05), result(TASKS[1], [1, 2, 3], None)
    write_task_results(path, [tested, untested])
    back = read_task_results(path, TASKS)
    assert list(back) == [task.name for task in TASKS]
    for old, new in zip((tested, untested), back.values(), strict=True):
        assert (old.task, old.metric_names, old.metric_pairs) == (
            new.task,
            new.metric_names,
            new.metric_pairs,
        )
        np.testing.assert_array_equal(old.scores, new.scores)
        np.testing.assert_array_equal(old.differences, new.differences)
    np.testing.assert_array_equal(back[TASKS[0].name].null, tested.null)  # type: ignore[arg-type]
    assert back[TASKS[1].name].null is None
    first = path.read_bytes()
    write_task_results(path, [tested, untested])
    assert path.read_bytes() == first


def test_a_file_without_the_task_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tasks.parquet"
    write_task_results(path, [result(TASKS[0], [0.7, 0.9, 0.2], 0.05)])
    with pytest.raises(DataFileError, match="must have results of the task `t a-b\\+c-d pa`"):
        read_task_results(path, TASKS)
