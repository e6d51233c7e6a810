"""`sigcore bcv`: cut a corpus into balanced folds, and train and validate models on them."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sigcore.cli._output import format_table
from sigcore.wording import counted, listed

if TYPE_CHECKING:
    from sigcore.bayes.corpus import TaggedCorpus

__all__ = ["add_parser"]

# The library is imported when the command runs: the parser is built for every subcommand.
SCHEMES = ("iob1", "iob2", "iobes", "bilou", "bmes", "bb2b3mes")
TAG_SETS = ("iob2", "iobes", "bmes", "bb2b3mes")
UNITS = ("types", "tags", "length")

_SPLIT = """\
Cut a corpus into the folds of an m x 2 block-regularised cross-validation.

m times the corpus is cut into halves that have equally many sentences, chunks, chunks of each type
and tokens, as nearly as can be. OUT/partition.tsv says for each sentence and repetition the fold
that validates it, OUT/balance.tsv how far the halves differ.
"""
_RUN = """\
Train and validate models on the folds of a partition and count the chunks they find.

OUT/folds.tsv has the counts, as `sigcore bayes` reads them; OUT/predictions the predicted tags, in
the last column after the true ones. What an earlier run left of these models is removed first. A
model is one of

  --model NAME crf:TAGSET     the built-in conditional random field; TAGSET is iob2, iobes, bmes
                              or bb2b3mes
  --model NAME COMMAND ...    your own, run for each fold, one command after another

In a command {train} and {validate} stand for the halves: columns parted by tabs, a blank line after
each sentence; the tag is the last column of {train}, {validate} has none. {model} is a path for
your model and {fold} the name of the fold. {output} is the file to write: a line with a tag for
each token (in the last column), a blank line after each sentence; without {output} it is what the
last command prints. Commands are run without a shell. With --shell the paths are quoted already:
no quotation marks around them.

  sigcore bcv run corpus.conll --partition folds/partition.tsv --out folds \\
    --model IOB2 crf:iob2 --model mine "learn {train} {model}" "tag {model} {validate}"
"""


def add_parser(subcommands: Any) -> None:
    """Add `sigcore bcv` with its commands."""
    parser = subcommands.add_parser(
        "bcv", help="m x 2 block-regularised cross-validation of taggers on a corpus"
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_simulate(commands)
    _add_split(commands)
    _add_run(commands)


def _add_simulate(commands: Any) -> None:
    parser = commands.add_parser(
        "simulate",
        help="write a simulated corpus with named entities",
        description="Write a simulated corpus: word, part of speech, and IOB2 tag of PER, LOC, ORG "
        "and MISC. The same seed gives the same bytes.",
    )
    parser.add_argument("out", type=Path, metavar="FILE", help="the corpus to be")
    parser.add_argument("--sentences", type=int, default=500, help="(default: 500)")
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: 0)")
    parser.set_defaults(run=_simulate)


def _add_split(commands: Any) -> None:
    parser = commands.add_parser(
        "split",
        help="cut a corpus into balanced folds",
        description=_SPLIT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_corpus(parser)
    parser.add_argument(
        "--balance",
        nargs="+",
        choices=UNITS,
        default=["types", "length"],
        help="what the halves have equally many of, besides chunks (default: types length)",
    )
    parser.add_argument(
        "--repetitions", type=int, default=3, metavar="M", help="repetitions (default: 3)"
    )
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: 0)")
    parser.add_argument(
        "--files",
        choices=TAG_SETS,
        metavar="TAGSET",
        help="also write the halves of each fold to OUT/repR-foldF, with tags of this set: "
        f"{', '.join(TAG_SETS)}",
    )
    parser.set_defaults(run=_split)


def _add_run(commands: Any) -> None:
    parser = commands.add_parser(
        "run",
        help="train and validate models on the folds",
        description=_RUN,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_corpus(parser)
    parser.add_argument(
        "--partition",
        type=Path,
        metavar="FILE",
        help="what `sigcore bcv split` wrote (default: OUT/partition.tsv)",
    )
    parser.add_argument(
        "--model",
        nargs="+",
        action="append",
        required=True,
        metavar=("NAME", "SPEC"),
        help="a model, see above; the first one is the baseline",
    )
    parser.add_argument(
        "--tags", choices=TAG_SETS, default="iob2", help="tags for commands (default: iob2)"
    )
    parser.add_argument("--shell", action="store_true", help="run commands by a shell")
    parser.add_argument("--keep", action="store_true", help="keep the files of commands and models")
    group = parser.add_argument_group("built-in conditional random field")
    group.add_argument(
        "--features",
        type=int,
        nargs="+",
        default=[],
        metavar="COLUMN",
        help="columns that give features, from 0, not counting the tag (default: the first two)",
    )
    group.add_argument("--window", type=int, default=2, help="tokens on either side (default: 2)")
    group.add_argument("--l2", type=float, default=1.0, help="regularisation (default: 1)")
    group.add_argument("--max-iterations", type=int, default=1000, help="(default: 1000)")
    parser.set_defaults(run=_run)


def _add_corpus(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("corpus", type=Path, metavar="CORPUS", help="columns, one token a line")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="results go here")
    parser.add_argument(
        "--tag-column", type=int, default=-1, metavar="N", help="from 0 (default: -1, the last)"
    )
    parser.add_argument("--scheme", choices=SCHEMES, default="iob2", help="(default: iob2)")
    parser.add_argument("--types", nargs="+", default=[], help="chunks of these types only")
    parser.add_argument(
        "--untyped", action="store_true", help="find boundaries of chunks, not their types"
    )


def _simulate(args: argparse.Namespace) -> int:
    from sigcore.bayes.corpus_simulation import simulate_corpus
    from sigcore.io.corpora import write_corpus

    corpus = simulate_corpus(args.sentences, seed=args.seed)
    write_corpus(args.out, corpus, tags=[corpus.tags("iob2")])
    print(f"{args.out}: {_size(corpus)}")
    return 0


def _split(args: argparse.Namespace) -> int:
    from sigcore.bayes.corpus import partition_corpus
    from sigcore.cli._bcv_files import check_split, clear_split, read_corpus_of
    from sigcore.io.partitions import (
        balance_records,
        check_corpus,
        format_partition,
        write_balance,
        write_halves,
        write_partition,
    )

    corpus = read_corpus_of(args)
    check_corpus(args.corpus, corpus, n_repetitions=args.repetitions)
    partition = partition_corpus(
        corpus, units=args.balance, n_repetitions=args.repetitions, seed=args.seed
    )
    check_split(args, partition.folds())
    removed = clear_split(args.out, format_partition(corpus, partition))
    if removed:
        names = listed([str(path.relative_to(args.out)) for path in removed])
        print(f"note: removed what was of another partition: {names}", file=sys.stderr)
    write_partition(args.out / "partition.tsv", corpus, partition)
    write_balance(args.out / "balance.tsv", partition)
    if args.files:
        for fold in partition.folds():
            write_halves(args.out, corpus, fold, tag_set=args.files)
    print(f"{args.corpus}: {_size(corpus)}; {args.repetitions} x 2 folds")
    print(_balance_table(balance_records(partition)))
    print(f"{args.out / 'partition.tsv'}: the folds")
    for name in partition.unbalanced_units:
        print(f"note: the halves differ in {name} by more than the bound.", file=sys.stderr)
    return 0


def _run(args: argparse.Namespace) -> int:
    from sigcore.cli._bcv_run import run

    return run(args)


def _size(corpus: "TaggedCorpus") -> str:
    return (
        f"{counted(corpus.n_sentences, 'sentence')}, {counted(corpus.n_tokens, 'token')}, "
        f"{counted(corpus.n_chunks, 'chunk')}"
    )


def _balance_table(records: Sequence[dict[str, Any]]) -> str:
    heads = ["unit", "total", "largest difference of halves", "share", "bound"]
    rows = [
        [
            record["unit"],
            f"{record['total']:g}",
            f"{record['largest_difference']:g}",
            f"{record['share']:.2%}",
            f"{record['bound']:g}" + ("" if record["balanced"] else " (exceeded)"),
        ]
        for record in records
    ]
    return format_table(heads, rows)
