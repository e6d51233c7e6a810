"""Test a batch of metric pairs for a significant difference."""

from itertools import combinations

from scripts._batches import part_of
from scripts._runtime import run
from sigcore.io.schemas import table_of
from sigcore.io.tables import read_evalset_table, write_table
from sigcore.meta.significance import compare_metrics


def main(snakemake):
    evalset, _ = read_evalset_table(snakemake.input.scores)
    settings = dict(snakemake.params.settings)
    if settings["adjust"] != "maxt":  # corrected when all batches are there
        settings["adjust"] = "none"
    result = compare_metrics(
        evalset.gold,
        evalset.scores,
        metric_names=evalset.metric_names,
        metric_pairs=part_of(
            list(combinations(range(evalset.n_metrics), 2)), snakemake.wildcards.batch
        ),
        seed=snakemake.params.seed,
        purpose=(evalset.testset, evalset.language_pair),
        missing=snakemake.params.missing,
        **settings,
    )
    write_table(snakemake.output.comparisons, table_of("comparisons", result.to_records()))


if __name__ == "__main__":
    run(main, snakemake)
