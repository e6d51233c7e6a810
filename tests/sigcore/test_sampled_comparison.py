"""PERM-INPUTS with sampled p-values against slow code that mixes, signs and counts one by one."""

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from sigcore.errors import InputError
from sigcore.meta import sampled_comparison
from sigcore.meta.sampled_comparison import compare_metrics_sampled
from sigcore.meta.significance import compare_metrics
from sigcore.permutation.shared_signs import coin_flips
from sigcore.seeding import generator

FloatArray = npt.NDArray[np.float64]


def slow_count(scores: FloatArray, signs: FloatArray) -> list[int]:
    """For each pair of systems, the sign flips whose difference of sums reaches the observed."""
    counts = []
    for i, j in combinations(range(len(scores)), 2):
        difference = scores[i] - scores[j]
        sums = [float(np.dot(sign, difference)) for sign in signs]
        counts.append(sum(value >= difference.sum() - 1e-9 for value in sums))
    return counts


def slow_distance(people: list[int], scores: FloatArray, signs: FloatArray) -> int:
    return sum(abs(a - b) for a, b in zip(people, slow_count(scores, signs), strict=True))


@pytest.fixture
def tiny() -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(3)
    gold = rng.integers(-25, 1, size=(4, 40)).astype(float)
    scores = gold + rng.normal(0.0, [[[4.0]], [[9.0]], [[30.0]]], size=(3, 4, 40))
    # Standardised, a metric with a few large scores has far smaller other ones.
    scores[1, 0, 3] = -2000.0
    return gold, scores


def test_p_values_and_scores_equal_slow_code(tiny: tuple[FloatArray, FloatArray]) -> None:
    gold, scores = tiny
    result = compare_metrics_sampled(
        gold, scores, n_resamples=40, n_sign_flips=60, seed=2, purpose=("here",)
    )
    signs = 2.0 * coin_flips(generator(2, "sign-flips", "here"), 60, 40) - 1.0
    coins = coin_flips(generator(2, "perm-inputs", "here"), 40, 40).astype(float)
    people = slow_count(gold, signs)
    metrics = [(metric - metric.mean()) / metric.std() for metric in scores]
    distances = [slow_distance(people, metric, signs) for metric in metrics]
    np.testing.assert_allclose(result.scores, 1 - np.array(distances) / (60 * 6), atol=1e-15)
    for a, b in combinations(range(3), 2):
        count = 0
        for coin in coins:
            one = slow_distance(people, coin * metrics[a] + (1 - coin) * metrics[b], signs)
            other = slow_distance(people, (1 - coin) * metrics[a] + coin * metrics[b], signs)
            count += abs(one - other) >= abs(distances[a] - distances[b])
        assert result.pvalues[a, b] == result.pvalues[b, a] == count / 40


def test_many_sign_flips_come_close_to_analytic_p_values() -> None:
    rng = np.random.default_rng(8)
    quality = rng.normal(0.0, 0.3, size=(5, 1)) + rng.normal(size=(5, 150))
    gold = np.rint(3 * (quality + rng.normal(size=quality.shape)))
    scores = quality + rng.normal(0.0, [[[0.5]], [[1.5]], [[4.0]]], size=(3, *quality.shape))
    sampled = compare_metrics_sampled(gold, scores, n_sign_flips=4000, n_resamples=200)
    exact = compare_metrics(gold, scores, n_resamples=200, estimator="plain")["spa"]
    # The standard error of a sampled p-value is at most 0.008; both sides and ties add up.
    np.testing.assert_allclose(sampled.scores, exact.scores, atol=0.015)
    np.testing.assert_allclose(sampled.pvalues, exact.pvalues, atol=0.06)


def test_identical_metrics_are_never_different(tiny: tuple[FloatArray, FloatArray]) -> None:
    gold, scores = tiny
    copies = np.stack([scores[0], scores[0], scores[1]])
    result = compare_metrics_sampled(gold, copies, n_resamples=30, n_sign_flips=50)
    assert result.scores[0] == result.scores[1]
    assert result.pvalues[0, 1] == 1.0


def test_the_gold_as_a_metric_scores_one(tiny: tuple[FloatArray, FloatArray]) -> None:
    gold, scores = tiny
    result = compare_metrics_sampled(
        gold, np.stack([gold, scores[2]]), n_resamples=1, n_sign_flips=200
    )
    # Equal sums of the gold may be a rounding apart once it is standardised.
    assert result.scores[0] == pytest.approx(1.0, abs=0.02)


def test_draws_held_at_once_change_nothing(
    tiny: tuple[FloatArray, FloatArray], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = compare_metrics_sampled(*tiny, n_resamples=37, n_sign_flips=33)
    monkeypatch.setattr(sampled_comparison, "_CELLS", 7 * 3 * 4 * 33)
    parts = compare_metrics_sampled(*tiny, n_resamples=37, n_sign_flips=33)
    np.testing.assert_array_equal(whole.pvalues, parts.pvalues)


def test_sums_are_exact_in_single_precision() -> None:
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(3, 2000)) * 1e5
    whole = sampled_comparison._whole(scores)
    assert (whole == np.rint(whole)).all()
    assert np.abs(whole.astype(float)).sum(axis=1).max() * 8 < 2**24
    correlation = np.corrcoef(whole[0], scores[0])[0, 1]
    assert correlation == pytest.approx(1.0, abs=1e-5)


def test_segments_with_gaps_are_left_out(tiny: tuple[FloatArray, FloatArray]) -> None:
    gold, scores = tiny
    gappy_gold, gappy = gold.copy(), scores.copy()
    gappy_gold[0, 0], gappy[1, 2, 39] = np.nan, np.nan
    options = {"n_resamples": 20, "n_sign_flips": 30}
    result = compare_metrics_sampled(gappy_gold, gappy, **options)
    kept = compare_metrics_sampled(gold[:, 1:39], scores[:, :, 1:39], **options)
    assert result.n_segments == 38
    np.testing.assert_array_equal(result.pvalues, kept.pvalues)


def test_a_constant_metric_has_no_p_values(tiny: tuple[FloatArray, FloatArray]) -> None:
    gold, scores = tiny
    scores[1] = 7.0
    result = compare_metrics_sampled(gold, scores, n_resamples=10, n_sign_flips=20)
    assert np.isnan(result.pvalues[1]).all()
    assert np.isfinite(result.pvalues[0, 2])


def test_rows_name_both_directions(tiny: tuple[FloatArray, FloatArray]) -> None:
    result = compare_metrics_sampled(
        *tiny, metric_names=["x", "y", "z"], n_resamples=10, n_sign_flips=20
    )
    rows = result.to_records()
    assert len(rows) == 6
    assert (rows[0]["metric"], rows[0]["other"]) == ("x", "y")
    assert (rows[1]["metric"], rows[1]["other"]) == ("y", "x")
    assert rows[0]["difference"] == -rows[1]["difference"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric_names": ["a", "a", "b"]}, "`metric_names` must be 3 different names"),
        ({"n_resamples": 0}, "`n_resamples` must be at least 1"),
        ({"n_sign_flips": 0}, "`n_sign_flips` must be at least 1"),
    ],
)
def test_wrong_options_are_refused(
    tiny: tuple[FloatArray, FloatArray], options: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        compare_metrics_sampled(*tiny, **options)  # type: ignore[arg-type]
