"""Coverage and length of the credible intervals of F1, as in section 2.4 of Wang & Li (2019).

Usage: python benchmarks/bayes_coverage.py [--corpora 1000] [--seed 0]
"""

import argparse
import time

from sigcore.bayes.simulation import interval_coverage

PUBLISHED = {"corrected": ("94.5%", "0.0854"), "mean_count": ("99.6%", "0.117")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=int, default=1000, help="simulated corpora")
    parser.add_argument("--seed", type=int, default=0, help="seed of the simulation")
    options = parser.parse_args()
    start = time.perf_counter()
    result = interval_coverage(n_corpora=options.corpora, seed=options.seed)
    seconds = time.perf_counter() - start
    print(f"{'posterior':12}{'coverage':>10}{'s.e.':>8}{'length':>9}{'published':>17}")
    for name, (coverage, length) in PUBLISHED.items():
        found = getattr(result, name)
        print(
            f"{name:12}{found.coverage:10.2%}{found.standard_error:8.2%}{found.length:9.4f}"
            f"{coverage:>9}, {length}"
        )
    print(f"{result.n_corpora} corpora of {result.n_items} items in {seconds:.1f} s")


if __name__ == "__main__":
    main()
