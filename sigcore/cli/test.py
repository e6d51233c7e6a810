"""`sigcore test`: is the difference between two systems real? From scores or counts."""

import argparse
from collections.abc import Sequence
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sigcore.cli._outcome import Outcome, meaning, report_lines
from sigcore.errors import DataFileError, InputError

if TYPE_CHECKING:
    from sigcore.io.counts import PairedCounts, SystemCounts

__all__ = ["add_parser"]

_DESCRIPTION = """\
Test whether two systems differ, by swapping their results on each item (paired permutation test).

Scores: two files with one score a line, or one file with two columns; blanks, tabs or commas
separate columns, and the first line may name them. Larger is better. Where a column names the
items ("id", "segment", or texts before the scores), the rows of two files are matched by it;
--columns says which columns have the scores if there are others too.

Counts, with --measure: columns tp, fp and fn of each item (correct and total for accuracy), in a
file for each system or in one file with A's columns before B's; a header may name them.

The p-value is exact wherever it can be; the table says how it was found and how accurate it is.
"""
# The library is imported when the command runs: the parser is built for every subcommand.
MEASURES = ("f1", "precision", "recall", "accuracy")
SCORE_METHODS = ("auto", "exact", "enumerate", "fft", "dp", "analytic", "monte-carlo")
COUNT_METHODS = ("auto", "exact", "enumerate", "dp", "fourier", "monte-carlo")
ALTERNATIVES = ("two-sided", "greater", "less")
ESTIMATORS = ("plus-one", "plain")
TIES = ("ge", "mid")


def add_parser(subcommands: Any) -> None:
    """Add `sigcore test`."""
    parser = subcommands.add_parser(
        "test",
        help="test whether two systems differ (exact paired permutation test)",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("first", type=Path, metavar="A", help="results of A, or of A and B")
    parser.add_argument("second", type=Path, nargs="?", metavar="B", help="results of B")
    parser.add_argument(
        "--measure", choices=MEASURES, help="the files hold counts; compare this measure"
    )
    parser.add_argument(
        "--columns",
        nargs="+",
        default=(),
        metavar="NAME",
        help="columns of the scores, by name or number from 1, where there are others too",
    )
    parser.add_argument(
        "--alternative",
        choices=ALTERNATIVES,
        default="two-sided",
        help="greater: A is better than B (default two-sided)",
    )
    parser.add_argument(
        "--drop-missing", action="store_true", help="leave out items without both scores"
    )
    parser.add_argument(
        "--method",
        choices=tuple(dict.fromkeys(SCORE_METHODS + COUNT_METHODS)),
        default="auto",
        help="default auto: exact; fft and analytic are for scores, fourier for counts",
    )
    parser.add_argument(
        "--ties",
        choices=TIES,
        default="ge",
        help="results equal to the observed one count in full (ge, default) or half (mid)",
    )
    parser.add_argument(
        "--blocks",
        type=Path,
        metavar="FILE",
        help="a label an item, one a line in the order of A (items without both scores included); "
        "items of a label (a document) swap together",
    )
    parser.add_argument(
        "--delta", type=float, default=0.0, help="mean of A - B under the null hypothesis"
    )
    _add_monte_carlo(parser)
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read, test and print."""
    outcome = _test_scores(arguments) if arguments.measure is None else _test_counts(arguments)
    if not arguments.json:
        print("\n".join(report_lines(outcome)))
        return 0
    from sigcore.io.files import to_json

    record = outcome.result.to_record() | {
        "system_a": outcome.names[0],
        "system_b": outcome.names[1],
        "value_a": outcome.values[0],
        "value_b": outcome.values[1],
        "measure": outcome.measure,
        "n": outcome.n_items,
        "n_blocks": outcome.n_blocks,
        "n_missing": outcome.n_missing,
        "meaning": meaning(outcome),
    }
    print(to_json(record, indent=2))
    return 0


def _add_monte_carlo(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("Monte Carlo")
    group.add_argument(
        "--resamples",
        "--n-resamples",
        type=int,
        default=10_000,
        metavar="K",
        help="draws (default 10000)",
    )
    group.add_argument("--seed", type=int, default=0, help="default 0")
    group.add_argument(
        "--estimator",
        choices=ESTIMATORS,
        default="plus-one",
        help="(count + 1) / (K + 1) (default), or count / K",
    )


def _test_scores(arguments: argparse.Namespace) -> Outcome:
    from sigcore.io.paired import read_pair
    from sigcore.permutation.paired import paired_permutation_test

    _require_method(arguments.method, SCORE_METHODS, "scores")
    scores = read_pair(
        arguments.first,
        arguments.second,
        columns=arguments.columns,
        drop_missing=arguments.drop_missing,
    )
    labels = _read_blocks(arguments.blocks, len(scores.kept))
    result = paired_permutation_test(
        scores.u,
        scores.v,
        alternative=arguments.alternative,
        method=arguments.method,
        ties=arguments.ties,
        blocks=None if labels is None else list(compress(labels, scores.kept)),
        delta=arguments.delta,
        n_resamples=arguments.resamples,
        seed=arguments.seed,
        estimator=arguments.estimator,
    )
    step = result.grid_step
    return Outcome(
        result,
        scores.names,
        "mean score",
        (float(scores.u.mean()), float(scores.v.mean())),
        result.n,
        result.n_blocks,
        delta=result.delta,
        grid="none (real values)" if step is None else f"steps of {step:.6g}",
        n_missing=scores.n_missing,
    )


def _test_counts(arguments: argparse.Namespace) -> Outcome:
    from sigcore.io.counts import read_paired_counts
    from sigcore.permutation.prf import prf_permutation_test

    _refuse_score_options(arguments)
    _require_method(arguments.method, COUNT_METHODS, "counts")
    counts = read_paired_counts(arguments.first, arguments.second, measure=arguments.measure)
    labels = _read_blocks(arguments.blocks, counts.n_items)
    a, b = (counts.a, counts.b) if labels is None else _sum_blocks(counts, labels)
    result = prf_permutation_test(
        a,
        b,
        measure=arguments.measure,
        alternative=arguments.alternative,
        method=arguments.method,
        ties=arguments.ties,
        n_resamples=arguments.resamples,
        seed=arguments.seed,
    )
    return Outcome(
        result,
        counts.names,
        arguments.measure,
        (result.value_a, result.value_b),
        counts.n_items,
        None if labels is None else result.n,
    )


def _refuse_score_options(arguments: argparse.Namespace) -> None:
    """Refuse what is for scores only, rather than pass over it."""
    defaults = {"columns": (), "delta": 0.0, "estimator": "plus-one", "drop-missing": False}
    for option, default in defaults.items():
        if getattr(arguments, option.replace("-", "_")) != default:
            raise InputError(f"`--{option}` is for scores; it has no meaning with `--measure`.")


def _require_method(method: str, choices: Sequence[str], data: str) -> None:
    if method not in choices:
        raise InputError(
            f"`--method {method}` is not for {data}; choose one of {', '.join(choices)}."
        )


def _read_blocks(path: Path | None, n_items: int) -> list[str] | None:
    from sigcore.io.lines import read_lines

    if path is None:
        return None
    labels = [line.strip() for line in read_lines(path)]
    while labels and not labels[-1]:
        labels.pop()
    if "" in labels:
        raise DataFileError(
            path, "expected a label; found an empty line.", line=labels.index("") + 1
        )
    if len(labels) != n_items:
        raise DataFileError(
            path,
            f"expected a label for each of {n_items} items; found {len(labels)}.",
            line=min(len(labels), n_items) + 1,
        )
    return labels


def _sum_blocks(
    counts: "PairedCounts", labels: Sequence[str]
) -> "tuple[SystemCounts, SystemCounts]":
    """Add up the counts of each block: a block that swaps as a whole is one item."""
    import numpy as np

    names, codes = np.unique(np.array(labels), return_inverse=True)
    systems = []
    for system in (counts.a, counts.b):
        sums = {name: np.zeros(len(names), dtype=np.int64) for name in system}
        for name, values in system.items():
            np.add.at(sums[name], codes, values)
        systems.append(sums)
    return systems[0], systems[1]
