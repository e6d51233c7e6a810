"""Simulate p-values of two tests against sample size, with and without a difference."""

from scripts._runtime import run
from sigcore.comparison.simulation import simulate_pvalues
from sigcore.io.schemas import table_of
from sigcore.io.tables import write_table


def main(snakemake):
    params = snakemake.params
    rows = simulate_pvalues(sorted(params.sizes), n_runs=params.runs, seed=params.seed)
    write_table(snakemake.output.simulation, table_of("pvalue_simulation", rows))


if __name__ == "__main__":
    run(main, snakemake)
