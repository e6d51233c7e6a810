import math

import numpy as np
import pytest
from scipy import stats

from sigcore.comparison.assumptions import (
    analyse,
    check_normality,
    classify_skewness,
    skewness,
    summarise,
)
from sigcore.comparison.mcnemar import mcnemar_test
from sigcore.comparison.recommendation import recommend
from sigcore.comparison.signs import sign_test


def grades(u, v, *, hypothesised=0.0, **settings):
    analysis = analyse(u, v, hypothesised=hypothesised)
    return {item.test: item.grade for item in recommend(analysis, **settings)}


def test_summary_of_a_small_sample():
    summary = summarise([1, 2, 3, 10])
    assert (summary.n, summary.mean, summary.median) == (4, 4.0, 2.5)
    assert (summary.minimum, summary.maximum) == (1.0, 10.0)
    assert summary.sd == pytest.approx(np.std([1, 2, 3, 10], ddof=1))


def test_standard_deviation_of_one_value_is_undefined():
    assert math.isnan(summarise([3.0]).sd)


def test_skewness_is_the_uncorrected_moment_coefficient():
    x = np.random.default_rng(1).gamma(2.0, size=50)
    assert skewness(x) == pytest.approx(stats.skew(x), rel=1e-12)
    assert skewness(-x) == pytest.approx(-stats.skew(x), rel=1e-12)


@pytest.mark.parametrize(
    ("gamma", "shape"),
    [
        (0.0, "symmetric"),
        (-0.4999, "symmetric"),
        (0.5, "slightly skewed"),
        (-0.9999, "slightly skewed"),
        (1.0, "highly skewed"),
        (-3.0, "highly skewed"),
        (math.nan, "undefined"),
    ],
)
def test_bounds_of_the_skewness_rule_belong_to_the_upper_class(gamma, shape):
    assert classify_skewness(gamma) == shape


def test_normality_uses_shapiro_wilk_up_to_5000_values():
    x = np.random.default_rng(2).normal(size=5000)
    result = check_normality(x)
    assert result.test == "Shapiro-Wilk"
    assert result.pvalue == pytest.approx(stats.shapiro(x).pvalue)
    assert result.normal


def test_normality_beyond_5000_values_uses_moments_or_a_seeded_subsample():
    x = np.random.default_rng(3).normal(size=5001)
    moments = check_normality(x)
    assert moments.test == "D'Agostino-Pearson"
    assert moments.pvalue == pytest.approx(stats.normaltest(x).pvalue)
    one = check_normality(x, large_sample="subsample", seed=0)
    assert "5000 of 5001" in one.test
    assert one == check_normality(x, large_sample="subsample", seed=0)


def test_skewed_differences_are_not_tested_for_normality():
    x = np.random.default_rng(4).gamma(0.5, size=200)
    analysis = analyse(x, np.zeros(200))
    assert analysis.statistic == "median"
    assert math.isnan(analysis.normality.pvalue)
    assert "skewed" in analysis.normality.reason


def test_constant_differences_have_no_skewness_and_no_normality_test():
    analysis = analyse([2, 3, 4, 5], [1, 2, 3, 4])
    assert analysis.shape == "undefined"
    assert analysis.normality.test == "none"
    assert analysis.normality.reason == "Not tested: all differences are equal."


def test_differences_equal_up_to_rounding_count_as_equal():
    analysis = analyse([25.2, 0.3, 7.1], [25.1, 0.2, 7.0])
    assert analysis.shape == "undefined"


def test_normal_differences_prefer_the_t_test():
    x = stats.norm.ppf((np.arange(40) + 0.5) / 40)
    found = grades(x, np.zeros(40))
    assert found["t"] == "preferred"
    assert found["wilcoxon"] == "acceptable"


def test_symmetric_differences_that_are_not_normal_prefer_wilcoxon():
    x = stats.t.ppf((np.arange(100) + 0.5) / 100, df=2)
    found = grades(x, np.zeros(100))
    assert [test for test, grade in found.items() if grade == "preferred"] == ["wilcoxon"]
    assert found["t"] == "acceptable"


def test_few_differences_that_are_not_normal_rule_out_the_t_test():
    x = stats.t.ppf((np.arange(20) + 0.5) / 20, df=1)
    assert grades(x, np.zeros(20))["t"] == "inappropriate"


def test_skewed_differences_prefer_the_sign_test_and_rule_out_wilcoxon():
    x = stats.expon.ppf((np.arange(50) + 0.5) / 50) - 0.5
    found = grades(x, np.zeros(50))
    assert found["sign"] == "preferred"
    assert found["wilcoxon"] == "inappropriate"


def test_scores_of_two_values_prefer_mcnemar():
    u, v = np.tile([1, 1, 0, 1], 10), np.tile([0, 1, 1, 0], 10)
    found = grades(u, v)
    assert found["mcnemar"] == "preferred"
    assert found["wilcoxon"] == "inappropriate"


def test_tests_that_cannot_reach_the_level_are_inappropriate():
    u, v = [1.0, 2.5, 3.1, 4.9], [0.0, 2.0, 3.0, 4.0]
    found = grades(u, v)
    assert {found[test] for test in ("wilcoxon", "sign", "permutation_mean")} == {"inappropriate"}
    assert grades(u, v, alpha=0.2)["sign"] != "inappropriate"


def test_items_that_tie_count_against_a_margin():
    u, v = np.zeros(40), np.zeros(40)
    u[:2], v[2:4] = 0.1, 0.15
    assert sign_test(u, v, alternative="greater", hypothesised=-0.2).pvalue == 0.5**40
    assert grades(u, v, alternative="greater")["sign"] == "inappropriate"
    assert grades(u, v, alternative="greater", hypothesised=-0.2)["sign"] == "preferred"


def test_differences_equal_to_the_margin_do_not_count():
    u, v = np.full(30, 0.3), np.full(30, 0.1)
    u[:2] += 0.1
    found = recommend(analyse(u, v, hypothesised=0.2))
    (sign,) = [item for item in found if item.test == "sign"]
    assert sign.grade == "inappropriate"
    assert "With 2 differences that are not 0.2" in sign.reason


def test_only_tests_of_the_mean_suit_two_values_and_a_margin():
    u, v = np.tile([1, 1, 0, 1], 10), np.tile([0, 1, 1, 0], 10)
    found = grades(u, v, hypothesised=-0.1, alternative="greater")
    fit = [test for test, grade in found.items() if grade != "inappropriate"]
    assert fit == ["mcnemar", "t", "bootstrap_mean"]
    # McNemar's test against a margin is a score test and needs no pair on which systems differ.
    same = np.tile([1, 0], 100)
    assert mcnemar_test(same, same, alternative="greater", hypothesised=-0.1).pvalue < 0.05
    assert grades(same, same, hypothesised=-0.1)["mcnemar"] == "preferred"


def test_every_test_is_graded_once_with_a_sentence():
    graded = recommend(analyse([1, 2, 3, 5], [1, 1, 4, 2]))
    assert len({item.test for item in graded}) == len(graded) == 9
    assert all(item.reason.endswith(".") for item in graded)
