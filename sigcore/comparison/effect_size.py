"""Effect sizes of the mean difference: Cohen's d and Hedges' g of paired scores."""

import math
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt
from scipy.special import gammaln

from sigcore.comparison.differences import as_pair
from sigcore.comparison.noncentral import noncentral_interval_end
from sigcore.comparison.results import Hypothesis, Interval, as_hypothesis
from sigcore.comparison.student import is_constant
from sigcore.validation import FloatArray, as_choice, as_count

__all__ = [
    "CORRECTIONS",
    "EffectSize",
    "cohens_d",
    "hedges_factor",
    "hedges_g",
    "noncentrality_interval",
]

CORRECTIONS = ("exact", "paired", "nlpstattest")
_CORRECTION_TEXT = {
    "exact": "exact factor for n differences, by gamma functions",
    "paired": "factor 1 - 3 / (4n - 5) for n differences",
    "nlpstattest": "factor 1 - 3 / (4n - 9) as printed for NLPStatTest",
}


@dataclass(frozen=True, slots=True)
class EffectSize:
    """An effect size and its interval.

    Attributes
    ----------
    name : str
        Short name, for example ``"cohens_d"``.
    label : str
        Full name for a report.
    estimate : float
        Positive if the first system is better; NaN if it is undefined, then `reason` says why.
    interval : Interval or None
        None where there is none; `reason` says why.
    definition : str
        Which of the definitions in use this is.
    n : int
        Differences that entered.
    reason : str or None
        Why the estimate or the interval is missing.
    """

    name: str
    label: str
    estimate: float
    interval: Interval | None
    definition: str
    n: int
    reason: str | None = None

    def to_record(self) -> dict[str, Any]:
        """Return a flat mapping, one row of a table."""
        interval = self.interval
        return {
            "name": self.name,
            "label": self.label,
            "estimate": self.estimate,
            "low": math.nan if interval is None else interval.low,
            "high": math.nan if interval is None else interval.high,
            "confidence": None if interval is None else interval.level,
            "interval_method": None if interval is None else interval.method,
            "definition": self.definition,
            "n": self.n,
            "reason": self.reason,
        }


def cohens_d(u: npt.ArrayLike, v: npt.ArrayLike, *, confidence: float = 0.95) -> EffectSize:
    """Return the mean difference in standard deviations of the differences.

    Parameters
    ----------
    u, v : array_like of shape (n,)
        Scores of two systems on the same items.
    confidence : float
        Level of the interval, from the noncentral t distribution.

    Notes
    -----
    This is d_z, as in Zhu et al. (2020), equation 2. With the pooled standard deviation of the
    scores in its place d is another number.

    Examples
    --------
    >>> round(cohens_d([1, 2, 4, 3], [0, 2, 1, 1]).estimate, 4)
    1.1619
    """
    pair = as_pair(u, v)
    hypothesis = as_hypothesis("two-sided", 0.0, confidence)
    name, label = "cohens_d", "Cohen's d"
    definition = "mean difference / standard deviation of the differences (d_z)"
    reason = _undefined(pair.difference)
    if reason:
        return EffectSize(name, label, math.nan, None, definition, pair.n, reason)
    d = pair.difference
    estimate = float(d.mean() / d.std(ddof=1))
    interval = noncentrality_interval(estimate * math.sqrt(pair.n), pair.n - 1, hypothesis)
    return EffectSize(
        name, label, estimate, _scaled(interval, 1.0 / math.sqrt(pair.n)), definition, pair.n
    )


def hedges_g(
    u: npt.ArrayLike,
    v: npt.ArrayLike,
    *,
    correction: str = "exact",
    confidence: float = 0.95,
) -> EffectSize:
    """Return Cohen's d corrected for its bias in small samples.

    Parameters
    ----------
    u, v : array_like of shape (n,)
        Scores of two systems on the same items.
    correction : {"exact", "paired", "nlpstattest"}
        The exact factor for n differences; its usual approximation ``1 - 3 / (4n - 5)``; or the
        factor of Zhu et al. (2020), equation 3, ``1 - 3 / (4n - 9)``, which is meant for two
        independent samples of n scores in all.
    confidence : float
        Level of the interval: that of d times the factor.

    References
    ----------
    Hedges (1981), Distribution theory for Glass's estimator of effect size. JES 6(2).
    """
    as_choice(correction, "correction", CORRECTIONS)
    d = cohens_d(u, v, confidence=confidence)
    name = "hedges_g" if correction == "exact" else f"hedges_g_{correction}"
    label = "Hedges' g" if correction == "exact" else f"Hedges' g ({correction})"
    text = f"d_z times the {_CORRECTION_TEXT[correction]}"
    factor = hedges_factor(d.n, correction=correction)
    reason = d.reason
    if reason is None and math.isnan(factor):
        reason = f"the factor is not defined for {d.n} differences."
    if reason:
        return EffectSize(name, label, math.nan, None, text, d.n, reason)
    assert d.interval is not None
    return EffectSize(name, label, factor * d.estimate, _scaled(d.interval, factor), text, d.n)


def hedges_factor(n: int, *, correction: str = "exact") -> float:
    """Return the factor that corrects d of `n` differences; NaN for fewer than 3 of them.

    Examples
    --------
    >>> [round(hedges_factor(10, correction=name), 6) for name in CORRECTIONS]
    [0.913875, 0.914286, 0.903226]
    """
    as_count(n, "n", minimum=1)
    as_choice(correction, "correction", CORRECTIONS)
    if n < 3:
        return math.nan
    if correction == "exact":
        freedom = n - 1
        log_ratio = float(gammaln(freedom / 2.0) - gammaln((freedom - 1) / 2.0))
        return math.sqrt(2.0 / freedom) * math.exp(log_ratio)
    return 1.0 - 3.0 / (4 * n - (5 if correction == "paired" else 9))


def noncentrality_interval(t: float, freedom: int, hypothesis: Hypothesis) -> Interval:
    """Return the interval of the noncentrality parameter of an observed t statistic."""
    return Interval(
        noncentral_interval_end(t, freedom, 1.0 - hypothesis.error_low),
        noncentral_interval_end(t, freedom, hypothesis.error_high),
        hypothesis.confidence,
        "noncentral t distribution",
    )


def _undefined(d: FloatArray) -> str | None:
    if len(d) < 2:
        return "a standard deviation needs at least 2 pairs; got 1."
    if is_constant(d):
        return f"all differences are equal ({d[0]:g}), so their standard deviation is 0."
    return None


def _scaled(interval: Interval, factor: float) -> Interval:
    return Interval(factor * interval.low, factor * interval.high, interval.level, interval.method)
