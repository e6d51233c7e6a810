"""The evaluation set: human and metric scores of the same systems on the same segments.

`EvalSet` holds everything that was read. `select` takes from it the systems, segments and metrics
that enter an evaluation, by the rules of the WMT metrics tasks as mt-metrics-eval states them, and
says what it left out and why.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.validation import as_choice, as_matrix

if TYPE_CHECKING:
    from sigcore.testsets import PairFacts

__all__ = ["EvalSet", "LeftOut", "Metric", "Selection", "select", "unique_labels"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric of an evaluation set.

    Attributes
    ----------
    name : str
        Label that is unique in the set: the base name where that is enough, else the identifier.
    base : str
        Base name, for example ``"BLEU"``.
    reference : str
        What the metric compares with: ``"refA"``, several as ``"refA.refB"``, ``"all"``, or
        ``"src"`` for the source only; empty if a user's file does not say.
    primary, baseline : bool
        Whether the official task counts it as a primary submission or as a baseline.
    extra : bool
        Whether a user added it to the official ones.
    source : str
        Name of the file that the scores come from.
    """

    name: str
    base: str
    reference: str
    primary: bool = False
    baseline: bool = False
    extra: bool = False
    source: str = ""

    @property
    def identifier(self) -> str:
        """Base name and reference, as in the file name."""
        return f"{self.base}-{self.reference}" if self.reference else self.base

    @property
    def reference_free(self) -> bool:
        """Whether the metric uses the source only."""
        return self.reference == "src"


@dataclass(frozen=True, slots=True)
class EvalSet:
    """Scores of systems on segments, from humans and from metrics.

    Attributes
    ----------
    testset, language_pair, gold_name : str
        Where the scores come from.
    systems : tuple of str
        Names of the systems, sorted.
    human_systems : tuple of str
        Those of `systems` that are human translations.
    segments : ndarray of int64
        Position of each segment in the test set, counted from 0.
    documents : tuple of str or None
        Document of each segment, if known.
    gold : ndarray, systems x segments
        Human scores; NaN where there is none.
    metrics : tuple of Metric
        The metrics, sorted by name.
    scores : ndarray, metrics x systems x segments
        Metric scores; NaN where there is none.
    """

    testset: str
    language_pair: str
    gold_name: str
    systems: tuple[str, ...]
    human_systems: tuple[str, ...]
    segments: npt.NDArray[np.int64]
    documents: tuple[str, ...] | None
    gold: FloatArray
    metrics: tuple[Metric, ...]
    scores: FloatArray

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together."""
        names = tuple(metric.name for metric in self.metrics)
        shape = (len(self.metrics), len(self.systems), len(self.segments))
        if as_matrix(self.gold, "gold").shape != shape[1:]:
            raise InputError(f"`gold` must have shape {shape[1:]}; got {self.gold.shape}.")
        if self.scores.shape != shape:
            raise InputError(f"`scores` must have shape {shape}; got {self.scores.shape}.")
        if self.documents is not None and len(self.documents) != shape[2]:
            raise InputError(
                f"`documents` must name one document for each of {shape[2]} segments; "
                f"got {len(self.documents)}."
            )
        for name, values in (("systems", self.systems), ("metrics", names)):
            if list(values) != sorted(set(values)):
                raise InputError(f"`{name}` must be sorted by name, each once; got {values}.")
        if not set(self.human_systems) <= set(self.systems):
            raise InputError(f"`human_systems` must be systems; got {self.human_systems}.")

    @property
    def n_systems(self) -> int:
        """Number of systems."""
        return len(self.systems)

    @property
    def n_segments(self) -> int:
        """Number of segments."""
        return len(self.segments)

    @property
    def n_metrics(self) -> int:
        """Number of metrics."""
        return len(self.metrics)

    @property
    def metric_names(self) -> tuple[str, ...]:
        """Labels of the metrics, in order."""
        return tuple(metric.name for metric in self.metrics)

    @property
    def mask(self) -> npt.NDArray[np.bool_]:
        """Which cells have gold, systems x segments."""
        return np.logical_not(np.isnan(self.gold))

    def metric_index(self, name: str) -> int:
        """Return the position of the metric with this label."""
        try:
            return self.metric_names.index(name)
        except ValueError:
            known = ", ".join(self.metric_names)
            raise InputError(f"`metric` must be one of {known}; got {name!r}.") from None


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
        Keep only primary metrics; without a list of primary metrics all are kept.
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
    max_missing: float = 0.0

    def __post_init__(self) -> None:
        """Refuse unknown choices."""
        as_choice(self.segments, "segments", ("complete", "pairwise"))
        as_choice(self.incomplete_metrics, "incomplete_metrics", ("error", "leave-out"))
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


def select(
    evalset: EvalSet, selection: Selection, facts: "PairFacts"
) -> tuple[EvalSet, tuple[LeftOut, ...]]:
    """Take the systems, segments and metrics that enter an evaluation.

    Parameters
    ----------
    evalset : EvalSet
        Everything that was read.
    selection : Selection
        What to take.
    facts : PairFacts
        Official facts about the language pair.

    Returns
    -------
    evalset : EvalSet
        The part that was selected. With complete segments it has no gap.
    left_out : tuple of LeftOut
        What is not in it, with the reason.

    Raises
    ------
    InputError
        If fewer than two systems, no segment or no metric would be left, if the selection names
        something that does not exist, or if a metric lacks scores and that is an error.

    Notes
    -----
    Systems: all, minus the standard reference, minus human translations and outliers unless asked
    for, minus systems without a gold score. Metrics: those whose references are among the chosen
    ones; metrics that use the source only are among them unless switched off. A user's own metrics
    are always kept. The rules are those of mt-metrics-eval, with two differences.
    """
    # DEVIATES: mt-metrics-eval fills a system that a metric file lacks with zeros, and removes
    # cells without gold from the flattened scores, which can shift segments against each other.
    # Here a gap is an error, or is left out by name and counted.
    reference = _chosen_reference(evalset, selection, facts)
    rows, left_out = _select_systems(evalset, selection, facts, reference)
    metrics, unused = _select_metrics(evalset, selection, reference)
    columns, dropped = _select_segments(evalset, selection, rows)
    metrics, columns, incomplete = _drop_gaps(evalset, selection, rows, metrics, columns)
    return (
        _take(evalset, rows, metrics, columns),
        tuple(sorted([*left_out, *unused, *dropped, *incomplete], key=_left_out_order)),
    )


def unique_labels(metrics: Iterable[Metric]) -> list[Metric]:
    """Give each metric its base name where that is unique, else its identifier; sort by name."""
    metrics = list(metrics)
    count = Counter(metric.base for metric in metrics)
    named = [
        replace(metric, name=metric.base if count[metric.base] == 1 else metric.identifier)
        for metric in metrics
    ]
    return sorted(named, key=lambda metric: metric.name)


Rows = npt.NDArray[np.int64]


def _chosen_reference(evalset: EvalSet, selection: Selection, facts: "PairFacts") -> frozenset[str]:
    """Return the names of the references in use, checked against what the data know."""
    chosen = frozenset((selection.reference or facts.reference).split("."))
    known = {"all", *facts.references, *evalset.human_systems}
    for metric in evalset.metrics:
        known |= set(metric.reference.split(".")) - {"src", ""}
    if not chosen <= known:
        raise InputError(
            f"`reference` must be one of {', '.join(sorted(known))}; got {selection.reference!r}."
        )
    return chosen | frozenset(evalset.human_systems) if "all" in chosen else chosen


def _select_systems(
    evalset: EvalSet, selection: Selection, facts: "PairFacts", reference: frozenset[str]
) -> tuple[Rows, list[LeftOut]]:
    with_humans = (
        facts.human_systems if selection.human_systems is None else selection.human_systems
    )
    rated = evalset.mask.any(axis=1)
    rows, left_out = [], []
    for row, system in enumerate(evalset.systems):
        if system in reference:
            reason = "the reference that metrics use"
        elif system in evalset.human_systems and not with_humans:
            reason = "a human translation"
        elif system in facts.outliers and not selection.outliers:
            reason = "an outlier by the official facts"
        elif not rated[row]:
            reason = f"no {evalset.gold_name} score"
        else:
            rows.append(row)
            continue
        left_out.append(LeftOut("system", system, reason))
    if len(rows) < 2:
        raise InputError(
            f"At least 2 systems are needed; {len(rows)} of {evalset.n_systems} are left of "
            f"{_place(evalset)}. Left out: {_summary(left_out)}."
        )
    return np.array(rows, dtype=np.int64), left_out


def _select_metrics(
    evalset: EvalSet, selection: Selection, reference: frozenset[str]
) -> tuple[Rows, list[LeftOut]]:
    has_primary = any(metric.primary for metric in evalset.metrics)
    kept, left_out = [], []
    for index, metric in enumerate(evalset.metrics):
        reason = _why_not(metric, selection, reference, has_primary)
        if reason is None:
            kept.append(index)
        else:
            left_out.append(LeftOut("metric", metric.identifier, reason))
    _check_asked_for(evalset, selection, [evalset.metrics[index] for index in kept])
    if not kept:
        raise InputError(
            f"No metric is left of {evalset.n_metrics} of {_place(evalset)}. "
            f"Left out: {_summary(left_out)}."
        )
    return np.array(kept, dtype=np.int64), left_out


def _why_not(
    metric: Metric, selection: Selection, reference: frozenset[str], has_primary: bool
) -> str | None:
    """Say why a metric is left out, or None if it is kept."""
    if metric.extra:
        return None
    if selection.metrics is not None:
        if metric.identifier in selection.metrics:
            return None
        if metric.base not in selection.metrics:
            return "not asked for"
    elif metric.reference_free and not selection.reference_free:
        return "uses no reference"
    elif selection.primary_only and has_primary and not metric.primary:
        return "not a primary metric"
    if not metric.reference_free and not set(metric.reference.split(".")) <= reference:
        return f"uses {metric.reference}, not {'.'.join(sorted(reference))}"
    return None


def _check_asked_for(evalset: EvalSet, selection: Selection, kept: list[Metric]) -> None:
    """Refuse a name in `Selection.metrics` that selects nothing."""
    found = {name for metric in kept for name in (metric.base, metric.identifier)}
    for name in selection.metrics or ():
        if name not in found:
            known = ", ".join(metric.identifier for metric in evalset.metrics)
            raise InputError(
                f"`metrics` names {name!r}, and no such metric uses the chosen reference; "
                f"{_place(evalset)} has {known}."
            )


def _select_segments(
    evalset: EvalSet, selection: Selection, rows: Rows
) -> tuple[Rows, list[LeftOut]]:
    rated = evalset.mask[rows].sum(axis=0)
    complete = selection.segments == "complete"
    kept = np.flatnonzero(rated >= (len(rows) if complete else 2)).astype(np.int64)
    if kept.size == 0:
        raise InputError(
            f"No segment of {_place(evalset)} has a {evalset.gold_name} score for "
            f"{'every one' if complete else 'two'} of the {len(rows)} systems."
        )
    n_dropped = evalset.n_segments - kept.size
    reason = "no gold score for every system" if complete else "no gold score for two systems"
    return kept, [LeftOut("segment", evalset.gold_name, reason, n_dropped)] if n_dropped else []


def _drop_gaps(
    evalset: EvalSet, selection: Selection, rows: Rows, metrics: Rows, columns: Rows
) -> tuple[Rows, Rows, list[LeftOut]]:
    """Treat metrics without a score on cells that have gold."""
    needed = evalset.mask[np.ix_(rows, columns)]
    kept, left_out = [], []
    gaps = np.zeros(columns.size, dtype=bool)
    for index in metrics:
        missing = np.isnan(evalset.scores[index][np.ix_(rows, columns)]) & needed
        count = int(missing.sum())
        metric = evalset.metrics[index]
        if count <= selection.max_missing * needed.sum():
            kept.append(index)
            gaps |= missing.any(axis=0)
            if count and selection.segments == "pairwise":
                left_out.append(LeftOut("cell", metric.identifier, "no metric score", count))
            continue
        reason = _gap_message(evalset, metric, rows, missing)
        if selection.incomplete_metrics == "error":
            raise InputError(f"{metric.source or metric.identifier}: {reason}")
        left_out.append(LeftOut("metric", metric.identifier, reason))
    if not kept:
        raise InputError(f"No metric of {_place(evalset)} has all scores: {_summary(left_out)}.")
    if selection.segments == "complete" and gaps.any():
        reason = "no score by some metric"
        left_out.append(LeftOut("segment", evalset.gold_name, reason, int(gaps.sum())))
        columns = columns[~gaps]
        if columns.size == 0:
            raise InputError(f"No segment of {_place(evalset)} has a score by every metric.")
    return np.array(kept, dtype=np.int64), columns, left_out


def _gap_message(
    evalset: EvalSet, metric: Metric, rows: Rows, missing: npt.NDArray[np.bool_]
) -> str:
    per_system = missing.sum(axis=1)
    first = int(np.flatnonzero(per_system)[0])
    system = evalset.systems[rows[first]]
    return (
        f"{int(missing.sum())} of {missing.size} scores of {metric.identifier} are missing, "
        f"{int(per_system[first])} of them of system {system!r}."
    )


def _take(evalset: EvalSet, rows: Rows, metrics: Rows, columns: Rows) -> EvalSet:
    """Cut out the selected part and label the metrics again."""
    systems = tuple(evalset.systems[row] for row in rows)
    position = {evalset.metrics[index].identifier: index for index in metrics}
    labelled = unique_labels(evalset.metrics[index] for index in metrics)
    order = [position[metric.identifier] for metric in labelled]
    documents = evalset.documents
    return EvalSet(
        testset=evalset.testset,
        language_pair=evalset.language_pair,
        gold_name=evalset.gold_name,
        systems=systems,
        human_systems=tuple(name for name in evalset.human_systems if name in systems),
        segments=evalset.segments[columns],
        documents=tuple(documents[i] for i in columns) if documents is not None else None,
        gold=evalset.gold[np.ix_(rows, columns)],
        metrics=tuple(labelled),
        scores=evalset.scores[np.ix_(order, rows, columns)],
    )


def _place(evalset: EvalSet) -> str:
    return f"{evalset.testset} {evalset.language_pair}"


def _summary(left_out: list[LeftOut]) -> str:
    return "; ".join(f"{entry.name} ({entry.reason.rstrip('.')})" for entry in left_out) or "none"


def _left_out_order(entry: LeftOut) -> tuple[int, str, str]:
    return (("system", "metric", "segment", "cell").index(entry.kind), entry.name, entry.reason)
