"""Enumeration of subsets of real sizes."""

import itertools
import math

import numpy as np
import pytest

from sigcore.errors import InputError
from sigcore.permutation.enumeration import count_bounded_subsets, meet_in_the_middle
from sigcore.permutation.exact import enumerate_tail, signflip_tail


def subset_sums(sizes: np.ndarray) -> np.ndarray:
    return np.array(list(itertools.product((0, 1), repeat=len(sizes)))) @ sizes


@pytest.mark.parametrize("n", [1, 2, 3, 9, 14])
def test_both_ways_count_the_subsets_below_a_limit(n: int) -> None:
    rng = np.random.default_rng(n)
    sizes = np.sort(rng.exponential(size=n))
    sums = subset_sums(sizes)
    for limit in (0.0, *rng.choice(sums, 4)):
        upto, tied = np.sum(sums <= limit + 1e-12), np.sum(np.abs(sums - limit) <= 1e-12)
        halved = meet_in_the_middle(sizes, limit, 1e-12)
        assert (halved.tail * 2.0**n, halved.point * 2.0**n) == (upto, tied)
        listed = count_bounded_subsets(sizes, limit, 1e-12)
        assert (listed.tail, listed.point) == (upto, tied)
        assert listed.log_scale == pytest.approx(-n * math.log(2.0))


def test_sums_within_the_tolerance_are_tied() -> None:
    sizes = np.array([0.1, 0.2, 0.3, 0.1 + 0.2])
    found = meet_in_the_middle(sizes, 0.3, 1e-15)
    sums = [sum(choice) for choice in itertools.product((0, 1), (0, 2), (0, 3), (0, 3))]
    assert found.point * 16 == sum(value == 3 for value in sums)
    assert found.tail * 16 == sum(value <= 3 for value in sums)


def test_a_sum_near_the_largest_of_many_real_values_is_counted_exactly() -> None:
    sizes = np.random.default_rng(1).uniform(1.0, 2.0, 400)
    differences = np.where(np.arange(400) < 2, -sizes, sizes)
    tail = signflip_tail(differences)
    assert tail.method == "enumerate"
    assert tail.certified
    limit = sizes[0] + sizes[1]
    first, second = np.triu_indices(400, 1)
    pairs, singles = sizes[first] + sizes[second], sizes
    # Three sizes exceed any limit of two below 3; otherwise list triples as well.
    order = np.sort(sizes)
    triples = sum(
        int(np.searchsorted(order[j + 1 :], limit - order[i] - order[j], side="right"))
        for i in range(398)
        for j in range(i + 1, 399)
        if order[i] + 2 * order[j] <= limit
    )
    count = 1 + np.sum(singles <= limit) + np.sum(pairs <= limit + 1e-12) + triples
    assert tail.log_upper == pytest.approx(math.log(count) - 400 * math.log(2.0), rel=1e-14)


def test_all_positive_real_values_have_p_two_to_the_minus_n() -> None:
    sizes = np.random.default_rng(2).uniform(1.0, 2.0, 3000)
    assert signflip_tail(sizes).log_upper == pytest.approx(-3000 * math.log(2.0), rel=1e-15)


def test_enumeration_of_real_differences_equals_a_loop() -> None:
    rng = np.random.default_rng(3)
    for n in (1, 5, 13):
        differences = rng.normal(0.3, 1.0, n)
        sums = np.array(list(itertools.product((1, -1), repeat=n))) @ differences
        share = np.mean(sums >= differences.sum() - 1e-12)
        assert math.exp(enumerate_tail(differences).log_upper) == pytest.approx(share, rel=1e-15)


def test_more_than_44_differences_are_refused() -> None:
    with pytest.raises(InputError, match=r"at most 44 values other than 0 .* got 45"):
        enumerate_tail(np.ones(45))
    assert enumerate_tail(np.zeros(100)).method == "identical"


@pytest.mark.parametrize("scale", [1e-310, 1e-200, 1e300])
def test_tiny_and_huge_values_are_scaled_first(scale: float) -> None:
    differences = np.array([1.0, -0.3, 0.7, math.sqrt(2.0), -0.1]) * scale
    expected = enumerate_tail(differences / scale).log_upper
    assert signflip_tail(differences).log_upper == expected
