"""Rough values of hybrids: within their bound of accurate ones, and without effect on a test."""

import numpy as np
import numpy.typing as npt
import pytest

from sigcore.meta.evaluation import EvaluationTask, evaluation_task
from sigcore.meta.hybrids import _from_near_to_far, _moments, hybrid_differences
from sigcore.meta.screening import (
    _FAR,
    _FAR_ERROR,
    Screen,
    _n_near,
    _one_less_twice_tail,
    _tail_error,
    screen,
    screened_differences,
)
from sigcore.meta.significance import compare_metrics
from sigcore.permutation.analytic import edgeworth_upper

FloatArray = npt.NDArray[np.float64]


def simulated(kind: str, n_systems: int, n_segments: int) -> tuple[FloatArray, FloatArray]:
    """Gold in whole steps, and four metrics with normal, heavy-tailed or coarse scores.

    With "apart", some systems are far better than others by every metric.
    """
    rng = np.random.default_rng(8)
    spread = 1.5 if kind == "apart" else 0.2
    quality = rng.normal(0.0, spread, size=(n_systems, 1)) + rng.normal(
        size=(n_systems, n_segments)
    )
    gold = np.rint(2.0 * quality)
    noise = rng.normal(size=(4, n_systems, n_segments)) * np.array([1, 1, 2, 4])[:, None, None]
    if kind == "heavy":
        noise = rng.standard_t(2.2, size=noise.shape)
    metrics = quality + noise
    return gold, np.rint(metrics) if kind == "coarse" else metrics


def screens_of(task: EvaluationTask, masks: FloatArray) -> tuple[list[Screen], FloatArray]:
    """Screens of all metrics, and what people say of the pairs of systems in their order."""
    moments = {metric: _moments(task, metric, masks) for metric in range(task.n_metrics)}
    order = _from_near_to_far(task, moments)
    screens = [screen(each.inside, each.total, order) for each in moments.values()]
    return screens, task.gold_pvalues[order]


def random_masks(n_draws: int, n_segments: int) -> FloatArray:
    drawn = np.random.default_rng(9).integers(0, 2, size=(n_draws, n_segments))
    return drawn.astype(np.float64)


@pytest.mark.parametrize(
    "ratio", [0.0, 1e-3, 0.01, 0.03, 0.05, 0.09, 0.12, 0.17, 0.24, 0.3, 0.5, 0.75, 1.0]
)
def test_rough_tail_is_within_its_bound(ratio: float) -> None:
    z = np.concatenate([np.linspace(-8.0, 8.0, 40_001), [-1e3, -40.0, 40.0, 1e3]])
    single = z.astype(np.float32)
    ratios = np.full(len(z), ratio, dtype=np.float32)
    rough = 0.5 - 0.5 * _one_less_twice_tail(single, ratios, np.empty_like(single))
    accurate = edgeworth_upper(single.astype(float), np.ones(len(z)), np.full(len(z), ratio))
    assert np.abs(rough - accurate).max() <= _tail_error(np.array(ratio))


def test_systems_far_apart_are_left_out() -> None:
    gold, metrics = simulated("apart", 14, 1300)
    task = evaluation_task(gold, metrics)
    (one, other, *_), people = screens_of(task, random_masks(50, 1300))
    low, high = one.low + other.low, one.high + other.high
    near = _n_near(low, high, 0.01 * high[1], 0.0)
    far = np.arange(task.n_pairs) >= near
    assert 30 < far.sum() < task.n_pairs
    assert (np.maximum(low[0], -high[0])[far] > _FAR * np.sqrt(high[1][far])).all()
    # What people say of these pairs cannot change a difference.
    np.testing.assert_array_equal(
        screened_differences(one, other, np.where(far, 0.123, people), floor=0.0)[0],
        screened_differences(one, other, people, floor=0.0)[0],
    )


@pytest.mark.parametrize("ratio", [0.0, 0.01, 0.03, 0.1, 0.3, 1.0])
def test_far_pairs_of_systems_have_hardly_any_tail_left(ratio: float) -> None:
    z = np.linspace(_FAR, 12.0, 8_001)
    tail = edgeworth_upper(z, np.ones(len(z)), np.full(len(z), ratio))
    assert tail.max() <= _FAR_ERROR


@pytest.mark.parametrize("kind", ["normal", "heavy", "coarse", "apart"])
@pytest.mark.parametrize("shape", [(3, 400), (9, 60), (14, 1300)])
def test_rough_values_are_within_their_bound(kind: str, shape: tuple[int, int]) -> None:
    gold, metrics = simulated(kind, *shape)
    task = evaluation_task(gold, metrics)
    masks = random_masks(300, shape[1])
    screens, people = screens_of(task, masks)
    for a, b in ((0, 1), (1, 2), (3, 0)):
        rough, error = screened_differences(screens[a], screens[b], people, floor=0.0)
        accurate = hybrid_differences(task, [(a, b)], masks, ("spa",))["spa"][0]
        assert (np.abs(rough - accurate) <= error).all()
        bounded = np.isfinite(error)
        assert bounded.mean() > 0.9
        assert error[bounded].max() < 0.01


def test_a_draw_whose_hybrid_nearly_vanishes_is_left_open() -> None:
    gold, metrics = simulated("normal", 3, 6)
    metrics[0, 1, :3] = metrics[0, 0, :3] + 1e-4  # two systems alike on one half by one metric
    metrics[1, 1, 3:] = metrics[1, 0, 3:] + 1e-4  # and on the other half by the other
    task = evaluation_task(gold, metrics)
    masks = np.array([[1, 1, 1, 0, 0, 0], [0, 1, 0, 1, 0, 1], [1, 0, 0, 0, 0, 1]], dtype=float)
    screens, people = screens_of(task, masks)
    rough, error = screened_differences(screens[0], screens[1], people, floor=0.0)
    accurate = hybrid_differences(task, [(0, 1)], masks, ("spa",))["spa"][0]
    assert np.isinf(error).tolist() == [True, False, False]
    assert (np.abs(rough - accurate) <= error).all()


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@pytest.mark.parametrize("kind", ["normal", "heavy", "coarse", "apart"])
@pytest.mark.parametrize("shape", [(2, 5), (6, 30), (12, 500)])
def test_p_values_are_those_without_rough_values(
    kind: str, shape: tuple[int, int], alternative: str
) -> None:
    gold, metrics = simulated(kind, *shape)
    metrics[3] = 2.0 * metrics[0] + 1.0  # a copy: every draw is a tie
    options = {"n_resamples": 400, "alternative": alternative, "meta": ("spa", "pa")}
    fast = compare_metrics(gold, metrics, **options)  # type: ignore[arg-type]
    full = compare_metrics(gold, metrics, keep_null=True, **options)  # type: ignore[arg-type]
    for meta in ("spa", "pa"):
        np.testing.assert_array_equal(fast[meta].pvalues, full[meta].pvalues)
    assert fast["spa"].pvalues[0, 3] == 1.0


@pytest.mark.parametrize("alike", [(0, 1, 2, 3), (0, 1), (0,)])
def test_systems_without_any_difference_leave_no_draw_open(alike: tuple[int, ...]) -> None:
    gold, metrics = simulated("normal", 5, 200)
    for metric in alike:
        metrics[metric, 1] = metrics[metric, 0]
    task = evaluation_task(gold, metrics)
    masks = random_masks(100, 200)
    screens, people = screens_of(task, masks)
    for a, b in ((0, 1), (0, 2), (2, 3)):
        rough, error = screened_differences(screens[a], screens[b], people, floor=0.0)
        accurate = hybrid_differences(task, [(a, b)], masks, ("spa",))["spa"][0]
        assert (error < 0.01).all()
        assert (np.abs(rough - accurate) <= error).all()
    fast = compare_metrics(gold, metrics, n_resamples=200)["spa"]
    full = compare_metrics(gold, metrics, n_resamples=200, keep_null=True)["spa"]
    np.testing.assert_array_equal(fast.pvalues, full.pvalues)


def test_p_values_do_not_depend_on_how_many_draws_are_in_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gold, metrics = simulated("coarse", 5, 40)
    whole = compare_metrics(gold, metrics, n_resamples=100)
    monkeypatch.setattr("sigcore.meta.hybrids._MOST_SUMS", 4 * 10 * 7)
    parts = compare_metrics(gold, metrics, n_resamples=100)
    for meta in ("spa", "pa"):
        np.testing.assert_array_equal(parts[meta].pvalues, whole[meta].pvalues)
