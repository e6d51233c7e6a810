"""Which files of parsers a configuration names."""

from pathlib import Path

import pytest
import yaml

from scripts._config import check_config
from scripts._parsers import list_parsers
from sigcore.errors import InputError
from sigcore.parsing.simulate import EXAMPLE_PARSERS

ROOT = Path(__file__).resolve().parents[2]
EVALB = {"format": "evalb"}


@pytest.fixture
def folder(tmp_path):
    for name in ("b.evalb", "a.evalb", ".hidden"):
        (tmp_path / name).write_text("")
    (tmp_path / "more").mkdir()
    return tmp_path


def test_without_the_key_there_are_none():
    assert list_parsers({}, "here") == []


def test_simulated_files_are_known_before_they_exist():
    found = list_parsers({"files": "simulated", **EVALB}, "here")
    assert found == [f"here/{name}.evalb" for name in EXAMPLE_PARSERS]


def test_a_folder_gives_its_files_in_the_order_of_names(folder):
    expected = [str(folder / name) for name in ("a.evalb", "b.evalb")]
    assert list_parsers({"files": str(folder), **EVALB}, "") == expected
    # Naming a file twice does not make it two parsers.
    twice = [str(folder / "b.evalb"), str(folder)]
    assert list_parsers({"files": twice, **EVALB}, "") == expected[::-1]


def test_the_gold_standard_is_no_parser(folder):
    (folder / "gold.conllu").write_text("")
    settings = {"files": str(folder), "format": "conllu", "gold": str(folder / "gold.conllu")}
    assert [path.split("/")[-1] for path in list_parsers(settings, "")] == ["a.evalb", "b.evalb"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"files": "nowhere", **EVALB}, "nowhere: no such file or folder"),
        ({"files": ["a.evalb"], **EVALB}, "must name two files or more.*found 1"),
        ({"files": "more", **EVALB}, "found 0"),
        ({"files": ".", "format": "table"}, "`parsing.format` 'table' needs `parsing.gold`"),
        ({"files": ".", "format": "table", "gold": "x"}, "x: no such file, named by"),
        ({"files": ".", "format": "evalb", "gold": "x"}, "`parsing.gold` is for span files"),
        ({"files": "simulated", "format": "table", "gold": "x"}, "must be 'evalb' for simulated"),
    ],
)
def test_what_cannot_be_compared_is_refused(folder, monkeypatch, settings, message):
    monkeypatch.chdir(folder)
    with pytest.raises(InputError, match=message):
        list_parsers(settings, "")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "the key `parsing.files` is missing"),
        ({"files": "x", "measure": ["f1"]}, "unknown key `parsing.measure`; did you mean"),
        ({"files": "x", "measures": ["f2"]}, "`parsing.measures.0` must be one of 'f1'"),
        ({"files": "x", "cutoff": "short"}, "`parsing.cutoff` must fit its description, “Longest"),
        (
            {"files": "x", "correction": "holms"},
            "must be one of 'holm', 'bonferroni'",
        ),
    ],
)
def test_a_wrong_key_or_value_is_named(settings, message):
    config = yaml.safe_load((ROOT / "config/smoke.yaml").read_text(encoding="utf-8"))
    with pytest.raises(InputError, match=message):
        check_config(config | {"parsing": settings}, ROOT / "workflow/schemas/config.schema.yaml")
