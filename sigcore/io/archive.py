"""Unpack test sets from the mt-metrics-eval archive, safely and one whole test set at a time."""

import contextlib
import gzip
import shutil
import tarfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from sigcore.errors import DataFileError, InputError
from sigcore.io.directories import replace_directory, staging_directory
from sigcore.io.download import Progress

__all__ = ["Extracted", "extract_testsets"]

_ARCHIVE_ROOT = "mt-metrics-eval-v2"
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Extracted:
    """A test set unpacked by `extract_testsets`.

    Attributes
    ----------
    testset : str
        Its name.
    path : Path
        Its directory.
    n_files : int
        Number of files written.
    skipped : tuple of str
        Members left out because they are links or devices.
    """

    testset: str
    path: Path
    n_files: int
    skipped: tuple[str, ...]


def extract_testsets(
    archive: str | Path,
    testsets: Sequence[str],
    target: str | Path,
    *,
    force: bool = False,
    progress: Progress | None = None,
) -> list[Extracted]:
    """Unpack the test sets asked for, and nothing else, into ``<target>/<testset>``.

    Parameters
    ----------
    archive : str or Path
        The mt-metrics-eval archive, a tar file compressed by gzip.
    testsets : sequence of str
        Names of test sets, for example ``["wmt22", "wmt23"]``.
    target : str or Path
        Directory that receives them; nothing is written outside it.
    force : bool
        Replace a test set that is there already; without it that is an error.
    progress : callable, optional
        Called with the number of bytes of the archive that were read and its size.

    Returns
    -------
    list of Extracted
        One for each test set, in the order asked for.

    Raises
    ------
    DataFileError
        If the archive is damaged or has a member with an absolute path or ``..`` in it.
    InputError
        If a test set is not in the archive (the message lists those that are), or is already in
        `target`.

    Notes
    -----
    Links and devices are never created; they are listed in the result. A test set appears in
    `target` when all of it, and the end of the archive with its checksum, has been read.
    """
    names = list(dict.fromkeys(testsets))
    root = Path(target)
    _check_targets(names, root, force)
    with staging_directory(root) as staging:
        tally = _unpack(Path(archive), names, staging, progress)
        for name in names:
            replace_directory(staging / name, root / name)
    return [
        Extracted(name, root / name, tally.n_files[name], tuple(tally.skipped[name]))
        for name in names
    ]


def _check_targets(names: Sequence[str], root: Path, force: bool) -> None:
    if not names:
        raise InputError("`testsets` must name at least one test set.")
    for name in names:
        if not name or "/" in name or "\\" in name or name.startswith("."):
            raise InputError(f"`testsets` must be plain names such as 'wmt22'; got {name!r}.")
        if not force and (root / name).exists():
            raise InputError(f"{root / name} exists already; nothing was unpacked.")


class _Tally:
    """What was met in the archive, and what became of it."""

    def __init__(self, names: Sequence[str]) -> None:
        self.present: dict[str, None] = {}
        self.n_files = dict.fromkeys(names, 0)
        self.skipped: dict[str, list[str]] = {name: [] for name in names}


def _unpack(
    archive: Path, names: Sequence[str], staging: Path, progress: Progress | None
) -> _Tally:
    """Write the files of the test sets asked for below `staging`."""
    tally = _Tally(names)
    size = archive.stat().st_size
    with _damage_named(archive), archive.open("rb") as stream, gzip.open(stream) as unzipped:
        with tarfile.open(fileobj=unzipped, mode="r|", bufsize=_CHUNK) as tar:
            for member in tar:
                if progress:
                    progress(stream.tell(), size)
                _take(tar, member, _safe_parts(archive, member.name), staging, tally)
        # gzip compares its checksum at the very end, which lies behind the last member.
        while unzipped.read(_CHUNK):
            pass
    if progress:
        progress(size, size)
    missing = [name for name in names if not tally.n_files[name]]
    if missing:
        raise InputError(
            f"{archive} has no test set {', '.join(missing)}; it has "
            f"{', '.join(sorted(tally.present)) or 'none'}."
        )
    return tally


@contextlib.contextmanager
def _damage_named(archive: Path) -> Iterator[None]:
    try:
        yield
    except (tarfile.TarError, gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise DataFileError(archive, f"the archive is damaged or cut short ({error}).") from error


def _safe_parts(archive: Path, name: str) -> tuple[str, ...]:
    """Split a member's path; refuse the archive if it points outside of itself."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name:
        raise DataFileError(archive, f"unsafe path {name!r} in the archive; nothing was unpacked.")
    return path.parts


def _take(
    tar: tarfile.TarFile,
    member: tarfile.TarInfo,
    parts: tuple[str, ...],
    staging: Path,
    tally: _Tally,
) -> None:
    """Write the member if it is a file of a test set that was asked for."""
    if len(parts) < 3 or parts[0] != _ARCHIVE_ROOT or member.isdir():
        return
    name = parts[1]
    tally.present[name] = None
    if name not in tally.n_files:
        return
    content = tar.extractfile(member) if member.isreg() else None
    if content is None:
        tally.skipped[name].append("/".join(parts))
        return
    path = staging.joinpath(*parts[1:])
    path.parent.mkdir(parents=True, exist_ok=True)
    with content, path.open("wb") as stream:
        shutil.copyfileobj(content, stream, _CHUNK)
    tally.n_files[name] += 1
