"""SPA and PA of hybrids whose systems are nearly the same, against hybrids written out."""

from itertools import combinations, product

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import norm

from sigcore.meta.cell_hybrids import cell_hybrid_values
from sigcore.meta.evaluation import evaluation_task
from sigcore.meta.hybrids import hybrid_differences, metric_values
from sigcore.meta.significance import compare_metrics
from sigcore.permutation.pairwise import pairwise_pvalues

FloatArray = npt.NDArray[np.float64]
Coins = npt.NDArray[np.uint8]

DISTANCES = [0.03, 1e-3, 1e-4, 1e-6, 1e-8]  # of two systems, in standard deviations
SCHEMES = ["inputs", "systems", "both", "both-xor"]


def every_coin(scheme: str, n_systems: int, n_segments: int) -> Coins:
    """All equally likely coins of a scheme."""
    if scheme == "both-xor":
        rows, columns = (every_coin(one, n_systems, n_segments) for one in ("systems", "inputs"))
        return np.array([row ^ column for row, column in product(rows, columns)])
    shape = {
        "inputs": (1, n_segments),
        "systems": (n_systems, 1),
        "both": (n_systems, n_segments),
    }[scheme]
    flat = np.array(list(product((0, 1), repeat=shape[0] * shape[1])), dtype=np.uint8)
    return flat.reshape(-1, *shape)


def slow_values(gold: FloatArray, metric: FloatArray) -> tuple[float, int]:
    """SPA and number of agreeing pairs, pair by pair, from the differences themselves."""
    people = pairwise_pvalues(gold, ties="mid").pvalues
    distances, n_agree = [], 0
    for i, j in combinations(range(len(gold)), 2):
        d = metric[i] - metric[j]
        square, fourth = (d**2).sum(), (d**4).sum()
        z = d.sum() / np.sqrt(square)
        term = norm.pdf(z) * (-2 * fourth) / (24 * square**2) * (z**3 - 3 * z)
        distances.append(abs(people[i, j] - np.clip(norm.sf(z) + term, 0.0, 1.0)))
        n_agree += int(np.sign(d.sum()) == np.sign((gold[i] - gold[j]).sum()))
    return 1.0 - float(np.mean(distances)), n_agree


def slow_differences(gold: FloatArray, scores: FloatArray, coins: Coins) -> FloatArray:
    """Differences of SPA and of agreeing pairs (2 x draws) between hybrids and complements."""
    one, other = ((metric - metric.mean()) / metric.std() for metric in scores)
    values = [
        np.subtract(
            slow_values(gold, np.where(coin, one, other)),
            slow_values(gold, np.where(coin, other, one)),
        )
        for coin in coins.astype(bool)
    ]
    return np.array(values).T


def fast_differences(gold: FloatArray, scores: FloatArray, coins: Coins) -> FloatArray:
    task = evaluation_task(gold, scores)
    if coins.shape[1] == 1:
        masks = coins[:, 0].astype(np.float64)
        found = hybrid_differences(task, [(0, 1)], masks, ("spa", "pa"))
        return np.concatenate([found["spa"], found["pa"]])
    one, other = cell_hybrid_values(task, [(0, 1)], coins)
    return np.concatenate([one.spa - other.spa, one.n_agree - other.n_agree])


def with_near_copies(
    seed: int, n_systems: int, n_segments: int, distance: float
) -> tuple[FloatArray, FloatArray]:
    """Gold and two metrics, to both of which the first two systems are nearly the same."""
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=(n_systems, n_segments))
    scores = gold + rng.normal(0.0, [[[0.3]], [[3.0]]], size=(2, n_systems, n_segments))
    scores[:, 1] = scores[:, 0] + distance * rng.normal(size=(2, n_segments))
    return gold, scores


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_hybrids_of_nearly_equal_systems_equal_slow_code_for_all_coins(
    scheme: str, distance: float
) -> None:
    gold, scores = with_near_copies(1, 3, 3, distance)
    coins = every_coin(scheme, 3, 3)
    found = fast_differences(gold, scores, coins)
    np.testing.assert_allclose(found, slow_differences(gold, scores, coins), rtol=0.0, atol=1e-11)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_systems_nearly_equal_to_one_metric_only(scheme: str) -> None:
    gold, scores = with_near_copies(2, 3, 3, 1e-6)
    scores[1, 1] += np.array([0.5, -1.0, 2.0])
    coins = every_coin(scheme, 3, 3)
    found = fast_differences(gold, scores, coins)
    np.testing.assert_allclose(found, slow_differences(gold, scores, coins), rtol=0.0, atol=1e-11)


@pytest.mark.parametrize("scheme", ["systems", "both", "both-xor"])
def test_hybrids_of_a_single_segment_equal_slow_code(scheme: str) -> None:
    for seed in range(30):
        gold, scores = np.split(np.random.default_rng(seed).normal(size=(3, 4, 1)), [1])
        coins = every_coin(scheme, 4, 1)
        found = fast_differences(gold[0], scores, coins)
        slow = slow_differences(gold[0], scores, coins)
        np.testing.assert_allclose(found, slow, rtol=0.0, atol=1e-12)


def test_a_near_copy_among_many_systems_leaves_the_least_p_value_possible() -> None:
    """Of 32 ways to swap 5 systems two give what was observed; no p-value is below 2 / 32."""
    for seed in range(20):
        gold, scores = with_near_copies(seed, 5, 40, 1e-4)
        coins = every_coin("systems", 5, 40)
        drawn = np.abs(slow_differences(gold, scores, coins)[0])
        truth = np.mean(drawn >= drawn[-1] - 1e-10)
        assert truth >= 2 / 32
        result = compare_metrics(
            gold, scores, meta="spa", scheme="systems", keep_null=True, estimator="plain"
        )["spa"]
        assert result.null is not None
        sizes = np.unique(np.round(np.abs(result.null), 9))
        np.testing.assert_allclose(sizes, np.unique(np.round(drawn, 9)), rtol=0.0, atol=1e-8)
        # Four standard errors of a share of 1,000 draws.
        assert abs(result.pvalues[0, 1] - truth) < 4.0 * np.sqrt(truth * (1.0 - truth) / 1000)


@pytest.mark.parametrize("distance", DISTANCES)
def test_scores_of_metrics_with_nearly_equal_systems_equal_slow_code(distance: float) -> None:
    gold, scores = with_near_copies(3, 4, 30, distance)
    found = metric_values(evaluation_task(gold, scores))
    slow = [slow_values(gold, (metric - metric.mean()) / metric.std()) for metric in scores]
    np.testing.assert_allclose(found.spa, [spa for spa, _ in slow], rtol=0.0, atol=1e-12)
    assert found.n_agree.tolist() == [n_agree for _, n_agree in slow]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_equal_systems_stay_equal_where_copies_of_a_metric_differ_by_rounding(scheme: str) -> None:
    """A copy far from zero has lost digits; what is left of equal systems is no difference."""
    gold, scores = with_near_copies(4, 4, 20, 0.0)
    copies = np.stack([scores[0], 3.7 * scores[0] + 1e6])
    names = ("spa", "pa")
    result = compare_metrics(gold, copies, meta=names, scheme=scheme, keep_null=True)
    for name in names:
        null = result[name].null
        assert null is not None
        assert np.abs(null).max() < 1e-6
    assert result["pa"].pvalues[0, 1] == 1.0
