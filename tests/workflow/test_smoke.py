"""The whole workflow on small simulated data."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from sigcore.io.schemas import SCHEMAS

pytestmark = pytest.mark.workflow

ROOT = Path(__file__).resolve().parents[2]
TABLES = ("left_out", "pvalues", "metrics", "comparisons", "ranking")


def test_a_run_leaves_every_documented_table_with_its_columns(finished):
    for lp, metrics in (("en-de", 8), ("zh-en", 7)):
        folder = finished.folder / "results/smoke/simulated" / lp
        for name in TABLES:
            table = pq.read_table(folder / f"{name}.parquet")
            assert table.schema.names == SCHEMAS[name].names
            assert table.schema.types == SCHEMAS[name].types
        assert pq.read_table(folder / "ranking.parquet").num_rows == metrics
        assert pq.read_table(folder / "comparisons.parquet").num_rows == 2 * metrics * (metrics - 1)


def test_a_run_leaves_a_report_figures_and_no_half_file(finished):
    results = finished.results()
    page = results["smoke/report.html"].decode()
    assert "SimNeural-XL" in page
    assert "http" not in page.replace("http://www.w3.org", "").replace(
        "http://purl.org", ""
    ).replace("http://creativecommons.org", "")
    for ending in ("svg", "pdf", "png"):
        assert f"smoke/simulated/en-de/figures/significance.{ending}" in results
    assert not [name for name in results if ".part" in name]


def test_a_second_run_does_nothing_and_says_so(finished, copied):
    again = copied.run()
    assert again.returncode == 0
    assert "Nothing to be done" in again.stdout + again.stderr
    assert copied.results() == finished.results()


def test_changing_a_metric_redoes_only_what_depends_on_it(copied):
    folder = copied.folder / "results/smoke-data/simulated/metric-scores/en-de"
    metric = next(folder.glob("SimNeural-XL-*"))
    metric.write_bytes(metric.read_bytes().replace(b"1", b"2", 1))
    planned = copied.run("--dry-run")
    text = planned.stdout + planned.stderr
    assert "Reading the scores of simulated en-de" in text
    assert "Writing the report" in text
    assert "simulated zh-en" not in text
    assert "Simulating" not in text


def test_batches_do_not_change_a_byte(finished, workflow, tmp_path):
    config = tmp_path / "batches.yaml"
    text = (ROOT / "config/smoke.yaml").read_text()
    config.write_text(
        text
        + "\nbatches: {metrics_per_job: 4, metric_pairs_per_job: 10, system_pairs_per_job: 20}\n",
        encoding="utf-8",
    )
    target = "results/smoke/simulated/en-de/ranking.parquet"
    done = workflow.run(target, config=str(config))
    assert done.returncode == 0, done.stdout + done.stderr
    folder = workflow.folder / "results/smoke/simulated/en-de"
    # 8 systems in the gold file, so 28 pairs at most; 5 systems and 10 pairs are left of them.
    assert len(list((folder / "pvalues").glob("*/*.parquet"))) == 2 * 2
    assert len(list((folder / "comparisons").iterdir())) == 3
    expected = finished.folder / "results/smoke/simulated/en-de"
    for name in ("pvalues", "metrics", "comparisons", "ranking"):
        assert (folder / f"{name}.parquet").read_bytes() == (
            expected / f"{name}.parquet"
        ).read_bytes(), name


@pytest.mark.real_data
def test_real_wmt22_metrics_are_ranked(workflow, public_data):
    config = yaml.safe_load((ROOT / "config/wmt22.yaml").read_text(encoding="utf-8"))
    config["data_root"] = str(public_data / "mtme")
    config["significance"] = {"n_resamples": 100}  # quick; the config has ten times as many
    path = workflow.folder / "quick.yaml"
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    done = workflow.run(config=str(path))
    assert done.returncode == 0, done.stdout + done.stderr
    page = (workflow.folder / "results/wmt22/report.html").read_text(encoding="utf-8")
    assert "wmt22 en-ru was skipped" in page
    for lp, shape in (("en-de", (14, 1315)), ("zh-en", (15, 1875))):
        table = pq.read_table(workflow.folder / f"results/wmt22/wmt22/{lp}/ranking.parquet")
        rows = table.to_pylist()
        assert len(rows) == 31
        assert {(row["n_systems"], row["n_segments"]) for row in rows} == {shape}
        assert rows[0]["spa"] > 0.8
        assert rows[0]["rank"] == 1
