"""Time the paired permutation tests on simulated tagging results."""

from scripts._runtime import run
from sigcore.io.machine import describe_machine
from sigcore.io.schemas import table_of
from sigcore.io.tables import write_table
from sigcore.permutation.timing import paper_methods, time_methods


def main(snakemake):
    settings = dict(snakemake.params.settings)
    sizes, repeats = settings.pop("sizes"), settings.pop("repeats")
    rows = time_methods(
        sizes, methods=paper_methods(**settings), repeats=repeats, seed=snakemake.params.seed
    )
    write_table(
        snakemake.output.timings,
        table_of("timings", rows),
        metadata={"machine": describe_machine()},
    )


if __name__ == "__main__":
    run(main, snakemake)
