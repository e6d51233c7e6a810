"""Correlations at system and segment level: scipy group by group, gaps, and ties of means."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from sigcore.errors import DegenerateDataWarning, InputError
from sigcore.meta.correlation import COEFFICIENTS, correlate_segments, correlate_systems
from sigcore.meta.grouping import group_scores

FloatArray = npt.NDArray[np.float64]
SCIPY: dict[str, Callable[..., Any]] = {
    "pearson": stats.pearsonr,
    "spearman": stats.spearmanr,
    "kendall": stats.kendalltau,
}


def made_up(*, seed: int, tied: bool) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    gold = -rng.integers(0, 4, size=(5, 60)).astype(float)
    metric = rng.normal(size=gold.shape) + 0.5 * gold
    if tied:
        metric = np.round(metric)
    gold[rng.random(gold.shape) < 0.3] = np.nan
    metric[rng.random(gold.shape) < 0.05] = np.nan
    return gold, metric


def scipy_by_group(
    gold: FloatArray, metric: FloatArray, coefficient: str, grouping: str
) -> list[float]:
    """Correlate each group with scipy; NaN where a vector is constant, nothing if too short."""
    scores = group_scores(gold, metric, grouping)
    values = []
    for column, other in zip(scores.gold.T, scores.metric.T, strict=True):
        rated = ~np.isnan(column)
        one, two = column[rated], other[rated]
        if len(one) < 2:
            continue
        constant = np.ptp(one) == 0 or np.ptp(two) == 0
        values.append(np.nan if constant else float(SCIPY[coefficient](one, two)[0]))
    return values


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("grouping", ["none", "item", "system"])
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_segment_level_is_the_mean_of_scipys_values(
    coefficient: str, grouping: str, tied: bool
) -> None:
    gold, metric = made_up(seed=0, tied=tied)
    values = scipy_by_group(gold, metric, coefficient, grouping)
    score = correlate_segments(gold, metric, coefficient=coefficient, grouping=grouping)
    assert score.value == pytest.approx(np.nanmean(values), abs=1e-13)
    if grouping != "none":
        assert score.n_used == np.count_nonzero(~np.isnan(values))
        assert score.n_used + score.n_left_out == {"item": 60, "system": 5}[grouping]
    zero = correlate_segments(
        gold, metric, coefficient=coefficient, grouping=grouping, undefined="zero"
    )
    assert zero.value == pytest.approx(np.nan_to_num(values).mean(), abs=1e-13)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_system_level_is_scipys_value_of_the_means(coefficient: str) -> None:
    rng = np.random.default_rng(1)
    gold, metric = rng.normal(size=(2, 9, 40))
    expected = SCIPY[coefficient](gold.mean(axis=1), metric.mean(axis=1))[0]
    score = correlate_systems(gold, metric, coefficient=coefficient)
    assert score.value == pytest.approx(expected, abs=1e-13)
    assert (score.n_used, score.n_left_out, score.unit) == (9, 0, "systems")
    assert score.extra == {"n_segments": 40.0, "n_segments_left_out": 0.0}
    of_means = correlate_systems(gold.mean(axis=1), metric.mean(axis=1), coefficient=coefficient)
    assert of_means.value == pytest.approx(expected, abs=1e-13)
    assert of_means.unit == "systems"


def test_means_are_over_the_segments_with_all_scores_or_over_those_of_each_system() -> None:
    gold, metric = made_up(seed=2, tied=False)
    missing = np.isnan(gold) | np.isnan(metric)
    complete = ~missing.any(axis=0)
    expected = np.corrcoef(gold[:, complete].mean(axis=1), metric[:, complete].mean(axis=1))
    score = correlate_systems(gold, metric)
    assert score.value == pytest.approx(expected[0, 1], abs=1e-12)
    assert score.extra["n_segments"] == complete.sum()
    means = [np.nanmean(np.where(missing, np.nan, scores), axis=1) for scores in (gold, metric)]
    available = correlate_systems(gold, metric, missing="available")
    assert available.value == pytest.approx(np.corrcoef(*means)[0, 1], abs=1e-12)


def test_equal_means_are_tied_although_sums_of_floats_differ() -> None:
    gold = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.1, 0.1, 0.1]])
    assert gold[0].sum() != gold[1].sum()
    metric = np.array([[2.0, 2, 2], [1, 1, 1], [0, 0, 0]])
    # Pairs: one tied in gold only, two concordant.
    expected = 2 / np.sqrt(2 * 3)
    assert correlate_systems(gold, metric, coefficient="kendall").value == pytest.approx(expected)
    # With gaps too: 0.2 is the mean of 0.1, 0.2, 0.3 and of 0.2 alone.
    gold[1] = [np.nan, 0.2, np.nan]
    score = correlate_systems(gold, metric, coefficient="kendall", missing="available")
    assert score.value == pytest.approx(expected)


def test_a_system_without_scores_is_left_out() -> None:
    gold = np.array([[1.0, 2], [2, 3], [4, 4], [np.nan, np.nan]])
    score = correlate_systems(gold, gold, missing="available")
    assert score.value == pytest.approx(1.0)
    assert (score.n_used, score.n_left_out) == (3, 1)
    with pytest.warns(DegenerateDataWarning, match="no segment has all scores"):
        score = correlate_systems(gold, gold)
    assert np.isnan(score.value)
    assert (score.n_used, score.n_left_out) == (0, 4)


def test_two_scores_correlate_exactly() -> None:
    gold, metric = [[0.1, 3.0], [0.7, 1.0]], [[5.0, 0.1], [9.0, 0.3]]
    for coefficient in COEFFICIENTS:
        score = correlate_segments(gold, metric, coefficient=coefficient, grouping="item")
        assert score.value == 0.0  # the mean of 1 and -1


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_very_small_and_very_large_scores_do_not_leave_the_range_of_floats(scale: float) -> None:
    rng = np.random.default_rng(3)
    gold, metric = rng.normal(size=(2, 20))
    expected = correlate_segments(gold, metric).value
    assert correlate_segments(scale * gold, metric).value == pytest.approx(expected, abs=1e-12)


def test_constant_scores_whose_mean_is_rounded_are_constant() -> None:
    assert sum([0.1] * 3) / 3 != 0.1
    with pytest.warns(DegenerateDataWarning, match="Pearson's r is undefined"):
        score = correlate_segments([0.1] * 3, [1, 2, 4])
    assert score.reason == "all gold or metric scores are equal"


def test_undefined_items_are_explained() -> None:
    with pytest.warns(DegenerateDataWarning):
        score = correlate_segments(
            [[1.0, 1.0], [np.nan, 1.0]], [[1.0, 1.0], [2.0, 2.0]], grouping="item"
        )
    assert score.reason == (
        "1 items have fewer than 2 scores, and in 1 all gold or metric scores are equal"
    )
    assert np.isnan(score.value)


def test_wrong_input_is_refused() -> None:
    with pytest.raises(InputError, match="`coefficient` must be one of 'pearson'"):
        correlate_segments([1, 2], [1, 2], coefficient="phi")
    with pytest.raises(InputError, match="`coefficient` must be one of 'pearson'"):
        correlate_systems([1, 2], [1, 2], coefficient="phi")
    with pytest.raises(InputError, match="`missing` must be one of 'listwise', 'available'"):
        correlate_systems([1, 2], [1, 2], missing="pairwise")
    with pytest.raises(InputError, match="must have the same shape"):
        correlate_systems([1, 2], [1, 2, 3])


def test_a_score_makes_a_flat_record() -> None:
    record = correlate_systems([[1, 2], [3, 5]], [[1, 2], [3, 5]]).to_record()
    assert record == {
        "value": 1.0,
        "unit": "systems",
        "n_used": 2,
        "n_left_out": 0,
        "reason": "",
        "n_segments": 2.0,
        "n_segments_left_out": 0.0,
    }
