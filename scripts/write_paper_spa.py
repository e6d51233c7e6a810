"""Put the table, the figures and the claims of the SPA paper onto one page."""

import json
from pathlib import Path

from scripts._runtime import run
from sigcore.io.tables import read_tables, write_text
from sigcore.meta.published import CITATION
from sigcore.provenance import software_versions
from sigcore.report import Figure
from sigcore.report.paper_spa import PaperSpaReport
from sigcore.report.simple import render_page

CAPTIONS = {
    "figure1": (
        "Figure 1. What PA (top) and SPA (bottom) of a metric are made of: how sure people and the "
        "metric are that the system of the row is better than that of the column, and how far they "
        "agree. Systems are ordered by human score."
    ),
    "figure3": (
        "Figure 3. 95% intervals of SPA (blue) and PA (orange) by the number of segments drawn; "
        "the line is the mean. Widths are those with all segments."
    ),
    "figure4": (
        "Figure 4. Every comparison between two metrics, by SPA and by PA: dark cells differ "
        "significantly, orange lines separate clusters, “=” marks scores that two metrics share "
        "exactly, “≠” those of them that stand in different clusters."
    ),
}
STABILITY = (
    "Figure 2. Pearson r between the scores of metrics on a random subset of the systems and on "
    "all of them: mean over subsets, and the middle half of them as a band."
)


def main(snakemake):
    files, pairs = snakemake.input, snakemake.params.pairs
    names = [f"{testset} {lp}" for testset, lp in pairs]
    inputs = {}
    for path in files.inputs:
        inputs |= json.loads(Path(path).read_text(encoding="utf-8"))
    root = Path(snakemake.output.page).parent
    report = PaperSpaReport(
        table=read_tables([files.table]).to_pylist(),
        stability=tables(names, files.systems),
        intervals=tables(names, files.segments),
        stability_figure=figure(files.stability, STABILITY, root),
        figures={
            name: [
                figure(path, caption, root)
                for path, caption in zip(paths, CAPTIONS.values(), strict=True)
            ]
            for name, *paths in zip(names, *(files.get(stem) for stem in CAPTIONS), strict=True)
        },
        left_out=tables(names, files.left_out),
        skipped=snakemake.params.skipped,
    )
    page = render_page(
        "Soft Pairwise Accuracy: the paper, recomputed",
        report.parts(
            settings=snakemake.params.settings, versions=software_versions(), inputs=inputs
        ),
        subtitle="Does SPA tell metrics apart better than PA, and is it steadier?",
        footer=CITATION,
    )
    write_text(snakemake.output.page, page)


def tables(names, paths):
    """Read a table of each set."""
    return {name: read_tables([path]).to_pylist() for name, path in zip(names, paths, strict=True)}


def figure(path, caption, root):
    """Read a figure."""
    stem = Path(path).relative_to(root).with_suffix("").as_posix()
    return Figure(Path(path).read_text(encoding="utf-8"), caption, stem)


if __name__ == "__main__":
    run(main, snakemake)
