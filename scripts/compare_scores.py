"""Compare two systems from data analysis to power: tables, figures and a page."""

from dataclasses import asdict
from pathlib import Path

from scripts._runtime import run
from scripts._tables import write_all
from sigcore.comparison.compare import compare
from sigcore.comparison.reporting import report_record
from sigcore.io.paired import read_pair
from sigcore.io.schemas import table_of
from sigcore.io.tables import write_json, write_table, write_text
from sigcore.plotting.comparison import figure_svg, histograms_figure, power_figure
from sigcore.plotting.style import figure_style, save_all
from sigcore.provenance import file_sha256, software_versions
from sigcore.report.comparison import render_comparison
from sigcore.report.nlpstattest import grade_table, summary_table


def main(snakemake):
    settings, output = snakemake.params.settings, snakemake.output
    pair = read_pair(snakemake.input.scores)
    comparison = compare(
        pair.u,
        pair.v,
        names=pair.names,
        unit_size=settings["unit_size"],
        power_runs=settings["power_runs"],
        alpha=settings["alpha"],
        seed=snakemake.params.seed,
    )
    analysis = comparison.analysis
    scores = (*pair.names, "difference"), (analysis.first, analysis.second, analysis.difference)
    summary = [asdict(values) | {"score": name} for name, values in zip(*scores, strict=True)]
    write_all(output, "summary", table_of("score_summary", summary), summary_table)
    grades = table_of("test_grades", map(asdict, comparison.recommendations))
    write_all(output, "tests", grades, grade_table)
    curve = comparison.power.curve
    points = [row | {"test": comparison.primary} for row in curve.to_records()] if curve else []
    write_table(output.power, table_of("power_curve", points))
    write_json(output.record, report_record(comparison))
    figures = draw(comparison, points)
    for image, figure in zip(output.images, figures.values(), strict=True):
        save_all(figure, Path(image).with_suffix(""))
    page = render_comparison(
        comparison,
        figures={name: figure_svg(figure) for name, figure in figures.items()},
        facts={snakemake.input.scores: file_sha256(snakemake.input.scores)} | software_versions(),
    )
    write_text(output.page, page)


def draw(comparison, points):
    """Draw Figures 2 and 3 of the paper."""
    units = comparison.units
    with figure_style():
        return {
            "histograms": histograms_figure(units.u, units.v, comparison.names),
            "power": power_figure(
                points,
                label=comparison.decision.label,
                target=comparison.power.target,
                observed=units.n_units,
            ),
        }


if __name__ == "__main__":
    run(main, snakemake)
