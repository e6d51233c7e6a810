"""Matrices of p-values against enumeration of all signs and a plain mt-metrics-eval procedure."""

from fractions import Fraction
from itertools import product

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import binomtest, permutation_test

from sigcore.errors import (
    ApproximationWarning,
    DegenerateDataWarning,
    InputError,
    MemoryLimitError,
)
from sigcore.permutation import pairwise, shared_signs
from sigcore.permutation.pairwise import pairwise_pvalues

FloatArray = npt.NDArray[np.float64]
# The analytic values of the small samples here have large error estimates.
pytestmark = pytest.mark.filterwarnings("ignore::sigcore.errors.ApproximationWarning")


def enumerated(differences: list[Fraction], ties: str = "ge") -> float:
    """P(S >= s), or mid-p, over all signs, in exact arithmetic."""
    observed = sum(differences)
    above = equal = 0
    for signs in product((1, -1), repeat=len(differences)):
        total = sum(sign * value for sign, value in zip(signs, differences, strict=True))
        above += total > observed
        equal += total == observed
    weight = Fraction(1, 2) if ties == "mid" else 1
    return float((above + weight * equal) / Fraction(2) ** len(differences))


def tenths(values: FloatArray) -> list[Fraction]:
    return [Fraction(round(10 * value), 10) for value in values]


def mtme_matrix(scores: FloatArray, n_resamples: int, seed: int) -> FloatArray:
    """The procedure of mt-metrics-eval, pair by pair, written from its definition."""
    rng = np.random.default_rng(seed)
    coins = np.rint(rng.random((n_resamples, scores.shape[1]), dtype=np.float32))
    signs = coins * np.float32(2.0) - np.float32(1.0)
    single = scores.astype(np.float32)
    partial = np.matmul(signs, single.T)
    result = np.full((len(scores), len(scores)), np.nan)
    for i in range(len(scores)):
        for j in range(i + 1, len(scores)):
            null = partial[:, i] - partial[:, j]
            observed = single[i].sum() - single[j].sum()
            result[i, j] = np.sum(null >= observed) / n_resamples
    return result


@pytest.fixture
def small() -> FloatArray:
    rng = np.random.default_rng(7)
    return -rng.integers(0, 30, size=(4, 9)) / 10.0


@pytest.mark.parametrize("ties", ["ge", "mid"])
def test_exact_equals_enumeration_on_tenths(small: FloatArray, ties: str) -> None:
    result = pairwise_pvalues(small, method="exact", ties=ties)
    for i in range(4):
        for j in range(4):
            if i != j:
                row = [a - b for a, b in zip(tenths(small[i]), tenths(small[j]), strict=True)]
                expected = enumerated(row, ties)
                assert result.pvalues[i, j] == pytest.approx(expected, rel=1e-12)
    assert np.isnan(np.diag(result.pvalues)).all()
    assert result.step == pytest.approx(0.1)


def test_exact_equals_enumeration_on_real_values() -> None:
    scores = np.random.default_rng(3).normal(size=(3, 10))
    result = pairwise_pvalues(scores, method="exact")
    row = [Fraction(float(value)) for value in scores[0] - scores[2]]
    assert result.pvalues[0, 2] == pytest.approx(enumerated(row), rel=1e-12)
    assert result.step is None


@pytest.mark.parametrize("ties", ["ge", "mid"])
@pytest.mark.parametrize("method", ["exact", "enumerate", "dp", "fft"])
def test_every_exact_method_equals_enumeration_with_gaps_and_blocks(method: str, ties: str) -> None:
    scores = np.random.default_rng(8).integers(-6, 7, size=(3, 11)).astype(float)
    scores[0, 4] = scores[2, 7] = np.nan
    blocks = list("aabbcdefghi")
    result = pairwise_pvalues(scores, method=method, ties=ties, missing="pairwise", blocks=blocks)
    assert result.method == method
    for i, j in ((0, 1), (0, 2), (1, 2)):
        row = np.nan_to_num(scores[i] - scores[j])
        sums = [sum(row[k] for k in range(11) if blocks[k] == name) for name in "abcdefghi"]
        exact = [Fraction(value) for value in sums]
        assert result.pvalues[i, j] == pytest.approx(enumerated(exact, ties), rel=1e-12)
        opposite = enumerated([-value for value in exact], ties)
        assert result.pvalues[j, i] == pytest.approx(opposite, rel=1e-12)
    assert result.error < 1e-12


@pytest.mark.parametrize("method", ["auto", "exact", "enumerate"])
@pytest.mark.parametrize(
    "row",
    [
        [1e16, 1.0, 1.0, 1.0],
        [1e14, *[0.1] * 7],
        [2.0**60, 1.0],
        [1e250, 1e-250, -1e-251],
        [1e22, 0.1, 0.2, -0.3],
    ],
)
def test_small_scores_count_beside_huge_ones(method: str, row: list[float]) -> None:
    result = pairwise_pvalues([row, [0.0] * len(row)], method=method)
    exact = [Fraction(str(value)) for value in row]
    assert result.pvalues[0, 1] == enumerated(exact)
    assert result.pvalues[1, 0] == enumerated([-value for value in exact])
    # Whatever row the others start from.
    third = pairwise_pvalues([[0.0] * len(row), row], method=method)
    assert third.pvalues[1, 0] == enumerated(exact)


def test_convolution_refuses_scores_that_are_no_whole_numbers_or_have_too_many_sums() -> None:
    with pytest.raises(InputError, match=r"found 0.5 at \(1, 2\)"):
        pairwise_pvalues([[1, 2, 3], [1, 2, 0.5]], method="dp")
    with pytest.raises(
        MemoryLimitError, match=r"23,000,000,000 states and needs about 1,472,000 MB"
    ):
        pairwise_pvalues([[10**10, 10**10 - 7, 3 * 10**9 + 6], [0, 0, 0]], method="fft")
    with pytest.raises(InputError, match="integers up to 2\\^53, which floats hold; found 9223"):
        pairwise_pvalues(np.array([[2**63 - 1], [0]]))


def test_golden_values_of_single_pairs() -> None:
    rows = {
        (1, -1, -1): (0.875, 0.6875),
        (-1, -1, -1): (1.0, 0.9375),
        (2, -2, 0): (0.75, 0.5),
        (1, 1, 1, 1, 1): (0.03125, 0.015625),
        (3, 1, 4, 1, -5, 9, 2, -6): (0.2890625, 0.265625),
    }
    for row, (at_least, middle) in rows.items():
        scores = np.array([row, [0] * len(row)])
        assert pairwise_pvalues(scores, ties="ge").pvalues[0, 1] == pytest.approx(at_least)
        assert pairwise_pvalues(scores, ties="mid").pvalues[0, 1] == pytest.approx(middle)


def test_exact_equals_scipy_enumeration() -> None:
    scores = np.random.default_rng(11).normal(size=(2, 8))
    reference = permutation_test(
        (scores[0], scores[1]),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        alternative="greater",
        vectorized=True,
        n_resamples=np.inf,
    )
    assert pairwise_pvalues(scores).pvalues[0, 1] == pytest.approx(reference.pvalue, rel=1e-12)


def test_analytic_agrees_with_exact_on_heavy_tailed_real_scores() -> None:
    scores = np.random.default_rng(0).standard_t(2.5, size=(8, 400))
    exact = pairwise_pvalues(scores, method="exact", ties="mid").pvalues
    result = pairwise_pvalues(scores, method="analytic", ties="mid")
    upper = np.triu_indices(8, 1)
    np.testing.assert_allclose(result.pvalues[upper], exact[upper], atol=1e-8)
    assert result.error < 1e-8


@pytest.mark.parametrize("ties", ["ge", "mid"])
def test_analytic_agrees_with_exact_on_a_grid(ties: str) -> None:
    scores = np.random.default_rng(1).integers(0, 25, size=(6, 500)) / 4.0
    exact = pairwise_pvalues(scores, method="exact", ties=ties).pvalues
    analytic = pairwise_pvalues(scores, method="analytic", ties=ties).pvalues
    np.testing.assert_allclose(analytic, exact, atol=1e-8)


def test_monte_carlo_lies_around_exact(small: FloatArray) -> None:
    exact = pairwise_pvalues(small, method="exact").pvalues
    result = pairwise_pvalues(small, method="monte-carlo", n_resamples=5000, seed=0)
    for i, j in zip(*np.triu_indices(4, 1), strict=True):
        count = round(result.pvalues[i, j] * 5000)
        assert binomtest(count, 5000, min(exact[i, j], 1.0)).pvalue > 1e-4
    assert result.n_resamples == 5000
    assert result.seed == 0
    assert 0.0 < result.error <= 0.5 / np.sqrt(5000)


def test_monte_carlo_does_not_depend_on_chunks(
    small: FloatArray, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = pairwise_pvalues(small, method="monte-carlo").pvalues
    monkeypatch.setattr(shared_signs, "_CHUNK", 100)
    np.testing.assert_array_equal(pairwise_pvalues(small, method="monte-carlo").pvalues, whole)


def test_coins_are_fair_and_do_not_depend_on_calls() -> None:
    whole = shared_signs.coin_flips(np.random.default_rng(5), 300, 101)
    rng = np.random.default_rng(5)
    parts = [shared_signs.coin_flips(rng, rows, 101) for rows in (7, 100, 193)]
    np.testing.assert_array_equal(np.concatenate(parts), whole)
    assert set(np.unique(whole)) == {0, 1}
    assert binomtest(int(whole.sum()), whole.size, 0.5).pvalue > 1e-3


@pytest.mark.parametrize("kind", ["tenths", "real", "wide"])
def test_mtme_equals_its_definition_bit_for_bit(kind: str) -> None:
    rng = np.random.default_rng(2)
    scores = {
        "tenths": -rng.integers(0, 40, size=(9, 30)) / 10.0,
        "real": rng.normal(size=(14, 200)),
        "wide": 100.0 * rng.random(size=(5, 1000)),
    }[kind]
    result = pairwise_pvalues(scores, method="mtme", seed=4, n_resamples=1000)
    expected = mtme_matrix(scores, 1000, 4)
    upper = np.triu_indices(len(scores), 1)
    np.testing.assert_array_equal(result.pvalues[upper], expected[upper])
    total = result.pvalues + result.pvalues.T
    assert (total[upper] >= 1.0).all()


@pytest.mark.parametrize("method", ["auto", "analytic", "mtme"])
def test_the_layout_of_the_scores_in_memory_does_not_matter(method: str) -> None:
    scores = -np.random.default_rng(3).integers(0, 40, size=(9, 30)) / 10.0
    rows = pairwise_pvalues(scores, method=method).pvalues
    columns = pairwise_pvalues(np.asfortranarray(scores), method=method).pvalues
    np.testing.assert_array_equal(rows, columns)


def test_mtme_treats_seed_zero_as_a_seed(small: FloatArray) -> None:
    result = pairwise_pvalues(small, method="mtme", seed=0)
    upper = np.triu_indices(4, 1)
    np.testing.assert_array_equal(result.pvalues[upper], mtme_matrix(small, 1000, 0)[upper])


def test_mtme_is_refused_with_mid_p_blocks_or_gaps(small: FloatArray) -> None:
    with pytest.raises(InputError, match='`method` "mtme" needs'):
        pairwise_pvalues(small, method="mtme", ties="mid")
    with pytest.raises(InputError, match='`method` "mtme" needs'):
        pairwise_pvalues(small, method="mtme", blocks=[0] * 5 + [1] * 4)
    small[0, 0] = np.nan
    with pytest.raises(InputError, match='`method` "mtme" needs'):
        pairwise_pvalues(small, method="mtme", missing="pairwise")
    assert pairwise_pvalues(small, method="mtme").n_segments_dropped == 1


def test_mtme_refuses_draws_that_do_not_fit_into_memory(small: FloatArray) -> None:
    with pytest.raises(MemoryLimitError, match=r"needs 13\.2 GB .* \"monte-carlo\" draws in parts"):
        pairwise_pvalues(small, method="mtme", n_resamples=100_000_000)


def test_both_triangles_of_ge_overlap_by_the_probability_of_a_tie() -> None:
    scores = np.array([[1.0, 2.0, 0.0, 5.0], [2.0, 0.0, 0.0, 4.0]])
    result = pairwise_pvalues(scores).pvalues
    # Differences -1, 2, 0, 1: sums of signs equal 2 for 2 of the 8 signs that matter.
    assert result[0, 1] + result[1, 0] == pytest.approx(1.25)


def test_identical_systems_have_p_one_and_mid_p_half() -> None:
    scores = np.tile(np.random.default_rng(0).random(30), (2, 1))
    for method in ("auto", "exact", "analytic", "monte-carlo", "mtme"):
        assert pairwise_pvalues(scores, method=method).pvalues[0, 1] == 1.0
    for method in ("auto", "exact", "analytic", "monte-carlo"):
        assert pairwise_pvalues(scores, method=method, ties="mid").pvalues[0, 1] == 0.5


def test_sums_that_tie_on_paper_tie_in_floats() -> None:
    # 0.1 + 0.2 is not 0.3 in floats; s = 0 is tied with its mirror image.
    scores = np.array([[0.1, 0.2, 0.0], [0.0, 0.0, 0.3]])
    for method in ("exact", "monte-carlo"):
        result = pairwise_pvalues(scores, method=method, ties="mid", n_resamples=20000)
        assert result.pvalues[0, 1] == pytest.approx(0.5, abs=0.02)
    assert pairwise_pvalues(scores, method="exact").pvalues[0, 1] == pytest.approx(0.625)


def test_a_grid_that_misses_zero_is_found() -> None:
    scores = np.random.default_rng(4).integers(0, 9, size=(3, 20)) * 0.1 + 0.0371
    result = pairwise_pvalues(scores)
    assert result.method == "exact"
    assert result.step == pytest.approx(0.1)


def test_statistic_is_the_difference_of_means(small: FloatArray) -> None:
    result = pairwise_pvalues(small)
    means = small.mean(axis=1)
    np.testing.assert_allclose(result.statistic, means[:, None] - means, atol=1e-12)
    assert (result.n_segments == 9).all()
    assert result.n_units == 9


def test_listwise_uses_the_segments_rated_for_all(small: FloatArray) -> None:
    small[0, 2] = small[3, 5] = np.nan
    result = pairwise_pvalues(small, missing="listwise")
    complete = pairwise_pvalues(np.delete(small, [2, 5], axis=1))
    np.testing.assert_array_equal(result.pvalues, complete.pvalues)
    assert result.n_segments_dropped == 2
    assert (result.n_segments == 7).all()


@pytest.mark.parametrize("method", ["exact", "analytic", "monte-carlo"])
def test_pairwise_uses_the_segments_rated_for_both(method: str) -> None:
    rng = np.random.default_rng(9)
    scores = rng.integers(0, 20, size=(4, 60)).astype(float)
    scores[rng.random(scores.shape) < 0.15] = np.nan
    result = pairwise_pvalues(scores, missing="pairwise", method=method, n_resamples=4000)
    for i, j in zip(*np.triu_indices(4, 1), strict=True):
        both = ~np.isnan(scores[[i, j]]).any(axis=0)
        alone = pairwise_pvalues(scores[[i, j]][:, both], method="exact")
        tolerance = 0.04 if method == "monte-carlo" else 1e-6
        assert result.pvalues[i, j] == pytest.approx(alone.pvalues[0, 1], abs=tolerance)
        assert result.statistic[i, j] == pytest.approx(alone.statistic[0, 1])
        assert result.n_segments[i, j] == both.sum()


def test_pairs_without_a_common_segment_have_no_p_value() -> None:
    scores = np.array([[1.0, np.nan, 2.0], [np.nan, 1.0, np.nan], [0.0, 3.0, 1.0]])
    with pytest.warns(DegenerateDataWarning, match="1 of 3 pairs of systems have no segment"):
        result = pairwise_pvalues(scores, missing="pairwise")
    assert np.isnan(result.pvalues[0, 1])
    assert np.isnan(result.statistic[0, 1])
    assert result.pvalues[0, 2] == pytest.approx(0.25)
    with pytest.warns(DegenerateDataWarning, match="3 of 3 pairs"):
        assert np.isnan(pairwise_pvalues(scores).pvalues).all()


@pytest.mark.parametrize("method", ["exact", "analytic", "auto"])
def test_blocks_swap_together(method: str) -> None:
    rng = np.random.default_rng(6)
    scores = rng.integers(0, 10, size=(3, 160)).astype(float)
    labels = np.array([f"document {index}" for index in rng.integers(0, 40, size=160)])
    names = np.unique(labels)
    sums = np.stack([scores[:, labels == name].sum(axis=1) for name in names], axis=1)
    result = pairwise_pvalues(scores, blocks=labels, method=method)
    np.testing.assert_allclose(result.pvalues, pairwise_pvalues(sums).pvalues, atol=1e-6)
    assert result.n_units == len(names)
    np.testing.assert_allclose(result.statistic, pairwise_pvalues(scores).statistic, atol=1e-12)


def test_blocks_with_gaps_sum_the_shared_segments_only() -> None:
    scores = np.array([[1.0, 5.0, 2.0, np.nan, 4.0], [0.0, np.nan, 4.0, 1.0, 1.0]])
    result = pairwise_pvalues(scores, missing="pairwise", blocks=["a", "a", "b", "b", "c"])
    assert result.pvalues[0, 1] == pytest.approx(enumerated([Fraction(v) for v in (1, -2, 3)]))


def test_some_pairs_equal_the_same_pairs_of_the_whole() -> None:
    rng = np.random.default_rng(10)
    for scores in (rng.normal(size=(6, 300)), rng.integers(0, 9, size=(6, 300)) / 10.0):
        for method in ("auto", "exact", "analytic", "monte-carlo", "mtme"):
            whole = pairwise_pvalues(scores, method=method).pvalues
            part = pairwise_pvalues(scores, method=method, pairs=[(4, 1), (0, 5)]).pvalues
            for i, j in ((4, 1), (1, 4), (0, 5), (5, 0)):
                assert part[i, j] == whole[i, j]
            assert np.isnan(part).sum() == 36 - 4


def test_results_do_not_depend_on_the_number_of_pairs_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scores = np.random.default_rng(12).standard_t(3, size=(7, 200))
    whole = pairwise_pvalues(scores).pvalues
    monkeypatch.setattr(pairwise, "_BLOCK", 1)
    np.testing.assert_array_equal(pairwise_pvalues(scores).pvalues, whole)


def test_auto_is_exact_on_a_grid_and_analytic_for_real_scores() -> None:
    rng = np.random.default_rng(13)
    assert pairwise_pvalues(rng.integers(0, 250, size=(4, 500)) / 10.0).method == "exact"
    assert pairwise_pvalues(rng.normal(size=(4, 500))).method == "analytic"


@pytest.mark.parametrize("jitter", [1e-3, 1e-2])
def test_auto_is_exact_where_scores_nearly_lie_on_a_grid(jitter: float) -> None:
    rng = np.random.default_rng(14)
    scores = rng.integers(0, 3, size=(3, 200)) + jitter * rng.random((3, 200))
    exact = pairwise_pvalues(scores, ties="mid", method="exact").pvalues
    analytic = pairwise_pvalues(scores, ties="mid", method="analytic")
    # Sums pile up near whole numbers: the smooth law is wrong there, and the error says so.
    worst = np.nanmax(np.abs(analytic.pvalues - exact))
    assert 1e-4 < worst < analytic.error
    np.testing.assert_array_equal(pairwise_pvalues(scores, ties="mid").pvalues, exact)


@pytest.mark.parametrize("method", ["auto", "exact"])
def test_a_score_is_not_lost_beside_larger_ones(method: str) -> None:
    scores = np.array([[1e20, 3.0, 3.0, 2e20], [3.0, -2e20, 2e20, 3.0]])
    result = pairwise_pvalues(scores, ties="mid", method=method)
    differences = [Fraction(u) - Fraction(v) for u, v in scores.T.tolist()]
    assert result.pvalues[0, 1] == enumerated(differences, "mid")


def counted_mid(steps: npt.NDArray[np.int64]) -> float:
    """Mid-p of whole differences, from the law of their signed sums, one difference at a time."""
    reach = int(np.abs(steps).sum())
    law = np.zeros(2 * reach + 1)
    law[reach] = 1.0
    for step in steps.tolist():
        law = (np.roll(law, step) + np.roll(law, -step)) / 2.0
    observed = reach + int(steps.sum())
    return float(law[observed + 1 :].sum() + law[observed] / 2.0)


def test_scores_of_a_model_in_half_precision_are_exact_with_auto() -> None:
    rng = np.random.default_rng(16)
    raw = rng.gamma(1.0, 1.0, size=(4, 120))
    unit = np.exp2(np.floor(np.log2(raw)) - 3.0)
    scores = np.maximum(np.rint(raw / unit) * unit, 2.0**-10)
    scores[0, 0] = 33 * 2.0**-14
    result = pairwise_pvalues(scores, ties="mid")
    analytic = pairwise_pvalues(scores, ties="mid", method="analytic")
    steps = np.rint(scores * 2**14).astype(np.int64)
    for i, j in zip(*np.triu_indices(4, 1), strict=True):
        true = counted_mid(steps[i] - steps[j])
        assert result.pvalues[i, j] == pytest.approx(true, abs=1e-8)
        assert abs(analytic.pvalues[i, j] - true) <= analytic.error
    # Most scores are multiples of a much larger step, so that no smooth law holds.
    assert np.nanmax(np.abs(analytic.pvalues - result.pvalues)) > 1e-6


def test_the_error_of_an_analytic_value_is_no_larger_than_hoeffding_allows() -> None:
    rng = np.random.default_rng(17)
    scores = rng.integers(0, 3, size=(2, 200)) + 1e-2 * rng.random((2, 200))
    scores[0] += 1.0
    result = pairwise_pvalues(scores, method="analytic")
    difference = scores[0] - scores[1]
    bound = np.exp(-0.5 * difference.sum() ** 2 / (difference**2).sum())
    assert result.error <= bound + 1e-10 < 1e-6


def test_auto_replaces_analytic_values_that_are_not_accurate() -> None:
    scores = np.random.default_rng(15).normal(size=(3, 60))
    scores[1] = scores[0]
    scores[1, :4] += [0.3, -0.2, 0.5, 0.11]
    result = pairwise_pvalues(scores, ties="mid")
    row = [Fraction(float(value)) for value in (scores[0] - scores[1])[:4]]
    assert result.method == "analytic"
    assert result.pvalues[0, 1] == pytest.approx(enumerated(row, "mid"), abs=1e-9)
    # The other pairs have many units: their analytic values are good, and their error says less.
    exact = pairwise_pvalues(scores, ties="mid", method="exact").pvalues
    np.testing.assert_allclose(result.pvalues, exact, atol=1e-9)


@pytest.mark.parametrize("seed", [3, 187])
def test_auto_is_exact_where_a_few_scores_outweigh_the_others(seed: int) -> None:
    scores = np.exp(3.0 * np.random.default_rng(seed).normal(size=(3, 45)))
    exact = pairwise_pvalues(scores, ties="mid", method="exact").pvalues
    with pytest.warns(ApproximationWarning, match="of 3 pairs of systems may be off by up to"):
        analytic = pairwise_pvalues(scores, ties="mid", method="analytic")
    worst = np.nanmax(np.abs(analytic.pvalues - exact))
    assert 1e-3 < worst < analytic.error
    np.testing.assert_allclose(pairwise_pvalues(scores, ties="mid").pvalues, exact, atol=1e-5)


def test_one_system_has_no_pairs() -> None:
    result = pairwise_pvalues([[1.0, 2.0]])
    assert result.pvalues.shape == (1, 1)
    assert np.isnan(result.pvalues[0, 0])
    assert result.error == 0.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "normal"}, "`method` must be one of"),
        ({"ties": "gt"}, "`ties` must be one of"),
        ({"missing": "drop"}, "`missing` must be one of"),
        ({"n_resamples": 0}, "`n_resamples` must be at least 1"),
        ({"seed": -1}, "`seed` must be at least 0"),
        ({"blocks": [1, 2]}, "`blocks` must have one label for each of 9 segments"),
        (
            {"pairs": [(0, 4)]},
            r"`pairs` must be pairs of different systems from 0 to 3; got \(0, 4",
        ),
        (
            {"pairs": [(1, 1)]},
            r"`pairs` must be pairs of different systems from 0 to 3; got \(1, 1",
        ),
    ],
)
def test_wrong_options_are_refused(
    small: FloatArray, options: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        pairwise_pvalues(small, **options)  # type: ignore[arg-type]


def test_wrong_scores_are_refused() -> None:
    with pytest.raises(InputError, match="`scores` must be 2-dimensional"):
        pairwise_pvalues([1.0, 2.0])
    with pytest.raises(InputError, match="`scores` must not contain infinity"):
        pairwise_pvalues([[1.0, np.inf]])
