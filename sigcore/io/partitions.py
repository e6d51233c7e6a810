"""The files of a cross-validation: how a corpus was cut, its halves, and what models found."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from sigcore.bayes.corpus import TaggedCorpus
from sigcore.bayes.crossvalidation import FoldRun, fold_name
from sigcore.bayes.orthogonal import block_design
from sigcore.bayes.partition import BlockPartition, Fold
from sigcore.errors import DataFileError, InputError
from sigcore.io.corpora import write_corpus
from sigcore.io.files import write_text
from sigcore.io.lines import read_separated

__all__ = [
    "balance_records",
    "check_corpus",
    "check_model_name",
    "format_partition",
    "read_partition",
    "write_balance",
    "write_fold_counts",
    "write_halves",
    "write_partition",
    "write_predictions",
]

COLUMNS = ("sentence", "line", "tokens", "block", "rep", "fold")
COUNTS = ("model", "rep", "fold", "gold", "predicted", "correct")


def check_corpus(path: str | Path, corpus: TaggedCorpus, *, n_repetitions: int) -> None:
    """Refuse a corpus that cannot be cut into folds, with the name of its file.

    Parameters
    ----------
    path : str or Path
        Where the corpus was read.
    corpus : TaggedCorpus
        The corpus.
    n_repetitions : int
        Repetitions of the cross-validation.
    """
    if corpus.n_chunks == 0:
        raise DataFileError(path, "must have at least one chunk.")
    n_blocks = len(block_design(n_repetitions))
    if corpus.n_sentences < n_blocks:
        raise DataFileError(
            path,
            f"must have at least {n_blocks} sentences, one for each block of {n_repetitions} x 2 "
            f"folds; it has {corpus.n_sentences}.",
        )


def format_partition(corpus: TaggedCorpus, partition: BlockPartition) -> str:
    """Tell the fold in which each sentence is validated, once a repetition.

    Parameters
    ----------
    corpus : TaggedCorpus
        The corpus.
    partition : BlockPartition
        How it was cut.

    Returns
    -------
    str
        A table with tabs: number, line and tokens of the sentence, its block, repetition, and the
        fold (1 or 2) in which it is validated; in the other one it trains.
    """
    lines = corpus.lines or (0,) * corpus.n_sentences
    # Blocks in the training half of fold 1 are validated in fold 2.
    folds = np.where(partition.design[partition.block], 2, 1)
    rows = [
        (sentence + 1, lines[sentence], len(corpus.sentences[sentence]), block + 1, rep, fold)
        for sentence, block in enumerate(partition.block.tolist())
        for rep, fold in enumerate(folds[sentence].tolist(), start=1)
    ]
    return _format(COLUMNS, rows)


def write_partition(path: str | Path, corpus: TaggedCorpus, partition: BlockPartition) -> None:
    """Write the table of `format_partition`."""
    write_text(path, format_partition(corpus, partition))


def read_partition(path: str | Path, corpus: TaggedCorpus) -> list[Fold]:
    """Read what `write_partition` wrote.

    Parameters
    ----------
    path : str or Path
        The file.
    corpus : TaggedCorpus
        The corpus that was cut.

    Returns
    -------
    list of Fold
        The folds in order.

    Raises
    ------
    DataFileError
        If the table is not one of this corpus: another number of sentences or tokens, a sentence
        that is missing in a repetition or occurs twice, a half without sentences.
    """
    rows = read_separated(path)
    line, heads = rows[0] if rows else (1, [])
    if tuple(heads) != COLUMNS:
        raise DataFileError(path, f"expected the columns {', '.join(COLUMNS)}.", line=line)
    validated: dict[int, dict[int, int]] = {}
    for line, row in rows[1:]:
        sentence, rep, fold = _row(path, line, row, corpus)
        if sentence in validated.setdefault(rep, {}):
            message = f"sentence {sentence + 1} occurs twice in repetition {rep}."
            raise DataFileError(path, message, line=line)
        validated[rep][sentence] = fold
    _check_complete(path, validated, corpus.n_sentences)
    return [fold for rep in sorted(validated) for fold in _folds(rep, validated[rep])]


def balance_records(partition: BlockPartition) -> list[dict[str, object]]:
    """Say for each unit how far the halves differ, as rows of a table."""
    largest = np.abs(partition.differences).max(axis=0)
    shares = partition.relative_differences
    over = partition.unbalanced_units
    return [
        {
            "unit": name,
            "total": float(partition.totals[k]),
            "largest_difference": float(largest[k]),
            "share": float(shares[k]),
            "bound": float(partition.bounds[k]),
            "balanced": name not in over,
        }
        for k, name in enumerate(partition.unit_names)
    ]


def write_balance(path: str | Path, partition: BlockPartition) -> None:
    """Write how far the halves differ in each unit, as a table with tabs."""
    records = balance_records(partition)
    write_text(path, _format(list(records[0]), [list(record.values()) for record in records]))


def write_halves(folder: str | Path, corpus: TaggedCorpus, fold: Fold, *, tag_set: str) -> None:
    """Write the halves of a fold to ``<folder>/<fold>/train.conll`` and ``validate.conll``."""
    place = Path(folder) / fold_name(fold)
    for name, positions in (("train", fold.training), ("validate", fold.validation)):
        half = corpus.select(positions.tolist())
        write_corpus(place / f"{name}.conll", half, tags=[half.tags(tag_set)])


def write_predictions(
    folder: str | Path, corpus: TaggedCorpus, fold: Fold, run: FoldRun, *, tag_set: str
) -> None:
    """Write what a model predicted to ``<folder>/<fold>.conll``: columns, true tag, predicted tag.

    This is the format of conlleval.
    """
    half = corpus.select(fold.validation.tolist())
    path = Path(folder) / f"{fold_name(fold)}.conll"
    write_corpus(path, half, tags=[half.tags(tag_set), run.tags])


def check_model_name(name: str) -> None:
    """Refuse a name that no file can have, or that is not read again from a table of counts."""
    is_file = name and Path(name).name == name and not name.startswith(".")
    if not is_file or name != name.strip() or not name.isprintable() or '"' in name:
        raise InputError(
            "a model must have a name that can be one of a file and in a table: no slash, quote, "
            f"tab or line end, no dot or blank in front, no blank at its end; got {name!r}."
        )


def write_fold_counts(path: str | Path, records: Iterable[Mapping[str, object]]) -> None:
    """Write the counts of models on folds as the table that `read_folds` reads.

    Parameters
    ----------
    path : str or Path
        The file.
    records : iterable of mappings
        A row for each model and fold; see `FoldRun.to_record`.
    """
    write_text(path, _format(COUNTS, [[record[name] for name in COUNTS] for record in records]))


def _format(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = ["\t".join(map(str, row)) for row in (heads, *rows)]
    return "".join(f"{line}\n" for line in lines)


def _row(path: str | Path, line: int, row: list[str], corpus: TaggedCorpus) -> tuple[int, int, int]:
    """Return the position of the sentence, the repetition and the fold of a row."""
    try:
        sentence, _, tokens, _, rep, fold = map(int, row)
    except ValueError:
        message = f"must have {len(COLUMNS)} whole numbers; found {row}."
        raise DataFileError(path, message, line=line) from None
    if not 1 <= sentence <= corpus.n_sentences or tokens != len(corpus.sentences[sentence - 1]):
        raise DataFileError(
            path,
            f"has a sentence {sentence} of {tokens} tokens, which the corpus has not; the "
            "partition must be one of this corpus.",
            line=line,
        )
    if rep < 1 or fold not in (1, 2):
        message = f"rep must be 1 or more and fold 1 or 2; found {rep} and {fold}."
        raise DataFileError(path, message, line=line)
    return sentence - 1, rep, fold


def _check_complete(
    path: str | Path, validated: dict[int, dict[int, int]], n_sentences: int
) -> None:
    if not validated:
        raise DataFileError(path, "has no rows.")
    for rep in range(1, max(validated) + 1):
        found = validated.get(rep, {})
        missing = next((k for k in range(n_sentences) if k not in found), None)
        if missing is not None:
            raise DataFileError(path, f"sentence {missing + 1} is missing in repetition {rep}.")
        if len(set(found.values())) == 1:
            fold = found[0]
            message = f"all sentences are in fold {fold} in repetition {rep}; a half has none."
            raise DataFileError(path, message)


def _folds(rep: int, validated: dict[int, int]) -> list[Fold]:
    fold_of = np.array([validated[sentence] for sentence in sorted(validated)])
    halves = np.flatnonzero(fold_of == 1), np.flatnonzero(fold_of == 2)
    return [Fold(rep, 1, halves[1], halves[0]), Fold(rep, 2, halves[0], halves[1])]
