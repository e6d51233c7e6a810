"""Write a simulated evaluation set."""

from pathlib import Path

from scripts._inputs import simulation_spec
from scripts._runtime import run
from sigcore.simulate import write_evalset_files


def main(snakemake):
    spec = simulation_spec(snakemake.params.settings)
    # The first file is <root>/<testset>/sigcore.yaml.
    write_evalset_files(spec, Path(snakemake.output[0]).parents[1])


if __name__ == "__main__":
    run(main, snakemake)
