"""Metrics that lack scores: which of them stay, and what becomes of the gaps."""

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError, ScoreError
from sigcore.evalset.data import EvalSet
from sigcore.evalset.options import LeftOut, Selection, summarise

__all__ = ["EXPECTED", "keep_complete", "treat_gaps"]

EXPECTED = "expected a score wherever there is gold"
"""What the reason of a metric that lacks scores begins with."""

Indices = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


def keep_complete(
    evalset: EvalSet,
    selection: Selection,
    metrics: Indices,
    rows: Indices,
    columns: Indices,
    gaps: Flags,
    needed: Flags,
) -> tuple[Flags, list[LeftOut]]:
    """Find the metrics that have the scores they need, up to the tolerated share of gaps."""
    # A quotient is rounded as the decimal that was given is, a product with it is not.
    stays = gaps.sum(axis=(1, 2)) / max(int(needed.sum()), 1) <= selection.max_missing
    left_out = []
    for position in np.flatnonzero(~stays):
        metric = evalset.metrics[metrics[position]]
        reason = _describe_gaps(
            evalset, int(metrics[position]), rows, gaps[position], needed, selection.max_missing
        )
        if selection.incomplete_metrics == "error":
            row, column = np.argwhere(gaps[position])[0]
            raise ScoreError(
                metric.source or metric.identifier,
                f"{reason} A share of gaps may be allowed (`max_missing`), or such metrics left "
                "out (`incomplete_metrics`).",
                system=evalset.systems[rows[row]],
                segment=int(columns[column]),
            )
        left_out.append(LeftOut("metric", metric.identifier, reason))
    if not stays.any():
        raise InputError(f"No metric of {evalset.title} has its scores: {summarise(left_out)}.")
    return stays, left_out


def _describe_gaps(
    evalset: EvalSet, metric: int, rows: Indices, gaps: Flags, needed: Flags, allowed: float
) -> str:
    per_system = gaps.sum(axis=1)
    first = int(np.flatnonzero(per_system)[0])
    more = f", more than the share of {allowed:g} that is allowed" if allowed else ""
    text = (
        f"{EXPECTED}; {per_system.sum()} of {needed.sum()} are "
        f"missing{more}, {per_system[first]} of them of system {evalset.systems[rows[first]]!r}"
    )
    scored = (~np.isnan(evalset.scores)).sum(axis=2) > 0
    alone = scored[metric] & (scored.sum(axis=0) == 1) & (evalset.mask.sum(axis=1) == 0)
    strangers = ", ".join(repr(evalset.systems[row]) for row in np.flatnonzero(alone))
    return f"{text}; no other file has {strangers}." if strangers else f"{text}."


def treat_gaps(
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
        raise InputError(f"No segment of {evalset.title} has a score by every metric.")
    dropped = int((~keep).sum())
    reason = "no score by some metric"
    return keep, [LeftOut("segment", evalset.gold_name, reason, dropped)] if dropped else []
