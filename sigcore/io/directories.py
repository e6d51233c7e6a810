"""Fill directories whole or not at all: work in a staging directory, then move into place."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

__all__ = ["replace_directory", "staging_directory"]


@contextlib.contextmanager
def staging_directory(root: str | Path) -> Iterator[Path]:
    """Give a temporary directory inside `root`, which is made if needed; remove it at the end.

    If nothing was moved out of it into a new `root`, that is removed too.
    """
    root = Path(root)
    is_new = not root.exists()
    root.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=".staging-", dir=root))
    try:
        yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        if is_new:
            with contextlib.suppress(OSError):  # it has become a directory of use
                root.rmdir()


def replace_directory(new: Path, place: Path) -> None:
    """Move the directory `new` to `place` on the same file system.

    What was there is removed once `new` is in place, and put back if that fails.
    """
    if not place.exists():
        os.replace(new, place)
        return
    aside = new.with_name(new.name + ".replaced")
    os.replace(place, aside)
    try:
        os.replace(new, place)
    except OSError:
        os.replace(aside, place)
        raise
    shutil.rmtree(aside)
