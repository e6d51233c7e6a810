"""Size of every test and coverage of every interval of `sigcore compare`, by simulation.

The null is true in each sample: tests of the mean, the median and the pseudomedian are given that
centre of the population. A cell has two shares in percent: p < 0.05, and 95% intervals that hold
the truth. A star marks one that is worse than its nominal value by more than the simulation
explains (99%). Below the table are the worst one-sided errors: the share of intervals with the
truth beyond one end, nominally 2.5%. `docs/comparison.md` has a run and says what the stars mean.

Usage: python -m benchmarks.comparison_coverage [--runs 1000] [--sizes 20 100] [--csv FILE]
"""

import argparse
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sigcore.comparison.bootstrap import KINDS
from sigcore.comparison.error_rates import (
    EFFECTS,
    POPULATIONS,
    ErrorRate,
    effect_coverage,
    simulate_test,
)
from sigcore.comparison.significance import TESTS, SignificanceOptions
from sigcore.io.tables import write_csv

ALPHA = 0.05
# Ways to carry out a test, as options of `SignificanceOptions`; other tests have one.
VARIANTS: Mapping[str, tuple[dict[str, Any], ...]] = {
    "wilcoxon": (
        {},
        {"wilcoxon_method": "asymptotic"},
        {"wilcoxon_zeros": "pratt"},
        {"wilcoxon_zeros": "zsplit", "wilcoxon_method": "asymptotic"},
    ),
    "bootstrap_mean": tuple({"bootstrap_mean": kind} for kind in KINDS),
    "bootstrap_median": tuple({"bootstrap_median": kind} for kind in KINDS),
    "mcnemar": tuple({"mcnemar_method": method} for method in ("exact", "mid-p", "asymptotic")),
}
REAL = tuple(name for name in POPULATIONS if name != "binary")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000, help="samples a cell")
    parser.add_argument("--sizes", type=int, nargs="+", default=[20, 100], help="pairs in a sample")
    parser.add_argument("--n-resamples", type=int, default=999, help="of the bootstrap")
    parser.add_argument("--tests", nargs="+", default=TESTS, choices=TESTS, help="tests to run")
    parser.add_argument("--csv", type=Path, help="write every cell to a file")
    arguments = parser.parse_args()
    start = time.process_time()
    rows = [*simulate_tests(arguments), *simulate_effects(arguments)]
    print_table([row for row in rows if row["population"] in REAL and "size" in row], REAL)
    print_table([row for row in rows if row["population"] == "binary"], ("binary",))
    print_table([row for row in rows if "size" not in row], ("normal",))
    print_worst(rows)
    if arguments.csv:
        names = list(rows[0])
        write_csv(arguments.csv, {name: [row.get(name) for row in rows] for name in names})
    seconds = time.process_time() - start
    print(f"\n{len(rows)} cells of {arguments.runs} runs, {seconds:.0f} s of CPU time")


def simulate_tests(arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    for test in arguments.tests:
        for choice in VARIANTS.get(test, ({},)):
            options = SignificanceOptions(n_resamples=arguments.n_resamples, **choice)
            for n in arguments.sizes:
                for population in ("binary",) if test == "mcnemar" else REAL:
                    rates = simulate_test(
                        test, population, n, runs=arguments.runs, options=options, alpha=ALPHA
                    )
                    yield {
                        "procedure": " ".join([test, *choice.values()]),
                        "population": population,
                        "n": n,
                        "size": rates.size.share,
                        "coverage": rates.coverage.share,
                        "below": rates.below.share,
                        "above": rates.above.share,
                        "cell": f"{too_often(rates.size)}, {too_seldom(rates.coverage)}",
                    }


def simulate_effects(arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    for effect in EFFECTS:
        for n in arguments.sizes:
            coverage = effect_coverage(effect, n, runs=arguments.runs)
            yield {
                "procedure": effect,
                "population": "normal",
                "n": n,
                "coverage": coverage.share,
                "cell": too_seldom(coverage),
            }


def too_often(rate: ErrorRate) -> str:
    return f"{100 * rate.share:.1f}{'*' if rate.low > ALPHA else ''}"


def too_seldom(rate: ErrorRate) -> str:
    return f"{100 * rate.share:.1f}{'*' if rate.high < 1.0 - ALPHA else ''}"


def print_table(rows: list[dict[str, Any]], populations: tuple[str, ...]) -> None:
    cells = {(row["procedure"], row["n"], row["population"]): row["cell"] for row in rows}
    print("\n| procedure | n | " + " | ".join(populations) + " |")
    print("| --- | ---: |" + " ---: |" * len(populations))
    for procedure, n in dict.fromkeys((row["procedure"], row["n"]) for row in rows):
        found = (cells[procedure, n, population] for population in populations)
        print(f"| {procedure} | {n} | " + " | ".join(found) + " |")


def print_worst(rows: list[dict[str, Any]]) -> None:
    print("\nLargest share of intervals with the truth beyond one end:\n")
    worst: dict[str, dict[str, Any]] = {}
    for row in rows:
        if "size" in row:
            shown = worst.setdefault(row["procedure"], row)
            if max(row["below"], row["above"]) > max(shown["below"], shown["above"]):
                worst[row["procedure"]] = row
    for procedure, row in worst.items():
        share = max(row["below"], row["above"])
        print(f"* {procedure}: {share:.1%} ({row['population']}, n = {row['n']})")


if __name__ == "__main__":
    main()
