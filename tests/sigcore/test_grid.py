"""Grids: which step is found, when none is, and how scores become integers."""

from fractions import Fraction

import numpy as np
import pytest

from sigcore.errors import InputError
from sigcore.grid import Grid, find_grid, snap_zeros, tie_tolerance, to_integers


@pytest.mark.parametrize(
    ("values", "step"),
    [
        ([3, -1, 0, 7], 1.0),
        ([4, -6, 10], 2.0),
        ([-25.200000000000003, 0.30000000000000004, 7.0], 0.1),
        ([0.25, -1.5, 2.75], 0.25),
        ([1 / 3, 2 / 3, 5.0], 1 / 3),
        ([1 / 3, 0.1, 0.5], 1 / 30),
        ([0.000001, 0.25], 1e-6),
        ([0.7, 1.4, -2.1], 0.7),
        ([5.0], 5.0),
        ([1e6 + 0.1, 2e6], 0.1),
    ],
)
def test_the_largest_common_step_is_found(values: list[float], step: float) -> None:
    grid = find_grid(values)
    assert grid is not None
    assert grid.step == pytest.approx(step, rel=1e-12)


def test_scores_in_tenths_come_back_as_the_tenths_they_are() -> None:
    tenths = np.random.default_rng(0).integers(-250, 251, 2000)
    scores = np.array([float(Fraction(int(value), 10)) for value in tenths])
    grid = find_grid(scores)
    assert grid is not None
    assert grid.step == 0.1
    np.testing.assert_array_equal(to_integers(scores, grid), tenths)


def test_differences_of_large_scores_need_their_magnitude() -> None:
    rng = np.random.default_rng(1)
    u, v = rng.integers(9_990, 10_010, (2, 500)) / 10
    grid = find_grid(u - v, magnitude=1001.0)
    assert grid is not None
    assert grid.step == 0.1
    np.testing.assert_array_equal(to_integers(u - v, grid), np.rint(10 * u) - np.rint(10 * v))


def test_standardised_counts_keep_their_odd_step() -> None:
    counts = np.random.default_rng(2).integers(0, 100, 1315)
    scores = (counts - counts.mean()) / counts.std()
    grid = find_grid(scores - scores[0], magnitude=4.0)
    assert grid is not None
    assert grid.step == pytest.approx(1 / counts.std(), rel=1e-12)
    np.testing.assert_array_equal(to_integers(scores - scores[0], grid), counts - counts[0])


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_real_values_have_no_grid(dtype: type[np.floating]) -> None:
    rng = np.random.default_rng(3)
    for size in (4, 20, 1000):
        assert find_grid(rng.normal(size=size).astype(dtype)) is None


def test_scores_of_a_neural_metric_have_no_grid() -> None:
    assert find_grid([0.5581452669873181, 0.8231449127197266, 0.7012345790863037]) is None


def test_scores_in_half_precision_lie_on_a_fine_binary_grid() -> None:
    # Eight significant bits, as in bfloat16: the smallest score has the finest last digit.
    scores = np.array([7.9375, -3.265625, 1.6171875, 0.91015625, 200 * 2.0**-15, 131 * 2.0**-17])
    grid = find_grid(scores)
    assert grid is not None
    assert grid.step == 2.0**-17
    assert (to_integers(scores, grid) * 2.0**-17).tolist() == scores.tolist()
    assert find_grid([*scores, 131 * 2.0**-19]) is None


def test_one_value_off_the_grid_leaves_none() -> None:
    assert find_grid([*range(100), np.sqrt(2.0)]) is None


def test_a_grid_with_too_many_steps_is_refused() -> None:
    assert find_grid([0.001, 1000.0], max_steps=1000) is None


def test_missing_values_are_passed_over() -> None:
    grid = find_grid([[np.nan, 0.5], [np.inf, 1.5]])
    assert grid is not None
    assert grid.step == 0.5


@pytest.mark.parametrize("values", [[], [0.0, 0.0], [np.nan]])
def test_nothing_but_zeros_lies_on_any_grid(values: list[float]) -> None:
    assert find_grid(values) == Grid(1.0, 0.0)


def test_rounding_errors_alone_are_zeros() -> None:
    grid = find_grid([100.1 - 100.0 - 0.1], magnitude=100.1)
    assert grid is not None
    assert to_integers([100.1 - 100.0 - 0.1], grid).tolist() == [0]


def test_values_off_the_grid_are_refused_with_their_place() -> None:
    with pytest.raises(InputError, match=r"step 0\.1; found 0\.25 at index \(1,\)"):
        to_integers([0.1, 0.25], Grid(0.1, 1e-15))
    with pytest.raises(InputError, match=r"found nan at index \(0,\)"):
        to_integers([np.nan], Grid(0.1, 1e-15))


def test_differences_that_rounding_explains_become_zero() -> None:
    differences = np.array([0.1 + 0.2 - 0.3, 1e-3, -1.0])
    np.testing.assert_array_equal(snap_zeros(differences, 1.0), [0.0, 1e-3, -1.0])
    np.testing.assert_array_equal(snap_zeros(differences, [1.0, 1e13, 1.0]), [0.0, 0.0, -1.0])


def test_the_tie_tolerance_is_relative_to_the_sizes_not_to_their_sum() -> None:
    assert tie_tolerance(np.array([1e3, -1e3])) == tie_tolerance(np.array([1e3, 1e3])) > 0.0


def test_a_grid_that_is_found_is_one_that_all_values_lie_on() -> None:
    rng = np.random.default_rng(0)
    for _ in range(5000):
        values = rng.uniform(-100.0, 100.0, rng.integers(2, 6)) - np.round(rng.uniform(-100, 100))
        grid = find_grid(values, magnitude=200.0)
        if grid is not None:
            to_integers(values, grid)
