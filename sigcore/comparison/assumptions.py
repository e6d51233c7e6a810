"""Data analysis before any test: summaries, skewness, normality, mean or median."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.comparison.differences import as_pair
from sigcore.comparison.mcnemar import is_binary
from sigcore.comparison.student import is_constant
from sigcore.seeding import generator
from sigcore.validation import FloatArray, as_choice, as_probability, as_vector

__all__ = [
    "LARGE_SAMPLES",
    "DataAnalysis",
    "Normality",
    "Summary",
    "analyse",
    "check_normality",
    "classify_skewness",
    "skewness",
    "summarise",
]

LARGE_SAMPLES = ("moments", "subsample")
# The p-value of Shapiro and Wilk's statistic has been calibrated up to this size (Royston 1995).
SHAPIRO_LIMIT = 5000
_SYMMETRIC, _SLIGHT = 0.5, 1.0


@dataclass(frozen=True, slots=True)
class Summary:
    """Summary statistics of a set of scores; `sd` has n - 1 in its denominator."""

    n: int
    mean: float
    median: float
    sd: float
    minimum: float
    maximum: float


@dataclass(frozen=True, slots=True)
class Normality:
    """Result of the normality test.

    Attributes
    ----------
    test : str
        Which test; "none" if there was none.
    statistic, pvalue : float
        NaN without a test.
    alpha : float
        Level.
    normal : bool
        Whether normality is assumed from here on.
    reason : str
        The conclusion in a sentence.
    """

    test: str
    statistic: float
    pvalue: float
    alpha: float
    normal: bool
    reason: str


@dataclass(frozen=True, slots=True)
class DataAnalysis:
    """What the data look like.

    Attributes
    ----------
    first, second, difference : Summary
        Of the scores of both systems and of their differences.
    skewness : float
        Of the differences; NaN if they are all equal.
    shape : {"symmetric", "slightly skewed", "highly skewed", "undefined"}
        The skewness in words.
    normality : Normality
        Of the differences.
    statistic : {"mean", "median"}
        The measure of the difference that suits its shape.
    n_zero : int
        Differences that are zero.
    binary : bool
        Whether the scores have only two values.
    hypothesised : float
        Difference under the null hypothesis.
    n_null : int
        Differences equal to it, which tell nothing about the direction.
    """

    first: Summary
    second: Summary
    difference: Summary
    skewness: float
    shape: str
    normality: Normality
    statistic: str
    n_zero: int
    binary: bool
    hypothesised: float
    n_null: int


def analyse(
    u: npt.ArrayLike,
    v: npt.ArrayLike,
    *,
    hypothesised: float = 0.0,
    alpha: float = 0.05,
    large_sample: str = "moments",
    seed: int = 0,
) -> DataAnalysis:
    """Look at two sets of paired scores before testing.

    Parameters
    ----------
    u, v : array_like of shape (n,)
        Scores of two systems on the same evaluation units.
    hypothesised : float
        Difference under the null hypothesis.
    alpha : float
        Level of the normality test.
    large_sample, seed
        As for `check_normality`.

    Returns
    -------
    DataAnalysis

    Notes
    -----
    As in Zhu et al. (2020), section 3.1: a skewed sample is not tested for normality, since it
    cannot be normal, and calls for the median.
    """
    pair = as_pair(u, v)
    as_probability(alpha, "alpha")
    d = pair.difference
    gamma = skewness(d)
    shape = classify_skewness(gamma)
    if "skewed" in shape:
        reason = f"Not tested: the differences are {shape}, so they are not normal."
        normality = Normality("none", math.nan, math.nan, alpha, False, reason)
    else:
        normality = check_normality(d, alpha=alpha, large_sample=large_sample, seed=seed)
    return DataAnalysis(
        first=summarise(pair.u),
        second=summarise(pair.v),
        difference=summarise(d),
        skewness=gamma,
        shape=shape,
        normality=normality,
        statistic="median" if "skewed" in shape else "mean",
        n_zero=int(np.count_nonzero(d == 0.0)),
        binary=is_binary(pair),
        hypothesised=hypothesised,
        n_null=int(np.count_nonzero(pair.minus(hypothesised) == 0.0)),
    )


def summarise(values: npt.ArrayLike) -> Summary:
    """Return summary statistics; the standard deviation of one value is NaN."""
    x = as_vector(values, "values")
    return Summary(
        n=len(x),
        mean=float(x.mean()),
        median=float(np.median(x)),
        sd=float(x.std(ddof=1)) if len(x) > 1 else math.nan,
        minimum=float(x.min()),
        maximum=float(x.max()),
    )


def skewness(values: npt.ArrayLike) -> float:
    """Return the moment coefficient of skewness, m3 / m2^(3/2), without bias correction.

    NaN if all values are equal.
    """
    x = as_vector(values, "values")
    if is_constant(x):
        return math.nan
    centred = (x - x.mean()) / np.ptp(x)
    return float((centred**3).mean() / np.square(centred).mean() ** 1.5)


def classify_skewness(gamma: float) -> str:
    """Put a skewness into words by the rule of thumb of Bulmer (1979).

    Below 0.5 in size it is "symmetric", from 0.5 "slightly skewed", from 1 "highly skewed".
    """
    if math.isnan(gamma):
        return "undefined"
    if abs(gamma) < _SYMMETRIC:
        return "symmetric"
    return "slightly skewed" if abs(gamma) < _SLIGHT else "highly skewed"


def check_normality(
    values: npt.ArrayLike, *, alpha: float = 0.05, large_sample: str = "moments", seed: int = 0
) -> Normality:
    """Test whether a sample comes from a normal distribution.

    Parameters
    ----------
    values : array_like of shape (n,)
        The sample.
    alpha : float
        Level; the sample fails if p < alpha.
    large_sample : {"moments", "subsample"}
        Beyond 5,000 values the p-value of Shapiro and Wilk's test is not reliable: then use the
        test of D'Agostino and Pearson on skewness and kurtosis, or a random subsample of 5,000.
    seed : int
        Seed of the subsample.

    Returns
    -------
    Normality
        Without a test for fewer than 3 values and for equal ones; then the sample counts as not
        normal.
    """
    x = as_vector(values, "values")
    as_probability(alpha, "alpha")
    as_choice(large_sample, "large_sample", LARGE_SAMPLES)
    if len(x) < 3 or is_constant(x):
        reason = "Not tested: all differences are equal."
        if len(x) < 3:
            reason = f"Not tested: it takes at least 3 differences; got {len(x)}."
        return Normality("none", math.nan, math.nan, alpha, False, reason)
    name, statistic, pvalue = _run_normality(x, large_sample, seed)
    normal = pvalue >= alpha
    relation = f"p = {pvalue:.3g} {'>=' if normal else '<'} {alpha:g}"
    verdict = "pass" if normal else "do not pass"
    reason = f"The differences {verdict} the normality test ({name}, {relation})."
    return Normality(name, statistic, pvalue, alpha, normal, reason)


def _run_normality(x: FloatArray, large_sample: str, seed: int) -> tuple[str, float, float]:
    from scipy import stats

    x = (x - x.mean()) / np.ptp(x)  # no effect but on values too close for the routines
    if len(x) <= SHAPIRO_LIMIT:
        result = stats.shapiro(x)
        return "Shapiro-Wilk", float(result.statistic), float(result.pvalue)
    if large_sample == "moments":
        result = stats.normaltest(x)
        return "D'Agostino-Pearson", float(result.statistic), float(result.pvalue)
    index = generator(seed, "normality").choice(len(x), SHAPIRO_LIMIT, replace=False)
    result = stats.shapiro(x[index])
    name = f"Shapiro-Wilk on a random {SHAPIRO_LIMIT} of {len(x)}"
    return name, float(result.statistic), float(result.pvalue)
