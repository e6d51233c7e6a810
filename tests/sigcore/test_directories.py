"""Directories that appear whole or not at all."""

import os
from pathlib import Path

import pytest

from sigcore.io.directories import replace_directory, staging_directory


def make(path: Path, text: str) -> Path:
    path.mkdir(parents=True)
    (path / "file").write_text(text)
    return path


def test_staging_directory_is_gone_afterwards_and_a_new_empty_root_too(tmp_path: Path) -> None:
    root = tmp_path / "root"

    def fail_half_way() -> None:
        with staging_directory(root) as staging:
            make(staging / "half", "half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_half_way()
    assert not root.exists()


def test_what_was_moved_out_of_the_staging_directory_stays(tmp_path: Path) -> None:
    root = tmp_path / "root"
    with staging_directory(root) as staging:
        replace_directory(make(staging / "whole", "new"), root / "whole")
    assert [path.name for path in root.iterdir()] == ["whole"]


def test_an_empty_root_that_was_there_stays(tmp_path: Path) -> None:
    with staging_directory(tmp_path):
        assert len(list(tmp_path.iterdir())) == 1
    assert list(tmp_path.iterdir()) == []


def test_old_directory_is_replaced(tmp_path: Path) -> None:
    old, new = make(tmp_path / "old", "old"), make(tmp_path / "staging" / "new", "new")
    replace_directory(new, old)
    assert (old / "file").read_text() == "new"
    assert list((tmp_path / "staging").iterdir()) == []


def test_old_directory_is_put_back_when_the_move_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = make(tmp_path / "old", "old"), make(tmp_path / "staging" / "new", "new")
    rename = os.replace

    def fail_for_the_new_one(source: Path, target: Path) -> None:
        if source == new:
            raise OSError("disk full")
        rename(source, target)

    monkeypatch.setattr("sigcore.io.directories.os.replace", fail_for_the_new_one)
    with pytest.raises(OSError, match="disk full"):
        replace_directory(new, old)
    assert (old / "file").read_text() == "old"
