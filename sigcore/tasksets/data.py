"""Tasks, sets of them, and their weights."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

__all__ = ["ATTRIBUTES", "SYSTEM_SCORES", "Pair", "Task", "TaskSet", "split_weights"]

Pair = tuple[str, str]

ATTRIBUTES = ("testset", "language_pairs", "domain", "level", "human_systems", "grouping", "kind")
SYSTEM_SCORES = ("rated", "official")
_GROUPINGS = ("-item", "-by-system")


@dataclass(frozen=True, slots=True)
class Task:
    """One way to score metrics.

    Attributes
    ----------
    testset : str
        The test set.
    language_pairs : tuple of str
        One, or several whose system pairs are pooled.
    meta : str
        The meta-metric.
    human_systems : bool or None
        Whether human translations are among the systems; None for all that were selected.
    domain : str or None
        Only segments of this domain; None for all.
    weight : float
        Weight in the average; weights of a set need not add up to 1.
    """

    testset: str
    language_pairs: tuple[str, ...]
    meta: str
    human_systems: bool | None = None
    domain: str | None = None
    weight: float = 1.0

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Test set and language pair, of each language pair."""
        return tuple((self.testset, lp) for lp in self.language_pairs)

    @property
    def name(self) -> str:
        """Name for tables, unique within a set."""
        parts = [self.testset, "+".join(self.language_pairs), self.meta]
        if self.human_systems is not None:
            parts.append("with humans" if self.human_systems else "without humans")
        return " ".join([*parts, self.domain or ""]).strip()

    @property
    def level(self) -> str:
        """``"sys"`` or ``"seg"``."""
        return "sys" if self.meta.endswith("-sys") or self.meta in ("spa", "pa") else "seg"

    @property
    def takes_system_scores(self) -> bool:
        """Whether one score a system is all that the meta-metric needs."""
        return self.level == "sys" and self.meta != "spa"

    @property
    def grouping(self) -> str:
        """What segments are grouped by before averaging, as in the name of the meta-metric."""
        return next((suffix for suffix in _GROUPINGS if self.meta.endswith(suffix)), "")

    @property
    def kind(self) -> str:
        """The meta-metric without level and grouping; Kendall's tau has one name."""
        kind = self.meta.removesuffix(self.grouping).removesuffix("-sys").removesuffix("-seg")
        return "kendall" if kind == "tau-b" else kind


@dataclass(frozen=True, slots=True)
class TaskSet:
    """Tasks that are averaged over.

    Attributes
    ----------
    name, description : str
        What the set is.
    average : {"scores", "ranks"}
        What metrics are ordered by.
    primary_only : bool
        Whether only primary metrics, baselines and the user's own are averaged.
    system_scores : {"rated", "official"}
        Whether tasks on system scores take means over the rated segments, or the scores of systems
        on the whole test set.
    tasks : tuple of Task
        The tasks, with weights that add up to 1.
    skipped : tuple of str
        Sentences on tasks that cannot be run because language pairs are missing.
    """

    name: str
    description: str
    average: str
    primary_only: bool
    system_scores: str
    tasks: tuple[Task, ...]
    skipped: tuple[str, ...]

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Test sets and language pairs in use, each once."""
        return tuple(dict.fromkeys(pair for task in self.tasks for pair in task.pairs))


def split_weights(
    tasks: Sequence[Task], attributes: Sequence[str], *, total: float = 1.0
) -> list[Task]:
    """Split a weight evenly over the values of an attribute, then within each over the next.

    Parameters
    ----------
    tasks : sequence of Task
        The tasks; their weights are replaced.
    attributes : sequence of str
        Attributes or properties of `Task`; tasks that agree in all of them share equally.
    total : float, default 1
        Sum of the weights.

    Returns
    -------
    list of Task
        In the same order.
    """
    if not attributes:
        return [replace(task, weight=total / len(tasks)) for task in tasks]
    groups: dict[Any, list[Task]] = {}
    for task in tasks:
        groups.setdefault(getattr(task, attributes[0]), []).append(task)
    weighted: dict[str, Task] = {}
    for members in groups.values():
        part = split_weights(members, attributes[1:], total=total / len(groups))
        weighted |= {task.name: task for task in part}
    return [weighted[task.name] for task in tasks]
