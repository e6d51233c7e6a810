"""Which tests suit the data: each graded, with the reason in a sentence."""

from collections.abc import Iterator
from dataclasses import dataclass

from sigcore.comparison.assumptions import DataAnalysis
from sigcore.comparison.results import ALTERNATIVES
from sigcore.validation import as_choice, as_probability

__all__ = ["GRADES", "Recommendation", "recommend"]

GRADES = ("preferred", "acceptable", "inappropriate")
# Tests whose p-value is a share of the 2^n patterns of signs.
_SIGN_PATTERNS = ("wilcoxon", "sign", "permutation_mean", "permutation_median", "mcnemar")
_LARGE = 30  # the usual size from which the mean of a symmetric sample is nearly normal


@dataclass(frozen=True, slots=True)
class Recommendation:
    """How well a test suits the data.

    Attributes
    ----------
    test : str
        Short name of the test.
    grade : {"preferred", "acceptable", "inappropriate"}
        The verdict.
    reason : str
        Why, in a sentence.
    """

    test: str
    grade: str
    reason: str


def recommend(
    analysis: DataAnalysis, *, alpha: float = 0.05, alternative: str = "two-sided"
) -> tuple[Recommendation, ...]:
    """Grade every test for data with these properties.

    Parameters
    ----------
    analysis : DataAnalysis
        From `analyse`.
    alpha : float
        Level of the significance test.
    alternative : {"two-sided", "greater", "less"}
        Its direction.

    Returns
    -------
    tuple of Recommendation
        Preferred tests first. With very few pairs no test may be preferred.

    Notes
    -----
    The rule of Zhu et al. (2020): t for normal differences, Wilcoxon for symmetric ones, a test of
    the median for skewed ones. Skewed samples may still use the t test for the mean when they
    are larger than 25 times the squared skewness (Cochran 1977, section 2.15). A test whose
    smallest possible p-value is not below alpha is inappropriate.
    """
    as_probability(alpha, "alpha")
    as_choice(alternative, "alternative", ALTERNATIVES)
    graded = [
        _grade_t(analysis),
        _grade_wilcoxon(analysis),
        _grade_sign(analysis),
        *_grade_permutation(analysis),
        *_grade_bootstrap(analysis),
        _grade_mcnemar(analysis),
        _grade_aso(),
    ]
    graded = [_unless_too_small(item, analysis, alpha, alternative) for item in graded]
    return tuple(sorted(graded, key=lambda item: GRADES.index(item.grade)))


def _grade_t(analysis: DataAnalysis) -> Recommendation:
    n, gamma = analysis.difference.n, abs(analysis.skewness)
    if _is_constant(analysis):
        return Recommendation("t", "inappropriate", "It needs differences that vary.")
    if analysis.normality.normal and not analysis.binary:
        reason = "The differences pass the normality test, and then it is the most powerful test."
        return Recommendation("t", "preferred", reason)
    needed = max(_LARGE, 25.0 * gamma * gamma)
    if n >= needed:
        reason = f"The mean of {n} differences is nearly normal even if they are not."
        if analysis.statistic == "median":
            reason += " It tests the mean, where the skewness speaks for the median."
        return Recommendation("t", "acceptable", reason)
    reason = f"It assumes normal differences, and {n} are too few for their mean to be normal."
    return Recommendation("t", "inappropriate", reason)


def _grade_wilcoxon(analysis: DataAnalysis) -> Recommendation:
    if analysis.binary:
        reason = "With scores of two values all differences tie, and it reduces to the sign test."
        return Recommendation("wilcoxon", "inappropriate", _about_margin(analysis) or reason)
    if analysis.statistic == "median":
        reason = "It requires symmetric differences, and these are skewed."
        return Recommendation("wilcoxon", "inappropriate", reason)
    if analysis.normality.normal:
        reason = "It requires only symmetry and is nearly as powerful as the t test."
        return Recommendation("wilcoxon", "acceptable", reason)
    reason = "It does not assume any specific distribution but only requires symmetry."
    return Recommendation("wilcoxon", "preferred", reason)


def _grade_sign(analysis: DataAnalysis) -> Recommendation:
    if _about_margin(analysis):
        reason = "It tests the median, and with scores of two values a margin is one of the mean."
        return Recommendation("sign", "inappropriate", reason)
    if analysis.binary:
        reason = "On scores of two values it is the same as the exact McNemar test."
        return Recommendation("sign", "acceptable", reason)
    if analysis.statistic == "median":
        reason = "It tests the median and assumes nothing about the shape of the differences."
        return Recommendation("sign", "preferred", reason)
    reason = "It assumes nothing about the shape, but ignores the size of the differences."
    return Recommendation("sign", "acceptable", reason)


def _grade_permutation(analysis: DataAnalysis) -> Iterator[Recommendation]:
    skewed = analysis.statistic == "median"
    shape = " Skewed differences are themselves a sign against that hypothesis." if skewed else ""
    exact = "It is exact if the two systems are exchangeable on every item, whatever the shape."
    if reason := _about_margin(analysis):
        yield Recommendation("permutation_mean", "inappropriate", reason)
    else:
        yield Recommendation("permutation_mean", "acceptable", exact + shape)
    if analysis.binary:
        reason = "The median of differences of scores of two values tells next to nothing."
        yield Recommendation("permutation_median", "inappropriate", reason)
    elif _is_constant(analysis):
        reason = "If all differences are equal in size, so is the median of every swap."
        yield Recommendation("permutation_median", "inappropriate", reason)
    else:
        yield Recommendation("permutation_median", "acceptable", exact + shape)


def _grade_bootstrap(analysis: DataAnalysis) -> Iterator[Recommendation]:
    n = analysis.difference.n
    for statistic in ("mean", "median"):
        name = f"bootstrap_{statistic}"
        if _is_constant(analysis):
            yield Recommendation(name, "inappropriate", "It needs differences that vary.")
        elif n < _LARGE:
            reason = f"It is approximate, and {n} pairs are too few to stand for the population."
            yield Recommendation(name, "inappropriate", reason)
        elif statistic == "median" and analysis.binary:
            reason = "The median of differences of scores of two values tells next to nothing."
            yield Recommendation(name, "inappropriate", reason)
        else:
            reason = f"It tests the {statistic} without assuming a distribution, approximately."
            yield Recommendation(name, "acceptable", reason)


def _grade_mcnemar(analysis: DataAnalysis) -> Recommendation:
    if analysis.binary:
        reason = "The scores have two values, right and wrong, which it is made for."
        return Recommendation("mcnemar", "preferred", reason)
    reason = "It is for scores with two values, right and wrong."
    return Recommendation("mcnemar", "inappropriate", reason)


def _grade_aso() -> Recommendation:
    reason = (
        "It compares distributions and not pairs, and finds order too often where both systems "
        "have the same distribution; it is made for scores of many training runs."
    )
    return Recommendation("aso", "inappropriate", reason)


def _unless_too_small(
    item: Recommendation, analysis: DataAnalysis, alpha: float, alternative: str
) -> Recommendation:
    if item.test == "mcnemar" and analysis.hypothesised != 0.0:
        return item  # then it does not count signs
    n_used = analysis.difference.n - analysis.n_null
    sides = 2 if alternative == "two-sided" else 1
    # Only the larger half of the differences can move a median.
    patterns = n_used // 2 + 1 if item.test == "permutation_median" else n_used
    smallest = min(1.0, sides * 0.5**patterns)
    if item.test not in _SIGN_PATTERNS or item.grade == "inappropriate" or smallest < alpha:
        return item
    value = "zero" if analysis.hypothesised == 0.0 else f"{analysis.hypothesised:g}"
    count = "one difference that is" if n_used == 1 else f"{n_used} differences that are"
    reason = (
        f"With {count} not {value} its p-value is at least {smallest:.3g}, so it cannot reject at "
        f"the level {alpha:g}."
    )
    return Recommendation(item.test, "inappropriate", reason)


def _about_margin(analysis: DataAnalysis) -> str:
    """Return why swaps do not suit scores of two values and a null other than 0; else nothing."""
    if not analysis.binary or analysis.hypothesised == 0.0:
        return ""
    return f"Differences of scores of two values are not symmetric about {analysis.hypothesised:g}."


def _is_constant(analysis: DataAnalysis) -> bool:
    return analysis.difference.minimum == analysis.difference.maximum
