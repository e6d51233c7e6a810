"""Interval of one correlation, and the test of two that share a variable."""

import math
import warnings
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtr

from sigcore.errors import DegenerateDataWarning, InputError
from sigcore.meta.correlation import COEFFICIENTS, group_correlations
from sigcore.meta.grouping import GroupedScores, as_score_arrays
from sigcore.validation import as_choice, as_count, as_number, as_probability

__all__ = [
    "CorrelationInterval",
    "WilliamsResult",
    "fisher_interval",
    "williams_from_correlations",
    "williams_test",
]

FloatArray = npt.NDArray[np.float64]

ALTERNATIVES = ("two-sided", "greater", "less")
_ROUNDING = 1e-12  # determinants of correlation matrices closer to 0 are 0


@dataclass(frozen=True, slots=True)
class CorrelationInterval:
    """Confidence interval of a correlation.

    Attributes
    ----------
    low, high : float
        Its ends; NaN if there are too few observations.
    value : float
        The correlation.
    n : int
        Number of observations.
    confidence : float
        Its level.
    reason : str
        Why the interval is undefined; empty when it is defined.
    """

    low: float
    high: float
    value: float
    n: int
    confidence: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class WilliamsResult:
    """Result of `williams_test`.

    Attributes
    ----------
    statistic : float
        Williams's t; positive if the first metric correlates better.
    pvalue : float
        By the t distribution with ``n - 3`` degrees of freedom.
    correlations : tuple of float
        Of gold with the first metric, of gold with the second, and of the two metrics.
    n, n_left_out : int
        Observations used, and those left out because a score is missing.
    alternative : {"two-sided", "greater", "less"}
        What was tested: they differ, the first is better, the second is better.
    reason : str
        Why the test is undefined; empty when it is defined.
    """

    statistic: float
    pvalue: float
    correlations: tuple[float, float, float]
    n: int
    n_left_out: int
    alternative: str
    reason: str = ""


def fisher_interval(
    value: float, n: int, *, coefficient: str = "pearson", confidence: float = 0.95
) -> CorrelationInterval:
    """Compute the confidence interval of a correlation by Fisher's transformation.

    Parameters
    ----------
    value : float
        The correlation, not averaged.
    n : int
        Number of independent observations.
    coefficient : {"pearson", "spearman", "kendall"}
        Which correlation it is.
    confidence : float, default 0.95
        Level of the interval.

    Returns
    -------
    CorrelationInterval

    Notes
    -----
    ``tanh(artanh(r) +- z s)`` with s^2 = 1 / (n - 3) for Pearson, (1 + r^2 / 2) / (n - 3) for
    Spearman and 0.437 / (n - 4) for Kendall (Bonett and Wright 2000, Sample size requirements for
    estimating Pearson, Kendall and Spearman correlations. Psychometrika 65). Pearson's assumes
    normal data; resampling does not.

    Examples
    --------
    >>> interval = fisher_interval(0.8699639, 15, coefficient="spearman")
    >>> round(interval.low, 6), round(interval.high, 6)
    (0.584095, 0.96383)
    """
    as_choice(coefficient, "coefficient", COEFFICIENTS)
    as_count(n, "n")
    level = as_probability(confidence, "confidence")
    _check_correlation(value, "value")
    lost = 4 if coefficient == "kendall" else 3
    if n <= lost:
        reason = f"more than {lost} observations are needed; got {n}"
        return CorrelationInterval(math.nan, math.nan, value, n, level, reason)
    if abs(value) == 1.0:
        return CorrelationInterval(value, value, value, n, level)
    variance = {"pearson": 1.0, "spearman": 1.0 + value**2 / 2.0, "kendall": 0.437}[coefficient]
    reach = float(ndtri(0.5 + level / 2.0)) * math.sqrt(variance / (n - lost))
    centre = math.atanh(value)
    return CorrelationInterval(
        math.tanh(centre - reach), math.tanh(centre + reach), value, n, level
    )


def williams_test(
    gold: npt.ArrayLike,
    metric: npt.ArrayLike,
    other: npt.ArrayLike,
    *,
    alternative: str = "two-sided",
) -> WilliamsResult:
    """Test whether two metrics differ in their Pearson correlation with the same gold scores.

    Parameters
    ----------
    gold, metric, other : array_like, shape (n,) or (systems, segments)
        Scores of people and of the two metrics, each an independent observation: system scores, as
        a rule. Matrices are flattened. An observation that lacks one of the three is left out.
    alternative : {"two-sided", "greater", "less"}
        Whether they differ, `metric` correlates better, or `other` does.

    Returns
    -------
    WilliamsResult

    Notes
    -----
    Williams (1959), The comparison of regression variables; for metrics, Graham and Baldwin
    (2014), Testing for Significance of Increased Correlation with Human Judgment. The test assumes
    normal data. DEVIATES: mt-metrics-eval counts observations without gold in n and tests in the
    direction observed.
    """
    as_choice(alternative, "alternative", ALTERNATIVES)
    arrays = _observations(gold, metric, other)
    incomplete = np.isnan(arrays).any(axis=0)
    arrays[:, incomplete] = np.nan
    pairs = ((0, 1), (0, 2), (1, 2))
    r_metric, r_other, r_between = (_pearson(arrays[i], arrays[j]) for i, j in pairs)
    n_left_out = int(incomplete.sum())
    n = arrays.shape[1] - n_left_out
    result = _williams(r_metric, r_other, r_between, n, alternative)
    return replace(result, n_left_out=n_left_out)


def williams_from_correlations(
    r_metric: float,
    r_other: float,
    r_between: float,
    n: int,
    *,
    alternative: str = "two-sided",
) -> WilliamsResult:
    """Do the Williams test from the three correlations.

    Parameters
    ----------
    r_metric, r_other, r_between : float
        Pearson correlations of gold with the two metrics, and of the two metrics.
    n : int
        Number of observations.
    alternative : {"two-sided", "greater", "less"}
        As for `williams_test`.

    Returns
    -------
    WilliamsResult

    Notes
    -----
    With K = 1 - r_m^2 - r_o^2 - r_b^2 + 2 r_m r_o r_b and r the mean of r_m and r_o::

        t = (r_m - r_o) sqrt((n - 1) (1 + r_b) / (2 K (n - 1) / (n - 3) + r^2 (1 - r_b)^3))

    If one metric is a rescaled copy of the other, r_b = 1 and t is 0/0; it is taken as 0, because
    the two correlate equally well with anything. If people are exactly what the metrics differ by,
    r_m = -r_o and K = 0: t is infinite.

    Examples
    --------
    >>> result = williams_from_correlations(0.9, 0.8, 0.7, 30)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (1.7255, 0.0959)
    """
    as_choice(alternative, "alternative", ALTERNATIVES)
    as_count(n, "n")
    for name, value in (("r_metric", r_metric), ("r_other", r_other), ("r_between", r_between)):
        _check_correlation(value, name)
    if _determinant(r_metric, r_other, r_between) < -_ROUNDING:
        raise InputError(
            f"`r_metric`, `r_other` and `r_between` must be possible together; no three variables "
            f"correlate with {r_metric}, {r_other} and {r_between}."
        )
    return _williams(r_metric, r_other, r_between, n, alternative)


def _check_correlation(value: float, name: str) -> None:
    if not -1.0 <= as_number(value, name) <= 1.0:
        raise InputError(f"`{name}` must lie between -1 and 1; got {value}.")


def _observations(gold: npt.ArrayLike, metric: npt.ArrayLike, other: npt.ArrayLike) -> FloatArray:
    """Return the scores of people and of two metrics as three rows."""
    people, first, _ = as_score_arrays(gold, metric)
    _, second, _ = as_score_arrays(gold, other, name="other")
    return np.stack([scores.ravel() for scores in (people, first, second)])


def _pearson(first: FloatArray, second: FloatArray) -> float:
    scores = GroupedScores(first[:, None], second[:, None], "none")
    return float(group_correlations(scores, "pearson")[0])


def _williams(
    r_metric: float, r_other: float, r_between: float, n: int, alternative: str
) -> WilliamsResult:
    correlations = (r_metric, r_other, r_between)
    reason = ""
    if n <= 3:
        reason = f"more than 3 observations are needed; got {n}"
    elif np.isnan(correlations).any():
        reason = "all scores of people or of a metric are equal"
    elif r_between <= -1.0 + _ROUNDING:
        reason = "one metric is the other turned round"
    if reason:
        warnings.warn(
            f"The Williams test is undefined: {reason}.", DegenerateDataWarning, stacklevel=3
        )
        return WilliamsResult(math.nan, math.nan, correlations, n, 0, alternative, reason)
    statistic = 0.0
    if r_between < 1.0 - _ROUNDING:
        determinant = max(0.0, _determinant(*correlations))
        mean = (r_metric + r_other) / 2.0
        spread = 2.0 * determinant * (n - 1) / (n - 3) + mean**2 * (1.0 - r_between) ** 3
        gap, scale = r_metric - r_other, (n - 1) * (1.0 + r_between)
        statistic = gap * math.sqrt(scale / spread) if spread else math.copysign(math.inf, gap)
    pvalue = _tail(statistic, n - 3, alternative)
    return WilliamsResult(statistic, pvalue, correlations, n, 0, alternative)


def _determinant(a: float, b: float, c: float) -> float:
    """Return the determinant of the matrix of three correlations."""
    return 1.0 - a * a - b * b - c * c + 2.0 * a * b * c


def _tail(statistic: float, df: int, alternative: str) -> float:
    if alternative == "two-sided":
        return float(2.0 * stdtr(df, -abs(statistic)))
    return float(stdtr(df, -statistic if alternative == "greater" else statistic))
