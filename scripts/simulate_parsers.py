"""Write what evalb would print for simulated parsers."""

from scripts._runtime import run
from sigcore.io.evalb_writer import write_evalb
from sigcore.parsing.simulate import EXAMPLE_PARSERS, simulate_parsers


def main(snakemake):
    parsers = simulate_parsers(
        snakemake.params.sentences,
        recalls=list(EXAMPLE_PARSERS.values()),
        names=list(EXAMPLE_PARSERS),
        # So that the run shows what becomes of sentences without a score.
        n_not_scored=2,
        seed=snakemake.params.seed,
    )
    for path, scores in zip(snakemake.output, parsers, strict=True):
        write_evalb(path, scores)


if __name__ == "__main__":
    run(main, snakemake)
