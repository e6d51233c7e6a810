"""How often the average over the tasks of WMT23 tells two equally good metrics apart.

As `error_rates`, for averages: Pearson and pairwise accuracy of systems, Pearson of segments and
acc_eq, pairwise accuracy weighted three times. Tasks on system scores compare the scores on the
whole test set by swapping systems (`official`), with draws that know nothing of those of the tasks
on segments; or the means over rated segments by swapping segments (`rated`), all tasks with the
same draws.

Usage: python -m benchmarks.average_error_rates [--trials 1000] [--systems 8 12]
"""

import argparse
from argparse import Namespace

import numpy as np
import numpy.typing as npt

from benchmarks.error_rates import DESIGNS, row, show, simulate
from sigcore.evalset import EvalSet, Metric, mean_system_scores
from sigcore.meta.averaging import average_tasks
from sigcore.meta.tasks import TaskOptions, run_tasks
from sigcore.seeding import generator
from sigcore.tasksets import Task

TASKS = [
    Task("t", ("a-b",), "pa", weight=3.0),
    *(Task("t", ("a-b",), meta) for meta in ("pearson-sys", "pearson-seg", "acc-eq")),
]
KINDS = ("official", "rated")
METRICS = (Metric("x", "x", "refA"), Metric("y", "y", "refA"))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--systems", type=int, nargs="+", default=[8, 12])
    parser.add_argument("--segments", type=int, default=100)
    parser.add_argument("--resamples", type=int, default=199)
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--alpha", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(f"{options.segments} segments, {options.trials} trials, level {options.alpha}.\n")
    print("| system scores | systems | " + " | ".join(f"errors of {d}" for d in DESIGNS) + " |")
    print("| --- | ---: |" + " --- |" * len(DESIGNS))
    for n_systems in options.systems:
        set_options = Namespace(**vars(options) | {"systems": n_systems, "metrics": 2})
        found = {design: rejections(design, set_options) for design in DESIGNS}
        for kind in KINDS:
            cells = [
                show(row(kind, "average", design, found[design][kind], False, set_options))
                for design in DESIGNS
            ]
            print(f"| {kind} | {n_systems} | " + " | ".join(cells) + " |")


def rejections(design: str, options: Namespace) -> dict[str, int]:
    """Count the trials in which the averages of two metrics differ significantly."""
    rng = generator(options.seed, "average error rates", design, str(options.systems))
    counts = dict.fromkeys(KINDS, 0)
    for trial in range(options.trials):
        evalset = as_evalset(*simulate(rng, design, options))
        systems = {None: mean_system_scores(evalset, evalset)}
        for kind in KINDS:
            task_options = TaskOptions(
                system_scores=kind,
                n_resamples=options.resamples,
                seed=trial,
                primary_only=False,
            )
            results = run_tasks(evalset, TASKS, task_options, system_scores=systems)
            comparison = average_tasks(results, alpha=options.alpha).comparison
            counts[kind] += int(comparison.pvalues[0, 0] <= options.alpha)
    return counts


def as_evalset(gold: npt.NDArray[np.float64], metrics: npt.NDArray[np.float64]) -> EvalSet:
    """Name systems, segments and metrics."""
    return EvalSet(
        testset="t",
        language_pair="a-b",
        gold_name="gold",
        systems=tuple(f"s{k:02}" for k in range(len(gold))),
        human_systems=(),
        segments=np.arange(gold.shape[1]),
        documents=None,
        gold=gold,
        metrics=METRICS,
        scores=metrics,
    )


if __name__ == "__main__":
    main()
