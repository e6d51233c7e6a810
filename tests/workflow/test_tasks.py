"""Averages over tasks as part of a run."""

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


def test_max_t_and_batches_do_not_go_together():
    config = {"significance": {"adjust": "maxt"}, "batches": {"metric_pairs_per_job": 10}}
    with pytest.raises(InputError, match=r"`batches\.metric_pairs_per_job` must be 0; got 10"):
        _check_batches(config)
