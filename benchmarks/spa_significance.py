"""Time p-value matrices and the significance of metric differences against shared-sign sampling.

The data are simulated with the shape of WMT22 en-de: 14 systems, 1,315 segments, human scores in
tenths and 21 real-valued metrics with heavy tails. The slow procedures take hours, so a few draws
are timed for one pair of metrics and the rest is extrapolated; such rows say so.

- SPA with sampled p-values: for each pair of metrics and each draw, swap segments (PERM-INPUTS, as
  in the SPA paper) or cells (PERM-BOTH), compute both hybrids' p-values from 1,000 sign vectors
  shared by all system pairs, and compare their SPA.
- The test of mt-metrics-eval, which computes the p-values of people anew in every draw as well. It
  has PERM-BOTH only; a draw of PERM-INPUTS would take it as long.
- Its test of acc_eq, which swaps verdicts.

Times are CPU time of the process, all threads together, so that other work on the machine favours
nobody; the fastest run counts.

With --peer DIR, a checkout of mt-metrics-eval, its own tests and p-values are timed; without, this
library's bit-for-bit equal p-values take their place.

Usage: python benchmarks/spa_significance.py [--peer DIR] [--output timings.parquet]
"""

import argparse
import functools
import importlib
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

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
    peer = load_peer(options.peer) if options.peer else None
    sampled = peer.pce.compute_pairwise_p_values if peer else sample_pvalues
    rows = time_matrices(gold, metrics[0], sampled, options.repeats)
    rows += time_spa(gold, metrics, sampled, peer, options)
    rows += time_verdicts(gold, metrics, peer, options)
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


def load_peer(checkout: Path) -> ModuleType:
    """Import the statistics of mt-metrics-eval."""
    if not (checkout / "mt_metrics_eval" / "stats.py").is_file():
        raise SystemExit(f"--peer must be a checkout of mt-metrics-eval; got {checkout}.")
    sys.path.insert(0, str(checkout))
    return importlib.import_module("mt_metrics_eval.stats")


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


def time_spa(
    gold: FloatArray,
    metrics: FloatArray,
    sampled: PvalueFunction,
    peer: ModuleType | None,
    options: argparse.Namespace,
) -> list[dict[str, object]]:
    gold_pvalues = sampled(gold)
    one, other = ((metric - metric.mean()) / metric.std() for metric in metrics[:2])
    rng = generator(options.seed, "benchmark draws")

    def draw() -> None:
        mask = rng.random(gold.shape) < 0.5
        for hybrid in (np.where(mask, one, other), np.where(mask, other, one)):
            spa_from_pvalues(gold_pvalues, sampled(hybrid))

    slow = {"1,000 shared signs a draw, SPA": time_draws(draw, options.draws)}
    if peer is not None:
        confidence = functools.partial(peer.PairwiseConfidenceError, num_sys=len(gold))
        corrs = correlations(peer, gold, metrics)
        test = functools.partial(peer.PermutationSigDiff, *corrs, confidence)
        slow["mt-metrics-eval, PermutationSigDiff"] = time_peer(test, options.draws)

    rows = []
    for scheme, repeats in (("inputs", options.repeats), ("both", 1)):
        ours = functools.partial(
            compare_metrics, gold, metrics, scheme=scheme, n_resamples=options.resamples
        )
        seconds, _ = fastest(ours, repeats)
        rows += compared(f"PERM-{scheme.upper()}", "sigcore, SPA and PA", seconds, slow, options)
    return rows


def time_verdicts(
    gold: FloatArray, metrics: FloatArray, peer: ModuleType | None, options: argparse.Namespace
) -> list[dict[str, object]]:
    ours = functools.partial(
        compare_metrics,
        gold,
        metrics,
        meta="acc-eq",
        scheme="pairs",
        n_resamples=options.resamples,
    )
    seconds, _ = fastest(ours, options.repeats)
    slow = {}
    if peer is not None:
        test = functools.partial(
            peer.PairwisePermutationSigDiff,
            *correlations(peer, gold, metrics),
            average_by="item",
            epsilon1=0.1,
            epsilon2=0.1,
        )
        slow["mt-metrics-eval, PairwisePermutationSigDiff"] = time_peer(test, options.draws)
    return compared("verdicts", "sigcore, acc_eq", seconds, slow, options)


def compared(
    scheme: str, method: str, seconds: float, slow: dict[str, float], options: argparse.Namespace
) -> list[dict[str, object]]:
    """Set our test of all metric pairs beside draws of others, extrapolated to as many."""
    task = f"significance of all metric pairs, {scheme}, {options.resamples} draws"
    n_draws = options.metrics * (options.metrics - 1) / 2 * options.resamples
    return [
        row(task, method, seconds),
        *(
            row(task, name, n_draws * draw, extrapolated=True, speedup=n_draws * draw / seconds)
            for name, draw in slow.items()
        ),
    ]


def correlations(peer: ModuleType, gold: FloatArray, metrics: FloatArray) -> list[object]:
    people = gold.ravel().tolist()
    return [peer.Correlation(len(gold), people, metric.ravel().tolist()) for metric in metrics[:2]]


def time_draws(draw: Callable[[], None], n_draws: int) -> float:
    """Return the seconds of one draw for one pair of metrics."""
    start = time.process_time()
    for _ in range(n_draws):
        draw()
    return (time.process_time() - start) / n_draws


def time_peer(test: Callable[..., object], n_draws: int) -> float:
    """Return the seconds of one draw of a test of mt-metrics-eval, without what it does before."""
    seconds = []
    for k in (0, n_draws):
        start = time.process_time()
        test(k=k)
        seconds.append(time.process_time() - start)
    return (seconds[1] - seconds[0]) / n_draws


def fastest(job: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        result = job()
        seconds.append(time.process_time() - start)
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
        note = " (extrapolated)" if each["extrapolated"] else ""
        print(
            f"| {each['task']} | {each['method']} | {show(seconds)}{note} | "
            f"{'' if error is None else f'{error:.1e}'} | "
            f"{'' if speedup is None else f'{speedup:,.0f}'} |"
        )


def show(seconds: float) -> str:
    if seconds < 1.0:
        return f"{1e3 * seconds:.1f} ms"
    return f"{seconds:.1f} s" if seconds < 3600.0 else f"{seconds / 3600.0:.1f} h"


if __name__ == "__main__":
    main()
