"""What `make` does: set up once, pass settings on, clean up."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TARGETS = ("run", "papers", "test", "lint", "bench")


@pytest.fixture
def clone(tmp_path):
    """A folder with what the set-up depends on."""
    for name in ("Makefile", "requirements.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def make(folder, *arguments):
    done = subprocess.run(["make", *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("target", TARGETS)
def test_a_target_sets_up_when_something_is_missing_and_only_then(clone, target):
    commands = make(clone, "--dry-run", target)
    assert commands.count("-m venv .venv") == 1
    assert "--require-hashes -r requirements.lock" in commands
    ready = clone / ".venv/.ready"
    ready.parent.mkdir()
    ready.touch()
    assert "-m venv" not in make(clone, "--dry-run", target)


def test_a_new_lock_is_installed(clone):
    (clone / ".venv").mkdir()
    (clone / ".venv/.ready").touch()
    os.utime(clone / ".venv/.ready", (0, 0))
    assert "-m venv" in make(clone, "--dry-run", "test")


def test_settings_are_passed_on(clone):
    run = make(clone, "--dry-run", "run", "CONFIG=my run.yaml", "DATA=my data", "TARGET=bayes")
    assert '--configfile "my run.yaml" --config "data_root=my data" -- bayes' in run
    bench = make(clone, "--dry-run", "bench", "BENCH=exact_f1 --sizes 30")
    assert "benchmarks.run_all exact_f1 --sizes 30" in bench
    assert '"data_root=my data/mtme"' in make(clone, "--dry-run", "papers", "DATA=my data")


def test_clean_removes_what_is_generated_and_nothing_else(clone):
    for name in (".venv", "results", "logs", ".snakemake", "data"):
        (clone / name).mkdir()
    make(clone, "clean")
    make(clone, "clean")
    left = {path.name for path in clone.iterdir()}
    assert left == {"Makefile", "requirements.lock", "pyproject.toml", "data"}


def test_help_names_every_target(clone):
    listed = [line.split("\t")[0] for line in make(clone, "help").splitlines()]
    assert {*TARGETS, "clean", "lock", "help"} == set(listed)


def test_continuous_integration_runs_tests_and_linters():
    commands = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    assert {"make test", "make lint"} <= set(commands)
