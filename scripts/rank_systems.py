"""Correct the p-values of all pairs of systems together, and rank the systems."""

from scripts._compare import read_scorer
from scripts._runtime import run
from scripts._tables import write_all
from sigcore.comparison.system_pairs import adjust_pairs, rank_systems
from sigcore.io.schemas import table_of
from sigcore.io.tables import read_tables
from sigcore.report.systems import pair_table, system_table


def main(snakemake):
    settings = snakemake.params.settings
    evalset, scores = read_scorer(snakemake.input.scores, settings["scorer"])
    pairs = adjust_pairs(
        read_tables(snakemake.input.pairs).to_pylist(),
        correction=settings["correction"],
        alpha=settings["alpha"],
    )
    systems = rank_systems(
        scores,
        evalset.systems,
        pairs,
        alpha=settings["alpha"],
        cluster_rule=settings["clusters"],
    )
    for row in systems:
        row["human"] = row["system"] in evalset.human_systems
    write_all(snakemake.output, "pairs", table_of("system_pairs", pairs), pair_table)
    write_all(snakemake.output, "systems", table_of("system_ranking", systems), system_table)


if __name__ == "__main__":
    run(main, snakemake)
