"""Compute the p-values of a batch of system pairs by a batch of metrics."""

from itertools import combinations

from scripts._batches import part_of
from scripts._runtime import run
from sigcore.io.schemas import table_of
from sigcore.io.tables import read_evalset_table, read_metric_names, write_table
from sigcore.meta.records import pvalue_records


def main(snakemake):
    metrics = read_metric_names(snakemake.input.scores)
    # None is the gold; it comes first, so it belongs to the first batch.
    scorers = part_of([None, *metrics], snakemake.wildcards.batch)
    evalset, _ = read_evalset_table(
        snakemake.input.scores, metrics=[name for name in scorers if name is not None]
    )
    rows = pvalue_records(
        evalset,
        scorers,
        pairs=part_of(list(combinations(range(evalset.n_systems), 2)), snakemake.wildcards.pairs),
        missing=snakemake.params.missing,
        seed=snakemake.params.seed,
        **snakemake.params.settings,
    )
    write_table(snakemake.output.pvalues, table_of("pvalues", rows))


if __name__ == "__main__":
    run(main, snakemake)
