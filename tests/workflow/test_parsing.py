"""The target `parsing`: simulated parsers, span files, broken files and real ones."""

import json
from itertools import combinations
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from sigcore.io.evalb import read_evalb
from sigcore.io.schemas import SCHEMAS
from sigcore.parsing.many import compare_all
from sigcore.parsing.simulate import EXAMPLE_PARSERS

pytestmark = pytest.mark.workflow

ROOT = Path(__file__).resolve().parents[2]
TABLES = {"parsers": "parsers", "pairs": "parser_pairs", "remarks": "parser_remarks"}


def configured(workflow, **parsing) -> str:
    """Write a configuration with these settings and return its path."""
    config = yaml.safe_load((ROOT / "config/smoke.yaml").read_text(encoding="utf-8"))
    config["parsing"] = parsing
    path = workflow.folder / "own.yaml"
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    return str(path)


def compare(workflow, **parsing):
    """Run the comparison alone and return exit code and output."""
    target = "results/smoke/parsing/pairs.parquet"
    done = workflow.run(target, config=configured(workflow, **parsing))
    return done.returncode, done.stdout + done.stderr


def rows(workflow, name: str) -> list[dict]:
    return pq.read_table(workflow.folder / f"results/smoke/parsing/{name}.parquet").to_pylist()


@pytest.fixture
def outputs(finished, workflow) -> Path:
    """A copy of the simulated outputs, to be damaged by a test."""
    folder = workflow.folder / "outputs"
    folder.mkdir()
    for path in (finished.folder / "results/smoke/parsing/simulated").iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return folder


def test_a_run_leaves_tables_figures_and_a_page(finished):
    folder = finished.folder / "results/smoke/parsing"
    for name, schema in TABLES.items():
        table = pq.read_table(folder / f"{name}.parquet")
        assert table.schema.names == SCHEMAS[schema].names
        assert table.schema.types == SCHEMAS[schema].types
    for name in ("parsers", "pairs"):
        for ending in ("csv", "tex", "md"):
            assert (folder / f"{name}.{ending}").stat().st_size > 100
    for ending in ("svg", "pdf", "png"):
        assert (folder / f"figures/parsers.{ending}").is_file()
    parsers, pairs = rows(finished, "parsers"), rows(finished, "pairs")
    assert [row["parser"] for row in parsers][-1] == "SimPCFG"
    assert {row["n_sentences"] for row in parsers} == {60}
    assert len(pairs) == 5 * len(list(combinations(EXAMPLE_PARSERS, 2)))
    # Two sentences of each parser have no score.
    assert len(rows(finished, "remarks")) == 2 * len(EXAMPLE_PARSERS)
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "SimTwin-A" in page
    assert "<?xml" not in page


def test_the_report_has_a_section_and_knows_the_inputs(finished):
    page = (finished.folder / "results/smoke/report.html").read_text(encoding="utf-8")
    assert '<section id="parsing">' in page
    assert 'href="parsing/report.html"' in page
    provenance = json.loads((finished.folder / "results/smoke/provenance.json").read_text())
    assert "results/smoke/parsing/simulated/SimPCFG.evalb" in provenance["inputs"]


def test_the_target_alone_needs_no_evaluation_set(workflow):
    planned = workflow.run("parsing", "--dry-run")
    text = planned.stdout + planned.stderr
    assert planned.returncode == 0, text
    for message in ("Simulating the outputs", "Comparing parsers", "Writing the page on parsers"):
        assert message in text
    assert "Reading the scores" not in text
    assert "Writing the report" not in text


def test_the_target_without_the_key_is_refused(workflow, tmp_path):
    config = yaml.safe_load((ROOT / "config/smoke.yaml").read_text(encoding="utf-8"))
    del config["parsing"]
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(config))
    done = workflow.run("parsing", "--dry-run", config=str(tmp_path / "own.yaml"))
    assert done.returncode != 0
    assert "needs the key `parsing`" in done.stdout + done.stderr


def test_a_broken_file_is_named_with_its_line(outputs, workflow):
    path = outputs / "SimLatent.evalb"
    lines = path.read_text().split("\n")
    lines[6] = lines[6].replace(" 0 ", " x ", 1)
    path.write_text("\n".join(lines))
    code, text = compare(workflow, files="outputs")
    messages = [line for line in text.splitlines() if line.startswith("sigcore: error: ")]
    assert code != 0
    assert "outputs/SimLatent.evalb:7: " in messages[0]
    assert "Traceback" not in text
    assert not list((workflow.folder / "results").rglob("*.parquet"))


def test_other_sentences_are_refused_with_the_first_difference(outputs, workflow):
    path = outputs / "SimTwin-A.evalb"
    lines = path.read_text().split("\n")
    # Without the sentence, and without the totals that would miss it.
    path.write_text("\n".join(lines[:8] + lines[9:60]) + "\n")
    code, text = compare(workflow, files="outputs")
    assert code != 0
    assert "has sentence 6 where SimTwin-A has 7" in text


def test_settings_reach_the_comparison(outputs, workflow):
    names = ["SimPCFG", "SimReranker", "SimLatent"]
    code, text = compare(
        workflow,
        files=[f"outputs/{name}.evalb" for name in names],
        measures=["recall", "crossing"],
        cutoff=30,
        method="shuffle",
        n_shuffles=199,
        correction="bonferroni",
        not_scored="fail",
    )
    assert code == 0, text
    scores = [read_evalb(outputs / f"{name}.evalb").scores for name in names]
    expected = compare_all(
        scores,
        measure="recall",
        cutoff=30,
        method="shuffle",
        n_shuffles=199,
        correction="bonferroni",
        not_scored="fail",
    )
    pairs = rows(workflow, "pairs")
    assert [row["measure"] for row in pairs] == ["recall"] * 3 + ["crossing"] * 3
    assert [row["adjusted"] for row in pairs[:3]] == [pair.adjusted for pair in expected.pairs]
    assert all(row["n_too_long"] > 0 for row in rows(workflow, "parsers"))


def test_tagged_files_are_compared_with_a_gold_standard(workflow):
    folder = workflow.folder / "tags"
    folder.mkdir()
    # Eight sentences with one name each: A finds all of them, B none and C the first four.
    for name, found in (("gold", range(8)), ("A", range(8)), ("B", ()), ("C", range(4))):
        sentences = [f"w B-PER\nx {'I-PER' if i in found else 'O'}\n" for i in range(8)]
        (folder / f"{name}.txt").write_text("\n".join(sentences))
    code, text = compare(workflow, files="tags", format="columns", gold="tags/gold.txt")
    assert code == 0, text
    assert [row["parser"] for row in rows(workflow, "parsers")] == ["A", "C", "B"]
    found = {(row["name_a"], row["name_b"]): row for row in rows(workflow, "pairs")}
    # All eight sentences favour A, so only two of the 2^8 ways to swap are as extreme.
    assert found["A", "B"]["pvalue"] == pytest.approx(2 / 2**8)
    assert found["A", "C"]["pvalue"] == pytest.approx(2 / 2**4)


def test_a_cut_off_without_lengths_is_refused(workflow):
    for name in ("gold", "A", "B"):
        (workflow.folder / f"{name}.tsv").write_text("1\t0\t1\tPER\n")
    code, text = compare(
        workflow, files=["A.tsv", "B.tsv"], format="table", gold="gold.tsv", cutoff=40
    )
    assert code != 0
    assert "`cutoff` needs files that say how long the sentences are" in text


@pytest.mark.real_data
def test_thirteen_real_parsers_have_their_enumerated_pvalues(workflow, public_data):
    folder = public_data / "evalb/thirteen-parsers"
    done = workflow.run("parsing", config=configured(workflow, files=str(folder)))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The report is ready: results/smoke/parsing/report.html" in done.stdout + done.stderr
    pairs = {(row["measure"], row["name_a"], row["name_b"]): row for row in rows(workflow, "pairs")}
    # By enumeration of the 2^10 swaps, two-sided.
    enumerated = {
        ("berkeley", "bikel"): (0.265625, 0.640625, 0.328125),
        ("charniak_selftrained_basic", "collins.1"): (0.140625, 0.109375, 0.109375),
    }
    for names, values in enumerated.items():
        for measure, value in zip(("recall", "precision", "f1"), values, strict=True):
            assert pairs[measure, *names]["pvalue"] == pytest.approx(value, abs=1e-12)
    scores = [read_evalb(path).scores for path in sorted(folder.iterdir())]
    expected = compare_all(scores, measure="f1")
    assert len(expected.pairs) == 78
    for pair in expected.pairs:
        row = pairs["f1", pair.name_a, pair.name_b]
        assert (row["pvalue"], row["adjusted"]) == (pair.pvalue, pair.adjusted)
    values = dict(zip(expected.names, expected.values, strict=True))
    ranked = [row["parser"] for row in rows(workflow, "parsers")]
    assert ranked == sorted(values, key=lambda name: (-values[name], name))
