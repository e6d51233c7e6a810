"""Exact tests of precision, recall, F1 and accuracy against enumeration in fractions."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from sigcore.errors import InputError, MemoryLimitError
from sigcore.permutation.prf import prf_permutation_test

ALTERNATIVES = ("two-sided", "greater", "less")
EXACT = ("exact", "dp", "fourier", "enumerate")


def value(sums, measure):
    """The measure of summed counts in fractions, written out by its definition."""
    if measure == "accuracy":
        correct, total = sums
        return Fraction(correct, total) if total else Fraction(0)
    tp, fp, fn = sums
    parts = {"f1": (2 * tp, 2 * tp + fp + fn), "precision": (tp, tp + fp), "recall": (tp, tp + fn)}
    top, bottom = parts[measure]
    return Fraction(top, bottom) if bottom else Fraction(0)


def null_law(a, b, measure):
    """Difference of the measure -> number of swaps, by counting states in Python integers."""
    states = Counter({(0,) * (2 * a.shape[1]): 1})
    for x, y in zip(a.tolist(), b.tolist(), strict=True):
        grown = Counter()
        for state, ways in states.items():
            for pair in ((*x, *y), (*y, *x)):
                grown[tuple(s + t for s, t in zip(state, pair, strict=True))] += ways
        states = grown
    law = Counter()
    for state, ways in states.items():
        half = len(state) // 2
        law[value(state[:half], measure) - value(state[half:], measure)] += ways
    return law


def reference(a, b, measure, alternative, ties):
    observed = value(a.sum(axis=0).tolist(), measure) - value(b.sum(axis=0).tolist(), measure)
    extremeness = {"two-sided": abs, "greater": lambda x: x, "less": lambda x: -x}[alternative]
    law = null_law(a, b, measure)
    bound = extremeness(observed)
    beyond = sum(ways for x, ways in law.items() if extremeness(x) > bound)
    tied = sum(ways for x, ways in law.items() if extremeness(x) == bound)
    weight = Fraction(1, 2) if ties == "mid" else 1
    return float((beyond + weight * tied) / 2 ** len(a))


def random_counts(seed, n, measure="f1", top=3):
    rng = np.random.default_rng(seed)
    width = 2 if measure == "accuracy" else 3
    a, b = rng.integers(0, top + 1, (2, n, width))
    if measure == "accuracy":
        a[:, 1] += a[:, 0]
        b[:, 1] += b[:, 0]
    return a, b


def uneven_counts(n, seed, share, top=5):
    """A has at least B's hits on a share of the items."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, top + 1, (2, n, 3))
    better = rng.random(n) < share
    a[better, 0] = np.maximum(a, b)[better, 0]
    return a, b


def test_the_example_of_the_authors_code_has_p_one_half():
    # Columns tp and incorrect; README of rycolab/paired-perm-test.
    result = prf_permutation_test([[8, 2], [3, 3], [7, 1]], [[6, 1], [5, 2], [7, 1]])
    assert result.pvalue == 0.5
    assert (result.n, result.n_nonzero) == (3, 2)


def test_values_are_those_of_the_summed_counts():
    a, b = [[2, 1, 0], [1, 0, 3]], [[1, 1, 1], [0, 0, 4]]
    result = prf_permutation_test(a, b, measure="f1")
    assert result.value_a == pytest.approx(6 / 10)
    assert result.value_b == pytest.approx(2 / 8)
    assert result.statistic == pytest.approx(6 / 10 - 2 / 8)
    assert prf_permutation_test(a, b, measure="precision").value_a == pytest.approx(3 / 4)
    assert prf_permutation_test(a, b, measure="recall").value_a == pytest.approx(3 / 6)


@pytest.mark.parametrize("measure", ["f1", "precision", "recall", "accuracy"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("ties", ["ge", "mid"])
def test_every_exact_method_agrees_with_enumeration(measure, alternative, ties):
    for seed, n in enumerate([1, 1, 2, 3, 5, 6, 7, 8]):
        a, b = random_counts(seed, n, measure, top=1 + seed % 4)
        expected = reference(a, b, measure, alternative, ties)
        for method in EXACT:
            result = prf_permutation_test(
                a, b, measure=measure, alternative=alternative, ties=ties, method=method
            )
            # For one or two items the Fourier engine is not accurate, and says so.
            allowed = max(1e-13, result.error_bound)
            assert result.pvalue == pytest.approx(expected, rel=allowed), (seed, method)
            assert method == "fourier" or allowed < 1e-12


@pytest.mark.parametrize("measure", ["f1", "precision", "recall"])
def test_dp_and_fourier_agree_with_counting_in_python_integers(measure):
    a, b = uneven_counts(24, 5, 0.7, top=2)
    expected = reference(a, b, measure, "greater", "ge")
    for method in ("dp", "fourier"):
        result = prf_permutation_test(a, b, measure=measure, alternative="greater", method=method)
        assert result.pvalue == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 1.0])
@pytest.mark.parametrize("ties", ["ge", "mid"])
def test_fourier_is_within_its_error_bound_of_dp(share, ties):
    for seed in range(6):
        a, b = uneven_counts(60 + 20 * seed, seed, share, top=1 + seed)
        options = {"alternative": "greater", "ties": ties, "measure": "f1"}
        dp = prf_permutation_test(a, b, method="dp", **options)
        fourier = prf_permutation_test(a, b, method="fourier", **options)
        assert fourier.error_bound < 1e-11
        allowed = fourier.error_bound + dp.error_bound
        assert abs(fourier.pvalue / dp.pvalue - 1) <= allowed


@pytest.mark.parametrize("n", [300, 3000])
def test_the_most_extreme_swap_of_many_has_probability_two_to_the_minus_n(n):
    # A has more hits or fewer errors on each item: only the observed arrangement is as good.
    rng = np.random.default_rng(n)
    b = np.column_stack([rng.integers(0, 4, n), rng.integers(1, 5, n), rng.integers(1, 5, n)])
    a = b.copy()
    more = rng.random(n) < 0.5
    a[more, 0] += rng.integers(1, 4, n)[more]
    a[~more, 1] -= 1
    result = prf_permutation_test(a, b, alternative="greater")
    assert result.log_pvalue == pytest.approx(-n * math.log(2), rel=1e-12)
    assert result.certified


def test_accuracy_with_equal_totals_is_the_sign_flip_test():
    rng = np.random.default_rng(1)
    total = rng.integers(1, 30, 80)
    a, b = rng.binomial(total, 0.8), rng.binomial(total, 0.75)
    differences = (a - b).tolist()
    ways = Counter({0: 1})
    for d in differences:
        grown = Counter()
        for s, count in ways.items():
            grown[s + d] += count
            grown[s - d] += count
        ways = grown
    extreme = sum(count for s, count in ways.items() if abs(s) >= abs(sum(differences)))
    result = prf_permutation_test(
        np.column_stack([a, total]), np.column_stack([b, total]), measure="accuracy"
    )
    assert result.method in ("lattice", "count")
    assert result.pvalue == pytest.approx(extreme / 2**80, rel=1e-12)


def test_recall_with_equal_gold_counts_needs_one_dimension():
    rng = np.random.default_rng(2)
    gold = rng.integers(1, 8, 40)
    tp_a, tp_b = rng.binomial(gold, 0.7), rng.binomial(gold, 0.5)
    a = np.column_stack([tp_a, rng.integers(0, 3, 40), gold - tp_a])
    b = np.column_stack([tp_b, rng.integers(0, 3, 40), gold - tp_b])
    one, two = (prf_permutation_test(a, b, measure="recall", method=m) for m in ("exact", "dp"))
    assert one.method in ("lattice", "count")
    assert one.pvalue == pytest.approx(two.pvalue, rel=1e-12)


def test_exact_lies_in_the_monte_carlo_interval():
    a, b = uneven_counts(200, 0, 0.1)
    exact = prf_permutation_test(a, b)
    sampled = prf_permutation_test(a, b, method="monte-carlo", n_resamples=20_000)
    low, high = sampled.interval
    assert low <= exact.pvalue <= high
    assert low <= sampled.pvalue <= high
    assert not sampled.certified


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("ties", ["ge", "mid"])
def test_monte_carlo_converges_to_exact(alternative, ties):
    for seed in (3, 4):
        a, b = random_counts(seed, 9)
        options = {"alternative": alternative, "ties": ties}
        exact = prf_permutation_test(a, b, **options).pvalue
        sampled = prf_permutation_test(a, b, method="monte-carlo", n_resamples=40_000, **options)
        assert sampled.pvalue == pytest.approx(exact, abs=0.012)


def test_monte_carlo_repeats_with_its_seed():
    a, b = random_counts(0, 50)
    first, again, other = (
        prf_permutation_test(a, b, method="monte-carlo", seed=seed).pvalue for seed in (0, 0, 1)
    )
    assert first == again != other


@pytest.mark.parametrize("method", ["auto", *EXACT, "monte-carlo"])
def test_identical_systems_have_p_one_and_mid_p_one_half(method):
    a, _ = random_counts(0, 12)
    for measure in ("f1", "precision", "recall"):
        result = prf_permutation_test(a, a, measure=measure, method=method)
        assert (result.pvalue, result.statistic, result.n_nonzero) == (1.0, 0.0, 0)
        middle = prf_permutation_test(
            a, a, measure=measure, method=method, alternative="greater", ties="mid"
        )
        assert middle.pvalue == 0.5


@pytest.mark.parametrize("method", EXACT)
def test_swapping_the_systems_mirrors_the_test(method):
    a, b = random_counts(8, 12)
    forward = prf_permutation_test(a, b, alternative="greater", method=method)
    backward = prf_permutation_test(b, a, alternative="less", method=method)
    assert forward.pvalue == pytest.approx(backward.pvalue, rel=1e-13)
    assert forward.statistic == -backward.statistic


@pytest.mark.parametrize("measure", ["f1", "precision", "recall"])
def test_a_measure_of_nothing_over_nothing_is_zero(measure):
    nothing = np.zeros((3, 3), dtype=int)
    something = np.array([[1, 0, 0], [2, 1, 1], [0, 1, 0]])
    result = prf_permutation_test(something, nothing, measure=measure)
    assert result.value_b == 0.0
    expected = reference(something, nothing, measure, "two-sided", "ge")
    assert result.pvalue == pytest.approx(expected, rel=1e-13)
    assert prf_permutation_test(nothing, nothing, measure=measure).pvalue == 1.0


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("method", ["exact", "dp"])
def test_one_system_without_any_counts_is_handled(alternative, method):
    for seed in range(4):
        a, b = random_counts(seed, 7)
        b[:] = 0
        expected = reference(a, b, "f1", alternative, "ge")
        result = prf_permutation_test(a, b, alternative=alternative, method=method)
        assert result.pvalue == pytest.approx(expected, rel=1e-12)


def test_without_hits_every_swap_is_a_tie():
    a, b = random_counts(0, 6)
    a[:, 0] = b[:, 0] = 0
    for method in EXACT:
        assert prf_permutation_test(a, b, method=method).pvalue == pytest.approx(1.0, rel=1e-13)


def test_where_fourier_cannot_be_accurate_exact_uses_another_engine():
    # B found nothing at all: the event bends round the mean and no single tilt fits it.
    rng = np.random.default_rng(7)
    a = rng.integers(0, 8, (400, 3))
    b = np.zeros_like(a)
    with pytest.raises(InputError, match="not accurate for these counts of 400 items"):
        prf_permutation_test(a, b, method="fourier")
    result = prf_permutation_test(a, b, method="exact")
    assert result.method == "dp"
    assert result.error_bound < 1e-12


def test_a_p_that_underflows_in_the_convolution_is_not_called_certain():
    rng = np.random.default_rng(3)
    b = rng.integers(1, 3, (1100, 3))
    a = b + np.column_stack([rng.integers(0, 2, 1100), np.zeros((1100, 2), dtype=int)])
    a[a[:, 0] == b[:, 0], 1] -= 1
    dp, exact = (
        prf_permutation_test(a, b, method=method, alternative="greater")
        for method in ("dp", "exact")
    )
    assert dp.error_bound == math.inf
    assert exact.log_pvalue == pytest.approx(-1100 * math.log(2), rel=1e-12)


def test_p_is_valid_over_all_arrangements():
    # Under the null every arrangement is as likely: P(p <= level) <= level must hold exactly.
    a, b = random_counts(11, 7)
    pvalues = []
    for swaps in itertools.product([False, True], repeat=7):
        swap = np.array(swaps)[:, None]
        pvalues.append(prf_permutation_test(np.where(swap, b, a), np.where(swap, a, b)).pvalue)
    for level in np.unique(pvalues):
        assert np.mean(np.array(pvalues) <= level + 1e-12) <= level + 1e-12


def test_a_few_items_with_large_counts_are_enumerated():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 100_000, (2, 10, 3))
    result = prf_permutation_test(a, b)
    assert result.method == "enumerate"
    assert result.pvalue == reference(a, b, "f1", "two-sided", "ge")


def test_items_with_large_counts_beyond_memory_are_refused_or_sampled():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 100_000, (2, 40, 3))
    with pytest.raises(MemoryLimitError, match=r"GB.*monte-carlo"):
        prf_permutation_test(a, b, method="exact")
    assert prf_permutation_test(a, b, method="auto").method == "monte-carlo"


def test_memory_is_refused_with_the_figure():
    a, b = random_counts(0, 2000)
    with pytest.raises(MemoryLimitError, match=r"about .* GB"):
        prf_permutation_test(a, b, method="dp", max_memory=1e6)
    with pytest.raises(MemoryLimitError, match="at most 24 items"):
        prf_permutation_test(a, b, method="enumerate")


def test_columns_may_come_by_name():
    a, b = random_counts(1, 9)
    named_a, named_b = (dict(zip(("tp", "fp", "fn"), x.T, strict=True)) for x in (a, b))
    for measure in ("f1", "precision", "recall"):
        by_name = prf_permutation_test(named_a, named_b, measure=measure)
        assert by_name == prf_permutation_test(a, b, measure=measure)
    del named_a["fn"], named_b["fn"]
    assert prf_permutation_test(named_a, named_b, measure="precision").n == 9


@pytest.mark.parametrize(
    "order", [["tp", "fp", "fn"], ["fp", "tp", "fn"], ["fn", "id", "fp", "tp"]]
)
def test_columns_of_a_data_frame_are_taken_by_name(order):
    a, b = random_counts(1, 9)
    frames = [pd.DataFrame(x, columns=["tp", "fp", "fn"]).assign(id=range(9)) for x in (a, b)]
    found = prf_permutation_test(*(frame[order] for frame in frames), measure="f1")
    assert found == prf_permutation_test(a, b, measure="f1")
    assert found == prf_permutation_test(pd.DataFrame(a), pd.DataFrame(b), measure="f1")
    with pytest.raises(InputError, match="`b` must have the columns tp, fp, fn; fn missing"):
        prf_permutation_test(frames[0], frames[1][["tp", "fp"]], measure="f1")


def test_f1_needs_only_the_sum_of_errors():
    a, b = random_counts(2, 9)
    short_a, short_b = (np.column_stack([x[:, 0], x[:, 1:].sum(axis=1)]) for x in (a, b))
    assert prf_permutation_test(short_a, short_b) == prf_permutation_test(a, b)


def test_a_record_is_flat():
    record = prf_permutation_test([[1, 0, 0]], [[0, 1, 1]], method="monte-carlo").to_record()
    assert record["interval_high"] == 1.0
    assert not any(isinstance(entry, (tuple, list, dict)) for entry in record.values())


GOOD = [[1, 0, 2], [2, 1, 0]]


@pytest.mark.parametrize(
    ("a", "options", "message"),
    [
        ([[1, -1, 0], [1, 1, 1]], {}, r"`a` must contain whole numbers .* -1 at index \(0, 1\)"),
        ([[1, 0.5, 0], [1, 1, 1]], {}, r"found 0.5 at index \(0, 1\)"),
        ([[1, np.nan, 0], [1, 1, 1]], {}, "found nan"),
        ([[1, np.inf, 0], [1, 1, 1]], {}, "found inf"),
        ([[1, 2**31, 0], [1, 1, 1]], {}, "found 2147483648"),
        ([["x", "y", "z"]], {}, "must contain whole numbers"),
        ([], {}, "`a` must not be empty"),
        ([1, 2, 3], {}, r"shape \(n, 3\): tp, fp, fn; got shape \(3,\)"),
        ([[1, 0], [1, 1]], {"measure": "recall"}, r"shape \(n, 3\)"),
        ([[1, 0, 1]], {}, "got 1 and 2 rows"),
        ([[1, 0, 1], [1, 1, 1]], {"measure": "accuracy"}, r"\(n, 2\): correct, total"),
        ({"tp": [1, 2]}, {}, "columns tp, fp, fn; fp, fn missing"),
        ({"tp": [1, 2], "fp": [1], "fn": [1, 2]}, {}, "columns of one length"),
        (GOOD, {"measure": "bleu"}, "`measure` must be one of"),
        (GOOD, {"alternative": "both"}, "`alternative` must be one of"),
        (GOOD, {"method": "fft"}, "`method` must be one of"),
        (GOOD, {"ties": "gt"}, "`ties` must be one of"),
        (GOOD, {"n_resamples": 0}, "`n_resamples` must be at least 1"),
        (GOOD, {"seed": -1}, "`seed` must be at least 0"),
    ],
)
def test_bad_input_is_named(a, options, message):
    with pytest.raises(InputError, match=message):
        prf_permutation_test(a, GOOD, **options)


def test_more_correct_than_total_is_refused():
    with pytest.raises(InputError, match="got 3 of 2 in row 1"):
        prf_permutation_test([[1, 2], [3, 2]], [[1, 2], [1, 2]], measure="accuracy")


def test_sums_too_large_for_exact_comparison_are_refused():
    with pytest.raises(InputError, match="add up to less than"):
        prf_permutation_test([[2**29, 0, 0]] * 2, [[0, 2**29, 0]] * 2)


def shares(counts):
    """Columns correct and total, from hits and errors."""
    return np.stack([counts[:, 0], counts.sum(axis=1)], axis=1)


def test_all_but_one_swap_of_many_are_counted_by_hand():
    # Each item takes 10 to 19 hits from A and gives it as many errors, so two swaps always cost
    # more than the one observed: only single swaps can be as extreme.
    n, swapped = 6000, 3000
    rng = np.random.default_rng(0)
    b = np.stack([rng.integers(0, 20, n), rng.integers(20, 40, n)], axis=1)
    a = b + np.stack([rng.integers(10, 20, n), -rng.integers(10, 20, n)], axis=1)
    (hits_a, errors_a), (hits_b, errors_b) = a.sum(axis=0).tolist(), b.sum(axis=0).tolist()
    differences = []
    for hits, errors in (b - a).tolist():
        first = Fraction(hits_a + hits, hits_a + errors_a + hits + errors)
        differences.append(first - Fraction(hits_b - hits, hits_b + errors_b - hits - errors))
    n_extreme = 1 + sum(difference >= differences[swapped] for difference in differences)
    a[swapped], b[swapped] = b[swapped].copy(), a[swapped].copy()
    result = prf_permutation_test(
        shares(a), shares(b), measure="accuracy", alternative="greater", method="exact"
    )
    expected = math.log(n_extreme) - n * math.log(2)
    assert abs(result.log_pvalue - expected) <= result.error_bound + 1e-12 * abs(expected)
    assert result.error_bound < 1e-6


def test_many_items_far_apart_agree_with_importance_sampling():
    # Accuracies near 0.8 and 0.9 of 10,000 items: log p is near -3,400.
    n, n_draws = 10_000, 1000
    rng = np.random.default_rng(1)
    gold = rng.integers(3, 40, n)
    hits = [rng.binomial(gold, rate) for rate in (0.9, 0.8)]
    errors = [rng.binomial(gold, rate) for rate in (0.1, 0.2)]
    a, b = (np.stack(pair, axis=1) for pair in zip(hits, errors, strict=True))
    result = prf_permutation_test(
        shares(a), shares(b), measure="accuracy", alternative="greater", method="exact"
    )
    assert result.error_bound < 1e-8
    # Swaps are drawn with the odds exp(-slope * loss), where the loss is the derivative of the
    # difference, and the slope makes the observed difference the mean.
    gradients = []
    for counts in (a, b):
        ratio = counts.sum(axis=0)[0] / counts.sum()
        gradients.append(np.array([1 - ratio, -ratio]) / counts.sum())
    loss = (a - b) @ sum(gradients) * a.sum()
    slopes = np.geomspace(1e-3, 1.0, 400)
    odds = np.exp(-np.clip(np.outer(slopes, loss), -700, 700))
    slope = slopes[np.abs((odds / (1 + odds)) @ loss).argmin()]
    swap = 1 / (1 + np.exp(slope * loss))
    drawn = rng.random((n_draws, n)) < swap
    log_weights = np.where(drawn, np.log(0.5 / swap), np.log(0.5 / (1 - swap))).sum(axis=1)
    sums = a.sum(axis=0) + drawn @ (b - a)
    rest = (a + b).sum(axis=0) - sums
    differences = sums[:, 0] / sums.sum(axis=1) - rest[:, 0] / rest.sum(axis=1)
    extreme = differences >= result.statistic - 1e-12
    estimate = np.logaddexp.reduce(log_weights[extreme]) - math.log(n_draws)
    # The standard error of the estimate is near 0.15.
    assert abs(estimate - result.log_pvalue) < 0.5


def test_fourier_says_when_a_few_large_counts_are_beyond_it() -> None:
    a, b = [[776, 700, 939], [878, 917, 43]], [[0, 0, 0], [310, 0, 0]]
    with pytest.raises(InputError, match='"fourier" is not accurate for these counts'):
        prf_permutation_test(a, b, method="fourier", alternative="greater")
    assert prf_permutation_test(a, b, alternative="greater").error_bound < 1e-13
    # Angles of many whole turns lose digits, which the bound must tell.
    a, b = [[227, 0, 500], [878, 597, 1]], [[817, 784, 951], [975, 638, 0]]
    found = prf_permutation_test(a, b, measure="recall", alternative="less", method="fourier")
    assert abs(found.pvalue - 0.75) <= found.error_bound * found.pvalue
