"""The paired t test."""

import math

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr, stdtrit

from sigcore.comparison.differences import as_pair
from sigcore.comparison.results import (
    Hypothesis,
    Interval,
    SignificanceResult,
    as_hypothesis,
    choose_tail,
    without_result,
)
from sigcore.validation import FloatArray

__all__ = ["is_constant", "t_pvalues", "t_test"]

_NAME, _LABEL = "t", "paired t test"


def t_test(
    u: npt.ArrayLike,
    v: npt.ArrayLike,
    *,
    alternative: str = "two-sided",
    hypothesised: float = 0.0,
    confidence: float = 0.95,
) -> SignificanceResult:
    """Test the mean difference, assuming that the differences are normal.

    Parameters
    ----------
    u, v : array_like of shape (n,)
        Scores of two systems on the same items.
    alternative : {"two-sided", "greater", "less"}
        "greater" means that u is better than v by more than `hypothesised`.
    hypothesised : float
        Mean difference under the null hypothesis.
    confidence : float
        Level of the interval.

    Returns
    -------
    SignificanceResult
        Not run (`reason`) with fewer than two pairs or when all differences are equal.

    Examples
    --------
    >>> round(t_test([1, 2, 4, 3], [0, 2, 1, 1]).pvalue, 4)
    0.1027
    """
    pair = as_pair(u, v)
    hypothesis = as_hypothesis(alternative, hypothesised, confidence)
    d = pair.difference
    if is_constant(d):
        reason = f"all differences are equal ({d[0]:g}): there is no spread to compare with."
        if pair.n < 2:
            reason = "the t test needs at least 2 pairs; got 1."
        return without_result(_NAME, _LABEL, hypothesis, pair.n, reason)
    mean, error = float(d.mean()), float(d.std(ddof=1)) / math.sqrt(pair.n)
    statistic = (mean - hypothesised) / error
    return SignificanceResult(
        test=_NAME,
        label=_LABEL,
        statistic=statistic,
        statistic_name="t",
        pvalue=float(_tail(statistic, pair.n - 1, alternative)),
        estimate=mean,
        estimate_name="mean difference",
        interval=_interval(mean, error, pair.n - 1, hypothesis),
        hypothesis=hypothesis,
        n=pair.n,
        n_used=pair.n,
        method=f"t distribution with {pair.n - 1} degree{'s' if pair.n > 2 else ''} of freedom",
    )


def t_pvalues(rows: FloatArray, *, alternative: str = "two-sided") -> FloatArray:
    """Return the p-value of the t test on each row of differences from the null value.

    Parameters
    ----------
    rows : ndarray of shape (samples, n)
        Differences minus the hypothesised difference.
    alternative : {"two-sided", "greater", "less"}
        Direction.

    Returns
    -------
    ndarray of shape (samples,)
        NaN where all values of a row are equal.
    """
    n = rows.shape[1]
    if n < 2:
        return np.full(len(rows), np.nan)
    deviation = rows.std(axis=1, ddof=1)
    constant = np.ptp(rows, axis=1) == 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        t = rows.mean(axis=1) * math.sqrt(n) / deviation
    return np.where(constant, np.nan, _tail(t, n - 1, alternative))


def is_constant(values: FloatArray) -> bool:
    """Return whether all values are equal (also if there is only one)."""
    return bool(np.ptp(values) == 0.0)


def _tail(t: npt.ArrayLike, freedom: int, alternative: str) -> FloatArray:
    values = np.asarray(t, dtype=np.float64)
    return choose_tail(stdtr(freedom, values), stdtr(freedom, -values), alternative)


def _interval(mean: float, error: float, freedom: int, hypothesis: Hypothesis) -> Interval:
    low, high = hypothesis.error_low, hypothesis.error_high
    return Interval(
        mean + error * float(stdtrit(freedom, low)) if low else -math.inf,
        mean - error * float(stdtrit(freedom, high)) if high else math.inf,
        hypothesis.confidence,
        "t distribution",
    )
