"""Simulate the coverage and the length of the credible intervals, as in section 2.4."""

from scripts._runtime import run
from sigcore.bayes.published import coverage_records
from sigcore.bayes.simulation import READINGS, interval_coverage
from sigcore.io.schemas import table_of
from sigcore.io.tables import to_latex, to_markdown, write_csv, write_table, write_text
from sigcore.report.bayes_columns import coverage_columns


def main(snakemake):
    results = [
        interval_coverage(
            n_corpora=snakemake.params.corpora,
            seed=snakemake.params.seed,
            **reading._asdict(),
        )
        for reading in READINGS
    ]
    table = table_of("coverage", coverage_records(results))
    write_table(snakemake.output.table, table)
    write_csv(snakemake.output.csv, table)
    shown = coverage_columns(table.to_pylist())
    write_text(snakemake.output.latex, to_latex(shown))
    write_text(snakemake.output.markdown, to_markdown(shown))


if __name__ == "__main__":
    run(main, snakemake)
