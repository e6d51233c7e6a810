import numpy as np
import pytest

from sigcore.comparison.units import group_items, make_units
from sigcore.errors import InputError

U = [1.0, 3.0, 5.0, 7.0, 9.0]
V = [0.0, 0.0, 1.0, 1.0, 2.0]


def test_size_one_leaves_scores_as_they_are():
    units = make_units(U, V)
    assert units.u.tolist() == U
    assert units.v.tolist() == V
    assert (units.n_units, units.n_dropped) == (5, 0)


@pytest.mark.parametrize(
    ("remainder", "sizes", "scores", "n_dropped"),
    [
        ("drop", [2, 2], [2.0, 6.0], 1),
        ("short", [2, 2, 1], [2.0, 6.0, 9.0], 0),
        ("spread", [3, 2], [3.0, 8.0], 0),
    ],
)
def test_remainder_follows_its_policy(remainder, sizes, scores, n_dropped):
    units = make_units(U, V, size=2, remainder=remainder)
    assert units.sizes.tolist() == sizes
    assert units.u.tolist() == scores
    assert units.n_dropped == n_dropped


def test_spread_units_are_never_smaller_than_asked_and_differ_by_one_at_most():
    sizes = make_units(np.arange(107.0), np.zeros(107), size=15, remainder="spread").sizes
    assert sizes.sum() == 107
    assert sizes.min() >= 15
    assert np.ptp(sizes) <= 1


def test_median_unit_is_the_difference_of_medians():
    u, v = [0.0, 10.0, 11.0], [0.0, 1.0, 20.0]
    units = make_units(u, v, size=3, statistic="median")
    assert units.u[0] - units.v[0] == 9.0
    assert np.median(np.subtract(u, v)) == 0.0


def test_shuffle_keeps_pairs_together_and_is_reproducible():
    u = np.arange(100.0)
    one, two = (make_units(u, 2 * u, size=7, shuffle_seed=0) for _ in range(2))
    assert np.array_equal(one.u, two.u)
    assert np.array_equal(one.v, 2 * one.u)
    assert not np.array_equal(one.u, make_units(u, 2 * u, size=7).u)
    assert not np.array_equal(one.u, make_units(u, 2 * u, size=7, shuffle_seed=1).u)


def test_a_missing_score_makes_its_unit_missing():
    scores = np.array([[1.0, np.nan, 3.0, 5.0]])
    grouped, _ = group_items(scores, size=2)
    assert np.isnan(grouped[0, 0])
    assert grouped[0, 1] == 4.0


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"size": 0}, "`size` must be at least 1"),
        ({"size": 6}, "`size` must not exceed the number of items, 5"),
        ({"remainder": "keep"}, "`remainder` must be one of"),
        ({"statistic": "mode"}, "`statistic` must be one of"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        make_units(U, V, **settings)


def test_unequal_lengths_are_refused_with_both_lengths():
    with pytest.raises(InputError, match="got 2 and 3 scores"):
        make_units([1, 2], [1, 2, 3])
