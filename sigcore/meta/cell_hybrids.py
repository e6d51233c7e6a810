"""SPA and PA of hybrids of two metrics that choose between them system by system.

With a coin for each system or cell, the difference d of systems i and j on a segment has four
values, by which metric, A or B, scores i and which scores j. A coin for a whole system leaves but
these four ways for each pair of systems, and they are evaluated once for all draws.

With a coin for each cell any function of d is, coins as signs s = +-1,

    f(d) = (f_AA + f_BB + f_AB + f_BA) / 4
           + (s_i + s_j) / 2 * (f_AA - f_BB) / 2
           + (s_i - s_j) / 2 * (f_AB - f_BA) / 2
           + s_i s_j * (f_AA + f_BB - f_AB - f_BA) / 4.

For one pair of systems the sums of d, d^2 and d^4 over segments are therefore three matrix products
of signs and values, for all draws and all pairs of metrics at once. The complement of a hybrid has
all signs turned, which turns the second and third line and costs nothing.

Where d of a hybrid is small on all segments beside the other values, as for two systems that both
metrics find nearly the same, the lines above cancel and no digits are left. Such sums are computed
again, term by term.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.meta.evaluation import EvaluationTask
from sigcore.meta.hybrids import MetaValues, least_reliable, power_list
from sigcore.meta.schemes import Coins
from sigcore.permutation.analytic import edgeworth_in_place

__all__ = ["cell_hybrid_values"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

_CELLS = 1 << 14  # values handled at once, so that temporaries stay in cache


@dataclass(frozen=True, slots=True)
class _Hybrids:
    """Hybrids of pairs of metrics, seen by one pair of systems, i and j.

    `first` and `second` are the metrics of each pair, `coins` those of i and of j (draws x units,
    or draws x 1). Hybrids whose sum of d is within `slack` of 0 tie the systems; those whose sum of
    d^2 is at most `floor` find them the same.
    """

    task: EvaluationTask
    number: int
    first: IntArray
    second: IntArray
    coins: tuple[Coins, Coins]
    slack: FloatArray
    floor: FloatArray

    @property
    def systems(self) -> tuple[int, int]:
        """The two systems."""
        return int(self.task.first[self.number]), int(self.task.second[self.number])

    def four_ways(self, columns: IntArray | slice) -> list[FloatArray]:
        """Return d of BB, BA, AB and AA for some pairs of metrics (pairs of metrics x units)."""
        i, j = self.systems
        a, b = self.first[columns], self.second[columns]
        ways = ((b, b), (b, a), (a, b), (a, a))
        return [self.task.differences(of_i, i, of_j, j) for of_i, of_j in ways]

    def judge(self, sums: Sequence[FloatArray]) -> tuple[BoolArray, FloatArray]:
        """Say whether hybrids agree with people, and how far p-values are apart.

        Sums of d, d^2 and d^4 (draws x pairs of metrics) are overwritten.
        """
        one, two, four = sums
        tied = self.task.gold_tied[self.number]
        agree = np.abs(one) <= self.slack if tied else one > self.slack
        distance = edgeworth_in_place(one, two, four, floor=self.floor)
        distance -= self.task.gold_pvalues[self.number]
        return agree, np.abs(distance, out=distance)


@dataclass(frozen=True, slots=True)
class _Sums:
    """Sums of d, d^2 and d^4 for one pair of systems; metric pairs are the last axis.

    Those of the hybrids are `even` + `odd`, those of the complements `even` - `odd`. Where d^2 sums
    to less than `reliable` the digits of the sums may be lost.
    """

    even: list[FloatArray]
    odd: list[FloatArray]
    reliable: FloatArray


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
    slack, floor = (np.maximum(by[first], by[second]) for by in (task.slack, task.floor))
    distances = np.zeros((2, len(coins), len(first)))
    n_agree = np.zeros(distances.shape, dtype=np.int64)
    for pair in range(task.n_pairs):
        own_coins = coins[:, task.first[pair]], coins[:, task.second[pair]]
        hybrids = _Hybrids(task, pair, first, second, own_coins, slack, floor)
        if coins.shape[2] == 1:
            _add_by_system(hybrids, distances, n_agree)
        else:
            sums = _sums(hybrids)
            _add_by_cell(hybrids, sums, distances, n_agree)
    spa = 1.0 - distances / task.n_pairs
    return MetaValues(spa[0].T, n_agree[0].T), MetaValues(spa[1].T, n_agree[1].T)


def _add_by_system(hybrids: _Hybrids, distances: FloatArray, n_agree: IntArray) -> None:
    """Add what a pair of systems contributes, each scored by one metric throughout."""
    ways = [power_list(way) for way in hybrids.four_ways(slice(None))]
    sums = [np.stack([power.sum(axis=1) for power in each]) for each in zip(*ways, strict=True)]
    agree, distance = hybrids.judge(sums)
    coins_i, coins_j = hybrids.coins
    way = 2 * coins_i[:, 0] + coins_j[:, 0]
    for side, chosen in enumerate((way, 3 - way)):
        n_agree[side] += agree[chosen]
        distances[side] += distance[chosen]


def _add_by_cell(hybrids: _Hybrids, sums: _Sums, distances: FloatArray, n_agree: IntArray) -> None:
    """Add what a pair of systems contributes, with a coin for each cell."""
    n_draws, n_columns = distances.shape[1:]
    size = max(1, _CELLS // max(1, n_columns))
    for start in range(0, n_draws, size):
        rows = slice(start, start + size)
        even = [sums.even[0], sums.even[1][rows], sums.even[2][rows]]
        odd = [each[rows] for each in sums.odd]
        for side, combine in enumerate((np.add, np.subtract)):
            found = [combine(*parts) for parts in zip(even, odd, strict=True)]
            lost = found[1] < sums.reliable
            if lost.any():
                _sum_again(hybrids, rows, side, lost, found)
            agree, distance = hybrids.judge(found)
            n_agree[side, rows] += agree
            distances[side, rows] += distance


def _sums(hybrids: _Hybrids) -> _Sums:
    task, first, second = hybrids.task, hybrids.first, hybrids.second
    i, j = hybrids.systems
    alone = np.arange(task.n_metrics)
    own = power_list(task.differences(alone, i, alone, j))
    one_way = power_list(task.differences(first, i, second, j))
    other_way = power_list(task.differences(second, i, first, j))
    mixed = [one + other for one, other in zip(one_way, other_way, strict=True)]
    turned = [one - other for one, other in zip(one_way, other_way, strict=True)]
    s_i, s_j = (coins.view(np.int8) * np.int8(2) - np.int8(1) for coins in hybrids.coins)
    alike = _products((s_i + s_j) // 2, own)
    # d_AB - d_BA = (A_i + A_j) - (B_i + B_j) needs a product for each metric only.
    levels = task.levels(alone, i, j)
    unlike = _products((s_i - s_j) // 2, [levels, *turned[1:]])
    same = _products(s_i * s_j, [*own[1:], *mixed[1:]])
    unlike[0] = unlike[0][:, first] - unlike[0][:, second]
    whole = [each.sum(axis=1)[first] + each.sum(axis=1)[second] for each in own]
    even, steady = [0.5 * whole[0]], [whole[k] + mixed[k].sum(axis=1) for k in (1, 2)]
    for power in (0, 1):
        drawn = same[power][:, first] + same[power][:, second] - same[power + 2]
        even.append(0.25 * (steady[power] + drawn))
    odd = [
        0.5 * (by_metric[:, first] - by_metric[:, second] + by_pair)
        for by_metric, by_pair in zip(alike, unlike, strict=True)
    ]
    scores = np.square(levels).sum(axis=1)
    reliable = least_reliable(steady[0], steady[1], scores[first] + scores[second])
    return _Sums(even, odd, reliable)


def _products(signs: npt.ArrayLike, values: Sequence[FloatArray]) -> list[FloatArray]:
    """Sum values (columns x units) with signs (draws x units); one array (draws x columns) each."""
    edges = np.cumsum([len(each) for each in values])[:-1]
    product = np.asarray(signs, dtype=np.float64) @ np.concatenate(values).T
    return np.split(product, edges, axis=1)


def _sum_again(
    hybrids: _Hybrids, rows: slice, side: int, lost: BoolArray, sums: Sequence[FloatArray]
) -> None:
    """Replace sums (draws x metric pairs) that lost their digits; the complements are side 1."""
    draws, columns = np.flatnonzero(lost.any(axis=1)), np.flatnonzero(lost.any(axis=0))
    a_i, a_j = ((coins[rows][draws] ^ side).astype(np.float64) for coins in hybrids.coins)
    b_i, b_j = 1.0 - a_i, 1.0 - a_j
    masks = np.concatenate([b_i * b_j, b_i * a_j, a_i * b_j, a_i * a_j], axis=1)
    ways = np.concatenate(hybrids.four_ways(columns), axis=1)
    for total, values in zip(sums, power_list(ways), strict=True):
        total[np.ix_(draws, columns)] = masks @ values.T
