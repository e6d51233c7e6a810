"""Draw the run time of the paired permutation tests against the number of items."""

from pathlib import Path

from scripts._runtime import run
from sigcore.io.tables import read_tables
from sigcore.plotting.style import figure_style, save_all
from sigcore.plotting.timings import timings_figure


def main(snakemake):
    rows = read_tables([snakemake.input.timings]).to_pylist()
    image = Path(snakemake.output.image)
    with figure_style():
        figure = timings_figure(rows)
        save_all(figure, image.with_suffix(""))


if __name__ == "__main__":
    run(main, snakemake)
