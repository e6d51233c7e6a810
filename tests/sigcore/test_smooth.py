"""Inverted characteristic functions against counting: big integers on lattices, halves else."""

import numpy as np
import numpy.typing as npt
import pytest

from sigcore.errors import InputError
from sigcore.permutation.smooth import common_step, resonance, smooth_tail


def lattice_tails(differences: list[int]) -> tuple[float, float]:
    """Mid-p and P(S = s) by counting the ways to each sum with Python integers."""
    ways = {0: 1}
    for difference in differences:
        wider: dict[int, int] = {}
        for value, count in ways.items():
            for signed in (value + difference, value - difference):
                wider[signed] = wider.get(signed, 0) + count
        ways = wider
    observed = sum(differences)
    above = sum(count for value, count in ways.items() if value > observed)
    total = 2 ** len(differences)
    return (2 * above + ways[observed]) / (2 * total), ways[observed] / total


def half_sums(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums + value, sums - value])
    return sums


def counted_mid(differences: npt.NDArray[np.float64]) -> float:
    """Mid-p by comparing all 2^n signed sums with the observed one, from two sorted halves."""
    left, right = half_sums(differences[::2]), np.sort(half_sums(differences[1::2]))
    observed = differences.sum()
    noise = 1e-12 * np.abs(differences).sum()
    above = right.size - np.searchsorted(right, observed + noise - left, side="right")
    at_least = right.size - np.searchsorted(right, observed - noise - left, side="left")
    return float(above.sum() + at_least.sum()) / 2 / (left.size * right.size)


@pytest.mark.parametrize("seed", range(6))
def test_lattice_tails_equal_big_integer_counts(seed: int) -> None:
    rng = np.random.default_rng(seed)
    differences = rng.integers(-5, 6, size=150)
    differences[0] = 1
    middle, point = lattice_tails(differences.tolist())
    found = smooth_tail(differences[None].astype(float), spacing=2.0)
    assert found.middle[0] == pytest.approx(middle, abs=1e-9)
    assert found.point[0] == pytest.approx(point, abs=1e-9)
    assert abs(found.middle[0] - middle) <= found.error[0]


@pytest.mark.parametrize("seed", range(4))
def test_real_values_equal_counting_over_all_signs(seed: int) -> None:
    differences = np.random.default_rng(seed).normal(0.2, 1.0, size=34)
    found = smooth_tail(differences[None])
    assert found.middle[0] == pytest.approx(counted_mid(differences), abs=1e-5)


def test_a_few_huge_differences_are_handled() -> None:
    rng = np.random.default_rng(8)
    small = rng.integers(1, 30, size=200)
    differences = np.concatenate([small * rng.choice([-1, 1], size=200), [900, -700, 450]])
    middle, _ = lattice_tails(differences.tolist())
    found = smooth_tail(differences[None].astype(float), spacing=2.0)
    assert found.middle[0] == pytest.approx(middle, abs=1e-8)


def test_a_law_of_few_values_is_flagged_by_its_error() -> None:
    found = smooth_tail([[1.0, 2.5, 0.0, 0.0]])
    truth = counted_mid(np.array([1.0, 2.5]))
    assert found.error[0] > 1e-4
    assert abs(found.middle[0] - truth) < 0.2


def test_a_characteristic_function_that_vanishes_by_chance_is_not_taken_for_decayed() -> None:
    # Found by random search: at the last frequencies the product of cosines is 1e-8 by chance.
    row = np.array([0.358, 1.870, -0.284, -0.286, -0.310, -1.344, 3.697])
    row = np.concatenate([row, [-1.609, 1.327, -0.354, -1.088, -1.882, 0.742, 5.275]])
    found = smooth_tail(row[None])
    assert found.error[0] >= abs(found.middle[0] - counted_mid(row))
    assert found.error[0] > 1e-8


def test_resonance_tells_grids_from_real_scores() -> None:
    rng = np.random.default_rng(4)
    whole = rng.integers(-9, 10, size=(4, 500)).astype(float)
    assert resonance(whole) == pytest.approx(1.0, abs=1e-3)
    assert resonance(whole + rng.normal(0.0, 0.01, whole.shape)) > 0.98
    assert resonance(rng.normal(size=2000)) < 0.3
    assert resonance(rng.standard_t(2, size=2000)) < 0.3
    assert resonance(np.zeros(5)) == 1.0


def test_resonance_on_a_known_lattice_sees_coarser_steps_only() -> None:
    rng = np.random.default_rng(4)
    assert resonance(rng.integers(-20, 21, size=4000), limit=np.pi) < 0.3
    assert resonance(10 * rng.integers(-20, 21, size=4000), limit=np.pi) > 0.99


def test_resonance_bounds_what_the_inversion_leaves_out() -> None:
    rng = np.random.default_rng(6)
    row = rng.integers(1, 4, size=40) + rng.normal(0.0, 0.05, 40)
    row *= rng.choice([-1.0, 1.0], size=40)
    frequencies = np.linspace(1.0, 40.0, 4000)
    largest = np.abs(np.cos(np.outer(frequencies, row)).prod(axis=1)).max()
    assert largest <= np.exp(-row.size * (1.0 - resonance(row)) / 4.0)


def test_rows_do_not_influence_each_other() -> None:
    rng = np.random.default_rng(2)
    rows = rng.standard_t(2, size=(40, 300))
    together = smooth_tail(rows)
    alone = [smooth_tail(row[None]).middle[0] for row in rows]
    np.testing.assert_array_equal(together.middle, alone)


def test_turning_all_differences_gives_the_complement() -> None:
    rows = np.random.default_rng(5).standard_t(3, size=(20, 200))
    total = smooth_tail(rows).middle + smooth_tail(-rows).middle
    np.testing.assert_allclose(total, 1.0, atol=1e-12)


def test_no_difference_is_a_certain_tie() -> None:
    found = smooth_tail(np.zeros((2, 7)))
    assert found.middle.tolist() == [0.5, 0.5]
    assert found.point.tolist() == [1.0, 1.0]
    assert found.error.tolist() == [0.0, 0.0]


def test_a_far_tail_is_zero_to_the_stated_error() -> None:
    found = smooth_tail(np.ones((1, 400)))
    assert found.middle[0] <= 2.0**-400 + found.error[0]
    assert found.error[0] < 1e-13


def test_wrong_shape_and_infinity_are_refused() -> None:
    with pytest.raises(InputError, match="`differences` must be finite and 2-dimensional"):
        smooth_tail([1.0, 2.0])
    with pytest.raises(InputError, match="`differences` must be finite"):
        smooth_tail([[1.0, np.inf]])


def test_the_common_step_is_the_largest_of_those_that_fit() -> None:
    rng = np.random.default_rng(4)
    sevens = 7.0 * rng.integers(-20, 21, size=500)
    for noise in (0.0, 1e-6, 0.2):
        assert common_step(sevens + noise * rng.normal(size=500)) == pytest.approx(7.0, rel=0.01)
    assert common_step(rng.normal(size=2000)) is None
    assert common_step(np.zeros(5)) is None


def test_a_step_is_not_found_on_the_slope_of_the_hump_at_zero() -> None:
    # The mean cosine has no other peak, and is just below 0.25 where all steps would be too large.
    sizes = np.random.default_rng(2).beta(2.0, 4.0, size=100)
    assert common_step(sizes) is None
