"""Draw simulated p-values against sample size."""

from pathlib import Path

from scripts._runtime import run
from sigcore.io.tables import read_tables
from sigcore.plotting.comparison import simulation_figure
from sigcore.plotting.style import figure_style, save_all


def main(snakemake):
    rows = read_tables([snakemake.input.simulation]).to_pylist()
    image = Path(snakemake.output.image)
    with figure_style():
        figure = simulation_figure(rows, alpha=snakemake.params.alpha)
        save_all(figure, image.with_suffix(""))


if __name__ == "__main__":
    run(main, snakemake)
