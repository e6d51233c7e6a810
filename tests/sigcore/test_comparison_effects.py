import math

import numpy as np
import pytest
from scipy import stats

from sigcore.comparison.effect_size import (
    cohens_d,
    hedges_factor,
    hedges_g,
    noncentrality_interval,
)
from sigcore.comparison.rank_effects import (
    cliffs_delta,
    common_language,
    hodges_lehmann,
    wilcoxon_r,
)
from sigcore.comparison.results import Hypothesis
from sigcore.errors import InputError

U, V = np.round(np.random.default_rng(37).normal([[0.5], [0.0]], 1.0, size=(2, 25)), 1)


def test_cohens_d_divides_by_the_deviation_of_differences():
    d = U - V
    assert cohens_d(U, V).estimate == pytest.approx(d.mean() / d.std(ddof=1))
    assert cohens_d(V, U).estimate == pytest.approx(-cohens_d(U, V).estimate)


@pytest.mark.parametrize(("t", "freedom"), [(0.0, 5), (2.1, 9), (-4.0, 30), (25.0, 400)])
def test_noncentrality_interval_has_the_observed_t_at_both_tails(t, freedom):
    interval = noncentrality_interval(t, freedom, Hypothesis(confidence=0.9))
    assert stats.nct.sf(t, freedom, interval.low) == pytest.approx(0.05, rel=1e-6)
    assert stats.nct.cdf(t, freedom, interval.high) == pytest.approx(0.05, rel=1e-6)


def test_noncentrality_interval_of_a_huge_t_is_finite_and_ordered():
    interval = noncentrality_interval(1e9, 4, Hypothesis())
    assert 0 < interval.low < 1e9 < interval.high < math.inf


def test_hedges_factor_is_the_ratio_of_gamma_functions():
    for n in (3, 4, 10, 100):
        m = n - 1
        expected = math.gamma(m / 2) / (math.sqrt(m / 2) * math.gamma((m - 1) / 2))
        assert hedges_factor(n) == pytest.approx(expected)


def test_hedges_factors_of_both_approximations_at_three_pairs():
    assert hedges_factor(3, correction="nlpstattest") == 0.0
    assert hedges_factor(3, correction="paired") == pytest.approx(4 / 7)
    assert hedges_factor(3) == pytest.approx(0.5642, abs=1e-4)


@pytest.mark.parametrize("correction", ["exact", "paired", "nlpstattest"])
def test_hedges_factor_of_two_pairs_is_undefined(correction):
    assert math.isnan(hedges_factor(2, correction=correction))
    effect = hedges_g([1, 2], [0, 0.5], correction=correction)
    assert "not defined for 2 differences" in effect.reason


def test_hedges_g_is_unbiased_where_d_is_not():
    rng = np.random.default_rng(38)
    samples = rng.normal(0.5, 1.0, size=(20_000, 6))
    d = samples.mean(axis=1) / samples.std(axis=1, ddof=1)
    error = d.std() / math.sqrt(len(d))
    assert hedges_factor(6) * d.mean() == pytest.approx(0.5, abs=4 * error)
    assert d.mean() > 0.5 + 4 * error


def test_wilcoxon_r_is_z_over_root_n_with_its_sign():
    d = U - V
    d = np.round(d[d != 0], 10)
    ranks = stats.rankdata(np.abs(d))
    _, sizes = np.unique(np.abs(d), return_counts=True)
    n, positive = len(d), ranks[d > 0].sum()
    # equation 4 of Zhu et al. (2020), with the sizes of tie groups
    variance = n * (n + 1) * (2 * n + 1) / 24 - (sizes**3 - sizes).sum() / 48
    z = (positive - n * (n + 1) / 4) / math.sqrt(variance)
    assert wilcoxon_r(U, V).estimate == pytest.approx(z / math.sqrt(n))
    assert wilcoxon_r(V, U).estimate == pytest.approx(-z / math.sqrt(n))
    assert wilcoxon_r(U, V).n == n


def test_wilcoxon_r_interval_is_mirrored_when_systems_swap():
    one, two = wilcoxon_r(U, V).interval, wilcoxon_r(V, U).interval
    assert (one.low, one.high) == pytest.approx((-two.high, -two.low))


def test_wilcoxon_r_of_one_sign_has_no_interval():
    effect = wilcoxon_r([1.0, 2.0, 3.0], [0.0, 0.0, 0.0])
    assert effect.interval is None
    assert "same sign" in effect.reason
    assert math.isnan(wilcoxon_r([1.0], [1.0]).estimate)


def test_hodges_lehmann_counts_self_pairs_only_if_asked():
    assert hodges_lehmann([1, 2, 9], [0, 0, 0]).estimate == 3.5
    assert hodges_lehmann([1, 2, 9], [0, 0, 0], pairs="i<j").estimate == 5.0
    assert "at least 2 pairs" in hodges_lehmann([1], [0], pairs="i<j").reason


def test_cliffs_delta_compares_all_pairs_or_pairs_of_an_item():
    sign = np.sign(U[:, None] - V[None, :])
    assert cliffs_delta(U, V).estimate == pytest.approx(sign.mean())
    assert cliffs_delta(U, V, pairing="within").estimate == pytest.approx(np.sign(U - V).mean())


def test_cliffs_delta_interval_is_mirrored_and_stays_inside_one():
    one, two = cliffs_delta(U, V).interval, cliffs_delta(V, U).interval
    assert (one.low, one.high) == pytest.approx((-two.high, -two.low))
    assert -1 < one.low < one.high < 1


def test_cliffs_delta_of_separate_systems_has_no_interval():
    effect = cliffs_delta([5, 6, 7], [1, 2, 3])
    assert effect.estimate == 1.0
    assert effect.interval is None
    assert "do not overlap" in effect.reason


def test_common_language_counts_ties_half():
    effect = common_language([2, 2, 2, 2], [1, 1, 2, 3])
    assert effect.estimate == 0.625
    assert effect.interval.low < 0.625 < effect.interval.high


def test_identical_systems_have_no_effect():
    x = [1.0, 2.0, 3.0]
    assert common_language(x, x).estimate == 0.5
    assert cliffs_delta(x, x).estimate == 0.0
    assert hodges_lehmann(x, x).estimate == 0.0
    assert "standard deviation is 0" in cohens_d(x, x).reason
    assert "standard deviation is 0" in hedges_g(x, x).reason


def test_records_are_flat():
    for effect in (cohens_d(U, V), hedges_g(U, V), wilcoxon_r(U, V), cliffs_delta(U, V)):
        values = effect.to_record().values()
        assert all(isinstance(value, (str, int, float, type(None))) for value in values)


def test_bad_arguments_are_refused():
    with pytest.raises(InputError, match="`correction` must be one of"):
        hedges_g(U, V, correction="unbiased")
    with pytest.raises(InputError, match="`pairs` must be one of"):
        hodges_lehmann(U, V, pairs="all")
    with pytest.raises(InputError, match="`pairing` must be one of"):
        cliffs_delta(U, V, pairing="both")
