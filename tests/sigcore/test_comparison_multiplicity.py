import itertools
import math

import numpy as np
import pytest
from scipy import stats

from sigcore.comparison.multiplicity import adjust_pvalues, max_t_pvalues
from sigcore.comparison.replicability import partial_conjunction, replicability
from sigcore.errors import InputError


def test_benjamini_hochberg_agrees_with_scipy():
    pvalues = np.random.default_rng(42).random(50) ** 2
    expected = stats.false_discovery_control(pvalues)
    assert adjust_pvalues(pvalues, method="bh") == pytest.approx(expected)


def test_holm_rejects_step_by_step():
    rng = np.random.default_rng(43)
    for _ in range(50):
        pvalues = rng.random(6) ** 3
        rejected = np.zeros(6, dtype=bool)
        for step, index in enumerate(np.argsort(pvalues)):
            if pvalues[index] > 0.05 / (6 - step):
                break
            rejected[index] = True
        assert np.array_equal(adjust_pvalues(pvalues, method="holm") <= 0.05, rejected)


def test_order_is_kept_and_values_never_exceed_one():
    assert adjust_pvalues([0.9, 0.01, 0.5], method="holm").tolist() == [1.0, 0.03, 1.0]


@pytest.mark.parametrize("method", ["bonferroni", "holm", "bh"])
def test_tests_that_were_not_run_do_not_count(method):
    with_gap = adjust_pvalues([0.01, math.nan, 0.04], method=method)
    assert math.isnan(with_gap[1])
    assert with_gap[[0, 2]].tolist() == adjust_pvalues([0.01, 0.04], method=method).tolist()


def test_no_correction_leaves_p_values_as_they_are():
    assert adjust_pvalues([0.2, 0.1], method="none").tolist() == [0.2, 0.1]
    assert adjust_pvalues([], method="holm").tolist() == []


def enumerate_max_t(scores):
    """Single-step and step-down p-values from all sign patterns."""
    pairs = list(itertools.combinations(range(len(scores)), 2))
    d = np.array([scores[i] - scores[j] for i, j in pairs])
    scale = np.sqrt((d**2).sum(axis=1))
    signs = np.array(list(itertools.product((1, -1), repeat=d.shape[1])))
    drawn, observed = np.abs(signs @ d.T) / scale, np.abs(d.sum(axis=1)) / scale
    order = np.argsort(-observed)
    result, running = np.empty(len(pairs)), 0.0
    for step, index in enumerate(order):
        largest = drawn[:, order[step:]].max(axis=1)
        running = max(running, np.mean(largest >= observed[index] - 1e-12))
        result[index] = running
    return dict(zip(pairs, result, strict=True))


def test_max_t_agrees_with_all_sign_patterns():
    scores = np.random.default_rng(44).normal(size=(4, 9)) + np.array([[0], [0.3], [0.6], [1.2]])
    found = max_t_pvalues(scores, n_resamples=20_000)
    for (i, j), expected in enumerate_max_t(scores).items():
        assert found[i, j] == found[j, i] == pytest.approx(expected, abs=0.015)


def test_max_t_is_less_strict_than_bonferroni_on_correlated_tests():
    rng = np.random.default_rng(45)
    base = rng.normal(size=60)
    scores = np.stack([base + 0.12 + 0.3 * rng.normal(size=60), *(base + np.zeros((5, 60)))])
    scores[1:] += 0.01 * rng.normal(size=(5, 60))
    adjusted = max_t_pvalues(scores, n_resamples=2000)[0, 1]
    plain = stats.ttest_rel(scores[0], scores[1]).pvalue
    assert adjusted < 15 * plain


def test_identical_systems_have_p_one_also_in_max_t():
    x = np.random.default_rng(46).normal(size=20)
    found = max_t_pvalues(np.stack([x, x, x + 1]), n_resamples=99)
    assert found[0, 1] == 1.0
    assert found[0, 2] == 0.01


def test_one_sided_max_t_has_a_direction():
    x = np.random.default_rng(47).normal(size=30)
    scores = np.stack([x + 1, x])
    greater = max_t_pvalues(scores, alternative="greater", n_resamples=199)
    assert greater[0, 1] == 0.005
    assert greater[1, 0] == 1.0
    assert max_t_pvalues(scores, alternative="less", n_resamples=199)[1, 0] == 0.005


def test_max_t_refuses_gaps():
    with pytest.raises(InputError, match="must be complete"):
        max_t_pvalues([[1, 2], [np.nan, 3]])


def test_partial_conjunction_by_bonferroni_by_hand():
    found = partial_conjunction([0.02, 0.2, 0.001, 0.01])
    assert found == pytest.approx([0.004, 0.03, 0.04, 0.2])


def test_partial_conjunction_of_one_is_fishers_combination():
    pvalues = [0.02, 0.2, 0.03]
    found = partial_conjunction(pvalues, combination="fisher")
    assert found[0] == pytest.approx(stats.combine_pvalues(pvalues, method="fisher").pvalue)
    assert found[-1] == pytest.approx(0.2)


def test_partial_conjunction_never_falls():
    rng = np.random.default_rng(48)
    for combination in ("bonferroni", "fisher"):
        for _ in range(20):
            assert np.all(np.diff(partial_conjunction(rng.random(7), combination=combination)) >= 0)


def test_replicability_count_overestimates_rarely():
    rng = np.random.default_rng(49)
    for combination in ("bonferroni", "fisher"):
        z = rng.normal(size=(4000, 6))
        z[:, :2] += 5.0  # two real effects out of six
        pvalues = stats.norm.sf(z)
        counts = [replicability(row, combination=combination).count for row in pvalues]
        assert np.mean(np.array(counts) > 2) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 4000)
        assert np.mean(np.array(counts) >= 2) > 0.95


def test_replicability_names_datasets_by_holm_and_passes_over_gaps():
    found = replicability([0.001, math.nan, 0.6, 0.01])
    assert (found.count, found.datasets, found.n_datasets) == (2, (0, 3), 3)


def test_bad_p_values_are_refused():
    with pytest.raises(InputError, match="`pvalues` must lie between 0 and 1"):
        adjust_pvalues([0.5, 1.2])
    with pytest.raises(InputError, match="`pvalues` must be 1-dimensional"):
        partial_conjunction([[0.5]])
    with pytest.raises(InputError, match="`method` must be one of"):
        adjust_pvalues([0.5], method="sidak")


@pytest.mark.parametrize("combination", ["bonferroni", "fisher"])
def test_partial_conjunction_is_the_largest_p_value_of_any_subset(combination):
    rng = np.random.default_rng(95)
    for _ in range(300):
        pvalues = np.round(rng.uniform(0.01, 1.0, rng.integers(1, 6)) ** rng.integers(1, 4), 6)
        total, worst = len(pvalues), 0.0
        found = partial_conjunction(pvalues, combination=combination)
        for k in range(1, total + 1):
            for subset in itertools.combinations(pvalues, total - k + 1):
                combined = min(1.0, len(subset) * min(subset))
                if combination == "fisher":
                    combined = stats.combine_pvalues(subset, method="fisher").pvalue
                worst = max(worst, combined)
            assert found[k - 1] == pytest.approx(worst, rel=1e-9)


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_sided_max_t_agrees_with_all_sign_patterns(alternative):
    scores = np.random.default_rng(96).normal(size=(3, 9)) + np.array([[0.0], [0.5], [1.0]])
    pairs = list(itertools.permutations(range(3), 2))
    side = 1.0 if alternative == "greater" else -1.0
    d = side * np.array([scores[i] - scores[j] for i, j in pairs])
    d /= np.sqrt((d**2).sum(axis=1, keepdims=True))
    drawn = np.array(list(itertools.product((1, -1), repeat=9))) @ d.T
    order, last = np.argsort(-d.sum(axis=1)), 0.0
    found = max_t_pvalues(scores, alternative=alternative, n_resamples=9999)
    for step, pair in enumerate(order):
        largest = drawn[:, order[step:]].max(axis=1)
        last = max(last, float(np.mean(largest >= d[pair].sum() - 1e-9)))
        assert found[pairs[pair]] == pytest.approx(last, abs=4 * 0.5 / 99.99)


@pytest.mark.parametrize(
    ("combination", "low", "high"), [("bonferroni", 0.0, 0.06), ("fisher", 0.10, 0.17)]
)
def test_only_bonferronis_count_holds_for_dependent_datasets(combination, low, high):
    rng = np.random.default_rng(98)
    z = math.sqrt(0.8) * rng.normal(size=(2000, 1)) + math.sqrt(0.2) * rng.normal(size=(2000, 4))
    pvalues = stats.norm.sf(z)
    counts = [replicability(row, combination=combination).count for row in pvalues]
    assert low <= np.mean(np.array(counts) > 0) <= high


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_max_t_holds_its_level_where_some_systems_differ_and_scores_are_skewed(alternative):
    rng = np.random.default_rng(99)
    scale = np.array([1.0, 1.0, 1.0, 4.0, 4.0])[:, None]
    equal = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (3, 4), (4, 3)]
    wrong = 0
    for seed in range(400):
        scores = scale * rng.exponential(size=(5, 20))
        found = max_t_pvalues(scores, alternative=alternative, n_resamples=99, seed=seed)
        wrong += any(found[pair] <= 0.05 for pair in equal)
    # The largest count of 400 runs of level 0.05 that chance explains, once in 10,000 times.
    assert wrong <= stats.binom.ppf(0.9999, 400, 0.05)
