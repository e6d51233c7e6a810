"""Draw the ranking, the significance matrices and the components of SPA for one language pair."""

from pathlib import Path

from scripts._runtime import run
from sigcore.io.tables import read_tables
from sigcore.meta.ranking import comparison_matrix
from sigcore.plotting.pages import components_figure, ranking_figure, significance_figure
from sigcore.plotting.style import figure_style, save_all


def main(snakemake):
    ranking = read_tables([snakemake.input.ranking]).to_pylist()
    comparisons = read_tables([snakemake.input.comparisons]).to_pylist()
    pvalues = read_tables([snakemake.input.pvalues])
    title = f"{snakemake.wildcards.testset} {snakemake.wildcards.lp}"
    names = [row["metric"] for row in ranking]
    matrices = {meta: comparison_matrix(names, comparisons, meta) for meta in ("spa", "pa")}
    folder = Path(snakemake.output.images[0]).parent
    with figure_style():
        figures = {
            "ranking": ranking_figure(ranking, title=title),
            "significance": significance_figure(
                ranking, matrices, alpha=snakemake.params.alpha, title=title
            ),
            "components": components_figure(pvalues.to_pylist(), metric=names[0], title=title),
        }
        for name, figure in figures.items():
            save_all(figure, folder / name)


if __name__ == "__main__":
    run(main, snakemake)
