"""Bootstrap of segments against repeated segments scored anew, and against all samples."""

from itertools import combinations, product

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import norm

from sigcore.errors import InputError
from sigcore.meta import segment_bootstrap
from sigcore.meta.accuracy import segment_accuracy
from sigcore.meta.segment_bootstrap import bootstrap_segments
from sigcore.meta.spa import soft_pairwise_accuracy
from sigcore.seeding import generator

FloatArray = npt.NDArray[np.float64]


def mid_p(difference: FloatArray) -> float:
    """Normal tail with the fourth-cumulant term; 0.5 without any difference."""
    square, fourth = (difference**2).sum(), (difference**4).sum()
    if square == 0:
        return 0.5
    z = difference.sum() / np.sqrt(square)
    term = norm.pdf(z) * (-2 * fourth) / (24 * square**2) * (z**3 - 3 * z)
    return float(np.clip(norm.sf(z) + term, 0.0, 1.0))


def slow_scores(gold: FloatArray, metric: FloatArray) -> tuple[float, float]:
    distances, agreements = [], []
    for i, j in combinations(range(len(gold)), 2):
        people, machine = gold[i] - gold[j], metric[i] - metric[j]
        distances.append(abs(mid_p(people) - mid_p(machine)))
        sums = [round(people.sum(), 9), round(machine.sum(), 9)]
        agreements.append(np.sign(sums[0]) == np.sign(sums[1]))
    return 1 - float(np.mean(distances)), float(np.mean(agreements))


@pytest.fixture
def tiny() -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(6)
    gold = rng.integers(0, 5, size=(4, 9)).astype(float)
    scores = gold + rng.normal(0.0, [[[1.0]], [[3.0]]], size=(2, 4, 9))
    scores[1] = np.rint(scores[1])
    return gold, scores


def test_samples_equal_segments_repeated_and_scored_anew(
    tiny: tuple[FloatArray, FloatArray],
) -> None:
    gold, scores = tiny
    result = bootstrap_segments(gold, scores, sizes=[5, 30], n_trials=60, seed=3, purpose=("p",))
    for column, size in enumerate((5, 30)):
        rng = generator(3, "bootstrap-segments", "p", str(size))
        samples = rng.integers(0, 9, size=(60, size))
        for index in (0, 1):
            drawn = np.array([slow_scores(gold[:, s], scores[index][:, s]) for s in samples])
            for row in (0, 1):
                values = drawn[:, row]
                assert result.mean[row, index, column] == pytest.approx(values.mean(), abs=1e-12)
                low, high = np.quantile(values, [0.025, 0.975])
                assert result.low[row, index, column] == pytest.approx(low, abs=1e-12)
                assert result.high[row, index, column] == pytest.approx(high, abs=1e-12)


def test_intervals_lie_around_those_of_all_samples() -> None:
    rng = np.random.default_rng(1)
    gold = rng.normal(size=(3, 4))
    scores = gold[None] + rng.normal(size=(1, 3, 4))
    samples = np.array(list(product(range(4), repeat=4)))
    everything = np.array([slow_scores(gold[:, s], scores[0][:, s]) for s in samples])
    result = bootstrap_segments(gold, scores, n_trials=20000, seed=0)
    assert result.sizes == (4,)
    for row in (0, 1):
        # Four standard errors of the mean of 20,000 samples.
        error = 4 * everything[:, row].std() / np.sqrt(20000)
        assert abs(result.mean[row, 0, 0] - everything[:, row].mean()) <= error
        for found, level in ((result.low, 0.025), (result.high, 0.975)):
            below, above = np.quantile(everything[:, row], [level - 0.01, level + 0.01])
            assert below - 1e-9 <= found[row, 0, 0] <= above + 1e-9


def test_values_are_those_of_the_whole_set(tiny: tuple[FloatArray, FloatArray]) -> None:
    rng = np.random.default_rng(2)
    gold = np.rint(rng.normal(size=(5, 1)) + 3 * rng.normal(size=(5, 300)))
    scores = gold[None] + rng.normal(0.0, 4.0, size=(2, 5, 300))
    result = bootstrap_segments(gold, scores, n_trials=2)
    for index, metric in enumerate(scores):
        exact = soft_pairwise_accuracy(gold, metric).value
        assert result.value[0, index] == pytest.approx(exact, abs=1e-4)
        assert result.value[1, index] == segment_accuracy(gold, metric).value


def test_more_segments_give_narrower_intervals() -> None:
    rng = np.random.default_rng(5)
    quality = rng.normal(0.0, 0.3, size=(6, 1)) + rng.normal(size=(6, 400))
    gold = quality + rng.normal(size=quality.shape)
    scores = (quality + rng.normal(size=quality.shape))[None]
    result = bootstrap_segments(gold, scores, sizes=[40, 160, 640], n_trials=300)
    width = (result.high - result.low)[:, 0]
    assert (np.diff(width, axis=1) < 0).all()
    assert (width[0] < width[1]).all()  # SPA is steadier than PA


def test_the_gold_itself_always_scores_one() -> None:
    gold = np.random.default_rng(0).integers(0, 9, size=(4, 50)).astype(float)
    result = bootstrap_segments(gold, gold[None], sizes=[1, 10, 50], n_trials=40)
    np.testing.assert_allclose(result.low, 1.0)
    np.testing.assert_allclose(result.mean, 1.0)


def test_samples_held_at_once_change_nothing(
    tiny: tuple[FloatArray, FloatArray], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = bootstrap_segments(*tiny, n_trials=30)
    monkeypatch.setattr(segment_bootstrap, "_SAMPLES", 7)
    parts = bootstrap_segments(*tiny, n_trials=30)
    np.testing.assert_allclose(whole.mean, parts.mean, atol=1e-12)
    np.testing.assert_allclose(whole.low, parts.low, atol=1e-12)


def test_segments_with_gaps_are_left_out(tiny: tuple[FloatArray, FloatArray]) -> None:
    gold, scores = tiny
    gappy_gold, gappy = gold.copy(), scores.copy()
    gappy_gold[0, 0], gappy[1, 2, 8] = np.nan, np.nan
    result = bootstrap_segments(gappy_gold, gappy, n_trials=20)
    kept = bootstrap_segments(gold[:, 1:8], scores[:, :, 1:8], n_trials=20)
    assert (result.n_segments, result.n_segments_dropped) == (7, 2)
    np.testing.assert_array_equal(result.mean, kept.mean)


def test_rows_have_every_metric_meta_metric_and_size(tiny: tuple[FloatArray, FloatArray]) -> None:
    result = bootstrap_segments(*tiny, metric_names=["x", "y"], sizes=[3, 9], n_trials=4)
    assert [(row["metric"], row["meta"], row["n_segments"]) for row in result.to_records()] == [
        (metric, meta, size) for metric in ("x", "y") for meta in ("spa", "pa") for size in (3, 9)
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sizes": []}, "`sizes` must not be empty"),
        ({"sizes": [0]}, "`sizes` must be at least 1"),
        ({"n_trials": 0}, "`n_trials` must be at least 1"),
        ({"metric_names": ["a", "a"]}, "`metric_names` must be 2 different names"),
    ],
)
def test_wrong_options_are_refused(
    tiny: tuple[FloatArray, FloatArray], options: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        bootstrap_segments(*tiny, **options)  # type: ignore[arg-type]
