"""Write Table 1 of the SPA paper, ours beside what it prints."""

from scripts._runtime import run
from scripts._tables import write_all
from sigcore.io.schemas import table_of
from sigcore.io.tables import read_table, read_tables
from sigcore.meta.published import table_1_records
from sigcore.report.paper_spa import table_1_shown


def main(snakemake):
    files = snakemake.input
    rows = []
    for index, (testset, lp) in enumerate(snakemake.params.pairs):
        sampled, sampled_facts = read_table(files.sampled[index])
        repeats, facts = read_table(files.repeats[index])
        rows += table_1_records(
            testset,
            lp,
            ranking=read_tables([files.rankings[index]]).to_pylist(),
            comparisons=read_tables([files.comparisons[index]]).to_pylist(),
            sampled=sampled.to_pylist(),
            sampled_scores=sampled_facts["scores"],
            repeats=repeats.to_pylist(),
            n_different=facts["n_different"],
            alpha=snakemake.params.alpha,
        )
    write_all(snakemake.output, "table", table_of("table_1", rows), table_1_shown)


if __name__ == "__main__":
    run(main, snakemake)
