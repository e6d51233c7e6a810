"""Pairwise Difference Pearson: correlation of score differences within items."""

import math

import numpy as np
import numpy.typing as npt

from sigcore.meta.grouping import group_scores, mean_deviations
from sigcore.meta.score import MetaScore, undefined_score

__all__ = ["pairwise_difference_pearson"]


def pairwise_difference_pearson(
    gold: npt.ArrayLike, metric: npt.ArrayLike, *, grouping: str = "item"
) -> MetaScore:
    """Correlate the differences of all pairs of translations of the same segment.

    Parameters
    ----------
    gold, metric : array_like, shape (systems, segments) or (n,)
        Scores, larger is better; NaN marks a missing one. Vectors are one group.
    grouping : {"item", "system", "none"}
        Whether the two of a pair belong to the same item, as published, to the same system, or
        are any two.

    Returns
    -------
    MetaScore
        The pairs left out lack a score.

    Notes
    -----
    One Pearson correlation over the differences of all ordered pairs within items (DiIanni and
    Deutsch 2025, Don't Sweat the Small Stuff: Segment-Level Meta-Evaluation Based on Pairwise
    Difference Correlation; ``pdp=True`` in mt-metrics-eval). Both orders of a pair enter, so the
    mean difference is 0. Within an item of n scores the sum of products of differences over
    unordered pairs is n times the sum of products of deviations from the mean, so no pair needs to
    be formed.

    Examples
    --------
    >>> gold, metric = [[1, 2], [2, 4], [4, 3]], [[0, 1], [1, 1], [2, 0]]
    >>> round(pairwise_difference_pearson(gold, metric).value, 6)
    0.711512
    """
    scores = group_scores(gold, metric, grouping)
    by_gold, by_metric = mean_deviations(scores.gold), mean_deviations(scores.metric)
    sizes = scores.sizes
    # Scaling keeps squares of very large or small scores within range.
    by_gold, by_metric = (part / (np.abs(part).max() or 1.0) for part in (by_gold, by_metric))
    products, gold_squares, metric_squares = (
        float((sizes * part).sum())
        for part in (by_gold * by_metric, by_gold * by_gold, by_metric * by_metric)
    )
    n_used = int(scores.n_pairs.sum())
    n_left_out = scores.n_possible_pairs - n_used
    extra = {"n_scores_left_out": float(np.isnan(scores.gold).sum())}
    if gold_squares == 0.0 or metric_squares == 0.0:
        side = "gold" if gold_squares == 0.0 else "metric"
        reason = f"the {side} scores of all {n_used} pairs are equal"
        return undefined_score(
            "Pairwise Difference Pearson", "pairs", n_left_out + n_used, reason, extra
        )
    value = products / math.sqrt(gold_squares * metric_squares)
    return MetaScore(min(1.0, max(-1.0, value)), n_used, n_left_out, "pairs", extra=extra)
