"""System subsets against enumeration of all of them and against scores computed anew."""

from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import pearsonr

from sigcore.errors import InputError
from sigcore.evalset import EvalSet, Metric
from sigcore.meta.ablation import ablate_systems, agreement_terms
from sigcore.meta.accuracy import segment_accuracy
from sigcore.meta.records import pvalue_records
from sigcore.meta.spa import soft_pairwise_accuracy, spa_from_pvalues
from sigcore.permutation.pairwise import pairwise_pvalues

FloatArray = npt.NDArray[np.float64]
SYSTEMS, METRICS = ("a", "b", "c", "d", "e", "f"), ("w", "x", "y", "z")


@pytest.fixture
def scores() -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(4)
    quality = rng.normal(0.0, 0.4, size=(6, 1)) + rng.normal(size=(6, 40))
    gold = np.rint(quality + rng.normal(size=(6, 40)))
    noise = np.array([0.3, 1.0, 2.0, 5.0])[:, None, None]
    return gold, quality + noise * rng.normal(size=(4, 6, 40))


def terms_of(
    gold: FloatArray, metrics: FloatArray, missing: str = "listwise"
) -> dict[str, FloatArray]:
    evalset = EvalSet(
        testset="t",
        language_pair="a-b",
        gold_name="mqm",
        systems=SYSTEMS,
        human_systems=(),
        segments=np.arange(gold.shape[1]),
        documents=None,
        gold=gold,
        metrics=tuple(Metric(name, name, "refA") for name in METRICS),
        scores=metrics,
    )
    rows = pvalue_records(evalset, [None, *METRICS], ties="mid", missing=missing)
    return agreement_terms(rows, systems=SYSTEMS, metrics=METRICS)


def test_terms_average_to_the_meta_metrics(scores: tuple[FloatArray, FloatArray]) -> None:
    gold, metrics = scores
    terms = terms_of(gold, metrics)
    upper = np.triu_indices(6, 1)
    people = pairwise_pvalues(gold, ties="mid").pvalues
    for index, metric in enumerate(metrics):
        spa = spa_from_pvalues(people, pairwise_pvalues(metric, ties="mid").pvalues)
        assert terms["spa"][index][upper].mean() == pytest.approx(spa, abs=1e-12)
        accuracy = segment_accuracy(gold, metric).value
        assert terms["pa"][index][upper].mean() == pytest.approx(accuracy)


@pytest.mark.parametrize("missing", ["listwise", "pairwise"])
def test_terms_of_a_metric_with_gaps_take_people_on_its_cells(
    scores: tuple[FloatArray, FloatArray], missing: str
) -> None:
    gold, metrics = scores
    gold[2, :6] = np.nan
    metrics[1, 0, 10:18] = np.nan
    metrics[1, 4, 30:] = np.nan
    terms = terms_of(gold, metrics, missing)
    upper = np.triu_indices(6, 1)
    for index, metric in enumerate(metrics):
        spa = soft_pairwise_accuracy(gold, metric, missing=missing).value
        assert terms["spa"][index][upper].mean() == pytest.approx(spa, abs=1e-12)
        accuracy = segment_accuracy(gold, metric, missing=missing).value
        assert terms["pa"][index][upper].mean() == pytest.approx(accuracy)


def test_a_tie_agrees_with_a_tie_only(scores: tuple[FloatArray, FloatArray]) -> None:
    gold, metrics = scores
    gold[1] = gold[0]
    metrics[0, 1] = metrics[0, 0]
    terms = terms_of(gold, metrics)["pa"]
    assert terms[:, 0, 1].tolist() == [1.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize("size", [3, 4, 5])
def test_means_lie_around_those_of_all_subsets(
    scores: tuple[FloatArray, FloatArray], size: int
) -> None:
    gold, metrics = scores
    result = ablate_systems(terms_of(gold, metrics), sizes=[size], n_trials=4000, seed=1)
    people = pairwise_pvalues(gold, ties="mid").pvalues
    pvalues = [pairwise_pvalues(metric, ties="mid").pvalues for metric in metrics]

    def score(subset: tuple[int, ...]) -> list[list[float]]:
        cells = np.ix_(subset, subset)
        soft = [spa_from_pvalues(people[cells], matrix[cells]) for matrix in pvalues]
        chosen = list(subset)
        plain = [segment_accuracy(gold[chosen], metric[chosen]).value for metric in metrics]
        return [soft, plain]

    whole = score(tuple(range(6)))
    for row in (0, 1):
        found = []
        for subset in combinations(range(6), size):
            part = score(subset)[row]
            if np.std(part) > 1e-9:
                found.append(pearsonr(part, whole[row]).statistic)
        share = 1 - len(found) / comb(6, size)
        assert result.n_undefined[row, 0] / 4000 == pytest.approx(share, abs=0.04)
        # Four standard errors of the mean of 4000 subsets.
        assert abs(result.mean[row, 0] - np.mean(found)) <= 4 * np.std(found) / np.sqrt(4000)
        assert result.sd[row, 0] == pytest.approx(np.std(found), rel=0.1, abs=1e-9)
        assert (np.diff(result.quantiles[row, 0]) >= 0).all()
        for level, quantile in zip(
            (0.025, 0.25, 0.75, 0.975), result.quantiles[row, 0], strict=True
        ):
            assert np.mean(np.array(found) < quantile - 1e-9) <= level + 0.04
            assert np.mean(np.array(found) <= quantile + 1e-9) >= level - 0.04


def test_all_systems_correlate_perfectly(scores: tuple[FloatArray, FloatArray]) -> None:
    result = ablate_systems(terms_of(*scores), n_trials=20)
    assert result.sizes == (3, 4, 5, 6)
    np.testing.assert_allclose(result.mean[:, -1], 1.0)
    np.testing.assert_allclose(result.sd[:, -1], 0.0, atol=1e-12)


def test_a_size_does_not_depend_on_the_others(scores: tuple[FloatArray, FloatArray]) -> None:
    terms = terms_of(*scores)
    both = ablate_systems(terms, sizes=[3, 5], n_trials=50)
    one = ablate_systems(terms, sizes=[5], n_trials=50)
    assert both.mean[0, 1] == one.mean[0, 0]
    other = ablate_systems(terms, sizes=[5], n_trials=50, purpose=("elsewhere",))
    assert other.mean[0, 0] != one.mean[0, 0]


def test_equal_metrics_have_no_correlation() -> None:
    terms = {"pa": np.ones((3, 4, 4))}
    result = ablate_systems(terms, n_trials=10)
    assert np.isnan(result.mean).all()
    assert (result.n_undefined == 10).all()


def test_rows_have_every_meta_metric_and_size(scores: tuple[FloatArray, FloatArray]) -> None:
    rows = ablate_systems(terms_of(*scores), n_trials=5, seed=0).to_records()
    assert [(row["meta"], row["n_systems"]) for row in rows] == [
        (meta, size) for meta in ("spa", "pa") for size in (3, 4, 5, 6)
    ]


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ({}, "`terms` must be arrays of one shape"),
        ({"spa": np.ones((2, 3))}, "`terms` must be arrays of one shape"),
        ({"spa": np.ones((2, 3, 4))}, "`terms` must have at least 2 metrics and 3 systems"),
        ({"spa": np.ones((1, 3, 3))}, "`terms` must have at least 2 metrics and 3 systems"),
        ({"spa": np.full((2, 3, 3), np.nan)}, "`terms` must be finite"),
    ],
)
def test_wrong_terms_are_refused(terms: dict[str, FloatArray], message: str) -> None:
    with pytest.raises(InputError, match=message):
        ablate_systems(terms)


@pytest.mark.parametrize("sizes", [[], [1], [7]])
def test_wrong_sizes_are_refused(scores: tuple[FloatArray, FloatArray], sizes: list[int]) -> None:
    with pytest.raises(InputError, match="`sizes` must"):
        ablate_systems(terms_of(*scores), sizes=sizes)
