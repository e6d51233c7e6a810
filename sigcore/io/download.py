"""Download the public mt-metrics-eval archive over HTTP, continuing where a connection was cut.

A download goes to ``<archive>.part`` and continues there, in this run or the next. Beside it a
note says which address, and which version of the file there, it is a part of.
"""

import hashlib
import http.client
import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sigcore.errors import DataFileError, InputError

__all__ = [
    "ARCHIVE_NAME",
    "ARCHIVE_URLS",
    "Downloaded",
    "Progress",
    "discard_archive",
    "download_archive",
]

ARCHIVE_NAME = "mt-metrics-eval-v2.tgz"
ARCHIVE_URLS = (
    "https://data.statmt.org/wmt26/mt-metrics-eval-v2.tgz",
    "https://storage.googleapis.com/mt-metrics-eval/mt-metrics-eval-v2.tgz",
)

Progress = Callable[[int, int | None], None]

_CHUNK = 1 << 20
_TIMEOUT = 60.0  # seconds without a byte
_DEAD_ATTEMPTS = 3  # attempts in a row that bring nothing new before an address is given up


@dataclass(frozen=True, slots=True)
class Downloaded:
    """An archive on disk, as returned by `download_archive`.

    Attributes
    ----------
    path : Path
        The archive.
    sha256 : str
        Its checksum, also recorded in ``<path>.sha256`` in the format of ``sha256sum``.
    url : str or None
        Where it came from; None if it was there already.
    bytes : int
        Its size.
    """

    path: Path
    sha256: str
    url: str | None
    bytes: int


def download_archive(
    urls: Sequence[str],
    target: str | Path,
    *,
    resume: bool = True,
    progress: Progress | None = None,
    pause: float = 2.0,
) -> Downloaded:
    """Download the first of `urls` that works to the file `target`.

    Parameters
    ----------
    urls : sequence of str
        HTTP addresses of the same archive, tried in order.
    target : str or Path
        File to write. If it exists it is checked and not downloaded again.
    resume : bool
        Continue an unfinished ``<target>.part`` of the same address.
    progress : callable, optional
        Called with the number of bytes that are there and the number expected (None if unknown).
    pause : float
        Seconds to wait before a cut download is continued.

    Returns
    -------
    Downloaded
        The archive with its checksum. If ``<target>.sha256`` was there before, the checksum agrees
        with it; otherwise that file is written.

    Raises
    ------
    InputError
        If no address works. What has come so far is kept for the next call.
    DataFileError
        If the checksum is not the recorded one.
    """
    path = Path(target)
    _check_urls(urls)
    if path.exists():
        digest = _checked_sha256(path, path)
        return Downloaded(path, digest, None, path.stat().st_size)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = _Part(path.with_name(path.name + ".part"))
    if not resume:
        part.discard()
    url = _download_any(urls, part, progress or _no_progress, pause)
    digest = _checked_sha256(part.path, path)
    size = part.size()
    os.replace(part.path, path)
    part.discard()
    _record(path).write_text(f"{digest}  {path.name}\n", encoding="utf-8")
    return Downloaded(path, digest, url, size)


def discard_archive(archive: str | Path) -> None:
    """Delete an archive that turned out to be damaged, and the checksum recorded for it."""
    path = Path(archive)
    path.unlink(missing_ok=True)
    _record(path).unlink(missing_ok=True)


class _TransferError(Exception):
    """An address did not answer, refused, or stopped half-way."""

    def __init__(self, reason: object, *, final: bool = False) -> None:
        super().__init__(str(reason) or type(reason).__name__)
        self.final = final


class _Part:
    """An unfinished download and, beside it, the note on what it is a part of."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.note = path.with_name(path.name + ".json")

    def size(self) -> int:
        return self.path.stat().st_size if self.path.exists() else 0

    def origin(self) -> dict[str, Any]:
        try:
            origin = json.loads(self.note.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return origin if isinstance(origin, dict) else {}

    def size_from(self, url: str) -> int:
        return self.size() if self.origin().get("url") == url else 0

    def begin(self, url: str, validator: str | None) -> None:
        self.discard()
        self.note.write_text(json.dumps({"url": url, "validator": validator}), encoding="utf-8")

    def discard(self) -> None:
        self.path.unlink(missing_ok=True)
        self.note.unlink(missing_ok=True)


def _check_urls(urls: Sequence[str]) -> None:
    if not urls:
        raise InputError("`urls` must name at least one address.")
    for url in urls:
        if not url.startswith(("http://", "https://")):
            raise InputError(f"`urls` must be http or https addresses; got {url!r}.")


def _no_progress(_done: int, _total: int | None) -> None:
    return


def _checked_sha256(file: Path, archive: Path) -> str:
    """Hash `file`; refuse it if another checksum is recorded for `archive`."""
    with file.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    record = _record(archive)
    if not record.exists():
        return digest
    words = record.read_text(encoding="utf-8").split()
    expected = words[0].lower() if words else "nothing"
    if digest != expected:
        raise DataFileError(
            file,
            f"the checksum is {digest}, but {record.name} records {expected}. Delete {file.name} "
            f"to download again, or {record.name} to accept the file as it is.",
        )
    return digest


def _record(archive: Path) -> Path:
    return archive.with_name(archive.name + ".sha256")


def _download_any(urls: Sequence[str], part: _Part, progress: Progress, pause: float) -> str:
    """Return the address that worked, or tell what each of them answered."""
    started_from = part.origin().get("url")
    faults = []
    # The sort is stable: an address that has brought a part already goes first.
    for url in sorted(urls, key=lambda candidate: candidate != started_from):
        try:
            _download_from(url, part, progress, pause)
            return url
        except _TransferError as error:
            faults.append(f"{url}: {error}")
    kept = part.size()
    again = f" {kept} bytes are kept; run again to continue." if kept else ""
    raise InputError(f"the download failed ({'; '.join(faults)}).{again}")


def _download_from(url: str, part: _Part, progress: Progress, pause: float) -> None:
    """Ask for the rest until the file is whole or nothing more comes."""
    dead, furthest = 0, part.size_from(url)
    while True:
        try:
            _receive(url, part, progress)
            return
        except _TransferError as error:
            size = part.size_from(url)
            dead = 0 if size > furthest else dead + 1
            furthest = max(furthest, size)
            if error.final or dead == _DEAD_ATTEMPTS:
                raise
        time.sleep(pause)


def _receive(url: str, part: _Part, progress: Progress) -> None:
    """Receive what is missing of the part in one request."""
    have = part.size_from(url)
    headers = {"User-Agent": "sigcore", "Accept-Encoding": "identity"}
    if have:
        headers["Range"] = f"bytes={have}-"
        if validator := part.origin().get("validator"):
            # The server sends the rest only if the file is still the same one, else all of it.
            headers["If-Range"] = str(validator)
    response = _open(urllib.request.Request(url, headers=headers))
    with response:
        if response.status == 416:
            _settle_full_part(response, have, part)
        else:
            _store(response, url, part, have, progress)


def _open(request: urllib.request.Request) -> Any:
    """Return the answer; 416 (nothing beyond the part) is an answer, other refusals are not."""
    try:
        return urllib.request.urlopen(request, timeout=_TIMEOUT)
    except urllib.error.HTTPError as error:
        if error.code == 416:
            return error
        error.close()
        # 408 and 429 ask to try again; other 4xx will not change their mind.
        final = 400 <= error.code < 500 and error.code not in (408, 429)
        raise _TransferError(f"HTTP {error.code} {error.reason}", final=final) from error
    except (OSError, http.client.HTTPException) as error:
        raise _TransferError(_reason(error)) from error


def _reason(error: Exception) -> str:
    """Say what went wrong, without the number of the operating system's error."""
    inner = getattr(error, "reason", error)
    return str(getattr(inner, "strerror", None) or inner or type(inner).__name__)


def _settle_full_part(response: Any, have: int, part: _Part) -> None:
    """Accept a part that is as long as the file at the address, or start anew."""
    if response.headers.get("Content-Range") != f"bytes */{have}":
        part.discard()
        raise _TransferError(f"the file there is not as long as the {have} bytes received before")


def _store(response: Any, url: str, part: _Part, have: int, progress: Progress) -> None:
    """Append the body of a partial answer, or write that of a full one, and check its length."""
    if response.status == 206:
        if not (response.headers.get("Content-Range") or "").startswith(f"bytes {have}-"):
            part.discard()
            raise _TransferError("the server sent another range than the one asked for")
    else:
        part.begin(url, _validator(response.headers))
        have = 0
    length = response.headers.get("Content-Length")
    total = have + int(length) if length is not None else None
    progress(have, total)
    with part.path.open("ab") as stream:
        for chunk in _chunks(response):
            stream.write(chunk)
            have += len(chunk)
            progress(have, total)
    if total is not None and have != total:
        raise _TransferError(f"the connection was cut after {have} of {total} bytes")
    if part.size() != have:
        raise InputError(f"{part.path} was written by another process at the same time.")


def _validator(headers: Any) -> str | None:
    """Return what identifies this version of the file; a weak ETag does not (RFC 9110, 13.1.5)."""
    etag = headers.get("ETag")
    if etag and not etag.startswith("W/"):
        return str(etag)
    modified = headers.get("Last-Modified")
    return str(modified) if modified else None


def _chunks(response: Any) -> Iterator[bytes]:
    try:
        while chunk := response.read(_CHUNK):
            yield chunk
    except (OSError, http.client.HTTPException) as error:
        raise _TransferError(_reason(error)) from error
