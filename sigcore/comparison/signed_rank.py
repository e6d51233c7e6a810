"""The Wilcoxon signed-rank test, exact also with ties, and its interval."""

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from sigcore.comparison.differences import as_pair
from sigcore.comparison.ranks import ZEROS, SignedRanks, signed_ranks
from sigcore.comparison.results import (
    Hypothesis,
    Interval,
    SignificanceResult,
    as_hypothesis,
    choose_tail,
    note_ties,
    without_result,
)
from sigcore.comparison.walsh import n_walsh, pseudomedian, walsh_order_statistic
from sigcore.validation import FloatArray, as_choice

__all__ = [
    "EXACT_LIMIT",
    "METHODS",
    "walsh_interval",
    "wilcoxon_pvalues",
    "wilcoxon_test",
]

METHODS = ("auto", "exact", "asymptotic")
EXACT_LIMIT = 50  # "auto" is exact up to this many ranked differences
_MOST = 2000  # "exact" counts this many at most; the work grows with the third power
_NAME, _LABEL = "wilcoxon", "Wilcoxon signed-rank test"
_ZEROS_TEXT = {
    "wilcox": "zeros left out before ranking",
    "pratt": "zeros ranked, then left out (Pratt)",
    "zsplit": "ranks of zeros split between both signs",
}


def wilcoxon_test(
    u: npt.ArrayLike,
    v: npt.ArrayLike,
    *,
    alternative: str = "two-sided",
    hypothesised: float = 0.0,
    confidence: float = 0.95,
    method: str = "auto",
    zeros: str = "wilcox",
    continuity: bool = False,
) -> SignificanceResult:
    """Test whether the differences are symmetric about the hypothesised difference.

    Parameters
    ----------
    u, v : array_like of shape (n,)
        Scores of two systems on the same items.
    alternative : {"two-sided", "greater", "less"}
        "greater" means that u is better than v by more than `hypothesised`.
    hypothesised : float
        Centre of the differences under the null hypothesis.
    confidence : float
        Level of the interval.
    method : {"auto", "exact", "asymptotic"}
        Exact counts the sign patterns of the ranks that occurred, ties included, for up to 2,000
        ranked differences. "auto" is exact up to 50.
    zeros : {"wilcox", "pratt", "zsplit"}
        Zero differences are left out before ranking, left out after ranking, or their ranks are
        split between both sides.
    continuity : bool
        Whether the asymptotic p-value has a continuity correction.

    Returns
    -------
    SignificanceResult
        The statistic is W+, the sum of the ranks of positive differences. The estimate is the
        Hodges-Lehmann pseudomedian of all differences, its interval runs between two Walsh
        averages.

    Notes
    -----
    The exact test with "zsplit" equals that with "pratt", since splitting adds a constant; the
    asymptotic one has the larger variance that counts zeros as if they had random signs.

    References
    ----------
    Wilcoxon (1945), Individual comparisons by ranking methods. Biometrics Bulletin 1(6).
    Pratt (1959), Remarks on zeros and ties in the Wilcoxon signed rank procedures. JASA 54.

    Examples
    --------
    >>> wilcoxon_test([1, 2, 3, 4, 5], [0, 0, 0, 0, 0], alternative="greater").pvalue
    0.03125
    """
    pair = as_pair(u, v)
    hypothesis = as_hypothesis(alternative, hypothesised, confidence)
    as_choice(method, "method", METHODS)
    as_choice(zeros, "zeros", ZEROS)
    row = pair.minus(hypothesised)[None, :]
    ranked = signed_ranks(row, zeros=zeros)
    used = int(ranked.n_used[0])
    if method == "exact" and used > _MOST:
        reason = f"the exact test takes up to {_MOST:,} ranked differences; got {used:,}."
        return without_result(_NAME, _LABEL, hypothesis, pair.n, reason)
    pvalue = float(
        wilcoxon_pvalues(
            row, alternative=alternative, method=method, zeros=zeros, continuity=continuity
        )[0]
    )
    limit = _MOST if method == "exact" else EXACT_LIMIT
    interval = walsh_interval(pair.difference, hypothesis, exact=pair.n <= limit)
    exact = method == "exact" or (method == "auto" and used <= EXACT_LIMIT)
    return SignificanceResult(
        test=_NAME,
        label=_LABEL,
        statistic=float(ranked.positive[0]),
        statistic_name="W+",
        pvalue=pvalue,
        estimate=pseudomedian(pair.difference),
        estimate_name="Hodges-Lehmann pseudomedian",
        interval=interval,
        hypothesis=hypothesis,
        n=pair.n,
        n_used=pair.n if zeros == "zsplit" else used,
        method=_describe(exact, zeros, continuity),
        notes=note_ties(pair.n - used, pair.n, hypothesis, pvalue, interval),
    )


def wilcoxon_pvalues(
    rows: FloatArray,
    *,
    alternative: str = "two-sided",
    method: str = "auto",
    zeros: str = "wilcox",
    continuity: bool = False,
) -> FloatArray:
    """Return the p-value of the signed-rank test on each row; see `wilcoxon_test`.

    Parameters
    ----------
    rows : ndarray of shape (samples, n)
        Differences minus the hypothesised difference, with exact ties.
    alternative, method, zeros, continuity
        As for `wilcoxon_test`; NaN where it is not run.
    """
    ranked = signed_ranks(rows, zeros=zeros)
    pvalues = _asymptotic(ranked, alternative, 0.5 if continuity else 0.0)
    if method == "asymptotic":
        return pvalues
    limit = EXACT_LIMIT
    if method == "exact":
        limit = _MOST
        pvalues[ranked.n_used > limit] = math.nan
    for row in np.flatnonzero(ranked.n_used <= limit):
        ranks = ranked.ranks[row]
        positive = float(ranked.positive[row] - ranked.split[row])
        pvalues[row] = _exact(ranks[ranks > 0.0], positive, alternative)
    return pvalues


def walsh_interval(
    differences: FloatArray, hypothesis: Hypothesis, *, exact: bool | None = None
) -> Interval:
    """Return the interval of the pseudomedian between two Walsh averages.

    Parameters
    ----------
    differences : ndarray of shape (n,)
        All differences, zeros included.
    hypothesis : Hypothesis
        Direction and level.
    exact : bool, optional
        Whether the ranks of its ends come from the exact law of W+ or from the normal one; exact
        up to 50 differences when not given.

    Notes
    -----
    The set of centres that the test does not reject. Its level is at least the nominal one, of a
    normal law nearly; ties only raise it. Where even all averages together do not reach the level,
    an end is infinite.
    """
    x = np.sort(differences)
    n, total = len(x), n_walsh(len(x))
    counted = n <= EXACT_LIMIT if exact is None else exact
    errors = hypothesis.error_low, hypothesis.error_high
    low, high = (_critical_rank(n, error, counted) for error in errors)
    return Interval(
        walsh_order_statistic(x, low) if low else -math.inf,
        walsh_order_statistic(x, total + 1 - high) if high else math.inf,
        hypothesis.confidence,
        f"Walsh averages, {'exact' if counted else 'asymptotic'}",
    )


def _asymptotic(ranked: SignedRanks, alternative: str, correction: float) -> FloatArray:
    deviation = np.sqrt(ranked.variance)
    distance = ranked.positive - ranked.mean
    with np.errstate(divide="ignore", invalid="ignore"):
        less = ndtr((distance + correction) / deviation)
        greater = ndtr(-(distance - correction) / deviation)
    return np.where(ranked.n_used > 0, choose_tail(less, greater, alternative), 1.0)


def _exact(ranks: FloatArray, positive: float, alternative: str) -> float:
    """Return the p-value from all sign patterns of `ranks`."""
    # Mid-ranks are whole or half numbers.
    doubled = np.sort(np.rint(2.0 * ranks).astype(np.int64))
    observed = round(2.0 * positive)
    if np.array_equal(doubled, 2 * np.arange(1, len(doubled) + 1)):
        pmf, observed = _untied_pmf(len(doubled)), observed // 2
    else:
        pmf = _subset_sum_pmf(doubled)
    less, greater = pmf[: observed + 1].sum(), pmf[observed:].sum()
    return float(choose_tail(less, greater, alternative))


@lru_cache(maxsize=256)
def _untied_pmf(n: int) -> FloatArray:
    return _subset_sum_pmf(np.arange(1, n + 1))


def _subset_sum_pmf(values: npt.NDArray[np.int64]) -> FloatArray:
    """Return the law of the sum of a random subset; only sums, so small tails stay accurate."""
    pmf = np.zeros(int(values.sum()) + 1)
    pmf[0] = 1.0
    top = 0
    for value in values.tolist():
        pmf[value : top + value + 1] += pmf[: top + 1].copy()
        pmf[: top + value + 1] *= 0.5
        top += value
    return pmf


def _critical_rank(n: int, error: float, exact: bool) -> int:
    """Return the largest k with P(W+ <= k - 1) <= `error`: the rank of an end of the interval."""
    if error == 0.0:
        return 0
    if exact:
        # A relative slack of 1e-12 lets a tail equal to the error up to rounding count as equal.
        return int(np.searchsorted(np.cumsum(_untied_pmf(n)), error * (1.0 + 1e-12), side="right"))
    mean, variance = n * (n + 1) / 4.0, n * (n + 1) * (2 * n + 1) / 24.0
    return max(0, math.floor(mean + float(ndtri(error)) * math.sqrt(variance) + 0.5))


def _describe(exact: bool, zeros: str, continuity: bool) -> str:
    kind = "exact, given the ranks with ties" if exact else "normal approximation with ties"
    correction = " and continuity correction" if continuity and not exact else ""
    return f"{kind}{correction}; {_ZEROS_TEXT[zeros]}"
