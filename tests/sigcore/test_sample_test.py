"""Hybrids of small samples against slow code, and the verdict against enumeration of all coins."""

from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import norm

from sigcore.meta.evaluation import evaluation_task
from sigcore.meta.hybrids import metric_values
from sigcore.meta.sample_test import SampleTest, hybrid_differences


def mid_p(difference):
    """Normal tail with the fourth-cumulant term; 0.5 without any difference."""
    square, fourth = (difference**2).sum(), (difference**4).sum()
    if square < 1e-12:
        return 0.5
    z = difference.sum() / np.sqrt(square)
    term = norm.pdf(z) * (-2 * fourth) / (24 * square**2) * (z**3 - 3 * z)
    return float(np.clip(norm.sf(z) + term, 0.0, 1.0))


def slow_score(gold, metric, meta):
    values = []
    for i, j in combinations(range(len(gold)), 2):
        people, own = gold[i] - gold[j], metric[i] - metric[j]
        if meta == "spa":
            values.append(1.0 - abs(mid_p(people) - mid_p(own)))
        else:
            sides = [0.0 if abs(d.sum()) < 1e-9 else np.sign(d.sum()) for d in (people, own)]
            values.append(float(sides[0] == sides[1]))
    return np.mean(values)


def slow_differences(scores, signs, meta):
    gold = scores[0]
    one, other = ((metric - metric.mean()) / metric.std() for metric in scores[1:])
    result = []
    for row in signs:
        hybrid, complement = np.where(row > 0, one, other), np.where(row > 0, other, one)
        result.append(slow_score(gold, hybrid, meta) - slow_score(gold, complement, meta))
    return np.array(result)


@pytest.fixture
def scores():
    rng = np.random.default_rng(5)
    gold = rng.integers(0, 4, size=(4, 7)).astype(float)
    metrics = gold + rng.normal(0.0, [[[0.5]], [[3.0]]], size=(2, 4, 7))
    metrics[1] = np.rint(metrics[1])
    return np.concatenate([gold[None], metrics])


@pytest.mark.parametrize("meta", ["spa", "pa"])
def test_differences_equal_slow_code_for_all_coins(scores, meta):
    signs = np.array(list(product((1.0, -1.0), repeat=7)))
    fast = hybrid_differences(scores, signs, meta)
    np.testing.assert_allclose(fast, slow_differences(scores, signs, meta), atol=1e-12)


@pytest.mark.parametrize("meta", ["spa", "pa"])
def test_swapping_the_metrics_turns_the_sign(scores, meta):
    signs = np.array(list(product((1.0, -1.0), repeat=7)))
    turned = hybrid_differences(scores[[0, 2, 1]], signs, meta)
    np.testing.assert_allclose(turned, -hybrid_differences(scores, signs, meta), atol=1e-12)


def test_observed_differences_are_those_of_compare_metrics():
    rng = np.random.default_rng(1)
    quality = rng.normal(0.0, 0.3, size=(6, 1)) + rng.normal(size=(6, 300))
    gold = np.rint(4.0 * quality)
    metrics = quality + rng.normal(0.0, [[[1.0]], [[2.0]]], size=(2, 6, 300))
    values = metric_values(evaluation_task(gold, metrics))
    scores, everything = np.concatenate([gold[None], metrics]), np.ones((1, 300))
    # People's p-values are exact there and from three sums here.
    spa = hybrid_differences(scores, everything, "spa")[0]
    assert spa == pytest.approx(values.spa[0] - values.spa[1], abs=1e-4)
    pa = hybrid_differences(scores, everything, "pa")[0]
    assert pa == pytest.approx((values.n_agree[0] - values.n_agree[1]) / 15, abs=1e-12)


def test_verdict_follows_the_enumerated_p_value(scores):
    signs = np.array(list(product((1.0, -1.0), repeat=7)))
    drawn = slow_differences(scores, signs, "spa")
    pvalue = np.mean(np.abs(drawn) >= abs(drawn[0]) - 1e-9)
    everyone, everything = np.arange(4), np.arange(7)
    rng = np.random.default_rng(0)
    strict = SampleTest(scores, "spa", pvalue * 0.7, 4000)
    assert strict.verdict(everyone, everything, rng) == 0
    lax = SampleTest(scores, "spa", pvalue * 1.3, 4000)
    assert lax.verdict(everyone, everything, rng) == np.sign(drawn[0])
    turned = SampleTest(scores[[0, 2, 1]], "spa", pvalue * 1.3, 4000)
    assert turned.verdict(everyone, everything, rng) == -np.sign(drawn[0])


def test_constant_and_identical_metrics_are_never_separated(scores):
    rng = np.random.default_rng(0)
    everyone, everything = np.arange(4), np.arange(7)
    same = scores[[0, 1, 1]]
    assert SampleTest(same, "spa", 0.99, 99).verdict(everyone, everything, rng) == 0
    constant = np.stack([scores[0], np.full((4, 7), 3.0), np.full((4, 7), 5.0)])
    assert SampleTest(constant, "pa", 0.99, 99).verdict(everyone, everything, rng) == 0
