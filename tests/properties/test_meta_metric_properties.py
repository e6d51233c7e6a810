"""Laws that correlations and accuracies obey for any scores."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sigcore.meta.correlation import correlate_segments
from sigcore.meta.grouping import group_scores
from sigcore.meta.pair_counts import count_pairs
from sigcore.meta.pdp import pairwise_difference_pearson
from sigcore.meta.registry import META_METRICS
from sigcore.meta.score import MetaScore
from sigcore.meta.tie_calibration import acc_eq, calibration_curve
from sigcore.meta.ties import kendall_tau

FloatArray = npt.NDArray[np.float64]

SHAPE = (5, 8)
# Small whole numbers: their sums, products and multiples by powers of 2 are exact.
WHOLE = st.integers(-6, 6).map(float)
GAPPY = st.one_of(WHOLE, WHOLE, WHOLE, st.just(float("nan")))
SCORES = arrays(np.float64, SHAPE, elements=GAPPY)
SEGMENT_LEVEL = [
    name
    for name, entry in META_METRICS.items()
    if entry.level == "segment" and name not in ("acc-eq-heldout", "kendall-like")
]
ONLY_RANKS = [name for name in SEGMENT_LEVEL if name.startswith(("spearman", "tau"))]
CORRELATIONS = [name for name in SEGMENT_LEVEL if name not in ("acc-eq", "acc-23", "tau-23")]

pytestmark = pytest.mark.filterwarnings("ignore::sigcore.errors.DegenerateDataWarning")
law = settings(deadline=None, derandomize=True, max_examples=20)


def same(one: MetaScore, other: MetaScore) -> None:
    np.testing.assert_allclose(one.value, other.value, atol=1e-12)
    assert (one.n_used, one.n_left_out, one.reason) == (
        other.n_used,
        other.n_left_out,
        other.reason,
    )


@law
@given(SCORES, SCORES, st.permutations(range(5)), st.permutations(range(8)))
@pytest.mark.parametrize("name", SEGMENT_LEVEL)
def test_order_of_systems_and_items_does_not_matter(
    name: str, gold: FloatArray, metric: FloatArray, systems: list[int], items: list[int]
) -> None:
    moved = np.ix_(systems, items)
    same(META_METRICS[name](gold, metric), META_METRICS[name](gold[moved], metric[moved]))


@law
@given(SCORES, SCORES, st.sampled_from([0.25, 2.0, 1024.0]), st.sampled_from([-3.0, 0.0, 512.0]))
@pytest.mark.parametrize("name", SEGMENT_LEVEL)
def test_scale_and_shift_of_a_metric_do_not_matter(
    name: str, gold: FloatArray, metric: FloatArray, scale: float, shift: float
) -> None:
    same(META_METRICS[name](gold, metric), META_METRICS[name](gold, scale * metric + shift))


@law
@given(SCORES, SCORES)
@pytest.mark.parametrize("name", ONLY_RANKS)
def test_monotone_transformations_do_not_change_what_depends_on_ranks(
    name: str, gold: FloatArray, metric: FloatArray
) -> None:
    same(META_METRICS[name](gold, metric), META_METRICS[name](gold**3, np.exp(metric)))


@law
@given(SCORES, SCORES)
@pytest.mark.parametrize("name", CORRELATIONS)
def test_correlations_are_symmetric_and_change_sign_with_a_metric(
    name: str, gold: FloatArray, metric: FloatArray
) -> None:
    score = META_METRICS[name](gold, metric)
    same(score, META_METRICS[name](metric, gold))
    turned = META_METRICS[name](gold, -metric)
    np.testing.assert_allclose(turned.value, -score.value, atol=1e-12)
    assert np.isnan(score.value) or -1.0 <= score.value <= 1.0


@law
@given(SCORES, SCORES, st.sampled_from(["none", "item", "system"]), st.sampled_from([0.0, 2.0]))
def test_kinds_of_pairs_add_up_and_swap_with_gold_and_metric(
    gold: FloatArray, metric: FloatArray, grouping: str, epsilon: float
) -> None:
    scores = group_scores(gold, metric, grouping)
    counts = count_pairs(scores, epsilon=epsilon)
    assert counts.n_pairs.tolist() == scores.n_pairs.tolist()
    if epsilon == 0.0:
        swapped = count_pairs(group_scores(metric, gold, grouping))
        assert counts.gold_ties.tolist() == swapped.metric_ties.tolist()
        assert counts.concordant.tolist() == swapped.concordant.tolist()


@law
@given(SCORES, SCORES, st.floats(0.0, 12.0))
def test_no_threshold_beats_the_calibrated_one(
    gold: FloatArray, metric: FloatArray, epsilon: float
) -> None:
    best = acc_eq(gold, metric)
    fixed = kendall_tau(gold, metric, variant="acc23", epsilon=epsilon)
    assert np.isnan(best.value) or fixed.value <= best.value + 1e-12


@law
@given(arrays(np.float64, (4, 300), elements=WHOLE), st.integers(0, 2**31))
def test_buckets_do_not_change_the_best_threshold(gold: FloatArray, seed: int) -> None:
    rng = np.random.default_rng(seed)
    metric = gold + rng.normal(0.0, 4.0, size=gold.shape) * rng.choice([1e-9, 1.0, 1e9], size=300)
    curve = calibration_curve(gold, metric)
    score = acc_eq(gold, metric)
    assert score.extra["epsilon"] == curve.thresholds[np.argmax(curve.accuracies)]


@law
@given(SCORES, SCORES)
def test_an_item_that_people_tie_wholly_changes_no_correlation_within_items(
    gold: FloatArray, metric: FloatArray
) -> None:
    wider: list[Any] = [np.hstack([gold, np.ones((5, 1))]), np.hstack([metric, metric[:, :1]])]
    for coefficient in ("pearson", "spearman", "kendall"):
        options = {"coefficient": coefficient, "grouping": "item"}
        one = correlate_segments(gold, metric, **options)
        other = correlate_segments(*wider, **options)
        np.testing.assert_allclose(one.value, other.value, atol=1e-12)
        assert one.n_used == other.n_used


@law
@given(arrays(np.float64, SHAPE, elements=WHOLE), arrays(np.float64, SHAPE, elements=WHOLE))
def test_difference_pearson_of_complete_items_is_pearsons_of_centred_scores(
    gold: FloatArray, metric: FloatArray
) -> None:
    centred = [5.0 * scores - scores.sum(axis=0) for scores in (gold, metric)]
    one, other = pairwise_difference_pearson(gold, metric), correlate_segments(*centred)
    np.testing.assert_allclose(one.value, other.value, atol=1e-12)


@pytest.mark.parametrize("scale", [1e300, 1e200, 1e-200, 1e-300])
def test_scores_of_any_size_have_the_same_values(scale: float) -> None:
    rng = np.random.default_rng(1)
    gold = -np.round(rng.gamma(0.5, 4.0, (5, 40)), 1)
    metric = gold + rng.normal(0.0, 3.0, gold.shape)
    for name in ("spa", "pa", "pearson-sys", "pearson-seg", "tau-b-item", "acc-eq", "pdp"):
        expected = META_METRICS[name](gold, metric).value
        for scales in ((1.0, scale), (scale, 1.0), (scale, scale)):
            found = META_METRICS[name](scales[0] * gold, scales[1] * metric)
            assert found.value == pytest.approx(expected, abs=1e-9), (name, scales)
