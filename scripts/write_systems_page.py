"""Write the page on systems: their ranking and all pairs, language pair by language pair."""

from pathlib import Path

from scripts._runtime import run
from sigcore.io.tables import read_tables, write_text
from sigcore.provenance import file_sha256, software_versions
from sigcore.report import Figure
from sigcore.report.simple import render_page
from sigcore.report.systems import SystemsReport, closing_parts

CAPTION = (
    "Rows against columns, systems best first, with their mean scores; colour is the corrected "
    "p-value, orange lines separate clusters."
)


def main(snakemake):
    reports = []
    for (testset, lp), pairs, systems, figure in zip(
        snakemake.params.pairs,
        snakemake.input.pairs,
        snakemake.input.systems,
        snakemake.input.figures,
        strict=True,
    ):
        folder = f"../{testset}/{lp}/compare"
        reports.append(
            SystemsReport(
                testset,
                lp,
                systems=read_tables([systems]).to_pylist(),
                pairs=read_tables([pairs]).to_pylist(),
                figure=Figure(
                    Path(figure).read_text(encoding="utf-8"), CAPTION, f"{folder}/figures/systems"
                ),
                folder=folder,
            )
        )
    settings = {"compare": snakemake.params.settings, "seed": snakemake.params.seed}
    facts = software_versions() | {path: file_sha256(path) for path in snakemake.input.scores}
    page = render_page(
        f"Which systems differ? Run “{snakemake.params.run}”",
        [*(report.part() for report in reports), *closing_parts(settings, facts)],
        subtitle="Every pair of systems on the same segments, corrected for their number.",
        footer="Zhu, Mak, Gioannini and Xia (2020), Figure 4.",
    )
    write_text(snakemake.output.page, page)


if __name__ == "__main__":
    run(main, snakemake)
