"""Train a model on a batch of folds, validate it, and count the chunks it finds."""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts._batches import part_of
from scripts._bayes import model_of
from scripts._runtime import run
from sigcore.bayes.crossvalidation import fold_name, run_fold
from sigcore.errors import DataFileError, InputError
from sigcore.io.corpora import read_chunks
from sigcore.io.partitions import read_partition, write_predictions
from sigcore.io.schemas import table_of
from sigcore.io.tables import write_table


def main(snakemake):
    corpus = read_chunks(snakemake.input.corpus, **snakemake.params.reading)
    folds = read_partition(snakemake.input.partition, corpus)
    model = model_of(snakemake.wildcards.model, snakemake.params.model, snakemake.params.tagger)
    runs = []
    with TemporaryDirectory() as work:
        for fold in part_of(folds, snakemake.wildcards.batch):
            kept = Path(snakemake.log[0]).with_name(f"{fold_name(fold)}.output")
            kept.unlink(missing_ok=True)
            try:
                found = run_fold(corpus, fold, model, folder=Path(work) / fold_name(fold))
            except DataFileError as error:
                raise keep_answer(error, kept) from error
            write_predictions(
                snakemake.output.predictions, corpus, fold, found, tag_set=model.tag_set
            )
            runs.append(found.to_record())
    write_table(snakemake.output.counts, table_of("fold_counts", runs))


def keep_answer(error, place):
    """Copy the wrong answer of a program, whose folder will vanish, and name the copy."""
    if not error.path.is_file():
        return InputError(f"{{output}} {error.message}")
    shutil.copyfile(error.path, place)
    return DataFileError(place, error.message, line=error.line)


if __name__ == "__main__":
    run(main, snakemake)
