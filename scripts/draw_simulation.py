"""Draw simulated p-values against sample size."""

from pathlib import Path

from scripts._runtime import run
from sigcore.io.tables import read_tables
from sigcore.plotting.comparison import simulation_figure
from sigcore.plotting.style import figure_style, save


def main(snakemake):
    rows = read_tables([snakemake.input.simulation]).to_pylist()
    image = Path(snakemake.output.image)
    with figure_style():
        figure = simulation_figure(rows, alpha=snakemake.params.alpha)
        for ending in (".svg", ".pdf", ".png"):
            save(figure, image.with_suffix(ending))


if __name__ == "__main__":
    run(main, snakemake)
