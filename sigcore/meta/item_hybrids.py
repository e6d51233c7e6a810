"""Means over items of hybrids of two metrics that take whole items from one or the other.

With a coin for each segment (PERM-INPUTS) the translations of a segment are all scored by the same
metric, so a statistic within items is that metric's own, and a mean over items is linear in the
coins. acc_eq keeps each metric's tie threshold, as `pair_swaps` does.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sigcore.meta.aligned import AlignedScores
from sigcore.meta.correlation import group_correlations
from sigcore.meta.grouping import GroupedScores, divide
from sigcore.meta.pair_counts import count_pairs
from sigcore.meta.schemes import Coins
from sigcore.meta.tie_calibration import acc_eq

__all__ = ["ITEM_STATISTICS", "item_sums", "means_of_hybrids", "means_of_metrics"]

FloatArray = npt.NDArray[np.float64]

ITEM_STATISTICS = ("pearson-item", "spearman-item", "tau-b-item", "acc-eq", "acc-23", "tau-23")


def item_sums(scores: AlignedScores, name: str) -> FloatArray:
    """Compute a statistic of each metric within items, and in how many items it is defined.

    Parameters
    ----------
    scores : AlignedScores
        Gold and metrics.
    name : str
        One of `ITEM_STATISTICS`.

    Returns
    -------
    ndarray, shape (2, metrics, units)
        Sums of the statistic over the items of a unit, and numbers of items.
    """
    values = np.array([_within_items(scores, metric, name) for metric in scores.raw])
    defined = ~np.isnan(values)
    both = np.stack([np.where(defined, values, 0.0), defined.astype(np.float64)])
    return scores.by_unit(both)


def means_of_metrics(sums: FloatArray) -> FloatArray:
    """Return the mean over items of each metric."""
    return _mean(sums.sum(axis=2))


def means_of_hybrids(
    sums: FloatArray, metric_pairs: Sequence[tuple[int, int]], coins: Coins
) -> tuple[FloatArray, FloatArray]:
    """Return the means over items of hybrids and of their complements.

    Parameters
    ----------
    sums : ndarray
        From `item_sums`.
    metric_pairs : sequence of (int, int)
        Pairs of metrics.
    coins : ndarray of 0 and 1, shape (draws, 1, units)
        Where a hybrid takes the items of the first metric.

    Returns
    -------
    tuple of ndarray, shape (metric pairs, draws)
    """
    inside = sums @ coins[:, 0].astype(np.float64).T
    outside = sums.sum(axis=2)[:, :, None] - inside
    first, second = np.array(metric_pairs, dtype=np.int64).reshape(-1, 2).T
    return (
        _mean(inside[:, first] + outside[:, second]),
        _mean(outside[:, first] + inside[:, second]),
    )


def _within_items(scores: AlignedScores, metric: FloatArray, name: str) -> FloatArray:
    grouped = GroupedScores(scores.gold, metric, "item")
    if name in ("pearson-item", "spearman-item"):
        return group_correlations(grouped, name.removesuffix("-item"))
    epsilon = acc_eq(scores.gold, metric).extra.get("epsilon", 0.0) if name == "acc-eq" else 0.0
    counts = count_pairs(grouped, epsilon=epsilon)
    if name == "tau-b-item":
        return counts.tau_b
    return 2.0 * counts.accuracy - 1.0 if name == "tau-23" else counts.accuracy


def _mean(sums: FloatArray) -> FloatArray:
    """Divide sums by numbers of items, the first axis; NaN without any."""
    return divide(sums[0], np.rint(sums[1]))
