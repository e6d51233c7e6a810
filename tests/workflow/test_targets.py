"""Every target asks for all the files it promises, and makes again what is missing."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "workflow/rules"


@pytest.mark.workflow
def test_the_default_target_asks_for_every_file_that_a_run_leaves(finished, workflow):
    planned = workflow.run("--dry-run", "--quiet", "host")
    asked = {
        path
        for paths in re.findall(r"Missing output files: ([^;\n]+)", planned.stdout + planned.stderr)
        for path in paths.split(", ")
    }
    left = {f"results/{name}" for name in finished.results()}
    # The predictions of a batch of folds are asked for as a folder.
    folders = tuple(f"{path}/" for path in asked if "/predictions/" in path)
    assert left - asked == {path for path in left if path.startswith(folders)}
    assert len(folders) == 2


@pytest.mark.workflow
def test_what_is_missing_is_made_again(finished, copied):
    folder = copied.folder / "results/smoke"
    for name in ("provenance.json", "simulated/en-de/ranking.csv", "parsing/figures/parsers.pdf"):
        (folder / name).unlink()
    done = copied.run()
    assert done.returncode == 0, done.stdout + done.stderr
    assert copied.results() == finished.results()


def test_every_rule_belongs_to_a_target():
    made = {
        name
        for path in RULES.glob("*.smk")
        for name in re.findall(r"^ *rule (\w+):", path.read_text(encoding="utf-8"), re.M)
    }
    # Asked for by input functions: the batches of these rules differ between language pairs, or
    # some language pairs have none.
    in_batches = {"compute_pvalues", "compare_metrics", "compare_systems", "compare_tasks"}
    in_batches |= {"collect_system_scores", "score_yardsticks"}
    named = set(re.findall(r"\w+", (RULES / "targets.smk").read_text(encoding="utf-8")))
    assert made - in_batches - named == set()


@pytest.mark.workflow
@pytest.mark.parametrize("target", ["bayes", "paper_bayes"])
def test_a_target_says_which_key_it_needs(workflow, tmp_path, target):
    config = tmp_path / "own.yaml"
    config.write_text("run: own\ndata_root: data\ntestsets: {}\n")
    done = workflow.run("--dry-run", "--", target, config=str(config))
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(f"sigcore: error: the target `{target}` needs")
    assert "Traceback" not in done.stdout + done.stderr
