"""Reading system outputs and references."""

import pytest

from sigcore.errors import DataFileError
from sigcore.io.texts import read_texts


@pytest.fixture
def root(tmp_path):
    texts = {
        "system-outputs/en-de/A.txt": "eins\nzwei\ndrei\n",
        "system-outputs/en-de/B (x).txt": "ein\nzwo\ndrei\n",
        "references/en-de.refA.txt": "eins\nzwei\n\n",
        "references/en-de.refB.txt": "1\n2\n3\n",
    }
    for name, content in texts.items():
        path = tmp_path / "wmt" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return tmp_path


def test_texts_come_in_the_order_asked_for(root):
    texts = read_texts(root, "wmt", "en-de", systems=["B (x)", "A"], references=["refA"])
    assert texts.systems == ("B (x)", "A")
    assert texts.outputs == (("ein", "zwo", "drei"), ("eins", "zwei", "drei"))
    assert texts.references == {"refA": ("eins", "zwei", "")}


def test_a_human_system_may_be_a_reference_only(root):
    texts = read_texts(root, "wmt", "en-de", systems=["A", "refB"], references=["refA"])
    assert texts.outputs[1] == ("1", "2", "3")


def test_segments_can_be_taken(root):
    texts = read_texts(root, "wmt", "en-de", systems=["A"], references=["refA", "refB"])
    taken = texts.take([2, 0])
    assert taken.outputs == (("drei", "eins"),)
    assert taken.references == {"refA": ("", "eins"), "refB": ("3", "1")}


def test_a_missing_file_is_named(root):
    with pytest.raises(DataFileError, match=r"C\.txt: there is no such file"):
        read_texts(root, "wmt", "en-de", systems=["C"], references=["refA"])
    with pytest.raises(DataFileError, match=r"en-de\.refZ\.txt: there is no such file"):
        read_texts(root, "wmt", "en-de", systems=["A"], references=["refZ"])


def test_another_number_of_lines_is_refused_with_the_line(root):
    (root / "wmt/system-outputs/en-de/A.txt").write_text("eins\nzwei\n")
    with pytest.raises(DataFileError, match=r"A\.txt:3: expected 3 lines, one a segment; found 2"):
        read_texts(root, "wmt", "en-de", systems=["A"], references=["refA"])
    with pytest.raises(DataFileError, match=r"refA\.txt:4: expected 5 lines"):
        read_texts(root, "wmt", "en-de", systems=["A"], references=["refA"], n_segments=5)
