"""`sigcore evalb` on simulated parsers."""

import argparse
import json

import pytest

from sigcore.cli import evalb
from sigcore.cli._parsing import format_pvalue
from sigcore.comparison.multiplicity import ADJUSTMENTS
from sigcore.errors import InputError
from sigcore.io.evalb_writer import write_evalb
from sigcore.parsing.compare import compare_parsers
from sigcore.parsing.measures import MEASURES
from sigcore.parsing.pairing import NOT_SCORED
from sigcore.parsing.simulate import simulate_parsers


def run(*arguments):
    parser = argparse.ArgumentParser()
    evalb.add_parser(parser.add_subparsers())
    parsed = parser.parse_args(["evalb", *map(str, arguments)])
    return parsed.run(parsed)


@pytest.fixture
def parsers():
    return simulate_parsers(50, recalls=(0.9, 0.85, 0.6), n_not_scored=2)


@pytest.fixture
def files(tmp_path, parsers):
    paths = [tmp_path / f"{scores.name}.evalb" for scores in parsers]
    for path, scores in zip(paths, parsers, strict=True):
        write_evalb(path, scores)
    return paths


def test_choices_are_those_of_the_library():
    assert set(evalb.MEASURES) == set(MEASURES) - {"accuracy"}
    assert evalb.NOT_SCORED == NOT_SCORED
    assert set(evalb.CORRECTIONS) == set(ADJUSTMENTS)


def test_the_table_has_the_figures_of_the_library(files, parsers, capsys):
    assert run(*files[:2]) == 0
    out = capsys.readouterr().out
    result = compare_parsers(*parsers[:2])
    assert "A = parser-1, B = parser-2" in out
    assert f"{result.n_sentences} sentences; 4 without a score for A or B" in out
    for entry in result.measures:
        assert f"{entry.pvalue:.4g}" in out
    assert f"{100 * result['recall'].value_a:.2f}" in out
    assert "p is exact (all swaps of sentences) and one-sided, towards the observed" in out


def test_json_has_everything(files, parsers, capsys):
    run(*files[:2], "--json", "--two-sided", "--cutoff", 30, "--not-scored", "fail")
    output = json.loads(capsys.readouterr().out)
    result = compare_parsers(*parsers[:2], alternative="two-sided", cutoff=30, not_scored="fail")
    assert output["result"]["cutoff"] == 30
    assert [entry["pvalue"] for entry in output["result"]["measures"]] == [
        entry.pvalue for entry in result.measures
    ]
    assert [len(file["not_scored"]) for file in output["files"]] == [2, 2]
    assert output["files"][0]["complete"] is True


def test_shuffling_is_reproducible_and_says_so(files, parsers, capsys):
    outputs = []
    for seed in (3, 3, 4):
        run(*files[:2], "--shuffle", 200, "--seed", seed)
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1] != outputs[2]
    assert "estimated from 200 shuffles of counts with seed 3" in outputs[0]
    run(*files[:2], "--shuffle", "--json")
    assert json.loads(capsys.readouterr().out)["result"]["n_shuffles"] == 10_000


def test_the_original_shuffles_printed_percentages_of_all_sentences(files, capsys):
    run(*files[:2], "--original", "--json")
    result = json.loads(capsys.readouterr().out)["result"]
    assert result["rounded"] is True
    assert result["method"] == "shuffle"
    assert result["n_sentences"] == 50
    assert [entry["measure"] for entry in result["measures"]] == ["recall", "precision"]


def test_more_files_are_compared_in_all_pairs(files, capsys):
    assert run(*files) == 0
    out = capsys.readouterr().out
    assert "| parser-1 | parser-3 |" in out
    assert "p (holm)" in out
    assert "p is exact and two-sided; 3 pairs." in out
    run(*files, "--measure", "recall", "--measure", "crossing", "--json", "--correction", "bh")
    results = json.loads(capsys.readouterr().out)["result"]
    assert [result["measure"] for result in results] == ["recall", "crossing"]
    assert results[0]["correction"] == "bh"


def test_uncorrected_pvalues_are_printed_once(files, capsys):
    run(*files, "--correction", "none")
    out = capsys.readouterr().out
    (heads,) = [line for line in out.splitlines() if line.startswith("| A ")]
    assert heads.replace("|", " ").split() == ["A", "B", "A", "-", "B", "p"]
    assert "p is exact and two-sided; 3 pairs, not corrected for their number." in out


def test_the_best_parser_comes_first(files, capsys):
    run(*files, "--measure", "crossing")
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| parser-")]
    assert rows[0].startswith("| parser-1")
    assert rows[2].startswith("| parser-3")


def test_remarks_go_to_standard_error(files, capsys):
    text = files[0].read_text()
    files[0].write_text(text[: text.index("=== Summary")])
    run(*files[:2])
    captured = capsys.readouterr()
    assert "parser-1.evalb:53: no summary after sentence 50; the file may be cut" in captured.err
    assert "no summary" not in captured.out


def test_a_flood_of_remarks_is_cut(files, capsys):
    text = files[0].read_text()
    files[0].write_text("".join(f"noise {i}\n" for i in range(8)) + text)
    run(*files[:2])
    assert "3 further remarks (--json has all)" in capsys.readouterr().err


def test_files_of_one_name_are_named_with_suffix_or_directory(tmp_path, parsers, capsys):
    for name in ("a.old", "a.new", "x/a.old"):
        write_evalb(tmp_path / name, parsers[0])
    run(tmp_path / "a.old", tmp_path / "a.new")
    assert "A = a.old, B = a.new" in capsys.readouterr().out
    run(tmp_path / "a.old", tmp_path / "x/a.old")
    assert "x/a.old" in capsys.readouterr().out


def test_bad_input_is_refused(files, tmp_path):
    with pytest.raises(InputError, match="two files or more are needed; got 1"):
        run(files[0])
    with pytest.raises(InputError, match="`--original` compares two files only"):
        run(*files, "--original")
    other = tmp_path / "short.evalb"
    write_evalb(other, simulate_parsers(40)[0])
    with pytest.raises(InputError, match=r"parser-1 .*short|short .*parser-1"):
        run(files[0], other)


def test_verification_can_be_switched_off(files, capsys):
    text = files[0].read_text()
    files[0].write_text(
        text.replace("Number of sentence        =     50", "Number of sentence = 9")
    )
    with pytest.raises(InputError, match="the summary has `Number of sentence` = 9"):
        run(*files[:2])
    assert run(*files[:2], "--no-verify") == 0


def test_tiny_pvalues_are_printed_from_their_logarithm():
    assert format_pvalue(0.0, -1000 * 2.302585092994046) == "1e-1000"
    assert format_pvalue(1e-300, -690.8) == "1e-300"
