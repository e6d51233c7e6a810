"""`sigcore compare`: the whole comparison of two systems, from their scores to a report."""

import argparse
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sigcore.cli._settings import check_inputs, merge, read_config, write_config
from sigcore.errors import InputError

if TYPE_CHECKING:
    from sigcore.comparison.compare import Comparison

__all__ = ["add_parser"]

_DESCRIPTION = """\
Compare two systems on the same items: look at the data, choose a test that suits them, test,
estimate effect sizes and power, and report.

Scores come from one file with two columns or two files with one score a line: text, CSV, TSV or
Parquet. Larger is better. The same settings can be given in a file: --save-config writes one, and
--config runs it again.
"""
# The library is imported when the command runs: the parser is built for every subcommand.
TESTS = (
    "t",
    "wilcoxon",
    "sign",
    "permutation_mean",
    "permutation_median",
    "bootstrap_mean",
    "bootstrap_median",
    "mcnemar",
    "aso",
)
ALTERNATIVES = ("two-sided", "greater", "less")
KINDS = ("studentised", "basic", "percentile", "bca")
FORMATS = ("text", "markdown", "latex", "json", "sentence")


def add_parser(subcommands: Any) -> None:
    """Add the `compare` subcommand."""
    parser = subcommands.add_parser(
        "compare",
        help="compare two systems: the right test, effect size, power, report",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        # What is not given is not set, so that a configuration file is not overruled by defaults.
        argument_default=argparse.SUPPRESS,
    )
    _add_inputs(parser)
    _add_units(parser)
    _add_tests(parser)
    _add_power(parser)
    _add_outputs(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Compare, print the report and write the files that were asked for."""
    given = vars(arguments)
    inputs, settings = merge(read_config(given["config"]) if "config" in given else {}, given)
    if "plan" in given:
        return _plan(inputs, settings, given)
    check_inputs(inputs)
    comparison = _compare(inputs, settings)
    _print(_render(comparison, given.get("format", "text")), given)
    if "plots" in given:
        _write_plots(given["plots"], comparison)
    if "html" in given:
        _write_page(given["html"], comparison, inputs)
    if "save_config" in given:
        write_config(given["save_config"], inputs, comparison.options.to_mapping())
    return 0


def _add_inputs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("first", nargs="?", metavar="A", help="scores of A, or of A and B")
    parser.add_argument("second", nargs="?", metavar="B", help="scores of B")
    parser.add_argument("--config", type=Path, metavar="FILE", help="inputs and settings as YAML")
    parser.add_argument(
        "--columns", nargs="+", metavar="COLUMN", help="columns of the scores, by name or number"
    )
    parser.add_argument("--names", nargs=2, metavar=("A", "B"), help="names of the systems")
    parser.add_argument(
        "--drop-missing", action="store_true", help="leave out items without both scores"
    )


def _add_units(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("evaluation units and data analysis")
    group.add_argument("--unit-size", type=int, metavar="M", help="items in a unit (default 1)")
    group.add_argument("--unit-statistic", choices=("mean", "median"), help="of a unit")
    group.add_argument(
        "--unit-remainder",
        choices=("drop", "short", "spread"),
        help="items that do not fill a unit: left out (default), a short unit, or spread",
    )
    group.add_argument("--shuffle-seed", type=int, metavar="SEED", help="shuffle the items first")
    group.add_argument("--normality-alpha", type=float, help="level of the normality test (0.05)")
    group.add_argument(
        "--large-sample",
        choices=("moments", "subsample"),
        help="normality beyond 5,000 units: a test of moments (default) or a subsample",
    )


def _add_tests(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("tests")
    group.add_argument(
        "--tests",
        nargs="+",
        metavar="TEST",
        choices=(*TESTS, "recommended", "all"),
        help=f"'recommended' (default), 'all', or some of {', '.join(TESTS)}",
    )
    group.add_argument("--primary", choices=TESTS, help="the test that decides")
    group.add_argument("--alternative", choices=ALTERNATIVES, help="greater: A is better")
    group.add_argument("--hypothesised", type=float, help="difference under the null (0)")
    group.add_argument("--alpha", type=float, help="level of the tests (0.05)")
    group.add_argument("--confidence", type=float, help="level of the intervals (0.95)")
    group.add_argument(
        "--n-resamples", "--resamples", type=int, help="of tests that resample (9999)"
    )
    group.add_argument("--seed", type=int, help="of all that is random (0)")
    group.add_argument("--bootstrap-mean", choices=KINDS, help="(default studentised)")
    group.add_argument("--bootstrap-median", choices=KINDS, help="(default percentile)")
    group.add_argument(
        "--wilcoxon-method",
        choices=("auto", "exact", "asymptotic"),
        help="auto is exact up to 50 differences",
    )
    group.add_argument("--wilcoxon-zeros", choices=("wilcox", "pratt", "zsplit"))
    group.add_argument("--wilcoxon-continuity", action="store_true")
    group.add_argument("--mcnemar-method", choices=("auto", "exact", "mid-p", "asymptotic"))


def _add_power(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("power")
    group.add_argument(
        "--power-method",
        choices=("bootstrap", "montecarlo", "none"),
        help="samples of the power curve: from the data (default), from a distribution, or none",
    )
    group.add_argument("--power-distribution", choices=("normal", "laplace", "uniform"))
    group.add_argument("--power-sizes", nargs="+", type=int, metavar="N")
    group.add_argument("--power-runs", type=int, metavar="RUNS", help="samples a size")
    group.add_argument("--power-target", type=float, help="power to plan for (0.8)")
    group.add_argument(
        "--plan",
        nargs=2,
        type=float,
        metavar=("MEAN", "SD"),
        help="only print how many pairs the t test needs for this expected mean difference and "
        "standard deviation of the differences; no scores are read",
    )


def _add_outputs(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("output")
    group.add_argument(
        "--format",
        choices=FORMATS,
        help="of the report (default text); latex needs the packages booktabs, tabularx and array",
    )
    group.add_argument("--output", type=Path, metavar="FILE", help="write the report to a file")
    group.add_argument(
        "--plots", type=Path, metavar="DIR", help="write histograms.svg and power.svg"
    )
    group.add_argument(
        "--html", type=Path, metavar="FILE", help="write a self-contained page with the plots"
    )
    group.add_argument(
        "--save-config", type=Path, metavar="FILE", help="write inputs and settings as YAML"
    )


def _plan(inputs: Mapping[str, Any], settings: Mapping[str, Any], given: Mapping[str, Any]) -> int:
    from sigcore.comparison.options import ComparisonOptions
    from sigcore.comparison.planning import describe_plan, plan_t
    from sigcore.io.files import to_json

    if given.get("first"):
        raise InputError(f"`--plan` reads no scores; got the file {inputs['first']}.")
    options = ComparisonOptions.from_mapping(settings)
    plan = plan_t(
        *given["plan"],
        hypothesised=options.hypothesised,
        target=options.power_target,
        alpha=options.alpha,
        alternative=options.alternative,
    )
    form = given.get("format", "sentence")
    text = describe_plan(plan, form) if form != "json" else to_json(asdict(plan), indent=2) + "\n"
    _print(text, given)
    return 0


def _print(text: str, given: Mapping[str, Any]) -> None:
    """Print a report, or write it to the file that was asked for."""
    if "output" in given:
        from sigcore.io.files import write_text

        write_text(given["output"], text)
    else:
        print(text, end="")


def _compare(inputs: Mapping[str, Any], settings: Mapping[str, Any]) -> "Comparison":
    from sigcore.comparison.compare import compare
    from sigcore.comparison.options import ComparisonOptions
    from sigcore.io.paired import read_pair

    options = ComparisonOptions.from_mapping(settings)
    pair = read_pair(
        inputs["first"],
        inputs.get("second"),
        columns=[str(column) for column in inputs.get("columns") or ()],
        drop_missing=bool(inputs.get("drop_missing", False)),
    )
    first, second = inputs.get("names") or pair.names
    return compare(
        pair.u,
        pair.v,
        names=(str(first), str(second)),
        n_missing=pair.n_missing,
        notes=pair.notes,
        options=options,
    )


def _render(comparison: "Comparison", form: str) -> str:
    from sigcore.comparison.reporting import report, report_record
    from sigcore.comparison.sentence import paper_sentence

    if form == "json":
        from sigcore.io.files import to_json

        return to_json(report_record(comparison), indent=2) + "\n"
    if form == "sentence":
        return paper_sentence(comparison) + "\n"
    return report(comparison, form)


def _write_plots(directory: Path, comparison: "Comparison") -> None:
    from sigcore.plotting.style import save
    from sigcore.report.comparison import comparison_figures

    for name, figure in comparison_figures(comparison).items():
        save(figure, directory / f"{name}.svg")


def _write_page(path: Path, comparison: "Comparison", inputs: Mapping[str, Any]) -> None:
    from sigcore.io.files import write_text
    from sigcore.provenance import file_sha256, software_versions
    from sigcore.report.comparison import comparison_page

    files = [str(inputs[name]) for name in ("first", "second") if inputs.get(name)]
    facts = {name: file_sha256(name) for name in files} | software_versions()
    write_text(path, comparison_page(comparison, facts=facts))
