"""Which systems, segments and metrics enter an evaluation, and what was left out and why."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sigcore.errors import DataFileError, InputError
from sigcore.evalset.data import EvalSet, Metric, unique_labels
from sigcore.validation import as_choice

if TYPE_CHECKING:
    from sigcore.testsets import PairFacts

__all__ = ["LeftOut", "Selection", "select"]

Indices = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


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
        If fewer than two systems, no segment or no metric would be left, or if the selection names
        something that does not exist.
    DataFileError
        If a metric lacks scores and that is an error.

    Notes
    -----
    Systems: all, minus the chosen reference, minus human translations and outliers unless asked
    for, minus systems without a gold score. Metrics: those whose references are among the chosen
    ones; metrics that use the source only are among them unless switched off. A user's own metrics
    are always kept. These are the rules of mt-metrics-eval.
    """
    # DEVIATES: mt-metrics-eval fills a system that a metric file lacks with zeros, and removes
    # cells without gold from the flattened scores, which can shift segments against each other.
    # Here a gap is an error, or is left out by name and counted.
    reference = _chosen_reference(evalset, selection, facts)
    rows, systems = _select_systems(evalset, selection, facts, reference)
    metrics, unused = _select_metrics(evalset, selection, facts, reference)
    columns, unrated = _select_segments(evalset, selection, rows)
    needed = evalset.mask[np.ix_(rows, columns)]
    gaps = np.isnan(evalset.scores[np.ix_(metrics, rows, columns)]) & needed
    stays, incomplete = _select_complete(evalset, selection, metrics, rows, gaps, needed)
    keep, cells = _treat_gaps(evalset, selection, metrics[stays], gaps[stays])
    left_out = [*systems, *unused, *incomplete, *unrated, *cells]
    return _take(evalset, metrics[stays], rows, columns[keep]), tuple(left_out)


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
) -> tuple[Indices, list[LeftOut]]:
    humans = facts.human_systems if selection.human_systems is None else selection.human_systems
    rated = evalset.mask.sum(axis=1)
    rows, left_out = [], []
    for row, system in enumerate(evalset.systems):
        if system in reference:
            reason = "the reference that metrics use"
        elif system in evalset.human_systems and not humans:
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
    evalset: EvalSet, selection: Selection, facts: "PairFacts", reference: frozenset[str]
) -> tuple[Indices, list[LeftOut]]:
    primary_only = selection.primary_only and bool(facts.primary_metrics)
    kept, left_out = [], []
    for index, metric in enumerate(evalset.metrics):
        reason = None if metric.extra else _why_not(metric, selection, reference, primary_only)
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
    metric: Metric, selection: Selection, reference: frozenset[str], primary_only: bool
) -> str | None:
    """Say why an official metric is left out, or None if it is kept."""
    if selection.metrics is not None:
        if metric.identifier in selection.metrics:
            return None
        if metric.base not in selection.metrics:
            return "not asked for"
    elif metric.reference_free and not selection.reference_free:
        return "uses no reference"
    elif primary_only and not (metric.primary or metric.baseline):
        return "neither a primary metric nor a baseline"
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
    evalset: EvalSet, selection: Selection, rows: Indices
) -> tuple[Indices, list[LeftOut]]:
    complete = selection.segments == "complete"
    rated = evalset.mask[rows].sum(axis=0)
    columns = np.flatnonzero(rated >= (len(rows) if complete else 2))
    if columns.size == 0:
        raise InputError(
            f"No segment of {_place(evalset)} has a {evalset.gold_name} score for "
            f"{'each' if complete else 'two'} of the {len(rows)} systems."
        )
    dropped = evalset.n_segments - columns.size
    reason = f"no gold score for {'every system' if complete else 'two systems'}"
    return columns, [LeftOut("segment", evalset.gold_name, reason, dropped)] if dropped else []


def _select_complete(
    evalset: EvalSet,
    selection: Selection,
    metrics: Indices,
    rows: Indices,
    gaps: Flags,
    needed: Flags,
) -> tuple[Flags, list[LeftOut]]:
    """Find the metrics that have the scores they need, up to the tolerated share of gaps."""
    stays = gaps.sum(axis=(1, 2)) <= selection.max_missing * needed.sum()
    left_out = []
    for position in np.flatnonzero(~stays):
        metric = evalset.metrics[metrics[position]]
        reason = _describe_gaps(evalset, int(metrics[position]), rows, gaps[position], needed)
        if selection.incomplete_metrics == "error":
            hint = " A share of gaps may be allowed (`max_missing`)."
            raise DataFileError(metric.source or metric.identifier, reason + hint)
        left_out.append(LeftOut("metric", metric.identifier, reason))
    if not stays.any():
        raise InputError(f"No metric of {_place(evalset)} has its scores: {_summary(left_out)}.")
    return stays, left_out


def _describe_gaps(evalset: EvalSet, metric: int, rows: Indices, gaps: Flags, needed: Flags) -> str:
    per_system = gaps.sum(axis=1)
    first = int(np.flatnonzero(per_system)[0])
    text = (
        f"expected a score wherever there is gold; {per_system.sum()} of {needed.sum()} are "
        f"missing, {per_system[first]} of them of system {evalset.systems[rows[first]]!r}"
    )
    scored = (~np.isnan(evalset.scores)).sum(axis=2) > 0
    alone = scored[metric] & (scored.sum(axis=0) == 1) & (evalset.mask.sum(axis=1) == 0)
    strangers = ", ".join(repr(evalset.systems[row]) for row in np.flatnonzero(alone))
    return f"{text}; no other file has {strangers}." if strangers else f"{text}."


def _treat_gaps(
    evalset: EvalSet, selection: Selection, metrics: Indices, gaps: Flags
) -> tuple[Flags, list[LeftOut]]:
    """Find the segments that stay: without tolerated gaps if they have to be complete."""
    if selection.segments == "pairwise":
        counts = gaps.sum(axis=(1, 2))
        cells = [
            LeftOut("cell", evalset.metrics[index].identifier, "no metric score", int(count))
            for index, count in zip(metrics, counts, strict=True)
            if count
        ]
        return np.ones(gaps.shape[2], dtype=np.bool_), cells
    keep = gaps.sum(axis=(0, 1)) == 0
    if not keep.any():
        raise InputError(f"No segment of {_place(evalset)} has a score by every metric.")
    dropped = int((~keep).sum())
    reason = "no score by some metric"
    return keep, [LeftOut("segment", evalset.gold_name, reason, dropped)] if dropped else []


def _take(evalset: EvalSet, metrics: Indices, rows: Indices, columns: Indices) -> EvalSet:
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
