"""Write the page with Figures 2 to 5 of the paper on NLPStatTest."""

import json
from pathlib import Path

from scripts._runtime import run
from sigcore.io.tables import read_tables, write_text
from sigcore.provenance import file_sha256, software_versions
from sigcore.report import Figure
from sigcore.report.nlpstattest import NlpStatTestReport
from sigcore.report.simple import render_page
from sigcore.report.systems import closing_parts


def main(snakemake):
    given, params = snakemake.input, snakemake.params
    stems = [f"figures/{Path(path).stem}" for path in given.figures]
    heatmaps = [f"../{testset}/{lp}/compare/figures/systems" for testset, lp in params.pairs]
    report = NlpStatTestReport(
        record=json.loads(Path(given.record).read_text(encoding="utf-8")),
        summary=read_tables([given.summary]).to_pylist(),
        tests=read_tables([given.tests]).to_pylist(),
        simulation=read_tables([given.simulation]).to_pylist(),
        figures=[load(*both) for both in zip(given.figures, stems, strict=True)],
        heatmaps=[load(*both) for both in zip(given.heatmaps, heatmaps, strict=True)],
        correction=params.settings["compare"]["correction"],
    )
    facts = software_versions() | {given.scores: file_sha256(given.scores)}
    page = render_page(
        "Figures 2 to 5 of the paper on NLPStatTest",
        [*report.parts(), *closing_parts(params.settings, facts)],
        subtitle="Data analysis, power, all pairs of systems, and simulated p-values.",
        footer="Zhu, Mak, Gioannini and Xia (2020).",
    )
    write_text(snakemake.output.page, page)


def load(path, stem):
    """Read a figure; its caption is the page's."""
    return Figure(Path(path).read_text(encoding="utf-8"), "", stem)


if __name__ == "__main__":
    run(main, snakemake)
