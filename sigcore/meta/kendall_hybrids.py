"""Kendall's tau-b of hybrids of two metrics over many cells, all segments or those of a system.

With a sign s = +-1 for each cell, 1 where a hybrid takes metric A, the concordant minus discordant
pairs of the hybrid are E + O and those of its complement E - O. E is even and O odd in the signs,
and an odd function of at most two signs at a time is a weighted sum of single signs: O costs
n log n for two metrics, and one product for all draws. Tied pairs follow from how often each value
is there.

    tau(hybrid) - tau(complement) = (E + O) / h - (E - O) / c,

h and c being the two denominators. They are equal unless metrics have ties, and then E cancels.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from sigcore.meta.aligned import AlignedScores
from sigcore.meta.order_counts import OrderCounter, order_counter
from sigcore.meta.schemes import Coins

__all__ = ["KENDALL", "KendallHybrids"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

KENDALL = ("tau-b-seg", "tau-b-by-system")
_DIGITS = 12  # of standardised scores: what differs less is equal but for rounding errors
# Up to so many cells of a group, or coins that decide them, E is found for each draw.
_FEW_CELLS = 256
_FEW_COINS = 64
_VALUES = 1 << 11  # tied values whose counts are in memory, for all draws


@dataclass(frozen=True, slots=True)
class _Group:
    """Cells that are correlated with each other.

    `cells` are their numbers in systems x segments, `gold_untied` counts pairs that people tell
    apart, `counters` are one for each metric and `agreement` its own, `scores` metrics x cells.
    """

    cells: IntArray
    gold: FloatArray
    scores: FloatArray
    counters: list[OrderCounter]
    agreement: IntArray
    gold_untied: int

    @property
    def n_pairs(self) -> int:
        """Number of pairs of cells."""
        return len(self.cells) * (len(self.cells) - 1) // 2


class KendallHybrids:
    """Kendall's tau-b of hybrids of metrics, for `compare_metrics`.

    Parameters
    ----------
    scores : AlignedScores
        Gold and metrics.
    name : str
        One of `KENDALL`.

    Notes
    -----
    E of a draw is the mean that it would have with a coin for each cell, and a rest of relative
    size 1 / n for n coins, which is not small where a coin decides a whole system or document. The
    rest counts only as far as ties make the denominators of a hybrid and its complement differ, or
    leave only one of them constant for some system, which its mean then leaves out. It is left out
    in groups of more than 256 cells with more than 64 coins, where differences are off by a
    hundredth of their spread or so at most; everything else is exact.
    """

    def __init__(self, scores: AlignedScores, name: str) -> None:
        self._scores = scores
        rated = np.flatnonzero(~np.isnan(scores.gold))
        parts = [rated]
        if name == "tau-b-by-system":
            parts = np.split(rated, np.searchsorted(rated, _row_starts(scores)[1:]))
        groups = [_group(scores, cells) for cells in parts if len(cells) > 1]
        self._groups = [group for group in groups if group.gold_untied]
        self._weights: dict[tuple[int, int, int], tuple[FloatArray, float]] = {}
        self._own_kernels: dict[tuple[int, ...], FloatArray] = {}

    def differences(self, metric_pairs: Sequence[tuple[int, int]], coins: Coins) -> FloatArray:
        """Return the value of each hybrid minus that of its complement (metric pairs x draws).

        Parameters
        ----------
        metric_pairs : sequence of (int, int)
            Pairs of metrics.
        coins : ndarray of 0 and 1, shape (draws, systems or 1, units or 1)
            Where a hybrid takes the scores of the first metric.
        """
        total = np.zeros((2, len(metric_pairs), len(coins)))
        n_defined = np.zeros(total.shape)
        uneven = [self._may_be_constant(a, b) for a, b in metric_pairs]
        for number, group in enumerate(self._groups):
            mask = _Mask(self._scores, group.cells, coins)
            involved = {metric for pair in metric_pairs for metric in pair}
            ties = {metric: _own_ties(group.scores[metric], mask) for metric in involved}
            for row, (a, b) in enumerate(metric_pairs):
                n_ties = ties[a] + ties[b][::-1] + _shared_ties(group, a, b, mask)
                found = self._values(number, a, b, mask, n_ties, uneven=uneven[row])
                defined = ~np.isnan(found)
                total[:, row] += np.where(defined, found, 0.0)
                n_defined[:, row] += defined
        means = np.full(total.shape, np.nan)
        np.divide(total, n_defined, out=means, where=n_defined > 0)
        difference: FloatArray = means[0] - means[1]
        return difference

    def _may_be_constant(self, a: int, b: int) -> bool:
        """Say whether some hybrid is constant in one group or more, for some coins."""
        return any(
            bool(((group.scores[a] == value) | (group.scores[b] == value)).all())
            for group in self._groups
            for value in group.scores[[a, b], 0]
        )

    def _values(
        self, number: int, a: int, b: int, mask: "_Mask", n_ties: FloatArray, *, uneven: bool
    ) -> FloatArray:
        """Return tau-b of hybrids and complements in one group (2 x draws); NaN if constant.

        `n_ties` are their tied pairs; `uneven` says that E will not cancel, whatever the ties are.
        """
        group = self._groups[number]
        if (number, a, b) not in self._weights:
            self._weights[number, a, b] = _weights(group, a, b)
        weights, mean_even = self._weights[number, a, b]
        odd, even = mask.signed_sum(weights), np.full(mask.n_draws, mean_even)
        if uneven or (n_ties[0] != n_ties[1]).any():
            even += self._rest_of_even(number, a, b, mask)
        untied = group.gold_untied * (group.n_pairs - n_ties)
        values = np.full(untied.shape, np.nan)
        np.divide([even + odd, even - odd], np.sqrt(untied), out=values, where=untied > 0.0)
        return values

    def _rest_of_even(self, number: int, a: int, b: int, mask: "_Mask") -> FloatArray | float:
        """Return what E of each draw differs from its mean with a coin for each cell."""
        group = self._groups[number]
        if len(group.cells) <= _FEW_CELLS:
            return _rest_by_cells(group, a, b, mask)
        if mask.n_coins > _FEW_COINS:
            return 0.0
        for metric in (a, b):
            key = (number, metric, *mask.shape)
            if key not in self._own_kernels:
                self._own_kernels[key] = _kernel(group, metric, metric, mask)
        own, other = (self._own_kernels[number, metric, *mask.shape] for metric in (a, b))
        mixed = _kernel(group, a, b, mask)
        return 0.125 * mask.quadratic_form(own + other - mixed - mixed.T)


class _Mask:
    """The coins of some cells, for sums over those that a hybrid takes from the first metric."""

    def __init__(self, scores: AlignedScores, cells: IntArray, coins: Coins) -> None:
        n_draws, n_rows, n_columns = coins.shape
        systems, segments = np.divmod(cells, scores.gold.shape[1])
        rows = systems if n_rows > 1 else np.zeros_like(systems)
        columns = scores.labels[segments] if n_columns > 1 else np.zeros_like(segments)
        # A coin may decide several cells; only coins that decide one are kept.
        used, self._coin = np.unique(rows * n_columns + columns, return_inverse=True)
        self._drawn = coins.reshape(n_draws, -1)[:, used].T.astype(np.float64)
        self.n_draws, self.n_coins = n_draws, len(used)
        self.shape = (n_rows, n_columns)

    def signed_sum(self, weights: FloatArray) -> FloatArray:
        """Sum weights of cells, with sign 1 if drawn and -1 if not."""
        by_coin = self.sums_by_coin(weights)
        total: FloatArray = 2.0 * (by_coin @ self._drawn) - by_coin.sum()
        return total

    def counts(self, classes: IntArray, cells: IntArray, n_classes: int) -> FloatArray:
        """Count the drawn cells of each class (classes x draws)."""
        shape = (n_classes, self.n_coins)
        table = csr_array((np.ones(len(cells)), (classes, self._coin[cells])), shape=shape)
        counted: FloatArray = table @ self._drawn
        return counted

    def cells_of_coins(self) -> list[IntArray]:
        """List the cells that each coin decides."""
        order = np.argsort(self._coin, kind="stable")
        return np.split(order, np.cumsum(np.bincount(self._coin))[:-1])

    def sums_by_coin(self, values: FloatArray | IntArray) -> FloatArray:
        """Sum values of cells over those that each coin decides."""
        sums = np.bincount(self._coin, values, minlength=self.n_coins)
        return sums.astype(np.float64, copy=False)

    def quadratic_form(self, kernel: FloatArray) -> FloatArray:
        """Return s' kernel s for the signs s of the coins of each draw."""
        signs = 2.0 * self._drawn - 1.0
        form: FloatArray = (signs * (kernel @ signs)).sum(axis=0)
        return form

    def signs(self) -> FloatArray:
        """Return the sign of each cell in each draw (cells x draws)."""
        return 2.0 * self._drawn[self._coin] - 1.0


def _row_starts(scores: AlignedScores) -> IntArray:
    n_systems, n_segments = scores.gold.shape
    return np.arange(0, n_systems * n_segments, n_segments)


def _group(scores: AlignedScores, cells: IntArray) -> _Group:
    gold = scores.gold.ravel()[cells]
    metrics = np.round(scores.metrics.reshape(len(scores.metrics), -1)[:, cells], _DIGITS)
    counters = [order_counter(gold, metric) for metric in metrics]
    agreement = [
        counter.agreement(metric) for counter, metric in zip(counters, metrics, strict=True)
    ]
    sizes = np.unique(gold, return_counts=True)[1]
    n_pairs = len(cells) * (len(cells) - 1) // 2
    n_tied = int((sizes * (sizes - 1) // 2).sum())
    return _Group(cells, gold, metrics, counters, np.array(agreement), n_pairs - n_tied)


def _weights(group: _Group, a: int, b: int) -> tuple[FloatArray, float]:
    """Return the weight of each cell's sign in O, and the mean of E over all draws."""
    one_way = group.counters[b].agreement(group.scores[a])
    other_way = group.counters[a].agreement(group.scores[b])
    own, rest = group.agreement[a], group.agreement[b]
    weights = 0.25 * (own - rest + one_way - other_way)
    return weights, 0.125 * float((own + rest + one_way + other_way).sum())


def _kernel(group: _Group, a: int, b: int, mask: _Mask) -> FloatArray:
    """Sum sgn(g_c - g_d) sgn(a_c - b_d) over the cells c of one coin and d of another."""
    columns = [
        mask.sums_by_coin(
            order_counter(group.gold, group.scores[b], cells).agreement(group.scores[a])
        )
        for cells in mask.cells_of_coins()
    ]
    return np.column_stack(columns)


def _rest_by_cells(group: _Group, a: int, b: int, mask: _Mask) -> FloatArray:
    """Return what E of each draw differs from its mean, from all pairs of cells."""
    gold = np.sign(group.gold[:, None] - group.gold)
    one, other = group.scores[a], group.scores[b]
    alike = np.sign(one[:, None] - one) + np.sign(other[:, None] - other)
    unlike = np.sign(one[:, None] - other) + np.sign(other[:, None] - one)
    signs = mask.signs()
    rest: FloatArray = 0.125 * (signs * ((gold * (alike - unlike)) @ signs)).sum(axis=0)
    return rest


def _own_ties(metric: FloatArray, mask: _Mask) -> FloatArray:
    """Count tied pairs of one metric within the cells drawn, and within the others (2 x draws)."""
    values, classes, sizes = np.unique(metric, return_inverse=True, return_counts=True)
    tied = np.flatnonzero(sizes > 1)
    number = np.full(len(values), -1)
    number[tied] = np.arange(len(tied))
    found = np.zeros((2, mask.n_draws))
    for inside, size in _class_counts(number[classes], sizes[tied], mask):
        outside = size[:, None] - inside
        for side, counts in enumerate((inside, outside)):
            found[side] += (counts * (counts - 1.0) / 2.0).sum(axis=0)
    return found


def _shared_ties(group: _Group, a: int, b: int, mask: _Mask) -> FloatArray:
    """Count tied pairs of a cell from each metric, in hybrids and complements (2 x draws)."""
    one, other = group.scores[a], group.scores[b]
    shared = np.intersect1d(one, other)
    found = np.zeros((2, mask.n_draws))
    parts = []
    for metric in (one, other):
        place = np.minimum(np.searchsorted(shared, metric), max(len(shared) - 1, 0))
        inside = shared[place] == metric if len(shared) else np.zeros(len(metric), dtype=np.bool_)
        classes = np.where(inside, place, -1)
        sizes = np.bincount(classes[inside], minlength=len(shared))
        parts.append(_class_counts(classes, sizes, mask))
    for (own, own_size), (rest, rest_size) in zip(*parts, strict=True):
        found[0] += (own * (rest_size[:, None] - rest)).sum(axis=0)
        found[1] += ((own_size[:, None] - own) * rest).sum(axis=0)
    return found


def _class_counts(
    classes: IntArray, sizes: IntArray, mask: _Mask
) -> Iterator[tuple[FloatArray, IntArray]]:
    """Count the drawn cells of each class, some classes at a time; class -1 is none."""
    for start in range(0, len(sizes), _VALUES):
        part = sizes[start : start + _VALUES]
        cells = np.flatnonzero((classes >= start) & (classes < start + len(part)))
        yield mask.counts(classes[cells] - start, cells, len(part)), part
