"""What `sigcore evalb` and `sigcore spans` share: options, tables, remarks."""

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sigcore.cli._output import format_table
from sigcore.wording import counted

if TYPE_CHECKING:
    from sigcore.io.lines import Remark
    from sigcore.parsing.compare import MeasureComparison, ParserComparison
    from sigcore.parsing.many import AllPairs

__all__ = [
    "add_options",
    "all_pairs_lines",
    "comparison_lines",
    "comparison_options",
    "comparison_row",
    "format_pvalue",
    "method_line",
    "print_remarks",
    "sentences_line",
]

# Remarks on one file that are printed; all of them are in the JSON.
_REMARKS_SHOWN = 5
_N_SHUFFLES = 10_000
_UNITS = {"crossing": 1}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the test and of the output."""
    parser.add_argument(
        "--two-sided",
        action="store_true",
        help="count differences in both directions (default: only in the observed one)",
    )
    parser.add_argument(
        "--shuffle",
        type=int,
        nargs="?",
        const=_N_SHUFFLES,
        metavar="N",
        help="sample N random swaps of sentences instead of counting all "
        f"(N is {_N_SHUFFLES} if left out)",
    )
    parser.add_argument("--seed", type=int, default=0, help="of the shuffles (default 0)")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")


def comparison_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options of `compare_parsers` that `add_options` added."""
    shuffled = arguments.shuffle is not None
    return {
        "alternative": "two-sided" if arguments.two_sided else "observed",
        "method": "shuffle" if shuffled else "exact",
        "n_shuffles": arguments.shuffle if shuffled else _N_SHUFFLES,
        "seed": arguments.seed,
    }


def print_remarks(path: Path, remarks: "Sequence[Remark]") -> None:
    """Print what a reader noticed, to standard error."""
    for remark in remarks[:_REMARKS_SHOWN]:
        print(f"{path}:{remark.line}: {remark.text}", file=sys.stderr)
    if len(remarks) > _REMARKS_SHOWN:
        more = counted(len(remarks) - _REMARKS_SHOWN, "further remark")
        print(f"{path}: {more} (--json has all)", file=sys.stderr)


def comparison_lines(result: "ParserComparison") -> list[str]:
    """Return a comparison as text."""
    rows = [comparison_row(entry) for entry in result.measures]
    heads = ["measure", "A", "B", "A - B", "p"]
    return [
        f"A = {result.name_a}, B = {result.name_b}",
        sentences_line(result),
        "",
        format_table(heads, rows),
        "",
        method_line(result),
    ]


def all_pairs_lines(result: "AllPairs") -> list[str]:
    """Return a comparison of all pairs as text: parsers, best first, then pairs."""
    scale = _UNITS.get(result.measure, 100)
    ranked = sorted(zip(result.names, result.values, strict=True), key=lambda entry: entry[1])
    if result.measure != "crossing":
        ranked.reverse()
    values = [[name, f"{scale * value:.2f}"] for name, value in ranked]
    corrected = result.correction != "none"
    pairs = [
        [
            pair.name_a,
            pair.name_b,
            f"{scale * pair.difference:+.2f}",
            format_pvalue(pair.pvalue, pair.log_pvalue),
            *([f"{pair.adjusted:.4g}"] if corrected else []),
        ]
        for pair in result.pairs
    ]
    heads = ["A", "B", "A - B", "p", *([f"p ({result.correction})"] if corrected else [])]
    note = "" if corrected else ", not corrected for their number"
    method = "exact" if result.method == "exact" else "estimated by shuffling"
    return [
        format_table(["parser", _title(result.measure)], values),
        "",
        format_table(heads, pairs, left=2),
        "",
        f"p is {method} and {result.alternative}; {counted(len(pairs), 'pair')}{note}.",
    ]


def format_pvalue(pvalue: float, log_pvalue: float) -> str:
    """Print a p-value, also one that is too small for a float.

    Examples
    --------
    >>> format_pvalue(0.0125, -4.38), format_pvalue(0.0, -2302.585)
    ('0.0125', '1e-1000')
    """
    if pvalue > 0:
        return f"{pvalue:.4g}"
    exponent, mantissa = divmod(log_pvalue / math.log(10), 1)
    return f"{10**mantissa:.3g}e{exponent:.0f}"


def comparison_row(entry: "MeasureComparison") -> list[str]:
    """Return measure, both values, difference and p-value as text."""
    scale = _UNITS.get(entry.measure, 100)
    values = (entry.value_a, entry.value_b)
    return [
        _title(entry.measure),
        *(f"{scale * value:.2f}" for value in values),
        f"{scale * entry.difference:+.2f}",
        format_pvalue(entry.pvalue, entry.log_pvalue),
    ]


def sentences_line(result: "ParserComparison") -> str:
    """Say which sentences entered."""
    text = counted(result.n_sentences, "sentence")
    if result.cutoff is not None:
        text += f" of up to {result.cutoff} tokens, {result.n_too_long} longer left out"
    if result.not_scored:
        labels = ", ".join(result.not_scored[:10]) + (
            ", ..." if len(result.not_scored) > 10 else ""
        )
        text += (
            f"; {len(result.not_scored)} without a score for A or B ({labels}), "
            f"{result.n_dropped} of them dropped"
        )
    return text + "."


def method_line(result: "ParserComparison") -> str:
    """Say how the p-values were found."""
    sides = dict.fromkeys(entry.alternative for entry in result.measures)
    side = "two-sided" if "two-sided" in sides else "one-sided, towards the observed difference"
    if result.method == "exact":
        return f"p is exact (all swaps of sentences) and {side}."
    source = "printed percentages" if result.rounded else "counts"
    return (
        f"p is estimated from {result.n_shuffles} shuffles of {source} with seed {result.seed}, "
        f"(extreme + 1) / (shuffles + 1), and {side}."
    )


def _title(measure: str) -> str:
    from sigcore.parsing.ranking import measure_title

    return f"{measure_title(measure)} ({'mean' if measure in _UNITS else '%'})"
