"""Write the page on the Bayes test, and the section that the report of the run has on it."""

import json
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from scripts._runtime import run
from sigcore.io.tables import read_table, read_tables, write_json, write_text
from sigcore.provenance import software_versions
from sigcore.report import Figure
from sigcore.report.bayes import BayesReport
from sigcore.report.simple import render_page

TITLE = "Bayes test"
CAPTION = (
    "{}: posteriors of the two models; dashed the older ones, of mean counts. Bars are credible "
    "intervals, dots posterior means."
)


def main(snakemake):
    files = snakemake.input
    balance, facts = read_table(files.balance[0]) if files.balance else (None, {})
    report = BayesReport(
        tests=rows(files.tests),
        others=rows(files.others),
        figures=[figure_of(path) for path in files.figures],
        facts=facts,
        balance=balance.to_pylist() if balance else (),
        counts=rows(files.counts),
        intervals=rows(files.intervals),
        decisions=rows(files.decisions),
        coverage=rows(files.coverage),
    )
    inputs = json.loads(Path(files.inputs).read_text(encoding="utf-8"))
    page = render_page(
        f"{TITLE}. Run “{snakemake.params.run}”",
        report.parts(settings=snakemake.params.settings, versions=versions(), inputs=inputs),
        subtitle="How probable is it that model B beats model A in precision, recall and F1?",
        footer="Wang and Li (2019), ACL, 4135-4145.",
    )
    write_text(snakemake.output.page, page)
    # Seen from the report of the run, everything is one folder down.
    moved = [replace(figure, stem=f"bayes/{figure.stem}") for figure in report.figures]
    link = '<p>All of it: <a href="bayes/report.html">the page on the Bayes test</a>.</p>'
    section = {
        "anchor": "bayes",
        "title": TITLE,
        "html": replace(report, figures=moved).overview() + link,
        "inputs": inputs,
    }
    write_json(snakemake.output.section, section)


def rows(paths):
    """Read the rows of tables; none if there is no table."""
    names = [paths] if isinstance(paths, str) else list(paths)
    return read_tables(names).to_pylist() if names else []


def figure_of(path):
    task = Path(path).name.removesuffix(".svg")
    svg = Path(path).read_text(encoding="utf-8")
    return Figure(svg, CAPTION.format(task), f"figures/{task}")


def versions():
    """Return the versions of the software, the tagger's too if it is there."""
    try:
        return software_versions() | {"python-crfsuite": version("python-crfsuite")}
    except PackageNotFoundError:
        return software_versions()


if __name__ == "__main__":
    run(main, snakemake)
