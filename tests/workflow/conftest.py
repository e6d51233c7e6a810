"""Running the workflow in a folder of its own."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# The make of a test must not take settings from the `make test` that runs it.
for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES"):
    os.environ.pop(name, None)
# A run takes about half a minute; other work on the machine must not let it fail.
TIMEOUT = 1200


@dataclass(frozen=True)
class Workflow:
    """The workflow of this repository, run in `folder`."""

    folder: Path

    def run(
        self, *arguments: str, config: str = "config/smoke.yaml", cores: int = 2, hash_seed: int = 0
    ) -> subprocess.CompletedProcess:
        """Run Snakemake and return what it printed; the caller looks at the exit code."""
        return subprocess.run(
            self.command(*arguments, config=config, cores=cores),
            cwd=self.folder,
            env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
        )

    def command(
        self, *arguments: str, config: str = "config/smoke.yaml", cores: int = 2
    ) -> list[str]:
        """Command line of a run."""
        return [
            *(sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")),
            *("--workflow-profile", str(ROOT / "workflow/profiles/default")),
            *("--configfile", str(ROOT / config), "--cores", str(cores), *arguments),
        ]

    def make(self, *settings: str, config: str = "config/smoke.yaml") -> list[str]:
        """Command line of `make run` in a `checkout`, as a user types it."""
        program = Path(sys.executable).parent
        return [
            *("make", "--old-file", ".venv/.ready", "run"),
            *(f"BIN={program}", f"CONFIG={config}", *settings),
        ]

    def results(self) -> dict[str, bytes]:
        """Every file under results/, by its path."""
        folder = self.folder / "results"
        return {
            str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }


@pytest.fixture
def workflow(tmp_path: Path) -> Workflow:
    """A workflow in an empty folder."""
    return Workflow(tmp_path)


@pytest.fixture
def checkout(workflow: Workflow) -> Workflow:
    """A folder that looks like a clone, for `make run`; what runs is the code of this clone."""
    for name in ("Makefile", "Snakefile", "config", "scripts", "sigcore", "workflow"):
        (workflow.folder / name).symlink_to(ROOT / name)
    return workflow


@pytest.fixture
def copied(finished: Workflow, tmp_path: Path) -> Workflow:
    """A copy of the finished run, to be changed by a test."""
    shutil.copytree(finished.folder, tmp_path, dirs_exist_ok=True)
    return Workflow(tmp_path)


@pytest.fixture(scope="session")
def new_workflow(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Workflow]:
    """Make workflows in new folders, for fixtures that many tests share."""
    return lambda name: Workflow(tmp_path_factory.mktemp(name))


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Workflow:
    """A finished run of the smoke configuration; tests must not change it.

    All processes that run tests share it: the first makes it, the others wait.
    """
    base = tmp_path_factory.getbasetemp()
    common = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    workflow = Workflow(common / "finished")
    with (common / "finished.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not workflow.folder.exists():
            workflow.folder.mkdir()
            done = workflow.run()
            (common / "finished.code").write_text(str(done.returncode))
            assert done.returncode == 0, done.stdout + done.stderr
    assert (common / "finished.code").read_text() == "0", "another process could not make it"
    return workflow
