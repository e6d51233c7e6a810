from fractions import Fraction

import numpy as np
import pytest
from scipy.integrate import dblquad

from sigcore.bayes.folds import (
    FoldCounts,
    as_fold_counts,
    as_fold_pair,
    effective_counts,
    effective_weight,
)
from sigcore.errors import InputError


def test_weight_of_the_paper_is_the_printed_0_3688():
    assert round(effective_weight(3), 4) == 0.3688


@pytest.mark.parametrize("m", [1, 2, 3, 5, 7, 20])
def test_default_weight_is_the_average_over_the_published_ranges(m):
    # Equation 22, by a general integrator instead of the closed form.
    integral, _ = dblquad(
        lambda rho2, rho1: 1 / (1 + rho1 + 2 * (m - 1) * rho2), 0.0, 0.5, 0.25, 0.5, epsabs=1e-13
    )
    assert effective_weight(m) == pytest.approx(8 * integral, abs=1e-11)


@pytest.mark.parametrize("m", [1, 2, 3, 5])
@pytest.mark.parametrize(("rho1", "rho2"), [(0.0, 0.0), (0.5, 0.25), (1.0, 1.0), (0.2, 0.4)])
def test_weight_is_the_variance_of_a_mean_of_correlated_folds(m, rho1, rho2):
    # Var(mean of 2m estimates) = sum of the correlation matrix / (2m)^2; one independent
    # observation set of 2m w folds would have 1 / (2m w).
    correlation = np.full((2 * m, 2 * m), rho2)
    for repetition in range(m):
        half = slice(2 * repetition, 2 * repetition + 2)
        correlation[half, half] = rho1
    np.fill_diagonal(correlation, 1.0)
    variance = correlation.sum() / (2 * m) ** 2
    assert effective_weight(m, rho1=rho1, rho2=rho2) == pytest.approx(1 / (2 * m * variance))


def test_one_given_correlation_averages_over_the_other():
    rho1 = (np.arange(20000) + 0.5) / 40000
    expected = np.mean(1 / (1 + rho1 + 4 * 0.3))
    assert effective_weight(3, rho2=0.3) == pytest.approx(expected, abs=1e-9)


def test_effective_counts_are_weighted_sums():
    counts = np.arange(18).reshape(3, 2, 3)
    found = effective_counts(counts, rho1=0.5, rho2=0.25)
    weight = Fraction(2, 5)  # 1 / (1 + 1/2 + 4/4)
    assert found.weight == pytest.approx(float(weight))
    assert found.true_positives == pytest.approx(float(weight * (0 + 3 + 6 + 9 + 12 + 15)))
    assert found.false_positives == pytest.approx(float(weight * (1 + 4 + 7 + 10 + 13 + 16)))
    assert found.false_negatives == pytest.approx(float(weight * (2 + 5 + 8 + 11 + 14 + 17)))


def test_chunks_give_the_same_counts_as_cells():
    # First row of the published table of CoNLL-2003: gold 11629, predicted 11322, correct 10297.
    folds = FoldCounts.from_chunks([[11629, 11629]], [[11322, 11322]], [[10297, 10297]])
    assert folds.counts[0, 0].tolist() == [10297, 1025, 1332]
    assert folds.positives.tolist() == [[11629, 11629]]
    assert folds.n_folds == 2


@pytest.mark.parametrize("kind", [np.uint8, np.uint32, np.uint64, np.int8, np.float32])
def test_small_and_unsigned_integers_do_not_wrap_around(kind):
    gold, predicted, correct = (np.full((1, 2), n, dtype=kind) for n in (100, 90, 80))
    found = FoldCounts.from_chunks(gold, predicted, correct)
    assert found.counts.tolist() == [[[80, 10, 20]] * 2]
    with pytest.raises(InputError, match="FP of repetition 1, fold 1 is -10"):
        FoldCounts.from_chunks(gold, correct, predicted)


def test_masked_counts_are_refused():
    counts = np.ma.masked_equal(np.arange(18).reshape(3, 2, 3), 4)
    with pytest.raises(InputError, match="`folds_a` has masked counts"):
        as_fold_counts(counts, "folds_a")
    chunks = np.ma.masked_less([[10, 20]], 15)
    with pytest.raises(InputError, match="`gold` has masked counts"):
        FoldCounts.from_chunks(chunks, [[8, 8]], [[7, 7]])
    unmasked = np.ma.masked_equal(np.arange(18).reshape(3, 2, 3), 99)
    assert as_fold_counts(unmasked, "folds_a").totals == (45, 51, 57)


def test_more_correct_than_gold_is_refused():
    with pytest.raises(InputError, match=r"FN of repetition 1, fold 1 is -5"):
        FoldCounts.from_chunks([[10, 20]], [[20, 20]], [[15, 15]])


@pytest.mark.parametrize(
    ("value", "text"), [(-1, "is -1"), (2.5, "is 2.5"), (np.nan, "is nan"), (np.inf, "is inf")]
)
def test_counts_that_are_no_counts_are_refused_with_their_place(value, text):
    counts = np.full((3, 2, 3), 5.0)
    counts[1, 0, 2] = value
    with pytest.raises(InputError, match=rf"`folds_b` .*FN of repetition 2, fold 1 {text}"):
        as_fold_counts(counts, "folds_b")


@pytest.mark.parametrize("shape", [(5, 3), (3, 1, 3), (3, 2, 4), (0, 2, 3), (6,)])
def test_a_missing_fold_is_refused(shape):
    with pytest.raises(InputError, match="missing fold"):
        as_fold_counts(np.ones(shape), "folds_a")


def test_words_are_refused():
    with pytest.raises(InputError, match="numbers only"):
        as_fold_counts([[["a", "b", "c"]] * 2], "folds_a")


def test_different_numbers_of_repetitions_are_refused():
    with pytest.raises(InputError, match="got 3 and 2"):
        as_fold_pair(np.ones((3, 2, 3)), np.ones((2, 2, 3)))


@pytest.mark.parametrize("name", ["rho1", "rho2"])
def test_a_correlation_above_one_is_refused(name):
    for value in (1.5, "x", float("nan")):
        with pytest.raises(InputError, match=f"`{name}`"):
            effective_weight(3, **{name: value})


def test_impossible_correlations_are_refused():
    with pytest.raises(InputError, match="must be positive"):
        effective_weight(3, rho1=-0.5, rho2=-0.5)
