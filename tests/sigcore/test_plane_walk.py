"""The walk of hits and errors in its lattice, and where rows of the lattice enter an event."""

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from sigcore.permutation.plane_event import RatioEvent, ratio, row_entry
from sigcore.permutation.plane_walk import group_moves, make_walk
from sigcore.permutation.statespace import dense_law, sparse_law


def counts(seed, n, kind):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 4, (2, n, 2))
    if kind == "coarse":
        a, b = 6 * a, 6 * b
    elif kind == "line":
        b = a + rng.integers(-1, 2, (n, 1)) * np.array([2, 3])
    elif kind == "errors only":
        b[:, 0] = a[:, 0]
    elif kind == "hits only":
        b[:, 1] = a[:, 1]
    return np.maximum(a, 0), np.maximum(b, 0)


def sums_by_enumeration(a, b):
    law = Counter()
    for choice in itertools.product([True, False], repeat=len(a)):
        law[tuple(np.where(np.array(choice)[:, None], a, b).sum(axis=0).tolist())] += 1
    return law


@pytest.mark.parametrize("kind", ["any", "coarse", "line", "errors only", "hits only"])
@pytest.mark.parametrize("law_of", ["dense", "sparse"])
def test_the_walk_has_the_law_of_the_sums(kind, law_of):
    for seed in range(5):
        a, b = counts(seed, 6, kind)
        walk = make_walk(a, b)
        if law_of == "dense":
            box = dense_law(walk.steps, walk.counts)
            places = np.argwhere(box) + walk.low
            law = box[box > 0]
        else:
            places, law = sparse_law(walk.steps, walk.counts)
        found = {
            tuple(sums): p
            for sums, p in zip((walk.origin + places @ walk.basis).tolist(), law, strict=True)
        }
        assert found == {sums: ways / 64 for sums, ways in sums_by_enumeration(a, b).items()}


@pytest.mark.parametrize("kind", ["any", "coarse", "line", "errors only", "hits only"])
def test_observed_and_opposite_are_the_sums_of_the_systems(kind):
    a, b = counts(1, 9, kind)
    walk = make_walk(a, b)
    assert (walk.origin + np.array(walk.observed) @ walk.basis).tolist() == a.sum(axis=0).tolist()
    assert (walk.origin + np.array(walk.opposite) @ walk.basis).tolist() == b.sum(axis=0).tolist()


def test_coarse_moves_are_divided_by_their_common_factor():
    a, b = counts(2, 12, "any")
    fine, coarse = make_walk(a, b), make_walk(7 * a, 7 * b)
    np.testing.assert_array_equal(fine.steps, coarse.steps)
    np.testing.assert_array_equal(7 * fine.basis, coarse.basis)


def test_moves_on_a_line_have_one_coordinate():
    a = np.array([[3, 5], [4, 0], [10, 2]])
    walk = make_walk(a, a + np.array([[2, -4], [1, -2], [-3, 6]]))
    assert walk.steps.tolist() == [[1, 0], [2, 0], [3, 0]]
    assert np.all(walk.basis[1] == 0)


def test_opposite_moves_are_one_group():
    steps, number = group_moves(np.array([[1, -2], [-1, 2], [0, -3], [0, 3], [1, 2]]))
    assert steps.tolist() == [[0, 3], [1, -2], [1, 2]]
    assert number.tolist() == [2, 2, 1]


def test_moves_too_large_to_number_are_grouped_all_the_same():
    large = 2**40
    steps, number = group_moves(np.array([[large, -large], [-large, large], [1, 0]]))
    assert steps.tolist() == [[1, 0], [large, -large]]
    assert number.tolist() == [1, 2]


@pytest.mark.parametrize("weight", [1, 2])
def test_differences_are_compared_as_fractions(weight):
    event = RatioEvent(hits=9, errors=11, threshold=Fraction(1, 7), hit_weight=weight)
    hits, errors = (grid.ravel() for grid in np.mgrid[0:10, 0:12])
    expected = []
    for x, y in zip(hits.tolist(), errors.tolist(), strict=True):
        gap = ratio(x, y, weight) - ratio(9 - x, 11 - y, weight) - event.threshold
        expected.append((gap > 0) - (gap < 0))
    assert event.compare(hits, errors).tolist() == expected


def test_equal_differences_of_large_counts_are_ties():
    # 2^28 hits: the products need 120 bits; one unit away is not a tie.
    total, x, y = 2**28, 150_000_001, 90_000_007
    threshold = ratio(x, y, 1) - ratio(total - x, total - y, 1)
    event = RatioEvent(total, total, threshold, 1)
    around = np.array([x - 1, x, x + 1])
    assert event.compare(around, np.full(3, y)).tolist() == [-1, 0, 1]
    scaled = RatioEvent(3 * total, 3 * total, threshold, 1)
    assert scaled.compare(3 * around, np.full(3, 3 * y)).tolist() == [-1, 0, 1]


@pytest.mark.parametrize("kind", ["any", "coarse", "line", "errors only", "hits only"])
@pytest.mark.parametrize("strict", [False, True])
def test_rows_enter_the_event_once(kind, strict):
    for seed in range(4):
        a, b = counts(seed, 7, kind)
        walk = make_walk(a, b)
        hits, errors = (a + b).sum(axis=0).tolist()
        for threshold in (Fraction(0), Fraction(1, 9), Fraction(2, 3)):
            event = RatioEvent(hits, errors, threshold, 2)
            rows = np.arange(walk.low[1], walk.high[1] + 1)
            entry = row_entry(event, walk, rows, strict=strict)
            places, _ = sparse_law(walk.steps, walk.counts)
            sums = walk.origin + places @ walk.basis
            inside = event.compare(*sums.T) >= (1 if strict else 0)
            np.testing.assert_array_equal(inside, places[:, 0] >= entry[places[:, 1] - rows[0]])
