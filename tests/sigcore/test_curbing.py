"""Differences of very different sizes, against sums of fractions and of whole numbers."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from sigcore.errors import InputError
from sigcore.permutation.curbing import curb, curb_integers
from sigcore.permutation.paired import paired_permutation_test

ALTERNATIVES = ("two-sided", "greater", "less")


def exact_pvalue(differences: list[Fraction], alternative: str, ties: str) -> float:
    """Compare all signed sums as fractions."""
    sums = [Fraction(0)]
    for value in differences:
        sums = [total + value for total in sums] + [total - value for total in sums]
    turn = {"two-sided": abs, "greater": lambda x: x, "less": lambda x: -x}[alternative]
    observed = turn(sum(differences))
    tied = sum(turn(total) == observed for total in sums)
    beyond = sum(turn(total) > observed for total in sums)
    return float(Fraction(2 * beyond + (1 if ties == "mid" else 2) * tied, 2 * len(sums)))


def signs(sums: np.ndarray) -> list[list[int]]:
    return [[(a > b) - (a < b) for b in sums] for a in sums]


def all_sums(values: list[Fraction] | list[int]) -> list[Fraction]:
    return [
        sum((s * Fraction(x) for s, x in zip(choice, values, strict=True)), Fraction(0))
        for choice in itertools.product((1, -1), repeat=len(values))
    ]


@pytest.mark.parametrize(
    ("differences", "pvalue"),
    [
        ([1e16, 1.0, 1.0, 1.0], 2.0**-4),
        ([2**60, 1], 2.0**-2),
        ([1e14] + [0.1] * 30, 2.0**-31),
        ([1e14, 1e14] + [0.1] * 30, 2.0**-32),
        ([2**70, 1, -1], 0.375),
        ([10**30 + 1, -(10**30), -1], 0.625),
        ([1e200, 1e-200, -1e-201], 0.25),
        ([5e-324, 1e300], 0.25),
        ([10.0**k for k in range(22)], 2.0**-22),
        ([2**62, 2**62, 3], 2.0**-3),
        ([2**63, -1], 0.5),
    ],
)
def test_small_differences_count_beside_huge_ones(differences: list[float], pvalue: float) -> None:
    zeros = [0] * len(differences)
    for method in ("auto", "exact", "enumerate"):
        result = paired_permutation_test(differences, zeros, method=method, alternative="greater")
        assert result.pvalue == pvalue
        assert (result.certified, result.error_bound) == (True, 0.0)
        assert result.n_nonzero == len(differences)
    drawn = paired_permutation_test(
        differences, zeros, method="monte-carlo", alternative="greater", n_resamples=2000
    )
    assert drawn.interval is not None
    assert drawn.interval[0] <= pvalue <= drawn.interval[1]


def test_convolutions_take_huge_counts_too() -> None:
    for method in ("dp", "fft"):
        result = paired_permutation_test([2**60, 1, 1], [0, 0, 0], method=method)
        assert result.pvalue == pytest.approx(0.25, rel=1e-14)


def test_curbed_integers_order_all_sums_as_before() -> None:
    rng = np.random.default_rng(0)
    for _ in range(150):
        n = int(rng.integers(2, 7))
        sizes = [int(rng.integers(1, 9)) * 10 ** int(rng.integers(0, 40)) for _ in range(n)]
        differences = np.array([size * int(rng.choice([-1, 1])) for size in sizes], dtype=object)
        curbed = curb_integers(differences)
        assert signs(all_sums(curbed.tolist())) == signs(all_sums(differences.tolist()))


def test_curbed_reals_order_all_sums_as_before() -> None:
    rng = np.random.default_rng(1)
    curbed_any = 0
    for _ in range(150):
        n = int(rng.integers(2, 7))
        scale = 10.0 ** rng.choice([-30, 0, 40], n)
        differences = rng.normal(size=n) * scale
        curbed, _ = curb(differences, np.abs(differences))
        curbed_any += curbed is not differences
        truth = signs(all_sums([Fraction(value) for value in differences]))
        assert signs(all_sums([Fraction(value) for value in curbed.tolist()])) == truth
    assert curbed_any > 100


@pytest.mark.parametrize("ties", ["ge", "mid"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_scores_of_all_sizes_agree_with_fractions(alternative: str, ties: str) -> None:
    rng = np.random.default_rng(2)
    for _ in range(120):
        n = int(rng.integers(1, 9))
        exponents = rng.integers(-12, 13, n)
        digits = rng.integers(-30, 31, n)
        exact = [
            Fraction(int(digit)) * Fraction(10) ** int(exponent)
            for digit, exponent in zip(digits, exponents, strict=True)
        ]
        result = paired_permutation_test(
            [float(value) for value in exact], np.zeros(n), alternative=alternative, ties=ties
        )
        assert result.pvalue == pytest.approx(exact_pvalue(exact, alternative, ties), rel=1e-13)
        assert result.certified


def test_rounding_errors_of_a_subtraction_do_not_break_ties_beside_a_huge_score() -> None:
    # On paper 0.1, 0.2, -0.3 and -1e15: sums tie that floats part.
    u, v = [100.3, 100.5, 100.1, 0.0], [100.2, 100.3, 100.4, 1e15]
    exact = [Fraction(1, 10), Fraction(2, 10), Fraction(-3, 10), Fraction(-(10**15))]
    for alternative in ALTERNATIVES:
        result = paired_permutation_test(u, v, alternative=alternative)
        assert result.pvalue == exact_pvalue(exact, alternative, "ge")


def test_many_small_differences_beside_a_huge_one_stay_exact() -> None:
    rng = np.random.default_rng(3)
    small = rng.integers(-4, 6, 400)
    alone = paired_permutation_test(small, np.zeros(400), alternative="greater")
    for huge in (2**40, 1e18, 10**25):
        beside = paired_permutation_test([huge, *small.tolist()], [0] * 401, alternative="greater")
        assert beside.certified
        assert beside.pvalue == pytest.approx(0.5 * alone.pvalue, rel=1e-12)


def test_sizes_without_levels_that_floats_cannot_hold_say_so() -> None:
    # Each size is less than all smaller ones together, and the smallest is lost in the largest.
    sizes = [Fraction(3, 2) ** k * Fraction(math.isqrt(k + 2) + 1, 7) for k in range(0, 100, 7)]
    sizes += [size * Fraction(19, 10) for size in sizes]
    differences = np.array([float(size) for size in sizes[:22]]) * np.resize([1, 1, -1], 22)
    result = paired_permutation_test(differences, np.zeros(22), alternative="greater")
    exact = exact_pvalue([Fraction(value) for value in differences], "greater", "ge")
    assert abs(result.pvalue - exact) <= result.error_bound * result.pvalue + 1e-15


@pytest.mark.parametrize("seed", range(40))
def test_sums_near_zero_of_sizes_all_over_the_range_stay_within_the_bound(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    differences = rng.normal(size=n) * 2.0 ** rng.integers(0, 60, n)
    differences[-1] = -differences[:-1].sum() * (1.0 + rng.choice([0.0, 1e-12, 1e-9]))
    exact = [Fraction(value) for value in differences.tolist()]
    for alternative in ALTERNATIVES:
        result = paired_permutation_test(differences, np.zeros(n), alternative=alternative)
        truth = exact_pvalue(exact, alternative, "ge")
        assert abs(result.pvalue - truth) <= result.error_bound * result.pvalue + 1e-15
        assert result.certified


def test_ties_that_floats_cannot_decide_make_the_error() -> None:
    # On paper the third is the sum of the first two; as a float it is not.
    doubtful = [0.1, math.pi, -(0.1 + math.pi), math.e]
    assert Fraction(0.1) + Fraction(math.pi) != Fraction(0.1 + math.pi)
    result = paired_permutation_test(doubtful, [0.0] * 4, alternative="greater")
    alike = paired_permutation_test([0.7, math.pi, -math.pi, math.e], [0.0] * 4)
    assert result.error_bound > 0.0
    # Equal sizes that change places tie for certain.
    assert (alike.method, alike.error_bound) == ("enumerate", 0.0)


def test_what_a_subtraction_loses_counts_beside_small_differences() -> None:
    u, v = [3e22, -3e22, 4e22, 0.3, -0.1], [0.0, 0.0, 0.0, 0.0, 0.2]
    exact = [Fraction(str(a)) - Fraction(str(b)) - 2 for a, b in zip(u, v, strict=True)]
    for alternative in ALTERNATIVES:
        result = paired_permutation_test(u, v, delta=2.0, alternative=alternative)
        assert result.pvalue == exact_pvalue(exact, alternative, "ge")
        assert result.certified
    in_blocks = paired_permutation_test(
        [1e22, 0.1, -1e22, 0.1], [0.0] * 4, blocks=["a", "a", "a", "b"], alternative="greater"
    )
    assert in_blocks.pvalue == 0.25
    integers = paired_permutation_test([2**60 + 1, 2**60, 1], [0, 0, 0.5], alternative="greater")
    assert integers.pvalue == 0.125


@pytest.mark.parametrize(
    ("u", "delta", "blocks"),
    [
        # Sums of blocks are rounded, and so is what delta leaves.
        ([8e16, 4e16, 4e16, 5e16, 4e16, -5e16], -2.0, None),
        (
            [
                *(195576650.8827257, -1460797760.5984397, 2922.441879957204),
                *(24467273977382.746, -28905533627640.69, 4439524868445.219),
            ],
            0.0,
            [2, 3, 3, 1, 2, 3],
        ),
    ],
)
def test_rounded_differences_that_look_equal_are_not_taken_for_tied(
    u: list[float], delta: float, blocks: list[int] | None
) -> None:
    sums: dict[int, Fraction] = {}
    for place, value in enumerate(u):
        block = blocks[place] if blocks else place
        sums[block] = sums.get(block, Fraction(0)) + Fraction(value) - Fraction(delta)
    for alternative, ties in itertools.product(ALTERNATIVES, ("ge", "mid")):
        result = paired_permutation_test(
            u, [0.0] * len(u), delta=delta, blocks=blocks, alternative=alternative, ties=ties
        )
        truth = exact_pvalue(list(sums.values()), alternative, ties)
        assert abs(result.pvalue - truth) <= result.error_bound * result.pvalue + 1e-15


def test_decimals_stored_in_single_precision_tie_as_decimals() -> None:
    rng = np.random.default_rng(5)
    u, v = rng.integers(-250, 250, (2, 40)) / 10
    double = paired_permutation_test(u, v)
    single = paired_permutation_test(u.astype(np.float32), v.astype(np.float32))
    assert single == double
    assert single.grid_step == 0.1
    real = rng.normal(size=30).astype(np.float32)
    assert paired_permutation_test(real, np.zeros(30)).grid_step is None


def test_masked_scores_are_refused_not_used() -> None:
    masked = np.ma.masked_array([1.0, 2.0, 3.0], mask=[False, True, False])
    with pytest.raises(InputError, match="found nan at index 1"):
        paired_permutation_test(masked, [0.0, 0.0, 0.0])
    whole = np.ma.masked_array([1, 2, 3], mask=False)
    assert paired_permutation_test(whole, [0, 0, 0], alternative="greater").pvalue == 0.125


def test_differences_beyond_the_largest_float_are_refused() -> None:
    with pytest.raises(InputError, match="index 1 it is beyond the largest float"):
        paired_permutation_test([1.5, 1e308], [0.5, -1e308])
    with pytest.raises(InputError, match="2\\^1023; found one of 1101 bits at index 0"):
        paired_permutation_test([2**1100, 1], [0, 0])


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1e200, 1e307])
def test_the_scale_of_scores_does_not_matter(scale: float) -> None:
    steps = np.array([3.0, -1.0, 4.0, 1.0, -5.0, 9.0])
    truth = paired_permutation_test(steps, np.zeros(6))
    for method in ("exact", "enumerate", "monte-carlo", "analytic"):
        scaled = paired_permutation_test(steps * scale, np.zeros(6), method=method)
        plain = paired_permutation_test(steps, np.zeros(6), method=method)
        assert scaled.pvalue == pytest.approx(plain.pvalue, rel=1e-12)
    assert math.isfinite(truth.null().pmf.sum())
    real = np.random.default_rng(4).normal(0.2, 1.0, 60)
    for method in ("exact", "monte-carlo", "analytic"):
        one, other = (
            paired_permutation_test(real * factor, np.zeros(60), method=method).pvalue
            for factor in (1.0, max(scale, 1e-290))
        )
        assert one == pytest.approx(other, rel=1e-9)


def test_big_integers_and_whole_floats_are_one_and_the_same() -> None:
    whole = [3, -1, 4, 1, -5]
    for other in (np.array(whole, dtype=object), np.array(whole, dtype=float), tuple(whole)):
        result = paired_permutation_test(other, np.zeros(5, dtype=int))
        assert result == paired_permutation_test(whole, [0] * 5)


def test_the_null_of_curbed_differences_is_on_their_own_scale() -> None:
    law = paired_permutation_test([1e16, 1.0, 1.0], [0.0, 0.0, 0.0]).null()
    assert law.support.max() == pytest.approx(1e16 / 3, rel=0.05)
