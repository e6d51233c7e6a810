"""Folders and files that a run cannot read are refused at the start, by name."""

from pathlib import Path

import pytest

from scripts._config import check_config
from scripts._inputs import EvaluationInputs
from scripts._names import plain_name
from sigcore.errors import InputError

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("name", "found"),
    [("My {curly}", "{ }"), ("A<angle>B", "< >"), ("half{", "{"), ("{a}<b>", "{ } < >")],
)
def test_names_with_braces_are_refused(name, found):
    with pytest.raises(InputError) as caught:
        plain_name(f"data/{name}.seg.score")
    assert str(caught.value).startswith(
        f"data/{name}.seg.score: a file name must not have {found},"
    )


def small_set(missing):
    """Write a set with a metric, and one of the user, and a configuration that reads both."""
    write(
        "data/set/sigcore.yaml",
        "testset: set\nlanguage_pairs: {en-de: {gold: mqm, reference: refA}}\n",
    )
    write("data/set/human-scores/en-de.mqm.seg.score")
    write("data/set/metric-scores/en-de/Plain-src.seg.score")
    write("mine/en-de/Odd é *?[1] (v2.1) $x$-src.seg.score")
    config = {
        "run": "own",
        "data_root": "data",
        "testsets": {"set": ["en-de"]},
        "my_metrics": ["mine/{lp}"],
        "missing_language_pairs": missing,
    }
    check_config(config, ROOT / "workflow/schemas/config.schema.yaml")
    return config


@pytest.mark.parametrize("where", ["data/set/metric-scores/en-de", "mine/en-de"])
@pytest.mark.parametrize("missing", ["error", "skip"])
def test_a_metric_with_braces_is_named_and_never_skipped(tmp_path, monkeypatch, where, missing):
    monkeypatch.chdir(tmp_path)
    config = small_set(missing)
    assert len(EvaluationInputs.from_config(config).files["set", "en-de"].my_metrics) == 1
    write(f"{where}/Mine {{curly}}-src.seg.score")
    with pytest.raises(InputError, match=rf"{where}/Mine {{curly}}-src\.seg\.score: a file name"):
        EvaluationInputs.from_config(config)


@pytest.mark.parametrize("where", ["data/set/metric-scores/en-de", "mine/en-de"])
@pytest.mark.parametrize("missing", ["error", "skip"])
def test_a_link_to_nothing_is_named_and_never_skipped(tmp_path, monkeypatch, where, missing):
    monkeypatch.chdir(tmp_path)
    config = small_set(missing)
    Path(where, "Gone-src.seg.score").symlink_to("nowhere")
    with pytest.raises(
        InputError, match=rf"{where}/Gone-src\.seg\.score: this score file links to"
    ):
        EvaluationInputs.from_config(config)
    Path(where, "Gone-src.seg.score").unlink()
    Path(where, "Gone-src.seg.score").mkdir()
    with pytest.raises(InputError, match="this score file is not a file"):
        EvaluationInputs.from_config(config)


def test_a_folder_of_folders_names_them_and_hidden_files_are_passed_over(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    config = small_set("error") | {"my_metrics": ["mine"]}
    write("mine/.Hidden-src.seg.score")
    with pytest.raises(
        InputError, match=r"mine: no score file, .*; name one of those in it: en-de\."
    ):
        EvaluationInputs.from_config(config)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"data_root": "nowhere", "testsets": {"wmt23": "official"}},
            r"nowhere: no such folder, named by `data_root`\. .*data get wmt23 --to nowhere`",
        ),
        (
            {"testsets": {"wmt32": "official"}},
            "^configuration: `testsets.wmt32` is not known: .*wmt23",
        ),
    ],
)
def test_a_missing_folder_and_an_unknown_test_set_are_named(tmp_path, change, message):
    config = {"run": "own", "data_root": str(tmp_path), "testsets": {}} | change
    config["missing_language_pairs"] = "skip"
    check_config(config, ROOT / "workflow/schemas/config.schema.yaml")
    with pytest.raises(InputError, match=message):
        EvaluationInputs.from_config(config)


def write(name: str, text: str = "a\t1\nb\t2\n") -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_a_simulation_never_takes_the_place_of_real_scores(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("data/wmt23/metric-scores/en-de/BLEU-refA.seg.score")
    config = {
        "run": "own",
        "data_root": "data",
        "testsets": {"wmt23": ["en-de"]},
        "simulate": {"testset": "wmt23"},
    }
    check_config(config, ROOT / "workflow/schemas/config.schema.yaml")
    with pytest.raises(InputError, match=r"BLEU-refA\.seg\.score: was not simulated"):
        EvaluationInputs.from_config(config)
    write("data/wmt23/truth/en-de.json")
    assert EvaluationInputs.from_config(config).files


def test_a_seed_beyond_the_range_of_the_tables_is_refused():
    config = {"run": "own", "data_root": "data", "testsets": {"wmt23": ["en-de"]}, "seed": 2**63}
    with pytest.raises(InputError, match="seed"):
        check_config(config, ROOT / "workflow/schemas/config.schema.yaml")
