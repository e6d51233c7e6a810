"""The sign test, and order statistics as an interval of the median."""

import math

import numpy as np
import numpy.typing as npt
from scipy.special import bdtr, bdtrik

from sigcore.comparison.differences import as_pair
from sigcore.comparison.results import (
    Hypothesis,
    Interval,
    SignificanceResult,
    as_hypothesis,
    choose_tail,
    note_ties,
)
from sigcore.validation import FloatArray

__all__ = ["binomial_tails", "median_interval", "sign_pvalues", "sign_test"]

_NAME, _LABEL = "sign", "sign test"


def sign_test(
    u: npt.ArrayLike,
    v: npt.ArrayLike,
    *,
    alternative: str = "two-sided",
    hypothesised: float = 0.0,
    confidence: float = 0.95,
) -> SignificanceResult:
    """Test the median difference by counting positive and negative differences.

    Parameters
    ----------
    u, v : array_like of shape (n,)
        Scores of two systems on the same items.
    alternative : {"two-sided", "greater", "less"}
        "greater" means that u is better than v by more than `hypothesised`.
    hypothesised : float
        Median difference under the null hypothesis.
    confidence : float
        Level of the interval.

    Returns
    -------
    SignificanceResult
        The statistic is the number of differences above `hypothesised`; those equal to it are
        left out. The p-value is binomial and exact. The interval of the median runs between two
        order statistics of all differences.

    Examples
    --------
    >>> sign_test([3, 1, 2, 5, 6], [1, 1, 1, 1, 1]).pvalue
    0.125
    """
    pair = as_pair(u, v)
    hypothesis = as_hypothesis(alternative, hypothesised, confidence)
    row = pair.minus(hypothesised)
    n_zero = int(np.count_nonzero(row == 0.0))
    pvalue = float(sign_pvalues(row[None, :], alternative=alternative)[0])
    interval = median_interval(pair.difference, hypothesis)
    return SignificanceResult(
        test=_NAME,
        label=_LABEL,
        statistic=float(np.count_nonzero(row > 0.0)),
        statistic_name="positive differences",
        pvalue=pvalue,
        estimate=float(np.median(pair.difference)),
        estimate_name="median difference",
        interval=interval,
        hypothesis=hypothesis,
        n=pair.n,
        n_used=pair.n - n_zero,
        method="exact, binomial; zeros left out",
        notes=note_ties(n_zero, pair.n, hypothesis, pvalue, interval),
    )


def sign_pvalues(rows: FloatArray, *, alternative: str = "two-sided") -> FloatArray:
    """Return the p-value of the sign test on each row of differences from the null value.

    Parameters
    ----------
    rows : ndarray of shape (samples, n)
        Differences minus the hypothesised difference.
    alternative : {"two-sided", "greater", "less"}
        Direction.
    """
    positive = np.count_nonzero(rows > 0.0, axis=1)
    used = positive + np.count_nonzero(rows < 0.0, axis=1)
    less, greater = binomial_tails(positive, used)
    return choose_tail(less, greater, alternative)


def binomial_tails(
    successes: npt.ArrayLike, trials: npt.ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """Return P(X <= successes) and P(X >= successes) for X ~ Binomial(trials, 1/2)."""
    count, total = np.asarray(successes, dtype=np.int64), np.asarray(trials, dtype=np.int64)
    # The upper tail is the lower tail of the failures; no trials give X = 0 for certain.
    some = np.maximum(total, 1)
    less = np.where(total > 0, bdtr(np.minimum(count, some), some, 0.5), 1.0)
    greater = np.where(total > 0, bdtr(np.maximum(total - count, 0), some, 0.5), 1.0)
    return less, greater


def median_interval(differences: FloatArray, hypothesis: Hypothesis) -> Interval:
    """Return the interval of the median between two order statistics.

    Notes
    -----
    Its level is at least the nominal one for every distribution. Where not even the extremes reach
    the level, an end is infinite.
    """
    x = np.sort(differences)
    low, high = (_critical_rank(len(x), e) for e in (hypothesis.error_low, hypothesis.error_high))
    return Interval(
        float(x[low - 1]) if low else -math.inf,
        float(x[len(x) - high]) if high else math.inf,
        hypothesis.confidence,
        "order statistics, exact",
    )


def _critical_rank(n: int, error: float) -> int:
    """Return the largest k with P(Binomial(n, 1/2) <= k - 1) <= `error`."""
    if error == 0.0:
        return 0
    # The inverse is a real number near the answer; the neighbours settle it.
    near = bdtrik(error, n, 0.5) if 0.5**n < error else 0.0
    start = 0 if math.isnan(near) else int(near)
    ranks = np.arange(max(0, start - 2), min(n, start + 3))
    tails = bdtr(ranks, n, 0.5)
    # A relative slack of 1e-12 lets a tail equal to the error up to rounding count as equal.
    inside = ranks[tails <= error * (1.0 + 1e-12)]
    return int(inside[-1]) + 1 if len(inside) else 0
