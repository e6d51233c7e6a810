"""Pairs of scores and what changes when the metric calls them tied: the inside of acc_eq."""

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from sigcore.errors import MemoryLimitError
from sigcore.meta.grouping import GroupedScores, divide
from sigcore.permutation.differences import in_steps
from sigcore.validation import as_choice, as_limit

__all__ = ["MAX_MEMORY", "TiePairs", "tie_pairs"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

MAX_MEMORY = 2 * 1024**3
_BYTES_A_PAIR = 96  # measured: 60 for the best threshold, 90 for the curve
_LARGEST_SUM = 2**62
# Distances are put in buckets by the bits of the float: its exponent and 10 bits of what follows.
_DROPPED_BITS = 42


@dataclass(frozen=True, slots=True)
class TiePairs:
    """Pairs of scores that are not tied for the metric, and what a tie would change.

    Attributes
    ----------
    scores : GroupedScores
        Where the pairs come from.
    step : float
        Unit of the distances.
    n_agreeing, n_pairs : ndarray of int, shape (groups,)
        Pairs that are concordant or tied for both if only equal scores are tied, and all pairs.
    weights : ndarray of int, shape (groups,)
        What one pair counts for in a mean over groups, in whole numbers.
    distances : ndarray, shape (pairs,)
        How far the two metric scores are apart.
    gains : ndarray of int, shape (pairs,)
        Change of the agreeing pairs when this one becomes tied: 1 for a gold tie, -1 for a
        concordant pair, 0 for a discordant one.
    group : ndarray of int, shape (pairs,)
        The group of each pair.
    buckets : ndarray of int, shape (pairs,)
        Distances rounded down, numbered from 0 in ascending order.
    """

    scores: GroupedScores
    step: float
    n_agreeing: IntArray
    n_pairs: IntArray
    weights: IntArray
    distances: FloatArray
    gains: IntArray
    group: IntArray
    buckets: IntArray

    @property
    def used(self) -> BoolArray:
        """Which groups have a pair."""
        return self.n_pairs > 0

    def weighted_gains(self, chosen: BoolArray) -> IntArray:
        """Return what each pair changes in the mean over some groups, in whole numbers."""
        return self.gains * np.where(chosen, self.weights, 0)[self.group]

    def best_threshold(self, chosen: BoolArray) -> float:
        """Return the smallest of the thresholds at which some groups are most accurate.

        The best threshold is found by sorting pairs by distance and summing up what they change.
        Only the pairs in buckets that may hold the maximum need sorting.
        """
        gains = self.weighted_gains(chosen)
        selected, before = _promising(self.buckets, gains)
        order = selected[np.argsort(self.distances[selected])]
        if order.size == 0:
            return 0.0
        sums = np.cumsum(gains[order])
        buckets = self.buckets[order]
        starts = np.flatnonzero(np.diff(buckets, prepend=-1))
        sums_before = np.append(0, sums[starts[1:] - 1])
        lengths = np.diff(starts, append=order.size)
        sums += np.repeat(before[buckets[starts]] - sums_before, lengths)
        # Equal distances become tied together.
        distances = self.distances[order]
        ends = np.flatnonzero(np.diff(distances, append=np.inf))
        best = ends[np.argmax(sums[ends])]
        return float(distances[best]) if sums[best] > 0 else 0.0

    def accuracies(self, thresholds: FloatArray | float) -> FloatArray:
        """Return the accuracy of each group, at one threshold or at its own; NaN without pairs."""
        limits = np.broadcast_to(thresholds, self.n_pairs.shape)
        tied = self.distances <= limits[self.group]
        gained = np.bincount(
            self.group[tied], weights=self.gains[tied], minlength=len(self.n_pairs)
        )
        return divide(self.n_agreeing + gained, self.n_pairs)


def tie_pairs(
    scores: GroupedScores,
    *,
    differences: str,
    max_memory: float,
    keep_discordant: bool = False,
) -> TiePairs:
    """Find the pairs that matter for tie calibration.

    Parameters
    ----------
    scores : GroupedScores
        The scores.
    differences : {"float", "grid"}
        Take metric scores as they are, or in whole steps if they lie on a grid.
    max_memory : float
        Bytes that may be used.
    keep_discordant : bool, default False
        Whether discordant pairs are kept. They change nothing when they become tied.
    """
    as_choice(differences, "differences", ("float", "grid"))
    step = None
    if differences == "grid":
        steps, step = in_steps(scores.metric)
        scores = replace(scores, metric=steps)
    n_pairs = scores.n_pairs
    _check_memory(int(n_pairs.sum()), as_limit(max_memory, "max_memory"))
    distances, gains, group, n_agreeing = _compare(scores, keep_discordant)
    return TiePairs(
        scores=scores,
        step=1.0 if step is None else step,
        n_agreeing=n_agreeing,
        n_pairs=n_pairs,
        weights=_weights(n_pairs),
        distances=distances,
        gains=gains,
        group=group,
        buckets=_buckets(distances),
    )


def _compare(
    scores: GroupedScores, keep_discordant: bool
) -> tuple[FloatArray, IntArray, IntArray, IntArray]:
    """Return distance, gain and group of each pair, and the agreeing pairs of each group."""
    n_agreeing = np.zeros(scores.gold.shape[1], dtype=np.int64)
    distances, gains, groups = [np.empty(0)], [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for gold, metric in scores.pair_differences():
        agree = np.sign(gold) == np.sign(metric)
        n_agreeing += np.count_nonzero(agree, axis=0)
        gain = (gold == 0.0).astype(np.int64) - agree
        rows, columns = np.nonzero(np.abs(metric) > 0.0 if keep_discordant else gain)
        distances.append(np.abs(metric[rows, columns]))
        gains.append(gain[rows, columns])
        groups.append(columns)
    return np.concatenate(distances), np.concatenate(gains), np.concatenate(groups), n_agreeing


def _buckets(distances: FloatArray) -> IntArray:
    """Return the leading bits of positive floats, which are in their order, counted from 0."""
    bits: IntArray = distances.view(np.int64) >> _DROPPED_BITS
    bits -= bits.min(initial=np.iinfo(np.int64).max)
    return bits


def _promising(buckets: IntArray, gains: IntArray) -> tuple[IntArray, IntArray]:
    """Return the pairs in buckets that may hold the highest sum, and the sum before each bucket.

    Within a bucket the sum cannot exceed the one before it plus all positive gains. It may hold
    the maximum if that is no less than the highest sum after any bucket.
    """
    n_buckets = int(buckets.max(initial=0)) + 1
    net, rise = np.zeros((2, n_buckets), dtype=np.int64)
    np.add.at(net, buckets, gains)
    positive = gains > 0
    np.add.at(rise, buckets[positive], gains[positive])
    after = np.cumsum(net)
    before = after - net
    may_hold = (rise > 0) & (before + rise >= max(0, int(after.max())))
    return np.flatnonzero(may_hold[buckets]), before


def _weights(n_pairs: IntArray) -> IntArray:
    """Return whole numbers in proportion to 1 / n_pairs; 0 for groups without pairs.

    Whole numbers make sums exact, so that equal accuracies are equal. The proportion is exact
    unless sums would exceed 64 bits; then it errs by 1 in 2^62 / (groups x pairs) at most.
    """
    used = n_pairs > 0
    whole = math.lcm(*np.unique(n_pairs[used]).tolist())
    whole = min(whole, _LARGEST_SUM // max(1, int(used.sum())))
    return np.where(used, whole // np.maximum(n_pairs, 1), 0)


def _check_memory(n_pairs: int, max_memory: float) -> None:
    needed = float(n_pairs * _BYTES_A_PAIR)
    if needed > max_memory:
        raise MemoryLimitError(
            f"Tie calibration compares {n_pairs:,} pairs and needs about {needed / 1e9:.1f} GB; "
            f"`max_memory` allows {max_memory / 1e9:.1f} GB. Grouping by item needs far less."
        )
