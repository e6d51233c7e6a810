"""What `make run` does before it starts Snakemake.

Says in one line what is wrong with the configuration file or the target where Snakemake would show
a traceback, and clears away what a killed run has left: its lock, and jobs that still run.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import psutil
import yaml

from scripts._locks import jobs_left_over, release_stale_lock
from sigcore.errors import InputError

__all__ = ["main"]

_SNAKEFILE = Path(__file__).resolve().parent.parent / "Snakefile"


def main(arguments: Sequence[str] | None = None) -> int:
    """Check and clear; return 0 if Snakemake can start."""
    parser = argparse.ArgumentParser(prog="make run")
    parser.add_argument("configfile", help="configuration of the run")
    parser.add_argument("targets", nargs="*", help="named targets, or files")
    parser.add_argument("--folder", default=".", help="where the workflow runs")
    args = parser.parse_args(arguments)
    try:
        check_file(Path(args.configfile))
        check_targets(args.targets)
    except InputError as error:
        print(f"sigcore: error: {error}", file=sys.stderr)
        return 1
    wait_for_jobs(jobs_left_over(args.folder))
    if done := release_stale_lock(args.folder):
        print(done, file=sys.stderr)
    return 0


def check_file(path: Path) -> None:
    """Refuse a configuration that cannot be read as YAML keys and values."""
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; CONFIG must name a YAML file.") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: a configuration must be UTF-8 text.") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "it cannot be read"
        raise InputError(f"{path}{line}: this is not YAML: {problem}.") from None
    if not isinstance(content, dict):
        raise InputError(f"{path}:1: a configuration must have keys and values, `key: value`.")


def check_targets(targets: Sequence[str]) -> None:
    """Refuse a target that is neither one of the Snakefile nor a file."""
    known = re.findall(r"^rule (\w+):", _SNAKEFILE.read_text(encoding="utf-8"), re.M)
    for target in targets:
        if target not in known and "/" not in target:
            raise InputError(f"unknown target `{target}`; known: {', '.join(sorted(known))}.")


def wait_for_jobs(jobs: list[psutil.Process]) -> None:
    """Wait until the jobs of a killed run have ended, so that they write no file later on."""
    if jobs:
        numbers = ", ".join(str(job.pid) for job in jobs)
        print(f"Waiting for jobs of a killed run to end (process {numbers}).", file=sys.stderr)
        psutil.wait_procs(jobs)


if __name__ == "__main__":
    sys.exit(main())
