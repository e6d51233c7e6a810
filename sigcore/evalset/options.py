"""What a selection is asked for, and what it says about the rest."""

from collections.abc import Iterable
from dataclasses import dataclass

from sigcore.errors import InputError
from sigcore.validation import as_choice
from sigcore.wording import counted, listed

__all__ = ["LeftOut", "Selection", "left_out_sentences", "summarise"]


@dataclass(frozen=True, slots=True)
class Selection:
    """What enters an evaluation; the defaults are those of the official task.

    Attributes
    ----------
    reference : str or None
        Reference that metrics must use, several joined by dots; None is the standard one.
    human_systems : bool or None
        Whether human translations other than the reference are systems; None is the official rule.
    outliers : bool
        Whether systems that the official task leaves out as outliers stay in.
    primary_only : bool
        Keep only primary metrics and baselines; without a list of primary metrics all are kept.
    reference_free : bool
        Whether metrics that use the source only stay in.
    metrics : tuple of str or None
        Keep only these metrics, by base name or by identifier (``"BLEU-refB"``). They need not be
        primary, and an identifier may use another reference.
    segments : {"complete", "pairwise"}
        ``"complete"`` keeps the segments with a gold score for every system. ``"pairwise"`` keeps
        those with a gold score for at least two systems and leaves the gaps in.
    incomplete_metrics : {"error", "leave-out"}
        What to do with a metric that lacks scores where they are needed.
    unlisted_systems : {"error", "leave-out"}
        What to do with a system that metrics score and the file of human scores does not name at
        all; one that it names without a score is left out. Human translations may be unlisted.
    max_missing : float
        Fraction of the needed scores that a metric may lack. With ``"complete"`` the segments in
        question are dropped for all metrics; with ``"pairwise"`` the gaps stay.
    """

    reference: str | None = None
    human_systems: bool | None = None
    outliers: bool = False
    primary_only: bool = False
    reference_free: bool = True
    metrics: tuple[str, ...] | None = None
    segments: str = "complete"
    incomplete_metrics: str = "error"
    unlisted_systems: str = "error"
    max_missing: float = 0.0

    def __post_init__(self) -> None:
        """Refuse unknown choices."""
        as_choice(self.segments, "segments", ("complete", "pairwise"))
        for name in ("incomplete_metrics", "unlisted_systems"):
            as_choice(getattr(self, name), name, ("error", "leave-out"))
        if not 0.0 <= self.max_missing < 1.0:
            raise InputError(
                f"`max_missing` must be at least 0 and less than 1; got {self.max_missing}."
            )


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that a selection left out.

    Attributes
    ----------
    kind : {"system", "metric", "segment", "cell"}
        What was left out.
    name : str
        Its name; for segments the name of the gold, for cells that of the metric.
    reason : str
        Why.
    count : int
        How many systems, metrics, segments or cells the entry stands for.
    """

    kind: str
    name: str
    reason: str
    count: int = 1


def summarise(left_out: Iterable[LeftOut]) -> str:
    """Put what was left out, with the reasons, into one line."""
    return "; ".join(f"{entry.name} ({entry.reason.rstrip('.')})" for entry in left_out) or "none"


def left_out_sentences(left_out: Iterable[LeftOut]) -> list[str]:
    """Say what was left out and why, in one sentence; none if nothing was.

    Examples
    --------
    >>> unused = [LeftOut("metric", name, "uses no reference") for name in ("A", "B")]
    >>> left_out_sentences([*unused, LeftOut("segment", "mqm", "no gold", 7)])
    ['Left out: 2 metrics (uses no reference: A, B), 7 segments (no gold).']
    """
    entries = list(left_out)
    named = [f"{entry.name} ({entry.reason})" for entry in entries if entry.kind == "system"]
    alike: dict[tuple[str, str], list[LeftOut]] = {}
    for entry in entries:
        if entry.kind != "system":
            alike.setdefault((entry.kind, entry.reason.rstrip(".")), []).append(entry)
    named += [_described(kind, reason, same) for (kind, reason), same in alike.items()]
    return [f"Left out: {', '.join(named)}."] if named else []


def _described(kind: str, reason: str, entries: list[LeftOut]) -> str:
    names = [entry.name for entry in entries]
    if kind != "metric":
        return f"{counted(sum(entry.count for entry in entries), kind)} ({reason})"
    if len(names) == 1:
        return f"metric {names[0]} ({reason})"
    return f"{len(names)} metrics ({reason}: {listed(names)})"
