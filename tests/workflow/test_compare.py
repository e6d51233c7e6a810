"""The targets `compare` and `paper_nlpstattest`: tables, figures, pages, batches and settings."""

import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from scripts._compare import system_pair_batches
from sigcore.comparison.pairs import compare_pairs
from sigcore.io.schemas import SCHEMAS
from sigcore.io.tables import read_evalset_table

ROOT = Path(__file__).resolve().parents[2]
CONFIG = {
    "run": "small",
    "data_root": "data",
    "testsets": {"simulated": ["en-de"]},
    "simulate": {
        "testset": "simulated",
        "shapes": {"en-de": {"systems": 5, "segments": 60, "rated": 50, "metrics": 3}},
    },
    "nlpstattest": {"sizes": [30, 60], "runs": 3, "power_runs": 20},
}
PAIRS = "results/small/simulated/en-de/compare/pairs.parquet"


def write_config(folder: Path, **changes) -> str:
    path = folder / "own.yaml"
    path.write_text(yaml.safe_dump(CONFIG | changes), encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def compared(new_workflow):
    """A folder in which both targets have run."""
    workflow = new_workflow("compare")
    done = workflow.run("paper_nlpstattest", config=write_config(workflow.folder))
    assert done.returncode == 0, done.stdout + done.stderr
    return workflow


def matches_schema(path: Path, name: str) -> bool:
    schema = pq.read_schema(path)
    return schema.names == SCHEMAS[name].names and schema.types == SCHEMAS[name].types


@pytest.mark.workflow
def test_a_run_leaves_tables_figures_and_pages(compared):
    results = compared.folder / "results/small"
    folder, paper = results / "simulated/en-de/compare", results / "nlpstattest"
    tables = {
        folder / "pairs": "system_pairs",
        folder / "systems": "system_ranking",
        paper / "summary": "score_summary",
        paper / "tests": "test_grades",
    }
    for stem, schema in tables.items():
        assert matches_schema(stem.with_suffix(".parquet"), schema)
        for ending in (".csv", ".tex", ".md"):
            assert stem.with_suffix(ending).stat().st_size > 50
    assert matches_schema(paper / "power.parquet", "power_curve")
    assert matches_schema(paper / "simulation.parquet", "pvalue_simulation")
    for ending in ("svg", "pdf", "png"):
        assert (folder / f"figures/systems.{ending}").is_file()
        for number in (2, 3, 5):
            assert (paper / f"figures/figure{number}.{ending}").is_file()
    for page in (results / "compare/report.html", paper / "report.html", paper / "comparison.html"):
        text = page.read_text(encoding="utf-8")
        assert "<svg" in text
        assert not re.findall(r'src="|href="http|<\?xml', text)
    assert json.loads((paper / "comparison.json").read_text())["primary"]


@pytest.mark.workflow
def test_pairs_are_those_of_the_library(compared):
    evalset, _ = read_evalset_table(
        compared.folder / "results/small/simulated/en-de/scores.parquet"
    )
    expected = compare_pairs(evalset.gold, evalset.systems)
    found = pq.read_table(compared.folder / PAIRS).to_pylist()
    assert len(found) == 10
    for row, other in zip(found, expected.to_records(), strict=True):
        assert (row["system_a"], row["system_b"]) == (other["first"], other["second"])
        assert row["adjusted"] == pytest.approx(other["adjusted"])


@pytest.mark.workflow
def test_batches_never_change_a_number(compared, workflow):
    config = write_config(workflow.folder, batches={"system_pairs_per_job": 4})
    done = workflow.run(PAIRS, config=config)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(list((workflow.folder / PAIRS).parent.glob("batches/*"))) > 1
    for ending in (".parquet", ".csv", ".tex", ".md"):
        path = Path(PAIRS).with_suffix(ending)
        assert (workflow.folder / path).read_bytes() == (compared.folder / path).read_bytes()


@pytest.mark.workflow
def test_an_unknown_metric_is_named(workflow):
    done = workflow.run(PAIRS, config=write_config(workflow.folder, compare={"scorer": "nought"}))
    assert done.returncode != 0
    assert "`compare.scorer` must be gold or a metric of" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.workflow
def test_a_missing_file_of_scores_is_named(workflow):
    config = write_config(workflow.folder, nlpstattest={"scores": "nowhere.txt"})
    done = workflow.run("paper_nlpstattest", "--dry-run", config=config)
    assert done.returncode != 0
    assert "nowhere.txt: no such file, named by `nlpstattest.scores`" in done.stdout + done.stderr


@pytest.mark.workflow
def test_the_target_without_an_evaluation_set_is_refused(workflow):
    config = {"run": "small", "data_root": "data", "testsets": {}}
    path = workflow.folder / "own.yaml"
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    done = workflow.run("compare", "--dry-run", config=str(path))
    assert done.returncode != 0
    assert "needs an evaluation set" in done.stdout + done.stderr


def test_systems_are_counted_before_anything_runs(tmp_path):
    gold = tmp_path / "wmt/human-scores/en-de.mqm.seg.score"
    gold.parent.mkdir(parents=True)
    gold.write_text("a\t1\na\t2\nb\t1\nb\tNone\nc\t3\nc\t4\n", encoding="utf-8")
    config = {"batches": {"system_pairs_per_job": 2}}
    assert system_pair_batches(config, "en-de", str(gold)) == ["1-of-2", "2-of-2"]
    assert len(system_pair_batches(config, "en-de", str(gold), both_orders=True)) == 3
    # Names with blanks, in a file with a byte that is no UTF-8: it is refused where it is read.
    gold.write_bytes(b"our a\t1\nour b\t1\nour \xff\t3\n")
    assert len(system_pair_batches(config, "en-de", str(gold))) == 2
    config["batches"]["system_pairs_per_job"] = 0
    assert system_pair_batches(config, "en-de", str(gold)) == ["1-of-1"]
