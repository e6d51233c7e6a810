"""Accuracy with ties when two metrics swap comparisons of translations, not scores.

This is the test that mt-metrics-eval uses for acc_eq: each metric keeps its own tie threshold, and
a coin for each item and pair of systems decides whose verdict (better, worse, tied) is taken. The
verdicts of such a hybrid need not be those of any metric. The difference of a draw is a sum of
differences of verdicts with random signs, so it is linear in the metrics.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sigcore.meta.aligned import AlignedScores
from sigcore.meta.schemes import Coins
from sigcore.meta.tie_calibration import acc_eq

__all__ = ["PAIR_STATISTICS", "agreement_values", "swapped_differences"]

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

PAIR_STATISTICS = ("acc-eq", "acc-23")
_SIGNS = 1 << 23  # signs held at once


def agreement_values(scores: AlignedScores, name: str) -> tuple[FloatArray, FloatArray]:
    """Find where each metric agrees with people.

    Parameters
    ----------
    scores : AlignedScores
        Gold and metrics.
    name : {"acc-eq", "acc-23"}
        Whether scores are tied up to the best threshold of the metric, or only if equal.

    Returns
    -------
    values : ndarray, shape (metrics,)
        Mean accuracy over items; NaN if no item has two scores.
    shares : ndarray, shape (metrics, system pairs, units)
        What each comparison adds to it: 0 where metric and people disagree.
    """
    first, second = np.triu_indices(len(scores.gold), 1)
    gold = scores.gold[first] - scores.gold[second]
    rated = ~np.isnan(gold)
    n_pairs = rated.sum(axis=0)
    weights = np.divide(1.0, n_pairs, out=np.zeros(len(n_pairs)), where=n_pairs > 0)
    weights /= max(1, np.count_nonzero(n_pairs))
    shares = np.empty((len(scores.raw), len(first), scores.n_units))
    for index, metric in enumerate(scores.raw):
        epsilon = acc_eq(scores.gold, metric).extra.get("epsilon", 0.0) if name == "acc-eq" else 0.0
        verdicts = metric[first] - metric[second]
        verdicts[np.abs(verdicts) <= epsilon] = 0.0
        agree = rated & (np.sign(verdicts) == np.sign(gold))
        shares[index] = scores.by_unit(agree * weights)
    values = shares.sum(axis=(1, 2)) if n_pairs.any() else np.full(len(shares), np.nan)
    return values, shares


def swapped_differences(
    shares: FloatArray, metric_pairs: Sequence[tuple[int, int]], coins: Coins
) -> FloatArray:
    """Compute the differences in accuracy of hybrids and their complements.

    Parameters
    ----------
    shares : ndarray, shape (metrics, system pairs, units)
        From `agreement_values`.
    metric_pairs : sequence of (int, int)
        Pairs of metrics.
    coins : ndarray of 0 and 1, shape (draws, system pairs, units)
        Where a hybrid takes the verdict of the first metric.

    Returns
    -------
    ndarray, shape (metric pairs, draws)
    """
    columns = shares.reshape(len(shares), -1)
    flat = coins.reshape(len(coins), -1)
    sums = np.empty((len(shares), len(coins)))
    step = max(1, _SIGNS // flat.shape[1])
    for start in range(0, len(flat), step):
        signs = flat[start : start + step] * 2.0 - 1.0
        sums[:, start : start + step] = columns @ signs.T
    first, second = np.array(metric_pairs, dtype=np.int64).reshape(-1, 2).T
    return sums[first] - sums[second]
