"""Correlations of hybrids of two metrics that need only sums of scores.

System scores of a hybrid, and the sums behind Pearson's correlation of all segment scores, are
linear in the coins: one matrix product a metric serves all hybrids that it takes part in.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sigcore.meta.aligned import AlignedScores
from sigcore.meta.correlation import group_correlations
from sigcore.meta.grouping import GroupedScores, divide, mean_deviations
from sigcore.meta.pair_counts import count_pairs
from sigcore.meta.schemes import Coins
from sigcore.permutation.differences import in_steps

__all__ = ["LINEAR", "correlations_of_hybrids", "correlations_of_metrics"]

FloatArray = npt.NDArray[np.float64]

LINEAR = ("pearson-sys", "spearman-sys", "kendall-sys", "pearson-seg", "pearson-by-system")
_ROUNDING = 1e-12
_DIGITS = 12  # of standardised scores: means that differ less are equal but for rounding errors
_EVERYTHING = np.ones((1, 1, 1), dtype=np.uint8)


def correlations_of_metrics(scores: AlignedScores, name: str) -> FloatArray:
    """Correlate each metric with people; `name` is one of `LINEAR`."""
    return _correlate(scores, name, _sums(scores, name, _EVERYTHING))[:, 0]


def correlations_of_hybrids(
    scores: AlignedScores, name: str, metric_pairs: Sequence[tuple[int, int]], coins: Coins
) -> tuple[FloatArray, FloatArray]:
    """Correlate hybrids and their complements with people.

    Parameters
    ----------
    scores : AlignedScores
        Gold and metrics; without gaps for correlations of systems.
    name : str
        One of `LINEAR`.
    metric_pairs : sequence of (int, int)
        Pairs of metrics.
    coins : ndarray of 0 and 1, shape (draws, systems or 1, units or 1)
        Where a hybrid takes the scores of the first metric.

    Returns
    -------
    tuple of ndarray, shape (metric pairs, draws)
        Of the hybrids, and of their complements.
    """
    inside = _sums(scores, name, coins)
    outside = _sums(scores, name, _EVERYTHING) - inside
    first, second = np.array(metric_pairs, dtype=np.int64).reshape(-1, 2).T
    return (
        _correlate(scores, name, inside[first] + outside[second]),
        _correlate(scores, name, outside[first] + inside[second]),
    )


def _sums(scores: AlignedScores, name: str, coins: Coins) -> FloatArray:
    """Sum over the cells drawn what the correlation needs (metrics x terms x ... x draws).

    Of systems, the terms are their scores; of segments, scores, squares and products with gold,
    each for all systems together or for each by itself.
    """
    if name.endswith("-sys"):
        return _by_system(scores.by_unit(scores.metrics), coins)
    values = [scores.metrics, scores.metrics**2, scores.metrics * _centred(scores, name)]
    sums = np.stack([_by_system(scores.by_unit(each), coins) for each in values], axis=1)
    return sums.sum(axis=2, keepdims=True) if name == "pearson-seg" else sums


def _by_system(values: FloatArray, coins: Coins) -> FloatArray:
    """Sum values (metrics x systems x units) over the units drawn (metrics x systems x draws)."""
    n_metrics, n_systems, _ = values.shape
    sums = np.empty((n_metrics, n_systems, len(coins)))
    for system in range(n_systems):
        mask = coins[:, system % coins.shape[1]].astype(np.float64)
        own = values[:, system]
        if mask.shape[1] == 1:
            own = own.sum(axis=1, keepdims=True)
        sums[:, system] = own @ mask.T
    return sums


def _correlate(scores: AlignedScores, name: str, sums: FloatArray) -> FloatArray:
    """Turn sums (rows x terms x ... x draws) into correlations (rows x draws)."""
    if not name.endswith("-sys"):
        return _pearson(scores, name, sums)
    means = np.round(sums / scores.gold.shape[1], _DIGITS)
    n_rows, n_systems, n_draws = means.shape
    groups = np.moveaxis(means, 1, 0).reshape(n_systems, -1)
    people = np.repeat(_exact_means(scores.gold)[:, None], groups.shape[1], axis=1)
    grouped = GroupedScores(people, groups, "item")
    if name == "kendall-sys":
        values = count_pairs(grouped).tau_b
    else:
        values = group_correlations(grouped, name.removesuffix("-sys"))
    return values.reshape(n_rows, n_draws)


def _pearson(scores: AlignedScores, name: str, sums: FloatArray) -> FloatArray:
    """Correlate segments in groups (all, or those of a system); mean over groups."""
    axes = None if name == "pearson-seg" else 1
    n_cells = np.count_nonzero(~np.isnan(scores.gold), axis=axes).reshape(-1, 1)
    spread_of_gold = np.square(_centred(scores, name)).sum(axis=axes).reshape(-1, 1)
    total, squares, products = np.moveaxis(sums, 1, 0)
    spread = squares - total * total / np.maximum(n_cells, 1)
    # What cancels to less than rounding errors is constant.
    spread = np.where(spread > _ROUNDING * squares, spread, 0.0)
    values = divide(products, np.sqrt(spread_of_gold * spread)).clip(-1.0, 1.0)
    defined = ~np.isnan(values)
    return divide(np.where(defined, values, 0.0).sum(axis=1), defined.sum(axis=1))


def _centred(scores: AlignedScores, name: str) -> FloatArray:
    """Return gold minus its mean over the group that is correlated; 0 if it is constant there."""
    by_group = scores.gold.reshape(-1, 1) if name == "pearson-seg" else scores.gold.T
    return mean_deviations(by_group).T.reshape(scores.gold.shape)


def _exact_means(gold: FloatArray) -> FloatArray:
    """Return the means of systems, counted in steps of a grid so that equal means are equal."""
    steps, _ = in_steps(gold)
    means: FloatArray = steps.sum(axis=1) / gold.shape[1]
    return means
