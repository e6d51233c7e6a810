"""SPA and PA of hybrids of two metrics that choose between them system by system.

With a coin for each cell, the difference d of systems i and j on a segment has four values, by
which metric, A or B, scores i and which scores j. So any function of d is, coins as signs s = +-1,

    f(d) = (f_AA + f_BB + f_AB + f_BA) / 4
           + (s_i + s_j) / 2 * (f_AA - f_BB) / 2
           + (s_i - s_j) / 2 * (f_AB - f_BA) / 2
           + s_i s_j * (f_AA + f_BB - f_AB - f_BA) / 4.

For one pair of systems the sums of d, d^2 and d^4 over segments are therefore three matrix products
of signs and values, for all draws and all pairs of metrics at once. The complement of a hybrid has
all signs turned, which turns the second and third line and costs nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.meta.evaluation import EvaluationTask
from sigcore.meta.hybrids import ROUNDING, MetaValues
from sigcore.meta.schemes import Coins
from sigcore.permutation.analytic import edgeworth_in_place

__all__ = ["cell_hybrid_values"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
SignArray = npt.NDArray[np.int8]

_CELLS = 1 << 14  # values handled at once, so that temporaries stay in cache


@dataclass(frozen=True, slots=True)
class _Sums:
    """Sums of d, d^2 and d^4 for one pair of systems; metric pairs are the last axis.

    Those of the hybrids are `even` + `odd`, those of the complements `even` - `odd`. Sums of d
    within `slack` of 0 and sums of d^2 up to `floor` are rounding errors.
    """

    even: list[FloatArray]
    odd: list[FloatArray]
    slack: FloatArray
    floor: FloatArray


def cell_hybrid_values(
    task: EvaluationTask, metric_pairs: Sequence[tuple[int, int]], coins: Coins
) -> tuple[MetaValues, MetaValues]:
    """Evaluate hybrids of pairs of metrics.

    Parameters
    ----------
    task : EvaluationTask
        Metrics and what people say.
    metric_pairs : sequence of (int, int)
        Pairs of metrics.
    coins : ndarray of 0 and 1, shape (draws, systems, units) or (draws, systems, 1)
        Where a hybrid takes the scores of the first metric: in which cells, or for which systems.

    Returns
    -------
    tuple of MetaValues
        Of the hybrids, and of their complements, which take the scores of the second metric where
        the hybrid takes those of the first; arrays of shape (metric pairs, draws).
    """
    first, second = np.array(metric_pairs, dtype=np.int64).reshape(-1, 2).T
    signs = coins.view(np.int8) * np.int8(2) - np.int8(1)
    distances = np.zeros((2, len(coins), len(first)))
    n_agree = np.zeros(distances.shape, dtype=np.int64)
    for pair in range(task.n_pairs):
        sums = _sums(task, pair, first, second, signs)
        _add_pair(task, pair, sums, distances, n_agree)
    spa = 1.0 - distances / task.n_pairs
    return MetaValues(spa[0].T, n_agree[0].T), MetaValues(spa[1].T, n_agree[1].T)


def _sums(
    task: EvaluationTask, pair: int, first: IntArray, second: IntArray, signs: SignArray
) -> _Sums:
    i, j = int(task.first[pair]), int(task.second[pair])
    alone = np.arange(task.n_metrics)
    own = _powers(task.differences(alone, i, alone, j))
    one_way = _powers(task.differences(first, i, second, j))
    other_way = _powers(task.differences(second, i, first, j))
    mixed = [one + other for one, other in zip(one_way, other_way, strict=True)]
    turned = [one - other for one, other in zip(one_way, other_way, strict=True)]
    s_i, s_j = signs[:, i], signs[:, j]
    alike = _products((s_i + s_j) // 2, own)
    # d_AB - d_BA = (A_i + A_j) - (B_i + B_j) needs a product for each metric only.
    unlike = _products((s_i - s_j) // 2, [task.levels(alone, i, j), *turned[1:]])
    same = _products(s_i * s_j, [*own[1:], *mixed[1:]])
    unlike[0] = unlike[0][:, first] - unlike[0][:, second]
    whole = [each.sum(axis=1)[first] + each.sum(axis=1)[second] for each in own]
    even = [0.5 * whole[0]]
    for power in (1, 2):
        steady = whole[power] + mixed[power].sum(axis=1)
        drawn = same[power - 1][:, first] + same[power - 1][:, second] - same[power + 1]
        even.append(0.25 * (steady + drawn))
    odd = [
        0.5 * (by_metric[:, first] - by_metric[:, second] + by_pair)
        for by_metric, by_pair in zip(alike, unlike, strict=True)
    ]
    size = np.abs(one_way[0]).sum(axis=1) + np.abs(other_way[0]).sum(axis=1)
    floor = ROUNDING * (whole[1] + mixed[1].sum(axis=1))
    return _Sums(even, odd, slack=ROUNDING * size, floor=floor)


def _powers(differences: FloatArray) -> list[FloatArray]:
    square = differences * differences
    return [differences, square, square * square]


def _products(signs: npt.ArrayLike, values: Sequence[FloatArray]) -> list[FloatArray]:
    """Sum values (columns x units) with signs (draws x units); one array (draws x columns) each."""
    signs = np.asarray(signs, dtype=np.float64)
    stacked = np.concatenate(values)
    if signs.shape[1] == 1:
        stacked = stacked.sum(axis=1, keepdims=True)
    edges = np.cumsum([len(each) for each in values])[:-1]
    return np.split(signs @ stacked.T, edges, axis=1)


def _add_pair(
    task: EvaluationTask, pair: int, sums: _Sums, distances: FloatArray, n_agree: IntArray
) -> None:
    """Add what one pair of systems contributes to the hybrids and to their complements."""
    n_draws, n_columns = distances.shape[1:]
    size = max(1, _CELLS // max(1, n_columns))
    for start in range(0, n_draws, size):
        rows = slice(start, start + size)
        even = [sums.even[0], sums.even[1][rows], sums.even[2][rows]]
        odd = [each[rows] for each in sums.odd]
        for side, combine in enumerate((np.add, np.subtract)):
            one, two, four = (combine(*parts) for parts in zip(even, odd, strict=True))
            if task.gold_tied[pair]:
                n_agree[side, rows] += np.abs(one) <= sums.slack
            else:
                n_agree[side, rows] += one > sums.slack
            distance = edgeworth_in_place(one, two, four, floor=sums.floor)
            distance -= task.gold_pvalues[pair]
            distances[side, rows] += np.abs(distance, out=distance)
