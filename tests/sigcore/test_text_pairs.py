import argparse
import json
from itertools import product

import numpy as np
import pytest

from sigcore.cli import pairs as command
from sigcore.comparison.text_pairs import TEXT_METRICS, compare_texts, negative_ter
from sigcore.errors import DataFileError, InputError

metrics = pytest.importorskip("sacrebleu.metrics", reason="sacrebleu is not installed")

REFERENCE = [
    "the cat sat on the mat today",
    "a dog barked at the old postman",
    "we went home in the rain",
    "nobody knows the answer to that",
    "the train was late again this morning",
    "she reads a book every week",
]
GOOD = [line.replace("the", "a", 1) for line in REFERENCE]
BAD = [" ".join(reversed(line.split())) for line in REFERENCE]
OFFICIAL = {"bleu": metrics.BLEU, "chrf": metrics.CHRF, "ter": metrics.TER}


def official(metric, output):
    score = OFFICIAL[metric]().corpus_score(list(output), [REFERENCE]).score
    return -score if metric == "ter" else score


@pytest.mark.parametrize("metric", TEXT_METRICS)
def test_scores_are_those_of_sacrebleu(metric):
    result = compare_texts([BAD, GOOD], [REFERENCE], ["bad", "good"], metric=metric, n_resamples=9)
    assert result.names == ("good", "bad")
    assert result.means == pytest.approx([official(metric, GOOD), official(metric, BAD)])


@pytest.mark.parametrize("metric", TEXT_METRICS)
def test_identical_systems_have_p_one(metric):
    result = compare_texts([GOOD, GOOD], [REFERENCE], ["x", "y"], metric=metric, n_resamples=99)
    assert result.pvalues.tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert result.clusters.ranks.tolist() == [1, 1]


@pytest.mark.parametrize("metric", TEXT_METRICS)
def test_pvalues_agree_with_enumeration(metric):
    def difference(swaps):
        one = [b if swap else a for a, b, swap in zip(GOOD, BAD, swaps, strict=True)]
        two = [a if swap else b for a, b, swap in zip(GOOD, BAD, swaps, strict=True)]
        return official(metric, one) - official(metric, two)

    every = np.array([difference(swaps) for swaps in product((0, 1), repeat=len(GOOD))])
    exact = np.mean(np.abs(every) >= abs(every[0]) - 1e-9)
    result = compare_texts(
        [GOOD, BAD], [REFERENCE], ["good", "bad"], metric=metric, n_resamples=9999
    )
    # Five standard errors of the doubled share of 9999 draws.
    assert result.pvalues[0, 1] == pytest.approx(exact, abs=10 * np.sqrt(exact / 2 / 9999))


def test_one_sided_tests_look_in_both_orders():
    outputs, names = [GOOD, BAD], ["good", "bad"]
    greater = compare_texts(outputs, [REFERENCE], names, alternative="greater", n_resamples=199)
    less = compare_texts(outputs, [REFERENCE], names, alternative="less", n_resamples=199)
    assert greater.pvalues[0, 1] < 0.1 < greater.pvalues[1, 0]
    np.testing.assert_array_equal(greater.pvalues, less.pvalues.T)


def test_ter_of_empty_references_is_that_of_sacrebleu():
    assert negative_ter([[0.0, 0.0], [3.0, 0.0], [3.0, 12.0]]).tolist() == [0.0, -100.0, -25.0]
    assert metrics.TER().corpus_score(["a b"], [[""]]).score == 100.0


def test_texts_of_unequal_length_are_refused():
    for metric in TEXT_METRICS:
        with pytest.raises(InputError, match="same number of segments"):
            compare_texts([GOOD, BAD[:-1]], [REFERENCE], ["a", "b"], metric=metric)
    with pytest.raises(InputError, match="`names`"):
        compare_texts([GOOD, BAD], [REFERENCE], ["a", "a"])


def test_the_command_compares_text_files(tmp_path, capsys):
    for name, lines in {"ref": REFERENCE, "good": GOOD, "bad": BAD, "twin": GOOD}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    files = [str(tmp_path / f"{name}.txt") for name in ("ref", "good", "bad", "twin")]
    options = ["--metric", "chrf", "--n-resamples", "99", "--format", "json"]
    arguments = parser.parse_args(["pairs", "--texts", *files, *options])
    assert arguments.run(arguments) == 0
    found = json.loads(capsys.readouterr().out)["datasets"]["chrf"]
    pairs = {(row["first"], row["second"]): row["pvalue"] for row in found["pairs"]}
    assert pairs["good", "twin"] == 1.0
    assert pairs["good", "bad"] == pairs["twin", "bad"] < 0.2


def test_the_command_names_the_file_of_unequal_length(tmp_path):
    for name, lines in {"a": 3, "b": 2, "ref": 3}.items():
        (tmp_path / name).write_text("the cat\n" * lines)
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    files = [str(tmp_path / name) for name in ("a", "b")]
    parsed = parser.parse_args(["pairs", *files, "--texts", str(tmp_path / "ref")])
    with pytest.raises(DataFileError, match=r"b: has 2 lines, .*ref has 3\."):
        parsed.run(parsed)


def test_choices_are_those_of_the_library():
    assert command.TEXT_METRICS == TEXT_METRICS
