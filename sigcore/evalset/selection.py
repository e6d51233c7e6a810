"""Which systems, segments and metrics enter an evaluation, and what was left out and why."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sigcore.errors import DataFileError, InputError, ScoreError
from sigcore.evalset.data import EvalSet, Metric, unique_labels
from sigcore.evalset.gaps import keep_complete, treat_gaps
from sigcore.evalset.options import LeftOut, Selection, summarise

if TYPE_CHECKING:
    from sigcore.testsets import PairFacts

__all__ = ["select", "selected_systems"]

Indices = npt.NDArray[np.int64]


def select(
    evalset: EvalSet, selection: Selection | None = None, facts: "PairFacts | None" = None
) -> tuple[EvalSet, tuple[LeftOut, ...]]:
    """Take the systems, segments and metrics that enter an evaluation.

    Parameters
    ----------
    evalset : EvalSet
        Everything that was read.
    selection : Selection, optional
        What to take; the default is that of the official task.
    facts : PairFacts, optional
        Official facts about the language pair; the default is what `load_testset` has.

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
    ScoreError
        If a metric lacks scores, or the human scores do not name a system, and that is an error.
    DataFileError
        If the human scores tell no two systems apart.

    Notes
    -----
    Systems: all, minus the chosen reference, minus human translations and outliers unless asked
    for, minus systems without a gold score; one that the gold does not even name is an error
    if metrics score it, unless switched off. Metrics: those whose references are among the chosen
    ones; metrics that use the source only are among them unless switched off. A user's own metrics
    are always kept. These are the rules of mt-metrics-eval.
    """
    # DEVIATES: mt-metrics-eval fills a system that a metric file lacks with zeros, and removes
    # cells without gold from the flattened scores, which can shift segments against each other.
    # Here a gap is an error, or is left out by name and counted.
    selection = Selection() if selection is None else selection
    facts = _known_facts(evalset) if facts is None else facts
    reference = _chosen_reference(evalset, selection, facts)
    rows, systems = _select_systems(evalset, selection, facts, reference)
    metrics, unused = _select_metrics(evalset, selection, facts, reference)
    columns, unrated = _select_segments(evalset, selection, rows)
    needed = evalset.mask[np.ix_(rows, columns)]
    gaps = np.isnan(evalset.scores[np.ix_(metrics, rows, columns)]) & needed
    stays, incomplete = keep_complete(evalset, selection, metrics, rows, columns, gaps, needed)
    keep, cells = treat_gaps(evalset, selection, metrics[stays], gaps[stays])
    _refuse_constant(evalset, rows, columns[keep])
    left_out = [*systems, *unused, *incomplete, *unrated, *cells]
    return _take(evalset, metrics[stays], rows, columns[keep]), tuple(left_out)


def selected_systems(evalset: EvalSet, selection: Selection, facts: "PairFacts") -> tuple[str, ...]:
    """Return the names of the systems that `select` takes."""
    reference = _chosen_reference(evalset, selection, facts)
    rows, _ = _select_systems(evalset, selection, facts, reference)
    return tuple(evalset.systems[row] for row in rows)


def _known_facts(evalset: EvalSet) -> "PairFacts":
    """Load the facts about a language pair, from beside its files if they are there."""
    from sigcore.testsets import load_testset

    root = Path(evalset.gold_source).parent.parent.parent if evalset.gold_source else None
    return load_testset(evalset.testset, root=root).facts(evalset.language_pair)


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
        elif system in evalset.unlisted:
            _check_unlisted(evalset, selection, row)
            reason = f"not in the file of {evalset.gold_name} scores"
        elif not rated[row]:
            reason = f"no {evalset.gold_name} score"
        else:
            rows.append(row)
            continue
        left_out.append(LeftOut("system", system, reason))
    if len(rows) < 2:
        raise InputError(
            f"At least 2 systems are needed; {len(rows)} of {evalset.n_systems} are left of "
            f"{evalset.title}. Left out: {summarise(left_out)}."
        )
    return np.array(rows, dtype=np.int64), left_out


def _check_unlisted(evalset: EvalSet, selection: Selection, row: int) -> None:
    """Refuse a system that metrics score and the human scores do not name, if that is an error."""
    system = evalset.systems[row]
    files = np.flatnonzero((~np.isnan(evalset.scores[:, row])).any(axis=1))
    expected = len(files) > 0 and system not in evalset.human_systems
    if selection.unlisted_systems == "leave-out" or not expected:
        return
    if len(files) == 1 < evalset.n_metrics:
        source = evalset.metrics[files[0]].source
        message = f"no other file has system {system!r}; is its name right?"
    else:
        source = evalset.gold_source
        message = f"{len(files)} of {evalset.n_metrics} metrics score it."
    hint = "If nobody rated it, it can be left out (`unlisted_systems`)."
    raise ScoreError(source or evalset.gold_name, f"{message} {hint}", system=system)


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
            f"No metric is left of {evalset.n_metrics} of {evalset.title}. "
            f"Left out: {summarise(left_out)}."
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
                f"{evalset.title} has {known}."
            )


def _select_segments(
    evalset: EvalSet, selection: Selection, rows: Indices
) -> tuple[Indices, list[LeftOut]]:
    complete = selection.segments == "complete"
    rated = evalset.mask[rows].sum(axis=0)
    columns = np.flatnonzero(rated >= (len(rows) if complete else 2))
    if columns.size == 0:
        raise InputError(
            f"No segment of {evalset.title} has a {evalset.gold_name} score for "
            f"{'each' if complete else 'two'} of the {len(rows)} systems."
        )
    dropped = evalset.n_segments - columns.size
    reason = f"no gold score for {'every system' if complete else 'two systems'}"
    return columns, [LeftOut("segment", evalset.gold_name, reason, dropped)] if dropped else []


def _refuse_constant(evalset: EvalSet, rows: Indices, columns: Indices) -> None:
    """Refuse human scores by which all systems are equal on every segment."""
    gold = evalset.gold[np.ix_(rows, columns)]
    if (np.nanmax(gold, axis=0) == np.nanmin(gold, axis=0)).all():
        raise DataFileError(
            evalset.gold_source or evalset.gold_name,
            f"all {len(rows)} systems have the same score on each of the {len(columns)} segments; "
            "no metric can be ranked by that.",
        )


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
