"""`sigcore test` as a user types it."""

import json
import math
from itertools import product

import numpy as np
import pytest

from sigcore.cli import test as command
from sigcore.cli.main import main
from sigcore.errors import InputError
from sigcore.io.counts import MEASURES, read_paired_counts
from sigcore.permutation.paired import paired_permutation_test
from sigcore.permutation.prf import prf_permutation_test
from sigcore.permutation.prf_counts import MEASURES as LIBRARY_MEASURES

# Differences, P(S >= sum), its mid-p-value and P(|S| >= |sum|), by enumeration of all signs.
GOLDEN = [
    ([1, -1, -1], 0.875, 0.6875, 1.0),
    ([-1, -1, -1], 1.0, 0.9375, 0.25),
    ([2, -2, 0], 0.75, 0.5, 1.0),
    ([1, 1, 1, 1, 1], 0.03125, 0.015625, 0.0625),
    ([3, 1, 4, 1, -5, 9, 2, -6], 0.2890625, 0.265625, 0.578125),
]


@pytest.fixture(autouse=True)
def only_this_command(monkeypatch):
    monkeypatch.setattr("sigcore.cli.main.SUBCOMMANDS", ("test",))


@pytest.fixture
def write(tmp_path):
    """Write lines to a file and return its path."""

    def write_lines(name, *lines):
        path = tmp_path / name
        path.write_text("".join(f"{line}\n" for line in lines))
        return path

    return write_lines


@pytest.fixture
def run(capsys):
    """Run the command and return exit code, output and errors."""

    def run_command(*arguments):
        code = main(["test", *map(str, arguments)])
        return code, *capsys.readouterr()

    return run_command


@pytest.fixture
def record(run):
    """Run the command with --json and return what it printed."""

    def json_of(*arguments):
        code, out, errors = run(*arguments, "--json")
        assert (code, errors) == (0, "")
        return json.loads(out, parse_constant=pytest.fail)

    return json_of


def rows_of(out):
    """Return the table as a dictionary."""
    cells = [line.strip("| ").split("|") for line in out.splitlines() if line.startswith("|")]
    return {cell[0].strip(): cell[1].strip() for cell in cells if len(cell) == 2}


@pytest.mark.parametrize(("differences", "greater", "mid", "two_sided"), GOLDEN)
def test_golden_values_come_out_of_two_files(write, record, differences, greater, mid, two_sided):
    files = (
        write("a.txt", *(5 + value for value in differences)),
        write("b.txt", *(5 for _ in differences)),
    )
    assert record(*files)["pvalue"] == two_sided
    assert record(*files, "--alternative", "greater")["pvalue"] == greater
    assert record(*files, "--alternative", "greater", "--ties", "mid")["pvalue"] == mid
    for method in ("enumerate", "dp", "fft"):
        found = record(*files, "--method", method)["pvalue"]
        assert found == pytest.approx(two_sided, rel=1e-13)


def test_the_published_f1_example_has_p_one_half(write, record):
    # README of the authors' code: tp, incorrect of A and B in three items; all errors as fp here.
    path = write("counts.txt", "8 2 0 6 1 0", "3 3 0 5 2 0", "7 1 0 7 1 0")
    assert record(path, "--measure", "f1")["pvalue"] == 0.5


@pytest.mark.parametrize("separator", [" ", "\t", ",", ", ", ";"])
@pytest.mark.parametrize("header", [True, False])
def test_one_file_with_two_columns_gives_what_two_files_give(write, record, separator, header):
    u, v = [0.3, 0.1, 0.4, 0.1, 0.5], [0.2, 0.2, 0.1, 0.0, 0.1]
    lines = [f"{a}{separator}{b}" for a, b in zip(u, v, strict=True)]
    both = write("both.txt", *([f"base{separator}new"] if header else []), *lines)
    found = record(both)
    # Of the tenths 1, -1, 3, 1, 4 at most a single 1 may be negative for a sum of 8: 4 of 32.
    assert found["pvalue"] == record(write("a.txt", *u), write("b.txt", *v))["pvalue"] == 8 / 32
    assert found["value_a"] == pytest.approx(0.28)
    assert found["grid_step"] == pytest.approx(0.1)
    assert (found["system_a"], found["system_b"]) == (("base", "new") if header else ("A", "B"))


def test_columns_are_chosen_by_name_or_number(write, record):
    path = write("scores.tsv", "item\tu\tv\tw", "1\t3\t1\t9", "2\t4\t2\t9", "3\t5\t2\t9")
    assert record(path, "--columns", "u", "v")["pvalue"] == 0.25
    assert record(path, "--columns", "2", "3")["statistic"] == pytest.approx(7 / 3)


def test_the_table_says_what_was_found_and_how(write, run):
    code, out, _ = run(write("base.txt", 1, 2, 3, 4), write("new.txt", 1, 1, 1, 2))
    table = rows_of(out)
    assert code == 0
    assert out.startswith("A = base, B = new\n")
    assert table["p (two-sided)"] == "0.25"
    assert table["difference A - B"] == "+1.25"
    assert (table["items"], table["items that differ"]) == ("4", "3")
    assert table["method"].startswith("exact")
    assert table["grid"] == "steps of 1"
    assert "log10 p" not in table
    assert out.rstrip().endswith(
        "A's mean score is 1.25 higher than B's; if the systems were interchangeable on all "
        "items, a difference at least as large in either direction would come up with "
        "probability 0.25."
    )


def test_identical_systems_have_p_one_and_say_so(write, run):
    path = write("a.txt", 0.5, 0.25, 1)
    code, out, _ = run(path, path)
    assert code == 0
    assert rows_of(out)["p (two-sided)"] == "1"
    assert "the same result on every item" in out


def test_a_p_value_too_small_for_a_float_is_printed_by_its_logarithm(write, run, record):
    files = write("a.txt", *[1] * 2000), write("b.txt", *[0] * 2000)
    table = rows_of(run(*files, "--alternative", "greater")[1])
    # p = 2^-2000.
    assert float(table["log10 p"]) == pytest.approx(-2000 * math.log10(2), abs=1e-4)
    assert table["p (greater)"] == "8.71e-603"
    found = record(*files, "--alternative", "greater")
    assert found["pvalue"] == 0.0
    assert found["log_pvalue"] == pytest.approx(-2000 * math.log(2), rel=1e-12)


def test_what_the_fft_cannot_resolve_is_said(write, run, record):
    files = write("a.txt", *[1] * 400), write("b.txt", *[0] * 400)
    assert "rounding errors are larger than p" in run(*files, "--method", "fft")[1]
    # Not a number in JSON.
    assert record(*files, "--method", "fft")["error_bound"] is None


def test_json_has_the_numbers_of_the_library(write, record):
    rng = np.random.default_rng(3)
    u, v = rng.normal(size=(2, 40)).tolist()
    for options in (
        {"alternative": "less", "ties": "mid", "delta": 0.125},
        {"method": "analytic"},
        {"method": "monte-carlo", "n_resamples": 500, "seed": 0, "estimator": "plain"},
    ):
        names = {"n_resamples": "resamples"}
        typed = [f"--{names.get(name, name)}={value}" for name, value in options.items()]
        found = record(write("a.txt", *u), write("b.txt", *v), *typed)
        expected = paired_permutation_test(u, v, **options).to_record()
        for name, value in expected.items():
            assert found[name] == value, name
        assert found["measure"] == "mean score"


def test_monte_carlo_prints_its_interval(write, run):
    files = write("a.txt", 3, 1, 4, 1, 5), write("b.txt", 2, 2, 1, 0, 1)
    table = rows_of(run(*files, "--method", "monte-carlo", "--resamples", "99", "--seed", "0")[1])
    assert table["method"] == "Monte Carlo, 99 draws, seed 0"
    low, high = map(float, table["95% interval of p"].split(" to "))
    assert 0 <= low < float(table["p (two-sided)"]) < high <= 1


def test_blocks_swap_together(write, record):
    u, v = [3, 1, 4, 1, 5, 9], [2, 7, 1, 0, 2, 8]
    blocks = write("documents.txt", "x", "x", "y", "z", "z", "y", "", "")
    found = record(write("a.txt", *u), write("b.txt", *v), "--blocks", blocks)
    # Differences of the blocks are -5, 4 and 4; 6 of the 8 sums of signed values reach 3.
    sums = [abs(a * -5 + b * 4 + c * 4) for a, b, c in product((1, -1), repeat=3)]
    assert found["pvalue"] == sum(total >= 3 for total in sums) / 8
    assert (found["n"], found["n_blocks"]) == (6, 3)


def f1(tp, fp, fn):
    return 2 * tp / (2 * tp + fp + fn)


def test_blocks_of_counts_swap_together(write, run, record):
    a = [[3, 1, 0], [2, 2, 1], [5, 0, 1], [1, 1, 4]]
    b = [[2, 2, 1], [2, 0, 1], [4, 2, 2], [3, 1, 2]]
    files = [
        write(name, *(" ".join(map(str, row)) for row in rows))
        for name, rows in (("a.txt", a), ("b.txt", b))
    ]
    blocks = write("blocks.txt", "p", "q", "q", "p")
    found = record(*files, "--measure", "f1", "--blocks", blocks)
    differences = []
    for swap_p, swap_q in product((False, True), repeat=2):
        swaps = (swap_p, swap_q, swap_q, swap_p)
        rows = [(y, x) if swap else (x, y) for x, y, swap in zip(a, b, swaps, strict=True)]
        one, two = (np.sum([row[side] for row in rows], axis=0) for side in (0, 1))
        differences.append(abs(f1(*one) - f1(*two)))
    expected = np.mean(np.array(differences) >= differences[0] - 1e-12)
    assert found["pvalue"] == expected
    assert (found["n"], found["n_blocks"]) == (4, 2)
    table = rows_of(run(*files, "--measure", "f1", "--blocks", blocks)[1])
    assert (table["items"], table["blocks"], table["blocks that differ"]) == ("4", "2", "2")


@pytest.mark.parametrize("measure", ["f1", "precision", "recall"])
def test_counts_are_read_from_two_files_one_file_or_named_columns(write, record, measure):
    rng = np.random.default_rng(5)
    a, b = rng.integers(0, 6, (2, 25, 3)).tolist()
    expected = prf_permutation_test(a, b, measure=measure)
    lines_a, lines_b = ([" ".join(map(str, row)) for row in rows] for rows in (a, b))
    two = write("a.txt", *lines_a), write("b.txt", *lines_b)
    one = write("one.txt", *(f"{x} {y}" for x, y in zip(lines_a, lines_b, strict=True)))
    mixed = write(
        "mixed.csv",
        "fn_a,tp_a,fp_a,tp_b,fp_b,fn_b",
        *(f"{x[2]},{x[0]},{x[1]},{y[0]},{y[1]},{y[2]}" for x, y in zip(a, b, strict=True)),
    )
    for files in (two, (one,), (mixed,)):
        found = record(*files, "--measure", measure)
        assert found["pvalue"] == expected.pvalue
        assert (found["value_a"], found["value_b"]) == (expected.value_a, expected.value_b)
        assert found["measure"] == measure


def test_accuracy_takes_correct_and_total(write, record):
    found = record(write("x.txt", "9 10 7 10", "8 10 8 10", "5 6 4 6"), "--measure", "accuracy")
    assert found["value_a"] == pytest.approx(22 / 26)
    assert found["pvalue"] == 0.5


def test_choices_are_those_of_the_library(write):
    assert set(command.MEASURES) == set(MEASURES) == set(LIBRARY_MEASURES)
    a = [[3, 1, 0], [2, 2, 1]]
    with pytest.raises(InputError, match="`method` must be one of") as scores:
        paired_permutation_test([1, 2], [2, 1], method="none")
    with pytest.raises(InputError, match="`method` must be one of") as counts:
        prf_permutation_test(a, a, method="none")
    for message, methods in (
        (scores.value, command.SCORE_METHODS),
        (counts.value, command.COUNT_METHODS),
    ):
        listed = str(message).split("one of ")[1].split("; got")[0]
        assert set(listed.split(", ")) == {repr(method) for method in methods}


WRONG_SCORES = {
    "text": (["1 2", "3 x"], "bad.txt:2: expected a number in column '2'; found 'x'"),
    "an empty line": (["1 2", "", "3 4"], "bad.txt:2: expected 2 columns as in line 1; found 0"),
    "infinity": (["1 2", "3 inf"], "bad.txt:2: expected a number in column '2'; found 'inf'"),
    "one column": (["1", "2"], "bad.txt: expected 2 columns of scores; found 1"),
    "nothing": ([], "bad.txt: is empty"),
    "a missing score": (["1 2", "3 nan"], "bad.txt:2: an item lacks a score"),
}


@pytest.mark.parametrize("kind", WRONG_SCORES)
def test_wrong_scores_end_in_one_line_and_code_two(write, run, kind):
    lines, message = WRONG_SCORES[kind]
    code, out, errors = run(write("bad.txt", *lines))
    assert (code, out) == (2, "")
    assert message in errors
    assert len(errors.splitlines()) == 1


def test_files_of_different_length_are_both_named(write, run):
    code, _, errors = run(write("a.txt", 1, 2, 3), write("b.txt", 1, 2))
    assert code == 2
    assert "a.txt has 3" in errors
    assert "b.txt has 2" in errors


def test_a_file_that_does_not_exist_is_named(run, tmp_path):
    code, _, errors = run(tmp_path / "none.txt")
    assert code == 2
    assert "none.txt" in errors


WRONG_COUNTS = {
    "a fraction": (["1 2 3 1 2 3", "1 2 3 1 2.5 3"], "bad.txt:2: expected a whole number"),
    "below zero": (["1 2 3 1 2 -3"], "bad.txt:1: expected a whole number of at least 0"),
    "five columns": (["1 2 3 1 2"], "expected the columns tp, fp, fn of A, then those of B"),
    "four columns": (["1 2 3 4"], "bad.txt: expected the columns tp, fp, fn of A, then those of B"),
    "other names": (["tp fp x tp2 fp2 x2", "1 2 3 1 2 3"], "bad.txt:1: expected the columns tp"),
}


@pytest.mark.parametrize("kind", WRONG_COUNTS)
def test_wrong_counts_end_in_one_line_and_code_two(write, run, kind):
    lines, message = WRONG_COUNTS[kind]
    code, out, errors = run(write("bad.txt", *lines), "--measure", "f1")
    assert (code, out) == (2, "")
    assert message in errors
    assert len(errors.splitlines()) == 1


def test_count_files_of_different_length_are_named(write):
    files = write("a.txt", "1 2 3", "1 2 3"), write("b.txt", "1 2 3")
    with pytest.raises(InputError, match=r"a\.txt has 2 and .*b\.txt has 1"):
        read_paired_counts(*files, measure="f1")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["x", "", "y"], "blocks.txt:2: expected a label; found an empty line"),
        (["x", "y"], "blocks.txt:3: expected a label for each of 3 items; found 2"),
        (["x", "y", "z", "z"], "blocks.txt:4: expected a label for each of 3 items; found 4"),
    ],
)
def test_wrong_blocks_are_named(write, run, lines, message):
    code, _, errors = run(
        write("both.txt", "1 2", "2 3", "3 5"), "--blocks", write("blocks.txt", *lines)
    )
    assert code == 2
    assert message in errors


@pytest.mark.parametrize(
    "option",
    [("--delta", "0.5"), ("--estimator", "plain"), ("--columns", "tp"), ("--drop-missing",)],
)
def test_options_for_scores_are_refused_with_counts(write, run, option):
    code, _, errors = run(write("one.txt", "1 2 3 1 2 3"), "--measure", "f1", *option)
    assert code == 2
    assert f"`{option[0]}` is for scores" in errors


def test_a_method_that_is_not_for_these_data_is_refused(write, run):
    path = write("both.txt", "0.5 1", "2 1.25")
    code, _, errors = run(path, "--method", "dp")
    assert code == 2
    assert "whole numbers" in errors
    code, _, errors = run(path, "--method", "fourier")
    assert code == 2
    assert "`--method fourier` is not for scores; choose one of auto, exact" in errors
    counts = write("counts.txt", "1 2 3 1 2 3")
    for method in ("analytic", "fft"):
        code, _, errors = run(counts, "--measure", "f1", "--method", method)
        assert code == 2
        assert f"`--method {method}` is not for counts; choose one of auto" in errors


def test_items_without_both_scores_are_left_out_on_request_with_their_labels(write, run, record):
    gaps = write("gaps.txt", "a b", "1 2", "nan 3", "4 1", "2 nan", "5 3")
    blocks = write("blocks.txt", "x", "y", "x", "z", "z")
    assert "an item lacks a score" in run(write("one.txt", "1 2", "3 nan"))[2]
    assert "2 items, this the first, lack a score" in run(gaps)[2]
    found = record(gaps, "--drop-missing", "--blocks", blocks)
    full = record(
        write("full.txt", "a b", "1 2", "4 1", "5 3"),
        "--blocks",
        write("fewer.txt", "x", "x", "z"),
    )
    assert (found.pop("n_missing"), full.pop("n_missing")) == (2, 0)
    assert found == full
    table = run(gaps, "--drop-missing")[1]
    assert "items left out, without both scores" in table


def test_rows_of_two_files_are_matched_by_the_items_they_name(write, record):
    a = write("a.csv", "id,score", "x,3", "y,1", "z,2")
    b = write("b.csv", "id,score", "z,1", "x,0", "y,5")
    shuffled = record(a, b, "--alternative", "greater")
    expected = paired_permutation_test([3, 1, 2], [0, 5, 1], alternative="greater")
    assert shuffled["pvalue"] == expected.pvalue
    counts_a = write("ca.txt", "x 3 1 0", "y 5 5 1", "z 2 0 0")
    counts_b = write("cb.txt", "z 1 1 1", "x 0 2 3", "y 4 4 2")
    found = record(counts_a, counts_b, "--measure", "f1")
    a, b = [[3, 1, 0], [5, 5, 1], [2, 0, 0]], [[0, 2, 3], [4, 4, 2], [1, 1, 1]]
    assert found["pvalue"] == prf_permutation_test(a, b, measure="f1").pvalue
    assert found["value_b"] == pytest.approx(10 / 23)
    both = write("both.csv", "segment,tp_a,fp_a,fn_a,tp_b,fp_b,fn_b", "x,3,1,0,0,2,3")
    assert record(both, "--measure", "f1")["value_a"] == pytest.approx(6 / 7)


def test_files_that_name_other_items_are_refused_with_the_line(write):
    a = write("a.txt", "x 3 1 0", "y 5 5 1")
    b = write("b.txt", "x 1 1 1", "w 0 2 3")
    with pytest.raises(InputError, match=r"a\.txt:2: has the item 'y', .*b\.txt has not"):
        read_paired_counts(a, b, measure="f1")
