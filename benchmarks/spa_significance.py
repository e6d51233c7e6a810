"""Time p-value matrices and the significance of metric differences against shared-sign sampling.

The data are simulated with the shape of WMT22 en-de: 14 systems, 1,315 segments, human scores in
tenths and 21 real-valued metrics with heavy tails. The sampling procedure is that of the SPA paper:
for each pair of metrics and each draw, swap segments, compute both hybrids' p-values from 1,000
sign vectors shared by all system pairs, and compare their SPA. It takes hours, so a few draws are
timed and the rest is extrapolated; such rows say so.

With --peer DIR, a checkout of mt-metrics-eval, its own code computes the sampled p-values; without,
this library's bit-for-bit equal version does.

Usage: python benchmarks/spa_significance.py [--peer DIR] [--output timings.parquet]
"""

import argparse
import importlib.util
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from sigcore.meta.significance import compare_metrics
from sigcore.meta.spa import spa_from_pvalues
from sigcore.permutation.pairwise import pairwise_pvalues
from sigcore.seeding import generator

FloatArray = npt.NDArray[np.float64]
PvalueFunction = Callable[[FloatArray], FloatArray]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--systems", type=int, default=14)
    parser.add_argument("--segments", type=int, default=1315)
    parser.add_argument("--metrics", type=int, default=21)
    parser.add_argument("--resamples", type=int, default=1000)
    parser.add_argument("--draws", type=int, default=5, help="sampled draws that are timed")
    parser.add_argument("--repeats", type=int, default=5, help="runs; the fastest counts")
    parser.add_argument("--peer", type=Path, help="a checkout of mt-metrics-eval")
    parser.add_argument("--output", type=Path, help="write the table as Parquet")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    gold, metrics = simulate(options.seed, options.metrics, options.systems, options.segments)
    sampled = load_peer(options.peer) if options.peer else sample_pvalues
    rows = time_matrices(gold, metrics[0], sampled, options.repeats)
    rows += time_comparison(gold, metrics, sampled, options)
    print_table(rows)
    if options.output:
        pq.write_table(pa.Table.from_pylist(rows), options.output)


def simulate(
    seed: int, n_metrics: int, n_systems: int, n_segments: int
) -> tuple[FloatArray, FloatArray]:
    rng = generator(seed, "benchmark spa significance")
    quality = rng.normal(0.0, 0.15, size=(n_systems, 1)) + rng.normal(size=(n_systems, n_segments))
    penalty = rng.poisson(np.exp(-quality)) + 0.1 * rng.poisson(0.3, size=quality.shape)
    noise = rng.standard_t(4.0, size=(n_metrics, n_systems, n_segments))
    strength = np.linspace(0.3, 1.0, n_metrics)[:, None, None]
    return -penalty, strength * quality + noise


def load_peer(checkout: Path) -> PvalueFunction:
    source = checkout / "mt_metrics_eval" / "pce.py"
    spec = importlib.util.spec_from_file_location("peer_pce", source)
    if spec is None or spec.loader is None or not source.is_file():
        raise SystemExit(f"--peer must be a checkout of mt-metrics-eval; there is no {source}.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function: PvalueFunction = module.compute_pairwise_p_values
    return function


def sample_pvalues(scores: FloatArray) -> FloatArray:
    return pairwise_pvalues(scores, method="mtme").pvalues


def time_matrices(
    gold: FloatArray, metric: FloatArray, sampled: PvalueFunction, repeats: int
) -> list[dict[str, object]]:
    upper = np.triu_indices(len(gold), 1)
    reference = {
        "gold": pairwise_pvalues(gold, method="exact").pvalues[upper],
        "metric": pairwise_pvalues(metric, method="exact").pvalues[upper],
    }
    jobs: list[tuple[str, str, Callable[[], FloatArray]]] = [
        ("gold", "exact", lambda: pairwise_pvalues(gold, method="exact").pvalues),
        ("gold", "1,000 shared signs", lambda: sampled(gold)),
        ("metric", "exact", lambda: pairwise_pvalues(metric, method="exact").pvalues),
        ("metric", "analytic", lambda: pairwise_pvalues(metric, method="analytic").pvalues),
        ("metric", "1,000 shared signs", lambda: sampled(metric)),
    ]
    rows: list[dict[str, object]] = []
    for scores, method, job in jobs:
        seconds, pvalues = fastest(job, repeats)
        error = float(np.abs(pvalues[upper] - reference[scores]).max())
        rows.append(row(f"p-values of all system pairs, {scores}", method, seconds, error))
    return rows


def time_comparison(
    gold: FloatArray, metrics: FloatArray, sampled: PvalueFunction, options: argparse.Namespace
) -> list[dict[str, object]]:
    task = f"significance of all metric pairs, {options.resamples} draws"
    n_pairs = len(metrics) * (len(metrics) - 1) // 2
    seconds, _ = fastest(
        lambda: compare_metrics(gold, metrics, n_resamples=options.resamples), options.repeats
    )
    a_draw = time_draws(gold, metrics, sampled, options)
    slow = a_draw * n_pairs * options.resamples
    return [
        row(task, "analytic, SPA and PA", seconds),
        row(
            task, "1,000 shared signs a draw, SPA", slow, extrapolated=True, speedup=slow / seconds
        ),
    ]


def time_draws(
    gold: FloatArray, metrics: FloatArray, sampled: PvalueFunction, options: argparse.Namespace
) -> float:
    """Return the seconds of one draw for one pair of metrics, by the sampling procedure."""
    rng = generator(options.seed, "benchmark draws")
    one, other = ((metric - metric.mean()) / metric.std() for metric in metrics[:2])
    gold_pvalues = sampled(gold)
    start = time.perf_counter()
    for _ in range(options.draws):
        mask = rng.random(gold.shape[1]) < 0.5
        hybrids = (np.where(mask, one, other), np.where(mask, other, one))
        for hybrid in hybrids:
            spa_from_pvalues(gold_pvalues, sampled(hybrid))
    return (time.perf_counter() - start) / options.draws


def fastest(job: Callable[[], FloatArray], repeats: int) -> tuple[float, FloatArray]:
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = job()
        seconds.append(time.perf_counter() - start)
    return min(seconds), result


def row(
    task: str,
    method: str,
    seconds: float,
    error: float | None = None,
    *,
    extrapolated: bool = False,
    speedup: float | None = None,
) -> dict[str, object]:
    return {
        "task": task,
        "method": method,
        "seconds": seconds,
        "largest_error": error,
        "extrapolated": extrapolated,
        "slower_by": speedup,
    }


def print_table(rows: list[dict[str, object]]) -> None:
    print("| task | method | time | largest error of p | slower by |")
    print("| --- | --- | --- | --- | --- |")
    for each in rows:
        seconds, error, speedup = each["seconds"], each["largest_error"], each["slower_by"]
        shown = f"{seconds * 1e3:.1f} ms" if seconds < 10 else f"{seconds / 3600:.1f} h"  # type: ignore[operator]
        note = " (extrapolated)" if each["extrapolated"] else ""
        print(
            f"| {each['task']} | {each['method']} | {shown}{note} | "
            f"{'' if error is None else f'{error:.1e}'} | "
            f"{'' if speedup is None else f'{speedup:,.0f}'} |"
        )


if __name__ == "__main__":
    main()
