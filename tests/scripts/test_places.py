"""Messages on the configuration name file and line."""

import pytest

from scripts._places import name_place

TEXT = """\
run: own
testsets:
  wmt22.v2: [en-de,
             zh-en]
my_metrics:
  - one
  - {}
selection:
  outliers: 3
"""


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("unknown key `selection`; known: ...", 8),
        ("`selection.outliers` must be of type boolean", 9),
        ("`selection.segments` must be one of", 8),
        ("`testsets.wmt22.v2` names the unknown language pair", 3),
        ("`my_metrics.1` must be of type string", 7),
    ],
)
def test_the_line_of_a_key_is_found(tmp_path, message, line):
    path = tmp_path / "own.yaml"
    path.write_text(TEXT)
    assert name_place(f"configuration: {message}", [path]) == f"{path}:{line}: {message}"


def test_keys_of_the_command_line_and_other_messages_have_no_place(tmp_path):
    path = tmp_path / "own.yaml"
    path.write_text(TEXT)
    for message in ("configuration: unknown key `sede`; known: seed", "a.txt:3: no number", ""):
        assert name_place(message, [path]) == message


def test_a_missing_key_has_a_file(tmp_path):
    path = tmp_path / "own.yaml"
    path.write_text(TEXT)
    message = "the key `data_root` is missing."
    assert name_place(f"configuration: {message}", [path]) == f"{path}: {message}"
