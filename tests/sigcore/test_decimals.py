"""Scores so unlike in size that floats lose the smaller one: against sums of fractions."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from sigcore.errors import InputError
from sigcore.permutation.paired import paired_permutation_test

ALTERNATIVES = ("two-sided", "greater", "less")


def fractions(numbers: list[str]) -> list[Fraction]:
    return [Fraction(number) for number in numbers]


def enumerated(differences: list[Fraction], alternative: str, ties: str) -> float:
    """Compare all signed sums with the observed one; no rounding anywhere."""
    observed, n_beyond, n_tied = sum(differences), 0, 0
    for signs in itertools.product((1, -1), repeat=len(differences)):
        total = sum(sign * each for sign, each in zip(signs, differences, strict=True))
        gap = abs(total) - abs(observed) if alternative == "two-sided" else total - observed
        gap = -gap if alternative == "less" else gap
        n_beyond, n_tied = n_beyond + (gap > 0), n_tied + (gap == 0)
    return float(Fraction(2 * n_beyond + (1 if ties == "mid" else 2) * n_tied, 2)) / (
        2 ** len(differences)
    )


@pytest.mark.parametrize("ties", ["ge", "mid"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(
    ("u", "v", "delta"),
    [
        (["-2e20", "2e20"], ["0", "-3"], "0"),
        (["-2e20", "2e20"], ["0", "-3.5"], "0"),
        (["2e20", "2e20", "-0.5", "1e20"], ["4e20", "0", "-2e20", "5.5"], "0"),
        (["3", "-2e20", "0"], ["-2e20", "0", "-2e20"], "0"),
        (["1e292", "0", "1.5e308"], ["1.5e308", "-1e308", "1e292"], "-0.3"),
        (["-1", "1.5e308", "1"], ["-0.3", "1", "1.5e308"], "0.1"),
        (["4e20"], ["4e20"], "0.1"),
        (["0", "1e15", "0", "-0.3", "2"], ["-1e15", "2", "1e15", "0.1", "1e15"], "0"),
        (["0", "0"], ["1e-320", "-1e308"], "0"),
        (["1e12", "-1e12", "1e7", "-1e7"], ["0", "0", "-0.001", "0"], "0"),
    ],
)
def test_no_score_is_lost_beside_a_larger_one(
    u: list[str], v: list[str], delta: str, alternative: str, ties: str
) -> None:
    differences = [a - b - Fraction(delta) for a, b in zip(*map(fractions, (u, v)), strict=True)]
    result = paired_permutation_test(
        [float(each) for each in u],
        [float(each) for each in v],
        alternative=alternative,
        ties=ties,
        delta=float(delta),
    )
    assert result.pvalue == pytest.approx(enumerated(differences, alternative, ties), rel=1e-12)
    assert result.error_bound < 1e-12


def test_whole_numbers_of_any_size_are_exact_beside_a_delta_that_is_not_whole() -> None:
    result = paired_permutation_test([2**70], [2**70 + 1], alternative="less", delta=0.25)
    assert (result.pvalue, result.n_nonzero) == (0.5, 1)


def test_what_rounding_leaves_of_a_zero_is_no_score() -> None:
    rest = 0.3 - 0.2 - 0.1
    assert rest != 0.0
    result = paired_permutation_test([0.3, 0.0, 0.1], [rest, 0.3, 0.2], alternative="greater")
    # 3, -3 and -1 tenths: six of the sums 7, 5, 1, 1, -1, -1, -5, -7 are at least -1.
    assert result.pvalue == 0.75
    assert (result.grid_step, result.error_bound) == (0.1, 0.0)


def counted(differences: list[int]) -> float:
    """P(S >= s) from the number of ways to each sum of Python integers."""
    ways = {0: 1}
    for size in differences:
        grown: dict[int, int] = {}
        for total, count in ways.items():
            for new in (total + size, total - size):
                grown[new] = grown.get(new, 0) + count
        ways = grown
    observed = sum(differences)
    at_least = sum(count for total, count in ways.items() if total >= observed)
    return at_least / 2 ** len(differences)


def test_a_tie_that_a_lost_score_may_break_is_part_of_the_error() -> None:
    u, v = np.random.default_rng(1).integers(0, 4, (2, 60)) / 10
    u[0], v[0] = 1e-20, 0.3
    result = paired_permutation_test(u, v, alternative="greater")
    exact = [10**19 * step for step in np.rint(10 * (u - v)).astype(int).tolist()]
    exact[0] += 1
    true = counted(exact)
    assert result.pvalue != pytest.approx(true, rel=1e-6)
    assert abs(result.pvalue - true) <= result.error_bound * result.pvalue


@pytest.mark.parametrize("seed", range(6))
def test_what_is_lost_beside_items_that_are_small_themselves_is_part_of_the_error(
    seed: int,
) -> None:
    rng = np.random.default_rng(seed)
    u, v = rng.choice([2e20, 3.0, 0.0], 46), rng.choice([2e20, 1.0, 0.0], 46)
    result = paired_permutation_test(u, v, alternative="greater")
    true = counted([int(a) - int(b) for a, b in zip(u, v, strict=True)])
    assert abs(result.pvalue - true) <= result.error_bound * result.pvalue


@pytest.mark.parametrize("n_copies", [1, 100])
def test_the_mean_keeps_its_digits_where_sums_cancel(n_copies: int) -> None:
    u, v = [1e16, 3.25, -1e16] * n_copies, [0.0, 0.0, 0.0] * n_copies
    assert paired_permutation_test(u, v).statistic == pytest.approx(3.25 / 3, rel=1e-15)
    assert paired_permutation_test([2**60 - 1], [2**60 - 2]).statistic == 1.0
    assert paired_permutation_test([2**59, 1 - 2**59], [0, 0]).statistic == 0.5
    assert paired_permutation_test([2**80, 0.5], [0, 2.0**80]).statistic == 0.25


def test_sums_of_blocks_beyond_the_largest_float_are_refused() -> None:
    with pytest.raises(InputError, match="the sum of a block must be finite; at index 0"):
        paired_permutation_test([1.7e308, 1.1e308, 0.1], [0, 0.3, 0], blocks=["a", "a", "b"])


def test_sizes_of_blocks_may_add_up_to_more_than_all_floats() -> None:
    # Block "b" is 5e307 + 1e300, the others are about 1.5e308 and -1.5e308.
    u, v = [1.5e308, 1.5e308, -1e308, 1e300], [-1e300, 1e300, 0.0, 1.5e308]
    result = paired_permutation_test(u, v, blocks=["b", "a", "b", "c"], alternative="less")
    differences = [Fraction(5 * 10**307 + 10**300), Fraction(15 * 10**307 - 10**300)]
    differences.append(-differences[1])
    assert result.pvalue == enumerated(differences, "less", "ge")
