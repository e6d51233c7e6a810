"""Draw the ranking of parsers and which of them differ significantly."""

from pathlib import Path

from scripts._runtime import run
from sigcore.io.tables import read_tables
from sigcore.parsing.ranking import parser_matrix
from sigcore.plotting.parsers import parsers_figure
from sigcore.plotting.style import figure_style, save_all


def main(snakemake):
    parsers = read_tables([snakemake.input.parsers]).to_pylist()
    pairs = read_tables([snakemake.input.pairs]).to_pylist()
    measure = pairs[0]["measure"]
    matrix = parser_matrix([row["parser"] for row in parsers], pairs, measure)
    with figure_style():
        figure = parsers_figure(
            parsers,
            matrix,
            measure=measure,
            alpha=snakemake.params.alpha,
            correction=pairs[0]["correction"],
        )
        save_all(figure, Path(snakemake.output.image).with_suffix(""))


if __name__ == "__main__":
    run(main, snakemake)
