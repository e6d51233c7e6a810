"""Tails of the sign-flip null against counts in whole numbers of any size."""

import itertools
import math
from decimal import Decimal, localcontext

import numpy as np
import numpy.typing as npt
import pytest

from sigcore.errors import InputError
from sigcore.permutation import lattice_inversion
from sigcore.permutation.exact import Tail, signflip_tail

Integers = npt.NDArray[np.int64]


def count_subsets(sizes: list[int], limit: int) -> tuple[int, int]:
    """Count subsets that add up to at most, and to exactly, `limit`, in one big integer.

    Digit j of the integer, in base 2^width, is the number of subsets with sum j.
    """
    width = len(sizes) + 2
    mask = (1 << (width * (limit + 1))) - 1
    digits = 1
    for size in sizes:
        if size <= limit:
            digits = (digits + (digits << (width * size))) & mask
    return digits % ((1 << width) - 1), digits >> (width * limit)


def relative_errors(tail: Tail, differences: Integers) -> tuple[float, float]:
    """Return the relative error of P(S >= |s|), and that of P(S = s) on the same scale."""
    sizes = np.abs(differences[differences != 0]).tolist()
    upto, equal = count_subsets(sizes, (sum(sizes) - abs(int(differences.sum()))) // 2)
    with localcontext() as context:
        context.prec = 60
        truth = Decimal(upto).ln() - len(sizes) * Decimal(2).ln()
        found = Decimal(tail.extreme.tail).ln() + Decimal(tail.extreme.log_scale)
        share = float(Decimal(equal) / Decimal(upto))
        return abs(float(found - truth)), abs(tail.extreme.point / tail.extreme.tail - share)


def random_differences(rng: np.random.Generator, largest_n: int, largest: int) -> Integers:
    """Draw differences of several kinds: even, tied, sparse, with a coarse sub-grid."""
    n = int(rng.integers(1, largest_n + 1))
    top = int(rng.integers(1, largest + 1))
    sizes = [
        lambda: rng.integers(0, top + 1, n),
        lambda: rng.choice(rng.integers(0, top + 1, 3), n),
        lambda: rng.integers(0, top + 1, n) * rng.integers(0, 2, n),
        lambda: np.where(rng.random(n) < 0.97, 10, rng.integers(1, top + 1, n)),
    ][rng.integers(4)]()
    share = rng.choice([0.5, 0.55, 0.7, 0.9, 0.99, 1.0])
    return np.asarray(sizes * np.where(rng.random(n) < share, 1, -1), dtype=np.int64)


def check(differences: Integers) -> Tail:
    tail = signflip_tail(differences)
    if differences.any():
        errors = relative_errors(tail, differences)
        assert max(errors) <= 1e-12
        assert max(errors) <= tail.error_bound + 1e-15
        assert tail.certified
    return tail


def test_thousands_of_small_cases_agree_with_big_integers() -> None:
    rng = np.random.default_rng(0)
    methods = {check(random_differences(rng, 60, 20)).method for _ in range(2500)}
    assert methods >= {"count", "identical"}


def test_hundreds_of_medium_cases_agree_with_big_integers() -> None:
    rng = np.random.default_rng(1)
    methods = [check(random_differences(rng, 300, 30)).method for _ in range(400)]
    assert methods.count("lattice") > 100


def test_the_inversion_alone_agrees_with_big_integers(monkeypatch: pytest.MonkeyPatch) -> None:
    # Without the short cut by counting, also where counting would be faster or more accurate.
    monkeypatch.setattr(lattice_inversion, "_counting_seconds", lambda *_: math.inf)
    rng = np.random.default_rng(2)
    inverted = 0
    for _ in range(600):
        differences = random_differences(rng, 80, 15)
        sizes = np.abs(differences)
        if sizes.sum() == abs(differences.sum()):
            continue  # The largest sum has no saddlepoint.
        tail = signflip_tail(differences)
        errors = relative_errors(tail, differences)
        assert max(errors) <= 1e-12
        assert max(errors) <= tail.error_bound
        inverted += tail.method == "lattice"
    assert inverted > 300


@pytest.mark.parametrize("share", [0.5, 0.6, 0.75, 0.9])
@pytest.mark.parametrize("largest", [1, 3, 7])
def test_two_thousand_items_agree_with_big_integers(share: float, largest: int) -> None:
    rng = np.random.default_rng([largest, int(100 * share)])
    signs = np.where(rng.random(2000) < share, 1, -1)
    tail = check(rng.integers(1, largest + 1, 2000) * signs)
    assert tail.method == "lattice"


def test_values_up_to_a_thousand_agree_with_big_integers() -> None:
    rng = np.random.default_rng(3)
    tail = check(rng.integers(1, 1001, 400) * np.where(rng.random(400) < 0.6, 1, -1))
    assert tail.method == "lattice"


@pytest.mark.parametrize("n_negative", [0, 1, 2, 10, 30])
def test_large_values_near_the_largest_sum_agree_with_big_integers(n_negative: int) -> None:
    rng = np.random.default_rng(n_negative)
    sizes = np.sort(rng.integers(1, 1001, 2000))
    signs = np.ones(2000, dtype=np.int64)
    signs[:n_negative] = -1
    tail = check(sizes * signs)
    assert tail.log_upper < -1250


@pytest.mark.parametrize("sizes", [[1, 1000], [199, 200, 1001], [997, 998, 1000]])
def test_values_of_very_different_or_close_sizes_agree_with_big_integers(sizes: list[int]) -> None:
    rng = np.random.default_rng(sum(sizes))
    for n in (20, 60, 90):
        for share in (0.5, 0.8, 0.97):
            check(rng.choice(sizes, n) * np.where(rng.random(n) < share, 1, -1))


@pytest.mark.parametrize("n", [1, 2, 40, 1000, 1074, 5000, 100_000])
def test_differences_of_one_sign_have_p_two_to_the_minus_n(n: int) -> None:
    rng = np.random.default_rng(n)
    for differences in (np.ones(n, dtype=np.int64), rng.integers(1, 1001, n)):
        tail = signflip_tail(differences)
        assert tail.log_upper == pytest.approx(-n * math.log(2.0), rel=1e-15)
        assert tail.log_point == tail.log_upper
        assert signflip_tail(-differences).log_upper == 0.0


def test_p_values_down_to_1e_minus_300_keep_their_digits() -> None:
    seen = []
    for n_negative in range(0, 500, 20):
        differences = np.r_[np.ones(1500 - n_negative), -np.ones(n_negative)].astype(np.int64)
        tail = signflip_tail(differences)
        assert max(relative_errors(tail, differences)) <= 1e-12
        seen.append(tail.log_upper / math.log(10.0))
    assert min(seen) < -400
    assert max(seen) > -50


def test_a_negative_sum_has_the_complement() -> None:
    rng = np.random.default_rng(4)
    for _ in range(200):
        differences = random_differences(rng, 12, 5)
        sums = [
            int(np.dot(signs, differences))
            for signs in itertools.product((1, -1), repeat=min(differences.size, 12))
        ]
        observed = int(differences.sum())
        share = sum(value >= observed for value in sums) / len(sums)
        assert math.exp(signflip_tail(differences).log_upper) == pytest.approx(share, rel=1e-14)


def test_a_sum_of_zero_counts_half_of_the_rest() -> None:
    differences = np.r_[np.arange(1, 181), -np.arange(1, 181)]
    tail = check(differences)
    assert tail.sign == 0
    assert tail.method == "lattice"
    point = math.exp(tail.log_point)
    assert math.exp(tail.log_upper) == pytest.approx(0.5 + 0.5 * point, rel=1e-14)


def test_identical_systems_are_certain_and_half() -> None:
    tail = signflip_tail([0, 0, 0])
    assert tail.method == "identical"
    assert tail.probability("two-sided", "ge") == (1.0, 0.0)
    assert tail.probability("greater", "mid")[0] == 0.5


def test_a_grid_gives_the_integers_behind_it() -> None:
    tenths = np.random.default_rng(5).integers(-50, 60, 400)
    by_grid, by_integers = signflip_tail(tenths / 10), signflip_tail(tenths)
    assert by_grid.log_upper == by_integers.log_upper
    assert (by_grid.grid_step, by_integers.grid_step) == (0.1, 1.0)


def test_a_common_factor_changes_the_step_only() -> None:
    differences = np.random.default_rng(6).integers(-9, 12, 500)
    scaled = signflip_tail(6 * differences)
    assert scaled.log_upper == signflip_tail(differences).log_upper
    assert scaled.grid_step == 6.0


@pytest.mark.parametrize("n", [300, 2000])
def test_real_values_agree_with_the_lattice_they_were_rounded_from(n: int) -> None:
    # An odd value beside them hides the grid, and is too small to matter.
    steps = np.random.default_rng(n).normal(60.0, 1000.0, n).round().astype(np.int64)
    lattice = signflip_tail(steps)
    assert lattice.method == "lattice"
    hidden = signflip_tail(np.r_[steps * math.pi, 1e-2 * math.e])
    assert hidden.method == "inversion"
    assert not hidden.certified
    middle = lattice.probability("greater", "mid")[0]
    assert hidden.probability("greater", "mid")[0] == pytest.approx(middle, rel=1e-6)


def test_integers_with_too_many_sums_are_inverted_numerically() -> None:
    rng = np.random.default_rng(7)
    differences = rng.integers(1, 10**7, 1500) * np.where(rng.random(1500) < 0.53, 1, -1)
    tail = signflip_tail(differences)
    assert tail.method == "inversion"
    assert tail.grid_step == 1.0
    # The same sum in coarser steps, where rounding moves it by 1e-4 standard deviations.
    coarse = signflip_tail(np.rint(differences / 1000).astype(np.int64))
    assert coarse.method == "lattice"
    assert tail.log_upper == pytest.approx(coarse.log_upper, abs=1e-3)


def test_a_few_large_integers_are_enumerated() -> None:
    differences = np.random.default_rng(8).integers(-(10**6), 2 * 10**6, 16)
    tail = signflip_tail(differences)
    assert tail.method == "enumerate"
    sums = np.array(list(itertools.product((1, -1), repeat=16))) @ differences
    assert math.exp(tail.log_upper) == np.mean(sums >= differences.sum())


def test_integers_beyond_exact_floats_are_compared_exactly() -> None:
    differences = np.array([2**55, -(2**54), 2**53 + 2**44, 2**50], dtype=np.int64)
    sums = [
        sum(s * int(d) for s, d in zip(signs, differences, strict=True))
        for signs in itertools.product((1, -1), repeat=4)
    ]
    share = np.mean([value >= int(differences.sum()) for value in sums])
    tail = signflip_tail(differences)
    assert (tail.certified, tail.error_bound, tail.grid_step) == (True, 0.0, 2.0**44)
    assert math.exp(tail.log_upper) == share


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.bool_, np.int32])
def test_small_integer_types_do_not_wrap_around(dtype: type[np.generic]) -> None:
    differences = np.ones(300, dtype=dtype)
    assert signflip_tail(differences).log_upper == pytest.approx(-300 * math.log(2.0))


@pytest.mark.parametrize(
    ("differences", "message"),
    [
        ([], "must not be empty"),
        (np.zeros((2, 2), dtype=int), "1-dimensional"),
        ([1.0, np.nan], "found nan at index 1"),
        ([np.inf], "found inf at index 0"),
        (["a"], "numbers only"),
    ],
)
def test_unusable_differences_are_refused(differences: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        signflip_tail(differences)  # type: ignore[arg-type]
