"""How often the bootstrap intervals of meta-metrics hold what they should.

A world has systems and segments. Data sets of a world keep what an interval holds fixed and draw
the rest anew: segments, systems or both. The truth is the mean of the meta-metric over many data
sets of the same size. A cell has the share of 95% intervals that hold it, below and above which
end the truth lies otherwise, and the width of the interval over that of the true distribution,
from its 2.5% to its 97.5% point. `!`: a share that is lower than the level by more than chance
explains (one-sided binomial test at 0.001).

Usage: python -m benchmarks.interval_coverage [--systems 8] [--segments 100] [--worlds 10]
       [--sets 10] [--only META ...] [--output coverage.parquet]
"""

import argparse
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq
from scipy.stats import binomtest

from sigcore.errors import DegenerateDataWarning
from sigcore.meta.bootstrap import OVER, bootstrap_meta_metric
from sigcore.meta.registry import META_METRICS
from sigcore.seeding import generator

FloatArray = npt.NDArray[np.float64]

METAS = ("spa", "pa", "pearson-sys", "kendall-sys", "pearson-seg", "tau-b-item", "acc-eq")
LEVEL = 0.95
EXCLUDED = 0.001


@dataclass(frozen=True)
class World:
    """What systems and segments are like, for people and for the metric."""

    quality: FloatArray
    favour: FloatArray
    ease: FloatArray
    error: FloatArray


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--systems", type=int, default=8)
    parser.add_argument("--segments", type=int, default=100)
    parser.add_argument("--worlds", type=int, default=10)
    parser.add_argument("--sets", type=int, default=10, help="data sets with intervals, a world")
    parser.add_argument("--truth", type=int, default=200, help="data sets for the truth, a world")
    parser.add_argument("--resamples", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="+", default=METAS, choices=METAS, metavar="META")
    parser.add_argument("--output", type=Path, help="write the table as Parquet")
    options = parser.parse_args()
    warnings.simplefilter("ignore", DegenerateDataWarning)
    rows = [coverage(meta, over, options) for meta in options.only for over in OVER]
    print_table(rows, options)
    if options.output:
        pq.write_table(pa.Table.from_pylist(rows), options.output)


def coverage(meta: str, over: str, options: argparse.Namespace) -> dict[str, object]:
    """Simulate one cell of the table."""
    rng = generator(options.seed, "interval coverage", over)
    found = np.array(
        [row for _ in range(options.worlds) for row in world(rng, meta, over, options)]
    )
    low, high, truth, width = found.T
    below, above = truth < low, truth > high
    held = int((~below & ~above).sum())
    test = binomtest(held, len(found), LEVEL, alternative="less")
    ends = binomtest(held, len(found)).proportion_ci(0.95, method="exact")
    return {
        "meta": meta,
        "over": over,
        "n_systems": options.systems,
        "n_segments": options.segments,
        "coverage": held / len(found),
        "low": float(ends.low),
        "high": float(ends.high),
        "truth_below": float(below.mean()),
        "truth_above": float(above.mean()),
        "relative_width": float((high - low).mean() / width.mean()),
        "short": bool(test.pvalue < EXCLUDED),
        "n_intervals": len(found),
    }


def world(
    rng: np.random.Generator, meta: str, over: str, options: argparse.Namespace
) -> Iterator[tuple[float, float, float, float]]:
    """Give intervals on data sets of one world, each with the truth and its natural width."""
    fixed = draw_world(rng, options)
    values = [value(meta, *draw(rng, fixed, over, options)) for _ in range(options.truth)]
    ends = np.nanquantile(values, [0.5 - LEVEL / 2.0, 0.5 + LEVEL / 2.0])
    for seed in range(options.sets):
        gold, metric = draw(rng, fixed, over, options)
        interval = bootstrap_meta_metric(
            gold, metric[None], meta=meta, over=over, n_resamples=options.resamples, seed=seed
        )
        yield interval.low[0], interval.high[0], float(np.nanmean(values)), ends[1] - ends[0]


def draw_world(rng: np.random.Generator, options: argparse.Namespace) -> World:
    return World(
        quality=rng.normal(0.0, 0.25, size=(options.systems, 1)),
        favour=rng.normal(0.0, 0.1, size=(options.systems, 1)),
        ease=rng.normal(0.0, 0.7, size=options.segments),
        error=rng.normal(0.0, 0.5, size=options.segments),
    )


def draw(
    rng: np.random.Generator, fixed: World, over: str, options: argparse.Namespace
) -> tuple[FloatArray, FloatArray]:
    """Draw people's scores, in whole steps, and a metric's (systems x segments)."""
    fresh = draw_world(rng, options)
    if over == "segments":
        fresh = replace(fresh, quality=fixed.quality, favour=fixed.favour)
    if over == "systems":
        fresh = replace(fresh, ease=fixed.ease, error=fixed.error)
    shape = (options.systems, options.segments)
    quality = fresh.quality + fresh.ease + rng.normal(size=shape)
    gold = np.rint(2.0 * (quality + rng.normal(size=shape)))
    return gold, quality + fresh.favour + fresh.error + rng.normal(0.0, 1.5, size=shape)


def value(meta: str, gold: FloatArray, metric: FloatArray) -> float:
    # On this many segments SPA by the analytic p-values is within 0.001 of the exact one.
    method = {"method": "analytic"} if meta == "spa" else {}
    return META_METRICS[meta](gold, metric, **method).value


def print_table(rows: list[dict[str, object]], options: argparse.Namespace) -> None:
    n = options.worlds * options.sets
    print(
        f"{options.systems} systems, {options.segments} segments, {options.resamples} samples, "
        f"{n} intervals a cell.\n"
    )
    print("| meta-metric | " + " | ".join(OVER) + " |")
    print("| --- |" + " --- |" * len(OVER))
    for meta in options.only:
        cells = [show(row) for row in rows if row["meta"] == meta]
        print(f"| {meta} | " + " | ".join(cells) + " |")


def show(row: dict[str, object]) -> str:
    mark = " !" if row["short"] else ""
    return (
        f"{row['coverage']:.3f}{mark} ({row['truth_below']:.3f}, {row['truth_above']:.3f}; "
        f"{row['relative_width']:.2f})"
    )


if __name__ == "__main__":
    main()
