"""The workflow is clean: linted, formatted, and every rule says what it does."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RULE_FILES = sorted((ROOT / "workflow/rules").glob("*.smk"))
RULES = [
    (path.name, text)
    for path in RULE_FILES
    for text in re.findall(r"^ *rule \w+:\n(?:(?:    .*)?\n)+", path.read_text(), re.M)
]


def test_there_are_rules():
    assert len(RULES) >= 8


@pytest.mark.parametrize(("file", "text"), RULES, ids=lambda value: value.split(":")[0][:40])
def test_every_rule_has_log_benchmark_message_environment_and_resources(file, text):
    for directive in ("log", "benchmark", "message", "conda", "resources", "script", "threads"):
        assert re.search(rf"^ +{directive}:", text, re.M), (file, directive)
    assert "source_digest(" in text


@pytest.mark.parametrize("path", RULE_FILES, ids=lambda path: path.stem)
def test_every_rule_file_says_what_it_reads_and_writes(path):
    docstring = path.read_text().split('"""')[1]
    assert "INPUTS:" in docstring
    assert "OUTPUTS:" in docstring


def test_every_script_belongs_to_a_rule():
    used = {name for _, text in RULES for name in re.findall(r"scripts/(\w+)\.py", text)}
    public = {path.stem for path in (ROOT / "scripts").glob("[!_]*.py")}
    assert public == used


@pytest.mark.workflow
def test_snakemake_lint_has_nothing_to_say():
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--lint"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_rules_are_formatted():
    done = subprocess.run(
        [Path(sys.executable).parent / "snakefmt", "--check", "Snakefile", "workflow"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
