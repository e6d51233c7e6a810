"""Repeat the comparison of all metrics, to see how far the counts of Table 1 depend on chance."""

from scripts._runtime import run
from sigcore.io.schemas import table_of
from sigcore.io.tables import read_evalset_table, write_table
from sigcore.meta.discrimination import count_different, repeat_records


def main(snakemake):
    evalset, _ = read_evalset_table(snakemake.input.scores)
    settings = snakemake.params.settings
    rows = repeat_records(
        evalset.gold,
        evalset.scores,
        metric_names=evalset.metric_names,
        n_repeats=snakemake.params.repeats,
        n_resamples=settings["n_resamples"],
        alpha=settings["alpha"],
        seed=snakemake.params.seed,
        purpose=(evalset.testset, evalset.language_pair),
    )
    write_table(
        snakemake.output.repeats,
        table_of("repeats", rows),
        metadata={"n_different": count_different(evalset.scores)},
    )


if __name__ == "__main__":
    run(main, snakemake)
