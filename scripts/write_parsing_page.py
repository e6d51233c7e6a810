"""Write the page on parsers, and the section that the report of the run has on them."""

import json
from dataclasses import replace
from pathlib import Path

from scripts._runtime import run
from sigcore.io.tables import read_tables, write_json, write_text
from sigcore.provenance import software_versions
from sigcore.report import Figure
from sigcore.report.parsing import ParsingReport
from sigcore.report.simple import render_page

TITLE = "Parsers and taggers"
CAPTION = (
    "Left: parsers, best on top; bands are clusters. Right: every comparison of the parser of the "
    "row with that of the column, by its p-value; orange lines separate clusters."
)


def main(snakemake):
    parsers, pairs, remarks = (
        read_tables([snakemake.input[name]]).to_pylist() for name in ("parsers", "pairs", "remarks")
    )
    svg = Path(snakemake.input.figure).read_text(encoding="utf-8")
    figure = Figure(svg, CAPTION, "figures/parsers")
    settings = dict(snakemake.params.settings) | {"seed": snakemake.params.seed}
    report = ParsingReport(parsers, pairs, remarks, settings, figure)
    inputs = json.loads(Path(snakemake.input.inputs).read_text(encoding="utf-8"))
    page = render_page(
        f"{TITLE}. Run “{snakemake.params.run}”",
        report.parts(versions=software_versions(), inputs=inputs),
        subtitle="Which of them really differ, from their counts on the same sentences.",
        footer="Zmigrod, Vieira and Cotterell (2022); Bikel's randomized comparator.",
    )
    write_text(snakemake.output.page, page)
    # Seen from the report of the run, everything is one folder down.
    inside = replace(report, figure=replace(figure, stem="parsing/figures/parsers"))
    link = (
        '<p>Every pair and every remark: <a href="parsing/report.html">the page on parsers</a>.</p>'
    )
    section = {"anchor": "parsing", "title": TITLE, "html": inside.overview() + link}
    write_json(snakemake.output.section, section | {"inputs": inputs})


if __name__ == "__main__":
    run(main, snakemake)
