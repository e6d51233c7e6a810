"""Unpacking: only what was asked for, never outside the target, whole or not at all."""

import gzip
import io
import tarfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from sigcore.errors import DataFileError, InputError
from sigcore.io.archive import extract_testsets

ROOT = "mt-metrics-eval-v2"
GOLD = b"A\t-1.0\n" * 2000


def write_archive(
    path: Path, extra: Sequence[tarfile.TarInfo] = (), *, prefix: str = f"{ROOT}/"
) -> Path:
    """Write an archive with two test sets, a file beside them, and members without content."""
    files = {
        "README": b"about",
        "wmt22/human-scores/en-de.mqm.seg.score": GOLD,
        "wmt22/metric-scores/en-de/sim(x).1-refA.seg.score": GOLD,
        "wmt23/human-scores/en-de.mqm.seg.score": GOLD,
    }
    with tarfile.open(path, "w:gz") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(prefix + name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
        for member in extra:
            tar.addfile(member, io.BytesIO(b"x" * member.size))
    return path


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname = kind, link
    made.size = 1 if kind == tarfile.REGTYPE else 0
    return made


def tree(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if not path.is_dir())


def test_only_the_test_set_asked_for_is_unpacked(tmp_path: Path) -> None:
    archive = write_archive(tmp_path / "a.tgz")
    (got,) = extract_testsets(archive, ["wmt22"], tmp_path / "out")
    assert (got.testset, got.path, got.n_files, got.skipped) == (
        "wmt22",
        tmp_path / "out" / "wmt22",
        2,
        (),
    )
    assert tree(tmp_path / "out") == [
        "wmt22/human-scores/en-de.mqm.seg.score",
        "wmt22/metric-scores/en-de/sim(x).1-refA.seg.score",
    ]
    assert (got.path / "human-scores" / "en-de.mqm.seg.score").read_bytes() == GOLD
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["wmt22"]


def test_leading_dot_in_member_names_is_harmless(tmp_path: Path) -> None:
    archive = write_archive(tmp_path / "a.tgz", prefix=f"./{ROOT}/")
    done = extract_testsets(archive, ["wmt23", "wmt22", "wmt23"], tmp_path / "out")
    assert [got.testset for got in done] == ["wmt23", "wmt22"]


def test_progress_ends_at_the_size_of_the_archive(tmp_path: Path) -> None:
    archive = write_archive(tmp_path / "a.tgz")
    seen: list[tuple[int, int | None]] = []
    extract_testsets(archive, ["wmt22"], tmp_path / "out", progress=lambda *step: seen.append(step))
    size = archive.stat().st_size
    assert seen[-1] == (size, size)
    assert seen == sorted(seen)


def test_unknown_test_set_lists_what_the_archive_has(tmp_path: Path) -> None:
    archive = write_archive(tmp_path / "a.tgz")
    with pytest.raises(InputError, match="has no test set wmt99; it has wmt22, wmt23"):
        extract_testsets(archive, ["wmt22", "wmt99"], tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "name",
    [
        "../evil",
        "/evil",
        f"{ROOT}/wmt22/../../../evil",
        f"{ROOT}/wmt22/..",
        f"{ROOT}\\wmt22\\..\\evil",
    ],
)
def test_member_that_points_outside_is_refused(tmp_path: Path, name: str) -> None:
    archive = write_archive(tmp_path / "a.tgz", [member(name)])
    with pytest.raises(DataFileError, match="unsafe path"):
        extract_testsets(archive, ["wmt22"], tmp_path / "deep" / "out")
    assert tree(tmp_path) == ["a.tgz"]


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE]
)
def test_links_and_devices_are_never_created(tmp_path: Path, kind: bytes) -> None:
    secret = tmp_path / "secret"
    secret.write_text("untouched")
    link = member(f"{ROOT}/wmt22/link", kind, str(secret))
    through = member(f"{ROOT}/wmt22/link2", kind, ".")
    archive = write_archive(tmp_path / "a.tgz", [link, through])
    (got,) = extract_testsets(archive, ["wmt22"], tmp_path / "out")
    assert got.skipped == (f"{ROOT}/wmt22/link", f"{ROOT}/wmt22/link2")
    assert len(tree(tmp_path / "out")) == 2
    assert secret.read_text() == "untouched"


def test_file_below_a_link_lands_in_a_real_directory(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    link = member(f"{ROOT}/wmt22/link", tarfile.SYMTYPE, str(outside))
    archive = write_archive(tmp_path / "a.tgz", [link, member(f"{ROOT}/wmt22/link/file")])
    extract_testsets(archive, ["wmt22"], tmp_path / "out")
    assert list(outside.iterdir()) == []
    assert (tmp_path / "out" / "wmt22" / "link" / "file").read_bytes() == b"x"


def test_damaged_archive_is_named_and_leaves_nothing(tmp_path: Path) -> None:
    whole = write_archive(tmp_path / "a.tgz").read_bytes()
    damages = {
        "empty": b"",
        "text": b"<html>not found</html>" * 100,
        "cut": whole[: len(whole) // 2],
        "no trailer": whole[:-4],
        "checksum": whole[:-8] + bytes(4) + whole[-4:],
        "not a tar": gzip.compress(b"plain text " * 1000),
    }
    for name, content in damages.items():
        archive = tmp_path / f"{name}.tgz"
        archive.write_bytes(content)
        with pytest.raises(DataFileError, match="is damaged or cut short"):
            extract_testsets(archive, ["wmt22"], tmp_path / "out")
        assert not (tmp_path / "out").exists()


def test_test_set_that_is_there_is_replaced_only_by_force(tmp_path: Path) -> None:
    archive = write_archive(tmp_path / "a.tgz")
    old = tmp_path / "out" / "wmt22" / "mine.txt"
    old.parent.mkdir(parents=True)
    old.write_text("keep me")
    with pytest.raises(InputError, match="wmt22 exists already"):
        extract_testsets(archive, ["wmt23", "wmt22"], tmp_path / "out")
    assert tree(tmp_path / "out") == ["wmt22/mine.txt"]
    extract_testsets(archive, ["wmt22"], tmp_path / "out", force=True)
    assert not old.exists()
    assert len(tree(tmp_path / "out")) == 2


def test_forced_replacement_by_a_damaged_archive_keeps_the_old_one(tmp_path: Path) -> None:
    archive = write_archive(tmp_path / "a.tgz")
    archive.write_bytes(archive.read_bytes()[:-8])
    old = tmp_path / "out" / "wmt22" / "mine.txt"
    old.parent.mkdir(parents=True)
    old.write_text("keep me")
    with pytest.raises(DataFileError):
        extract_testsets(archive, ["wmt22"], tmp_path / "out", force=True)
    assert tree(tmp_path / "out") == ["wmt22/mine.txt"]


@pytest.mark.parametrize("names", [[], [""], ["../x"], ["a/b"], [".hidden"]])
def test_names_must_be_plain(tmp_path: Path, names: list[str]) -> None:
    archive = write_archive(tmp_path / "a.tgz")
    with pytest.raises(InputError, match="`testsets` must"):
        extract_testsets(archive, names, tmp_path / "out")
    assert not (tmp_path / "out").exists()
