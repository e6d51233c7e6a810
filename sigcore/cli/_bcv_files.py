"""What `sigcore bcv` reads and writes, and what an earlier call left where it writes."""

import argparse
import contextlib
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from sigcore.bayes.corpus import TaggedCorpus
from sigcore.bayes.crossvalidation import ChunkModel, fold_name
from sigcore.bayes.partition import Fold
from sigcore.cli._output import check_outputs
from sigcore.errors import DataFileError
from sigcore.io.commands import CommandModel, command_files
from sigcore.io.corpora import read_chunks

__all__ = [
    "check_run",
    "check_split",
    "clear_split",
    "read_corpus_of",
    "remove",
    "run_leftovers",
    "split_leftovers",
]

HALVES = ("train.conll", "validate.conll")
FOLDS = "rep[0-9]*-fold[12]"


def read_corpus_of(args: argparse.Namespace) -> TaggedCorpus:
    """Read the corpus of a call, with the chunks that it asks for."""
    return read_chunks(
        args.corpus,
        tag_column=args.tag_column,
        scheme=args.scheme,
        types=args.types,
        typed=not args.untyped,
    )


def split_leftovers(out: Path) -> list[Path]:
    """List what belongs to the partition that lies in a folder: counts, and halves of folds."""
    halves = [path for name in HALVES for path in sorted(out.glob(f"{FOLDS}/{name}"))]
    return [path for path in (out / "folds.tsv", *halves) if path.is_file()]


def run_leftovers(args: argparse.Namespace, models: Iterable[ChunkModel]) -> list[Path]:
    """List what an earlier run left of the models that are to run; with `--keep` also its files.

    Counts of an earlier run must not stand beside the predictions of one that fails, nor
    predictions on folds that there are no more; and no model may be found trained already.
    """
    files, folders = [args.out / "folds.tsv"], []
    for model in models:
        files += sorted((args.out / "predictions" / model.name).glob(f"{FOLDS}.conll"))
        if args.keep:
            folders += sorted((args.out / "work" / model.name).glob(FOLDS))
    return [*(path for path in files if path.is_file()), *folders]


def clear_split(out: Path, partition: str) -> list[Path]:
    """Remove what belongs to another partition than this one from a folder; say what it was."""
    path = out / "partition.tsv"
    if path.exists() and path.read_text(encoding="utf-8", errors="replace") == partition:
        return []
    found = split_leftovers(out)
    remove(found, out)
    return found


def check_split(args: argparse.Namespace, folds: Iterable[Fold]) -> None:
    """Refuse to cut a corpus into files among which it is itself, and to remove those of others."""
    leftovers = split_leftovers(args.out)
    written = [args.out / name for name in ("partition.tsv", "balance.tsv")]
    if args.files:
        written += [args.out / fold_name(fold) / name for fold in folds for name in HALVES]
    _check(args, written, leftovers, [])
    if leftovers and not (args.out / "partition.tsv").exists():
        raise DataFileError(
            leftovers[0],
            "this file is in the way: counts and halves of folds are removed with their partition, "
            "and no partition.tsv is here. Move it, or choose another `--out`.",
        )


def check_run(
    args: argparse.Namespace, partition: Path, folds: Sequence[Fold], models: Sequence[ChunkModel]
) -> None:
    """Refuse to write what is read: the corpus, the partition, and files that commands name."""
    read = [("`--partition`", partition)]
    written = [args.out / "folds.tsv"]
    for model in models:
        if isinstance(model, CommandModel):
            read += [
                (f"a file of `--model {model.name}`", Path(name))
                for name in command_files(model.commands)
            ]
        place = args.out / "predictions" / model.name
        written += [place / f"{fold_name(fold)}.conll" for fold in folds]
    _check(args, written, run_leftovers(args, models), read)


def remove(paths: Iterable[Path], out: Path) -> None:
    """Remove files, with their folder in OUT if they were all that was in it, and whole folders."""
    for path in paths:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
            continue
        path.unlink()
        if path.parent != out:
            with contextlib.suppress(OSError):  # other files are in it
                path.parent.rmdir()


def _check(
    args: argparse.Namespace,
    written: Iterable[Path],
    removed: Iterable[Path],
    read: Iterable[tuple[str, Path]],
) -> None:
    files = [*written, *(file for path in removed for file in _files_of(path))]
    outputs = {f"OUT/{file.relative_to(args.out)}": file for file in files}
    check_outputs(outputs, [*read, ("CORPUS", args.corpus)])


def _files_of(path: Path) -> list[Path]:
    """Return a file, or what is in a folder of an earlier run."""
    return [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else [path]
