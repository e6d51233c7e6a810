"""SPA and PA with missing scores against plain loops over segments and all 2^n assignments."""

import warnings
from itertools import combinations, product

import numpy as np
import numpy.typing as npt
import pytest

from sigcore.errors import DegenerateDataWarning
from sigcore.meta.ceiling import human_ceiling
from sigcore.meta.registry import META_METRICS

FloatArray = npt.NDArray[np.float64]


def random_scores(seed: int) -> tuple[FloatArray, FloatArray]:
    """Return gold and metric, small whole numbers with many ties and gaps of their own."""
    rng = np.random.default_rng(seed)
    shape = (int(rng.integers(2, 5)), int(rng.integers(1, 8)))
    matrices = rng.integers(-4, 5, (2, *shape)).astype(np.float64)
    for matrix in matrices:
        matrix[rng.random(shape) < rng.choice([0.0, 0.1, 0.3])] = np.nan
    return matrices[0], matrices[1]


def shared_segments(gold: FloatArray, metric: FloatArray, systems: list[int]) -> list[int]:
    return [
        segment
        for segment in range(gold.shape[1])
        if not any(
            np.isnan(scores[system, segment]) for scores in (gold, metric) for system in systems
        )
    ]


def mid_p(differences: list[float]) -> float:
    observed = sum(differences)
    sums = [
        sum(sign * difference for sign, difference in zip(signs, differences, strict=True))
        for signs in product((1, -1), repeat=len(differences))
    ]
    return sum(1.0 if total > observed else 0.5 * (total == observed) for total in sums) / len(sums)


def by_loops(gold: FloatArray, metric: FloatArray, missing: str) -> tuple[float, float]:
    """Return SPA and PA; NaN if two systems share no segment."""
    soft, plain = [], []
    for pair in combinations(range(len(gold)), 2):
        systems = list(pair) if missing == "pairwise" else list(range(len(gold)))
        segments = shared_segments(gold, metric, systems)
        if not segments:
            return np.nan, np.nan
        first, second = (
            [float(scores[pair[0], n] - scores[pair[1], n]) for n in segments]
            for scores in (gold, metric)
        )
        soft.append(1.0 - abs(mid_p(first) - mid_p(second)))
        plain.append(np.sign(sum(first)) == np.sign(sum(second)))
    return float(np.mean(soft)), float(np.mean(plain))


@pytest.mark.parametrize("missing", ["listwise", "pairwise"])
def test_scores_with_gaps_are_those_of_plain_loops(missing: str) -> None:
    for seed in range(60):
        gold, metric = random_scores(seed)
        expected = by_loops(gold, metric, missing)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DegenerateDataWarning)
            found = [META_METRICS[name](gold, metric, missing=missing) for name in ("spa", "pa")]
        np.testing.assert_allclose([score.value for score in found], expected, atol=1e-12)
        if not np.isnan(expected[0]):
            n_listwise = len(shared_segments(gold, metric, list(range(len(gold)))))
            counts = [score.extra["n_segments"] for score in found]
            assert missing == "pairwise" or counts == [n_listwise, n_listwise]


@pytest.mark.parametrize("missing", ["listwise", "pairwise"])
def test_the_human_ceiling_with_gaps_is_that_of_plain_loops(missing: str) -> None:
    n_checked = 0
    for seed in range(60):
        first, second = random_scores(seed)
        expected = by_loops(first, second, missing)
        if not np.isnan(expected[0]):
            found = human_ceiling(first, second, missing=missing)
            assert (found.spa, found.pa) == pytest.approx(expected, abs=1e-12)
            n_checked += 1
    assert n_checked > 30
