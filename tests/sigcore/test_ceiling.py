"""The human ceiling: symmetric, 1 for equal ratings, with every gap counted."""

import numpy as np
import pytest

from sigcore.errors import InputError
from sigcore.meta.accuracy import segment_accuracy
from sigcore.meta.ceiling import human_ceiling
from sigcore.meta.spa import soft_pairwise_accuracy


@pytest.fixture
def ratings():
    rng = np.random.default_rng(2)
    quality = rng.normal(size=(5, 1)) + rng.normal(size=(5, 60))
    return np.rint(5 * (quality + rng.normal(size=(2, 5, 60))))


def test_a_small_case_by_hand():
    # Differences -1, -1, -1 and 1, -1, -1: mid-p 0.9375 and 0.6875 by enumeration of 8 signs.
    result = human_ceiling([[1, 2, 3], [2, 3, 4]], [[2, 2, 4], [1, 3, 5]])
    assert result.spa == 0.75
    assert (result.n_systems, result.n_segments, result.n_pairs) == (2, 3, 1)


def test_equal_ratings_agree_wholly_and_opposite_ones_not_at_all(ratings):
    same = human_ceiling(ratings[0], ratings[0])
    assert (same.spa, same.pa, same.n_agree) == (1.0, 1.0, 10)
    assert human_ceiling(ratings[0], -ratings[0]).n_agree == 0


def test_it_is_the_same_in_both_directions(ratings):
    one, other = human_ceiling(*ratings), human_ceiling(*ratings[::-1])
    assert one == other
    assert one.spa == soft_pairwise_accuracy(*ratings).value
    assert one.n_agree == segment_accuracy(*ratings).n_agree


def test_translations_without_both_ratings_are_left_out(ratings):
    first, second = ratings.copy()
    first[0, :4] = np.nan
    second[2, 3:9] = np.nan
    second[4] = np.nan
    listwise = human_ceiling(first, second)
    assert (listwise.n_systems, listwise.n_systems_left_out) == (4, 1)
    assert (listwise.n_segments, listwise.n_segments_left_out) == (51, 9)
    complete = human_ceiling(first[:4, 9:], second[:4, 9:])
    assert (listwise.spa, listwise.pa) == (complete.spa, complete.pa)
    pairwise = human_ceiling(first, second, missing="pairwise")
    assert (pairwise.n_segments, pairwise.n_segments_left_out) == (60, 0)
    masked = [np.where(np.isnan(first + second), np.nan, scores)[:4] for scores in (first, second)]
    assert pairwise.spa == soft_pairwise_accuracy(*masked, missing="pairwise").value


def test_documents_swap_together(ratings):
    documents = [f"doc{number // 6}" for number in range(60)]
    result = human_ceiling(*ratings, blocks=documents)
    assert result.spa == soft_pairwise_accuracy(*ratings, blocks=documents).value
    ratings[0, 1, 0] = np.nan
    assert human_ceiling(*ratings, blocks=documents).n_segments == 59


def test_the_record_has_every_field(ratings):
    record = human_ceiling(*ratings).to_record()
    assert record["n_systems"] == 5
    assert record["missing"] == "listwise"


def test_bad_input_is_refused(ratings):
    with pytest.raises(InputError, match="same shape"):
        human_ceiling(ratings[0], ratings[1][1:])
    with pytest.raises(InputError, match="at least 2 systems in common; got 1 of 5"):
        human_ceiling(np.where(np.arange(5)[:, None] > 0, np.nan, ratings[0]), ratings[1])
    gaps = ratings.copy()
    gaps[0, 0, ::2], gaps[1, 1, 1::2] = np.nan, np.nan
    with pytest.raises(InputError, match="rated for all systems"):
        human_ceiling(*gaps)


def test_blocks_of_another_length_are_refused(ratings):
    with pytest.raises(InputError, match="`blocks` must have one label for each of 60 segments"):
        human_ceiling(*ratings, blocks=["d"] * 3)


def test_segments_used_by_some_pair_are_counted():
    gold = np.arange(12.0).reshape(3, 4)
    gold[0, 2:] = gold[2, :1] = np.nan
    result = human_ceiling(gold, gold, missing="pairwise")
    assert (result.n_segments, result.n_segments_left_out) == (4, 0)
    gold[1, 3] = np.nan
    result = human_ceiling(gold, gold, missing="pairwise")
    assert (result.n_segments, result.n_segments_left_out) == (3, 1)
