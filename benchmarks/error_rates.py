"""How often each permutation scheme tells two equally good metrics apart.

Both metrics see the same quality through errors of the same law, so every rejection is false. A
scheme promises its level only where what it swaps is exchangeable. There are three designs:

- cells: errors of single translations, independent of each other;
- segments: an error that all systems share on a segment, beside those of cells;
- systems: an error that all segments share for a system, beside those of cells.

A rate is marked `*` where the scheme promises the level, and `!` if it lies above the level by more
than Monte Carlo can explain (one-sided binomial test at 0.001). "pairs" swaps comparisons of two
translations; with two systems there is one a segment, so it swaps segments and promises the level,
with more it takes dependent comparisons for independent ones.

Usage: python -m benchmarks.error_rates [--trials 400] [--systems 8] [--only META ...]
       [--output rates.parquet]
"""

import argparse
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from sigcore.errors import LevelWarning
from sigcore.meta.significance import compare_metrics
from sigcore.seeding import generator

FloatArray = npt.NDArray[np.float64]

DESIGNS = ("cells", "segments", "systems")
# Scheme, what is tested, designs in which the level is promised.
TESTS = (
    (
        "inputs",
        ("spa", "pa", "pearson-seg", "tau-b-seg", "tau-b-by-system", "acc-eq"),
        ("cells", "segments"),
    ),
    ("systems", ("spa", "pa", "pearson-sys", "kendall-sys", "tau-b-seg"), ("cells", "systems")),
    ("both", ("spa", "pa", "pearson-seg"), ("cells",)),
    ("both-xor", ("spa", "pa", "pearson-seg"), ("cells",)),
    ("pairs", ("acc-eq",), ()),
)
EXCLUDED = 0.001


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--systems", type=int, default=8)
    parser.add_argument("--segments", type=int, default=100)
    parser.add_argument("--metrics", type=int, default=5, help="for the test of maxT")
    parser.add_argument("--resamples", type=int, default=199)
    parser.add_argument("--trials", type=int, default=400)
    parser.add_argument("--alpha", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="+", metavar="META", help="statistics to test; not maxT")
    parser.add_argument("--output", type=Path, help="write the table as Parquet")
    options = parser.parse_args()
    warnings.simplefilter("ignore", LevelWarning)  # the table shows what it warns of
    rows = [row for design in DESIGNS for row in rates(design, options)]
    print_table(rows, options)
    if options.output:
        pq.write_table(pa.Table.from_pylist(rows), options.output)


def rates(design: str, options: argparse.Namespace) -> Iterator[dict[str, object]]:
    tests = [(scheme, chosen(metas, options), where) for scheme, metas, where in TESTS]
    counts = {(scheme, meta): 0 for scheme, metas, _ in tests for meta in metas}
    any_false = 0
    rng = generator(options.seed, "error rates", design)
    for trial in range(options.trials):
        gold, metrics = simulate(rng, design, options)
        for scheme, metas, _ in tests:
            if metas:
                found = compare(gold, metrics[:2], metas, scheme, trial, options)
                for meta in metas:
                    counts[scheme, meta] += int(found[meta].pvalues[0, 1] <= options.alpha)
        if not options.only:
            found = compare(gold, metrics, ("spa",), "inputs", trial, options, adjust="maxt")
            any_false += int(found["spa"].n_significant(options.alpha) > 0)
    promised = {scheme: designs for scheme, _, designs in TESTS}
    if options.systems == 2:
        promised["pairs"] = promised["inputs"]
    for (scheme, meta), count in counts.items():
        yield row(scheme, meta, design, count, design in promised[scheme], options)
    if not options.only:
        name = f"spa, {options.metrics} metrics, maxT"
        yield row("inputs", name, design, any_false, design in promised["inputs"], options)


def chosen(metas: tuple[str, ...], options: argparse.Namespace) -> tuple[str, ...]:
    return tuple(meta for meta in metas if not options.only or meta in options.only)


def simulate(
    rng: np.random.Generator, design: str, options: argparse.Namespace
) -> tuple[FloatArray, FloatArray]:
    """Draw gold in whole steps, and metrics whose errors have the same law."""
    shape = (options.systems, options.segments)
    quality = rng.normal(0.0, 0.25, size=(options.systems, 1)) + rng.normal(size=shape)
    gold = np.rint(2.0 * (quality + rng.normal(size=shape)))
    errors = rng.normal(0.0, 1.5, size=(options.metrics, *shape))
    if design == "segments":
        errors += rng.normal(0.0, 1.0, size=(options.metrics, 1, options.segments))
    if design == "systems":
        errors += rng.normal(0.0, 0.2, size=(options.metrics, options.systems, 1))
    return gold, quality + errors


def compare(
    gold: FloatArray,
    metrics: FloatArray,
    metas: tuple[str, ...],
    scheme: str,
    trial: int,
    options: argparse.Namespace,
    adjust: str | None = None,
):
    return compare_metrics(
        gold,
        metrics,
        meta=metas,
        scheme=scheme,
        n_resamples=options.resamples,
        seed=trial,
        adjust=adjust,
    )


def row(
    scheme: str, meta: str, design: str, count: int, promised: bool, options: argparse.Namespace
) -> dict[str, object]:
    from scipy.stats import binomtest

    test = binomtest(count, options.trials, options.alpha, alternative="greater")
    low, high = binomtest(count, options.trials).proportion_ci(0.95, method="exact")
    return {
        "scheme": scheme,
        "statistic": meta,
        "design": design,
        "rate": count / options.trials,
        "low": float(low),
        "high": float(high),
        "promised": promised,
        "above": bool(test.pvalue < EXCLUDED),
        "n_trials": options.trials,
    }


def print_table(rows: list[dict[str, object]], options: argparse.Namespace) -> None:
    print(
        f"Two metrics, {options.systems} systems, {options.segments} segments, "
        f"{options.resamples} draws, {options.trials} trials, level {options.alpha}.\n"
    )
    print("| scheme | statistic | " + " | ".join(f"errors of {name}" for name in DESIGNS) + " |")
    print("| --- | --- |" + " --- |" * len(DESIGNS))
    keys = list(dict.fromkeys((each["scheme"], each["statistic"]) for each in rows))
    for scheme, statistic in keys:
        cells = [
            show(each)
            for each in rows
            if (each["scheme"], each["statistic"]) == (scheme, statistic)
        ]
        print(f"| {scheme} | {statistic} | " + " | ".join(cells) + " |")
    broken = [each for each in rows if each["promised"] and each["above"]]
    print(f"\n{len(broken)} rates lie above a promised level.")


def show(each: dict[str, object]) -> str:
    marks = ("*" if each["promised"] else "") + ("!" if each["above"] else "")
    return f"{each['rate']:.3f} ({each['low']:.3f} to {each['high']:.3f}) {marks}".strip()


if __name__ == "__main__":
    main()
