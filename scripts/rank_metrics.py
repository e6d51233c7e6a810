"""Gather the comparisons between metrics and rank the metrics in clusters."""

from scripts._runtime import run
from scripts._tables import write_all
from sigcore.io.schemas import table_of
from sigcore.io.tables import read_tables, write_table
from sigcore.meta.adjustment import adjust_rows
from sigcore.meta.ranking import rank_metrics

SHOWN = {
    "rank": "cluster",
    "metric": "metric",
    "spa": "SPA",
    "pa": "PA",
    "rank_pa": "cluster by PA",
    "n_systems": "systems",
    "n_segments": "segments",
}
FORMATS = {"spa": ".4f", "pa": ".4f"}


def main(snakemake):
    # In an order that does not show the batches.
    comparisons = read_tables(snakemake.input.comparisons).sort_by(
        [(column, "ascending") for column in ("meta", "metric", "other")]
    )
    rows = comparisons.to_pylist()
    # Other corrections need the comparisons of all batches; maxt has been done with the draws.
    if snakemake.params.adjust != "maxt":
        rows = adjust_rows(rows, method=snakemake.params.adjust, alpha=snakemake.params.alpha)
    metrics = read_tables([snakemake.input.metrics])
    ranking = table_of(
        "ranking", rank_metrics(metrics.to_pylist(), rows, alpha=snakemake.params.alpha)
    )
    write_table(snakemake.output.comparisons, table_of("comparisons", rows))
    write_all(snakemake.output, "table", ranking, lambda rows: (rows, SHOWN, FORMATS))


if __name__ == "__main__":
    run(main, snakemake)
