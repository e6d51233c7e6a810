"""Sets of tasks that metrics are averaged over, as YAML files beside this module.

A task scores metrics on one language pair, or on several pooled, by one meta-metric. The files have
the official tasks of the WMT metrics shared tasks; a user's file has the same format:

    name: mine
    description: one sentence
    average: scores            # what orders metrics: the mean of scores, or of ranks
    primary_only: true         # whether only primary metrics, baselines and own ones are averaged
    system_scores: rated       # pa and correlations of systems: means over the rated segments; or
                               # official: scores on the whole test set, published ones if any
    tasks:
      - testset: wmt23
        pool: [en-de, zh-en]   # one task over these language pairs together, for pa
        meta: pa
        weight: 1              # for each language pair that is there
      - testset: wmt23
        each: [en-de, zh-en]   # a task for each, or `all`
        meta: [spa, acc-eq]    # ... and for each meta-metric
        human_systems: [true]  # ... with, without human translations as systems; as selected
        domain: [all, news]    # ... and for each domain

`testset: all` with `each: all` stands for every language pair of a run. Instead of weights,
`weights_by` may name attributes of tasks; the weight is split evenly over the values of the first,
then of the second, and so on.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from itertools import product
from pathlib import Path
from typing import Any

from sigcore.errors import DataFileError, InputError
from sigcore.io.yaml_files import read_yaml
from sigcore.tasksets.checks import check_task_file
from sigcore.tasksets.data import Pair, Task, TaskSet, split_weights

__all__ = ["Task", "TaskSet", "known_task_sets", "load_task_set", "split_weights"]


def known_task_sets() -> tuple[str, ...]:
    """Return the names of the sets in the package, sorted."""
    files = resources.files(__name__).iterdir()
    return tuple(sorted(f.name.removesuffix(".yaml") for f in files if f.name.endswith(".yaml")))


def load_task_set(
    name: str | Path, pairs: Iterable[Pair], *, with_domains: Collection[Pair] | None = None
) -> TaskSet:
    """Load a set of tasks and restrict it to the language pairs at hand.

    Parameters
    ----------
    name : str or Path
        Name of a set in the package, or a file that ends in ``.yaml``.
    pairs : iterable of (str, str)
        Test sets and language pairs at hand.
    with_domains : collection of (str, str), optional
        Those of them whose segments have known domains; by default all.

    Returns
    -------
    TaskSet
        Pooled tasks are left with the pairs at hand; other tasks are skipped without theirs.

    Raises
    ------
    InputError
        If there is no such set, or no task can be run.
    DataFileError
        If the file has an unknown key or a wrong value.

    Examples
    --------
    >>> [task.weight for task in load_task_set("wmt23", [("wmt23", "en-de")]).tasks]
    [0.25, 0.25, 0.25, 0.25]
    """
    path, document = _read(name)
    at_hand = list(pairs)
    tasks: list[Task] = []
    skipped: list[str] = []
    for entry in document["tasks"]:
        found, missing = _expand(entry, at_hand)
        kept, lacking = _keep_domains(found, at_hand if with_domains is None else with_domains)
        tasks += kept
        skipped += missing + lacking
    if not tasks:
        raise InputError(
            f"no task of the set {document['name']!r} has data; it needs other language pairs than "
            f"{', '.join(' '.join(pair) for pair in at_hand)}."
        )
    _check_names(tasks, path)
    if "weights_by" in document:
        tasks = split_weights(tasks, document["weights_by"])
    total = sum(task.weight for task in tasks)
    return TaskSet(
        name=document["name"],
        description=document.get("description", ""),
        average=document.get("average", "scores"),
        primary_only=document.get("primary_only", True),
        system_scores=document.get("system_scores", "rated"),
        tasks=tuple(replace(task, weight=task.weight / total) for task in tasks),
        skipped=tuple(dict.fromkeys(skipped)),
    )


def _read(name: str | Path) -> tuple[Path, dict[str, Any]]:
    if str(name).endswith(".yaml"):
        path = Path(name)
        if not path.is_file():
            raise InputError(f"{path}: there is no such set of tasks.")
    elif str(name) in known_task_sets():
        path = Path(str(resources.files(__name__) / f"{name}.yaml"))
    else:
        raise InputError(
            f"`tasks` must be one of {', '.join(known_task_sets())} or a file that ends in .yaml; "
            f"got {str(name)!r}."
        )
    file = read_yaml(path)
    check_task_file(file)
    return path, dict(file.value)


def _expand(entry: Mapping[str, Any], at_hand: Sequence[Pair]) -> tuple[list[Task], list[str]]:
    """Make the tasks of one entry, and say which language pairs they lack."""
    weight = float(entry.get("weight", 1.0))
    tasks: list[Task] = []
    missing: list[str] = []
    for pairs in _language_pairs(entry, at_hand):
        present = tuple(pair for pair in pairs if pair in at_hand)
        missing += [
            f"{testset} {lp} has no data; its tasks are left out of the average."
            for testset, lp in pairs
            if (testset, lp) not in at_hand
        ]
        if present:
            names = tuple(lp for _, lp in present)
            tasks += [
                Task(present[0][0], names, meta, human, domain, weight * len(names))
                for meta, human, domain in _variants(entry)
            ]
    return tasks, missing


def _keep_domains(
    tasks: Sequence[Task], with_domains: Collection[Pair]
) -> tuple[list[Task], list[str]]:
    """Drop tasks on domains where domains are not known, and say so."""
    kept: list[Task] = []
    lacking: list[str] = []
    for task in tasks:
        unknown = [lp for lp in task.language_pairs if (task.testset, lp) not in with_domains]
        if task.domain is None or not unknown:
            kept.append(task)
        else:
            lacking.append(
                f"{task.testset} {unknown[0]} has no documents; its tasks on domains are left out "
                "of the average."
            )
    return kept, lacking


def _language_pairs(entry: Mapping[str, Any], at_hand: Sequence[Pair]) -> Iterator[list[Pair]]:
    """Give the language pairs of each task."""
    testset = entry["testset"]
    if "pool" in entry:
        yield [(testset, lp) for lp in entry["pool"]]
    elif entry["each"] == "all":
        yield from ([pair] for pair in at_hand if testset in ("all", pair[0]))
    else:
        yield from ([(testset, lp)] for lp in entry["each"])


def _variants(entry: Mapping[str, Any]) -> Iterator[tuple[str, bool | None, str | None]]:
    humans = entry.get("human_systems", [None])
    domains = [None if name == "all" else name for name in entry.get("domain", ["all"])]
    yield from product(_as_list(entry["meta"]), humans, domains)


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _check_names(tasks: Sequence[Task], path: Path) -> None:
    names = [task.name for task in tasks]
    for name in names:
        if names.count(name) > 1:
            raise DataFileError(path, f"the task `{name}` is there twice.")
