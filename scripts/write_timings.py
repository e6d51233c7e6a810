"""Put the run times of the paired permutation tests into a table and onto a page."""

from pathlib import Path

from scripts._runtime import run
from sigcore.io.tables import read_table, to_markdown, write_json, write_text
from sigcore.permutation.timing_summary import summarise_timings, timing_columns
from sigcore.provenance import software_versions
from sigcore.report.timings import render_timings, timings_section

TITLE = "Run time of the exact test"


def main(snakemake):
    table, facts = read_table(snakemake.input.timings)
    rows = table.to_pylist()
    columns = timing_columns(summarise_timings(rows))
    write_text(snakemake.output.table, to_markdown(columns))
    shown = {
        "svg": Path(snakemake.input.figure).read_text(encoding="utf-8"),
        "n_repeats": 1 + max(row["repeat"] for row in rows),
    }
    page = render_timings(columns, **shown, facts=facts["machine"] | software_versions())
    write_text(snakemake.output.page, page)
    section = {"anchor": "benchmark", "title": TITLE, "html": timings_section(columns, **shown)}
    write_json(snakemake.output.section, section | {"inputs": {}})


if __name__ == "__main__":
    run(main, snakemake)
