"""What the tests of a comparison return, and the hypothesis they all share."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.validation import FloatArray, as_choice, as_probability

__all__ = [
    "ALTERNATIVES",
    "Hypothesis",
    "Interval",
    "SignificanceResult",
    "as_hypothesis",
    "choose_tail",
    "note_ties",
    "without_result",
]

ALTERNATIVES = ("two-sided", "greater", "less")


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval.

    Attributes
    ----------
    low, high : float
        Ends; infinite where the interval is one-sided or no finite end has the level.
    level : float
        Confidence level, for example 0.95.
    method : str
        How it was made.
    """

    low: float
    high: float
    level: float
    method: str

    def shifted(self, offset: float) -> "Interval":
        """Return the interval moved by `offset`."""
        return Interval(self.low + offset, self.high + offset, self.level, self.method)

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What is tested: the difference u - v against a value, in one direction or both.

    Attributes
    ----------
    alternative : {"two-sided", "greater", "less"}
        Whether u - v differs from, is above or is below `difference` if the null is false.
    difference : float
        Difference under the null hypothesis.
    confidence : float
        Level of the confidence interval.
    """

    alternative: str = "two-sided"
    difference: float = 0.0
    confidence: float = 0.95

    @property
    def error_low(self) -> float:
        """Chance of an error at the low end of the interval; 0 where the end is infinite."""
        error = 1.0 - self.confidence
        return {"two-sided": error / 2.0, "greater": error, "less": 0.0}[self.alternative]

    @property
    def error_high(self) -> float:
        """Chance of an error at the high end of the interval; 0 where the end is infinite."""
        error = 1.0 - self.confidence
        return {"two-sided": error / 2.0, "greater": 0.0, "less": error}[self.alternative]


@dataclass(frozen=True, slots=True)
class SignificanceResult:
    """Result of one significance test.

    Attributes
    ----------
    test : str
        Short name, for example ``"wilcoxon"``.
    label : str
        Full name for a report.
    statistic, statistic_name
        What the test is based on, and its usual letter.
    pvalue : float
        NaN if the test could not be run; then `reason` says why.
    estimate, estimate_name
        The difference of the systems as this test sees it, and its name.
    interval : Interval or None
        Interval of the estimate.
    hypothesis : Hypothesis
        Direction, hypothesised difference and confidence level.
    n : int
        Pairs given.
    n_used : int
        Pairs that entered the test; smaller where ties are left out.
    method : str
        How the p-value was found: exact, asymptotic or by resampling, and the handling of ties.
    n_resamples, seed : int or None
        Of a test that resamples.
    notes : tuple of str
        What a reader must know to trust the result.
    reason : str or None
        Why there is no result.
    """

    test: str
    label: str
    statistic: float
    statistic_name: str
    pvalue: float
    estimate: float
    estimate_name: str
    interval: Interval | None
    hypothesis: Hypothesis
    n: int
    n_used: int
    method: str
    n_resamples: int | None = None
    seed: int | None = None
    notes: tuple[str, ...] = field(default=())
    reason: str | None = None

    def to_record(self) -> dict[str, Any]:
        """Return a flat mapping, one row of a table."""
        interval = self.interval
        return {
            "test": self.test,
            "label": self.label,
            "statistic": self.statistic,
            "statistic_name": self.statistic_name,
            "pvalue": self.pvalue,
            "alternative": self.hypothesis.alternative,
            "hypothesised": self.hypothesis.difference,
            "estimate": self.estimate,
            "estimate_name": self.estimate_name,
            "low": math.nan if interval is None else interval.low,
            "high": math.nan if interval is None else interval.high,
            "confidence": self.hypothesis.confidence,
            "interval_method": None if interval is None else interval.method,
            "n": self.n,
            "n_used": self.n_used,
            "method": self.method,
            "n_resamples": self.n_resamples,
            "seed": self.seed,
            "notes": " ".join(self.notes),
            "reason": self.reason,
        }


def as_hypothesis(alternative: str, hypothesised: float, confidence: float) -> Hypothesis:
    """Return a checked `Hypothesis`."""
    as_choice(alternative, "alternative", ALTERNATIVES)
    as_probability(confidence, "confidence")
    if not math.isfinite(hypothesised):
        raise InputError(f"`hypothesised` must be finite; got {hypothesised}.")
    return Hypothesis(alternative, float(hypothesised), float(confidence))


def choose_tail(p_less: npt.ArrayLike, p_greater: npt.ArrayLike, alternative: str) -> FloatArray:
    """Combine the tails of a test: one of them, or twice the smaller one, at most 1."""
    tails: Mapping[str, FloatArray] = {
        "less": np.asarray(p_less, dtype=np.float64),
        "greater": np.asarray(p_greater, dtype=np.float64),
    }
    if alternative in tails:
        return np.minimum(tails[alternative], 1.0)
    return np.minimum(2.0 * np.minimum(tails["less"], tails["greater"]), 1.0)


def note_ties(
    n_tied: int, n: int, hypothesis: Hypothesis, pvalue: float, interval: Interval | None = None
) -> tuple[str, ...]:
    """Return what to say of differences that equal the null value and are left out of a test.

    Parameters
    ----------
    n_tied, n : int
        Such differences, and all.
    hypothesis, pvalue
        Of the test.
    interval : Interval, optional
        Interval of all differences, if those left out of the test are not left out of it.
    """
    value = hypothesis.difference
    if n_tied == n:
        if value == 0.0:
            return ("All differences are zero.",)
        return (f"All differences equal the hypothesised one, {value:g}.",)
    rejects = pvalue < 1.0 - hypothesis.confidence
    if n_tied and interval is not None and rejects and value in interval:
        return (
            f"The test leaves out {n_tied} differences of {value:g}, the interval does not; so it "
            f"holds {value:g} though the test rejects.",
        )
    return ()


def without_result(
    test: str, label: str, hypothesis: Hypothesis, n: int, reason: str
) -> SignificanceResult:
    """Return the result of a test that cannot be run on these data."""
    nan = math.nan
    return SignificanceResult(
        test, label, nan, "", nan, nan, "", None, hypothesis, n, 0, "not run", reason=reason
    )
