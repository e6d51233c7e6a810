"""The lock that a killed Snakemake leaves behind.

Snakemake locks the files of a run by notes in ``.snakemake/locks`` and takes them away when it
ends. Killed outright it cannot, and says on the next run that another one is under way. Here is
found out whether that is so.
"""

from __future__ import annotations

import platform
import shutil
from collections.abc import Iterator
from pathlib import Path

import psutil

__all__ = ["jobs_left_over", "note_host", "release_stale_lock"]

_LOCKS = Path(".snakemake/locks")
_SCRIPTS = ".snakemake/scripts/"


def note_host(folder: str | Path = ".") -> None:
    """Write down, beside the locks of a run that has begun, which machine it runs on."""
    locks = Path(folder) / _LOCKS
    if locks.is_dir():
        (locks / f"{platform.node()}.host").touch()


def release_stale_lock(folder: str | Path = ".") -> str | None:
    """Remove the locks of a folder if the Snakemake that set them is gone.

    Parameters
    ----------
    folder : str or Path
        The folder that the workflow runs in.

    Returns
    -------
    str or None
        What was done, for the user; None if there was nothing to do. Locks that may be held, by a
        process of this machine or on another one, are left alone.
    """
    locks = Path(folder) / _LOCKS
    if not locks.is_dir() or not any(locks.glob("*.lock")):
        return None
    hosts = {path.stem for path in locks.glob("*.host")}
    if hosts - {platform.node()} or any(_running_in(Path(folder))):
        return None
    shutil.rmtree(locks)
    return "The last run was killed; its lock is removed and the run continues."


def jobs_left_over(folder: str | Path = ".") -> list[psutil.Process]:
    """Find jobs of `folder` that still run although the Snakemake that started them is gone."""
    root = Path(folder)
    if any(_running_in(root)):
        return []
    return [process for process in _processes_in(root) if _mentions(process, _SCRIPTS)]


def _running_in(folder: Path) -> Iterator[psutil.Process]:
    """Find the Snakemakes that run in a folder, by program name or as ``-m snakemake``."""
    for process in _processes_in(folder):
        names = {Path(word).name for word in _words(process)}
        if "snakemake" in names:
            yield process


def _processes_in(folder: Path) -> Iterator[psutil.Process]:
    here = folder.resolve()
    for process in psutil.process_iter():
        try:
            if Path(process.cwd()) == here:
                yield process
        except (psutil.Error, OSError):
            # Gone meanwhile, or of another user.
            continue


def _words(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except (psutil.Error, OSError):
        return []


def _mentions(process: psutil.Process, text: str) -> bool:
    return any(text in word for word in _words(process))
