"""Size of every test and coverage of every interval of `sigcore compare`, by simulation.

The null is true in each sample: tests of the mean, the median and the pseudomedian are given that
centre of the population. At level 0.05 the size should be at most 0.05 and the coverage at least
0.95; a star marks a share that lies outside by more than the simulation explains (99%).

Known exceptions: means of few skewed differences (t, permutation, and most bootstraps at n = 20),
the bootstrap of the mean on heavy tails, the studentised and basic bootstrap of the median, and
almost stochastic order, whose asymptotics fail where both distributions are the same.

Usage: python -m benchmarks.comparison_coverage [--runs 1000] [--sizes 20 100] [--csv FILE]
"""

import argparse
import time
from pathlib import Path
from typing import Any

from sigcore.comparison.error_rates import EFFECTS, POPULATIONS, effect_coverage, simulate_test
from sigcore.comparison.significance import TESTS, SignificanceOptions
from sigcore.io.tables import write_csv

# Kinds of bootstrap beside the default ones.
VARIANTS = {
    "bootstrap_mean": ("studentised", "basic", "percentile", "bca"),
    "bootstrap_median": ("studentised", "basic", "percentile", "bca"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000, help="samples a cell")
    parser.add_argument("--sizes", type=int, nargs="+", default=[20, 100], help="pairs in a sample")
    parser.add_argument("--n-resamples", type=int, default=999, help="of the bootstrap")
    parser.add_argument("--csv", type=Path, help="write the table to a file")
    arguments = parser.parse_args()
    start = time.perf_counter()
    rows = [*simulate_tests(arguments), *simulate_effects(arguments)]
    print("| procedure | population | n | size | coverage |\n| --- | --- | ---: | ---: | ---: |")
    for row in rows:
        print("| " + " | ".join(map(str, row.values())) + " |")
    if arguments.csv:
        write_csv(arguments.csv, {name: [row[name] for row in rows] for name in rows[0]})
    print(f"\n{len(rows)} cells of {arguments.runs} runs in {time.perf_counter() - start:.0f} s")


def simulate_tests(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    rows = []
    for test in TESTS:
        for kind in VARIANTS.get(test, ("",)):
            chosen = {test: kind} if kind else {}
            options = SignificanceOptions(n_resamples=arguments.n_resamples, **chosen)
            for population in POPULATIONS:
                if (test == "mcnemar") == (population == "binary"):
                    rows += [
                        simulate_cell(test, kind, population, n, arguments.runs, options)
                        for n in arguments.sizes
                    ]
    return rows


def simulate_cell(
    test: str, kind: str, population: str, n: int, runs: int, options: SignificanceOptions
) -> dict[str, Any]:
    size, coverage = simulate_test(test, population, n, runs=runs, options=options)
    return {
        "procedure": f"{test} {kind}".strip(),
        "population": population,
        "n": n,
        "size": f"{size.share:.3f}{'*' if size.low > 0.05 else ''}",
        "coverage": f"{coverage.share:.3f}{'*' if coverage.high < 0.95 else ''}",
    }


def simulate_effects(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    rows = []
    for effect in EFFECTS:
        for n in arguments.sizes:
            coverage = effect_coverage(effect, n, runs=arguments.runs)
            star = "*" if coverage.high < 0.95 else ""
            share = f"{coverage.share:.3f}{star}"
            rows.append(
                {"procedure": effect, "population": "normal", "n": n, "size": "", "coverage": share}
            )
    return rows


if __name__ == "__main__":
    main()
