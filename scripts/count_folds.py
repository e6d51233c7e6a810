"""Gather the counts of all folds of both models."""

from scripts._runtime import run
from sigcore.io.partitions import write_fold_counts
from sigcore.io.tables import read_tables, write_table


def main(snakemake):
    counts = read_tables(snakemake.input)
    write_table(snakemake.output.table, counts)
    write_fold_counts(snakemake.output.folds, counts.to_pylist())


if __name__ == "__main__":
    run(main, snakemake)
