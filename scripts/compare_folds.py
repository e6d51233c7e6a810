"""Test the two models of each task on precision, recall and F1."""

from scripts._runtime import run
from sigcore.bayes.records import bayes_records, cv_test_records
from sigcore.io.folds import read_fold_pair
from sigcore.io.schemas import table_of
from sigcore.io.tables import (
    to_latex,
    to_markdown,
    write_csv,
    write_json,
    write_table,
    write_text,
)
from sigcore.provenance import file_sha256
from sigcore.report.bayes_columns import LATEX_HEADS, bayes_columns


def main(snakemake):
    tasks = {
        name: read_fold_pair(path)
        for name, path in zip(snakemake.params.tasks, snakemake.input.counts, strict=True)
    }
    tests = table_of("bayes_tests", bayes_records(tasks, **snakemake.params.settings))
    write_table(snakemake.output.tests, tests)
    write_csv(snakemake.output.csv, tests)
    shown = bayes_columns(tests.to_pylist())
    write_text(snakemake.output.latex, to_latex(shown, headers=LATEX_HEADS))
    write_text(snakemake.output.markdown, to_markdown(shown))
    write_table(snakemake.output.others, table_of("cv_tests", cv_test_records(tasks)))
    # The counts of the corpus come from it; those of the configuration are inputs themselves.
    given = [path for path in snakemake.input.counts if path not in snakemake.params.made]
    files = sorted({*snakemake.input.corpus, *given})
    digests = {path: file_sha256(path) for path in files}
    write_json(snakemake.output.inputs, digests | snakemake.params.programs)


if __name__ == "__main__":
    run(main, snakemake)
