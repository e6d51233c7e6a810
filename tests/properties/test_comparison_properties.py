"""What must hold for the tests and effect sizes of two systems, whatever the scores."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from sigcore.comparison.effect_size import cohens_d
from sigcore.comparison.multiplicity import adjust_pvalues
from sigcore.comparison.rank_effects import cliffs_delta, common_language, hodges_lehmann
from sigcore.comparison.results import ALTERNATIVES
from sigcore.comparison.signed_rank import wilcoxon_test
from sigcore.comparison.significance import run_test
from sigcore.comparison.walsh import walsh_order_statistic

EXACT = ("t", "wilcoxon", "sign", "permutation_mean", "permutation_median")

# Half points make ties and zeros likely; thirds do not fit a binary float.
grid = st.integers(-8, 8).map(lambda k: k / 2)
thirds = st.integers(-30, 30).map(lambda k: k / 3)
reals = st.floats(-100, 100, allow_subnormal=False).filter(lambda x: x == 0 or abs(x) > 1e-6)


def pairs(least=2, most=24):
    element = st.sampled_from([grid, thirds, reals]).flatmap(
        lambda score: st.lists(st.tuples(score, score), min_size=least, max_size=most)
    )
    return element.map(lambda rows: np.array(rows).T)


common = settings(deadline=None, derandomize=True, max_examples=100)


@common
@given(pairs(), st.sampled_from(EXACT))
def test_swapping_systems_mirrors_everything(scores, test):
    u, v = scores
    one = run_test(test, u, v, alternative="greater")
    two = run_test(test, v, u, alternative="less")
    assert (one.reason is None) == (two.reason is None)
    if one.reason is None:
        assert one.pvalue == pytest.approx(two.pvalue, rel=1e-6, abs=1e-9)
        assert one.estimate == pytest.approx(-two.estimate, abs=1e-9)
        assert one.interval.low == pytest.approx(-two.interval.high, rel=1e-6, abs=1e-6)


@common
@given(pairs(), st.sampled_from(EXACT), st.randoms(use_true_random=False))
def test_the_order_of_items_does_not_matter(scores, test, random):
    order = list(range(scores.shape[1]))
    random.shuffle(order)
    one, two = run_test(test, *scores), run_test(test, *scores[:, order])
    assert one.pvalue == pytest.approx(two.pvalue, rel=1e-6, nan_ok=True)


@common
@given(pairs(), st.sampled_from(EXACT))
def test_a_common_shift_of_both_systems_changes_nothing(scores, test):
    one, two = run_test(test, *scores), run_test(test, *(scores + 64.0))
    assert (one.reason is None) == (two.reason is None)
    assert one.pvalue == pytest.approx(two.pvalue, rel=1e-5, nan_ok=True)


@common
@given(pairs(), st.sampled_from(EXACT))
def test_doubling_the_scale_changes_no_p_value(scores, test):
    one, two = run_test(test, *scores), run_test(test, *(2.0 * scores))
    assert one.pvalue == pytest.approx(two.pvalue, rel=1e-6, nan_ok=True)


@common
@given(pairs(), st.sampled_from(EXACT))
def test_p_values_are_probabilities_and_two_sided_is_at_most_twice_one_sided(scores, test):
    found = {side: run_test(test, *scores, alternative=side).pvalue for side in ALTERNATIVES}
    assume(not np.isnan(found["two-sided"]))
    assert all(0.0 <= pvalue <= 1.0 for pvalue in found.values())
    smaller = min(found["less"], found["greater"])
    assert found["two-sided"] == pytest.approx(min(1.0, 2 * smaller), rel=1e-6)


@common
@given(pairs(least=6), st.sampled_from(["t", "wilcoxon", "sign", "permutation_mean"]))
def test_adding_tied_items_never_helps(scores, test):
    more = np.concatenate([scores, np.ones((2, 3))], axis=1)
    one, two = run_test(test, *scores).pvalue, run_test(test, *more).pvalue
    if test in ("wilcoxon", "sign", "permutation_mean"):
        assert two == pytest.approx(one, rel=1e-6)


@common
@given(pairs(least=3, most=14))
def test_exact_wilcoxon_without_ties_agrees_with_scipy(scores):
    d = scores[0] - scores[1]
    sizes = np.sort(np.abs(d))
    assume(sizes[0] > 1e-3)
    assume(np.all(np.diff(sizes) > 1e-3))
    for alternative in ALTERNATIVES:
        expected = stats.wilcoxon(d, alternative=alternative, method="exact").pvalue
        found = wilcoxon_test(*scores, alternative=alternative, method="exact").pvalue
        assert found == pytest.approx(expected, rel=1e-9)


@common
@given(st.lists(st.sampled_from([-2.0, -0.5, 0.0, 0.1, 0.3, 4.0]), min_size=1, max_size=30))
def test_walsh_order_statistics_with_heavy_ties(values):
    x = np.sort(values)
    first, second = np.triu_indices(len(x))
    averages = np.sort((x[first] + x[second]) / 2)
    for rank in (1, (len(averages) + 1) // 2, len(averages)):
        assert walsh_order_statistic(x, rank) == averages[rank - 1]


@common
@given(pairs())
def test_effect_sizes_change_sign_with_the_systems(scores):
    u, v = scores
    assert cliffs_delta(u, v).estimate == pytest.approx(-cliffs_delta(v, u).estimate)
    assert hodges_lehmann(u, v).estimate == pytest.approx(-hodges_lehmann(v, u).estimate)
    assert common_language(u, v).estimate == pytest.approx(1 - common_language(v, u).estimate)
    assert cohens_d(u, v).estimate == pytest.approx(-cohens_d(v, u).estimate, nan_ok=True)


@common
@given(pairs(), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_intervals_hold_their_estimate_and_grow_with_confidence(scores, confidence):
    for function in (cohens_d, cliffs_delta, common_language, hodges_lehmann):
        effect = function(*scores, confidence=confidence)
        if effect.interval is None:
            continue
        wider = function(*scores, confidence=0.999).interval
        slack = 1e-9 * (1 + abs(effect.estimate))
        assert effect.interval.low - slack <= effect.estimate <= effect.interval.high + slack
        assert wider.low - slack <= effect.interval.low
        assert effect.interval.high <= wider.high + slack


@common
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_corrections_are_ordered_and_never_lower_a_p_value(pvalues):
    plain = np.array(pvalues)
    bonferroni, holm, bh = (
        adjust_pvalues(plain, method=method) for method in ("bonferroni", "holm", "bh")
    )
    assert np.all(plain <= bh + 1e-12)
    assert np.all(bh <= holm + 1e-12)
    assert np.all(holm <= bonferroni + 1e-12)
    order = np.argsort(plain)
    for adjusted in (bonferroni, holm, bh):
        assert np.all(np.diff(adjusted[order]) >= -1e-12)
