"""Moments against direct sums; Edgeworth tails against exact counting with big integers."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm

from sigcore.errors import InputError
from sigcore.permutation.analytic import edgeworth_in_place, edgeworth_upper, pair_moments


def count_sums(differences: list[int]) -> dict[int, int]:
    counts = {0: 1}
    for difference in differences:
        wider: dict[int, int] = {}
        for value, ways in counts.items():
            for signed in (value + difference, value - difference):
                wider[signed] = wider.get(signed, 0) + ways
        counts = wider
    return counts


def exact_tails(differences: list[int]) -> tuple[float, float]:
    counts = count_sums(differences)
    observed = sum(differences)
    above = sum(ways for value, ways in counts.items() if value > observed)
    equal = counts[observed]
    total = 2 ** len(differences)
    return float(Fraction(above + equal, total)), float(Fraction(2 * above + equal, 2 * total))


def test_pair_moments_equal_direct_sums() -> None:
    scores = np.random.default_rng(0).normal(size=(3, 5, 40)) + 7.0
    moments = pair_moments(scores)
    first, second = np.triu_indices(5, 1)
    differences = scores[:, first] - scores[:, second]
    np.testing.assert_allclose(moments.sum_d, differences.sum(-1), atol=1e-11)
    np.testing.assert_allclose(moments.sum_d2, (differences**2).sum(-1), rtol=1e-12)
    np.testing.assert_allclose(moments.sum_d4, (differences**4).sum(-1), rtol=1e-11)


def test_moments_of_close_systems_keep_absolute_accuracy_at_a_large_offset() -> None:
    rng = np.random.default_rng(1)
    base = 1e6 + rng.normal(size=30)
    scores = np.stack([base, base + 1e-3 * rng.normal(size=30), base + rng.normal(size=30)])
    exact = (scores[0] - scores[1]) ** 2
    assert pair_moments(scores).sum_d2[0] == pytest.approx(exact.sum(), abs=1e-12)


def test_identical_systems_have_moments_zero() -> None:
    moments = pair_moments([[0.1, 0.7, 0.3], [0.1, 0.7, 0.3]])
    assert moments.sum_d2[0] == 0.0
    assert moments.sum_d4[0] == 0.0


def test_pair_moments_refuse_missing_scores() -> None:
    with pytest.raises(InputError, match="`scores` must be finite"):
        pair_moments([[1.0, np.nan], [1.0, 2.0]])


@pytest.mark.parametrize("seed", range(5))
def test_edgeworth_on_a_lattice_is_close_to_counting(seed: int) -> None:
    rng = np.random.default_rng(seed)
    differences = rng.integers(-6, 7, size=300)
    differences[:20] += 1
    common = np.gcd.reduce(differences)
    power = [float((differences.astype(float) ** k).sum()) for k in (1, 2, 4)]
    at_least, middle = exact_tails(differences.tolist())
    assert common == 1
    assert edgeworth_upper(*power, spacing=2.0, ties="ge") == pytest.approx(at_least, abs=2e-6)
    assert edgeworth_upper(*power, spacing=2.0, ties="mid") == pytest.approx(middle, abs=2e-6)


def test_edgeworth_equals_the_formula_and_beats_the_normal_tail() -> None:
    differences = np.random.default_rng(3).integers(-9, 11, size=120)
    s1, s2, s4 = (float((differences.astype(float) ** k).sum()) for k in (1, 2, 4))
    z = s1 / np.sqrt(s2)
    formula = norm.sf(z) - s4 / (12 * s2**2) * norm.pdf(z) * (z**3 - 3 * z)
    value = float(edgeworth_upper(s1, s2, s4))
    _, middle = exact_tails(differences.tolist())
    assert value == pytest.approx(formula, rel=1e-12)
    assert abs(value - middle) < abs(norm.sf(z) - middle) / 5


def test_no_difference_gives_one_or_a_half() -> None:
    assert edgeworth_upper(0.0, 0.0, 0.0, ties="ge") == 1.0
    assert edgeworth_upper(0.0, 0.0, 0.0, ties="mid") == 0.5


def test_edgeworth_stays_a_probability_for_a_single_difference() -> None:
    values = edgeworth_upper([3.0, -3.0], [9.0, 9.0], [81.0, 81.0])
    assert ((values >= 0.0) & (values <= 1.0)).all()


def test_in_place_version_equals_the_public_one_and_floors_small_sums() -> None:
    sums = np.array([[1.0, -2.0, 1e-14], [5.0, 6.0, 1e-13], [9.0, 8.0, 1e-20]])
    expected = edgeworth_upper(*sums)
    expected[2] = 0.5
    result = edgeworth_in_place(*sums.copy(), floor=1e-12)
    np.testing.assert_allclose(result, expected, rtol=1e-14)


def test_edgeworth_refuses_unknown_ties() -> None:
    with pytest.raises(InputError, match="`ties` must be one of 'mid', 'ge'; got 'gt'"):
        edgeworth_upper(1.0, 1.0, 1.0, ties="gt")
