"""Pairwise accuracy against counting by hand, Kendall's tau and exact fractions."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import kendalltau

from sigcore.errors import DegenerateDataWarning, InputError
from sigcore.meta.accuracy import (
    AccuracyResult,
    accuracy_from_pvalues,
    difference_signs,
    pairwise_accuracy,
    pool_accuracy,
    segment_accuracy,
)


def sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


def test_accuracy_counts_pairs_in_the_same_order() -> None:
    result = pairwise_accuracy([1, 2, 3, 4], [1, 3, 2, 4])
    assert (result.n_agree, result.n_pairs) == (5, 6)
    assert result.value == 5 / 6


def test_ties_agree_with_ties_only() -> None:
    # Golden: gold [1,2,3,3,4] and metric [1,1,2,1,2] agree on 5 of 10 pairs (mt-metrics-eval).
    result = pairwise_accuracy([1, 2, 3, 3, 4], [1, 1, 2, 1, 2])
    assert (result.n_agree, result.n_pairs) == (5, 10)
    assert pairwise_accuracy([1, 1], [5, 5]).value == 1.0


def test_accuracy_is_kendalls_tau_without_ties() -> None:
    rng = np.random.default_rng(0)
    gold, metric = rng.normal(size=(2, 15))
    tau = kendalltau(gold, metric).statistic
    assert pairwise_accuracy(gold, metric).value == pytest.approx((tau + 1) / 2)


def test_means_that_differ_by_rounding_errors_are_tied() -> None:
    assert pairwise_accuracy([0.1 + 0.2, 0.3], [1.0, 1.0]).value == 1.0


def test_segment_scores_on_a_grid_tie_exactly() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        scores = -rng.integers(0, 4, size=(6, 8)) / 10.0
        sums = [sum(Fraction(round(10 * value), 10) for value in row) for row in scores]
        expected = [sign(a - b) for a, b in combinations(sums, 2)]
        assert difference_signs(scores).tolist() == expected


def test_real_scores_with_equal_sums_are_tied() -> None:
    scores = np.array([[np.pi, np.e, 1.0], [np.e, 1.0, np.pi], [np.e, 1.0, np.pi + 1e-6]])
    assert difference_signs(scores).tolist() == [0, -1, -1]


def test_systems_are_compared_on_the_segments_they_share() -> None:
    gold = np.array([[1.0, 9.0, np.nan], [2.0, np.nan, 5.0], [0.0, 10.0, 7.0]])
    metric = np.array([[1.0, 1.0, 1.0], [2.0, 2.0, 2.0], [0.0, 3.0, 3.0]])
    # Pairs (0,1): segment 0; (0,2): segments 0, 1, gold tied; (1,2): segments 0, 2.
    result = segment_accuracy(gold, metric, missing="pairwise")
    assert (result.n_agree, result.n_pairs) == (1, 3)
    # Listwise all pairs are compared on segment 0.
    assert segment_accuracy(gold, metric).n_agree == 3


def test_a_missing_metric_score_drops_the_gold_score_too() -> None:
    gold = np.array([[1.0, 9.0], [2.0, 0.0]])
    metric = np.array([[1.0, np.nan], [2.0, 0.0]])
    assert segment_accuracy(gold, metric).value == 1.0


def test_pooling_is_a_micro_average() -> None:
    pooled = pool_accuracy([AccuracyResult(9, 10), AccuracyResult(1, 3)])
    assert (pooled.n_agree, pooled.n_pairs, pooled.value) == (10, 13, 10 / 13)


def test_binarised_p_values_follow_equation_3() -> None:
    gold = np.array([[np.nan, 0.2, 0.5], [0.0, np.nan, 0.9], [0.0, 0.0, np.nan]])
    metric = np.array([[np.nan, 0.4, 0.7], [1.0, np.nan, 0.1], [1.0, 1.0, np.nan]])
    # Sides (0, 1, 1) and (0, 1, 0): p = 0.5 counts as 1.
    assert accuracy_from_pvalues(gold, metric).n_agree == 2


def test_undefined_accuracies_are_nan_with_a_reason() -> None:
    with pytest.warns(DegenerateDataWarning, match="at least 2 systems; got 1"):
        result = pairwise_accuracy([1.0], [2.0])
    assert np.isnan(result.value)
    assert result.reason == "there must be at least 2 systems; got 1"
    with pytest.warns(DegenerateDataWarning, match="no segment has all scores"):
        segment_accuracy([[1.0, np.nan], [np.nan, 2.0]], [[1.0, 1.0], [1.0, 1.0]])
    with pytest.warns(DegenerateDataWarning, match="no pair of systems"):
        pool_accuracy([])
    with pytest.warns(DegenerateDataWarning, match="has no p-value"):
        accuracy_from_pvalues(np.full((2, 2), np.nan), np.ones((2, 2)))


def test_wrong_input_is_refused() -> None:
    with pytest.raises(InputError, match="one score for each system; got 2 and 3"):
        pairwise_accuracy([1, 2], [1, 2, 3])
    with pytest.raises(InputError, match="`gold` and `metric` must have the same shape"):
        segment_accuracy([[1.0, 2.0]], [[1.0]])
    with pytest.raises(InputError, match="must be square and of equal shape"):
        accuracy_from_pvalues(np.ones((2, 2)), np.ones((3, 3)))
