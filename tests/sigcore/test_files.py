"""Atomic writing and JSON."""

import json
from pathlib import Path

import numpy as np
import pytest

from sigcore.io.files import atomic_path, refuse_unwritable, to_json, write_json, write_text


def test_a_file_appears_whole_with_its_directory(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "text.txt"
    with atomic_path(path) as temporary:
        temporary.write_text("half")
        assert not path.exists()
        assert temporary.parent == path.parent
        assert temporary.suffix == ".txt"
    assert path.read_text() == "half"
    assert [item.name for item in path.parent.iterdir()] == ["text.txt"]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("old")

    def fail() -> None:
        with atomic_path(path) as temporary:
            temporary.write_text("new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_writer_left_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    with atomic_path(path) as temporary:
        temporary.write_text("new")
        left = temporary
    left.write_text("half of an earlier run")
    write_text(path, "newer")
    assert path.read_text() == "newer"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_be_written_is_named_as_the_caller_did(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError) as caught:
        write_text(tmp_path, "text")
    assert caught.value.filename == str(tmp_path)
    long = tmp_path / ("x" * 300)
    with pytest.raises(OSError, match="too long") as raised:
        write_text(long, "text")
    assert raised.value.filename == str(long)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    "name", ["/proc/new.txt", "/proc/new/new.txt", "old.txt/new.txt", "folder", f"{'x' * 250}.txt"]
)
def test_what_cannot_be_written_is_known_before(tmp_path: Path, name: str) -> None:
    (tmp_path / "old.txt").touch()
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(OSError, match=r"[a-z]") as caught:
        refuse_unwritable(tmp_path / name)
    assert str(tmp_path / name).startswith(str(caught.value.filename))
    refuse_unwritable(tmp_path / "old.txt")
    refuse_unwritable(tmp_path / "a" / "b" / "new.txt")
    assert sorted(tmp_path.rglob("*")) == before


def test_text_is_written_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    write_text(path, "ä\r\nb")
    assert path.read_bytes() == "ä\r\nb".encode()


def test_json_has_sorted_keys_no_nan_and_a_final_newline(tmp_path: Path) -> None:
    path = tmp_path / "value.json"
    value = {
        "z": np.float64("nan"),
        "a": (1, np.int64(2), np.bool_(True)),
        "m": np.array([[1.5, np.inf]]),
        "p": Path("a") / "b",
        3: None,
        "ü": "ß",
    }
    write_json(path, value)
    text = path.read_text(encoding="utf-8")
    assert text.endswith("}\n")
    assert "NaN" not in text
    assert "Infinity" not in text
    assert "ß" in text
    assert json.loads(text) == {
        "3": None,
        "a": [1, 2, True],
        "m": [[1.5, None]],
        "p": "a/b",
        "z": None,
        "ü": "ß",
    }
    assert list(json.loads(text)) == sorted(json.loads(text))


def test_json_refuses_what_has_no_order() -> None:
    with pytest.raises(TypeError):
        to_json({"names": {"a", "b"}})
