"""The Bayes test in the workflow: a corpus, programs of the user, and the paper's tables."""

import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from sigcore.io.schemas import SCHEMAS

pytestmark = pytest.mark.workflow

ROOT = Path(__file__).resolve().parents[2]
TABLES = {
    "balance": "balance",
    "fold_counts": "folds",
    "bayes_tests": "tests",
    "cv_tests": "cv_tests",
}
FOLDS = "results/smoke/bayes/folds.tsv"


def own_config(workflow, **changes):
    """Write a configuration that has nothing but the Bayes test, and return its path."""
    smoke = yaml.safe_load((ROOT / "config/smoke.yaml").read_text(encoding="utf-8"))
    config = {key: smoke[key] for key in ("run", "bayes")} | {"testsets": {}}
    config |= {key: value for key, value in changes.items() if key != "bayes"}
    config["bayes"] = changes.get("bayes", {}) or config["bayes"]
    path = workflow.folder / "own.yaml"
    path.write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
    return str(path)


def test_a_run_leaves_every_table_figures_and_a_page(finished):
    folder = finished.folder / "results/smoke/bayes"
    for name, stem in TABLES.items():
        table = pq.read_table(folder / f"{stem}.parquet")
        assert table.schema.names == SCHEMAS[name].names
        assert table.schema.types == SCHEMAS[name].types
    assert pq.read_table(folder / "folds.parquet").num_rows == 12
    assert pq.read_table(folder / "tests.parquet").num_rows == 3
    assert {path.suffix for path in (folder / "figures").iterdir()} == {".svg", ".pdf", ".png"}
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "IOBES" in page
    assert "\nseed: 0\n" in page
    for place in ("http://www.w3.org", "http://purl.org", "http://creativecommons.org"):
        page = page.replace(place, "")
    assert "http" not in page


def test_every_sentence_is_validated_in_each_repetition(finished):
    rows = pq.read_table(finished.folder / "results/smoke/bayes/folds.parquet").to_pylist()
    corpus = (finished.folder / "results/smoke/bayes/simulated/corpus.conll").read_text()
    for model in ("IOB2", "IOBES"):
        for rep in (1, 2, 3):
            gold = sum(r["gold"] for r in rows if (r["model"], r["rep"]) == (model, rep))
            assert gold == corpus.count("\tB-")


def test_the_report_has_a_section_and_a_link(finished):
    page = (finished.folder / "results/smoke/report.html").read_text(encoding="utf-8")
    assert 'href="#bayes"' in page
    assert 'href="bayes/report.html"' in page
    assert "bayes/figures/corpus" in page


def test_batches_give_the_same_counts_and_a_lost_one_is_redone(finished, workflow):
    config = own_config(workflow, batches={"folds_per_job": 3})
    done = workflow.run(FOLDS, config=config)
    assert done.returncode == 0, done.stdout + done.stderr
    expected = (finished.folder / FOLDS).read_bytes()
    assert (workflow.folder / FOLDS).read_bytes() == expected
    runs = sorted((workflow.folder / "results/smoke/bayes/runs").rglob("*.parquet"))
    assert len(runs) == 4
    runs[1].unlink()
    (workflow.folder / FOLDS).unlink()
    planned = workflow.run(FOLDS, "--dry-run", config=config)
    assert "Training and validating IOB2, folds 2-of-2" in planned.stdout + planned.stderr
    assert (planned.stdout + planned.stderr).count("Training and validating") == 1
    done = workflow.run(FOLDS, config=config)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (workflow.folder / FOLDS).read_bytes() == expected


PROGRAM = """
import sys
for line in open(sys.argv[1]):
    columns = line.split()
    print("" if not columns else "B-LOC" if columns[1] == "NNP" else "O")
"""


def test_the_models_may_be_programs_and_the_corpus_the_users(finished, workflow):
    corpus = finished.folder / "results/smoke/bayes/simulated/corpus.conll"
    (workflow.folder / "my-corpus.conll").write_bytes(corpus.read_bytes())
    (workflow.folder / "mine.py").write_text(PROGRAM, encoding="utf-8")
    models = {
        "CRF": {"tags": "bmes"},
        "mine": {"command": [f"{sys.executable} mine.py {{validate}}"]},
    }
    settings = {"corpus": "{data_root}/my-corpus.conll", "models": models, "types": ["LOC"]}
    config = own_config(workflow, data_root=".", bayes=settings)
    done = workflow.run(config=config)
    assert done.returncode == 0, done.stdout + done.stderr
    folder = workflow.folder / "results/smoke/bayes"
    assert f"The report is ready: {folder.relative_to(workflow.folder)}/report.html" in (
        done.stdout + done.stderr
    )
    assert not (workflow.folder / "results/smoke/report.html").exists()
    rows = pq.read_table(folder / "tests.parquet").to_pylist()
    assert {(row["model_a"], row["model_b"]) for row in rows} == {("CRF", "mine")}
    assert {row["decision"] for row in rows if row["measure"] == "precision"} == {"H0"}
    inputs = (folder / "inputs.json").read_text()
    assert "my-corpus.conll" in inputs
    assert '"mine.py"' in inputs
    with (workflow.folder / "mine.py").open("a", encoding="utf-8") as program:
        program.write("# edited\n")
    planned = workflow.run("--dry-run", config=config)
    assert "Training and validating mine" in planned.stdout + planned.stderr
    assert "Training and validating CRF" not in planned.stdout + planned.stderr


def failed(workflow, config, *arguments):
    done = workflow.run(*arguments, config=config)
    text = done.stdout + done.stderr
    assert done.returncode != 0
    assert not (workflow.folder / FOLDS).exists()
    return text


def test_a_broken_corpus_or_program_is_named(workflow):
    corpus = workflow.folder / "corpus.conll"
    corpus.write_text("a\tO\n\nb\tPERSON\n", encoding="utf-8")
    config = own_config(workflow, bayes={"corpus": str(corpus)})
    text = failed(workflow, config, FOLDS)
    assert f"sigcore: error: {corpus}:3: 'PERSON' is not a tag of iob2." in text
    assert "Traceback" not in text
    corpus.write_text("a\tB\nb\tO\n\n" * 8, encoding="utf-8")
    models = {name: {"command": ["false {validate}"]} for name in ("one", "two")}
    config = own_config(workflow, bayes={"corpus": str(corpus), "models": models})
    text = failed(workflow, config, FOLDS)
    assert "model one, rep1-fold1: 'false {validate}' ended with exit code 1." in text
    models = {"one": {"command": ["cat {validate}"]}, "two": {"tags": "iob2"}}
    config = own_config(workflow, bayes={"corpus": str(corpus), "models": models})
    text = failed(workflow, config, FOLDS)
    kept = "logs/smoke/train_fold/one/rep1-fold1.output"
    assert f"{kept}:1: 'a' is not a tag of iob2 (model one, rep1-fold1)." in text
    assert (workflow.folder / kept).read_text().startswith("a\nb\n\n")
    models["one"]["command"] = ["cat {train}"]
    config = own_config(workflow, bayes={"corpus": str(corpus), "models": models})
    text = failed(workflow, config, FOLDS)
    assert ": `bayes.models.one.command`: `commands` of the model one must have {validate}" in text
    assert "Training" not in text


def test_what_the_configuration_names_must_be_there(workflow):
    config = own_config(workflow, bayes={"corpus": "nowhere.conll"})
    assert "nowhere.conll: no such file, named by `bayes.corpus`" in failed(workflow, config)
    config = own_config(workflow, bayes={"typed": False})
    assert "`bayes` must have `corpus` or `folds`" in failed(workflow, config)
    config = own_config(workflow)
    text = failed(workflow, config, "--", "paper_bayes")
    assert "the target `paper_bayes` needs the keys `bayes.folds` and `bayes.paper: true`" in text


@pytest.mark.real_data
def test_the_tables_and_figures_of_the_paper_come_out(workflow, public_data):
    config = yaml.safe_load((ROOT / "config/paper_bayes.yaml").read_text(encoding="utf-8"))
    config |= {"data_root": str(public_data / "bayes3x2cv")}
    config["bayes"]["coverage_corpora"] = 400
    path = workflow.folder / "own.yaml"
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    done = workflow.run("--", "paper_bayes", config=str(path))
    assert done.returncode == 0, done.stdout + done.stderr
    folder = workflow.folder / "results/paper_bayes/bayes"
    intervals = pq.read_table(folder / "paper/table2.parquet").to_pylist()
    assert [row["agrees"] for row in intervals].count(False) == 2
    for number, odd in ((3, 2), (4, 0), (5, 0)):
        rows = pq.read_table(folder / f"paper/table{number}.parquet").to_pylist()
        assert [row["agrees"] for row in rows].count(False) == odd
        assert [row["decision"] for row in rows] == [row["printed_decision"] for row in rows]
        for ending in ("csv", "tex", "md"):
            assert (folder / f"paper/table{number}.{ending}").is_file()
    first, older = pq.read_table(folder / "coverage.parquet").to_pylist()[:2]
    assert abs(first["coverage"] - 0.945) <= 4 * first["standard_error"]
    assert first["length"] == pytest.approx(0.0854, abs=0.001)
    assert older["length"] == pytest.approx(0.127, abs=0.001)
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "Figure 1" in page
    assert "95.12 (95.118)" in page
    assert page.count("<svg") == 3
