"""Effect sizes that rest on order: Wilcoxon r, Hodges-Lehmann, Cliff's delta, common language."""

import math

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit, ndtri

from sigcore.comparison.differences import as_pair
from sigcore.comparison.effect_size import EffectSize
from sigcore.comparison.mcnemar import score_interval
from sigcore.comparison.ranks import signed_ranks
from sigcore.comparison.results import Hypothesis, Interval, as_hypothesis
from sigcore.comparison.signed_rank import walsh_interval
from sigcore.comparison.walsh import pseudomedian
from sigcore.validation import FloatArray, as_choice

__all__ = [
    "PAIRINGS",
    "WALSH_PAIRS",
    "cliffs_delta",
    "common_language",
    "hodges_lehmann",
    "wilcoxon_r",
]

WALSH_PAIRS = ("i<=j", "i<j")
PAIRINGS = ("between", "within")


def wilcoxon_r(u: npt.ArrayLike, v: npt.ArrayLike, *, confidence: float = 0.95) -> EffectSize:
    """Return Z / sqrt(n) of the Wilcoxon signed-rank test.

    Parameters
    ----------
    u, v : array_like of shape (n,)
        Scores of two systems on the same items.
    confidence : float
        Level of the interval.

    Notes
    -----
    Zero differences are left out, also from n. The sign is kept: positive if u is better. Z has
    the tie correction, and W is the sum of positive ranks (Zhu et al. 2020, equation 4, with tie
    groups' sizes). r is linear in the chance that two differences have a positive sum; the interval
    is that of this chance on the logit scale, with the variance of a U-statistic.
    """
    pair = as_pair(u, v)
    hypothesis = as_hypothesis("two-sided", 0.0, confidence)
    d = pair.difference[pair.difference != 0.0]
    name, label = "wilcoxon_r", "Wilcoxon r"
    definition = "Z / sqrt(n) of the signed-rank test, zeros left out"
    if len(d) == 0:
        reason = "all differences are zero."
        return EffectSize(name, label, math.nan, None, definition, 0, reason)
    ranked = signed_ranks(d[None, :])
    total = float(ranked.ranks.sum())
    chance = float(ranked.positive[0]) / total
    scale = total / math.sqrt(float(ranked.variance[0]) * len(d))
    if not 0.0 < chance < 1.0:
        reason = "no interval: all differences have the same sign."
        return EffectSize(name, label, scale * (chance - 0.5), None, definition, len(d), reason)
    error = 2.0 * float(_positive_sum_chances(d).std(ddof=1)) / math.sqrt(len(d))
    centre, half = float(logit(chance)), _half_width(hypothesis) * error / (chance * (1 - chance))
    low, high = (scale * (float(expit(centre + side)) - 0.5) for side in (-half, half))
    interval = Interval(low, high, confidence, "normal approximation on the logit scale")
    return EffectSize(name, label, scale * (chance - 0.5), interval, definition, len(d))


def hodges_lehmann(
    u: npt.ArrayLike, v: npt.ArrayLike, *, pairs: str = "i<=j", confidence: float = 0.95
) -> EffectSize:
    """Return the median of the averages of two differences.

    Parameters
    ----------
    u, v : array_like of shape (n,)
        Scores of two systems on the same items.
    pairs : {"i<=j", "i<j"}
        Whether a difference is averaged with itself too, as is usual, or only with others, as in
        Zhu et al. (2020), equation 5.
    confidence : float
        Level of the interval, which runs between two Walsh averages.

    References
    ----------
    Hodges and Lehmann (1963), Estimates of location based on rank tests. AMS 34(2).

    Examples
    --------
    >>> hodges_lehmann([1, 2, 9], [0, 0, 0]).estimate
    3.5
    """
    pair = as_pair(u, v)
    hypothesis = as_hypothesis("two-sided", 0.0, confidence)
    as_choice(pairs, "pairs", WALSH_PAIRS)
    d = pair.difference
    definition = f"median of (d_i + d_j) / 2 over all {pairs}"
    name, label = "hodges_lehmann", "Hodges-Lehmann"
    if pairs == "i<j" and pair.n < 2:
        reason = "averages of two differences need at least 2 pairs; got 1."
        return EffectSize(name, label, math.nan, None, definition, pair.n, reason)
    estimate = pseudomedian(d, self_pairs=pairs == "i<=j")
    return EffectSize(name, label, estimate, walsh_interval(d, hypothesis), definition, pair.n)


def cliffs_delta(
    u: npt.ArrayLike, v: npt.ArrayLike, *, pairing: str = "between", confidence: float = 0.95
) -> EffectSize:
    """Return P(u > v) - P(u < v).

    Parameters
    ----------
    u, v : array_like of shape (n,)
        Scores of two systems on the same items.
    pairing : {"between", "within"}
        Whether every score of u is compared with every score of v, or only with that of the same
        item.
    confidence : float
        Level of the interval.

    Notes
    -----
    "between" is the usual delta of two distributions; its interval, normal on the scale of
    Fisher's z, allows for the dependence within items. "within" has Tango's score interval.

    References
    ----------
    Cliff (1993), Dominance statistics: ordinal analyses to answer ordinal questions. Psychological
    Bulletin 114(3).
    """
    pair = as_pair(u, v)
    hypothesis = as_hypothesis("two-sided", 0.0, confidence)
    as_choice(pairing, "pairing", PAIRINGS)
    if pairing == "within":
        estimate, interval = _within(pair.difference, hypothesis)
        definition = "share of items on which u is higher minus share on which v is"
        return EffectSize(
            "cliffs_delta_within", "Cliff's delta (within)", estimate, interval, definition, pair.n
        )
    influence = _dominance(pair.u, pair.v) - _dominance(pair.v, pair.u)
    estimate = float(influence.mean()) / 2.0
    definition = "P(u > v) - P(u < v) over all pairs of scores"
    name, label = "cliffs_delta", "Cliff's delta"
    if abs(estimate) == 1.0 or pair.n < 2:
        reason = "no interval: the scores of the systems do not overlap."
        if pair.n < 2:
            reason = "no interval: there is only one pair."
        return EffectSize(name, label, estimate, None, definition, pair.n, reason)
    error = float(influence.std(ddof=1)) / math.sqrt(pair.n)
    half = _half_width(hypothesis) * error / (1.0 - estimate * estimate)
    low, high = (math.tanh(math.atanh(estimate) + side) for side in (-half, half))
    interval = Interval(low, high, confidence, "normal approximation on Fisher's z scale")
    return EffectSize(name, label, estimate, interval, definition, pair.n)


def common_language(u: npt.ArrayLike, v: npt.ArrayLike, *, confidence: float = 0.95) -> EffectSize:
    """Return the chance that u is better than v on an item, equal scores counted half.

    Parameters
    ----------
    u, v : array_like of shape (n,)
        Scores of two systems on the same items.
    confidence : float
        Level of the interval, from Tango's score interval of the difference of two shares.

    Examples
    --------
    >>> common_language([2, 2, 2, 2], [1, 1, 2, 3]).estimate
    0.625
    """
    pair = as_pair(u, v)
    delta, interval = _within(pair.difference, as_hypothesis("two-sided", 0.0, confidence))
    return EffectSize(
        name="common_language",
        label="common-language effect size",
        estimate=(1.0 + delta) / 2.0,
        interval=Interval(
            (1.0 + interval.low) / 2.0, (1.0 + interval.high) / 2.0, confidence, interval.method
        ),
        definition="P(u > v) + P(u = v) / 2 on the same item",
        n=pair.n,
    )


def _half_width(hypothesis: Hypothesis) -> float:
    return -float(ndtri(hypothesis.error_low))


def _positive_sum_chances(d: FloatArray) -> FloatArray:
    """Return for each difference the share of differences with which its sum is positive."""
    x = np.sort(d)
    below, up_to = np.searchsorted(x, -x, side="left"), np.searchsorted(x, -x, side="right")
    return np.asarray(1.0 - (below + up_to) / (2.0 * len(x)))


def _dominance(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return for each score of `first` the share of `second` below it minus the share above."""
    ordered = np.sort(second)
    below = np.searchsorted(ordered, first, side="left")
    up_to = np.searchsorted(ordered, first, side="right")
    return np.asarray((below + up_to) / len(ordered) - 1.0)


def _within(d: FloatArray, hypothesis: Hypothesis) -> tuple[float, Interval]:
    better, worse = int(np.count_nonzero(d > 0.0)), int(np.count_nonzero(d < 0.0))
    return (better - worse) / len(d), score_interval(better, worse, len(d), hypothesis)
