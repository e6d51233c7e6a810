"""Coverage and length of the credible intervals of F1, as in section 2.4 of Wang & Li (2019).

The first line is the authors' own simulation, the others are further readings of the section. The
paper prints 94.5% and 0.0854 for its posterior, and 99.6% and 0.117 for that of the mean counts.

Usage: python benchmarks/bayes_coverage.py [--corpora 1000] [--seed 0]
"""

import argparse
import time

from sigcore.bayes.simulation import READINGS, interval_coverage


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=int, default=1000, help="simulated corpora")
    parser.add_argument("--seed", type=int, default=0, help="seed of the simulation")
    options = parser.parse_args()
    start = time.process_time()
    head = f"{'coverage':>10}{'s.e.':>8}{'length':>9}{'s.e.':>9}"
    print(f"{'classes':9}{'blocks':12}{'truth':8}{head}   mean counts:{head}")
    for reading in READINGS:
        found = interval_coverage(n_corpora=options.corpora, seed=options.seed, **reading._asdict())
        cells = [
            f"{each.coverage:10.2%}{each.standard_error:8.2%}"
            f"{each.length:9.4f}{each.length_error:9.5f}"
            for each in (found.corrected, found.mean_count)
        ]
        print(f"{reading.classes:9}{reading.blocks:12}{reading.truth:8}{cells[0]}{'':15}{cells[1]}")
    seconds = time.process_time() - start
    print(f"{len(READINGS)} times {options.corpora} corpora in {seconds:.1f} s of CPU time")


if __name__ == "__main__":
    main()
