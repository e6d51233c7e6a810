"""Counting of random differences that are at least as extreme as the observed one."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv

__all__ = ["Tally", "TallyResult"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class TallyResult:
    """p-values of pairs of metrics, the first against the second and the second against the first.

    Attributes
    ----------
    observed : ndarray, shape (pairs,)
        Observed differences.
    pvalues, interval_low, interval_high : ndarray, shape (2, pairs)
        p-values and the ends of their 95% Clopper-Pearson intervals.
    null : ndarray or None, shape (pairs, draws)
        The random differences.
    """

    observed: FloatArray
    pvalues: FloatArray
    interval_low: FloatArray
    interval_high: FloatArray
    null: FloatArray | None


class Tally:
    """Counts, for one meta-metric and some pairs of metrics, the draws that are extreme.

    Parameters
    ----------
    n_pairs : int
        Number of pairs of metrics.
    alternative : {"two-sided", "greater"}
        What extreme means.
    keep : bool
        Whether to keep the random differences.
    """

    def __init__(self, n_pairs: int, *, alternative: str, keep: bool) -> None:
        self.two_sided = alternative == "two-sided"
        self.keep = keep
        self.observed = np.full(n_pairs, np.nan)
        self.counts = np.zeros((2, n_pairs), dtype=np.int64)
        self.n_draws = np.zeros(n_pairs, dtype=np.int64)
        self.null: dict[int, list[FloatArray]] = {row: [] for row in range(n_pairs)}

    def add(
        self,
        rows: IntArray,
        observed: FloatArray,
        drawn: FloatArray,
        *,
        slack: float,
        unit: float,
    ) -> None:
        """Compare draws with what was observed.

        Parameters
        ----------
        rows : ndarray of int
            Which pairs of metrics.
        observed : ndarray, shape (rows,)
            Their observed differences, in units of the statistic.
        drawn : ndarray, shape (rows, draws)
            Their random differences.
        slack : float
            Differences closer than this are equal.
        unit : float
            What to divide by to get the meta-metric.
        """
        seen = observed[:, None]
        # A difference that is undefined counts as extreme: `>=` on NaN would not.
        if self.two_sided:
            self.counts[:, rows] += (~(np.abs(drawn) < np.abs(seen) - slack)).sum(axis=1)
        else:
            self.counts[0, rows] += (~(drawn < seen - slack)).sum(axis=1)
            self.counts[1, rows] += (~(drawn > seen + slack)).sum(axis=1)
        self.n_draws[rows] += drawn.shape[1]
        self.observed[rows] = observed / unit
        if self.keep:
            for row, values in zip(rows.tolist(), drawn / unit, strict=True):
                self.null[row].append(values)

    def result(self, estimator: str) -> TallyResult:
        """Turn counts into p-values; NaN for pairs that were never drawn."""
        added = 1 if estimator == "plus-one" else 0
        never = self.n_draws == 0
        draws = np.where(never, 1, self.n_draws)
        pvalues = (self.counts + added) / (draws + added)
        low, high = _clopper_pearson(self.counts, draws)
        for array in (pvalues, low, high):
            array[:, never] = np.nan
        return TallyResult(self.observed, pvalues, low, high, self._joined())

    def _joined(self) -> FloatArray | None:
        """Put the kept differences together, NaN for pairs that were never drawn."""
        if not self.keep:
            return None
        joined = np.full((len(self.observed), int(self.n_draws.max(initial=0))), np.nan)
        for row, parts in self.null.items():
            if parts:
                joined[row] = np.concatenate(parts)
        return joined


def _clopper_pearson(counts: IntArray, n: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the exact confidence interval of a share of n draws."""
    tail = (1.0 - _CONFIDENCE) / 2.0
    with np.errstate(invalid="ignore"):
        low = betaincinv(counts, n - counts + 1, tail)
        high = betaincinv(counts + 1, n - counts, 1.0 - tail)
    return np.where(counts > 0, low, 0.0), np.where(counts < n, high, 1.0)
