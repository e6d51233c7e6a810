"""The download against an HTTP server on loopback, with the faults that real servers show."""

import hashlib
import http.server
import random
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sigcore.errors import DataFileError, InputError
from sigcore.io.download import download_archive

CONTENT = random.Random(7).randbytes(300_000)
SHA256 = hashlib.sha256(CONTENT).hexdigest()


class Server(http.server.ThreadingHTTPServer):
    """Serves `content` at /archive.tgz; the attributes say how it misbehaves."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.content = CONTENT
        self.etag: str | None = '"v1"'
        self.cuts: list[int] = []  # bytes after which the next connections are cut
        self.ranges = True
        self.wrong_range = False
        self.statuses: list[int] = []  # statuses of the next answers
        self.requests: list[str | None] = []  # the Range header of each request

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/archive.tgz"


class Handler(http.server.BaseHTTPRequestHandler):
    server: Server

    def log_message(self, *_: object) -> None:
        return

    def do_GET(self) -> None:
        server, asked = self.server, self.headers["Range"]
        server.requests.append(asked)
        if self.path != "/archive.tgz" or server.statuses:
            self.send_error(server.statuses.pop(0) if server.statuses else 404)
            return
        start = 0
        same = self.headers["If-Range"] in (None, server.etag)
        if asked and server.ranges and same:
            start = int(re.fullmatch(r"bytes=(\d+)-", asked).group(1))
        if start >= len(server.content):
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(server.content)}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.send_body(start)

    def send_body(self, start: int) -> None:
        server = self.server
        body = server.content[start:]
        self.send_response(206 if start else 200)
        if start:
            said = 0 if server.wrong_range else start
            end, total = len(server.content) - 1, len(server.content)
            self.send_header("Content-Range", f"bytes {said}-{end}/{total}")
        if server.etag:
            self.send_header("ETag", server.etag)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: server.cuts.pop(0)] if server.cuts else body)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "*")
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "data" / "archive.tgz"


def names(target: Path) -> list[str]:
    return sorted(path.name for path in target.parent.iterdir())


def test_whole_file_comes_with_its_checksum_recorded(server: Server, target: Path) -> None:
    seen: list[tuple[int, int | None]] = []
    got = download_archive([server.url], target, progress=lambda *step: seen.append(step))
    assert target.read_bytes() == CONTENT
    assert (got.path, got.sha256, got.url, got.bytes) == (target, SHA256, server.url, len(CONTENT))
    # The format of sha256sum, so that `sha256sum -c` works.
    assert (target.parent / "archive.tgz.sha256").read_text() == f"{SHA256}  archive.tgz\n"
    assert names(target) == ["archive.tgz", "archive.tgz.sha256"]
    assert seen[0] == (0, len(CONTENT))
    assert seen[-1] == (len(CONTENT), len(CONTENT))


def test_cut_connection_is_continued_where_it_stopped(server: Server, target: Path) -> None:
    server.cuts = [100_000, 50_000]
    download_archive([server.url], target, pause=0)
    assert target.read_bytes() == CONTENT
    assert server.requests == [None, "bytes=100000-", "bytes=150000-"]


def test_next_run_continues_what_the_last_one_left(server: Server, target: Path) -> None:
    server.cuts = [100_000, 0, 0, 0]
    with pytest.raises(InputError, match="100000 bytes are kept; run again to continue"):
        download_archive([server.url], target, pause=0)
    assert names(target) == ["archive.tgz.part", "archive.tgz.part.json"]
    server.requests.clear()
    download_archive([server.url], target, pause=0)
    assert target.read_bytes() == CONTENT
    assert server.requests == ["bytes=100000-"]


def test_without_resume_the_part_is_thrown_away(server: Server, target: Path) -> None:
    server.cuts = [100_000, 0, 0, 0]
    with pytest.raises(InputError):
        download_archive([server.url], target, pause=0)
    server.requests.clear()
    download_archive([server.url], target, resume=False, pause=0)
    assert server.requests == [None]
    assert target.read_bytes() == CONTENT


def test_server_without_ranges_starts_anew(server: Server, target: Path) -> None:
    server.ranges = False
    server.cuts = [100_000]
    download_archive([server.url], target, pause=0)
    assert target.read_bytes() == CONTENT


def test_server_that_always_cuts_at_the_same_place_is_given_up(
    server: Server, target: Path
) -> None:
    server.ranges = False
    server.cuts = [1000] * 50
    with pytest.raises(InputError, match="cut after 1000 of 300000 bytes"):
        download_archive([server.url], target, pause=0)
    assert len(server.requests) == 4  # one that brought bytes, three that brought nothing new


def test_file_that_changed_meanwhile_is_not_mixed_with_the_old_one(
    server: Server, target: Path
) -> None:
    server.cuts = [100_000, 0, 0, 0]
    with pytest.raises(InputError):
        download_archive([server.url], target, pause=0)
    server.content, server.etag = CONTENT[::-1], '"v2"'
    download_archive([server.url], target, pause=0)
    assert target.read_bytes() == CONTENT[::-1]


def test_answer_with_another_range_is_refused(server: Server, target: Path) -> None:
    server.cuts = [100_000]
    server.wrong_range = True
    download_archive([server.url], target, pause=0)
    assert target.read_bytes() == CONTENT
    assert server.requests == [None, "bytes=100000-", None]


def test_part_longer_than_the_file_is_thrown_away(server: Server, target: Path) -> None:
    server.cuts = [100_000, 0, 0, 0]
    with pytest.raises(InputError):
        download_archive([server.url], target, pause=0)
    server.content = CONTENT[:70_000]
    download_archive([server.url], target, pause=0)
    assert target.read_bytes() == CONTENT[:70_000]


def test_second_address_is_used_when_the_first_fails(server: Server, target: Path) -> None:
    gone = server.url.replace("archive", "gone")
    got = download_archive([gone, server.url], target, pause=0)
    assert got.url == server.url
    assert target.read_bytes() == CONTENT
    assert len(server.requests) == 2  # a 404 is not asked again


def test_part_of_one_address_is_not_continued_at_another(server: Server, target: Path) -> None:
    server.cuts = [100_000, 0, 0, 0]
    with pytest.raises(InputError):
        download_archive([server.url], target, pause=0)
    server.requests.clear()
    other = server.url.replace("127.0.0.1", "localhost")
    server.statuses = [404]
    download_archive([server.url, other], target, pause=0)
    assert server.requests == ["bytes=100000-", None]
    assert target.read_bytes() == CONTENT


def test_busy_server_is_asked_again(server: Server, target: Path) -> None:
    server.statuses = [503, 429]
    download_archive([server.url], target, pause=0)
    assert target.read_bytes() == CONTENT


def test_all_addresses_failing_lists_each_reason(server: Server, target: Path) -> None:
    gone = server.url.replace("archive", "gone")
    # Port 1 of loopback refuses connections.
    reasons = r"gone\.tgz: HTTP 404 .*; http://127\.0\.0\.1:1/archive.tgz: Connection refused\)"
    with pytest.raises(InputError, match=reasons):
        download_archive([gone, "http://127.0.0.1:1/archive.tgz"], target, pause=0)
    assert not target.exists()


def test_checksum_other_than_the_recorded_one_is_refused(server: Server, target: Path) -> None:
    target.parent.mkdir()
    record = target.parent / "archive.tgz.sha256"
    record.write_text(f"{'0' * 64}  archive.tgz\n")
    with pytest.raises(DataFileError, match=f"checksum is {SHA256}, but archive.tgz.sha256"):
        download_archive([server.url], target, pause=0)
    assert not target.exists()
    # The user accepts the new archive: nothing is downloaded twice.
    record.unlink()
    server.requests.clear()
    assert download_archive([server.url], target, pause=0).sha256 == SHA256
    assert server.requests == [f"bytes={len(CONTENT)}-"]


def test_archive_that_is_there_is_checked_and_not_downloaded(server: Server, target: Path) -> None:
    download_archive([server.url], target)
    server.requests.clear()
    got = download_archive([server.url], target)
    assert (got.url, got.sha256) == (None, SHA256)
    assert server.requests == []
    target.write_bytes(CONTENT[:-1])
    with pytest.raises(DataFileError, match=r"Delete archive\.tgz to download again"):
        download_archive([server.url], target)


@pytest.mark.parametrize("urls", [[], ["file:///etc/hostname"], ["ftp://example.org/x"]])
def test_only_http_addresses_are_accepted(urls: list[str], target: Path) -> None:
    with pytest.raises(InputError, match="`urls` must"):
        download_archive(urls, target)
    assert not target.parent.exists()
