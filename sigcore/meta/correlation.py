"""Pearson's, Spearman's and Kendall's correlation of a metric with people.

At system level one score a system is correlated; at segment level those of single translations,
all at once or within items or systems.
"""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from sigcore.meta.grouping import (
    GroupedScores,
    as_score_arrays,
    average_groups,
    divide,
    group_scores,
    mean_deviations,
)
from sigcore.meta.score import MetaScore, undefined_score
from sigcore.meta.ties import kendall_tau
from sigcore.permutation.differences import in_steps
from sigcore.validation import as_choice

__all__ = [
    "COEFFICIENTS",
    "TITLES",
    "correlate_segments",
    "correlate_systems",
    "group_correlations",
]

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

TITLES = {"pearson": "Pearson's r", "spearman": "Spearman's rho", "kendall": "Kendall's tau-b"}
COEFFICIENTS = tuple(TITLES)


def correlate_segments(
    gold: npt.ArrayLike,
    metric: npt.ArrayLike,
    *,
    coefficient: str = "pearson",
    grouping: str = "none",
    undefined: str = "leave-out",
) -> MetaScore:
    """Correlate the segment scores of a metric with those of people.

    Parameters
    ----------
    gold, metric : array_like, shape (systems, segments) or (n,)
        Scores, larger is better; NaN marks a missing one. A cell that lacks one of the two is left
        out. Vectors are one group.
    coefficient : {"pearson", "spearman", "kendall"}
        The correlation; Kendall's is tau-b.
    grouping : {"none", "item", "system"}
        Over all scores, or the mean of the correlations within items or systems.
    undefined : {"leave-out", "zero"}
        What to do with groups in which all gold or all metric scores are equal. Groups with fewer
        than two scores are always left out.

    Returns
    -------
    MetaScore

    Examples
    --------
    >>> score = correlate_segments([[1, 5], [3, 5]], [[1, 2], [2, 1]], grouping="item")
    >>> score.value, score.n_used, score.n_left_out
    (1.0, 1, 1)
    """
    as_choice(coefficient, "coefficient", COEFFICIENTS)
    if coefficient == "kendall":
        return kendall_tau(gold, metric, grouping=grouping, undefined=undefined)
    scores = group_scores(gold, metric, grouping)
    values = group_correlations(scores, coefficient)
    return average_groups(values, scores, undefined=undefined, title=TITLES[coefficient])


def correlate_systems(
    gold: npt.ArrayLike,
    metric: npt.ArrayLike,
    *,
    coefficient: str = "pearson",
    missing: str = "listwise",
) -> MetaScore:
    """Correlate the system scores of a metric with those of people.

    Parameters
    ----------
    gold, metric : array_like, shape (systems, segments) or (systems,)
        Segment scores, of which the means are taken, or system scores. NaN marks a missing one.
    coefficient : {"pearson", "spearman", "kendall"}
        The correlation; Kendall's is tau-b.
    missing : {"listwise", "available"}
        Take means over the segments with all scores of all systems, or over those of each system
        that have both scores, which may be different segments.

    Returns
    -------
    MetaScore
        Systems without a score are left out.

    Notes
    -----
    The official WMT values use system scores averaged over the segments that have gold, as here.
    DEVIATES: equal means are tied even if sums of floats are not, as in mt-metrics-eval's.

    Examples
    --------
    >>> correlate_systems([[1, 2], [2, 3], [3, 5]], [[2, 2], [1, 3], [5, 5]]).value > 0.9
    True
    """
    as_choice(coefficient, "coefficient", COEFFICIENTS)
    as_choice(missing, "missing", ("listwise", "available"))
    first, second, is_vector = as_score_arrays(gold, metric)
    if is_vector:
        score = correlate_segments(first[0], second[0], coefficient=coefficient)
        return replace(score, unit="systems", extra={})
    used = _used_cells(first, second, missing)
    n_segments = int(used.any(axis=0).sum())
    extra = {
        "n_segments": float(n_segments),
        "n_segments_left_out": float(first.shape[1] - n_segments),
    }
    if n_segments == 0:
        reason = "no segment has all scores" if missing == "listwise" else "there are no scores"
        return undefined_score(TITLES[coefficient], "systems", len(first), reason, extra)
    means = [_means(scores, used) for scores in (first, second)]
    score = correlate_segments(means[0], means[1], coefficient=coefficient)
    return replace(score, unit="systems", extra=extra)


def group_correlations(scores: GroupedScores, coefficient: str) -> FloatArray:
    """Compute Pearson's or Spearman's correlation of each group.

    Parameters
    ----------
    scores : GroupedScores
        The groups.
    coefficient : {"pearson", "spearman"}
        The correlation.

    Returns
    -------
    ndarray, shape (groups,)
        NaN where all gold or all metric scores are equal, or fewer than two.
    """
    arrays = [scores.gold, scores.metric]
    if coefficient == "spearman":
        arrays = [_average_ranks(values) for values in arrays]
    gold, metric = (_deviations_in_range(values) for values in arrays)
    length = np.sqrt((gold * gold).sum(axis=0) * (metric * metric).sum(axis=0))
    return divide((gold * metric).sum(axis=0), length).clip(-1.0, 1.0)


def _used_cells(gold: FloatArray, metric: FloatArray, missing: str) -> BoolArray:
    used = ~(np.isnan(gold) | np.isnan(metric))
    return used & used.all(axis=0) if missing == "listwise" else used


def _means(scores: FloatArray, used: BoolArray) -> FloatArray:
    """Return the mean of each system; NaN for a system without scores.

    On a grid, means are counted in steps from some score: a sum of whole numbers and one division,
    so that means that are equal on paper are equal. No correlation depends on scale and shift.
    """
    steps, _ = in_steps(np.where(used, scores, np.nan))
    return divide(np.where(used, steps, 0.0).sum(axis=1), used.sum(axis=1))


def _deviations_in_range(values: FloatArray) -> FloatArray:
    """Return deviations from the mean divided by the largest, so that squares stay in range."""
    deviations = mean_deviations(values)
    largest = np.abs(deviations).max(axis=0)
    return deviations / np.where(largest > 0.0, largest, 1.0)


def _average_ranks(values: FloatArray) -> FloatArray:
    """Rank each group; equal scores share their mean rank, NaN stays NaN."""
    order = np.argsort(values, axis=0)
    ordered = np.take_along_axis(values, order, axis=0)
    position = np.arange(len(values), dtype=np.float64)[:, None]
    begins = np.ones(values.shape, dtype=np.bool_)
    begins[1:] = ordered[1:] != ordered[:-1]
    ends = np.ones(values.shape, dtype=np.bool_)
    ends[:-1] = begins[1:]
    first = np.maximum.accumulate(np.where(begins, position, 0.0), axis=0)
    last = np.minimum.accumulate(np.where(ends, position, np.inf)[::-1], axis=0)[::-1]
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, (first + last) / 2.0, axis=0)
    return np.where(np.isnan(values), np.nan, ranks)
