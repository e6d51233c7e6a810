"""Algorithm 5 with any function of several sums, against enumeration of all swaps."""

import itertools

import numpy as np
import pytest

from sigcore.errors import InputError, MemoryLimitError
from sigcore.permutation.prf import prf_permutation_test
from sigcore.permutation.structured import structured_permutation_test


def enumerated(stay, swap, h, ties="ge"):
    values = []
    for choice in itertools.product([True, False], repeat=len(stay)):
        sums = np.where(np.array(choice)[:, None], stay, swap).sum(axis=0)
        values.append(float(h(sums)))
    # The first choice is to leave everything as observed.
    gap = np.array(values) - values[0]
    tied = np.abs(gap) <= 1e-9
    return float(np.mean((gap > 0) & ~tied) + (0.5 if ties == "mid" else 1.0) * np.mean(tied))


def largest_ratio(sums):
    return np.max(np.abs(sums) / (1.0 + np.abs(sums[..., ::-1])), axis=-1)


def f1_difference(sums):
    """Equation 16 of the paper, two-sided: sums of tp and incorrect of both systems."""
    u, v = (
        np.divide(2.0 * tp, 2 * tp + wrong, out=np.zeros(tp.shape), where=2 * tp + wrong > 0)
        for tp, wrong in ((sums[..., 0], sums[..., 1]), (sums[..., 2], sums[..., 3]))
    )
    return np.abs(u - v)


@pytest.mark.parametrize("m", [1, 2, 3, 4])
@pytest.mark.parametrize("ties", ["ge", "mid"])
def test_p_agrees_with_enumeration(m, ties):
    for seed, n in enumerate([1, 2, 4, 7, 9]):
        stay, swap = np.random.default_rng(10 * m + seed).integers(-3, 4, (2, n, m))
        result = structured_permutation_test(stay, swap, largest_ratio, ties=ties)
        assert result.pvalue == pytest.approx(enumerated(stay, swap, largest_ratio, ties))
        assert result.n_nonzero == np.any(stay != swap, axis=1).sum()


def test_lists_and_boxes_of_states_agree():
    rng = np.random.default_rng(3)
    near, far = rng.integers(0, 3, (2, 10, 2)), rng.integers(-(10**6), 10**6, (2, 10, 2))
    # Eight functions of this size have more possible sums than there are 64-bit numbers.
    wide = rng.integers(-(10**9), 10**9, (2, 10, 8))
    for (stay, swap), method in ((near, "dense"), (far, "sparse"), (wide, "sparse")):
        result = structured_permutation_test(stay, swap, largest_ratio)
        assert result.method == method
        assert result.pvalue == pytest.approx(enumerated(stay, swap, largest_ratio))


def test_the_four_function_form_of_f1_agrees_with_the_special_test():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 4, (2, 40, 2))
    stay, swap = np.hstack([a, b]), np.hstack([b, a])
    general = structured_permutation_test(stay, swap, f1_difference)
    special = prf_permutation_test(a, b, measure="f1")
    assert general.pvalue == pytest.approx(special.pvalue, rel=1e-12)
    assert general.statistic == pytest.approx(abs(special.statistic))


def test_functions_that_follow_from_others_add_no_states():
    rng = np.random.default_rng(1)
    stay, swap = rng.integers(0, 4, (2, 30, 1))
    one = structured_permutation_test(stay, swap, lambda s: s[..., 0])
    many = structured_permutation_test(
        np.hstack([stay, 3 * stay, swap, 0 * stay]),
        np.hstack([swap, 3 * swap, stay, 0 * swap]),
        lambda s: s[..., 1] - s[..., 2],
    )
    assert many.n_states == one.n_states
    assert many.pvalue == pytest.approx(one.pvalue, rel=1e-13)


def test_large_sums_that_follow_from_others_are_exact():
    stay, swap = np.random.default_rng(4).integers(-(10**6), 10**6, (2, 8, 1))
    large = 10**8 + 7

    def exact_remainder(sums):
        assert np.all(sums[:, 1] == large * sums[:, 0])
        return np.abs(sums[:, 0])

    effects = (np.hstack([x, large * x]) for x in (stay, swap))
    result = structured_permutation_test(*effects, exact_remainder)
    assert result.pvalue == pytest.approx(enumerated(stay, swap, lambda s: abs(s[0])))


def test_states_are_handed_to_h_as_they_are_reached():
    rng = np.random.default_rng(2)
    stay, swap = rng.integers(-2, 3, (2, 6, 3))
    seen = []
    structured_permutation_test(stay, swap, lambda s: seen.append(s) or s.sum(axis=-1))
    reached = {
        tuple(np.where(np.array(choice)[:, None], stay, swap).sum(axis=0).tolist())
        for choice in itertools.product([True, False], repeat=6)
    }
    assert {tuple(row) for row in seen[-1].tolist()} == reached


def test_equal_statistics_that_differ_in_the_last_digit_are_ties():
    # 0.1 + 0.2 and 0.3 are the same statistic reached from different sums.
    weights = np.array([0.1, 0.2, 0.3])
    stay, swap = np.eye(3, dtype=int), np.zeros((3, 3), dtype=int)
    stay[0] = [1, 1, 0]
    swap[0] = [0, 0, 1]
    stay[1:] = 0
    assert (weights @ stay[0]) != (weights @ swap[0])
    assert structured_permutation_test(swap, stay, lambda s: s @ weights).pvalue == 1.0
    strict = structured_permutation_test(stay, swap, lambda s: s @ weights, tolerance=0.0)
    assert strict.pvalue == 0.5


def test_items_that_do_not_move_leave_p_one():
    stay = np.ones((4, 2), dtype=int)
    for method in ("exact", "monte-carlo"):
        result = structured_permutation_test(stay, stay, lambda s: s[..., 0], method=method)
        assert (result.pvalue, result.n_nonzero) == (1.0, 0)


def test_exact_lies_in_the_monte_carlo_interval():
    stay, swap = np.random.default_rng(5).integers(0, 4, (2, 60, 2))
    exact = structured_permutation_test(stay, swap, largest_ratio)
    sampled = structured_permutation_test(stay, swap, largest_ratio, method="monte-carlo")
    again = structured_permutation_test(stay, swap, largest_ratio, method="monte-carlo")
    assert sampled.interval[0] <= exact.pvalue <= sampled.interval[1]
    assert sampled == again


def test_too_many_states_are_refused_or_sampled():
    stay, swap = np.random.default_rng(6).integers(-1000, 1000, (2, 60, 3))
    with pytest.raises(MemoryLimitError, match=r"about .* GB for .* states.*monte-carlo"):
        structured_permutation_test(stay, swap, largest_ratio, method="exact")
    assert structured_permutation_test(stay, swap, largest_ratio).method == "monte-carlo"


def test_a_record_is_flat():
    record = structured_permutation_test([[1]], [[0]], lambda s: s[..., 0]).to_record()
    assert record["interval_low"] is None
    assert record["pvalue"] == 0.5


GOOD = [[1, 2], [0, 1]]


@pytest.mark.parametrize(
    ("stay", "h", "options", "message"),
    [
        ([[1, 2]], largest_ratio, {}, r"one shape; got \(1, 2\) and \(2, 2\)"),
        ([1, 2], largest_ratio, {}, r"`stay` must have shape \(items, functions\)"),
        (np.zeros((0, 2)), largest_ratio, {}, r"got shape \(0, 2\)"),
        ([[1, 0.5], [0, 1]], largest_ratio, {}, r"found 0.5 at index \(0, 1\)"),
        ([[1, np.nan], [0, 1]], largest_ratio, {}, "found nan"),
        ([["a", "b"]], largest_ratio, {}, "must contain whole numbers"),
        (GOOD, lambda s: s, {}, r"`h` must return one number for each state"),
        (GOOD, lambda s: s[..., 0] * np.nan, {}, "`h` must be finite; got nan for sums"),
        (GOOD, largest_ratio, {"method": "dp"}, "`method` must be one of"),
        (GOOD, largest_ratio, {"ties": "no"}, "`ties` must be one of"),
        (GOOD, largest_ratio, {"tolerance": -1.0}, "`tolerance` must be at least 0"),
        (GOOD, largest_ratio, {"n_resamples": 0}, "`n_resamples` must be at least 1"),
    ],
)
def test_bad_input_is_named(stay, h, options, message):
    with pytest.raises(InputError, match=message):
        structured_permutation_test(stay, [[0, 1], [1, 2]], h, **options)
