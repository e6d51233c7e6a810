"""The target `paper_exact` on very small sizes."""

import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from sigcore.io.schemas import SCHEMAS

pytestmark = pytest.mark.workflow

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = {
    "sizes": [20, 40],
    "n_resamples": [50, 100],
    "plain_resamples": 30,
    "scipy_resamples": 10,
    "repeats": 2,
}


@pytest.fixture
def config(workflow):
    content = yaml.safe_load((ROOT / "config/smoke.yaml").read_text(encoding="utf-8"))
    path = workflow.folder / "small.yaml"
    path.write_text(yaml.safe_dump(content | {"benchmark": SETTINGS}), encoding="utf-8")
    return str(path)


def test_paper_exact_leaves_times_figure_table_and_page(workflow, config):
    done = workflow.run("paper_exact", config=config)
    assert done.returncode == 0, done.stdout + done.stderr
    folder = workflow.folder / "results/smoke/benchmark"
    table = pq.read_table(folder / "timings.parquet")
    assert table.schema.names == SCHEMAS["timings"].names
    assert table.schema.types == SCHEMAS["timings"].types
    methods = dict.fromkeys((row["method"], row["n_resamples"]) for row in table.to_pylist())
    assert list(methods) == [
        ("exact", None),
        ("fft", None),
        ("dp", None),
        ("monte-carlo", 50),
        ("monte-carlo", 100),
        ("algorithm-1", 30),
        ("scipy", 10),
    ]
    assert table.num_rows == len(methods) * 2 * 2
    assert b'"OMP_NUM_THREADS = 1' in table.schema.metadata[b"sigcore"]
    for ending in ("svg", "pdf", "png"):
        assert (folder / f"figures/timings.{ending}").stat().st_size > 1000
    assert "Monte Carlo, K = 100" in (folder / "timings.md").read_text(encoding="utf-8")
    assert "<svg" in (folder / "report.html").read_text(encoding="utf-8")
    # Only this target: no evaluation set was simulated for it.
    assert [path.name for path in (workflow.folder / "results").iterdir()] == ["smoke"]
    section = json.loads((folder / "section.json").read_text(encoding="utf-8"))
    assert "<svg" in section["html"]
    assert "Monte Carlo, K = 100" in section["html"]
    again = workflow.run("paper_exact", config=config)
    assert "Nothing to be done" in again.stdout + again.stderr
    # From now on the report of the run has them; they are not measured again.
    planned = workflow.run("--dry-run", "--quiet", "host", config=config)
    text = planned.stdout + planned.stderr
    assert planned.returncode == 0, text
    assert re.search(r"input: .*benchmark/section\.json", text)
    assert "Timing" not in text


def test_the_default_target_does_not_measure_run_times(workflow, config):
    planned = workflow.run("--dry-run", config=config)
    assert planned.returncode == 0, planned.stdout + planned.stderr
    assert "benchmark/section.json" not in planned.stdout + planned.stderr
    assert "Timing" not in planned.stdout + planned.stderr
