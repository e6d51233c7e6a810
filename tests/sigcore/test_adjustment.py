"""Corrections for the number of comparisons: against formulas, brute force and their error rate."""

from contextlib import nullcontext
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import binomtest, false_discovery_control

from sigcore.errors import ResolutionWarning
from sigcore.meta.adjustment import adjust_rows, step_down_max
from sigcore.meta.significance import compare_metrics

FloatArray = npt.NDArray[np.float64]


@pytest.fixture
def several() -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(21)
    gold = rng.integers(0, 9, size=(6, 40)).astype(float)
    noise = np.array([1.0, 2.0, 4.0, 8.0])[:, None, None]
    return gold, gold + noise * rng.normal(size=(4, 6, 40))


def slow_step_down(observed: FloatArray, null: FloatArray) -> list[float]:
    """Two-sided maxT, test by test, with one added; an undefined draw is larger than any."""
    scale = [
        np.sqrt(np.nanmean([seen**2, *(drawn**2)]))
        for seen, drawn in zip(observed, null, strict=True)
    ]
    null = np.where(np.isnan(null), np.inf, null)
    order = sorted(range(len(observed)), key=lambda k: -abs(observed[k]) / scale[k])
    adjusted = dict.fromkeys(order, 0.0)
    last = 0.0
    for position, test in enumerate(order):
        count = 1
        for draw in range(null.shape[1]):
            largest = max(abs(null[other, draw]) / scale[other] for other in order[position:])
            count += largest >= abs(observed[test]) / scale[test] - 1e-9
        last = max(last, count / (null.shape[1] + 1))
        adjusted[test] = last
    return [adjusted[test] for test in range(len(observed))]


def test_max_t_equals_slow_code() -> None:
    rng = np.random.default_rng(22)
    observed = rng.normal(0.0, 1.5, size=5)
    null = rng.normal(size=(5, 60)) * np.array([1, 2, 3, 1, 1])[:, None]
    fast = step_down_max(observed, null, alternative="two-sided")
    np.testing.assert_allclose(fast[0], slow_step_down(observed, null))
    np.testing.assert_array_equal(fast[0], fast[1])


def test_max_t_counts_undefined_draws_as_extreme() -> None:
    rng = np.random.default_rng(25)
    observed = np.array([1.0, 3.0, 0.5, 2.0])
    null = rng.normal(size=(4, 60))
    null[0, [3, 20]] = null[2, 41] = np.nan
    fast = step_down_max(observed, null, alternative="two-sided")
    np.testing.assert_allclose(fast[0], slow_step_down(observed, null))
    # One-sided there are two tests, and such a draw is extreme for both.
    one_way = step_down_max(observed[:1], null[:1], alternative="greater", estimator="plain")
    above = (np.sum(np.abs(null[0]) >= 1.0) + 2) / 60
    below = (np.sum(null[0] <= 1.0) + 2) / 60
    np.testing.assert_allclose(one_way[:, 0], [above, max(above, below)])


def test_max_t_keeps_comparisons_whose_draws_may_be_undefined() -> None:
    # A hybrid that takes each system from the metric that is constant there has no correlation.
    rng = np.random.default_rng(26)
    gold, first, second, third = rng.normal(size=(4, 2, 40))
    first[0], second[1] = 0.0, 0.0
    result = compare_metrics(
        gold,
        [first, second, third],
        meta="pearson-by-system",
        scheme="systems",
        adjust="maxt",
        keep_null=True,
    )["pearson-by-system"]
    assert result.null is not None
    assert np.isnan(result.null).any(axis=1).tolist() == [True, False, False]
    upper = np.triu_indices(3, 1)
    assert (result.adjusted[upper] >= result.pvalues[upper]).all()


def test_max_t_of_one_comparison_is_its_p_value(several: tuple[FloatArray, FloatArray]) -> None:
    gold, scores = several
    options = {"adjust": "maxt", "n_resamples": 300, "meta": "spa"}
    both = compare_metrics(gold, scores[:2], **options)["spa"]  # type: ignore[arg-type]
    assert both.adjusted[0, 1] == both.pvalues[0, 1]
    # One-sided there are two tests, and the larger of a difference and its negative is its size.
    one_way = compare_metrics(gold, scores[:2], alternative="greater", **options)["spa"]  # type: ignore[arg-type]
    better = (0, 1) if both.differences[0, 1] > 0 else (1, 0)
    assert one_way.adjusted[better] == both.pvalues[0, 1]


def test_max_t_lies_between_the_p_value_and_bonferroni(
    several: tuple[FloatArray, FloatArray],
) -> None:
    gold, scores = several
    result = compare_metrics(gold, scores, adjust="maxt", n_resamples=500)["spa"]
    upper = np.triu_indices(4, 1)
    assert (result.adjusted[upper] >= result.pvalues[upper]).all()
    assert (result.adjusted[upper] <= np.minimum(1.0, 6 * result.pvalues[upper]) + 1e-12).all()
    assert result.null is None
    np.testing.assert_array_equal(result.adjusted, result.adjusted.T)


def test_identical_metrics_have_adjusted_p_one(several: tuple[FloatArray, FloatArray]) -> None:
    gold, scores = several
    copies = np.stack([scores[0], scores[0], scores[3]])
    result = compare_metrics(gold, copies, adjust="maxt", n_resamples=100)["spa"]
    assert result.adjusted[0, 1] == 1.0
    assert result.adjusted[0, 2] < 1.0


def test_a_rescaled_copy_corrects_others_as_an_identical_metric_does(
    several: tuple[FloatArray, FloatArray],
) -> None:
    """Differences of the two are rounding errors, which had been scaled up to a unit spread."""
    gold, scores = several
    names = ("spa", "pearson-seg")
    same = compare_metrics(gold, np.stack([scores[0], *scores]), meta=names, adjust="maxt")
    scaled = compare_metrics(
        gold, np.stack([3.7 * scores[0] - 12.3, *scores]), meta=names, adjust="maxt"
    )
    for meta in names:
        np.testing.assert_array_equal(scaled[meta].adjusted, same[meta].adjusted)


def test_corrections_are_those_of_the_pairs(several: tuple[FloatArray, FloatArray]) -> None:
    gold, scores = several
    upper = np.triu_indices(4, 1)
    plain = compare_metrics(gold, scores, n_resamples=200)
    np.testing.assert_array_equal(plain["pa"].adjusted, plain["pa"].pvalues)
    pvalues = plain["pa"].pvalues[upper]
    by_bh = compare_metrics(gold, scores, n_resamples=200, adjust="bh")
    np.testing.assert_allclose(by_bh["pa"].adjusted[upper], false_discovery_control(pvalues))
    by_holm = compare_metrics(gold, scores, n_resamples=200, adjust="holm")
    order = np.argsort(pvalues, kind="stable")
    expected = np.maximum.accumulate(pvalues[order] * np.arange(6, 0, -1)).clip(max=1.0)
    np.testing.assert_allclose(by_holm["pa"].adjusted[upper][order], expected)
    assert by_holm.correction == "holm"


def test_one_sided_comparisons_are_two_tests_a_pair(several: tuple[FloatArray, FloatArray]) -> None:
    gold, scores = several
    result = compare_metrics(
        gold, scores[:2], n_resamples=200, adjust="bonferroni", alternative="greater"
    )["spa"]
    assert result.adjusted[0, 1] == min(1.0, 2 * result.pvalues[0, 1])


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@pytest.mark.parametrize("method", ["none", "holm", "bh"])
def test_rows_of_batches_are_corrected_as_the_whole(
    several: tuple[FloatArray, FloatArray], method: str, alternative: str
) -> None:
    gold, scores = several
    pairs = list(combinations(range(4), 2))
    options = {"n_resamples": 240, "alternative": alternative}
    whole = compare_metrics(gold, scores, adjust=method, **options)  # type: ignore[arg-type]
    parts = [
        record
        for batch in (pairs[:2], pairs[2:])
        for record in compare_metrics(gold, scores, metric_pairs=batch, **options).to_records()  # type: ignore[arg-type]
    ]
    key = lambda row: (row["meta"], row["metric"], row["other"])  # noqa: E731
    corrected = sorted(adjust_rows(parts, method=method, alpha=0.05), key=key)
    assert corrected == sorted(whole.to_records(), key=key)


def test_undefined_comparisons_are_not_counted() -> None:
    rng = np.random.default_rng(23)
    observed = np.array([2.0, np.nan, 0.1])
    null = rng.normal(size=(3, 99))
    null[1] = np.nan
    result = step_down_max(observed, null, alternative="two-sided")
    assert np.isnan(result[:, 1]).all()
    alone = step_down_max(observed[[0, 2]], null[[0, 2]], alternative="two-sided")
    np.testing.assert_array_equal(result[:, [0, 2]], alone)


def test_max_t_holds_the_chance_of_any_false_difference() -> None:
    rng = np.random.default_rng(24)
    n_trials, wrong = 300, 0
    for seed in range(n_trials):
        quality = rng.normal(0.0, 0.25, size=(6, 1)) + rng.normal(size=(6, 60))
        gold = np.rint(2.0 * (quality + rng.normal(size=quality.shape)))
        metrics = quality + rng.normal(0.0, 1.5, size=(4, *quality.shape))
        result = compare_metrics(
            gold, metrics, meta="spa", adjust="maxt", n_resamples=99, seed=seed
        )
        wrong += result["spa"].n_significant(0.1) > 0
    assert binomtest(wrong, n_trials, 0.1).pvalue > 0.001


@pytest.mark.parametrize(("n_draws", "warned"), [(118, True), (119, False)])
@pytest.mark.parametrize("method", ["holm", "bonferroni"])
def test_too_few_draws_for_a_correction_are_told(
    several: tuple[FloatArray, FloatArray], method: str, n_draws: int, warned: bool
) -> None:
    # 6 comparisons at 0.05: the least p-value, 1 / (n + 1), must not exceed 0.05 / 6 = 1 / 120.
    gold, scores = several
    options = {"n_resamples": n_draws, "meta": "pa"}
    rows = compare_metrics(gold, scores, **options).to_records()  # type: ignore[arg-type]
    expected = pytest.warns(ResolutionWarning, match="119 draws") if warned else nullcontext()
    with expected:
        compare_metrics(gold, scores, adjust=method, **options)  # type: ignore[arg-type]
    expected = pytest.warns(ResolutionWarning, match="119 draws") if warned else nullcontext()
    with expected:
        adjust_rows(rows, method=method, alpha=0.05)


@pytest.mark.parametrize(("n_draws", "warned"), [(998, True), (999, False)])
@pytest.mark.parametrize("method", [None, "bh", "maxt"])
def test_a_level_below_the_least_p_value_is_told(
    several: tuple[FloatArray, FloatArray], method: str | None, n_draws: int, warned: bool
) -> None:
    gold, scores = several
    message = f"{n_draws} draws are too few: nothing can be significant at 0.001 .* than 999 draws"
    expected = pytest.warns(ResolutionWarning, match=message) if warned else nullcontext()
    with expected:
        compare_metrics(gold, scores, n_resamples=n_draws, alpha=0.001, meta="pa", adjust=method)


def test_other_corrections_need_no_more_draws(several: tuple[FloatArray, FloatArray]) -> None:
    gold, scores = several
    for method in ("bh", "maxt"):
        compare_metrics(gold, scores, n_resamples=19, adjust=method)
    compare_metrics(gold, scores, n_resamples=10, adjust="holm", estimator="plain")
