"""Run time of the exact test beside the paper's convolutions, Monte Carlo and scipy.

Data are the simulated tagging counts of Zmigrod, Vieira and Cotterell (2022). All methods run in
one process on the same data. The time is CPU time, the median of several measurements, each of them
the fastest of five if the test is short: on a busy machine a run of a millisecond is over before it
is interrupted and a long one is not, so that ratios of wall times would flatter the short one.
"fft" and "dp" are this library's own convolutions, without trimming; "monte-carlo" is its own
sampler, which packs coins into bits and is far faster than a loop over draws; "Algorithm 1" is that
loop, as the paper has it: each draw swaps the results of the items by coins and compares the sums.
With --peer the public code of the paper, checked out in DIR, is timed as well: its FFT test, and
its Monte Carlo test where numba, which that is compiled with, is installed. Peak memory is that of
a process which is handed the data, runs one test and does nothing else.

Usage: python benchmarks/exact_vs_convolution.py [--sizes 1000 10000] [--peer DIR] [--output FILE]
"""

import argparse
import importlib
import importlib.util
import math
import multiprocessing
import os
import resource
import statistics
import sys
import types
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from sigcore.permutation.paired import paired_permutation_test
from sigcore.permutation.tagging import tagging_counts
from sigcore.permutation.timing import METHODS, measure_call, permutation_call

SCIPY_RESAMPLES = 1000
# The largest N a method is run at; beyond it takes minutes or, for dp, grows with the square.
LIMITS = {"exact": 10**9, "fft": 20_000, "dp": 20_000, "monte-carlo": 20_000, "scipy": 10_000}
LIMITS |= {"algorithm-1": 10_000}
LARGE = 1_000_000
Run = Callable[[], float]


def methods(n: int, options: argparse.Namespace) -> dict[str, Run]:
    """Return the tests to time at this size, each giving its two-sided p-value."""
    u, v = tagging_counts(n, seed=options.seed)
    draws = {"monte-carlo": options.resamples, "algorithm-1": options.resamples}
    draws["scipy"] = SCIPY_RESAMPLES
    runs = {
        name: permutation_call(name, draws.get(name), u, v, options.seed)
        for name in METHODS
        if n <= LIMITS[name]
    }
    if options.peer and n <= LIMITS["fft"]:
        runs |= peer_methods(u, v, options)
    return runs


def peer_methods(u: np.ndarray, v: np.ndarray, options: argparse.Namespace) -> dict[str, Run]:
    """Import the authors' tests; the sampler only if it can be compiled, as they run it."""
    if options.peer not in sys.path:
        sys.path.insert(0, options.peer)
    compiled = "numba" not in sys.modules and importlib.util.find_spec("numba") is not None
    compiled = compiled or hasattr(sys.modules.get("numba"), "__version__")
    if not compiled:
        # Imported there for other functions than the FFT test, which is plain numpy.
        stand_in = types.ModuleType("numba")
        stand_in.jit = lambda **_: lambda function: function
        sys.modules["numba"] = stand_in
    by_fft = importlib.import_module("pairedpermtest.accuracy_polymul").perm_test_polymul
    runs: dict[str, Run] = {"peer fft": lambda: float(by_fft(u, v))}
    if compiled:
        by_draws = importlib.import_module("pairedpermtest.monte_carlo").perm_test_acc
        runs["peer monte-carlo"] = lambda: float(by_draws(u, v, options.resamples))
    return runs


def measure(options: argparse.Namespace) -> list[dict[str, object]]:
    rows = []
    for n in options.sizes:
        for method, run in methods(n, options).items():
            measured = [measure_call(run) for _ in range(repeats(method, options.repeats))]
            seconds = statistics.median(each for each, _ in measured)
            rows.append({"n": n, "method": method, "seconds": seconds, "pvalue": measured[0][1]})
    return rows


def repeats(method: str, wanted: int) -> int:
    if method in ("peer monte-carlo", "algorithm-1"):
        return 1
    return wanted if method == "exact" else max(1, min(3, wanted))


def peak_memory(u: np.ndarray, v: np.ndarray) -> tuple[float, float]:
    """Return the peak memory in MB of this process after one exact test, and before it."""
    before = peak_mb()
    paired_permutation_test(u, v)
    return peak_mb(), before


def peak_mb() -> float:
    status = Path("/proc/self/status")
    if status.exists():
        # Not ru_maxrss, which a new process inherits from the one that started it.
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1e3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def exponent(rows: list[dict[str, object]], method: str, smallest: int) -> float:
    """Fit the power of N that the run time grows with."""
    points = [
        (math.log(row["n"]), math.log(row["seconds"]))
        for row in rows
        if row["method"] == method and row["n"] >= smallest
    ]
    if len(points) < 2:
        return math.nan
    x, y = np.array(points).T
    return float(np.polyfit(x, y, 1)[0])


def markdown(rows: list[dict[str, object]], options: argparse.Namespace) -> str:
    names = list(dict.fromkeys(row["method"] for row in rows))
    others = [name for name in names if name != "exact"]
    draws = f"Monte Carlo, K = {options.resamples:,}"
    titles = {
        "monte-carlo": f"own {draws}",
        "peer monte-carlo": f"peer {draws}",
        "algorithm-1": f"Algorithm 1, K = {options.resamples:,}",
        "scipy": f"scipy, K = {SCIPY_RESAMPLES:,}",
    }
    head = ["N", "p", "exact, ms", *[f"{titles.get(name, name)}, ms (ratio)" for name in others]]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for n in options.sizes:
        found = {row["method"]: row for row in rows if row["n"] == n}
        exact = found["exact"]
        cells = [f"{n:,}", f"{exact['pvalue']:.4g}", f"{1e3 * exact['seconds']:.3g}"]
        for name in others:
            row = found.get(name)
            ratio = row and row["seconds"] / exact["seconds"]
            cells.append(f"{1e3 * row['seconds']:.4g} ({ratio:,.0f}x)" if row else "")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    sizes = [500, 1000, 2000, 5000, 10_000, 100_000, LARGE]
    parser.add_argument("--sizes", type=int, nargs="+", default=sizes)
    parser.add_argument("--repeats", type=int, default=15, help="timed runs of the exact test")
    parser.add_argument("--resamples", type=int, default=20_000, help="for Monte Carlo")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--peer", metavar="DIR", help="checkout of rycolab/paired-perm-test")
    parser.add_argument("--output", type=Path, help="Parquet file to write")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> None:
    options = parse(arguments)
    rows = measure(options)
    print(markdown(rows, options))
    print(f"\nLoad of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.")
    print("\nRun time grows like N to the power of:\n\n| method | from N | power |\n|---|---|---|")
    for method in dict.fromkeys(row["method"] for row in rows):
        for smallest in (500, 10_000) if method == "exact" else (500,):
            power = exponent(rows, method, smallest)
            if not math.isnan(power):
                print(f"| {method} | {smallest:,} | {power:.2f} |")
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        peak, before = pool.submit(peak_memory, *tagging_counts(LARGE, seed=options.seed)).result()
    print(f"\nPeak memory at N = {LARGE:,}: {peak:.0f} MB, before the test {before:.0f} MB.")
    if options.output:
        import pyarrow as pa

        from sigcore.io.tables import write_table

        write_table(options.output, pa.Table.from_pylist(rows), metadata={"peak_mb": peak})


if __name__ == "__main__":
    main()
