"""Properties of the sign-flip test that hold for all data."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sigcore.permutation.exact import signflip_tail
from sigcore.permutation.paired import paired_permutation_test

COUNTS = st.lists(st.integers(0, 40), min_size=1, max_size=60)
PAIRS = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=1, max_size=80)
SMALL = st.lists(st.integers(-30, 30), min_size=1, max_size=10)
REALS = st.lists(st.floats(-1e3, 1e3, allow_nan=False), min_size=1, max_size=9)
quick = settings(deadline=None, derandomize=True, max_examples=150)


def pvalue(pairs: list[tuple[int, int]], **options: object) -> float:
    u, v = zip(*pairs, strict=True)
    return paired_permutation_test(u, v, **options).pvalue  # type: ignore[arg-type]


@given(PAIRS)
@quick
def test_mid_p_values_of_both_directions_add_up_to_one(pairs: list[tuple[int, int]]) -> None:
    total = pvalue(pairs, alternative="greater", ties="mid") + pvalue(
        pairs, alternative="less", ties="mid"
    )
    assert total == pytest.approx(1.0, abs=1e-13)


@given(PAIRS)
@quick
def test_p_values_of_both_directions_add_up_to_one_and_the_ties(
    pairs: list[tuple[int, int]],
) -> None:
    differences = [u - v for u, v in pairs]
    point = math.exp(signflip_tail(differences).log_point)
    total = pvalue(pairs, alternative="greater") + pvalue(pairs, alternative="less")
    assert total == pytest.approx(1.0 + point, abs=1e-12)


@given(PAIRS)
@quick
def test_exchanging_the_systems_exchanges_the_alternatives(pairs: list[tuple[int, int]]) -> None:
    exchanged = [(v, u) for u, v in pairs]
    assert pvalue(pairs, alternative="greater") == pvalue(exchanged, alternative="less")
    assert pvalue(pairs) == pvalue(exchanged)


@given(PAIRS, st.integers(0, 40), st.sampled_from(["ge", "mid"]))
@quick
def test_an_item_without_a_difference_changes_nothing(
    pairs: list[tuple[int, int]], score: int, ties: str
) -> None:
    for alternative in ("two-sided", "greater", "less"):
        options = {"alternative": alternative, "ties": ties}
        assert pvalue(pairs, **options) == pvalue([*pairs, (score, score)], **options)


@given(PAIRS, st.randoms(use_true_random=False))
@quick
def test_the_order_of_items_does_not_matter(pairs: list[tuple[int, int]], random: object) -> None:
    shuffled = sorted(pairs, key=lambda _: random.random())  # type: ignore[attr-defined]
    assert pvalue(shuffled) == pvalue(pairs)


@given(PAIRS, st.integers(2, 50))
@quick
def test_scaling_the_scores_does_not_matter(pairs: list[tuple[int, int]], factor: int) -> None:
    scaled = [(factor * u, factor * v) for u, v in pairs]
    assert pvalue(scaled) == pvalue(pairs)
    tenths = [(u / 10, v / 10) for u, v in pairs]
    assert pvalue(tenths) == pytest.approx(pvalue(pairs), rel=1e-14)  # type: ignore[arg-type]


@given(COUNTS)
@quick
def test_identical_systems_are_never_different(scores: list[int]) -> None:
    pairs = [(score, score) for score in scores]
    assert pvalue(pairs) == 1.0
    assert pvalue(pairs, alternative="greater", ties="mid") == 0.5


@given(PAIRS)
@quick
def test_two_sided_is_twice_the_smaller_side_or_one(pairs: list[tuple[int, int]]) -> None:
    sides = [pvalue(pairs, alternative=name) for name in ("greater", "less")]
    expected = 1.0 if sum(u - v for u, v in pairs) == 0 else 2.0 * min(sides)
    assert pvalue(pairs) == pytest.approx(expected, rel=1e-12)


@given(SMALL, st.sampled_from(["exact", "enumerate", "dp", "fft"]))
@quick
def test_every_exact_method_equals_enumeration(differences: list[int], method: str) -> None:
    sums = [
        sum(sign * value for sign, value in zip(signs, differences, strict=True))
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    expected = sum(value >= sum(differences) for value in sums) / len(sums)
    found = paired_permutation_test(
        differences, [0] * len(differences), alternative="greater", method=method
    )
    assert found.pvalue == pytest.approx(expected, rel=1e-12)


@given(REALS)
@quick
def test_real_values_equal_enumeration(differences: list[float]) -> None:
    d = np.array(differences)
    sums = np.array(list(itertools.product((1, -1), repeat=d.size))) @ d
    size = np.abs(d).sum()
    gap = sums - d.sum()
    # Which side of the tolerance a sum falls on is not at stake here.
    clear = np.abs(gap) > 1e-12 * size
    low, high = np.mean(clear & (gap > 0)), np.mean(~clear | (gap > 0))
    found = math.exp(signflip_tail(d).log_upper)
    assert low - 1e-12 <= found <= high + 1e-12


@given(PAIRS, st.integers(0, 2**32))
@settings(deadline=None, derandomize=True, max_examples=60)
def test_monte_carlo_lies_around_the_exact_value(pairs: list[tuple[int, int]], seed: int) -> None:
    exact = pvalue(pairs)
    u, v = zip(*pairs, strict=True)
    drawn = paired_permutation_test(u, v, method="monte-carlo", n_resamples=2000, seed=seed)
    assert drawn.interval is not None
    # Five standard errors: one in a million, where the interval itself misses one in twenty.
    slack = 5.0 * math.sqrt(exact * (1.0 - exact) / 2000) + 1e-3
    assert abs(drawn.pvalue - exact) <= slack
    assert drawn.interval[0] - slack <= exact <= drawn.interval[1] + slack
