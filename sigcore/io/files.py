"""Write files whole or not at all: texts, JSON, and whatever writes to a path.

Every writer first writes a temporary file beside the target and then renames it, so that a job
that is killed leaves no half file.
"""

import errno
import json
import math
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import numpy as np

__all__ = [
    "atomic_path",
    "refuse_folder",
    "refuse_unwritable",
    "to_json",
    "write_json",
    "write_text",
]


@contextmanager
def atomic_path(path: str | Path) -> Iterator[Path]:
    """Give a temporary path to write to; on success it becomes `path`, on failure it vanishes.

    Parameters
    ----------
    path : str or Path
        The file to be. Its directory is made if needed.

    Yields
    ------
    Path
        A path in the same directory with the same suffix.

    Notes
    -----
    Two writers of the same path must not run at the same time.
    """
    path = Path(path)
    refuse_folder(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = _temporary(path)
    try:
        yield temporary
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        # The user knows the file by its own name.
        if error.filename is not None and os.fspath(error.filename) == os.fspath(temporary):
            error.filename = str(path)
        raise
    finally:
        temporary.unlink(missing_ok=True)


def refuse_folder(path: str | Path) -> None:
    """Refuse a folder as the name of a file to write."""
    if Path(path).is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))


def refuse_unwritable(path: str | Path) -> None:
    """Refuse the name of a file that could not be written, without leaving anything behind."""
    path = Path(path)
    refuse_folder(path)
    folder = next(parent for parent in path.absolute().parents if os.path.lexists(parent))
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
    try:
        with suppress(FileNotFoundError):
            _temporary(path).lstat()  # a name may be too long
        # Rights do not say it all: nobody can write to a file system of the kernel.
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        error.filename = str(path)
        raise


def _temporary(path: Path) -> Path:
    # The name is fixed, so what a killed job left behind is overwritten by the next one.
    return path.with_name(f".{path.stem}.part{path.suffix}")


def write_text(path: str | Path, text: str) -> None:
    """Write a text as UTF-8, as it is."""
    with atomic_path(path) as temporary:
        temporary.write_bytes(text.encode())


def write_json(path: str | Path, value: Any) -> None:
    """Write a value as JSON: sorted keys, indented, NaN and infinity as null, a final newline."""
    write_text(path, to_json(value, indent=2) + "\n")


def to_json(value: Any, *, indent: int | None = None) -> str:
    """Return a value as JSON with sorted keys; what is not finite becomes null.

    Examples
    --------
    >>> to_json({"p": float("nan"), "n": np.int64(3)})
    '{"n": 3, "p": null}'
    """
    return json.dumps(
        _jsonable(value), indent=indent, sort_keys=True, ensure_ascii=False, allow_nan=False
    )


def _jsonable(value: Any) -> Any:
    """Turn numpy values, tuples and paths into what JSON knows."""
    if isinstance(value, Mapping):
        return {str(key): _jsonable(item) for key, item in value.items()}
    if isinstance(value, (np.ndarray, np.generic)):
        return _jsonable(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_jsonable(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value.as_posix() if isinstance(value, Path) else value
