"""Averages over tasks as part of a run."""

import json

import numpy as np
import pyarrow.parquet as pq
import pytest

from scripts._inputs import _check_batches
from sigcore.errors import InputError

pytestmark = pytest.mark.workflow


def test_a_run_averages_over_its_language_pairs(finished):
    folder = finished.folder / "results/smoke"
    average = pq.read_table(folder / "average.parquet").to_pylist()
    scores = pq.read_table(folder / "task_scores.parquet").to_pylist()
    assert {row["meta"] for row in scores} == {"spa", "acc-eq"}
    assert {row["language_pairs"] for row in scores} == {"en-de", "zh-en"}
    for row in average:
        mine = [each for each in scores if each["metric"] == row["metric"]]
        assert len(mine) == row["n_tasks"] == 4
        mean = sum(each["weight"] * each["score"] for each in mine)
        assert row["score"] == pytest.approx(mean)
    comparisons = pq.read_table(folder / "average_comparisons.parquet")
    assert comparisons.num_rows == len(average) * (len(average) - 1)
    assert "Average over tasks: standard" in (folder / "report.html").read_text()


def test_a_file_of_tasks_may_be_given(copied):
    file = copied.folder / "mine.yaml"
    file.write_text(
        "name: mine\naverage: ranks\nprimary_only: false\n"
        "tasks: [{testset: simulated, pool: [en-de, zh-en], meta: pa},"
        " {testset: simulated, each: all, meta: pearson-sys}]\n"
    )
    done = copied.run("--config", f"tasks={{set: {file}}}", "--", "results/smoke/average.parquet")
    assert done.returncode == 0, done.stdout + done.stderr
    scores = pq.read_table(copied.folder / "results/smoke/task_scores.parquet").to_pylist()
    weights = {row["task"]: row["weight"] for row in scores}
    assert weights == {
        "simulated en-de+zh-en pa": 0.5,
        "simulated en-de pearson-sys": 0.25,
        "simulated zh-en pearson-sys": 0.25,
    }


def test_tasks_may_compare_the_published_scores_of_systems(copied):
    file = copied.folder / "official.yaml"
    file.write_text(
        "name: official\nprimary_only: false\nsystem_scores: official\n"
        "tasks: [{testset: simulated, each: [en-de], meta: [pearson-sys, spa]}]\n"
    )
    segments = next(copied.folder.rglob("metric-scores/en-de/*-refA.seg.score"))
    systems = dict.fromkeys(line.split("\t")[0] for line in segments.read_text().splitlines())
    published = segments.with_name(segments.name.replace(".seg.", ".sys."))
    published.write_text("".join(f"{name}\t{n}\n" for n, name in enumerate(systems)))
    wanted = ["results/smoke/average.parquet", "results/smoke/average/section.json"]
    done = copied.run("--config", f"tasks={{set: {file}}}", "--", *wanted)
    assert done.returncode == 0, done.stdout + done.stderr
    folder = copied.folder / "results/smoke"
    rows = pq.read_table(folder / "simulated/en-de/system_scores.parquet").to_pylist()
    metric = segments.name.removesuffix("-refA.seg.score")
    own = {row["system"]: row["score"] for row in rows if row["metric"] == metric}
    assert own == {name: list(systems).index(name) for name in own}
    people = {row["system"]: row["score"] for row in rows if row["metric"] is None}
    scores = pq.read_table(folder / "task_scores.parquet").to_pylist()
    found = {(row["meta"], row["metric"]): row["score"] for row in scores}
    expected = np.corrcoef([people[name] for name in own], list(own.values()))[0, 1]
    assert found["pearson-sys", metric] == pytest.approx(expected)
    section = (folder / "average/section.json").read_text()
    assert "pearson-sys by perm-systems; spa by perm-inputs" in section
    assert "sets of scores are published ones" in section
    inputs = json.loads((folder / "simulated/en-de/inputs.json").read_text())
    assert any(path.endswith(published.name) for path in inputs)


def test_max_t_and_batches_do_not_go_together():
    config = {"significance": {"adjust": "maxt"}, "batches": {"metric_pairs_per_job": 10}}
    with pytest.raises(InputError, match=r"`batches\.metric_pairs_per_job` must be 0; got 10"):
        _check_batches(config)
