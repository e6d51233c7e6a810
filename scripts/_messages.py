"""The last words of a run: where its report is, or what went wrong."""

from __future__ import annotations

import atexit
import sys
from pathlib import Path

__all__ = ["describe_failures", "describe_success", "say_last"]

_MARK = "ERROR: "


def say_last(text: str) -> None:
    """Print `text` to standard error when this process ends, below all that Snakemake prints."""
    atexit.register(print, text, file=sys.stderr, flush=True)


def describe_success(report: str | Path, since: float) -> str:
    """Say where the report is, or the page of a single target, if this run wrote it."""
    path = Path(report)
    pages = [path, *sorted(path.parent.glob(f"*/{path.name}"))]
    written = [page for page in pages if page.is_file() and page.stat().st_mtime >= since]
    return f"The report is ready: {written[0]}" if written else "Done."


def describe_failures(folder: str | Path, since: float) -> str:
    """Collect the first error of each log that was written in this run.

    Parameters
    ----------
    folder : str or Path
        Where the logs of the run are.
    since : float
        Time at which the run started, in seconds since the epoch; older logs are passed over.

    Returns
    -------
    str
        A line for each failed job, or where to look if no log has an error.
    """
    lines = []
    for log in sorted(Path(folder).rglob("*.log")):
        if log.stat().st_mtime < since:
            continue
        errors = [
            line for line in log.read_text(encoding="utf-8").splitlines() if line.startswith(_MARK)
        ]
        if errors:
            lines.append(f"sigcore: error: {errors[0].removeprefix(_MARK)}  (log: {log})")
    return "\n".join(lines) or (
        f"sigcore: error: the run failed; the logs of its jobs are under {folder}."
    )
