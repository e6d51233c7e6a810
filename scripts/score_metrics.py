"""Gather the p-values of one language pair and score its metrics."""

from scripts._runtime import run
from sigcore.io.schemas import table_of
from sigcore.io.tables import read_evalset_table, read_tables, write_table
from sigcore.meta.records import metric_records

# An order that does not show the batches: people first, then metrics and systems by name.
ORDER = {"is_gold": "descending"} | dict.fromkeys(("scorer", "system_a", "system_b"), "ascending")


def main(snakemake):
    evalset, _ = read_evalset_table(snakemake.input.scores)
    pvalues = read_tables(snakemake.input.pvalues).sort_by(list(ORDER.items()))
    write_table(snakemake.output.pvalues, pvalues)
    rows = metric_records(evalset, pvalues.to_pylist(), missing=snakemake.params.missing)
    write_table(snakemake.output.metrics, table_of("metrics", rows))


if __name__ == "__main__":
    run(main, snakemake)
