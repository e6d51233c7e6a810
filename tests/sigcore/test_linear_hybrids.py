"""Pearson's correlation of hybrids where people give a system, or all, one score."""

from itertools import product

import numpy as np
import numpy.typing as npt
import pytest

from sigcore.meta.aligned import raw_scores
from sigcore.meta.linear_hybrids import correlations_of_hybrids
from sigcore.meta.registry import meta_metric
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
    result = compare_metrics(gold, scores, meta=meta.name, missing="pairwise", n_resamples=9)
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
    result = compare_metrics(gold, scores, meta=name, n_resamples=9)
    assert np.isnan(result[name].scores).all()
    assert np.isnan(result[name].pvalues[0, 1])
    assert result.reasons == {"0 and 1": "the meta-metric of one is undefined"}
