"""McNemar's test for right-or-wrong scores, and Tango's score interval of the difference."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from sigcore.comparison.differences import Pair, as_pair
from sigcore.comparison.results import (
    Hypothesis,
    Interval,
    SignificanceResult,
    as_hypothesis,
    choose_tail,
    without_result,
)
from sigcore.comparison.signs import binomial_tails
from sigcore.validation import as_choice

__all__ = ["METHODS", "is_binary", "mcnemar_test", "score_interval", "score_statistic"]

METHODS = ("auto", "exact", "mid-p", "asymptotic")
_NAME, _LABEL = "mcnemar", "McNemar test"
_METHOD_TEXT = {
    "exact": "exact, binomial over the discordant pairs",
    "mid-p": "mid-p, binomial over the discordant pairs",
    "asymptotic": "normal approximation, score statistic without continuity correction",
}


@dataclass(frozen=True, slots=True)
class _Counts:
    """Discordant pairs: first right and second wrong, and the reverse; and all pairs."""

    only_first: int
    only_second: int
    n: int


def mcnemar_test(
    u: npt.ArrayLike,
    v: npt.ArrayLike,
    *,
    alternative: str = "two-sided",
    hypothesised: float = 0.0,
    confidence: float = 0.95,
    method: str = "auto",
) -> SignificanceResult:
    """Test the difference of two accuracies on the same items.

    Parameters
    ----------
    u, v : array_like of shape (n,)
        Scores with two values in all, for example 0 and 1; the larger one is a success.
    alternative : {"two-sided", "greater", "less"}
        "greater" means that u is better than v by more than `hypothesised`.
    hypothesised : float
        Mean difference under the null hypothesis. If it is not 0, only the asymptotic method
        applies: the score test of Tango.
    confidence : float
        Level of the interval.
    method : {"auto", "exact", "mid-p", "asymptotic"}
        "auto" is exact where that applies.

    Returns
    -------
    SignificanceResult
        Not run (`reason`) if the scores have more than two values, or if no two of them differ by
        as much as `hypothesised`.

    Notes
    -----
    The interval is the set of differences that the score test does not reject; at difference 0 its
    statistic is McNemar's ``(b - c) / sqrt(b + c)``.

    References
    ----------
    McNemar (1947), Note on the sampling error of the difference between correlated proportions or
    percentages. Psychometrika 12(2). Tango (1998), Equivalence test and confidence interval for the
    difference in proportions for the paired-sample design. Statistics in Medicine 17(8).

    Examples
    --------
    >>> round(mcnemar_test([1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 1]).pvalue, 5)
    0.21875
    """
    pair = as_pair(u, v)
    hypothesis = as_hypothesis(alternative, hypothesised, confidence)
    as_choice(method, "method", METHODS)
    if not is_binary(pair):
        reason = "McNemar's test needs scores with two values, right and wrong; these have more."
        return without_result(_NAME, _LABEL, hypothesis, pair.n, reason)
    levels = np.unique(np.concatenate([pair.u, pair.v]))
    span = float(np.ptp(levels)) or 1.0
    if abs(hypothesised) > span:
        reason = f"these scores differ by {span:g} at most; got a null value of {hypothesised:g}."
        return without_result(_NAME, _LABEL, hypothesis, pair.n, reason)
    d = pair.difference
    counts = _Counts(int(np.count_nonzero(d > 0)), int(np.count_nonzero(d < 0)), pair.n)
    used = method if hypothesised == 0.0 else "asymptotic"
    used = "exact" if used == "auto" else used
    interval = score_interval(counts.only_first, counts.only_second, pair.n, hypothesis)
    return SignificanceResult(
        test=_NAME,
        label=_LABEL,
        statistic=score_statistic(
            counts.only_first, counts.only_second, pair.n, hypothesised / span
        ),
        statistic_name="z",
        pvalue=_pvalue(counts, used, hypothesised / span, alternative),
        estimate=float(d.mean()),
        estimate_name="mean difference",
        interval=Interval(
            span * interval.low, span * interval.high, interval.level, interval.method
        ),
        hypothesis=hypothesis,
        n=pair.n,
        n_used=counts.only_first + counts.only_second,
        method=_METHOD_TEXT[used],
        notes=(
            f"{counts.only_first} pairs only the first system has right, "
            f"{counts.only_second} only the second.",
        ),
    )


def is_binary(pair: Pair) -> bool:
    """Return whether all scores together have at most two values."""
    return len(np.unique(np.concatenate([pair.u, pair.v]))) <= 2


def score_statistic(only_first: int, only_second: int, n: int, difference: float) -> float:
    """Return Tango's score statistic: standard normal if `difference` is the true difference.

    Parameters
    ----------
    only_first, only_second : int
        Discordant pairs of either kind.
    n : int
        All pairs.
    difference : float
        Difference of the two success probabilities, in (-1, 1).
    """
    b, c, delta = only_first, only_second, difference
    # Maximum likelihood estimate of P(only second) given the difference.
    linear = -b - c + (2 * n - b + c) * delta
    constant = -c * delta * (1.0 - delta)
    q = (math.sqrt(max(0.0, linear * linear - 8 * n * constant)) - linear) / (4 * n)
    variance = n * (2.0 * q + delta * (1.0 - delta))
    distance = b - c - n * delta
    if variance <= 0.0:
        return 0.0 if distance == 0.0 else math.copysign(math.inf, distance)
    return distance / math.sqrt(variance)


def score_interval(only_first: int, only_second: int, n: int, hypothesis: Hypothesis) -> Interval:
    """Return Tango's interval of the difference of two paired success probabilities."""
    low, high = -math.inf, math.inf
    if hypothesis.error_low:
        low = _solve(only_first, only_second, n, -float(ndtri(hypothesis.error_low)))
    if hypothesis.error_high:
        high = _solve(only_first, only_second, n, float(ndtri(hypothesis.error_high)))
    return Interval(low, high, hypothesis.confidence, "score (Tango)")


def _pvalue(counts: _Counts, method: str, difference: float, alternative: str) -> float:
    if method == "asymptotic":
        z = score_statistic(counts.only_first, counts.only_second, counts.n, difference)
        return float(choose_tail(ndtr(z), ndtr(-z), alternative))
    successes, total = counts.only_first, counts.only_first + counts.only_second
    less, greater = binomial_tails(successes, total)
    if method == "mid-p":
        # Half of the chance of the observed count: the mean of the tails with and without it.
        below = binomial_tails(successes - 1, total)[0] if successes else 0.0
        above = binomial_tails(successes + 1, total)[1] if successes < total else 0.0
        less, greater = (less + below) / 2.0, (greater + above) / 2.0
    return float(choose_tail(less, greater, alternative))


def _solve(only_first: int, only_second: int, n: int, target: float) -> float:
    """Find the difference at which the falling score statistic passes `target`."""
    low, high = -1.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2.0
        if score_statistic(only_first, only_second, n, middle) > target:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0
