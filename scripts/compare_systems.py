"""Test a batch of pairs of systems, with intervals and effect sizes."""

from scripts._batches import part_of
from scripts._compare import check_unit_size, read_scorer
from scripts._runtime import run
from sigcore.comparison.significance import SignificanceOptions
from sigcore.comparison.system_pairs import ordered_pairs, pair_records
from sigcore.io.schemas import table_of
from sigcore.io.tables import write_table

TESTING = (
    "test",
    "alternative",
    "confidence",
    "unit_size",
    "unit_statistic",
    "unit_remainder",
)


def main(snakemake):
    settings, seed = snakemake.params.settings, snakemake.params.seed
    evalset, scores = read_scorer(snakemake.input.scores, settings["scorer"])
    check_unit_size(settings["unit_size"], evalset)
    pairs = ordered_pairs(scores, evalset.systems, alternative=settings["alternative"])
    rows = pair_records(
        scores,
        evalset.systems,
        part_of(pairs, snakemake.wildcards.batch),
        shuffle_seed=seed if settings["shuffle"] else None,
        options=SignificanceOptions(
            n_resamples=settings["n_resamples"],
            seed=seed,
            wilcoxon_zeros=settings["wilcoxon_zeros"],
        ),
        **{name: settings[name] for name in TESTING},
    )
    table = table_of("system_pairs", [row | {"scorer": settings["scorer"]} for row in rows])
    write_table(snakemake.output.pairs, table)


if __name__ == "__main__":
    run(main, snakemake)
