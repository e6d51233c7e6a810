"""Rough values of hybrids: within their bound of accurate ones, and without effect on a test."""

import numpy as np
import numpy.typing as npt
import pytest

from sigcore.meta.evaluation import evaluation_task
from sigcore.meta.hybrids import _moments, hybrid_differences
from sigcore.meta.screening import (
    _FAR,
    _FAR_ERROR,
    _FOURTH,
    _NORMAL,
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


@pytest.mark.parametrize("ratio", [0.0, 1e-3, 0.01, 0.03, 0.05, 0.09, 0.12, 0.17, 0.24, 0.3])
def test_rough_tail_is_within_its_bound(ratio: float) -> None:
    z = np.concatenate([np.linspace(-8.0, 8.0, 40_001), [-1e3, -40.0, 40.0, 1e3]])
    single = z.astype(np.float32)
    linear, cubic = (_NORMAL + ratio * _FOURTH).astype(np.float32)
    rough = 0.5 - 0.5 * _one_less_twice_tail(single, linear, cubic, np.empty_like(single))
    accurate = edgeworth_upper(single.astype(float), np.ones(len(z)), np.full(len(z), ratio))
    assert np.abs(rough - accurate).max() <= _tail_error(np.array(ratio))


def test_systems_far_apart_are_left_out() -> None:
    gold, metrics = simulated("apart", 14, 1300)
    task = evaluation_task(gold, metrics)
    masks = np.random.default_rng(9).integers(0, 2, size=(50, 1300)).astype(float)
    one, other = (
        screen(each.inside, each.total) for each in (_moments(task, m, masks) for m in (0, 1))
    )
    least = np.abs(one.half[0] + other.half[0]) - (one.reach[0] + other.reach[0])
    most_spread = one.half[1] + other.half[1] + one.reach[1] + other.reach[1]
    far = least > _FAR * np.sqrt(most_spread)
    assert far.sum() > 30
    # What people say of these pairs cannot change a difference.
    people = np.where(far, 0.123, task.gold_pvalues)
    np.testing.assert_array_equal(
        screened_differences(one, other, people)[0],
        screened_differences(one, other, task.gold_pvalues)[0],
    )


@pytest.mark.parametrize("ratio", [0.0, 0.1, 0.3])
def test_far_pairs_of_systems_have_no_tail_left(ratio: float) -> None:
    z = np.linspace(_FAR, 12.0, 7_001)
    tail = edgeworth_upper(z, np.ones(len(z)), np.full(len(z), ratio))
    assert tail.max() <= _FAR_ERROR


@pytest.mark.parametrize("kind", ["normal", "heavy", "coarse", "apart"])
@pytest.mark.parametrize("shape", [(3, 400), (9, 60), (14, 1300)])
def test_rough_values_are_within_their_bound(kind: str, shape: tuple[int, int]) -> None:
    gold, metrics = simulated(kind, *shape)
    task = evaluation_task(gold, metrics)
    masks = np.random.default_rng(9).integers(0, 2, size=(300, shape[1])).astype(float)
    screens = []
    for metric in range(4):
        moments = _moments(task, metric, masks)
        screens.append(screen(moments.inside, moments.total))
    n_bounded = 0
    for a, b in ((0, 1), (1, 2), (3, 0)):
        rough, error = screened_differences(screens[a], screens[b], task.gold_pvalues)
        if np.isfinite(error):
            accurate = hybrid_differences(task, [(a, b)], masks, ("spa",))["spa"][0]
            assert np.abs(rough - accurate).max() <= error
            n_bounded += 1
    # Heavy tails on few segments: hybrids may be far from the mean of both metrics.
    assert n_bounded or (kind, shape) == ("heavy", (9, 60))


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


def test_identical_systems_are_not_screened() -> None:
    gold, metrics = simulated("normal", 5, 200)
    metrics[:, 1] = metrics[:, 0]  # no difference left, in any hybrid
    task = evaluation_task(gold, metrics)
    masks = np.random.default_rng(1).integers(0, 2, size=(10, 200)).astype(float)
    one, other = (
        screen(each.inside, each.total) for each in (_moments(task, m, masks) for m in (0, 1))
    )
    assert screened_differences(one, other, task.gold_pvalues)[1] == float("inf")
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
