import argparse
import json
import warnings

import numpy as np
import pytest

from sigcore.cli import compare as command
from sigcore.cli import pairs as pairs_command
from sigcore.cli.main import main
from sigcore.comparison import (
    bootstrap,
    mcnemar,
    options,
    pairs,
    power_sampling,
    signed_rank,
    significance,
    units,
)
from sigcore.comparison.results import ALTERNATIVES
from sigcore.errors import InputError, PairingWarning
from sigcore.io.paired import LAYOUTS


def run(*arguments):
    parser = argparse.ArgumentParser()
    subcommands = parser.add_subparsers()
    command.add_parser(subcommands)
    pairs_command.add_parser(subcommands)
    parsed = parser.parse_args([str(argument) for argument in arguments])
    return parsed.run(parsed)


@pytest.fixture
def scores(tmp_path):
    rng = np.random.default_rng(52)
    lines = [f"{u:.4f} {v:.4f}" for u, v in rng.normal([0.5, 0.0], 1.0, size=(40, 2))]
    path = tmp_path / "scores.txt"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(53)
    rows = rng.normal([0.0, 0.1, 3.0], 1.0, size=(30, 3))
    text = "a,b,c\n" + "".join(",".join(f"{x:.3f}" for x in row) + "\n" for row in rows)
    path = tmp_path / "table.csv"
    path.write_text(text)
    return path


def test_choices_are_those_of_the_library():
    assert command.TESTS == significance.TESTS
    assert set(command.ALTERNATIVES) == set(ALTERNATIVES)
    assert command.KINDS == bootstrap.KINDS
    assert pairs_command.CORRECTIONS == pairs.CORRECTIONS
    assert pairs_command.LAYOUTS == LAYOUTS


def test_every_setting_has_an_option_with_the_choices_of_the_library():
    subcommands = argparse.ArgumentParser().add_subparsers()
    command.add_parser(subcommands)
    actions = {action.dest: action for action in subcommands.choices["compare"]._actions}
    for name in options.ComparisonOptions().to_mapping():
        assert name in actions
    for name, choices in {
        "unit_statistic": units.STATISTICS,
        "unit_remainder": units.REMAINDERS,
        "wilcoxon_method": signed_rank.METHODS,
        "wilcoxon_zeros": signed_rank.ZEROS,
        "mcnemar_method": mcnemar.METHODS,
        "power_method": options.POWER_METHODS,
        "power_distribution": power_sampling.DISTRIBUTIONS,
    }.items():
        assert tuple(actions[name].choices) == choices


def test_the_report_is_printed(scores, capsys):
    assert run("compare", scores, "--power-method", "none") == 0
    text = capsys.readouterr().out
    for title in ("Conclusion", "Summary of statistics", "Significance tests", "Effect sizes"):
        assert title in text


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "json", "sentence"])
def test_every_format_is_written_to_a_file(scores, tmp_path, capsys, form):
    target = tmp_path / "out" / "report"
    run("compare", scores, "--power-method", "none", "--format", form, "--output", target)
    assert capsys.readouterr().out == ""
    text = target.read_text()
    assert "40" in text
    if form == "json":
        assert json.loads(text)["units"]["n_units"] == 40


def test_a_saved_configuration_gives_the_same_run_again(scores, tmp_path, capsys):
    config = tmp_path / "run.yaml"
    arguments = ["--alpha", "0.01", "--tests", "all", "--power-runs", "10", "--seed", "4"]
    run("compare", scores, *arguments, "--names", "new", "old", "--save-config", config)
    first = capsys.readouterr().out
    run("compare", "--config", config)
    assert capsys.readouterr().out == first
    again = tmp_path / "again.yaml"
    run("compare", "--config", config, "--save-config", again, "--format", "sentence")
    assert again.read_text() == config.read_text()


def test_the_command_line_overrules_the_configuration(scores, tmp_path, capsys):
    config = tmp_path / "run.yaml"
    config.write_text(f"first: {scores}\nalpha: 0.01\npower_method: none\nprimary: t\n")
    run("compare", "--config", config, "--alpha", "0.1", "--format", "sentence")
    assert "alpha = 0.1)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("alfa: 1\nfirst: x\n", "unknown setting 'alfa'"),
        ("- 1\n", "expected settings"),
        ("a: [1\n", "is not valid YAML"),
        ("seed: 1\nseed: 2\n", ":2: the key `seed` is there already in line 1."),
        ("alpha: 0.05\n", "give one file with two columns"),
        ("first: 3\n", "`first` must be a file; got 3"),
        ("first: x\ncolumns: 3\n", "`columns` must be a list of columns; got 3"),
        ("first: x\nnames: A\n", "`names` must be a list of two names; got 'A'"),
        ("first: x\nnames: [A]\n", "`names` must be a list of two names"),
        ("first: x\ndrop_missing: 'no'\n", "`drop_missing` must be true or false; got 'no'"),
        ("first: x\ntests: null\n", "`tests` must be one of"),
        ("first: x\npower_sizes: 5.5\n", "`power_sizes` must be"),
        ("first: x\nwilcoxon_continuity: 'false'\n", "`wilcoxon_continuity` must be true"),
    ],
)
def test_bad_configurations_are_refused(tmp_path, text, message):
    config = tmp_path / "bad.yaml"
    config.write_text(text)
    with pytest.raises(InputError, match=message):
        run("compare", "--config", config)


def test_without_scores_it_says_what_to_give():
    with pytest.raises(InputError, match="give one file with two columns of scores, or two files"):
        run("compare")


def test_plots_are_the_same_bytes_every_time(scores, tmp_path):
    for folder in ("one", "two"):
        arguments = ["--power-runs", "5", "--format", "sentence", "--primary", "t"]
        run("compare", scores, *arguments, "--plots", tmp_path / folder)
    for name in ("histograms.svg", "power.svg"):
        one, two = (tmp_path / folder / name for folder in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
        assert b"<svg" in one.read_bytes()


def test_items_left_out_for_a_missing_score_are_reported(tmp_path, capsys):
    path = tmp_path / "gaps.csv"
    path.write_text("a,b\n1,2\n3,NA\n4,1\n5,2\n")
    run("compare", path, "--drop-missing", "--power-method", "none")
    assert "1 items without both scores were left out" in capsys.readouterr().out


def test_plan_prints_the_sample_size(capsys):
    run("compare", "--plan", "0.5", "1.0")
    assert "needs 34 pairs" in capsys.readouterr().out


def test_pairs_prints_ranking_and_writes_table_and_heatmap(table, tmp_path, capsys):
    csv, heatmap = tmp_path / "pairs.csv", tmp_path / "pairs.svg"
    assert run("pairs", table, "--csv", csv, "--heatmap", heatmap) == 0
    assert "table: ranking" in capsys.readouterr().out
    assert csv.read_text().splitlines()[0] == (
        "dataset,first,second,n_items,difference,pvalue,adjusted,significant"
    )
    assert len(csv.read_text().splitlines()) == 4
    assert b"<svg" in heatmap.read_bytes()


def test_pairs_over_several_datasets_count_replications(table, tmp_path, capsys):
    other = tmp_path / "other.csv"
    other.write_text(table.read_text())
    run("pairs", table, other, "--replicability", "bonferroni", "--format", "json")
    record = json.loads(capsys.readouterr().out)
    assert list(record["datasets"]) == ["other", "table"]
    wins = {(row["better"], row["worse"]): row["count"] for row in record["replicability"]}
    assert wins["c", "a"] == 2
    assert wins["a", "c"] == 0


def test_pairs_groups_items_and_turns_scores_round(table, capsys):
    run("pairs", table, "--unit-size", "3", "--shuffle-seed", "0", "--smaller-is-better")
    lines = capsys.readouterr().out.splitlines()
    assert any(line.split()[:2] == ["1", "a"] or line.split()[:2] == ["1", "b"] for line in lines)
    assert any(" 10 " in line for line in lines)


@pytest.mark.parametrize(
    "extra", [["--test", "bootstrap_mean", "--bootstrap", "bca"], ["--test", "t"]]
)
def test_pairs_takes_any_test(table, capsys, extra):
    run(
        "pairs",
        table,
        *extra,
        "--n-resamples",
        "99",
        "--correction",
        "none",
        "--format",
        "markdown",
    )
    assert "# All pairs of systems" in capsys.readouterr().out


def test_pairs_refuses_unknown_systems_and_repeated_files(table):
    with pytest.raises(InputError, match="`--exclude` must name systems"):
        run("pairs", table, "--exclude", "z")
    with pytest.raises(InputError, match="given twice"):
        run("pairs", table, table)


# R 4.2.2, power.t.test(delta = 0.3, sd = 1, power = 0.9, type = "paired"): n = 118.69; with
# alternative = "one.sided", delta = 0.2: n = 215.46.
@pytest.mark.parametrize(
    ("arguments", "n"),
    [
        (["--plan", "0.3", "1", "--power-target", "0.9"], 119),
        (["--plan", "0.5", "1", "--power-target", "0.9", "--hypothesised", "0.2"], 119),
        (
            [
                "--plan",
                "-1",
                "1",
                "--power-target",
                "0.9",
                "--hypothesised",
                "-0.8",
                "--alternative",
                "less",
            ],
            216,
        ),
    ],
)
@pytest.mark.parametrize("form", ["text", "markdown", "latex", "json", "sentence"])
def test_a_plan_heeds_the_null_value_and_the_format(capsys, arguments, n, form):
    run("compare", *arguments, "--format", form)
    text = capsys.readouterr().out
    assert str(n) in text
    if form == "json":
        assert json.loads(text)["n_pairs"] == n
    if form == "latex":
        assert r"\begin{tabular}" in text


def test_a_plan_reads_settings_from_a_file_and_no_scores(tmp_path, scores, capsys):
    config = tmp_path / "run.yaml"
    config.write_text("hypothesised: 0.2\npower_target: 0.9\n")
    run("compare", "--config", config, "--plan", "0.5", "1", "--output", tmp_path / "plan.txt")
    assert capsys.readouterr().out == ""
    assert "needs 119 pairs" in (tmp_path / "plan.txt").read_text()
    with pytest.raises(InputError, match="`--plan` reads no scores; got the file"):
        run("compare", scores, "--plan", "0.5", "1")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--texts", "r", "--test", "t"], "--texts goes without `--test`"),
        (["--texts", "r", "--test", "wilcoxon"], "--texts goes without `--test`"),
        (["--texts", "r", "--exclude", "a"], "--texts goes without `--exclude`"),
        (["--texts", "r", "--missing", "pairwise"], "--texts goes without `--missing`"),
        (["--texts", "r", "--unit-size", "2"], "--texts goes without `--unit-size`"),
        (["--metric", "ter"], "scores go without `--metric`"),
        (["--test", "t", "--wilcoxon-zeros", "pratt"], "'t' goes without `--wilcoxon-zeros`"),
        (["--bootstrap", "bca"], "'wilcoxon' goes without `--bootstrap`"),
        (["--replicability", "fisher", "--alternative", "less"], "must be greater"),
    ],
)
def test_options_of_pairs_without_effect_are_refused(table, arguments, message):
    with pytest.raises(InputError, match=message):
        run("pairs", table, *arguments)


def test_the_report_says_that_texts_differ(tmp_path, capsys):
    for name, texts in {"one": "abc", "two": "adc"}.items():
        lines = [f"{text},{index + len(name)}" for index, text in enumerate(texts)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["text,score", *lines]) + "\n")
    files = (tmp_path / "one.csv", tmp_path / "two.csv")
    with pytest.warns(PairingWarning):
        run("compare", *files, "--format", "json", "--html", tmp_path / "page.html")
    (note,) = json.loads(capsys.readouterr().out)["notes"]
    assert "differ in 1 of 3 rows, first in 'b' and 'd'" in note
    assert "were matched line by line" in (tmp_path / "page.html").read_text()


def test_the_command_prints_warnings_without_the_code(tmp_path, capsys):
    for name, text in {"one": "a", "two": "b"}.items():
        (tmp_path / f"{name}.csv").write_text(f"text,score\n{text},1\nx,3\n")
    files = [str(tmp_path / f"{name}.csv") for name in ("one", "two")]
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        assert main(["compare", *files, "--format", "sentence"]) == 0
    err = capsys.readouterr().err
    assert err.startswith("sigcore: warning: one.csv and two.csv were matched line by line")
    assert err.count("\n") == 1
