"""Time the significance of SPA differences between all metrics against the number of metrics.

PERM-INPUTS on simulated sets with the shape of WMT22 en-de, 14 systems and 1,315 segments, see
`spa_significance`. Matrix products are shared by all pairs of a metric, so they cost as much as
there are metrics; additions and normal tails are needed for each pair. The time is fitted by

    fixed + by_metric * metrics + by_pair * metrics * (metrics - 1) / 2,

with relative errors, and the exponent between two sizes is log(t2 / t1) / log(m2 / m1).

Times are CPU time of the process; the fastest run counts.

Usage: OPENBLAS_NUM_THREADS=1 python -m benchmarks.metric_scaling [--output scaling.parquet]
"""

import argparse
from functools import partial
from itertools import pairwise
from math import log
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from scipy.optimize import nnls

from benchmarks.spa_significance import fastest, show, simulate
from sigcore.meta.significance import compare_metrics


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--metrics", type=int, nargs="+", default=[5, 10, 20, 40, 80])
    parser.add_argument("--systems", type=int, default=14)
    parser.add_argument("--segments", type=int, default=1315)
    parser.add_argument("--resamples", type=int, default=1000)
    parser.add_argument("--meta", nargs="+", default=["spa"])
    parser.add_argument("--repeats", type=int, default=3, help="runs; the fastest counts")
    parser.add_argument("--output", type=Path, help="write the table as Parquet")
    options = parser.parse_args()
    seconds = {}
    for n_metrics in sorted(options.metrics):
        gold, metrics = simulate(0, n_metrics, options.systems, options.segments)
        job = partial(
            compare_metrics, gold, metrics, meta=options.meta, n_resamples=options.resamples
        )
        seconds[n_metrics], _ = fastest(job, options.repeats)
    parts = fit(seconds)
    print_table(seconds, parts)
    if options.output:
        rows = [{"n_metrics": n, "seconds": t} for n, t in seconds.items()]
        pq.write_table(pa.Table.from_pylist(rows), options.output)


def fit(seconds: dict[int, float]) -> list[float]:
    """Return the seconds that are fixed, for each metric, and for each pair of metrics."""
    n, t = np.array(list(seconds)), np.array(list(seconds.values()))
    terms = np.column_stack([np.ones(len(n)), n, n * (n - 1) / 2])
    found, _ = nnls(terms / t[:, None], np.ones(len(t)))
    return [float(value) for value in found]


def print_table(seconds: dict[int, float], parts: list[float]) -> None:
    print("| metrics | pairs | time | exponent since the row above | share of the pairs |")
    print("| --- | --- | --- | --- | --- |")
    exponents = ["", *(f"{exponent(a, b):.2f}" for a, b in pairwise(seconds.items()))]
    for (n, time), power in zip(seconds.items(), exponents, strict=True):
        n_pairs = n * (n - 1) // 2
        print(f"| {n} | {n_pairs} | {show(time)} | {power} | {parts[2] * n_pairs / time:.0%} |")
    print(f"\nFixed {show(parts[0])}, a metric {show(parts[1])}, a pair {show(parts[2])}.")


def exponent(first: tuple[int, float], second: tuple[int, float]) -> float:
    return log(second[1] / first[1]) / log(second[0] / first[0])


if __name__ == "__main__":
    main()
