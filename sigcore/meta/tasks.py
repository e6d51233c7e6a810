"""Metrics scored by the tasks of a task set, with the draws of their comparisons.

What a task needs of a language pair is computed by `run_tasks`; parts of a pooled task are put
together by `pool_results`; `sigcore.meta.averaging` averages.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.evalset import EvalSet, SystemScores
from sigcore.meta.permuted import is_fast
from sigcore.meta.registry import meta_metric
from sigcore.meta.significance import compare_metrics
from sigcore.tasksets.data import Task

__all__ = ["TaskOptions", "TaskResult", "pool_results", "run_tasks", "scheme_names"]

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class TaskOptions:
    """How metrics are compared within tasks.

    Attributes
    ----------
    scheme : str
        What is swapped, see `compare_metrics`.
    acc_eq_scheme : {"inputs", "pairs"}
        What is swapped for acc_eq; ``"pairs"`` as mt-metrics-eval does. Only with the scheme of the
        other tasks do the draws of acc_eq share their coins.
    system_scores : {"rated", "official"}
        What tasks on system scores compare: means over the rated segments, by `scheme`; or the
        scores of systems on the whole test set, which only systems can swap (PERM-SYSTEMS), as
        mt-metrics-eval does.
    n_resamples, seed : int
        Number of draws, and their seed.
    missing : {"listwise", "pairwise"}
        What is left out, see `compare_metrics`.
    primary_only : bool
        Whether only primary metrics, baselines and the user's own are compared.
    """

    scheme: str = "inputs"
    acc_eq_scheme: str = "inputs"
    system_scores: str = "rated"
    n_resamples: int = 1000
    seed: int = 0
    missing: str = "listwise"
    primary_only: bool = True


@dataclass(frozen=True, slots=True)
class TaskResult:
    """Scores of metrics in one task, or in the part of a pooled task on one language pair.

    Attributes
    ----------
    task : Task
        The task.
    metric_names : tuple of str
        The metrics.
    scores : ndarray, shape (metrics,)
        Their scores.
    metric_pairs : tuple of (int, int)
        Pairs of metrics.
    differences : ndarray, shape (metric pairs,)
        Observed differences, first minus second.
    null : ndarray or None, shape (metric pairs, draws)
        Random differences; None if the task is not tested.
    n_system_pairs : int
        Pairs of systems.
    """

    task: Task
    metric_names: tuple[str, ...]
    scores: FloatArray
    metric_pairs: tuple[tuple[int, int], ...]
    differences: FloatArray
    null: FloatArray | None
    n_system_pairs: int

    def take(self, names: Sequence[str]) -> "TaskResult":
        """Take some metrics, in the order given, and all their pairs."""
        position = {name: index for index, name in enumerate(self.metric_names)}
        old = [position[name] for name in names]
        pairs = tuple(combinations(range(len(names)), 2))
        row = {pair: (index, 1.0) for index, pair in enumerate(self.metric_pairs)}
        row |= {(b, a): (index, -1.0) for (a, b), (index, _) in row.items()}
        found = [row[old[a], old[b]] for a, b in pairs]
        rows = [index for index, _ in found]
        signs = np.array([sign for _, sign in found])
        return replace(
            self,
            metric_names=tuple(names),
            scores=self.scores[old],
            metric_pairs=pairs,
            differences=self.differences[rows] * signs,
            null=None if self.null is None else self.null[rows] * signs[:, None],
        )


def scheme_names(tasks: Sequence[Task], options: TaskOptions) -> str:
    """Say what is swapped in tasks, for tables and reports; schemes of some are named with them."""
    metas: dict[str, list[str]] = {}
    for meta, scheme in {task.meta: _scheme(task, options) for task in tasks}.items():
        metas.setdefault(scheme, []).append(meta)
    if list(metas) == [options.scheme]:
        return f"perm-{options.scheme}"
    return "; ".join(f"{', '.join(names)} by perm-{scheme}" for scheme, names in metas.items())


def run_tasks(
    evalset: EvalSet,
    tasks: Sequence[Task],
    options: TaskOptions,
    *,
    domains: Sequence[str] | None = None,
    system_scores: Mapping[str | None, SystemScores] | None = None,
) -> list[TaskResult]:
    """Score and compare metrics by the tasks that a language pair takes part in.

    Parameters
    ----------
    evalset : EvalSet
        The selected systems, segments and metrics of the language pair.
    tasks : sequence of Task
        Tasks on this language pair, alone or pooled with others.
    options : TaskOptions
        How to compare.
    domains : sequence of str, optional
        Domain of each segment of the whole test set, for tasks on domains.
    system_scores : mapping of str or None to SystemScores, optional
        Scores of the systems on each domain, and on the whole test set (None), if `options` ask for
        official ones.

    Returns
    -------
    list of TaskResult
        One for each task, in order.

    Notes
    -----
    All tasks on the same segments use the same coins, so that the draws of a sum of scores have the
    right spread although the scores depend on each other. Tasks by different schemes share no
    coins; docs/error-rates.md says what that does to averages with official scores of systems.
    DEVIATES: mt-metrics-eval draws anew for each task. All official tasks are tested; a meta-metric
    that would have to be computed for one draw after the other is not, and its draws are None.
    """
    official = [metric.primary or metric.baseline or metric.extra for metric in evalset.metrics]
    members = np.array(official) if options.primary_only else np.ones(len(official), dtype=np.bool_)
    if not members.any():
        raise InputError(f"no metric of {evalset.testset} {evalset.language_pair} is primary.")
    names = tuple(np.array(evalset.metric_names)[members].tolist())
    purpose = (evalset.testset, evalset.language_pair)
    results: dict[str, TaskResult] = {}
    for group in _groups(tasks, options):
        if _is_official(group[0], options):
            gold, scores = _of_systems(evalset, group[0], system_scores or {})
        else:
            systems, segments = _selected(evalset, group[0], domains)
            gold = evalset.gold[np.ix_(systems, segments)]
            scores = evalset.scores[:, systems][:, :, segments]
        results |= _compare(gold, scores[members], names, group, options, purpose)
    return [results[task.name] for task in tasks]


def pool_results(parts: Sequence[TaskResult]) -> TaskResult:
    """Pool the accuracies of several language pairs: agreeing pairs of all over pairs of all.

    Parameters
    ----------
    parts : sequence of TaskResult
        Parts of one task. Only metrics that are in all of them are kept.
    """
    names = [
        name for name in parts[0].metric_names if all(name in part.metric_names for part in parts)
    ]
    n_pairs = np.array([part.n_system_pairs for part in parts])
    shares = n_pairs / n_pairs.sum()
    taken = [part.take(names) for part in parts]
    nulls = [part.null for part in taken if part.null is not None]
    return replace(
        taken[0],
        scores=_weighted(shares, [part.scores for part in taken]),
        differences=_weighted(shares, [part.differences for part in taken]),
        null=_weighted(shares, nulls) if len(nulls) == len(taken) else None,
        n_system_pairs=int(n_pairs.sum()),
    )


def _groups(tasks: Sequence[Task], options: TaskOptions) -> list[list[Task]]:
    """Put tasks together that can share their draws."""
    groups: dict[tuple[object, ...], list[Task]] = {}
    for task in tasks:
        scheme = _scheme(task, options)
        official = _is_official(task, options)
        key = (task.human_systems, task.domain, official, scheme, is_fast(task.meta, scheme))
        groups.setdefault(key, []).append(task)
    return list(groups.values())


def _is_official(task: Task, options: TaskOptions) -> bool:
    return options.system_scores == "official" and task.takes_system_scores


def _scheme(task: Task, options: TaskOptions) -> str:
    if _is_official(task, options):
        return "systems"
    return options.acc_eq_scheme if task.meta == "acc-eq" else options.scheme


def _of_systems(
    evalset: EvalSet, task: Task, system_scores: Mapping[str | None, SystemScores]
) -> tuple[FloatArray, FloatArray]:
    """Return gold and metrics with one score a system, as if the test set were one segment."""
    if task.domain not in system_scores:
        raise InputError(f"the task `{task.name}` needs the scores of systems.")
    found = system_scores[task.domain].rated()
    drop = evalset.human_systems if task.human_systems is False else ()
    systems = [row for row, system in enumerate(found.systems) if system not in drop]
    if len(systems) < 2:
        raise InputError(f"the task `{task.name}` has fewer than 2 systems.")
    metrics = [found.metric_names.index(name) for name in evalset.metric_names]
    return found.gold[systems][:, None], found.scores[np.ix_(metrics, systems)][:, :, None]


def _selected(
    evalset: EvalSet, task: Task, domains: Sequence[str] | None
) -> tuple[BoolArray, BoolArray]:
    """Say which systems and segments a task uses."""
    drop = evalset.human_systems if task.human_systems is False else ()
    systems = np.array([system not in drop for system in evalset.systems])
    segments = np.ones(evalset.n_segments, dtype=np.bool_)
    if task.domain is not None:
        if domains is None:
            raise InputError(f"the task `{task.name}` needs the domains of the segments.")
        segments = np.array([domains[index] == task.domain for index in evalset.segments])
    if not segments.any() or systems.sum() < 2:
        raise InputError(f"the task `{task.name}` has no segment or fewer than 2 systems.")
    return systems, segments


def _compare(
    gold: FloatArray,
    scores: FloatArray,
    names: tuple[str, ...],
    tasks: Sequence[Task],
    options: TaskOptions,
    purpose: tuple[str, str],
) -> dict[str, TaskResult]:
    """Score and compare by tasks that share draws."""
    pairs = tuple(combinations(range(len(names)), 2))
    scheme = _scheme(tasks[0], options)
    if is_fast(tasks[0].meta, scheme):
        comparison = compare_metrics(
            gold,
            scores,
            meta=[task.meta for task in tasks],
            scheme=scheme,
            n_resamples=options.n_resamples,
            seed=options.seed,
            purpose=purpose,
            missing=options.missing,
            keep_null=True,
        )
        found = {meta: (test.scores, test.null) for meta, test in comparison.tests.items()}
        differences = {meta: test.differences for meta, test in comparison.tests.items()}
    else:
        found = {task.meta: (_values(gold, scores, task.meta), None) for task in tasks}
        differences = {meta: each[0][:, None] - each[0] for meta, each in found.items()}
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return {
        task.name: TaskResult(
            task=task,
            metric_names=names,
            scores=found[task.meta][0],
            metric_pairs=pairs,
            differences=differences[task.meta][first, second],
            null=found[task.meta][1],
            n_system_pairs=len(gold) * (len(gold) - 1) // 2,
        )
        for task in tasks
    }


def _values(gold: FloatArray, scores: FloatArray, meta: str) -> FloatArray:
    return np.array([meta_metric(meta)(gold, metric).value for metric in scores])


def _weighted(weights: FloatArray, arrays: Sequence[FloatArray]) -> FloatArray:
    total: FloatArray = np.tensordot(weights, np.stack(arrays), axes=1)
    return total
