"""CPU time, peak memory and p-value of the exact F1 test, with Monte Carlo beside it.

Counts tp, fp and fn of each item are drawn evenly from 0 to 5 for both systems. Each test runs in
a process of its own, so that its peak memory is its own; what the imports take is subtracted. With
--peer the public code of Zmigrod, Vieira and Cotterell (2022), checked out in DIR, is timed on
the sizes up to --peer-limit.

Usage: python benchmarks/exact_f1.py [--sizes 30 1000 10000] [--peer DIR] [--output FILE]
"""

import argparse
import importlib
import importlib.util
import multiprocessing
import resource
import sys
import time
import types
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from sigcore.permutation.prf import prf_permutation_test

LARGEST_COUNT = 5


def simulate(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    counts = np.random.default_rng([seed, n]).integers(0, LARGEST_COUNT + 1, (2, n, 3))
    return counts[0], counts[1]


def exact(n: int, options: argparse.Namespace) -> dict[str, object]:
    a, b = simulate(n, options.seed)
    return timed(lambda: prf_permutation_test(a, b, method="exact"), options.repeats)


def monte_carlo(n: int, options: argparse.Namespace) -> dict[str, object]:
    a, b = simulate(n, options.seed)
    run = {"method": "monte-carlo", "n_resamples": options.resamples, "seed": options.seed}
    return timed(lambda: prf_permutation_test(a, b, **run), options.repeats)


def peer(n: int, options: argparse.Namespace) -> dict[str, object]:
    """Time the authors' exact test, which takes tp and the number of incorrect predictions."""
    sys.path.insert(0, options.peer)
    if importlib.util.find_spec("numba") is None:
        # Imported there for the Monte Carlo and brute-force code only, which is not run here.
        stand_in = types.ModuleType("numba")
        stand_in.jit = lambda **_: lambda function: function
        sys.modules["numba"] = stand_in
    f1 = importlib.import_module("pairedpermtest.f1")
    systems = [
        [f1.f1state(tp, fp + fn) for tp, fp, fn in counts.tolist()]
        for counts in simulate(n, options.seed)
    ]
    before, start = peak_mb(), time.process_time()
    pvalue = float(f1.perm_test(*systems))
    seconds = time.process_time() - start
    return {"engine": "peer", "seconds": seconds, "peak_mb": peak_mb() - before, "pvalue": pvalue}


def timed(run, repeats: int) -> dict[str, object]:
    """Return the best time of several runs, after one that warms up and sets the peak."""
    before = peak_mb()
    result = run()
    peak = peak_mb() - before
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        run()
        seconds.append(time.process_time() - start)
    low, high = result.interval or (None, None)
    return {
        "engine": result.method,
        "seconds": min(seconds),
        "peak_mb": peak,
        "pvalue": result.pvalue,
        "error_bound": result.error_bound,
        "interval_low": low,
        "interval_high": high,
    }


def peak_mb() -> float:
    # Kilobytes on Linux, bytes on macOS.
    unit = 1e6 if sys.platform == "darwin" else 1e3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def in_own_process(task, n: int, options: argparse.Namespace) -> dict[str, object]:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return {"test": task.__name__, "n": n} | pool.submit(task, n, options).result()


def markdown(rows: list[dict[str, object]]) -> str:
    lines = [
        "| N | test | engine | CPU seconds | peak MB | p | relative error |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        error = row.get("error_bound")
        lines.append(
            f"| {row['n']:,} | {row['test']} | {row['engine']} | {row['seconds']:.4f} "
            f"| {row['peak_mb']:.0f} | {row['pvalue']:.12g} "
            f"| {'' if error is None else format(error, '.1e')} |"
        )
    return "\n".join(lines)


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[30, 1000, 10_000])
    parser.add_argument("--repeats", type=int, default=5, help="timed runs, of which the best")
    parser.add_argument("--resamples", type=int, default=10_000, help="for Monte Carlo")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--peer", metavar="DIR", help="checkout of rycolab/paired-perm-test")
    parser.add_argument("--peer-limit", type=int, default=30, help="largest N for the peer")
    parser.add_argument("--output", type=Path, help="Parquet file to write")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> None:
    options = parse(arguments)
    rows = []
    for n in options.sizes:
        tasks = [exact, monte_carlo]
        if options.peer and n <= options.peer_limit:
            tasks.append(peer)
        rows += [in_own_process(task, n, options) for task in tasks]
    print(markdown(rows))
    if options.output:
        import pyarrow as pa

        from sigcore.io.tables import write_table

        write_table(options.output, pa.Table.from_pylist(rows))


if __name__ == "__main__":
    main()
