"""Correlations of hybrids where a group is constant, and of systems where scores are missing."""

from itertools import product

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from sigcore.errors import DegenerateDataWarning
from sigcore.meta.aligned import raw_scores
from sigcore.meta.linear_hybrids import correlations_of_hybrids
from sigcore.meta.permuted import permuted_statistics
from sigcore.meta.registry import meta_metric
from sigcore.meta.schemes import draw_coins
from sigcore.meta.significance import compare_metrics

FloatArray = npt.NDArray[np.float64]


def with_one_score(n_segments: int) -> tuple[FloatArray, FloatArray]:
    """Gold with a constant system, whose computed mean differs from its score, and two metrics."""
    gold = np.random.default_rng(0).integers(0, 101, size=(4, n_segments)).astype(np.float64)
    gold[0] = 98.3
    assert gold[0].mean() != 98.3
    return gold, np.random.default_rng(1).normal(size=(2, 4, n_segments))


@pytest.mark.parametrize("gaps", [False, True])
def test_a_system_to_which_people_give_one_score_is_left_out(gaps: bool) -> None:
    gold, scores = with_one_score(100)
    if gaps:
        scores[:, 0, 7] = gold[2, 3:9] = np.nan
    meta = meta_metric("pearson-by-system")
    result = compare_metrics(gold, scores, meta=meta.name, missing="pairwise", n_resamples=19)
    expected = [meta(gold, metric).value for metric in scores]
    np.testing.assert_allclose(result[meta.name].scores, expected, rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("scheme", ["inputs", "systems"])
def test_hybrids_leave_such_a_system_out_for_all_coins(scheme: str) -> None:
    gold, scores = with_one_score(7)
    shape = (1, 7) if scheme == "inputs" else (4, 1)
    coins = np.array(list(product((0, 1), repeat=max(shape))), dtype=np.uint8).reshape(-1, *shape)
    raw = raw_scores(gold, scores)
    aligned = raw.align(raw.shared_cells((0, 1)), (0, 1))
    found = correlations_of_hybrids(aligned, "pearson-by-system", [(0, 1)], coins)
    one, other = aligned.metrics
    meta = meta_metric("pearson-by-system")
    for k, coin in enumerate(coins.astype(bool)):
        hybrids = np.where(coin, one, other), np.where(coin, other, one)
        expected = [meta(gold, hybrid).value for hybrid in hybrids]
        assert [values[0, k] for values in found] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", ["pearson-seg", "pearson-by-system"])
@pytest.mark.filterwarnings("ignore::sigcore.errors.DegenerateDataWarning")
def test_there_is_no_correlation_with_people_who_give_one_score_to_all(name: str) -> None:
    gold, scores = with_one_score(100)
    gold[:] = 98.3
    result = compare_metrics(gold, scores, meta=name, n_resamples=19)
    assert np.isnan(result[name].scores).all()
    assert np.isnan(result[name].pvalues[0, 1])
    assert result.reasons == {"0 and 1": "the meta-metric of one is undefined"}


def slow_value(name: str, gold: FloatArray, metric: FloatArray) -> float:
    """A correlation of systems over the segments with all scores; equal means are ties."""
    complete = ~np.isnan(gold).any(axis=0)
    people, means = (np.round(each[:, complete].mean(axis=1), 10) for each in (gold, metric))
    function = {"pearson-sys": stats.pearsonr, "spearman-sys": stats.spearmanr}.get(
        name, stats.kendalltau
    )
    return float(function(people, means)[0])


@pytest.mark.parametrize("blocks", [None, [0, 1, 0, 2, 2, 1]])
@pytest.mark.parametrize("scheme", ["inputs", "systems", "both-xor"])
@pytest.mark.parametrize("name", ["pearson-sys", "spearman-sys", "kendall-sys"])
@pytest.mark.filterwarnings("ignore::scipy.stats.ConstantInputWarning")
def test_equal_means_of_hybrids_are_ties_where_scores_are_missing(
    name: str, scheme: str, blocks: list[int] | None
) -> None:
    for seed in range(10):
        rng = np.random.default_rng(seed)
        gold, *scores = rng.integers(0, 4, size=(3, 4, 6)).astype(np.float64)
        gold[0, 5] = scores[1][2, 4] = np.nan
        raw = raw_scores(gold, scores, missing="pairwise", blocks=blocks)
        aligned = raw.align(raw.shared_cells((0, 1)), (0, 1))
        coins = draw_coins(scheme, rng, 30, 4, aligned.n_units)
        fast = permuted_statistics(aligned, [name], scheme=scheme, pa_in_floats=False)[0]
        one, other = aligned.metrics
        by_segment = coins if coins.shape[2] == 1 else coins[:, :, aligned.labels]
        slow = [
            slow_value(name, aligned.gold, np.where(coin, one, other))
            - slow_value(name, aligned.gold, np.where(coin, other, one))
            for coin in by_segment.astype(bool)
        ]
        found = fast.draw([(0, 1)], coins, None)[name][0]
        np.testing.assert_allclose(found, slow, rtol=0.0, atol=1e-8)


def test_systems_without_a_common_segment_have_no_correlation() -> None:
    rng = np.random.default_rng(5)
    gold, scores = rng.normal(size=(3, 6)), rng.normal(size=(2, 3, 6))
    gold[0, :2] = gold[1, 2:4] = gold[2, 4:] = np.nan
    with pytest.warns(DegenerateDataWarning, match="no segment has all scores"):
        result = compare_metrics(
            gold, scores, meta="kendall-sys", missing="pairwise", n_resamples=19
        )
    assert np.isnan(result["kendall-sys"].pvalues[0, 1])
