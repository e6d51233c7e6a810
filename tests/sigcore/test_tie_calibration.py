"""acc_eq: golden values, every threshold tried in fractions, held-out thresholds, refusals."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from sigcore.errors import DegenerateDataWarning, InputError, MemoryLimitError
from sigcore.meta import tie_pairs
from sigcore.meta.grouping import GROUPINGS, group_scores
from sigcore.meta.tie_calibration import acc_eq, acc_eq_held_out, calibration_curve
from sigcore.meta.ties import kendall_tau

FloatArray = npt.NDArray[np.float64]


def made_up(
    shape: tuple[int, int], *, seed: int, gaps: float = 0.2, step: float | None = 1.0
) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    gold = -rng.integers(0, 4, size=shape).astype(float)
    metric = 2.0 * gold + rng.normal(0.0, 3.0, size=shape)
    if step is not None:
        metric = step * np.round(metric)
    gold[rng.random(shape) < gaps] = np.nan
    metric[rng.random(shape) < gaps / 2] = np.nan
    return gold, metric


def group_accuracy(gold: FloatArray, metric: FloatArray, epsilon: float) -> Fraction | None:
    """Share of concordant pairs and pairs tied for both, in one group."""
    rated = [(g, m) for g, m in zip(gold, metric, strict=True) if not np.isnan(g + m)]
    pairs = list(combinations(rated, 2))
    agree = 0
    for (g, m), (h, n) in pairs:
        sign = 0 if abs(m - n) <= epsilon else np.sign(m - n)
        agree += np.sign(g - h) == sign
    return Fraction(int(agree), len(pairs)) if pairs else None


def mean_accuracy(gold: FloatArray, metric: FloatArray, epsilon: float) -> Fraction:
    """Mean over columns that have a pair."""
    values = [group_accuracy(g, m, epsilon) for g, m in zip(gold.T, metric.T, strict=True)]
    defined = [value for value in values if value is not None]
    return sum(defined, Fraction(0)) / len(defined)


def all_thresholds(metric: FloatArray, gold: FloatArray) -> list[float]:
    rated = np.where(np.isnan(gold), np.nan, metric)
    distances = np.abs(rated[:, None] - rated)
    return sorted({0.0, *distances[~np.isnan(distances)].tolist()})


def best_by_enumeration(gold: FloatArray, metric: FloatArray) -> tuple[Fraction, float]:
    values = [(mean_accuracy(gold, metric, t), -t) for t in all_thresholds(metric, gold)]
    value, negated = max(values)
    return value, abs(negated)


def test_golden_values() -> None:
    score = acc_eq([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3])
    assert score.value == pytest.approx(0.7)
    score = acc_eq([1, 1, 1, 4], [0, 2, 6, 8])
    assert score.value == pytest.approx(4 / 6)
    assert score.extra["epsilon"] == 4
    assert acc_eq([1, 2, 3, 4], [0, 2, 6, 8]).extra["epsilon"] == 0


def test_golden_curve() -> None:
    # tau_optimization_test.py of mt-metrics-eval.
    curve = calibration_curve([1, 1, 1, 4], [0, 2, 6, 8])
    assert curve.thresholds.tolist() == [0, 2, 4, 6, 8]
    np.testing.assert_allclose(curve.accuracies, [3 / 6, 3 / 6, 4 / 6, 4 / 6, 3 / 6])


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("grouping", GROUPINGS)
def test_value_and_threshold_equal_enumeration(grouping: str, seed: int) -> None:
    shape = (4, 12) if grouping != "none" else (3, 8)
    gold, metric = made_up(shape, seed=seed, step=None if seed % 2 else 1.0)
    scores = group_scores(gold, metric, grouping)
    expected, epsilon = best_by_enumeration(scores.gold, scores.metric)
    score = acc_eq(gold, metric, grouping=grouping)
    assert score.value == pytest.approx(float(expected), abs=1e-15)
    assert score.extra["epsilon"] == epsilon


def test_curve_equals_enumeration() -> None:
    gold, metric = made_up((5, 15), seed=20)
    curve = calibration_curve(gold, metric)
    assert curve.thresholds.tolist() == all_thresholds(metric, gold)
    expected = [float(mean_accuracy(gold, metric, t)) for t in curve.thresholds]
    np.testing.assert_allclose(curve.accuracies, expected, atol=1e-15)
    assert acc_eq(gold, metric).value == pytest.approx(curve.accuracies.max(), abs=1e-15)


def test_value_is_that_of_accuracy_at_the_threshold() -> None:
    gold, metric = made_up((10, 300), seed=21, step=None)
    score = acc_eq(gold, metric)
    at_threshold = kendall_tau(gold, metric, variant="acc23", epsilon=score.extra["epsilon"])
    assert score.value == pytest.approx(at_threshold.value, abs=1e-15)
    assert score.n_used == at_threshold.n_used
    assert score.value > kendall_tau(gold, metric, variant="acc23").value


def test_large_sets_equal_their_curve() -> None:
    # Thousands of distances to a bucket, and the maximum is far from 0.
    rng = np.random.default_rng(22)
    gold = rng.integers(0, 2, size=(12, 400)).astype(float)
    metric = rng.normal(size=gold.shape) + 2.0 * gold
    metric[:, 0] *= 1e6
    score = acc_eq(gold, metric)
    curve = calibration_curve(gold, metric)
    assert score.extra["epsilon"] == curve.thresholds[np.argmax(curve.accuracies)] > 0
    assert score.value == pytest.approx(curve.accuracies.max(), abs=1e-15)


def test_unequal_groups_whose_common_multiple_is_huge_keep_the_best_threshold() -> None:
    rng = np.random.default_rng(23)
    gold, metric = rng.integers(0, 3, size=(2, 20, 120)).astype(float)
    metric += np.round(rng.normal(size=metric.shape), 2)
    for system in range(20):
        gold[system, : 2 * system + 1] = np.nan
    scores = group_scores(gold, metric, "system")
    pairs = tie_pairs.tie_pairs(scores, differences="float", max_memory=1e9)
    assert int((pairs.weights * pairs.n_pairs).sum()) < 2**62
    assert len(np.unique(pairs.weights * pairs.n_pairs)) > 1  # not exact proportions
    score = acc_eq(gold, metric, grouping="system")
    distances = np.unique(pairs.distances)
    means = [pairs.accuracies(float(t)).mean() for t in distances[:: len(distances) // 200]]
    assert score.value >= max(means) - 1e-15


def test_counts_of_what_was_used() -> None:
    nan = np.nan
    gold = np.array([[1, nan, 2, nan], [2, 1, 2, nan], [nan, nan, 3, nan]])
    metric = np.array([[1, 1, 1, 1], [2, 2, nan, 2], [3, 3, 3, 3]])
    score = acc_eq(gold, metric)
    assert (score.n_used, score.n_left_out, score.unit) == (2, 2, "items")
    assert score.extra["n_pairs"] == 2
    assert score.extra["n_scores_left_out"] == 7
    assert score.value == 1.0


def test_grid_makes_equal_distances_equal() -> None:
    # 0.3 - 0.2 < 0.2 - 0.1 in floats. The first is a gold tie, the second is concordant.
    gold = np.array([[5.0, 1.0], [5.0, 2.0]])
    metric = np.array([[0.2, 0.1], [0.3, 0.2]])
    assert acc_eq(gold, metric).value == 1.0
    score = acc_eq(gold, metric, differences="grid")
    assert score.value == 0.5
    assert score.extra["epsilon"] == 0.0
    turned = acc_eq(gold[:, ::-1], metric, differences="grid")
    assert turned.value == 0.5
    assert acc_eq([1.0, 1.0], [0.2, 0.3], differences="grid").extra["epsilon"] == pytest.approx(0.1)


def test_grid_changes_nothing_for_real_numbers_and_whole_ones() -> None:
    for step in (None, 1.0):
        gold, metric = made_up((6, 50), seed=24, step=step)
        assert acc_eq(gold, metric, differences="grid") == acc_eq(gold, metric)


def test_held_out_threshold_equals_enumeration_fold_by_fold() -> None:
    gold, metric = made_up((4, 12), seed=25)
    usable = (~np.isnan(gold + metric)).sum(axis=0) >= 2
    n_folds = int(usable.sum())
    # As many folds as items: each item is judged by the threshold of all others.
    items = np.flatnonzero(usable)
    values = []
    for item in items:
        others = np.setdiff1d(items, item)
        _, epsilon = best_by_enumeration(gold[:, others], metric[:, others])
        value = group_accuracy(gold[:, item], metric[:, item], epsilon)
        assert value is not None
        values.append(float(value))
    score = acc_eq_held_out(gold, metric, n_folds=n_folds)
    assert score.value == pytest.approx(np.mean(values), abs=1e-15)
    assert score.n_used == n_folds
    assert score.extra["in_sample"] == acc_eq(gold, metric).value


def test_held_out_value_depends_on_the_seed_only() -> None:
    gold, metric = made_up((6, 100), seed=26, step=None)
    one, again, other = (acc_eq_held_out(gold, metric, seed=seed) for seed in (0, 0, 1))
    assert one == again
    assert one != other


def test_held_out_value_is_lower_for_noise() -> None:
    # With people who tie at random and a metric that is noise, all that tuning finds is chance.
    rng = np.random.default_rng(27)
    gaps = []
    for _ in range(40):
        gold = rng.integers(0, 2, size=(5, 40)).astype(float)
        score = acc_eq_held_out(gold, rng.normal(size=gold.shape), n_folds=5)
        gaps.append(score.extra["in_sample"] - score.value)
    assert np.mean(gaps) > 4 * np.std(gaps) / np.sqrt(len(gaps)) > 0


def test_segments_of_a_document_share_their_fold() -> None:
    rng = np.random.default_rng(28)
    gold = rng.integers(0, 3, size=(5, 2)).astype(float)
    metric = rng.normal(size=(5, 2))
    doubled = [np.repeat(scores, 2, axis=1) for scores in (gold, metric)]
    # Leaving out a document of two equal segments is leaving out one of two segments.
    blocks = ["a", "a", "b", "b"]
    expected = acc_eq_held_out(gold, metric, n_folds=2)
    score = acc_eq_held_out(*doubled, n_folds=2, blocks=blocks)
    assert score.value == pytest.approx(expected.value)
    with pytest.warns(DegenerateDataWarning, match="3 folds need as many blocks with pairs; got 2"):
        acc_eq_held_out(*doubled, n_folds=3, blocks=blocks)


def test_nothing_to_compare_has_no_value() -> None:
    with pytest.warns(DegenerateDataWarning, match="acc_eq is undefined: there is no pair"):
        score = acc_eq([[1.0, 2.0]], [[1.0, 2.0]])
    assert np.isnan(score.value)
    assert (score.n_used, score.n_left_out) == (0, 2)
    with pytest.warns(DegenerateDataWarning, match="10 folds need as many items with pairs; got 1"):
        score = acc_eq_held_out([1.0, 2.0], [1.0, 2.0])
    assert np.isnan(score.value)
    assert calibration_curve([1.0], [1.0]).thresholds.size == 0


def test_too_many_pairs_are_refused_before_they_are_made() -> None:
    scores = np.arange(30_000.0).reshape(30, 1000)
    with pytest.raises(MemoryLimitError, match=r"449,985,000 pairs and needs about 43\.2 GB"):
        acc_eq(scores, scores, grouping="none")


def test_wrong_input_is_refused() -> None:
    with pytest.raises(InputError, match="`differences` must be one of 'float', 'grid'"):
        acc_eq([1, 2], [1, 2], differences="exact")
    with pytest.raises(InputError, match="`n_folds` must be at least 2; got 1"):
        acc_eq_held_out([[1, 2]], [[1, 2]], n_folds=1)
    with pytest.raises(InputError, match="`seed` must be at least 0"):
        acc_eq_held_out([[1, 2]], [[1, 2]], seed=-1)
    with pytest.raises(InputError, match="`blocks` must have one label for each of 2 segments"):
        acc_eq_held_out([[1, 2]], [[1, 2]], blocks=["a"])
