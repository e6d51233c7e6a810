"""Draw Figure 2 of the SPA paper: stability with fewer systems, a panel a language pair."""

from pathlib import Path

from scripts._runtime import run
from sigcore.io.tables import read_tables
from sigcore.plotting.ablations import stability_figure
from sigcore.plotting.style import figure_style, save_all


def main(snakemake):
    tables = {
        f"{testset} {lp}": read_tables([path]).to_pylist()
        for (testset, lp), path in zip(snakemake.params.pairs, snakemake.input.systems, strict=True)
    }
    image = Path(snakemake.output.image)
    with figure_style():
        figure = stability_figure(tables)
        save_all(figure, image.with_suffix(""))


if __name__ == "__main__":
    run(main, snakemake)
