"""Pairwise Difference Pearson: scipy on all differences, gaps and refusals."""

from itertools import permutations

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import pearsonr

from sigcore.errors import DegenerateDataWarning, InputError
from sigcore.meta.correlation import correlate_segments
from sigcore.meta.grouping import GROUPINGS, group_scores
from sigcore.meta.pdp import pairwise_difference_pearson

FloatArray = npt.NDArray[np.float64]


def with_gaps() -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(0)
    gold, metric = rng.integers(-5, 5, size=(2, 5, 20)).astype(float)
    gold[rng.random(gold.shape) < 0.3] = np.nan
    metric[rng.random(gold.shape) < 0.1] = np.nan
    return gold, metric


def test_value_by_hand() -> None:
    # Differences within the two items, gold (1, 3, 2, 2, 1, -1), metric (1, 2, 1, 0, -1, -1):
    # products 9, squares 20 and 8; both orders of a pair double all three.
    score = pairwise_difference_pearson([[1, 2], [2, 4], [4, 3]], [[0, 1], [1, 1], [2, 0]])
    assert score.value == pytest.approx(9 / np.sqrt(160))
    assert (score.n_used, score.n_left_out, score.unit) == (6, 0, "pairs")


@pytest.mark.parametrize("grouping", GROUPINGS)
def test_value_is_pearsons_of_all_ordered_differences(grouping: str) -> None:
    gold, metric = with_gaps()
    scores = group_scores(gold, metric, grouping)
    differences = [
        (g - h, m - n)
        for column, other in zip(scores.gold.T, scores.metric.T, strict=True)
        for (g, m), (h, n) in permutations(zip(column, other, strict=True), 2)
        if not np.isnan(g - h)
    ]
    score = pairwise_difference_pearson(gold, metric, grouping=grouping)
    assert score.value == pytest.approx(pearsonr(*np.transpose(differences))[0], abs=1e-13)
    assert score.n_used == len(differences) / 2
    assert score.n_used + score.n_left_out == scores.n_possible_pairs


def test_without_groups_it_is_pearsons_correlation_of_scores() -> None:
    gold, metric = with_gaps()
    expected = correlate_segments(gold, metric).value
    assert pairwise_difference_pearson(gold, metric, grouping="none").value == pytest.approx(
        expected, abs=1e-14
    )


def test_a_shift_of_an_item_changes_nothing() -> None:
    gold, metric = with_gaps()
    shifts = np.arange(20.0)
    expected = pairwise_difference_pearson(gold, metric).value
    shifted = pairwise_difference_pearson(gold + shifts, metric - 3.0 * shifts)
    assert shifted.value == pytest.approx(expected, abs=1e-13)


def test_no_spread_has_no_value() -> None:
    with pytest.warns(DegenerateDataWarning, match="the gold scores of all 2 pairs are equal"):
        score = pairwise_difference_pearson([[0.1, 2], [0.1, 2]], [[1, 2], [3, 4]])
    assert np.isnan(score.value)
    with pytest.warns(DegenerateDataWarning, match="the metric scores of all 1 pairs are equal"):
        score = pairwise_difference_pearson([1, 2], [3, 3])
    assert (score.n_used, score.n_left_out) == (0, 1)


def test_wrong_input_is_refused() -> None:
    with pytest.raises(InputError, match="`grouping` must be one of"):
        pairwise_difference_pearson([1, 2], [1, 2], grouping="doc")
