"""Time acc_eq with tie calibration, beside mt-metrics-eval's own code if there is a checkout.

The data are simulated: human scores in whole points with many ties, a tenth of them missing where
it says "gaps", and real-valued metrics. Every run takes another metric. Times are CPU time of one
process, so that other work on the machine favours nobody; the fastest run counts. With --peer the
values are compared, and the exit code is 1 if they differ by more than 1e-12.

Usage: python benchmarks/acc_eq.py [--peer DIR] [--output timings.parquet]
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

from sigcore.meta.tie_calibration import acc_eq, acc_eq_held_out
from sigcore.seeding import generator

FloatArray = npt.NDArray[np.float64]
AccuracyFunction = Callable[[FloatArray, FloatArray], float]

# Systems, items, share of missing gold.
SIZES = ((12, 460, 0.0), (15, 1000, 0.0), (15, 1000, 0.1), (15, 1875, 0.0))
TOLERANCE = 1e-12


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=10, help="runs of this library")
    parser.add_argument("--peer-repeats", type=int, default=3, help="runs of mt-metrics-eval")
    parser.add_argument("--peer", type=Path, help="a checkout of mt-metrics-eval")
    parser.add_argument("--output", type=Path, help="write the table as Parquet")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    peer = load_peer(options.peer) if options.peer else None
    rows = [time_size(size, peer, options) for size in SIZES]
    print_table(rows)
    if options.output:
        pq.write_table(pa.Table.from_pylist(rows), options.output)
    differences = [row["difference"] for row in rows if row["difference"] is not None]
    if max(differences, default=0.0) > TOLERANCE:
        raise SystemExit("the values differ from those of mt-metrics-eval")


def time_size(
    size: tuple[int, int, float], peer: AccuracyFunction | None, options: argparse.Namespace
) -> dict[str, float | None]:
    n_systems, n_items, share_missing = size
    gold, metrics = simulate(options.seed, options.repeats, size)
    seconds, values = fastest(lambda one, two: acc_eq(one, two).value, gold, metrics)
    held_out, _ = fastest(lambda one, two: acc_eq_held_out(one, two).value, gold, metrics)
    row: dict[str, float | None] = {
        "n_systems": n_systems,
        "n_items": n_items,
        "share_missing": share_missing,
        "seconds": seconds,
        "held_out_seconds": held_out,
        "peer_seconds": None,
        "speedup": None,
        "difference": None,
    }
    if peer:
        slow, expected = fastest(peer, gold, metrics[: options.peer_repeats])
        row["peer_seconds"], row["speedup"] = slow, slow / seconds
        row["difference"] = max(abs(a - b) for a, b in zip(values, expected, strict=False))
    return row


def simulate(
    seed: int, n_metrics: int, size: tuple[int, int, float]
) -> tuple[FloatArray, FloatArray]:
    n_systems, n_items, share_missing = size
    rng = generator(seed, "benchmark acc_eq", str(size))
    quality = rng.normal(0.0, 0.3, size=(n_systems, 1)) + rng.normal(size=(n_systems, n_items))
    gold = -rng.poisson(np.exp(-quality)).astype(np.float64)
    gold[rng.random(gold.shape) < share_missing] = np.nan
    return gold, quality + rng.normal(size=(n_metrics, n_systems, n_items))


def load_peer(checkout: Path) -> AccuracyFunction:
    source = checkout / "mt_metrics_eval" / "tau_optimization.py"
    spec = importlib.util.spec_from_file_location("peer_tau_optimization", source)
    if spec is None or spec.loader is None or not source.is_file():
        raise SystemExit(f"--peer must be a checkout of mt-metrics-eval; there is no {source}.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def peer(gold: FloatArray, metric: FloatArray) -> float:
        # It takes items x systems, with None for a missing score.
        human = gold.T if not np.isnan(gold).any() else np.where(np.isnan(gold), None, gold).T
        result = module.tau_optimization(metric.T, human, module.TauSufficientStats.acc_23)
        return float(result.best_tau)

    return peer


def fastest(
    function: AccuracyFunction, gold: FloatArray, metrics: FloatArray
) -> tuple[float, list[float]]:
    seconds, values = [], []
    for metric in metrics:
        start = time.process_time()
        values.append(function(gold, metric))
        seconds.append(time.process_time() - start)
    return min(seconds), values


def print_table(rows: list[dict[str, float | None]]) -> None:
    print("| systems x items | gaps | acc_eq | held-out | mt-metrics-eval | times | difference |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for row in rows:
        slow, speedup, difference = row["peer_seconds"], row["speedup"], row["difference"]
        print(
            f"| {row['n_systems']} x {row['n_items']} | {row['share_missing']:.0%} "
            f"| {milliseconds(row['seconds'])} | {milliseconds(row['held_out_seconds'])} "
            f"| {milliseconds(slow)} | {'' if speedup is None else f'{speedup:.0f}'} "
            f"| {'' if difference is None else f'{difference:.0e}'} |"
        )


def milliseconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{1e3 * seconds:.1f} ms"


if __name__ == "__main__":
    main()
