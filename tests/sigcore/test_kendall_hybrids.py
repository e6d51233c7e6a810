"""Kendall's tau-b of hybrids against tau-b of hybrids written out."""

from itertools import product

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import kendalltau

from sigcore.meta.aligned import raw_scores
from sigcore.meta.kendall_hybrids import KENDALL, KendallHybrids
from sigcore.meta.order_counts import order_counter
from sigcore.meta.registry import meta_metric
from sigcore.meta.schemes import draw_coins
from sigcore.meta.significance import compare_metrics

FloatArray = npt.NDArray[np.float64]
PAIRS = [(0, 1), (2, 1), (2, 3), (0, 4)]


def simulated(n_systems: int, n_segments: int, *, coarse: bool) -> tuple[FloatArray, FloatArray]:
    """Gold with ties and five metrics; the last is the first, rescaled."""
    rng = np.random.default_rng(17)
    quality = rng.normal(size=(n_systems, n_segments))
    metrics = quality + rng.normal(size=(5, n_systems, n_segments))
    if coarse:
        metrics = np.rint(np.array([1, 2, 1, 3, 1])[:, None, None] * metrics)
    metrics[4] = 0.3 * metrics[0] - 7.0
    return np.rint(quality), metrics


def written_out(gold: FloatArray, metric: FloatArray, name: str) -> float:
    """tau-b by scipy, of all cells or the mean over systems."""
    rated = ~np.isnan(gold)
    if name == "tau-b-seg":
        return float(kendalltau(gold[rated], metric[rated]).statistic)
    rows = zip(gold, metric, rated, strict=True)
    return float(np.mean([kendalltau(g[r], m[r]).statistic for g, m, r in rows]))


@pytest.mark.parametrize("ties", [False, True])
def test_agreement_of_each_cell_is_the_sum_over_all_others(ties: bool) -> None:
    rng = np.random.default_rng(3)
    gold, metric, other = rng.normal(size=(3, 50))
    if ties:
        gold, metric, other = (np.rint(2.0 * each) for each in (gold, metric, other))
    found = order_counter(gold, metric).agreement(other)
    signs = np.sign(gold[:, None] - gold) * np.sign(other[:, None] - metric)
    np.testing.assert_array_equal(found, signs.sum(axis=1))
    some = np.array([40, 3, 17, 18])
    found = order_counter(gold, metric, some).agreement(other)
    np.testing.assert_array_equal(found, signs[:, some].sum(axis=1))


@pytest.mark.parametrize("name", KENDALL)
@pytest.mark.parametrize("scheme", ["inputs", "systems", "both", "both-xor"])
@pytest.mark.parametrize("kind", ["smooth", "coarse", "gaps", "blocks"])
def test_differences_equal_those_of_hybrids_written_out(name: str, scheme: str, kind: str) -> None:
    gold, metrics = simulated(4, 15, coarse=kind != "smooth")
    if kind == "gaps":
        metrics[1, 2, 3:6] = gold[0, :4] = np.nan
    blocks = np.arange(15) // 4 if kind == "blocks" else None
    raw = raw_scores(gold, metrics, missing="pairwise", blocks=blocks)
    scores = raw.align(raw.shared_cells(range(5)), range(5))
    n_units = int(scores.labels[-1]) + 1
    coins = draw_coins(scheme, np.random.default_rng(8), 40, 4, n_units)
    found = KendallHybrids(scores, name).differences(PAIRS, coins)
    spread = coins if coins.shape[2] == 1 else coins[:, :, scores.labels]
    rounded = np.round(scores.metrics, 12)
    for row, (a, b) in enumerate(PAIRS):
        for k, coin in enumerate(spread.astype(bool)):
            hybrid, other = (
                np.where(coin, rounded[one], rounded[two]) for one, two in ((a, b), (b, a))
            )
            expected = written_out(scores.gold, hybrid, name) - written_out(
                scores.gold, other, name
            )
            assert found[row, k] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("coarse", "error"), [(False, 1e-12), (True, 2e-4)])
def test_large_groups_leave_out_what_only_ties_show(coarse: bool, error: float) -> None:
    gold, metrics = simulated(3, 300, coarse=coarse)
    raw = raw_scores(gold, metrics)
    scores = raw.align(raw.shared_cells(range(5)), range(5))
    coins = draw_coins("inputs", np.random.default_rng(8), 30, 3, 300)
    for name in KENDALL:
        found = KendallHybrids(scores, name).differences([(2, 3)], coins)[0]
        expected = [
            written_out(gold, np.where(coin, scores.metrics[2], scores.metrics[3]), name)
            - written_out(gold, np.where(coin, scores.metrics[3], scores.metrics[2]), name)
            for coin in coins.astype(bool)
        ]
        assert np.abs(found - expected).max() < error < np.std(expected) / 20.0


@pytest.mark.parametrize("name", KENDALL)
@pytest.mark.parametrize("scheme", ["systems", "inputs"])
def test_large_groups_with_few_coins_are_exact(name: str, scheme: str) -> None:
    """A coin of a system or of a document decides many cells, which ties make visible."""
    gold, metrics = simulated(5, 260, coarse=False)
    metrics = np.stack([(metrics[0] > 2.0).astype(np.float64), metrics[1]])
    raw = raw_scores(gold, metrics, blocks=np.arange(260) % 7)
    scores = raw.align(raw.shared_cells(range(2)), range(2))
    coins = draw_coins(scheme, np.random.default_rng(8), 20, 5, 7)
    coins[0] = 1
    found = KendallHybrids(scores, name).differences([(0, 1)], coins)[0]
    spread = coins if scheme == "systems" else coins[:, :, scores.labels]
    one, other = scores.metrics
    expected = [
        written_out(scores.gold, np.where(coin, one, other), name)
        - written_out(scores.gold, np.where(coin, other, one), name)
        for coin in spread.astype(bool)
    ]
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-12)


def one_constant_system() -> tuple[FloatArray, FloatArray]:
    """Gold, and two metrics of which the first gives the last system the same score everywhere."""
    gold = np.array(
        [
            [0.96497, -0.82783, 0.3, 0.1],
            [0.92549, -0.79639, 0.2, 0.7],
            [-0.84766, -0.32175, 0.5, 0.6],
        ]
    )
    first = [[-3.0, -2.0, -1.0, 0.0], [-3.0, -1.0, 0.0, -2.0], [0.0, 0.0, 0.0, 0.0]]
    second = [[-1.0, -3.0, -2.0, -3.0], [-3.0, 0.0, -3.0, -3.0], [-1.0, -2.0, -3.0, 0.0]]
    return gold, np.array([first, second])


def by_registry(gold: FloatArray, metrics: FloatArray, coins: npt.NDArray[np.uint8]) -> FloatArray:
    """Differences of the meta-metric itself, each hybrid over its own systems."""
    meta = meta_metric("tau-b-by-system")
    one, other = metrics
    return np.array(
        [
            meta(gold, np.where(coin, one, other)).value
            - meta(gold, np.where(coin, other, one)).value
            for coin in coins.astype(bool)
        ]
    )


@pytest.mark.parametrize("shape", [(1, 4), (3, 1), (3, 4)])
@pytest.mark.parametrize("same_values", [False, True])
def test_each_hybrid_is_averaged_over_the_systems_where_it_is_defined(
    shape: tuple[int, int], same_values: bool
) -> None:
    gold, metrics = one_constant_system()
    if same_values:  # on one scale, so that mixtures may be constant as well
        metrics[0, 1, 3], metrics[1] = 0.0, metrics[0, [1, 2, 0]]
    raw = raw_scores(gold, metrics)
    scores = raw.align(raw.shared_cells((0, 1)), (0, 1))
    n_coins = shape[0] * shape[1]
    coins = np.array(list(product((0, 1), repeat=n_coins)), dtype=np.uint8).reshape(-1, *shape)
    found = KendallHybrids(scores, "tau-b-by-system").differences([(0, 1)], coins)[0]
    expected = by_registry(gold, np.round(scores.metrics, 12), coins)
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-12)


def test_a_constant_system_of_many_segments_is_exact_for_coins_of_systems() -> None:
    gold, metrics = simulated(4, 300, coarse=False)
    metrics[0, 2], metrics[1, 1] = 7.0, np.rint(metrics[1, 1])
    raw = raw_scores(gold, metrics[:2])
    scores = raw.align(raw.shared_cells((0, 1)), (0, 1))
    coins = np.array(list(product((0, 1), repeat=4)), dtype=np.uint8).reshape(-1, 4, 1)
    found = KendallHybrids(scores, "tau-b-by-system").differences([(0, 1)], coins)[0]
    expected = by_registry(gold, np.round(scores.metrics, 12), coins)
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-12)


def test_the_draw_that_swaps_nothing_gives_the_observed_difference() -> None:
    gold, metrics = one_constant_system()
    coins = np.array(list(product((0, 1), repeat=3)), dtype=np.uint8).reshape(-1, 3, 1)
    drawn = np.abs(by_registry(gold, metrics, coins))
    # One metric scores all of a system, so that tau does not depend on standardising.
    truth = np.mean(drawn >= drawn[-1] - 1e-12)
    assert truth == 0.5
    result = compare_metrics(
        gold,
        metrics,
        meta="tau-b-by-system",
        scheme="systems",
        n_resamples=2000,
        estimator="plain",
    )
    assert result["tau-b-by-system"].pvalues[0, 1] == pytest.approx(truth, abs=0.05)


def test_with_few_systems_the_observed_difference_is_among_the_draws() -> None:
    """Of 8 ways to swap 3 systems, 2 give what was observed, so p is near 1/4 or above."""
    gold, metrics = simulated(3, 120, coarse=False)
    metrics = np.stack([(metrics[0] > 2.0).astype(np.float64), metrics[1]])
    result = compare_metrics(gold, metrics, meta="tau-b-seg", scheme="systems", n_resamples=999)
    assert result["tau-b-seg"].pvalues[0, 1] > 0.2


def test_scores_and_p_values(monkeypatch: pytest.MonkeyPatch) -> None:
    gold, metrics = simulated(4, 40, coarse=True)
    result = compare_metrics(gold, metrics, meta=list(KENDALL), n_resamples=99, keep_null=True)
    for name in KENDALL:
        test = result[name]
        assert test.scores[1] == pytest.approx(written_out(gold, metrics[1], name))
        assert test.pvalues[0, 4] == 1.0  # a rescaled copy
        assert test.null is not None
        extreme = np.abs(test.null[0]) >= abs(test.differences[0, 1]) - 1e-10
        assert test.pvalues[0, 1] == (extreme.sum() + 1) / 100
    monkeypatch.setattr("sigcore.meta.kendall_hybrids._VALUES", 3)
    again = compare_metrics(gold, metrics, meta=list(KENDALL), n_resamples=99)
    np.testing.assert_array_equal(again["tau-b-seg"].pvalues, result["tau-b-seg"].pvalues)


@pytest.mark.parametrize("name", KENDALL)
def test_means_of_grades_tie_for_metrics_as_for_hybrids(name: str) -> None:
    """The mean of 0.1, 0.2 and 0.3 is not the same float in every order."""
    rng = np.random.default_rng(6)
    gold = rng.integers(0, 5, size=(4, 30)).astype(np.float64)
    grades = np.clip(gold + rng.integers(0, 6, size=(3, 4, 30)), 0, 10)
    metrics = np.stack([(grades / 10.0).mean(axis=0), grades.sum(axis=0) / 30.0])
    assert len(np.unique(metrics[0])) > len(np.unique(metrics[1]))
    result = compare_metrics(gold, metrics, meta=name, n_resamples=50)
    assert result[name].pvalues[0, 1] == 1.0
