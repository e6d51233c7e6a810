"""`sigcore pairs`: every pair of many systems, on one dataset or several."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sigcore.cli._pair_files import write_heatmaps, write_pairs
from sigcore.cli.compare import ALTERNATIVES, KINDS, TESTS
from sigcore.errors import DataFileError, InputError

if TYPE_CHECKING:
    from sigcore.comparison.pairs import PairsResult
    from sigcore.io.paired import ScoreTable

__all__ = ["add_parser"]

_DESCRIPTION = """\
Test every pair of systems, correct for the number of pairs, and group the systems into clusters.

A file has the scores of all systems on the same items: a column a system, a row a system, a row a
score (columns system, segment and score), or lines of system and score in the order of the items.
Several files are several datasets or metrics: with --replicability the pairs are tested one-sided
and the report counts on how many datasets one system beats the other.

With --texts the files are translations, one segment a line, and systems are compared by corpus
BLEU, chrF or TER: the segments of two systems are swapped at random and the score is computed anew.
"""
CORRECTIONS = ("none", "bonferroni", "holm", "bh", "maxt")
FORMATS = ("text", "markdown", "latex", "json")
TEXT_METRICS = ("bleu", "chrf", "ter")
# Options that go with one kind of input only, and their values when they are not given.
_SCORES_ONLY: dict[str, Any] = {
    "test": None,
    "layout": "auto",
    "exclude": [],
    "missing": "refuse",
    "smaller_is_better": False,
    "unit_size": 1,
    "shuffle_seed": None,
    "bootstrap": None,
    "wilcoxon_zeros": None,
    "replicability": None,
}
_TEXTS_ONLY: dict[str, Any] = {"metric": None, "target_language": ""}
LAYOUTS = ("auto", "columns", "rows", "long", "segments")


def add_parser(subcommands: Any) -> None:
    """Add the `pairs` subcommand."""
    parser = subcommands.add_parser(
        "pairs",
        help="test all pairs of many systems, corrected for their number",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("scores", nargs="+", type=Path, metavar="SCORES", help="table of scores")
    _add_reading(parser)
    _add_testing(parser)
    _add_texts(parser)
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="text",
        help="of the report (default text); latex needs the packages booktabs, tabularx and array",
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the report to a file")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write all pairs as a table")
    parser.add_argument(
        "--heatmap", type=Path, metavar="FILE", help="draw the corrected p-values, one a dataset"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Test, print the report and write the files that were asked for."""
    _refuse_idle_options(arguments)
    if arguments.texts:
        results = {arguments.metric or "bleu": _test_texts(arguments)}
    else:
        results = {name: _test(table, arguments) for name, table in _read(arguments).items()}
    text = _render(results, arguments)
    if arguments.output:
        from sigcore.io.files import write_text

        write_text(arguments.output, text)
    else:
        print(text, end="")
    if arguments.csv:
        write_pairs(arguments.csv, results)
    if arguments.heatmap:
        write_heatmaps(arguments.heatmap, results)
    return 0


def _add_reading(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("reading")
    group.add_argument("--layout", choices=LAYOUTS, default="auto")
    group.add_argument("--system-column", default="system", help="in a long table (system)")
    group.add_argument("--item-column", default="segment", help="in a long table (segment)")
    group.add_argument("--score-column", default="score", help="in a long table (score)")
    group.add_argument("--exclude", nargs="+", default=[], metavar="SYSTEM")
    group.add_argument(
        "--missing",
        choices=("refuse", "pairwise", "listwise"),
        default="refuse",
        help="items without a score: an error (default), left out of a pair, or of all pairs",
    )
    group.add_argument("--smaller-is-better", action="store_true", help="turn the scores round")
    group.add_argument("--unit-size", type=int, default=1, metavar="M", help="items in a unit")
    group.add_argument("--unit-statistic", choices=("mean", "median"), default="mean")
    group.add_argument("--unit-remainder", choices=("drop", "short", "spread"), default="drop")
    group.add_argument("--shuffle-seed", type=int, metavar="SEED", help="shuffle the items first")


def _add_testing(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("testing")
    group.add_argument("--test", choices=TESTS, help="(default wilcoxon)")
    group.add_argument("--alternative", choices=ALTERNATIVES, help="(default two-sided)")
    group.add_argument("--correction", choices=CORRECTIONS, default="holm")
    group.add_argument("--alpha", type=float, default=0.05, help="level (0.05)")
    group.add_argument("--clusters", choices=("all-pairs", "greedy"), default="all-pairs")
    group.add_argument("--n-resamples", "--resamples", type=int, default=9999)
    group.add_argument("--seed", type=int, default=0)
    group.add_argument("--bootstrap", choices=KINDS, help="kind of a bootstrap test")
    group.add_argument("--wilcoxon-zeros", choices=("wilcox", "pratt", "zsplit"))
    group.add_argument(
        "--replicability",
        choices=("bonferroni", "fisher"),
        help="count on how many datasets a system is better, by this combination of p-values",
    )


def _add_texts(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("texts")
    group.add_argument(
        "--texts",
        action="append",
        type=Path,
        metavar="REFERENCE",
        help="compare translations with this reference; give it again for a second one",
    )
    group.add_argument("--metric", choices=TEXT_METRICS, help="(default bleu)")
    group.add_argument(
        "--target-language", default="", metavar="LANGUAGE", help="for the tokeniser of BLEU"
    )


def _refuse_idle_options(arguments: argparse.Namespace) -> None:
    """Refuse options that would change nothing."""
    test = arguments.test or "wilcoxon"
    kinds = {
        "--texts": (_SCORES_ONLY if arguments.texts else {}, "goes without"),
        "scores": ({} if arguments.texts else _TEXTS_ONLY, "go without"),
        f"the test {test!r}": (
            ({} if test.startswith("bootstrap") else {"bootstrap": None})
            | ({} if test == "wilcoxon" else {"wilcoxon_zeros": None}),
            "goes without",
        ),
    }
    if arguments.replicability and arguments.alternative not in (None, "greater"):
        raise InputError("`--replicability` asks who is better: `--alternative` must be greater.")
    for what, (defaults, verb) in kinds.items():
        for name, default in defaults.items():
            if getattr(arguments, name) != default:
                raise InputError(
                    f"{what} {verb} `--{name.replace('_', '-')}`, which has no effect."
                )


def _read(arguments: argparse.Namespace) -> "dict[str, ScoreTable]":
    """Read the tables and leave out the systems that are not wanted."""
    from sigcore.io.paired import read_score_table

    tables = {
        name: read_score_table(
            path,
            layout=arguments.layout,
            system_column=arguments.system_column,
            item_column=arguments.item_column,
            score_column=arguments.score_column,
        )
        for name, path in _datasets(arguments.scores).items()
    }
    for system in arguments.exclude:
        if not any(system in table.names for table in tables.values()):
            raise InputError(f"`--exclude` must name systems of the tables; got {system!r}.")
    kept = {name: table.without(arguments.exclude) for name, table in tables.items()}
    if arguments.missing == "refuse":
        for name, path in _datasets(arguments.scores).items():
            if gaps := kept[name].n_missing:
                plural = "" if gaps == 1 else "s"
                choice = "choose --missing pairwise or listwise, or fill the table"
                raise DataFileError(path, f"lacks {gaps} score{plural}; {choice}.")
    return kept


def _datasets(paths: list[Path]) -> dict[str, Path]:
    """Name each file by its stem, or by its path where stems repeat."""
    stems = [path.stem for path in paths]
    names = stems if len(set(stems)) == len(stems) else [str(path) for path in paths]
    if len(set(names)) < len(names):
        raise InputError("a file of scores was given twice.")
    return dict(zip(names, paths, strict=True))


def _test(table: "ScoreTable", arguments: argparse.Namespace) -> "PairsResult":
    from sigcore.comparison.pairs import compare_pairs

    return compare_pairs(
        -table.scores if arguments.smaller_is_better else table.scores,
        table.names,
        test=arguments.test or "wilcoxon",
        alternative=arguments.alternative
        or ("greater" if arguments.replicability else "two-sided"),
        correction=arguments.correction,
        alpha=arguments.alpha,
        missing=arguments.missing,
        cluster_rule=arguments.clusters,
        unit_size=arguments.unit_size,
        unit_statistic=arguments.unit_statistic,
        unit_remainder=arguments.unit_remainder,
        shuffle_seed=arguments.shuffle_seed,
        options=_options(arguments),
    )


def _test_texts(arguments: argparse.Namespace) -> "PairsResult":
    """Compare translations by a corpus-level score."""
    from sigcore.comparison.text_pairs import compare_texts
    from sigcore.io.lines import read_lines

    files = _datasets(arguments.scores)
    texts = {path: read_lines(path) for path in (*arguments.texts, *files.values())}
    first = arguments.texts[0]
    for path, lines in texts.items():
        if len(lines) != len(texts[first]):
            raise DataFileError(path, f"has {len(lines)} lines, {first} has {len(texts[first])}.")
    return compare_texts(
        [texts[path] for path in files.values()],
        [texts[path] for path in arguments.texts],
        tuple(files),
        metric=arguments.metric or "bleu",
        target_language=arguments.target_language,
        alternative=arguments.alternative or "two-sided",
        correction=arguments.correction,
        alpha=arguments.alpha,
        cluster_rule=arguments.clusters,
        n_resamples=arguments.n_resamples,
        seed=arguments.seed,
    )


def _options(arguments: argparse.Namespace) -> Any:
    from sigcore.comparison.significance import SignificanceOptions

    given = {
        "bootstrap_mean": arguments.bootstrap,
        "bootstrap_median": arguments.bootstrap,
        "wilcoxon_zeros": arguments.wilcoxon_zeros,
    }
    return SignificanceOptions(
        n_resamples=arguments.n_resamples,
        seed=arguments.seed,
        **{name: value for name, value in given.items() if value is not None},
    )


def _render(results: "Mapping[str, PairsResult]", arguments: argparse.Namespace) -> str:
    from sigcore.comparison.datasets import replicate_pairs
    from sigcore.comparison.pairs_reporting import pairs_record, pairs_report

    counts = None
    if arguments.replicability:
        counts = replicate_pairs(
            results, alpha=arguments.alpha, combination=arguments.replicability
        )
    if arguments.format == "json":
        from sigcore.io.files import to_json

        record: dict[str, Any] = {
            "datasets": {name: pairs_record(result) for name, result in results.items()}
        }
        if counts is not None:
            record["replicability"] = counts.to_records()
        return to_json(record, indent=2) + "\n"
    return pairs_report(results, replicability=counts, form=arguments.format)
