"""Cut a corpus into the folds of a block-regularised cross-validation."""

from scripts._runtime import run
from sigcore.bayes.corpus import partition_corpus
from sigcore.io.corpora import read_chunks
from sigcore.io.partitions import balance_records, check_corpus, write_partition
from sigcore.io.schemas import table_of
from sigcore.io.tables import write_table


def main(snakemake):
    corpus = read_chunks(snakemake.input.corpus, **snakemake.params.reading)
    check_corpus(snakemake.input.corpus, corpus, n_repetitions=snakemake.params.repetitions)
    partition = partition_corpus(
        corpus,
        units=snakemake.params.balance,
        n_repetitions=snakemake.params.repetitions,
        seed=snakemake.params.seed,
    )
    write_partition(snakemake.output.partition, corpus, partition)
    facts = {name: getattr(corpus, f"n_{name}") for name in ("sentences", "tokens", "chunks")}
    facts["file"] = str(snakemake.input.corpus)
    write_table(
        snakemake.output.balance,
        table_of("balance", balance_records(partition)),
        metadata=facts,
    )


if __name__ == "__main__":
    run(main, snakemake)
