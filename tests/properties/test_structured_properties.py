"""Properties of the exact tests of precision, recall, F1 and other functions of sums."""

import itertools
from fractions import Fraction

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis.extra.numpy import arrays

from sigcore.permutation.prf import prf_permutation_test
from sigcore.permutation.structured import structured_permutation_test

MEASURES = st.sampled_from(["f1", "precision", "recall"])
ALTERNATIVES = st.sampled_from(["two-sided", "greater", "less"])
TIES = st.sampled_from(["ge", "mid"])
quick = settings(deadline=None, derandomize=True, max_examples=60)


def pairs(largest_n, top=4):
    return st.integers(1, largest_n).flatmap(
        lambda n: arrays(np.int64, (2, n, 3), elements=st.integers(0, top))
    )


def measured(sums, measure):
    tp, fp, fn = (int(x) for x in sums)
    top = 2 * tp if measure == "f1" else tp
    bottom = top + {"f1": fp + fn, "precision": fp, "recall": fn}[measure]
    return Fraction(top, bottom) if bottom else Fraction(0)


@quick
@given(pairs(7), MEASURES, ALTERNATIVES, TIES)
def test_exact_is_enumeration(systems, measure, alternative, ties):
    a, b = systems
    extremeness = {"two-sided": abs, "greater": lambda x: x, "less": lambda x: -x}[alternative]
    values = []
    for choice in itertools.product([True, False], repeat=len(a)):
        stay = np.array(choice)[:, None]
        x, y = np.where(stay, a, b).sum(axis=0), np.where(stay, b, a).sum(axis=0)
        values.append(extremeness(measured(x, measure) - measured(y, measure)))
    tied = sum(value == values[0] for value in values)
    beyond = sum(value > values[0] for value in values)
    expected = (beyond + (0.5 if ties == "mid" else 1.0) * tied) / len(values)
    result = prf_permutation_test(a, b, measure=measure, alternative=alternative, ties=ties)
    assert result.pvalue == pytest.approx(expected, rel=1e-12)


@quick
@given(pairs(60, top=6), MEASURES)
def test_the_two_sides_add_up_to_one_with_mid_p(systems, measure):
    a, b = systems
    greater, less, both = (
        prf_permutation_test(a, b, measure=measure, alternative=side, ties="mid").pvalue
        for side in ("greater", "less", "two-sided")
    )
    assert greater + less == pytest.approx(1.0, abs=1e-12)
    if prf_permutation_test(a, b, measure=measure).statistic != 0:
        assert both == pytest.approx(2 * min(greater, less), rel=1e-9)


@quick
@given(pairs(60), MEASURES, ALTERNATIVES, st.integers(2, 9))
def test_scaling_all_counts_changes_nothing(systems, measure, alternative, factor):
    options = {"measure": measure, "alternative": alternative}
    once = prf_permutation_test(*systems, **options)
    scaled = prf_permutation_test(*(factor * systems), **options)
    assert scaled.pvalue == pytest.approx(once.pvalue, rel=1e-11)


@quick
@given(pairs(40), MEASURES, st.randoms(use_true_random=False))
def test_neither_order_nor_empty_items_nor_swapped_names_matter(systems, measure, random):
    a, b = systems
    order = random.sample(range(len(a)), len(a))
    nothing = np.zeros((2, 3), dtype=int)
    p = prf_permutation_test(a, b, measure=measure).pvalue
    assert prf_permutation_test(a[order], b[order], measure=measure).pvalue == p
    longer = (np.vstack([x, nothing]) for x in (a, b))
    assert prf_permutation_test(*longer, measure=measure).pvalue == p
    assert prf_permutation_test(b, a, measure=measure).pvalue == pytest.approx(p, rel=1e-13)


@quick
@given(st.integers(30, 150), st.integers(1, 6), st.integers(0, 2**32 - 1), MEASURES)
def test_fourier_is_within_its_bound_of_dp(n, top, seed, measure):
    a, b = np.random.default_rng(seed).integers(0, top + 1, (2, n, 3))
    dp, fourier = (
        prf_permutation_test(a, b, measure=measure, method=method) for method in ("dp", "fourier")
    )
    assume(dp.n_nonzero > 0)
    assert abs(fourier.pvalue - dp.pvalue) <= (fourier.error_bound + dp.error_bound) * dp.pvalue
    assert fourier.error_bound < 1e-10


@quick
@given(pairs(30), TIES)
def test_the_general_test_agrees_with_the_special_one(systems, ties):
    a, b = systems

    def recall_difference(sums):
        one, two = (
            np.divide(tp, tp + fn, out=np.zeros(len(tp)), where=tp + fn > 0)
            for tp, fn in ((sums[:, 0], sums[:, 1]), (sums[:, 2], sums[:, 3]))
        )
        return np.abs(one - two)

    columns = a[:, [0, 2]], b[:, [0, 2]]
    general = structured_permutation_test(
        np.hstack(columns), np.hstack(columns[::-1]), recall_difference, ties=ties
    )
    special = prf_permutation_test(a, b, measure="recall", ties=ties)
    assert general.pvalue == pytest.approx(special.pvalue, rel=1e-11)
