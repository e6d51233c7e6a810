"""Stratified shuffling against all swaps, and as Bikel's script counts."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from sigcore.errors import InputError
from sigcore.parsing.shuffling import HitCounts, is_at_least, stratified_shuffling


def some_counts(n_sentences, seed):
    rng = np.random.default_rng(seed)
    return [
        HitCounts(rng.integers(0, 9, n_sentences), rng.integers(0, 5, n_sentences), weight=2)
        for _ in range(2)
    ]


def value(counts, chosen, other, swaps):
    hits = sum(int(o if s else c) for c, o, s in zip(chosen.hits, other.hits, swaps, strict=True))
    errors = sum(
        int(o if s else c) for c, o, s in zip(chosen.errors, other.errors, swaps, strict=True)
    )
    total = counts.weight * hits + errors
    return Fraction(counts.weight * hits, total) if total else Fraction(0)


def all_swaps(a, b):
    """Return the observed difference and those of all swaps, as fractions."""
    differences = [
        value(a, a, b, swaps) - value(a, b, a, swaps)
        for swaps in itertools.product((0, 1), repeat=a.hits.size)
    ]
    return differences[0], differences


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("alternative", ["observed", "greater", "less", "two-sided"])
def test_shuffling_estimates_the_share_of_all_swaps(seed, alternative):
    a, b = some_counts(8, seed)
    observed, differences = all_swaps(a, b)
    side = alternative
    if alternative == "observed":
        side = "greater" if observed >= 0 else "less"
    extreme = {
        "greater": [difference >= observed for difference in differences],
        "less": [difference <= observed for difference in differences],
        "two-sided": [abs(difference) >= abs(observed) for difference in differences],
    }[side]
    exact = np.mean(extreme)
    result = stratified_shuffling(a, b, alternative=alternative, n_shuffles=20_000, seed=seed)
    assert result.difference == pytest.approx(float(observed), abs=1e-15)
    assert result.alternative == side
    # Four standard errors, so that one of these tests fails by chance in a thousand.
    assert abs(result.pvalue - exact) < 4 * np.sqrt(exact * (1 - exact) / 20_000) + 1e-4


def test_the_estimate_adds_one_to_both_counts():
    a, b = some_counts(30, 1)
    result = stratified_shuffling(a, b, n_shuffles=999)
    assert result.pvalue == (result.n_extreme + 1) / 1000
    assert result.interval[0] < result.n_extreme / 999 < result.interval[1]


def test_identical_parsers_have_p_one():
    a, _ = some_counts(30, 1)
    for alternative in ("observed", "greater", "less", "two-sided"):
        assert stratified_shuffling(a, a, alternative=alternative).pvalue == 1


def test_parsers_without_brackets_have_p_one():
    nothing = HitCounts(np.zeros(3, dtype=int), np.zeros(3, dtype=int))
    result = stratified_shuffling(nothing, nothing, n_shuffles=10)
    assert (result.difference, result.pvalue) == (0, 1)


def test_the_same_seed_gives_the_same_count_and_another_seed_another():
    a, b = some_counts(50, 2)
    first, again = (stratified_shuffling(a, b, seed=0).n_extreme for _ in range(2))
    assert first == again
    assert first != stratified_shuffling(a, b, seed=1).n_extreme


def test_exchanging_the_parsers_mirrors_the_result():
    a, b = some_counts(50, 2)
    there, back = stratified_shuffling(a, b), stratified_shuffling(b, a)
    assert there.difference == -back.difference
    assert there.pvalue == back.pvalue
    assert {there.alternative, back.alternative} == {"greater", "less"}


def test_more_sentences_than_fit_at_once_are_shuffled_in_parts():
    a, b = some_counts(5000, 3)
    few, many = (stratified_shuffling(a, b, n_shuffles=n) for n in (400, 900))
    assert few.n_extreme <= many.n_extreme


def test_ties_are_exact_where_floating_point_is_not():
    # Every swap of 1/3 and 1/3 written as 1 of 3 and 2 of 6 keeps the difference at 0.
    a = HitCounts(np.array([1, 2, 1]), np.array([2, 4, 2]))
    b = HitCounts(np.array([2, 1, 3]), np.array([4, 2, 6]))
    for alternative in ("greater", "less", "two-sided"):
        assert stratified_shuffling(a, b, alternative=alternative).pvalue == 1
    assert is_at_least(a, b)
    assert is_at_least(b, a)


@pytest.mark.parametrize(
    ("hits", "errors", "message"),
    [
        ([], [], "`hits` must be a non-empty vector of whole numbers"),
        ([1.0], [1], "`hits` must be a non-empty vector of whole numbers; got float64"),
        ([1], [-1], "`errors` must not be negative; got -1"),
        ([1], [1, 2], "`hits` and `errors` must have one length; got 1 and 2"),
    ],
)
def test_counts_must_be_counts(hits, errors, message):
    with pytest.raises(InputError, match=message):
        HitCounts(np.array(hits), np.array(errors))


def test_bad_options_and_pairs_are_refused():
    a, b = some_counts(5, 0)
    short = HitCounts(a.hits[:4], a.errors[:4], weight=2)
    huge = HitCounts(np.array([1 << 31]), np.array([0]))
    with pytest.raises(InputError, match="one measure on the same sentences; got 5 and 4"):
        stratified_shuffling(a, short)
    with pytest.raises(InputError, match="must not sum to more than"):
        stratified_shuffling(huge, huge)
    with pytest.raises(InputError, match="`alternative` must be one of 'observed'"):
        stratified_shuffling(a, b, alternative="better")
    with pytest.raises(InputError, match="`n_shuffles` must be at least 1"):
        stratified_shuffling(a, b, n_shuffles=0)
