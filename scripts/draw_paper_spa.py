"""Draw Figures 1, 3 and 4 of the SPA paper for one language pair."""

from pathlib import Path

from scripts._runtime import run
from sigcore.io.tables import read_tables
from sigcore.meta.ranking import comparison_matrix
from sigcore.plotting.ablations import intervals_figure
from sigcore.plotting.pages import components_figure, significance_figure
from sigcore.plotting.style import figure_style, save_all


def main(snakemake):
    ranking = read_tables([snakemake.input.ranking]).to_pylist()
    comparisons = read_tables([snakemake.input.comparisons]).to_pylist()
    pvalues = read_tables([snakemake.input.pvalues]).to_pylist()
    segments = read_tables([snakemake.input.segments]).to_pylist()
    title = f"{snakemake.wildcards.testset} {snakemake.wildcards.lp}"
    names = [row["metric"] for row in ranking]
    wanted = snakemake.params.components_metric
    matrices = {meta: comparison_matrix(names, comparisons, meta) for meta in ("spa", "pa")}
    folder = Path(snakemake.output.images[0]).parent
    with figure_style():
        figures = {
            "figure1": components_figure(
                pvalues, metric=wanted if wanted in names else names[0], title=title
            ),
            "figure3": intervals_figure(segments, metrics=ablated(segments), title=title),
            "figure4": significance_figure(
                ranking, matrices, alpha=snakemake.params.alpha, title=title
            ),
        }
        for name, figure in figures.items():
            save_all(figure, folder / name)


def ablated(rows):
    """Name the metrics that were scored on fewer segments; all where none was."""
    largest = max(row["n_segments"] for row in rows)
    fewer = [row for row in rows if row["n_segments"] < largest]
    return list(dict.fromkeys(row["metric"] for row in fewer or rows))


if __name__ == "__main__":
    run(main, snakemake)
