"""Scores of people and metrics on the same cells, a cell being a system's translation of a segment.

Two metrics can swap scores only where both have one, and gold and metric are compared only where
both are there. What is missing is left out cell by cell or segment by segment, never shifted.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.permutation.differences import Blocks, block_order, in_range, in_steps
from sigcore.validation import as_choice, as_cube, as_matrix, refuse_other_labels

__all__ = ["MISSING", "AlignedScores", "RawScores", "raw_scores"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

MISSING = ("listwise", "pairwise")
# A spread this small beside the largest score is but rounding errors: the metric is constant.
_ROUNDING = 1e-12
_DIGITS = 12  # of standardised scores without a grid
_EXACT_BITS = 52  # whole numbers of so many bits, and their differences, are exact as floats


@dataclass(frozen=True, slots=True)
class AlignedScores:
    """Gold and metrics on a common set of cells, the metrics on one scale.

    Attributes
    ----------
    gold : ndarray, shape (systems, segments)
        Human scores; NaN outside the common cells.
    raw, metrics : ndarray, shape (metrics, systems, segments)
        Scores of the metrics, as given and standardised over the common cells; NaN outside.
    constant : ndarray of bool, shape (metrics,)
        Metrics that could not be standardised; their scores are 0.
    labels : ndarray of int, shape (segments,)
        Unit of each segment, ascending from 0.
    """

    gold: FloatArray
    raw: FloatArray
    metrics: FloatArray
    constant: BoolArray
    labels: IntArray

    @property
    def has_gaps(self) -> bool:
        """Whether some cells are not in use."""
        return bool(np.isnan(self.gold).any())

    @property
    def starts(self) -> IntArray:
        """Where each unit begins."""
        return np.flatnonzero(np.diff(self.labels, prepend=-1))

    @property
    def n_units(self) -> int:
        """Number of units that swap."""
        return int(self.labels[-1]) + 1

    def by_unit(self, values: FloatArray) -> FloatArray:
        """Sum values over the segments of each unit, the last axis; missing values count as 0."""
        filled = np.nan_to_num(values, nan=0.0) if self.has_gaps else values
        if self.n_units == values.shape[-1]:
            return filled
        sums: FloatArray = np.add.reduceat(filled, self.starts, axis=-1)
        return sums

    def without_rounding(self) -> FloatArray:
        """Return `metrics` without the rounding errors that would part what is equal in `raw`.

        Scores on a grid keep it: equal distances stay equal, and a metric and its rescaled copy
        are the same. Other scores are rounded to twelve digits.
        """
        rows = zip(self.raw, self.metrics, self.constant, strict=True)
        return np.stack(
            [row if constant else _standard_steps(raw, row) for raw, row, constant in rows]
        )


@dataclass(frozen=True, slots=True)
class RawScores:
    """Scores as given, segments of a unit side by side; extreme sizes are scaled, see `in_range`.

    Attributes
    ----------
    gold : ndarray, shape (systems, segments)
        Human scores; NaN is missing.
    metrics : ndarray, shape (metrics, systems, segments)
        Scores of the metrics.
    labels : ndarray of int, shape (segments,)
        Unit of each segment, ascending from 0.
    n_segments_dropped : int
        Segments of no use.
    """

    gold: FloatArray
    metrics: FloatArray
    labels: IntArray
    n_segments_dropped: int

    def shared_cells(self, members: Sequence[int]) -> BoolArray:
        """Return the cells where people and all these metrics have a score."""
        missing = np.isnan(self.gold) | np.isnan(self.metrics[list(members)]).any(axis=0)
        return ~missing

    def groups(self, sets: Iterable[Sequence[int]]) -> list[tuple[BoolArray, list[int]]]:
        """Put sets of metrics together that share the same cells; numbers of the sets, in order."""
        found: dict[bytes, tuple[BoolArray, list[int]]] = {}
        for number, members in enumerate(sets):
            cells = self.shared_cells(members)
            found.setdefault(cells.tobytes(), (cells, []))[1].append(number)
        return list(found.values())

    def align(self, cells: BoolArray, members: Sequence[int]) -> AlignedScores:
        """Take some metrics on some cells and put them on one scale."""
        raw = np.where(cells, self.metrics[list(members)], np.nan)
        standardised, constant = _standardise(raw)
        return AlignedScores(
            gold=np.where(cells, self.gold, np.nan),
            raw=raw,
            metrics=standardised,
            constant=constant,
            labels=self.labels,
        )


def raw_scores(
    gold: npt.ArrayLike,
    scores: npt.ArrayLike,
    *,
    blocks: Blocks | None = None,
    missing: str | None = None,
) -> RawScores:
    """Check gold and metrics and drop the segments that cannot be used.

    Parameters
    ----------
    gold : array_like, shape (systems, segments)
        Human scores; NaN marks a missing score.
    scores : array_like, shape (metrics, systems, segments)
        Scores of the metrics.
    blocks : sequence, optional
        Label of each segment; segments with equal labels are one unit.
    missing : {"listwise", "pairwise"}, optional
        Keep the segments with all scores, or those with gold for two systems or more. Without,
        the former, for callers that leave no choice.
    """
    as_choice(missing or "listwise", "missing", MISSING)
    people, metrics = _validate(gold, scores)
    order, labels = block_order(blocks, people.shape[1])
    if missing != "pairwise":
        lacking = np.count_nonzero(np.isnan(metrics), axis=(0, 1)) + np.isnan(people).sum(axis=0)
        useful = lacking == 0
    else:
        useful = np.count_nonzero(~np.isnan(people), axis=0) >= 2
    kept = useful[order]
    if not kept.any():
        raise InputError(_why_none(people, metrics, missing))
    order, labels = order[kept], labels[kept]
    return RawScores(
        gold=in_range(np.take(people, order, axis=1))[0],
        metrics=np.stack([in_range(scores)[0] for scores in np.take(metrics, order, axis=2)]),
        labels=np.cumsum(np.diff(labels, prepend=-1) != 0) - 1,
        n_segments_dropped=len(kept) - len(order),
    )


def _validate(gold: npt.ArrayLike, scores: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    for number, each in enumerate(scores if isinstance(scores, (list, tuple)) else ()):
        refuse_other_labels({"gold": gold, f"scores[{number}]": each})
    people = as_matrix(gold, "gold")
    metrics = as_cube(scores, "scores", (people.shape[0], people.shape[1]))
    if len(people) < 2:
        raise InputError(f"`gold` must have at least 2 systems; got {len(people)}.")
    return people, metrics


def _why_none(people: FloatArray, metrics: FloatArray, missing: str | None) -> str:
    """Say why there is no segment to use, and what can be done."""
    if missing == "pairwise":
        return "`gold` must have a segment with scores of 2 systems or more."
    expected = "`gold` and `scores` must share a segment without missing scores"
    unscored = np.isnan(metrics).all(axis=2)
    useless = np.isnan(people).all(axis=1) | unscored.all(axis=0)
    if useless.any():
        return (
            f"{expected}; {int(useless.sum())} of {len(people)} systems have no gold score at all, "
            "or none by any metric. `sigcore.select` leaves out such systems."
        )
    if unscored.any():
        metric, system = np.argwhere(unscored)[0].tolist()
        return f"{expected}; `scores[{metric}]` has none of system {system}. Leave out that metric."
    advice = '; `missing` "pairwise" uses what there is' if missing else ""
    return f"{expected}; each segment lacks one of some system{advice}."


def _standardise(metrics: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Shift and scale each metric to mean 0 and standard deviation 1; constant ones to 0."""
    rated = ~np.isnan(metrics)
    n_cells = np.maximum(rated.sum(axis=(1, 2), keepdims=True), 1)
    filled = np.where(rated, metrics, 0.0)
    centred = np.where(rated, metrics - filled.sum(axis=(1, 2), keepdims=True) / n_cells, 0.0)
    spread = np.sqrt((centred * centred).sum(axis=(1, 2), keepdims=True) / n_cells)
    constant = spread <= _ROUNDING * np.abs(filled).max(axis=(1, 2), keepdims=True)
    standardised = np.where(constant, 0.0, centred / np.where(constant, 1.0, spread))
    return np.where(rated, standardised, np.nan), constant[:, 0, 0]


def _standard_steps(raw: FloatArray, standardised: FloatArray) -> FloatArray:
    """Standardise the whole steps of scores on a grid, in numbers whose differences are exact.

    A step has few enough binary digits that its multiples have no rounding errors, nor their
    distances from the mean, which is a multiple of the last of these digits.
    """
    steps, step = in_steps(raw)
    if step is None:
        return np.round(standardised, _DIGITS)
    steps = steps - np.nanmin(steps)
    mantissa, exponent = np.frexp(1.0 / np.nanstd(steps))
    n_bits = _EXACT_BITS - int(np.nanmax(steps)).bit_length()
    whole = np.rint(np.ldexp(mantissa, n_bits))
    shifted = steps * whole - np.rint(np.nanmean(steps) * whole)
    scaled: FloatArray = np.ldexp(shifted, exponent - n_bits)
    return scaled
