"""`sigcore bcv run`: the models of a call, trained and validated fold by fold."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tqdm import tqdm

from sigcore.bayes.corpus import TaggedCorpus
from sigcore.bayes.crossvalidation import ChunkModel, CrfModel, FoldRun, fold_name, run_fold
from sigcore.bayes.partition import Fold
from sigcore.bayes.tagger import TaggerSettings, check_columns
from sigcore.cli._bcv_files import check_run, read_corpus_of, remove, run_leftovers
from sigcore.cli._output import format_table
from sigcore.errors import DataFileError, InputError
from sigcore.io.commands import CommandModel
from sigcore.io.partitions import (
    check_model_name,
    read_partition,
    write_fold_counts,
    write_predictions,
)

__all__ = ["run"]

BUILT_IN = "crf:"


def run(args: argparse.Namespace) -> int:
    """Train and validate the models, and write what they found."""
    corpus = read_corpus_of(args)
    partition = args.partition or args.out / "partition.tsv"
    if not partition.exists():
        raise InputError(f"{partition} does not exist; `sigcore bcv split` makes it.")
    folds = read_partition(partition, corpus)
    models = [_model(args, corpus, name, specs) for name, *specs in args.model]
    if len({model.name for model in models}) != len(models):
        raise InputError("`--model` must have another name for each model.")
    check_run(args, partition, folds, models)
    remove(run_leftovers(args, models), args.out)
    try:
        runs = _run_all(args, corpus, folds, models)
    except DataFileError as error:
        raise InputError(f"{error}{'' if args.keep else ' (`--keep` keeps this file.)'}") from error
    write_fold_counts(args.out / "folds.tsv", [run.to_record() for run in runs])
    heads = ["model", "repetition", "fold", "gold", "predicted", "correct"]
    print(format_table(heads, [list(map(str, run.to_record().values())) for run in runs]))
    print(f"{args.out / 'folds.tsv'}: the counts, for `sigcore bayes`")
    return 0


def _model(
    args: argparse.Namespace, corpus: TaggedCorpus, name: str, specs: Sequence[str]
) -> ChunkModel:
    check_model_name(name)
    if not specs:
        raise InputError(f"`--model {name}` must also say crf:TAGSET or a command.")
    if not specs[0].startswith(BUILT_IN):
        return CommandModel(name, tuple(specs), tag_set=args.tags, shell=args.shell)
    if len(specs) > 1:
        raise InputError(f"`--model {name} {specs[0]}` must end here; got {specs[1]!r} after it.")
    check_columns(args.features, corpus.n_columns, "--features")
    settings = TaggerSettings(
        columns=tuple(args.features),
        window=args.window,
        l2=args.l2,
        max_iterations=args.max_iterations,
    )
    return CrfModel(name, specs[0].removeprefix(BUILT_IN), settings)


def _run_all(
    args: argparse.Namespace,
    corpus: TaggedCorpus,
    folds: Sequence[Fold],
    models: Sequence[ChunkModel],
) -> list[FoldRun]:
    runs = []
    with (
        TemporaryDirectory() as temporary,
        tqdm(total=len(folds) * len(models), unit="fold", disable=None, file=sys.stderr) as bar,
    ):
        work = args.out / "work" if args.keep else Path(temporary)
        for model in models:
            for fold in folds:
                folder = work / model.name / fold_name(fold)
                runs.append(run_fold(corpus, fold, model, folder=folder))
                place = args.out / "predictions" / model.name
                write_predictions(place, corpus, fold, runs[-1], tag_set=model.tag_set)
                bar.update()
    return runs
