"""Write Tables 2 to 5 of the paper beside what it prints."""

from pathlib import Path

from scripts._runtime import run
from sigcore.bayes.published import (
    TASKS,
    decision_records,
    interval_records,
    published_tasks,
)
from sigcore.io.folds import read_folds
from sigcore.io.schemas import table_of
from sigcore.io.tables import (
    read_tables,
    to_latex,
    to_markdown,
    write_csv,
    write_table,
    write_text,
)
from sigcore.report.bayes_columns import LATEX_HEADS, decision_columns, interval_columns


def main(snakemake):
    tasks = {
        name: read_folds(path)
        for name, path in zip(snakemake.params.tasks, snakemake.input.counts, strict=True)
    }
    published_tasks(tasks)
    tests = [
        row
        for task in TASKS
        for row in read_tables([snakemake.input.tests]).to_pylist()
        if row["task"] == task
    ]
    intervals = interval_records(tests)
    decisions = decision_records(tests, tasks, seed=snakemake.params.seed)
    folder = Path(snakemake.output[0]).parent
    write_all(folder / "table2", "paper_intervals", intervals, interval_columns(intervals))
    for task in TASKS.values():
        rows = [row for row in decisions if row["table"] == task.table]
        write_all(folder / f"table{task.table}", "paper_decisions", rows, decision_columns(rows))


def write_all(stem, schema, rows, shown):
    """Write a table as Parquet and CSV, and as people read it in LaTeX and Markdown."""
    table = table_of(schema, rows)
    write_table(stem.with_suffix(".parquet"), table)
    write_csv(stem.with_suffix(".csv"), table)
    write_text(stem.with_suffix(".tex"), to_latex(shown, headers=LATEX_HEADS))
    write_text(stem.with_suffix(".md"), to_markdown(shown))


if __name__ == "__main__":
    run(main, snakemake)
