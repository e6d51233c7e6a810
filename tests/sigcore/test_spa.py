"""Soft Pairwise Accuracy: golden values, enumeration, and the conventions about ties and gaps."""

from itertools import combinations, product

import numpy as np
import numpy.typing as npt
import pytest

from sigcore.errors import DegenerateDataWarning, InputError
from sigcore.meta.spa import soft_pairwise_accuracy, spa_components, spa_from_pvalues

FloatArray = npt.NDArray[np.float64]
GOLD = np.array([[1.0, 2.0, 3.0], [2.0, 3.0, 4.0]])
METRIC = np.array([[2.0, 2.0, 4.0], [1.0, 3.0, 5.0]])


def enumerated_spa(gold: FloatArray, metric: FloatArray, ties: str) -> float:
    """Equation 1 with p-values over all signs; integers only."""
    signs = np.array(list(product((1, -1), repeat=gold.shape[1])))
    distances = []
    for i, j in combinations(range(len(gold)), 2):
        values = []
        for scores in (gold, metric):
            difference = scores[i] - scores[j]
            sums = signs @ difference
            above, equal = np.mean(sums > difference.sum()), np.mean(sums == difference.sum())
            values.append(above + equal * (0.5 if ties == "mid" else 1.0))
        distances.append(abs(values[0] - values[1]))
    return 1.0 - float(np.mean(distances))


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({"ties": "ge"}, 0.875),
        ({"ties": "mid"}, 0.75),
        # mt-metrics-eval, pce.compute_one_minus_pce on these matrices with its defaults.
        ({"method": "mtme", "n_resamples": 1000, "seed": 4}, 0.872),
    ],
)
def test_golden_values(options: dict[str, object], value: float) -> None:
    result = soft_pairwise_accuracy(GOLD, METRIC, **options)  # type: ignore[arg-type]
    assert result.value == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("ties", ["ge", "mid"])
def test_value_equals_enumeration(ties: str) -> None:
    rng = np.random.default_rng(0)
    gold, metric = rng.integers(0, 6, size=(2, 5, 8)).astype(float)
    result = soft_pairwise_accuracy(gold, metric, ties=ties)
    assert result.value == pytest.approx(enumerated_spa(gold, metric, ties), abs=1e-12)
    assert result.gold.method == "exact"


@pytest.mark.filterwarnings("ignore::sigcore.errors.ApproximationWarning")
def test_a_metric_equal_to_the_gold_scores_one() -> None:
    scores = np.random.default_rng(1).integers(0, 9, size=(6, 40)).astype(float)
    for method in ("auto", "exact", "analytic", "monte-carlo", "mtme"):
        assert soft_pairwise_accuracy(scores, scores, method=method).value == 1.0


def test_independent_signs_lower_the_value_of_the_gold_itself() -> None:
    # definitions: 0.986 to 0.990 with independent signs at 1000 draws, 1 with shared ones.
    scores = np.random.default_rng(2).normal(size=(10, 300))
    for method in ("monte-carlo", "mtme"):
        result = soft_pairwise_accuracy(scores, scores, method=method, shared_signs=False)
        assert 0.97 < result.value < 1.0
        assert result.gold.seed != result.metric.seed


def test_components_average_to_the_value() -> None:
    rng = np.random.default_rng(3)
    result = soft_pairwise_accuracy(*rng.normal(size=(2, 5, 60)))
    components = result.components
    upper = np.triu_indices(5, 1)
    assert components[upper].mean() == pytest.approx(result.value)
    np.testing.assert_array_equal(components[upper], components.T[upper])
    assert np.isnan(np.diag(components)).all()


def test_gold_and_metric_use_the_same_segments() -> None:
    rng = np.random.default_rng(4)
    gold, metric = rng.integers(0, 9, size=(2, 4, 50)).astype(float)
    gappy_gold, gappy_metric = gold.copy(), metric.copy()
    gappy_gold[0, 3], gappy_metric[2, 7] = np.nan, np.nan
    kept = np.delete(np.arange(50), [3, 7])
    listwise = soft_pairwise_accuracy(gappy_gold, gappy_metric)
    assert listwise.value == soft_pairwise_accuracy(gold[:, kept], metric[:, kept]).value
    assert listwise.to_record()["n_segments_dropped"] == 2
    pairwise = soft_pairwise_accuracy(gappy_gold, gappy_metric, missing="pairwise")
    np.testing.assert_array_equal(pairwise.gold.n_segments, pairwise.metric.n_segments)
    assert pairwise.gold.n_segments[0, 2] == 48
    assert pairwise.gold.n_segments[1, 3] == 50


def test_record_says_how_the_value_was_found() -> None:
    record = soft_pairwise_accuracy(GOLD, METRIC, method="mtme").to_record()
    assert record["gold_method"] == "mtme"
    assert (record["ties"], record["n_resamples"], record["seed"]) == ("ge", 1000, 4)
    assert (record["n_systems"], record["n_pairs"], record["n_segments"]) == (2, 1, 3)
    assert record["error"] == pytest.approx(0.0106, abs=1e-4)


def test_blocks_reach_the_p_values() -> None:
    result = soft_pairwise_accuracy(GOLD, METRIC, blocks=["a", "a", "b"], ties="ge")
    assert result.gold.n_units == 2
    # Block differences -2, -1 (gold, p = 1) and 0, -1 (metric, p = 1).
    assert result.value == pytest.approx(1.0)


def test_one_system_has_no_value() -> None:
    with pytest.warns(DegenerateDataWarning, match="at least 2 systems; got 1"):
        result = soft_pairwise_accuracy([[1.0, 2.0]], [[1.0, 2.0]])
    assert np.isnan(result.value)
    assert result.reason == "there must be at least 2 systems; got 1"


def test_a_pair_without_p_value_has_no_value() -> None:
    gaps = np.array([[np.nan, 0.3], [0.7, np.nan]])
    with pytest.warns(DegenerateDataWarning, match="1 of 1 pairs of systems have no p-value"):
        assert np.isnan(spa_from_pvalues(gaps, np.full((2, 2), np.nan)))
    assert spa_from_pvalues(gaps, gaps) == 1.0


def test_wrong_input_is_refused() -> None:
    with pytest.raises(InputError, match="`gold` and `metric` must have the same shape"):
        soft_pairwise_accuracy(GOLD, METRIC[:, :2])
    with pytest.raises(InputError, match="must be square and of equal shape"):
        spa_components(np.ones((2, 3)), np.ones((2, 3)))
