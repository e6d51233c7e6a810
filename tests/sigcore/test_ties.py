"""Kendall's variants: golden values, scipy, enumeration of pairs, gaps and refusals."""

from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import kendalltau

from sigcore.errors import DegenerateDataWarning, InputError
from sigcore.meta.grouping import GROUPINGS, GroupedScores, group_scores
from sigcore.meta.pair_counts import PairCounts, count_pairs
from sigcore.meta.ties import TAU_VARIANTS, kendall_like, kendall_tau

FloatArray = npt.NDArray[np.float64]
KINDS = ("concordant", "discordant", "gold_ties", "metric_ties", "both_ties")
# Example of Deutsch, Foster and Freitag's code.
GOLD, METRIC = [1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3]


def with_gaps(shape: tuple[int, int], *, seed: int, levels: int) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    gold, metric = rng.integers(0, levels, size=(2, *shape)).astype(float)
    gold[rng.random(shape) < 0.2] = np.nan
    metric[rng.random(shape) < 0.1] = np.nan
    return gold, metric


def enumerate_pairs(gold: FloatArray, metric: FloatArray, epsilon: float) -> list[int]:
    """Count the five kinds of pairs of two vectors one by one."""
    counts = dict.fromkeys(KINDS, 0)
    rated = [(g, m) for g, m in zip(gold, metric, strict=True) if not np.isnan(g + m)]
    for (g, m), (h, n) in combinations(rated, 2):
        if abs(m - n) <= epsilon:
            counts["both_ties" if g == h else "metric_ties"] += 1
        elif g == h:
            counts["gold_ties"] += 1
        else:
            counts["concordant" if (g > h) == (m > n) else "discordant"] += 1
    return list(counts.values())


def as_rows(counts: PairCounts) -> list[list[int]]:
    return np.stack([getattr(counts, kind) for kind in KINDS], axis=1).tolist()


@pytest.mark.parametrize(
    ("variant", "value"), [("b", 0.316227766), ("c", 0.32), ("23", 0.2), ("acc23", 0.6)]
)
def test_golden_values(variant: str, value: float) -> None:
    assert kendall_tau(GOLD, METRIC, variant=variant).value == pytest.approx(value, abs=1e-9)


def test_golden_accuracy_with_a_threshold() -> None:
    assert kendall_tau(GOLD, METRIC, variant="acc23", epsilon=2).value == pytest.approx(0.4)


@pytest.mark.parametrize("grouping", GROUPINGS)
@pytest.mark.parametrize("epsilon", [0.0, 1.0])
@pytest.mark.parametrize("shape", [(6, 30), (3, 80), (1, 5), (5, 1)])
def test_counts_equal_enumeration(shape: tuple[int, int], epsilon: float, grouping: str) -> None:
    scores = group_scores(*with_gaps(shape, seed=0, levels=4), grouping)
    columns = zip(scores.gold.T, scores.metric.T, strict=True)
    expected = [enumerate_pairs(gold, metric, epsilon) for gold, metric in columns]
    counts = count_pairs(scores, epsilon=epsilon)
    assert as_rows(counts) == expected
    assert counts.n_pairs.tolist() == scores.n_pairs.tolist()


def test_counts_by_sorting_equal_counts_by_comparing() -> None:
    rng = np.random.default_rng(1)
    gold, metric = rng.integers(0, 50, size=(2, 400, 3)).astype(float)
    gold[rng.random(gold.shape) < 0.1] = np.nan
    scores = group_scores(gold, metric, "item")
    # Distances of whole numbers up to 0.5 are 0, but a threshold makes all pairs be compared.
    assert as_rows(count_pairs(scores)) == as_rows(count_pairs(scores, epsilon=0.5))


def test_zeros_of_both_signs_are_equal() -> None:
    zeros = np.resize([0.0, -0.0], 100)
    counts = count_pairs(GroupedScores(zeros[:, None], zeros[::-1, None].copy(), "none"))
    assert as_rows(counts) == [[0, 0, 0, 0, 4950]]


@pytest.mark.parametrize("variant", ["b", "c"])
@pytest.mark.parametrize("n", [12, 300])
def test_tau_b_and_tau_c_equal_those_of_scipy(variant: str, n: int) -> None:
    rng = np.random.default_rng(n)
    gold, metric = rng.integers(0, 6, size=n), rng.integers(0, 9, size=n)
    expected = kendalltau(gold, metric, variant=variant).statistic
    score = kendall_tau(gold, metric, variant=variant)
    assert score.value == pytest.approx(expected, abs=1e-14)
    assert (score.n_used, score.n_left_out, score.unit) == (n, 0, "scores")


def test_average_is_over_items_with_two_scores_and_two_values() -> None:
    gold = np.array([[1, 1, np.nan, 3], [2, 1, 2, 1], [3, 1, np.nan, 2]])
    metric = np.array([[1, 1, 1, 1], [2, 2, 2, 2], [3, 3, 3, np.nan]])
    score = kendall_tau(gold, metric, variant="b")
    # Items: tau 1; gold constant; one score; tau -1.
    assert score.value == 0.0
    assert (score.n_used, score.n_left_out, score.unit) == (2, 2, "items")
    assert score.extra == {"n_short": 1.0, "n_constant": 1.0, "n_scores_left_out": 3.0}
    assert kendall_tau(gold, metric, variant="b", undefined="zero").n_used == 3
    # Accuracy is defined where tau is not.
    assert kendall_tau(gold, metric, variant="acc23").value == pytest.approx(1 / 3)


def test_tau_23_is_accuracy_on_another_scale() -> None:
    gold, metric = with_gaps((6, 40), seed=2, levels=5)
    for epsilon in (0.0, 1.0):
        accuracy = kendall_tau(gold, metric, variant="acc23", epsilon=epsilon)
        tau = kendall_tau(gold, metric, variant="23", epsilon=epsilon)
        assert tau.value == pytest.approx(2 * accuracy.value - 1, abs=1e-14)


@pytest.mark.parametrize("grouping", GROUPINGS)
@pytest.mark.parametrize("threshold", [0.0, 1.0, 2.0])
def test_kendall_like_equals_enumeration(grouping: str, threshold: float) -> None:
    gold, metric = with_gaps((5, 20), seed=3, levels=5)
    scores = group_scores(gold, metric, grouping)
    n_concordant = n_pairs = 0
    for column, other in zip(scores.gold.T, scores.metric.T, strict=True):
        for (g, m), (h, n) in combinations(zip(column, other, strict=True), 2):
            if abs(g - h) >= threshold:
                n_pairs += 1
                n_concordant += (g - h) * (m - n) > 0
    score = kendall_like(gold, metric, threshold=threshold, grouping=grouping)
    assert score.value == pytest.approx((2 * n_concordant - n_pairs) / n_pairs)
    assert (score.n_used, score.unit) == (n_pairs, "pairs")
    assert score.n_used + score.n_left_out == scores.n_possible_pairs


@pytest.mark.parametrize("variant", ["b", "c"])
def test_constant_scores_have_no_tau(variant: str) -> None:
    with pytest.warns(DegenerateDataWarning, match=f"tau-{variant} is undefined"):
        score = kendall_tau([1, 1, 1], [1, 2, 3], variant=variant)
    assert np.isnan(score.value)
    assert score.reason == "all gold or metric scores are equal"
    assert (score.n_used, score.n_left_out) == (0, 3)
    assert kendall_tau([1, 1, 1], [1, 2, 3], variant=variant, undefined="zero").value == 0.0


def test_too_few_scores_have_no_tau() -> None:
    with pytest.warns(DegenerateDataWarning, match="there are fewer than 2 scores"):
        kendall_tau([1.0, np.nan], [1.0, 2.0])
    with pytest.warns(DegenerateDataWarning, match="2 items have fewer than 2 scores"):
        score = kendall_tau([[1.0, 2.0]], [[1.0, 2.0]])
    assert np.isnan(score.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"variant": "d"}, "`variant` must be one of 'b', 'c', '23', 'acc23'; got 'd'"),
        ({"grouping": "segment"}, "`grouping` must be one of 'none', 'item', 'system'"),
        ({"undefined": "drop"}, "`undefined` must be one of 'leave-out', 'zero'"),
        ({"epsilon": -1.0}, "`epsilon` must be 0 or larger; got -1.0"),
        ({"epsilon": float("nan")}, "`epsilon` must be finite; got nan"),
        ({"variant": "c", "epsilon": 1.0}, "`epsilon` must be 0 for tau-c; got 1.0"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        kendall_tau(GOLD, METRIC, **options)


def test_wrong_scores_are_refused() -> None:
    with pytest.raises(InputError, match=r"same shape; got \(2,\) and \(3,\)"):
        kendall_tau([1, 2], [1, 2, 3])
    with pytest.raises(InputError, match=r"same shape; got \(1, 2\) and \(2, 1\)"):
        kendall_tau([[1, 2]], [[1], [2]])
    with pytest.raises(InputError, match="`metric` must be 2-dimensional"):
        kendall_tau([[1, 2]], [1, 2])
    with pytest.raises(InputError, match="`gold` must contain numbers only"):
        kendall_tau([[1, 2], [3]], [[1, 2], [3, 4]])
    with pytest.raises(InputError, match="`metric` must not contain infinity"):
        kendall_tau([1, 2], [1, np.inf])
    with pytest.raises(InputError, match="`threshold` must be 0 or larger; got -1"):
        kendall_like(GOLD, METRIC, threshold=-1)


def test_all_variants_are_listed() -> None:
    assert TAU_VARIANTS == ("b", "c", "23", "acc23")
