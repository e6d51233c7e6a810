"""The paper's convolutions, against enumeration and whole-number counts."""

import itertools
import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest

from sigcore.errors import InputError, MemoryLimitError
from sigcore.permutation.convolution import (
    Statistic,
    convolve_dp,
    convolve_fft,
    exact_permutation_test,
)

METHODS = ("dp", "fft")


def enumerated(stay: npt.NDArray[np.int64], swap: npt.NDArray[np.int64], h: object) -> float:
    choices = itertools.product(*zip(stay.tolist(), swap.tolist(), strict=True))
    statistic = h if callable(h) else (lambda total: total)
    observed = statistic(int(stay.sum()))
    values = [statistic(sum(choice)) for choice in choices]
    return sum(value >= observed for value in values) / len(values)


@pytest.mark.parametrize("convolve", METHODS)
@pytest.mark.parametrize("h", [None, np.abs, np.negative, lambda x: (x - 3) ** 2, lambda x: x % 5])
def test_any_statistic_of_any_effects_equals_enumeration(convolve: str, h: object) -> None:
    rng = np.random.default_rng(0)
    for n in (1, 2, 3, 7, 10):
        stay, swap = rng.integers(-6, 9, (2, n))
        result = exact_permutation_test(stay, swap, h, convolve=convolve)  # type: ignore[arg-type]
        assert result.pvalue == pytest.approx(enumerated(stay, swap, h), rel=1e-13)
        assert result.pmf.sum() == pytest.approx(1.0, rel=1e-13)


@pytest.mark.parametrize("convolve", METHODS)
def test_the_law_of_the_sum_is_counted_right(convolve: str) -> None:
    rng = np.random.default_rng(1)
    for n in (50, 401):
        widths = rng.integers(1, 12, n)
        ways = [1]
        for width in widths.tolist():
            longer = [*ways, *[0] * width]
            for index, value in enumerate(ways):
                longer[index + width] += value
            ways = longer
        truth = np.array([float(Fraction(value, 2**n)) for value in ways])
        pmf, error = (convolve_dp if convolve == "dp" else convolve_fft)(widths)
        if convolve == "dp":
            np.testing.assert_allclose(pmf, truth, rtol=error)
        else:
            assert np.abs(pmf - truth).sum() <= error < 1e-11
        assert pmf.min() >= 0.0


def test_dp_keeps_its_digits_in_the_far_tail_and_fft_says_that_it_does_not() -> None:
    stay = np.ones(200, dtype=np.int64)
    by_dp = exact_permutation_test(stay, -stay, convolve="dp")
    assert by_dp.pvalue == 2.0**-200
    assert by_dp.error_bound < 1e-12
    by_fft = exact_permutation_test(stay, -stay, convolve="fft")
    assert by_fft.error_bound == math.inf
    assert 0.0 <= by_fft.pvalue < 1e-14


def test_an_underflowing_tail_has_no_known_error() -> None:
    stay = np.ones(1200, dtype=np.int64)
    result = exact_permutation_test(stay, -stay, convolve="dp")
    assert result.pvalue == 0.0
    assert result.error_bound == math.inf


def test_no_mass_is_trimmed() -> None:
    stay = np.random.default_rng(2).integers(-3, 4, 2000)
    result = exact_permutation_test(stay, -stay, np.abs, convolve="fft")
    assert result.pmf.sum() == pytest.approx(1.0, abs=1e-12)
    assert result.support[0] == -np.abs(stay).sum() == -result.support[-1]


@pytest.mark.parametrize("convolve", METHODS)
def test_items_without_a_choice_shift_the_sum_only(convolve: str) -> None:
    result = exact_permutation_test([5, 2, 1], [5, 2, -1], convolve=convolve)
    assert result.support.tolist() == [6, 8]
    assert result.statistic == 8
    assert result.pvalue == 0.5
    fixed = exact_permutation_test([4, 4], [4, 4], convolve=convolve)
    assert (fixed.pvalue, fixed.support.tolist()) == (1.0, [8])


def test_the_tolerance_ties_values_that_rounding_parts() -> None:
    stay, swap = np.array([1, 1, 1]), np.array([-1, -1, -1])

    def noisy(total: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        return np.where(total > 0, 1.0 + 1e-12 * (total - 1), 0.0)

    assert exact_permutation_test(stay, swap, noisy).pvalue == pytest.approx(0.125)
    assert exact_permutation_test(stay, swap, noisy, tolerance=1e-10).pvalue == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("stay", "swap", "message"),
    [
        ([0.5], [1], "`stay` must contain whole numbers only; found 0.5 at index 0"),
        ([1], [np.nan], "`swap` must be finite"),
        ([1, 2], [1], "same length; got 2 and 1"),
        ([], [], "`stay` must not be empty"),
        ([[1]], [[1]], "`stay` must be 1-dimensional"),
    ],
)
def test_unusable_effects_are_refused(stay: list[float], swap: list[float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        exact_permutation_test(stay, swap)


def test_too_large_a_law_is_refused_with_the_figure() -> None:
    with pytest.raises(MemoryLimitError, match=r"1,000,002 states .* 64 MB; .* allows 1 MB"):
        exact_permutation_test([10**6, 1], [0, 0], convolve="fft", max_memory=1e6)


def test_a_statistic_of_the_wrong_shape_is_refused() -> None:
    with pytest.raises(InputError, match="`h` must return one value a sum"):
        exact_permutation_test([1], [0], lambda total: total[:1])


@pytest.mark.parametrize(
    ("h", "message"),
    [
        (
            lambda sums: np.where(sums > 3, np.nan, sums),
            "`h` must return numbers; got nan for .* 4",
        ),
        (lambda sums: ["a"] * len(sums), "`h` must turn an array of sums into numbers"),
        ("abs", "`h` must turn an array of sums into numbers: 'str' object is not callable"),
    ],
)
def test_a_statistic_that_is_no_number_is_refused(h: Statistic, message: str) -> None:
    with pytest.raises(InputError, match=message):
        exact_permutation_test([1, 2], [2, 3], h)


def test_a_tolerance_below_zero_is_refused() -> None:
    with pytest.raises(InputError, match="`tolerance` must be at least 0; got -1"):
        exact_permutation_test([1, 2], [2, 3], tolerance=-1)


def test_an_unknown_convolution_is_refused() -> None:
    with pytest.raises(InputError, match="`convolve` must be one of 'fft', 'dp'"):
        exact_permutation_test([1], [0], convolve="sum")


def test_numbers_that_would_overflow_are_refused() -> None:
    with pytest.raises(MemoryLimitError, match="below 2\\^60, since each sum is a state"):
        exact_permutation_test([1e30, 1], [-1e30, -1])
    with pytest.raises(MemoryLimitError, match="states and needs about"):
        exact_permutation_test([2**59 + 1] * 40, [-(2**59), *[1] * 39])
