"""Whole numbers near multiples of a large step, against the law of all their sums."""

import math

import numpy as np
import numpy.typing as npt
import pytest

from sigcore.permutation.exact import signflip_tail
from sigcore.permutation.pairwise import pairwise_pvalues
from sigcore.permutation.two_scales import two_scale_tail

Integers = npt.NDArray[np.int64]


def printed(numbers: Integers, parts: int, decimals: int) -> Integers:
    """Return numbers / parts as they are printed, in units of the last decimal."""
    return np.rint(numbers / parts * 10**decimals).astype(np.int64)


def law_of_sums(differences: Integers) -> dict[int, float]:
    """Return P(S = s) of each sum, one item after another; nothing is subtracted."""
    sums, masses = np.zeros(1, dtype=np.int64), np.ones(1)
    for size in differences[differences != 0].tolist():
        sums, place = np.unique(np.concatenate([sums - size, sums + size]), return_inverse=True)
        masses = np.bincount(place, np.concatenate([masses, masses]) / 2.0)
    return dict(zip(sums.tolist(), masses.tolist(), strict=True))


def grouped(differences: Integers) -> tuple[Integers, Integers, int]:
    sizes, counts = np.unique(np.abs(differences[differences != 0]), return_counts=True)
    return sizes, counts, abs(int(differences.sum()))


def cases() -> list[Integers]:
    rng = np.random.default_rng(3)
    found = []
    for n, shift in ((60, 0.0), (150, 0.3), (300, 0.9)):
        ratings = rng.integers(0, 4, size=(2, n))
        ratings[0] += rng.random(n) < shift
        thirds = printed(ratings, 3, 6)
        sevenths = printed(ratings[:, :80], 7, 7)
        grades = 50_000 * (ratings[0] - ratings[1]) + rng.integers(-3, 4, n)
        found += [thirds[0] - thirds[1], sevenths[0] - sevenths[1], grades]
    # Points of 100 in thirds: multiples up to 60, so that the step must be a fraction, 10000 / 3.
    points = printed(rng.integers(0, 61, size=(2, 40)), 3, 4)
    return [*found, points[0] - points[1]]


@pytest.mark.parametrize("differences", cases())
def test_tails_are_those_of_all_sums_to_twelve_digits(differences: Integers) -> None:
    sizes, counts, observed = grouped(differences)
    law = law_of_sums(differences)
    truth = math.fsum(mass for value, mass in law.items() if value >= observed)
    found = two_scale_tail(sizes, counts, observed)
    assert found is not None
    assert found.certified
    scale = math.exp(found.log_scale)
    assert found.error < 1e-10
    assert abs(found.tail * scale - truth) <= (found.error + 1e-13) * truth
    assert abs(found.point * scale - law[observed]) <= (found.error + 1e-13) * truth


def test_a_sum_of_zero_is_the_mean() -> None:
    half = printed(np.random.default_rng(4).integers(1, 4, 80), 3, 6)
    differences = np.concatenate([half, -half])
    law = law_of_sums(differences)
    found = two_scale_tail(*grouped(differences))
    assert found is not None
    assert found.tail == pytest.approx(0.5 + law[0] / 2.0, rel=1e-12)
    assert found.point == pytest.approx(law[0], rel=1e-10)


def test_whole_numbers_without_a_common_step_are_left_to_others() -> None:
    rng = np.random.default_rng(5)
    assert two_scale_tail(*grouped(rng.integers(-(10**7), 10**7, 200))) is None
    rough = 10**6 * rng.integers(-3, 4, 200) + rng.integers(-90_000, 90_000, 200)
    assert two_scale_tail(*grouped(rough)) is None


def test_whole_numbers_of_which_none_would_be_a_multiple_are_left_to_others() -> None:
    rng = np.random.default_rng(2)
    sizes = rng.beta(2.0, 4.0, size=100)
    sizes = np.rint(1e9 * sizes / sizes.max()).astype(np.int64)
    assert two_scale_tail(*grouped(sizes)) is None
    sizes[rng.choice(100, 7, replace=False)] *= -1
    assert signflip_tail(sizes).method == "inversion"


def test_printed_averages_of_raters_have_certain_p_values() -> None:
    ratings = np.random.default_rng(6).integers(0, 4, size=(2, 400))
    averages = printed(ratings, 3, 6) / 1e6
    law = law_of_sums(printed(ratings[0], 3, 6) - printed(ratings[1], 3, 6))
    observed = int((printed(ratings[0], 3, 6) - printed(ratings[1], 3, 6)).sum())
    truth = math.fsum(mass for value, mass in law.items() if value >= observed)
    tail = signflip_tail(averages[0] - averages[1], magnitude=1.0)
    assert tail.certified
    assert math.exp(tail.log_upper) == pytest.approx(truth, rel=1e-11)
    result = pairwise_pvalues(averages)
    assert result.pvalues[0, 1] == pytest.approx(truth, rel=1e-11)
    assert result.error < 1e-10
