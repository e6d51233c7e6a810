"""Draw which systems of a language pair differ significantly."""

from pathlib import Path

from scripts._runtime import run
from sigcore.io.tables import read_tables
from sigcore.plotting.comparison import systems_figure
from sigcore.plotting.style import figure_style, save_all


def main(snakemake):
    systems, pairs = (
        read_tables([snakemake.input[name]]).to_pylist() for name in ("systems", "pairs")
    )
    settings, wildcards = snakemake.params.settings, snakemake.wildcards
    title = (
        f"{wildcards.testset} {wildcards.lp}: {settings['scorer']}, {settings['test']}, "
        f"{settings['correction']}"
    )
    image = Path(snakemake.output.image)
    with figure_style():
        figure = systems_figure(systems, pairs, alpha=settings["alpha"], title=title)
        save_all(figure, image.with_suffix(""))


if __name__ == "__main__":
    run(main, snakemake)
