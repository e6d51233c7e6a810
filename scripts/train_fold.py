"""Train a model on a batch of folds, validate it, and count the chunks it finds."""

from pathlib import Path
from tempfile import TemporaryDirectory

from scripts._batches import part_of
from scripts._bayes import read_chunks
from scripts._runtime import run
from sigcore.bayes.crossvalidation import CrfModel, fold_name, run_fold
from sigcore.bayes.tagger import TaggerSettings
from sigcore.io.commands import CommandModel
from sigcore.io.partitions import read_partition, write_predictions
from sigcore.io.schemas import table_of
from sigcore.io.tables import write_table


def main(snakemake):
    corpus = read_chunks(snakemake.input.corpus, snakemake.params.reading)
    folds = read_partition(snakemake.input.partition, corpus)
    model = model_of(snakemake.wildcards.model, snakemake.params.model, snakemake.params.tagger)
    runs = []
    with TemporaryDirectory() as work:
        for fold in part_of(folds, snakemake.wildcards.batch):
            found = run_fold(corpus, fold, model, folder=Path(work) / fold_name(fold))
            write_predictions(
                snakemake.output.predictions, corpus, fold, found, tag_set=model.tag_set
            )
            runs.append(found.to_record())
    write_table(snakemake.output.counts, table_of("fold_counts", runs))


def model_of(name, settings, tagger):
    """Make the model that the configuration describes."""
    tags = settings.get("tags", "iob2")
    if "command" in settings:
        return CommandModel(
            name, tuple(settings["command"]), tag_set=tags, shell=settings.get("shell", False)
        )
    return CrfModel(name, tags, TaggerSettings(**{**tagger, "columns": tuple(tagger["columns"])}))


if __name__ == "__main__":
    run(main, snakemake)
