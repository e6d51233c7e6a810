"""Simulate the scores of two systems, a pair a line."""

from scripts._runtime import run
from sigcore.comparison.simulation import simulate_scores
from sigcore.io.files import write_text


def main(snakemake):
    scores = simulate_scores(seed=snakemake.params.seed)
    write_text(snakemake.output.scores, "".join(f"{u:.6f}\t{v:.6f}\n" for u, v in scores))


if __name__ == "__main__":
    run(main, snakemake)
