"""Run time of the ways to do a paired permutation test (Figure 1 of Zmigrod et al. 2022).

Times are processor time of the process. With one thread that is the run time on an idle machine,
and it stays so on a busy one; with several threads it is their sum, so limit linear algebra to one
thread (``OMP_NUM_THREADS=1``) before numpy is imported.
"""

import math
import time
import timeit
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sigcore.errors import InputError
from sigcore.grid import IntArray
from sigcore.permutation.paired import paired_permutation_test
from sigcore.permutation.tagging import tagging_counts
from sigcore.seeding import generator
from sigcore.validation import as_choice, as_count

__all__ = ["METHODS", "measure_call", "paper_methods", "permutation_call", "time_methods"]

Row = dict[str, Any]

# Methods that draw samples.
_SAMPLING = ("monte-carlo", "algorithm-1", "scipy")
METHODS = ("exact", "fft", "dp", *_SAMPLING)
# A call that takes less than this is repeated, so that the clock sees enough of it.
_SHORTEST = 0.05


def paper_methods(
    *, n_resamples: Sequence[int], plain_resamples: int, scipy_resamples: int
) -> list[tuple[str, int | None]]:
    """List what the figure compares, as `time_methods` takes it.

    Parameters
    ----------
    n_resamples : sequence of int
        Draws of our Monte Carlo; 5,000 to 40,000 in the paper.
    plain_resamples, scipy_resamples : int
        Draws of Algorithm 1 as printed, and of scipy.
    """
    return [
        ("exact", None),
        ("fft", None),
        ("dp", None),
        *(("monte-carlo", draws) for draws in n_resamples),
        ("algorithm-1", plain_resamples),
        ("scipy", scipy_resamples),
    ]


def time_methods(
    sizes: Sequence[int],
    *,
    methods: Sequence[tuple[str, int | None]],
    repeats: int = 3,
    seed: int = 0,
    progress: Callable[[], object] | None = None,
) -> list[Row]:
    """Time two-sided tests on simulated tagging results.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of items (sentences).
    methods : sequence of (str, int or None)
        A name of `METHODS` and the number of draws, None for "exact", "fft" and "dp".
        "monte-carlo" is ours, which draws 64 coins at once; "algorithm-1" is the paper's Monte
        Carlo as it is printed, one sample after another; "scipy" is
        `scipy.stats.permutation_test`.
    repeats : int
        Measurements of each method and size, spread over the whole time, so that a busy spell of
        the machine hits some of them only.
    seed : int
        Seed of data and draws.
    progress : callable, optional
        Called after each measurement.

    Returns
    -------
    list of dict
        Rows of the table ``timings``: method, n_resamples, n, repeat, seconds, pvalue.
    """
    for name, n_resamples in methods:
        as_choice(name, "methods", METHODS)
        if (name in _SAMPLING) != (n_resamples is not None):
            raise InputError(f"`methods` must give draws to methods that draw; got {name!r}.")
    for size in sizes:
        as_count(size, "sizes", minimum=1)
    rows = []
    for repeat in range(as_count(repeats, "repeats", minimum=1)):
        for size in sizes:
            u, v = tagging_counts(size, seed=seed)
            for name, n_resamples in methods:
                seconds, pvalue = measure_call(permutation_call(name, n_resamples, u, v, seed))
                rows.append(_row(name, n_resamples, size, repeat, seconds, pvalue))
                if progress is not None:
                    progress()
    return rows


def permutation_call(
    name: str, n_resamples: int | None, u: IntArray, v: IntArray, seed: int
) -> Callable[[], float]:
    """Return the test as a function without arguments that returns the p-value."""
    if name == "algorithm-1":
        return lambda: _algorithm_1(u, v, n_resamples or 0, seed)
    if name == "scipy":
        return _scipy_call(u, v, n_resamples or 0, seed)
    draws = 1 if n_resamples is None else n_resamples
    return lambda: paired_permutation_test(u, v, method=name, n_resamples=draws, seed=seed).pvalue


def _algorithm_1(u: IntArray, v: IntArray, n_resamples: int, seed: int) -> float:
    """Draw swaps sample by sample, as Algorithm 1 of the paper does: the plain way in numpy."""
    rng = generator(seed, "algorithm-1")
    stay, swap = u - v, v - u
    observed, count = abs(int(stay.sum())), 0
    for _ in range(n_resamples):
        swapped = rng.random(stay.size) < 0.5
        count += abs(int(np.where(swapped, swap, stay).sum())) >= observed
    return count / n_resamples


def _scipy_call(u: IntArray, v: IntArray, n_resamples: int, seed: int) -> Callable[[], float]:
    from scipy.stats import permutation_test

    def statistic(x: Any, y: Any, axis: int) -> Any:
        return np.mean(x - y, axis=axis)

    def call() -> float:
        found = permutation_test(
            (u, v),
            statistic,
            permutation_type="samples",
            n_resamples=n_resamples,
            vectorized=True,
            # All resamples at once would take 16 bytes for each of them and each item.
            batch=100,
            rng=generator(seed, "scipy"),
        )
        return float(found.pvalue)

    return call


def measure_call(call: Callable[[], float]) -> tuple[float, float]:
    """Return the seconds of processor time that a call takes, and its result.

    Short calls run in five batches, of which the fastest counts.
    """
    clock = time.process_time
    start = clock()
    result = call()
    seconds = clock() - start
    if seconds < _SHORTEST:
        # No clock ticks faster than a microsecond on every system.
        n_calls = math.ceil(_SHORTEST / 5 / max(seconds, 1e-6))
        seconds = min(timeit.repeat(call, timer=clock, number=n_calls, repeat=5)) / n_calls
    return seconds, result


def _row(
    method: str, n_resamples: int | None, n: int, repeat: int, seconds: float, pvalue: float
) -> Row:
    return {
        "method": method,
        "n_resamples": n_resamples,
        "n": n,
        "repeat": repeat,
        "seconds": seconds,
        "pvalue": pvalue,
    }
