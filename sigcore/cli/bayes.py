"""`sigcore bayes`: the Bayes test of two models from a table of fold counts."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sigcore.cli._output import FIGURES, check_figure, check_outputs
from sigcore.wording import counted

if TYPE_CHECKING:
    from sigcore.bayes.comparison import BayesTestResult
    from sigcore.bayes.cv_tests import CrossValidationTest
    from sigcore.bayes.folds import FoldCounts

__all__ = ["add_parser"]

# The library is imported when the command runs: the parser is built for every subcommand.
MEASURES = ("precision", "recall", "f1")
METHODS = ("quadrature", "monte-carlo")


def add_parser(subcommands: Any) -> None:
    """Add the `bayes` subcommand."""
    parser = subcommands.add_parser(
        "bayes",
        help="Bayes test of precision, recall and F1 on m x 2 cross-validation",
        description="Compute how probable it is that model B beats model A, from the counts of "
        "the folds of an m x 2 block-regularised cross-validation.",
    )
    parser.add_argument("folds", type=Path, metavar="FOLDS.tsv", help="table of fold counts")
    parser.add_argument(
        "--models",
        nargs=2,
        metavar=("A", "B"),
        help="baseline and contender (default: the two models of the table, in its order)",
    )
    parser.add_argument(
        "--measure", action="append", choices=MEASURES, help="may be repeated (default: all)"
    )
    parser.add_argument(
        "--rope", type=float, default=0.0, help="differences up to this count as none (default 0)"
    )
    parser.add_argument("--prior", type=float, default=1.0, help="lambda (default 1)")
    parser.add_argument(
        "--rho1",
        type=float,
        help="correlation of the folds of a repetition (default: all from 0 to 0.5, averaged)",
    )
    parser.add_argument(
        "--rho2",
        type=float,
        help="correlation of folds of two repetitions (default: all from 0.25 to 0.5, averaged)",
    )
    parser.add_argument(
        "--credibility", type=float, default=0.95, help="of the intervals (default 0.95)"
    )
    parser.add_argument(
        "--method", choices=METHODS, default="quadrature", help="(default quadrature)"
    )
    parser.add_argument(
        "--draws", type=int, default=1_000_000, help="of the Monte Carlo method (default 1000000)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the Monte Carlo method (default 0)")
    parser.add_argument(
        "--sensitivity", action="store_true", help="show the range of P(H0) over rho1 and rho2"
    )
    parser.add_argument(
        "--t-tests", action="store_true", help="show the t and F tests on the same folds"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures as JSON")
    parser.add_argument("--latex", type=Path, metavar="FILE", help="write the table as LaTeX")
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help=f"write the posteriors as {', '.join(FIGURES)}"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Test, write the files that were asked for and print the table."""
    from sigcore.cli._bayes_text import latex_table, report_lines
    from sigcore.io.files import write_text
    from sigcore.io.folds import read_folds

    check_figure("--plot", arguments.plot)
    outputs = {f"--{name}": getattr(arguments, name) for name in ("json", "latex", "plot")}
    check_outputs(outputs, [("FOLDS.tsv", arguments.folds)])
    models = _choose(read_folds(arguments.folds), arguments.models, arguments.folds)
    labels = list(models)
    results = _test(models, arguments)
    ranges = _sensitivity(models, results, arguments) if arguments.sensitivity else []
    others = _other_tests(models, results) if arguments.t_tests else []
    if arguments.plot:
        _write_plot(arguments.plot, models, arguments, [result.measure for result in results])
    if arguments.latex:
        write_text(arguments.latex, latex_table(labels, results))
    if arguments.json:
        _write_json(arguments.json, labels, results, ranges, others)
    for line in report_lines(labels, results, ranges, others):
        print(line)
    return 0


def _choose(
    models: "dict[str, FoldCounts]", wanted: Sequence[str] | None, path: Path
) -> "dict[str, FoldCounts]":
    from sigcore.errors import InputError

    if wanted is None and len(models) != 2:
        todo = "; choose two with `--models A B`" if len(models) > 2 else ", where two are needed"
        raise InputError(
            f"{path}: the table has {counted(len(models), 'model')}, {', '.join(models)}{todo}."
        )
    names = list(wanted or models)
    unknown = [name for name in names if name not in models]
    if len(set(names)) != 2 or len(names) != 2 or unknown:
        raise InputError(
            f"{path}: `--models` must name two different models of the table, which has "
            f"{', '.join(models)}; got {', '.join(names)}."
        )
    return {name: models[name] for name in names}


def _test(
    models: "dict[str, FoldCounts]", arguments: argparse.Namespace
) -> "list[BayesTestResult]":
    from sigcore.bayes.comparison import bayes_test

    measures = [name for name in MEASURES if name in (arguments.measure or MEASURES)]
    return [
        bayes_test(
            *models.values(),
            measure=measure,
            rope=arguments.rope,
            prior=arguments.prior,
            rho1=arguments.rho1,
            rho2=arguments.rho2,
            credibility=arguments.credibility,
            method=arguments.method,
            n_draws=arguments.draws,
            seed=arguments.seed,
        )
        for measure in measures
    ]


def _sensitivity(
    models: "dict[str, FoldCounts]",
    results: "list[BayesTestResult]",
    arguments: argparse.Namespace,
) -> list[dict[str, Any]]:
    from sigcore.bayes.sensitivity import sensitivity

    records = []
    for result in results:
        found = sensitivity(
            *models.values(), measure=result.measure, rope=arguments.rope, prior=arguments.prior
        )
        lowest, highest = found.range_h0
        records.append(
            {
                "measure": result.measure,
                "lowest_h0": lowest,
                "highest_h0": highest,
                "decisions": found.decisions,
            }
        )
    return records


def _other_tests(
    models: "dict[str, FoldCounts]", results: "list[BayesTestResult]"
) -> "list[tuple[str, CrossValidationTest]]":
    from sigcore.bayes.records import fold_tests

    return [
        (result.measure, test)
        for result in results
        for test in fold_tests(*models.values(), measure=result.measure)
    ]


def _write_json(
    path: Path,
    labels: list[str],
    results: "list[BayesTestResult]",
    ranges: list[dict[str, Any]],
    others: "list[tuple[str, CrossValidationTest]]",
) -> None:
    from dataclasses import asdict

    from sigcore.cli._bayes_text import INDEPENDENCE
    from sigcore.io.files import write_json

    content: dict[str, Any] = {
        "model_a": labels[0],
        "model_b": labels[1],
        "tests": [
            result.to_record() | {"flags": result.flags, "reasons": result.reasons}
            for result in results
        ],
        "note": INDEPENDENCE,
    }
    if ranges:
        content["sensitivity"] = ranges
    if others:
        content["other_tests"] = [{"measure": name, **asdict(test)} for name, test in others]
    write_json(path, content)


def _write_plot(
    path: Path, models: "dict[str, FoldCounts]", arguments: argparse.Namespace, measures: list[str]
) -> None:
    from sigcore.plotting.posteriors import posteriors_figure
    from sigcore.plotting.style import figure_style, save

    with figure_style():
        figure = posteriors_figure(
            models,
            measures=measures,
            prior=arguments.prior,
            rho1=arguments.rho1,
            rho2=arguments.rho2,
            credibility=arguments.credibility,
        )
        save(figure, path)
