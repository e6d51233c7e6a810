"""Rough values of hybrids: within their bound of accurate ones, and without effect on a test."""

import numpy as np
import numpy.typing as npt
import pytest

from sigcore.meta.evaluation import evaluation_task
from sigcore.meta.hybrids import _moments, hybrid_differences
from sigcore.meta.screening import (
    _coefficients,
    _one_less_twice_tail,
    _tail_error,
    screen,
    screened_differences,
    screening_error,
)
from sigcore.meta.significance import compare_metrics
from sigcore.permutation.analytic import edgeworth_upper

FloatArray = npt.NDArray[np.float64]


def simulated(kind: str, n_systems: int, n_segments: int) -> tuple[FloatArray, FloatArray]:
    """Gold in whole steps, and four metrics with normal, heavy-tailed or coarse scores."""
    rng = np.random.default_rng(8)
    quality = rng.normal(0.0, 0.2, size=(n_systems, 1)) + rng.normal(size=(n_systems, n_segments))
    gold = np.rint(2.0 * quality)
    noise = rng.normal(size=(4, n_systems, n_segments)) * np.array([1, 1, 2, 4])[:, None, None]
    if kind == "heavy":
        noise = rng.standard_t(2.2, size=noise.shape)
    metrics = quality + noise
    return gold, np.rint(metrics) if kind == "coarse" else metrics


@pytest.mark.parametrize("ratio", [0.0, 1e-3, 0.01, 0.04, 0.09, 0.17, 0.3])
def test_rough_tail_is_within_its_bound(ratio: float) -> None:
    z = np.concatenate([np.linspace(-8.0, 8.0, 40_001), [-1e3, -40.0, 40.0, 1e3]])
    single = z.astype(np.float32)
    coefficients = _coefficients(np.array(ratio)).astype(np.float32)
    rough = 0.5 - 0.5 * _one_less_twice_tail(single, coefficients, np.empty_like(single))
    accurate = edgeworth_upper(single.astype(float), np.ones(len(z)), np.full(len(z), ratio))
    assert np.abs(rough - accurate).max() <= _tail_error(np.array(ratio))


@pytest.mark.parametrize("kind", ["normal", "heavy", "coarse"])
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
        error = screening_error(screens[a], screens[b])
        if np.isfinite(error):
            rough = screened_differences(screens[a], screens[b], task.gold_pvalues)
            accurate = hybrid_differences(task, [(a, b)], masks, ("spa",))["spa"][0]
            assert np.abs(rough - accurate).max() <= error
            n_bounded += 1
    # Heavy tails on few segments: hybrids may be far from the mean of both metrics.
    assert n_bounded or (kind, shape) == ("heavy", (9, 60))


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@pytest.mark.parametrize("kind", ["normal", "heavy", "coarse"])
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
    assert screening_error(one, other) == float("inf")
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
