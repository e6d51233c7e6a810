"""`sigcore evalb`: is one parser better than another? From the outputs of evalb."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sigcore.cli._parsing import (
    add_options,
    all_pairs_lines,
    comparison_lines,
    comparison_options,
    print_remarks,
)

if TYPE_CHECKING:
    from sigcore.io.evalb import EvalbFile

__all__ = ["add_parser"]

# The library is imported when the command runs: the parser is built for every subcommand.
MEASURES = ("recall", "precision", "f1", "complete_match", "crossing")
NOT_SCORED = ("drop", "fail", "keep")
CORRECTIONS = ("holm", "bonferroni", "bh", "none")


def add_parser(subcommands: Any) -> None:
    """Add the `evalb` subcommand."""
    parser = subcommands.add_parser(
        "evalb",
        help="compare parsers from their evalb outputs",
        description="Test whether parsers differ in recall, precision, F1, complete match and "
        "crossing brackets, exactly or by stratified shuffling (Bikel's comparator). More than "
        "two files are compared in all pairs, two-sided, with correction.",
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="output of evalb")
    parser.add_argument(
        "--measure", action="append", choices=MEASURES, help="may be repeated (default: all)"
    )
    parser.add_argument("--cutoff", type=int, metavar="N", help="use sentences of up to N tokens")
    parser.add_argument(
        "--not-scored",
        choices=NOT_SCORED,
        default="drop",
        help="sentences with an error or without a tree in one of the files: drop them for both "
        "(default), let that parser fail, or keep them for the other parser only",
    )
    parser.add_argument(
        "--original",
        action="store_true",
        help="as Bikel's script: shuffle printed percentages, keep sentences without a score",
    )
    parser.add_argument(
        "--correction",
        choices=CORRECTIONS,
        default="holm",
        help="of p-values of more than two parsers (default holm)",
    )
    parser.add_argument(
        "--no-verify",
        action="store_true",
        help="do not check percentages, totals and summary of the files",
    )
    add_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read the files, compare and print."""
    from sigcore.errors import InputError
    from sigcore.io.evalb import read_evalb
    from sigcore.io.parsers import short_names

    if len(arguments.files) < 2:
        raise InputError(f"two files or more are needed; got {len(arguments.files)}.")
    names = short_names(arguments.files)
    files = [
        read_evalb(path, name=name, verify=not arguments.no_verify)
        for path, name in zip(arguments.files, names, strict=True)
    ]
    if len(files) == 2:
        _compare_two(files, arguments)
    else:
        _compare_all(files, arguments)
    return 0


def _compare_two(files: "list[EvalbFile]", arguments: argparse.Namespace) -> None:
    from dataclasses import asdict

    from sigcore.parsing.compare import compare_parsers

    options = comparison_options(arguments)
    if arguments.original:
        options |= {"method": "shuffle", "rounded": True}
    result = compare_parsers(
        *(file.scores for file in files),
        measures=arguments.measure,
        cutoff=arguments.cutoff,
        not_scored="keep" if arguments.original else arguments.not_scored,
        **options,
    )
    _print(files, comparison_lines(result), asdict(result), arguments)


def _compare_all(files: "list[EvalbFile]", arguments: argparse.Namespace) -> None:
    from dataclasses import asdict

    from sigcore.errors import InputError
    from sigcore.parsing.many import compare_all

    if arguments.original:
        raise InputError("`--original` compares two files only, as Bikel's script does.")
    options = comparison_options(arguments) | {"alternative": "two-sided"}
    results = [
        compare_all(
            [file.scores for file in files],
            measure=measure,
            cutoff=arguments.cutoff,
            not_scored=arguments.not_scored,
            correction=arguments.correction,
            **options,
        )
        for measure in arguments.measure or ("f1",)
    ]
    lines = [line for result in results for line in ("", *all_pairs_lines(result))]
    _print(files, lines[1:], [asdict(result) for result in results], arguments)


def _print(
    files: "list[EvalbFile]", lines: list[str], result: Any, arguments: argparse.Namespace
) -> None:
    from dataclasses import asdict

    from sigcore.io.files import to_json

    if not arguments.json:
        for file in files:
            print_remarks(file.path, file.remarks)
        print("\n".join(lines))
        return
    about = [
        {
            "path": file.path,
            "name": file.scores.name,
            "n_sentences": file.scores.n_sentences,
            "complete": file.complete,
            "not_scored": [asdict(remark) for remark in file.not_scored],
            "remarks": [asdict(remark) for remark in file.remarks],
        }
        for file in files
    ]
    print(to_json({"files": about, "result": result}, indent=2))
