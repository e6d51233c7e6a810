"""The null distribution as a whole."""

import itertools

import numpy as np
import pytest

from sigcore.permutation.null import null_distribution


@pytest.mark.parametrize(
    "differences", [[1], [2, 3], [1, 1, 1], [4, 0, -6, 2], [5, 1, 2, 2, 9, -3, 1], [10, 10, 1]]
)
def test_the_law_equals_enumeration(differences: list[int]) -> None:
    law = null_distribution(np.array(differences))
    sums = np.array(list(itertools.product((1, -1), repeat=len(differences)))) @ differences
    expected = [np.mean(sums == value) for value in law.support]
    np.testing.assert_allclose(law.pmf, expected, atol=1e-15)
    assert law.exact
    assert sum(expected) == 1.0


def test_no_difference_leaves_one_point() -> None:
    law = null_distribution(np.zeros(3, dtype=np.int64), scale=0.5, shift=2.0)
    assert (law.support.tolist(), law.pmf.tolist()) == ([2.0], [1.0])


@pytest.mark.parametrize("real", [False, True])
def test_moments_are_those_of_random_signs(real: bool) -> None:
    rng = np.random.default_rng(0)
    differences = rng.normal(0.3, 2.0, 5000) if real else rng.integers(-5, 9, 5000)
    law = null_distribution(differences, scale=0.1, shift=1.0)
    assert law.exact is not real
    assert law.pmf.sum() == pytest.approx(1.0, abs=1e-13)
    assert law.pmf.min() >= 0.0
    assert law.pmf @ law.support == pytest.approx(1.0, abs=1e-9)
    variance = law.pmf @ (law.support - 1.0) ** 2
    assert variance == pytest.approx(0.01 * float((differences**2).sum()), rel=1e-3)


def test_far_too_many_sums_are_put_on_a_coarser_grid() -> None:
    differences = np.random.default_rng(1).integers(-(10**9), 10**9, 100)
    law = null_distribution(differences)
    assert not law.exact
    assert law.support.size < 100_000
