"""One interface to all meta-metrics."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from sigcore.errors import InputError
from sigcore.meta.accuracy import segment_accuracy
from sigcore.meta.registry import META_METRICS, meta_metric
from sigcore.meta.score import MetaScore
from sigcore.meta.spa import soft_pairwise_accuracy

FloatArray = npt.NDArray[np.float64]
OPTIONS: dict[str, dict[str, Any]] = {
    "kendall-like": {"threshold": 1.0},
    "spa": {"method": "exact"},
}


@pytest.fixture(name="scores")
def make_scores() -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(0)
    gold = -rng.integers(0, 5, size=(7, 40)).astype(float)
    return gold, gold + rng.normal(0.0, 2.0, size=gold.shape)


@pytest.mark.parametrize("name", META_METRICS)
def test_every_meta_metric_takes_scores_and_returns_a_meta_score(
    name: str, scores: tuple[FloatArray, FloatArray]
) -> None:
    entry = META_METRICS[name]
    assert entry.name == name
    assert entry.title
    assert entry.level in ("system", "segment")
    score = entry(*scores, **OPTIONS.get(name, {}))
    assert isinstance(score, MetaScore)
    assert entry.lowest < score.value < 1.0
    assert score.n_used > 0
    assert score.reason == ""
    assert all(isinstance(value, float) for value in score.extra.values())


@pytest.mark.parametrize("name", META_METRICS)
def test_a_metric_equal_to_the_gold_has_the_highest_value(name: str) -> None:
    # Without ties, so that tau-c can reach 1.
    gold = np.random.default_rng(1).permutation(280.0 * np.arange(1, 281) % 281).reshape(7, 40)
    options = OPTIONS.get(name, {})
    assert META_METRICS[name](gold, gold, **options).value == pytest.approx(1.0, abs=1e-12)
    if META_METRICS[name].lowest == -1.0:
        assert META_METRICS[name](gold, -gold, **options).value == pytest.approx(-1.0, abs=1e-12)


@pytest.mark.parametrize("name", META_METRICS)
def test_gaps_are_counted_or_left_out(name: str, scores: tuple[FloatArray, FloatArray]) -> None:
    gold, metric = scores[0].copy(), scores[1].copy()
    gold[:, 0] = np.nan
    metric[2, 1] = np.nan
    kept = META_METRICS[name](gold, metric, **OPTIONS.get(name, {}))
    assert np.isfinite(kept.value)
    # A segment that nobody rated might as well not be there.
    without = META_METRICS[name](gold[:, 1:], metric[:, 1:], **OPTIONS.get(name, {}))
    if name != "acc-eq-heldout":  # other items, other folds
        assert kept.value == pytest.approx(without.value, abs=1e-12)
    assert kept.n_used == without.n_used


@pytest.mark.parametrize("name", META_METRICS)
def test_order_in_memory_does_not_matter(name: str, scores: tuple[FloatArray, FloatArray]) -> None:
    options = OPTIONS.get(name, {})
    turned = [np.asfortranarray(matrix) for matrix in scores]
    assert META_METRICS[name](*scores, **options) == META_METRICS[name](*turned, **options)


def test_spa_and_pa_are_those_of_their_modules(scores: tuple[FloatArray, FloatArray]) -> None:
    spa = META_METRICS["spa"](*scores, method="mtme", seed=3)
    assert spa.value == soft_pairwise_accuracy(*scores, method="mtme", seed=3).value
    assert (spa.n_used, spa.n_left_out, spa.unit) == (21, 0, "system pairs")
    assert spa.extra == {"n_segments": 40.0, "n_segments_left_out": 0.0}
    accuracy = META_METRICS["pa"](*scores)
    assert accuracy.value == segment_accuracy(*scores).value
    assert (accuracy.n_used, accuracy.n_left_out) == (21, 0)


@pytest.mark.filterwarnings("ignore::sigcore.errors.DegenerateDataWarning")
@pytest.mark.parametrize("name", META_METRICS)
def test_one_system_or_no_scores_give_nan_with_a_reason(name: str) -> None:
    empty = META_METRICS[name](np.full((3, 4), np.nan), np.ones((3, 4)))
    assert np.isnan(empty.value)
    assert empty.reason
    assert empty.n_used == 0
    if not name.endswith(("-seg", "-by-system")):
        lonely = META_METRICS[name]([[1.0, 2.0, 4.0]], [[1.0, 3.0, 2.0]])
        assert np.isnan(lonely.value)
        assert lonely.reason


def test_values_are_mapped_to_the_unit_range_for_averages() -> None:
    assert meta_metric("pearson-seg").in_unit_range(-0.5) == 0.25
    assert meta_metric("acc-eq").in_unit_range(0.6) == 0.6


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(InputError, match=r"`meta` must be one of spa, pa, pearson-sys.*got 'acc'"):
        meta_metric("acc")


@pytest.mark.parametrize("name", ["spa", "pa"])
def test_segments_that_some_pair_of_systems_shares_are_counted(name: str) -> None:
    # Each system lacks a segment of its own, none has the fifth, one alone has the sixth.
    gold = np.random.default_rng(2).normal(size=(4, 9))
    gold[range(4), range(4)] = np.nan
    gold[:, 4], gold[1:, 5] = np.nan, np.nan
    counted = META_METRICS[name](gold, gold, missing="pairwise").extra
    assert (counted["n_segments"], counted["n_segments_left_out"]) == (7, 2)
    listwise = META_METRICS[name](gold, gold).extra
    assert (listwise["n_segments"], listwise["n_segments_left_out"]) == (3, 6)
