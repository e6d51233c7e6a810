"""Counts of concordant, discordant and tied pairs: what all of Kendall's variants are made of."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.meta.grouping import GroupedScores, divide
from sigcore.validation import as_distance

__all__ = ["PairCounts", "count_pairs"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

_SMALL = 64  # members of a group up to which comparing is faster than sorting


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Kinds of pairs in each group.

    Attributes
    ----------
    concordant, discordant : ndarray of int, shape (groups,)
        Pairs that gold and metric order alike, and the other way round.
    gold_ties, metric_ties, both_ties : ndarray of int, shape (groups,)
        Pairs tied for people only, for the metric only, and for both.
    """

    concordant: IntArray
    discordant: IntArray
    gold_ties: IntArray
    metric_ties: IntArray
    both_ties: IntArray

    @property
    def n_pairs(self) -> IntArray:
        """All pairs of each group."""
        ties = self.gold_ties + self.metric_ties + self.both_ties
        return self.concordant + self.discordant + ties

    @property
    def accuracy(self) -> FloatArray:
        """Share of pairs that gold and metric order, or tie, alike; NaN without pairs."""
        return divide(self.concordant + self.both_ties, self.n_pairs)

    @property
    def tau_b(self) -> FloatArray:
        """Kendall's tau-b; NaN where all pairs are tied for people or for the metric."""
        gold_untied = self.n_pairs - self.gold_ties - self.both_ties
        metric_untied = self.n_pairs - self.metric_ties - self.both_ties
        # In floats: the product of two counts may exceed 64 bits.
        length = np.sqrt(gold_untied * metric_untied.astype(np.float64))
        return divide(self.concordant - self.discordant, length)


def count_pairs(scores: GroupedScores, *, epsilon: float = 0.0) -> PairCounts:
    """Count the kinds of pairs in each group.

    Parameters
    ----------
    scores : GroupedScores
        The scores; missing ones are in no pair.
    epsilon : float, default 0
        Metric scores that differ by at most this are tied. Gold scores are tied if equal.

    Notes
    -----
    Large groups without `epsilon` by sorting, O(n log n) for n scores; small ones, where that is
    faster, and those with `epsilon`, where ties are not transitive, by comparing all pairs.
    """
    epsilon = as_distance(epsilon, "epsilon")
    if epsilon > 0.0 or len(scores.gold) <= _SMALL:
        return _count_by_comparing(scores, epsilon)
    return _count_by_sorting(scores)


def _count_by_comparing(scores: GroupedScores, epsilon: float) -> PairCounts:
    counts = np.zeros((5, scores.gold.shape[1]), dtype=np.int64)
    for gold, metric in scores.pair_differences():
        gold_tie = gold == 0.0
        metric_tie = np.abs(metric) <= epsilon
        rated = ~np.isnan(gold)
        ordered = rated & ~gold_tie & ~metric_tie
        alike = ordered & ((gold > 0.0) == (metric > 0.0))
        kinds = (
            alike,
            ordered & ~alike,
            gold_tie & ~metric_tie,
            rated & ~gold_tie & metric_tie,
            gold_tie & metric_tie,
        )
        counts += [np.count_nonzero(kind, axis=0) for kind in kinds]
    return PairCounts(*counts)


def _count_by_sorting(scores: GroupedScores) -> PairCounts:
    """Count pairs as Knight (1966) does: sort by gold, then count inversions of the metric."""
    n_groups = scores.gold.shape[1]
    rated = ~np.isnan(scores.gold.T)
    group = np.nonzero(rated)[0]
    gold, metric = scores.gold.T[rated], scores.metric.T[rated]
    order = np.lexsort((metric, gold, group))
    group, gold, metric = group[order], gold[order], metric[order]
    new_gold = _changes(group) | _changes(gold)
    gold_ties = _tied_pairs(new_gold, group, n_groups)
    both_ties = _tied_pairs(new_gold | _changes(metric), group, n_groups)
    by_metric = np.lexsort((metric, group))
    new_metric = _changes(group) | _changes(metric[by_metric])
    metric_ties = _tied_pairs(new_metric, group, n_groups)
    rank = np.empty(len(group), dtype=np.int64)
    rank[by_metric] = _dense_ranks(new_metric, group)
    # Equal gold scores stand in the order of the metric, so they make no inversion.
    discordant = _inversions(rank, group, n_groups)
    untied = scores.n_pairs - gold_ties - metric_ties + both_ties
    return PairCounts(
        concordant=untied - discordant,
        discordant=discordant,
        gold_ties=gold_ties - both_ties,
        metric_ties=metric_ties - both_ties,
        both_ties=both_ties,
    )


def _changes(values: npt.NDArray[np.generic]) -> BoolArray:
    """Mark each value that differs from the one before it; the first does."""
    new = np.ones(len(values), dtype=np.bool_)
    new[1:] = values[1:] != values[:-1]
    return new


def _tied_pairs(new: BoolArray, group: IntArray, n_groups: int) -> IntArray:
    """Count the pairs within runs, for each group; `new` marks where runs begin."""
    starts = np.flatnonzero(new)
    lengths = np.diff(starts, append=len(new))
    pairs = lengths * (lengths - 1) // 2
    return _sum_by_group(pairs, group[starts], n_groups)


def _dense_ranks(new: BoolArray, group: IntArray) -> IntArray:
    """Count the runs before each value, within its group."""
    number = np.cumsum(new)
    return number - number[np.searchsorted(group, group)]


def _inversions(rank: IntArray, group: IntArray, n_groups: int) -> IntArray:
    """Count, for each group, the pairs whose first rank is larger than the second.

    Two ranks are first told apart by their highest different bit. So for each bit, from the
    highest, count the pairs with 1 before 0 among the ranks that are equal in all bits above.
    """
    totals = np.zeros(n_groups, dtype=np.int64)
    block = group
    for bit in reversed(range(int(rank.max(initial=0)).bit_length())):
        one = (rank >> bit) & 1
        ones_before = np.cumsum(one) - one
        starts = np.flatnonzero(_changes(block))
        lengths = np.diff(starts, append=len(block))
        ones_before -= np.repeat(ones_before[starts], lengths)
        totals += _sum_by_group(ones_before * (1 - one), group, n_groups)
        block = 2 * block + one
        # Blocks of a group stay together, so `group` itself needs no new order.
        order = np.argsort(block, kind="stable")
        rank, block = rank[order], block[order]
    return totals


def _sum_by_group(counts: IntArray, group: IntArray, n_groups: int) -> IntArray:
    # Sums of whole numbers in floats are exact up to 2^53.
    return np.bincount(group, weights=counts, minlength=n_groups).astype(np.int64)
