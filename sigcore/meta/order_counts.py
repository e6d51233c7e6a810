"""How often are two scores ordered alike? Counts for each cell against others, in n log n."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["OrderCounter", "order_counter"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class OrderCounter:
    """Scores of people and of a metric, ready for questions of n cells about m of them.

    Attributes
    ----------
    values : ndarray, shape (m,)
        Scores of the metric, sorted.
    codes : ndarray of int, shape (n,)
        Rank of each cell by people, equal ranks for equal scores, in the order given.
    levels : tuple of (ndarray of int, shape (m + 1,))
        A wavelet matrix: for each bit of the codes, the highest first, how many cells before each
        place have the bit 0. Cells come in the order of `values` first, then those with bit 0
        before those with bit 1, and so on.
    surplus : ndarray of int, shape (n,)
        For each cell, how many of the m people put below it, minus how many above.
    """

    values: FloatArray
    codes: IntArray
    levels: tuple[IntArray, ...]
    surplus: IntArray

    def agreement(self, queries: FloatArray) -> IntArray:
        """Return for each cell c the sum over the m cells d of sgn(g_c - g_d) sgn(q_c - v_d).

        g is what people say, v the metric, and q the score of c by any metric.
        """
        below = np.searchsorted(self.values, queries, side="left")
        not_above = np.searchsorted(self.values, queries, side="right")
        lower = self._surplus_among(below)
        same = lower if np.array_equal(below, not_above) else self._surplus_among(not_above)
        return lower + same - self.surplus

    def _surplus_among(self, counts: IntArray) -> IntArray:
        """Return the surplus of each cell among the first so many cells in the order of values."""
        low, high = np.zeros_like(counts), counts
        n_less = np.zeros_like(counts)
        for depth, zeros in enumerate(self.levels):
            bit = (self.codes >> (len(self.levels) - 1 - depth)) & 1
            zeros_low, zeros_high = zeros[low], zeros[high]
            n_less += bit * (zeros_high - zeros_low)
            ones = bit == 1
            low = np.where(ones, zeros[-1] + low - zeros_low, zeros_low)
            high = np.where(ones, zeros[-1] + high - zeros_high, zeros_high)
        return 2 * n_less + (high - low) - counts


def order_counter(
    gold: FloatArray, metric: FloatArray, among: IntArray | slice = slice(None)
) -> OrderCounter:
    """Sort cells by the metric and count what people say.

    Parameters
    ----------
    gold, metric : ndarray, shape (n,)
        Scores of the same cells, without gaps.
    among : ndarray of int, optional
        The m cells that are counted; by default all.
    """
    levels_of_gold, codes = np.unique(gold, return_inverse=True)
    order = np.argsort(metric[among], kind="stable")
    row = codes[among][order]
    sizes = np.bincount(row, minlength=len(levels_of_gold))
    levels = []
    for shift in range(int(len(sizes) - 1).bit_length() - 1, -1, -1):
        zero = (row >> shift) & 1 == 0
        levels.append(np.concatenate([[0], np.cumsum(zero)]))
        row = np.concatenate([row[zero], row[~zero]])
    n_below = np.cumsum(sizes) - sizes
    return OrderCounter(
        values=metric[among][order],
        codes=codes,
        levels=tuple(levels),
        surplus=(2 * n_below + sizes - len(row))[codes],
    )
