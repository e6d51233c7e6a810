import argparse
import json
import re

import pytest
from matplotlib.figure import Figure

from sigcore.bayes.comparison import METHODS, bayes_test
from sigcore.bayes.posterior import MEASURES
from sigcore.cli import bayes
from sigcore.errors import InputError
from sigcore.io.folds import read_folds
from sigcore.plotting.style import save


def run(*arguments):
    parser = argparse.ArgumentParser()
    bayes.add_parser(parser.add_subparsers())
    parsed = parser.parse_args(["bayes", *map(str, arguments)])
    return parsed.run(parsed)


@pytest.fixture
def folds(tmp_path):
    lines = ["model\trep\tfold\tTP\tFP\tFN"]
    for model, gain in (("base_line", 0), ("new", 9), ("third", 3)):
        for rep in (1, 2, 3):
            for fold in (1, 2):
                tp = 100 + 4 * rep + fold + gain
                lines.append(f"{model}\t{rep}\t{fold}\t{tp}\t{15 + fold}\t{150 - tp}")
    path = tmp_path / "folds.tsv"
    path.write_text("\n".join(lines) + "\n")
    return path


def row_of(measure, out):
    return next(line for line in out.splitlines() if line.startswith(f"| {measure} "))


def test_choices_are_those_of_the_library():
    assert bayes.MEASURES == MEASURES
    assert bayes.METHODS == METHODS


def test_table_has_the_figures_of_the_library(folds, capsys):
    assert run(folds, "--models", "base_line", "new") == 0
    out = capsys.readouterr().out
    models = read_folds(folds)
    for measure in MEASURES:
        result = bayes_test(models["base_line"], models["new"], measure=measure)
        row = row_of(measure, out)
        assert f"{result.probability_h0:.6f}" in row
        assert f"[{result.model_b.interval[0]:.4f}, {result.model_b.interval[1]:.4f}]" in row
        assert row.split()[-2] == "H1"
    assert "H0: B - A <= 0" in out
    assert "independent" in out
    assert "flag" not in out


def test_a_tiny_probability_is_not_printed_as_nought(tmp_path, capsys):
    rows = [
        f"{model}\t{rep}\t{fold}\t{right}\t{1000 - right}\t{1000 - right}"
        for model, right in (("a", 500), ("b", 900))
        for rep in (1, 2, 3)
        for fold in (1, 2)
    ]
    path = tmp_path / "folds.tsv"
    path.write_text("model\trep\tfold\tTP\tFP\tFN\n" + "\n".join(rows) + "\n")
    run(path, "--measure", "recall")
    *_, h0, h1, decision = row_of("recall", capsys.readouterr().out).replace("|", " ").split()
    assert 0 < float(h0) < 1e-100
    assert (h1, decision) == ("1.000000", "H1")


def test_narrow_intervals_and_credibilities_near_one_have_their_digits(tmp_path, capsys):
    path, source = tmp_path / "folds.tsv", tmp_path / "table.tex"
    rows = [
        f"{model}\t{rep}\t{fold}\t100000000\t{wrong}\t2000"
        for model, wrong in (("a", 1000), ("b", 1100))
        for rep in (1, 2, 3)
        for fold in (1, 2)
    ]
    path.write_text("model\trep\tfold\tTP\tFP\tFN\n" + "\n".join(rows) + "\n")
    run(path, "--measure", "precision", "--credibility", "0.99999", "--latex", source)
    out = capsys.readouterr().out
    a, b = read_folds(path).values()
    result = bayes_test(a, b, measure="precision", credibility=0.99999)
    lower, upper = result.model_a.interval
    assert "99.999% interval A" in out
    assert f"[{lower:.7f}, {upper:.7f}]" in row_of("precision", out)
    assert f"{lower:.7f}" != f"{upper:.7f}"
    assert f"[{100 * lower:.5f}, {100 * upper:.5f}]" in source.read_text()


def test_order_of_the_models_is_the_users(folds, capsys):
    run(folds, "--models", "new", "base_line", "--measure", "f1")
    out = capsys.readouterr().out
    assert out.startswith("A = new, B = base_line; 3 x 2 cross-validation")
    assert "precision" not in out
    assert row_of("f1", out).split()[-2] == "H0"


def test_three_models_need_a_choice(folds):
    with pytest.raises(InputError) as caught:
        run(folds)
    assert str(caught.value) == (
        f"{folds}: the table has 3 models, base_line, new, third; choose two with `--models A B`."
    )
    with pytest.raises(InputError, match="got new, other"):
        run(folds, "--models", "new", "other")
    with pytest.raises(InputError, match="two different"):
        run(folds, "--models", "new", "new")


def test_one_model_is_not_enough(folds):
    lines = folds.read_text().splitlines()
    folds.write_text("\n".join(line for line in lines if line[:3] not in ("bas", "thi")))
    with pytest.raises(InputError, match="the table has 1 model, new, where two are needed"):
        run(folds)


def test_monte_carlo_says_how_many_draws_and_how_exact(folds, capsys):
    run(folds, "--models", "base_line", "new", "--method", "monte-carlo", "--draws", "400")
    found = re.search(
        r"monte-carlo with 400 draws, standard error of P\(H0\) at most (\S+)\n",
        capsys.readouterr().out,
    )
    assert 0 < float(found.group(1)) <= 0.025


def test_region_sensitivity_and_other_tests_are_shown(folds, capsys):
    run(
        folds,
        "--models",
        "base_line",
        "new",
        "--rope",
        "0.01",
        "--sensitivity",
        "--t-tests",
        "--measure",
        "f1",
        "--measure",
        "recall",
    )
    out = capsys.readouterr().out
    assert "P(rope)" in out
    assert "f1: P(H0) from" in out
    assert "f1: correlated t-test" in out
    assert "recall: 3 x 2 block-regularised t-test" in out


def test_flags_are_shown(folds, capsys):
    text = folds.read_text().replace("new\t1\t1\t114\t16\t36", "new\t1\t1\t114\t16\t90")
    folds.write_text(text)
    run(folds, "--models", "base_line", "new")
    assert "flag: model B: repetition 1, fold 1 has TP + FN = 204" in capsys.readouterr().out


def test_files_are_written_the_same_twice(folds, tmp_path):
    contents = []
    for number in (1, 2):
        names = [tmp_path / f"{number}.{ending}" for ending in ("json", "tex", "svg")]
        run(
            folds, "--models", "base_line", "new", "--method", "monte-carlo", "--draws", "1000",
            "--json", names[0], "--latex", names[1], "--plot", names[2],
            "--sensitivity", "--t-tests", "--measure", "f1",
        )  # fmt: skip
        contents.append([name.read_bytes() for name in names])
    assert contents[0] == contents[1]
    content = json.loads(contents[0][0])
    assert content["model_a"] == "base_line"
    assert [test["measure"] for test in content["tests"]] == ["f1"]
    assert content["tests"][0]["n_draws"] == 1000
    assert len(content["sensitivity"]) == 1
    assert len(content["other_tests"]) == 2
    assert rb"A: base\_line (\%)" in contents[0][1]
    assert contents[0][2].startswith(b"<?xml")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--plot", "p.bmp"], "`--plot` must end in .pdf, .png, .svg; got "),
        (["--plot", "p"], "`--plot` must end in .pdf, .png, .svg; got "),
        (["--plot", "same.svg"], "`--json` and `--plot` must be different files"),
        (["--latex", "sub/../same.svg"], "`--json` and `--latex` must be different files"),
        (["--latex", "folds.tsv"], "FOLDS.tsv and `--latex` must be different files"),
    ],
)
def test_files_that_cannot_all_be_written_are_refused_before_any_is(
    folds, monkeypatch, capsys, arguments, words
):
    monkeypatch.chdir(folds.parent)
    before = folds.read_bytes()
    with pytest.raises(InputError) as caught:
        run("folds.tsv", "--models", "base_line", "new", "--json", "same.svg", *arguments)
    assert words in str(caught.value)
    assert [path.name for path in folds.parent.iterdir()] == ["folds.tsv"]
    assert folds.read_bytes() == before
    assert capsys.readouterr().out == ""


def test_endings_of_figures_are_those_of_the_library():
    with pytest.raises(InputError, match=", ".join(bayes.FIGURES)):
        save(Figure(), "figure.bmp")


def test_a_model_that_predicts_nothing_is_noted_in_text_and_latex(folds, tmp_path, capsys):
    folds.write_text(
        re.sub(r"(?m)^new\t(.)\t(.)\t.*$", r"new\t\1\t\2\t0\t0\t150", folds.read_text())
    )
    latex = tmp_path / "table.tex"
    run(folds, "--models", "base_line", "new", "--latex", latex, "--t-tests")
    note = "note: precision: estimate of model B: 0/0, TP and FP are 0 in all folds; its posterior"
    out = capsys.readouterr().out
    assert note in out
    assert f"\\end{{tabular}}\n% {note}" in latex.read_text()
    assert "p = 0.000000" not in out


def test_what_is_undefined_has_a_reason_in_the_file(tmp_path):
    rows = [f"{model}\t1\t{fold}\t0\t0\t9" for model in "AB" for fold in (1, 2)]
    path = tmp_path / "folds.tsv"
    path.write_text("\n".join(["model\trep\tfold\tTP\tFP\tFN", *rows]) + "\n")
    run(path, "--measure", "precision", "--json", tmp_path / "result.json")
    test = json.loads((tmp_path / "result.json").read_text())["tests"][0]
    assert (test["estimate_a"], test["mode_b"]) == (None, None)
    assert test["reasons"][0] == (
        "estimate of model A: 0/0, TP and FP are 0 in all folds; its posterior is the prior"
    )
    assert test["reasons"][3] == "mode of model B: the density is flat"


def test_five_repetitions_bring_the_five_by_two_tests(tmp_path, capsys):
    rows = [
        f"{model}\t{rep}\t{fold}\t{90 + gain * rep + fold}\t10\t20"
        for model, gain in (("a", 1), ("b", 2))
        for rep in range(1, 6)
        for fold in (1, 2)
    ]
    path = tmp_path / "folds.tsv"
    path.write_text("model\trep\tfold\tTP\tFP\tFN\n" + "\n".join(rows) + "\n")
    run(path, "--t-tests", "--measure", "recall")
    out = capsys.readouterr().out
    assert "5 x 2 cv t-test" in out
    assert "5 x 2 cv F-test" in out
