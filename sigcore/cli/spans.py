"""`sigcore spans`: is one tagger or parser better than another? From annotated files."""

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sigcore.cli._output import format_table
from sigcore.cli._parsing import (
    add_options,
    all_pairs_lines,
    comparison_options,
    comparison_row,
    method_line,
    print_remarks,
    sentences_line,
)
from sigcore.cli._span_files import MEASURES, WORD_MEASURES, SpanInput, View, add_format, read_input

if TYPE_CHECKING:
    from sigcore.parsing.compare import ParserComparison

__all__ = ["add_parser"]

# The library is imported when the command runs: the parser is built for every subcommand.
MAIN_MEASURES = ("f1", "accuracy")  # what many systems are compared by unless asked otherwise
CORRECTIONS = ("holm", "bonferroni", "bh", "none")


def add_parser(subcommands: Any) -> None:
    """Add the `spans` subcommand."""
    parser = subcommands.add_parser(
        "spans",
        help="compare taggers and dependency parsers from annotated files",
        description="Test whether systems differ in precision, recall and F1 of spans (names, "
        "chunks, words), or in accuracy of tags, heads and relations (CoNLL-U). More than two "
        "systems are compared in all pairs, two-sided, with correction.",
    )
    parser.add_argument("gold", type=Path, metavar="GOLD", help="gold standard")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="output of a system")
    add_format(parser)
    parser.add_argument(
        "--measure",
        action="append",
        choices=(*MEASURES, *WORD_MEASURES),
        help="may be repeated; upos, xpos, uas and las are for CoNLL-U (default: all)",
    )
    parser.add_argument(
        "--by-type", action="store_true", help="also each type of span by itself, two-sided"
    )
    parser.add_argument(
        "--correction",
        choices=CORRECTIONS,
        default="holm",
        help="of p-values of types, and of pairs of more than two systems (default holm)",
    )
    add_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read the files, compare and print."""
    from sigcore.errors import InputError

    if len(arguments.files) < 2:
        raise InputError(f"two systems or more are needed; got {len(arguments.files)}.")
    data = read_input(arguments)
    compare = _compare_two if len(arguments.files) == 2 else _compare_all
    lines, results = compare(data.views, arguments)
    _print(data, lines, results, arguments)
    return 0


def _compare_two(
    views: list[View], arguments: argparse.Namespace
) -> tuple[list[str], list[dict[str, Any]]]:
    from sigcore.parsing.compare import compare_parsers

    options = comparison_options(arguments)
    # A correction holds its level only if the data did not choose the side.
    if arguments.by_type:
        options["alternative"] = "two-sided"
    results = [compare_parsers(*view.scores, measures=view.measures, **options) for view in views]
    adjusted = _correct_types(results[1:], arguments.correction) if arguments.by_type else []
    heads = ["", "measure", "A", "B", "A - B", "p"]
    rows = [
        [view.title, *comparison_row(entry)]
        for view, result in zip(views, results, strict=True)
        for entry in result.measures
    ]
    if adjusted and arguments.correction != "none":
        heads.append(f"p ({arguments.correction})")
        cells = [""] * len(results[0].measures)
        cells += [f"{value:.4g}" for values in adjusted for value in values.values()]
        rows = [[*row, cell] for row, cell in zip(rows, cells, strict=True)]
    lines = [
        f"A = {results[0].name_a}, B = {results[0].name_b}",
        sentences_line(results[0]),
        "",
        format_table(heads, rows, left=2),
        "",
        method_line(results[0]),
    ]
    return lines, _titled(views, results, [{}, *adjusted])


def _correct_types(
    results: "Sequence[ParserComparison]", correction: str
) -> list[dict[str, float]]:
    """Return corrected p-values of each type, each measure corrected by itself."""
    from sigcore.comparison.multiplicity import adjust_pvalues

    adjusted: list[dict[str, float]] = [{} for _ in results]
    for place in range(len(results[0].measures) if results else 0):
        pvalues = [result.measures[place].pvalue for result in results]
        corrected = adjust_pvalues(pvalues, method=correction).tolist()
        for values, result, value in zip(adjusted, results, corrected, strict=True):
            values[result.measures[place].measure] = value
    return adjusted


def _compare_all(
    views: list[View], arguments: argparse.Namespace
) -> tuple[list[str], list[dict[str, Any]]]:
    from sigcore.parsing.many import compare_all

    options = comparison_options(arguments) | {"alternative": "two-sided"}
    lines: list[str] = []
    shown, results = [], []
    for view in views:
        for measure in view.measures:
            if not arguments.measure and measure not in MAIN_MEASURES:
                continue
            result = compare_all(
                view.scores, measure=measure, correction=arguments.correction, **options
            )
            lines += ["", f"{view.title}:", "", *all_pairs_lines(result)]
            shown.append(view)
            results.append(result)
    return lines[1:], _titled(shown, results)


def _titled(
    views: Sequence[View], results: Sequence[Any], adjusted: Sequence[dict[str, float]] = ()
) -> list[dict[str, Any]]:
    records = []
    for index, (view, result) in enumerate(zip(views, results, strict=True)):
        record = {"part": view.title} | asdict(result)
        if index < len(adjusted) and adjusted[index]:
            record["adjusted"] = adjusted[index]
        records.append(record)
    return records


def _print(
    data: SpanInput, lines: list[str], results: list[dict[str, Any]], arguments: argparse.Namespace
) -> None:
    from sigcore.io.files import to_json

    if arguments.json:
        about = [
            {"path": path, "remarks": [asdict(remark) for remark in remarks]}
            for path, remarks in data.remarks
        ]
        print(to_json({"files": about, "results": results}, indent=2))
        return
    for path, remarks in data.remarks:
        print_remarks(path, remarks)
    print("\n".join(lines))
