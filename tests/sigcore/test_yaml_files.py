"""YAML files: what is read, and what is refused with its line."""

from pathlib import Path

import pytest

from sigcore.errors import DataFileError
from sigcore.io.yaml_files import read_yaml


def read(folder: Path, text: str):
    path = folder / "own.yaml"
    path.write_text(text)
    return read_yaml(path)


def test_a_file_is_read_and_its_keys_have_lines(tmp_path: Path) -> None:
    file = read(tmp_path, "a: 1\nb:\n  - c: 2\n  - d: [3]\n")
    assert file.value == {"a": 1, "b": [{"c": 2}, {"d": [3]}]}
    assert str(file.error("wrong.", "b.1.d")) == f"{tmp_path}/own.yaml:4: wrong."
    assert str(file.error("wrong.", "b.1.x")) == f"{tmp_path}/own.yaml:4: wrong."
    assert str(file.error("wrong.")) == f"{tmp_path}/own.yaml: wrong."
    assert read(tmp_path, "").value is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed: 1\nrun: x\nseed: 2\n", ":3: the key `seed` is there already in line 1."),
        ("a:\n  - {b: 1}\n  - b: 1\n    c: 2\n    b: 3\n", ":5: the key `b` is there already"),
        ("a: {b: 1, b: 1}\n", ":1: the key `b` is there already in line 1."),
        ("a: [1\n", ":2: is not valid YAML: expected ',' or ']'"),
        ("a: !!python/name:os.system\n", ":1: is not valid YAML: could not determine"),
        ("a: 1\n---\nb: 2\n", ":2: is not valid YAML: but found another document."),
        ("a: 1\nb: 2020-13-45\n", ":2: is not valid YAML: '2020-13-45' is no timestamp."),
        ("a: 1\nb: [!!int abc]\n", ":2: is not valid YAML: 'abc' is no int."),
        ("2020-13-45: 1\n", ":1: is not valid YAML: '2020-13-45' is no timestamp."),
        ("a: !!int ''\n", ":1: is not valid YAML: '' is no int."),
        ("a: !!float abc\n", ":1: is not valid YAML: 'abc' is no float."),
        ("a: !!bool abc\n", ":1: is not valid YAML: 'abc' is no bool."),
        ("a: !!timestamp abc\n", ":1: is not valid YAML: 'abc' is no timestamp."),
        (f"a: {'1' * 5000}\n", f":1: is not valid YAML: '{'1' * 40}' is no int."),
        ('a: "\\UFFFFFFFF"\n', ":1: is not valid YAML: there is no such character."),
        (f"a: {'[' * 5000}{']' * 5000}\n", "own.yaml: is not valid YAML: nested too deeply."),
        ("a: \x00\n", "own.yaml: is not valid YAML: not text."),
    ],
)
def test_a_faulty_file_is_refused_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DataFileError) as caught:
        read(tmp_path, text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_keys_may_be_repeated_in_other_mappings_and_by_merges(tmp_path: Path) -> None:
    text = "x: &x {a: 1, b: 2}\ny: {<<: *x, b: 3}\nz: [*x, *x]\n1: c\n'1': d\n"
    assert read(tmp_path, text).value["y"] == {"a": 1, "b": 3}
    assert read(tmp_path, "a: &a [*a]\n").value["a"]
