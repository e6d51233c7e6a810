"""Laws that p-value matrices and meta-metrics obey for any scores."""

from itertools import product

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sigcore.meta.accuracy import segment_accuracy
from sigcore.meta.clusters import all_pairs_clusters, greedy_clusters
from sigcore.meta.significance import compare_metrics
from sigcore.meta.spa import soft_pairwise_accuracy
from sigcore.permutation.pairwise import pairwise_pvalues

FloatArray = npt.NDArray[np.float64]

TENTHS = st.integers(-250, 0).map(lambda value: value / 10.0)
REALS = st.floats(-10.0, 10.0, width=32).map(float)
UPPER = np.triu_indices(4, 1)


def matrices(
    values: st.SearchStrategy[float], n_segments: int = 9
) -> st.SearchStrategy[FloatArray]:
    return arrays(np.float64, (4, n_segments), elements=values)


def any_scores() -> st.SearchStrategy[FloatArray]:
    return st.one_of(matrices(TENTHS), matrices(REALS), matrices(st.sampled_from([0.0, 1.0])))


@pytest.mark.filterwarnings("ignore::sigcore.errors.ApproximationWarning")
@settings(deadline=None, derandomize=True, max_examples=60)
@given(any_scores(), st.sampled_from(["auto", "exact", "analytic", "monte-carlo"]))
def test_mid_p_of_both_directions_adds_up_to_one(scores: FloatArray, method: str) -> None:
    pvalues = pairwise_pvalues(scores, method=method, ties="mid", n_resamples=200).pvalues
    np.testing.assert_allclose((pvalues + pvalues.T)[UPPER], 1.0, atol=1e-12)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(any_scores(), st.sampled_from(["auto", "exact", "monte-carlo", "mtme"]))
def test_ge_in_both_directions_overlaps_by_the_ties(scores: FloatArray, method: str) -> None:
    pvalues = pairwise_pvalues(scores, method=method, ties="ge", n_resamples=200).pvalues
    overlap = (pvalues + pvalues.T)[UPPER] - 1.0
    assert (overlap >= -1e-12).all()
    assert (overlap <= 1.0 + 1e-12).all()


@settings(deadline=None, derandomize=True, max_examples=40)
@given(matrices(TENTHS))
def test_exact_equals_enumeration(scores: FloatArray) -> None:
    signs = np.array(list(product((1, -1), repeat=9)))
    steps = np.rint(10.0 * scores)
    pvalues = pairwise_pvalues(scores, method="exact").pvalues
    for i, j in zip(*UPPER, strict=True):
        difference = steps[i] - steps[j]
        expected = np.mean(signs @ difference >= difference.sum())
        np.testing.assert_allclose(pvalues[i, j], expected, rtol=1e-12)


@settings(deadline=None, derandomize=True, max_examples=40)
@given(any_scores())
def test_negating_a_metric_turns_mid_p_round(scores: FloatArray) -> None:
    one = pairwise_pvalues(scores, ties="mid").pvalues
    other = pairwise_pvalues(-scores, ties="mid").pvalues
    np.testing.assert_allclose(one[UPPER], 1.0 - other[UPPER], atol=1e-9)


@settings(deadline=None, derandomize=True, max_examples=40)
@given(any_scores(), st.floats(-100.0, 100.0))
def test_a_segment_on_which_all_systems_tie_changes_nothing(
    scores: FloatArray, value: float
) -> None:
    wider = np.hstack([scores, np.full((4, 1), round(value, 1))])
    one = pairwise_pvalues(scores, method="exact").pvalues
    other = pairwise_pvalues(wider, method="exact").pvalues
    np.testing.assert_allclose(one, other, atol=1e-9)


@settings(deadline=None, derandomize=True, max_examples=40)
@given(matrices(TENTHS), any_scores(), st.permutations(range(4)))
def test_spa_does_not_depend_on_the_order_of_systems(
    gold: FloatArray, metric: FloatArray, order: list[int]
) -> None:
    one = soft_pairwise_accuracy(gold, metric).value
    other = soft_pairwise_accuracy(gold[order], metric[order]).value
    np.testing.assert_allclose(one, other, atol=1e-9)


@settings(deadline=None, derandomize=True, max_examples=40)
@given(
    matrices(TENTHS),
    matrices(st.integers(-50, 50).map(float)),
    st.sampled_from([0.25, 2.0, 1000.0]),
    st.sampled_from([-7.0, 0.0, 512.0]),
)
def test_spa_and_pa_do_not_depend_on_the_scale_of_a_metric(
    gold: FloatArray, metric: FloatArray, scale: float, shift: float
) -> None:
    rescaled = scale * metric + shift
    one, other = (soft_pairwise_accuracy(gold, scores).value for scores in (metric, rescaled))
    np.testing.assert_allclose(one, other, atol=1e-9)
    assert segment_accuracy(gold, metric) == segment_accuracy(gold, rescaled)


@settings(deadline=None, derandomize=True, max_examples=40)
@given(any_scores())
def test_the_gold_itself_scores_one(scores: FloatArray) -> None:
    assert soft_pairwise_accuracy(scores, scores).value == 1.0
    assert segment_accuracy(scores, scores).value == 1.0


@settings(deadline=None, derandomize=True, max_examples=25)
@given(matrices(TENTHS, 12), matrices(REALS, 12))
def test_swapping_two_metrics_turns_their_comparison_round(
    gold: FloatArray, metric: FloatArray
) -> None:
    other = metric + np.arange(48.0).reshape(4, 12) % 7.0
    one = compare_metrics(gold, [gold + other, other], n_resamples=64, alternative="greater")
    two = compare_metrics(gold, [other, gold + other], n_resamples=64, alternative="greater")
    # The coins are the same, so the hybrids of one run are the complements of the other.
    for meta in ("spa", "pa"):
        for entry in ((0, 1), (1, 0)):
            assert one[meta].pvalues[entry] == two[meta].pvalues[entry[::-1]]
    assert one["spa"].pvalues[0, 1] + one["spa"].pvalues[1, 0] >= 1.0


@settings(deadline=None, derandomize=True, max_examples=100)
@given(
    arrays(np.float64, 6, elements=st.integers(0, 4).map(float)),
    arrays(np.float64, (6, 6), elements=st.floats(0.0, 1.0)),
)
def test_all_pairs_clusters_are_never_finer_than_greedy_ones(
    scores: FloatArray, pvalues: FloatArray
) -> None:
    greedy = greedy_clusters(scores, pvalues, alpha=0.5)
    strict = all_pairs_clusters(scores, pvalues, alpha=0.5)
    assert strict.n_clusters <= greedy.n_clusters
    assert (np.diff(greedy.ranks[greedy.order]) >= 0).all()
    assert (np.diff(strict.ranks[strict.order]) >= 0).all()
