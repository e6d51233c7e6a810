"""Compare all metrics by SPA with sampled p-values between systems, as the paper did."""

from scripts._runtime import run
from sigcore.io.schemas import table_of
from sigcore.io.tables import read_evalset_table, write_table
from sigcore.meta.sampled_comparison import compare_metrics_sampled


def main(snakemake):
    evalset, _ = read_evalset_table(snakemake.input.scores)
    result = compare_metrics_sampled(
        evalset.gold,
        evalset.scores,
        metric_names=evalset.metric_names,
        n_resamples=snakemake.params.settings["n_resamples"],
        n_sign_flips=snakemake.params.sign_flips,
        seed=snakemake.params.seed,
        purpose=(evalset.testset, evalset.language_pair),
    )
    write_table(
        snakemake.output.comparisons,
        table_of("sampled_comparisons", result.to_records()),
        metadata={
            "scores": dict(zip(result.metric_names, result.scores.tolist(), strict=True)),
        },
    )


if __name__ == "__main__":
    run(main, snakemake)
