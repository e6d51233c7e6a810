"""Each scheme of permutation against slow code that takes every coin there is."""

from collections.abc import Callable, Iterable
from itertools import combinations, product

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from sigcore.errors import LevelWarning
from sigcore.meta import schemes
from sigcore.meta.aligned import raw_scores
from sigcore.meta.cell_hybrids import cell_hybrid_values
from sigcore.meta.evaluation import evaluation_task
from sigcore.meta.hybrids import hybrid_differences
from sigcore.meta.item_hybrids import (
    ITEM_STATISTICS,
    item_sums,
    means_of_hybrids,
    means_of_metrics,
)
from sigcore.meta.linear_hybrids import LINEAR, correlations_of_hybrids
from sigcore.meta.pair_swaps import agreement_values, swapped_differences
from sigcore.meta.permuted import _one_by_one, permuted_statistics
from sigcore.meta.registry import meta_metric
from sigcore.meta.schemes import draw_coins
from sigcore.meta.significance import compare_metrics
from sigcore.permutation.pairwise import pairwise_pvalues
from sigcore.seeding import generator

FloatArray = npt.NDArray[np.float64]
Coins = npt.NDArray[np.uint8]
Value = Callable[[FloatArray, FloatArray], float]


@pytest.fixture
def tiny() -> tuple[FloatArray, FloatArray]:
    """Three systems, three segments, three metrics, the last on a grid."""
    rng = np.random.default_rng(2)
    gold = rng.integers(0, 5, size=(3, 3)).astype(float)
    scores = gold + rng.normal(0.0, [[[0.5]], [[2.0]], [[3.0]]], size=(3, 3, 3))
    scores[2] = np.rint(scores[2])
    return gold, scores


def every_coin(rows: int, columns: int) -> Coins:
    flat = np.array(list(product((0, 1), repeat=rows * columns)), dtype=np.uint8)
    return flat.reshape(-1, rows, columns)


def scheme_coins(scheme: str, n_systems: int, n_segments: int) -> Coins:
    """All equally likely coins of a scheme."""
    if scheme == "inputs":
        return every_coin(1, n_segments)
    if scheme == "systems":
        return every_coin(n_systems, 1)
    if scheme == "both":
        return every_coin(n_systems, n_segments)
    both = product(every_coin(n_systems, 1), every_coin(1, n_segments))
    return np.array([row ^ column for row, column in both])


def standardised(metric: FloatArray) -> FloatArray:
    scaled: FloatArray = (metric - metric.mean()) / metric.std()
    return scaled


def slow_differences(
    gold: FloatArray, a: FloatArray, b: FloatArray, coins: Iterable[Coins], value: Value
) -> FloatArray:
    a, b = standardised(a), standardised(b)
    return np.array(
        [value(gold, np.where(coin, a, b)) - value(gold, np.where(coin, b, a)) for coin in coins]
    )


def slow_spa(gold: FloatArray, metric: FloatArray) -> float:
    """SPA with the fourth-cumulant term written out, pair by pair."""
    people = pairwise_pvalues(gold, ties="mid", method="exact").pvalues
    distances = []
    for i, j in combinations(range(len(gold)), 2):
        d = metric[i] - metric[j]
        square, fourth = (d**2).sum(), (d**4).sum()
        p = 0.5
        if square > 1e-12:
            z = d.sum() / np.sqrt(square)
            term = stats.norm.pdf(z) * (-2 * fourth) / (24 * square**2) * (z**3 - 3 * z)
            p = float(np.clip(stats.norm.sf(z) + term, 0.0, 1.0))
        distances.append(abs(people[i, j] - p))
    return 1.0 - float(np.mean(distances))


def slow_agreements(gold: FloatArray, metric: FloatArray) -> float:
    found = 0
    for i, j in combinations(range(len(gold)), 2):
        gap = metric[i].sum() - metric[j].sum()
        sign = 0 if abs(gap) < 1e-9 else np.sign(gap)
        found += int(sign == np.sign(gold[i].sum() - gold[j].sum()))
    return float(found)


def slow_correlation(name: str) -> Value:
    function = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
    coefficient, level = name.split("-", maxsplit=1)

    def value(gold: FloatArray, metric: FloatArray) -> float:
        if level == "by-system":
            rows = zip(gold, metric, strict=True)
            return float(np.mean([stats.pearsonr(*pair)[0] for pair in rows]))
        if level == "sys":
            gold, metric = gold.mean(axis=1), np.round(metric.mean(axis=1), 10)
        return float(function[coefficient](gold.ravel(), metric.ravel())[0])

    return value


@pytest.mark.parametrize("scheme", ["both", "both-xor", "systems"])
def test_hybrids_by_cells_equal_slow_code_for_all_coins(
    tiny: tuple[FloatArray, FloatArray], scheme: str
) -> None:
    gold, scores = tiny
    coins = scheme_coins(scheme, 3, 3)
    pairs = [(0, 1), (2, 1)]
    hybrids, others = cell_hybrid_values(evaluation_task(gold, scores), pairs, coins)
    for row, (a, b) in enumerate(pairs):
        spa = slow_differences(gold, scores[a], scores[b], coins, slow_spa)
        agreements = slow_differences(gold, scores[a], scores[b], coins, slow_agreements)
        np.testing.assert_allclose((hybrids.spa - others.spa)[row], spa, atol=1e-12)
        np.testing.assert_array_equal((hybrids.n_agree - others.n_agree)[row], agreements)


def test_hybrids_by_cells_that_swap_whole_segments_are_those_by_segments() -> None:
    rng = np.random.default_rng(4)
    gold = rng.integers(0, 9, size=(5, 40)).astype(float)
    task = evaluation_task(gold, gold + rng.normal(0.0, 3.0, size=(3, 5, 40)))
    coins = rng.integers(0, 2, size=(50, 1, 40), dtype=np.uint8)
    pairs = [(0, 1), (1, 2)]
    by_segment = hybrid_differences(task, pairs, coins[:, 0].astype(float), ("spa", "pa"))
    one, other = cell_hybrid_values(task, pairs, np.repeat(coins, 5, axis=1))
    np.testing.assert_allclose(by_segment["spa"], one.spa - other.spa, atol=1e-12)
    np.testing.assert_array_equal(by_segment["pa"], one.n_agree - other.n_agree)


@pytest.mark.parametrize("scheme", ["inputs", "both", "both-xor", "systems"])
@pytest.mark.parametrize("meta", ["spa", "pa", "pearson-seg", "pdp"])
def test_p_values_lie_around_enumerated_ones(
    tiny: tuple[FloatArray, FloatArray], scheme: str, meta: str
) -> None:
    gold, scores = tiny
    value: Value = {
        "spa": slow_spa,
        "pa": slow_agreements,
        "pearson-seg": slow_correlation("pearson-seg"),
        "pdp": lambda gold, metric: meta_metric("pdp")(gold, metric).value,
    }[meta]
    coins = scheme_coins(scheme, 3, 3)
    drawn = slow_differences(gold, scores[0], scores[1], coins, value)
    observed = value(gold, standardised(scores[0])) - value(gold, standardised(scores[1]))
    truth = np.mean(drawn >= observed - 1e-9), np.mean(drawn <= observed + 1e-9)
    result = compare_metrics(
        gold,
        scores[:2],
        meta=meta,
        scheme=scheme,
        alternative="greater",
        estimator="plain",
        n_resamples=1500,
    )
    assert result.scheme == f"perm-{scheme}"
    for entry, probability in zip(((0, 1), (1, 0)), truth, strict=True):
        count = round(result[meta].pvalues[entry] * 1500)
        assert stats.binomtest(count, 1500, float(probability)).pvalue > 1e-4


@pytest.mark.parametrize("name", LINEAR)
@pytest.mark.parametrize("scheme", ["inputs", "both", "systems"])
def test_fast_correlations_equal_slow_ones_for_all_coins(
    tiny: tuple[FloatArray, FloatArray], name: str, scheme: str
) -> None:
    gold, scores = tiny
    gold[0, 0] += 1.0
    raw = raw_scores(gold, scores)
    coins = scheme_coins(scheme, 3, 3)
    aligned = raw.align(raw.shared_cells(range(3)), range(3))
    hybrids, others = correlations_of_hybrids(aligned, name, [(0, 1), (1, 0)], coins)
    slow = slow_differences(gold, scores[0], scores[1], coins, slow_correlation(name))
    np.testing.assert_allclose((hybrids - others)[0], slow, atol=1e-9)
    # Coins that exchange the metrics turn the difference.
    np.testing.assert_allclose((hybrids - others)[1], slow[::-1], atol=1e-9)


def test_any_meta_metric_can_be_compared() -> None:
    rng = np.random.default_rng(8)
    gold = rng.integers(0, 6, size=(4, 12)).astype(float)
    scores = gold + rng.normal(0.0, 2.0, size=(2, 4, 12))
    names = ("spa", "kendall-sys", "tau-b-item", "acc-eq", "pearson-by-system")
    result = compare_metrics(gold, 7.0 * scores - 3.0, meta=names, n_resamples=40)
    assert list(result.tests) == list(names)
    for name in names[1:]:
        expected = [meta_metric(name)(gold, metric).value for metric in scores]
        np.testing.assert_allclose(result[name].scores, expected, atol=1e-9)
        assert 0.0 < result[name].pvalues[0, 1] <= 1.0


def slow_item_mean(name: str, threshold: float = 0.0) -> Callable[[FloatArray, FloatArray], float]:
    """A statistic within one item by scipy or by counting; NaN where it is undefined."""

    def value(gold: FloatArray, metric: FloatArray) -> float:
        if name == "tau-b-item":
            return float(stats.kendalltau(gold, metric)[0])
        if name in ("pearson-item", "spearman-item"):
            if len(set(gold)) == 1 or len(set(metric)) == 1:
                return np.nan
            function = stats.pearsonr if name == "pearson-item" else stats.spearmanr
            return float(function(gold, metric)[0])
        right = [
            np.sign(gold[i] - gold[j])
            == (0 if abs(metric[i] - metric[j]) <= threshold else np.sign(metric[i] - metric[j]))
            for i, j in combinations(range(len(gold)), 2)
        ]
        return float(np.mean(right)) * (2 if name == "tau-23" else 1) - (name == "tau-23")

    return value


@pytest.mark.parametrize("name", ITEM_STATISTICS)
def test_means_over_items_equal_slow_code_for_all_coins(name: str) -> None:
    rng = np.random.default_rng(17)
    gold = rng.integers(0, 4, size=(4, 6)).astype(float)
    gold[:, 2] = 1.0  # correlations are undefined here
    scores = gold + rng.normal(0.0, 1.0, size=(2, 4, 6))
    scores[1] = np.rint(scores[1])
    scores[1, :, 4] = 3.0
    raw = raw_scores(gold, scores)
    sums = item_sums(raw.align(raw.shared_cells((0, 1)), (0, 1)), name)
    coins = every_coin(1, 6)
    hybrids, others = means_of_hybrids(sums, [(0, 1)], coins)
    per_item = np.full((2, 6), np.nan)
    for index, metric in enumerate(scores):
        threshold = meta_metric("acc-eq")(gold, metric).extra["epsilon"] * (name == "acc-eq")
        value = slow_item_mean(name, threshold)
        per_item[index] = [value(gold[:, item], metric[:, item]) for item in range(6)]
        assert means_of_metrics(sums)[index] == pytest.approx(meta_metric(name)(gold, metric).value)
    for row, coin in enumerate(coins[:, 0].astype(bool)):
        one, other = np.where(coin, per_item[0], per_item[1]), np.where(coin, *per_item[::-1])
        assert hybrids[0, row] == pytest.approx(np.nanmean(one), abs=1e-12)
        assert others[0, row] == pytest.approx(np.nanmean(other), abs=1e-12)


def test_fast_and_slow_ways_find_the_same_differences() -> None:
    rng = np.random.default_rng(18)
    gold = rng.integers(0, 6, size=(4, 15)).astype(float)
    scores = gold + rng.normal(0.0, 2.0, size=(2, 4, 15))
    raw = raw_scores(gold, scores)
    aligned = raw.align(raw.shared_cells((0, 1)), (0, 1))
    coins = draw_coins("inputs", generator(0, "coins"), 30, 4, 15)
    for name in ("tau-b-item", "acc-23", "pearson-item", *LINEAR):
        fast = permuted_statistics(aligned, [name], scheme="inputs", pa_in_floats=False)[0]
        slow = _one_by_one(aligned, meta_metric(name))
        np.testing.assert_allclose(
            fast.draw([(0, 1)], coins, None)[name],
            slow.draw([(0, 1)], coins, None)[name],
            atol=1e-12,
        )


def mixed_verdicts(
    gold: FloatArray, a: FloatArray, b: FloatArray, thresholds: tuple[float, float], coin: Coins
) -> tuple[float, float]:
    """Accuracies of a hybrid and its complement, verdict by verdict; `coin` has a row a pair."""
    items: list[tuple[float, float]] = []
    for item in range(gold.shape[1]):
        agree = np.zeros(2)
        n_pairs = 0
        for row, (i, j) in enumerate(combinations(range(len(gold)), 2)):
            people = gold[i, item] - gold[j, item]
            if np.isnan(people):
                continue
            n_pairs += 1
            right = []
            for metric, threshold in ((a, thresholds[0]), (b, thresholds[1])):
                gap = metric[i, item] - metric[j, item]
                verdict = 0.0 if abs(gap) <= threshold else np.sign(gap)
                right.append(float(verdict == np.sign(people)))
            agree += right if coin[row, item] else right[::-1]
        if n_pairs:
            items.append(tuple(agree / n_pairs))
    return tuple(np.mean(items, axis=0))


@pytest.mark.parametrize("name", ["acc-eq", "acc-23"])
def test_swapped_verdicts_equal_slow_code_for_all_coins(
    tiny: tuple[FloatArray, FloatArray], name: str
) -> None:
    gold, scores = tiny
    gold[1, 2] = np.nan
    scores[:, 1, 2] = 99.0
    raw = raw_scores(gold, scores, missing="pairwise")
    values, shares = agreement_values(raw.align(raw.shared_cells(range(3)), range(3)), name)
    thresholds = [
        meta_metric("acc-eq")(gold, metric).extra["epsilon"] if name == "acc-eq" else 0.0
        for metric in scores
    ]
    expected = [meta_metric(name)(gold, metric).value for metric in scores]
    np.testing.assert_allclose(values, expected, atol=1e-12)
    coins = every_coin(3, 3)
    fast = swapped_differences(shares, [(0, 2)], coins)[0]
    slow = []
    for coin in coins:
        one, other = mixed_verdicts(
            gold, scores[0], scores[2], (thresholds[0], thresholds[2]), coin
        )
        slow.append(one - other)
    np.testing.assert_allclose(fast, slow, atol=1e-12)


def test_swapping_verdicts_is_the_sign_test_of_verdicts_that_differ() -> None:
    rng = np.random.default_rng(3)
    gold = rng.integers(0, 3, size=(4, 6)).astype(float)
    scores = gold + rng.normal(0.0, 1.5, size=(2, 4, 6))
    with pytest.warns(LevelWarning, match='"pairs" does not hold its level'):
        result = compare_metrics(
            gold, scores, meta="acc-23", scheme="pairs", n_resamples=20_000, estimator="plain"
        )["acc-23"]
    right = np.array(
        [
            [
                np.sign(metric[i, n] - metric[j, n]) == np.sign(gold[i, n] - gold[j, n])
                for i, j in combinations(range(4), 2)
                for n in range(6)
            ]
            for metric in scores
        ]
    )
    only_first = int((right[0] & ~right[1]).sum())
    only_second = int((right[1] & ~right[0]).sum())
    expected = stats.binomtest(only_first, only_first + only_second).pvalue
    count = round(result.pvalues[0, 1] * 20_000)
    assert stats.binomtest(count, 20_000, expected).pvalue > 1e-4
    assert result.differences[0, 1] == pytest.approx((only_first - only_second) / 36)


@pytest.mark.filterwarnings("ignore::sigcore.errors.LevelWarning")
def test_a_constant_metric_has_verdicts_to_swap(tiny: tuple[FloatArray, FloatArray]) -> None:
    gold, scores = tiny
    scores[1] = 0.5
    result = compare_metrics(gold, scores, meta="acc-eq", scheme="pairs", n_resamples=50)
    assert np.isfinite(result["acc-eq"].pvalues[0, 1])
    assert result.reasons == {}


def test_cells_of_a_document_swap_together(tiny: tuple[FloatArray, FloatArray]) -> None:
    gold, scores = tiny
    task = evaluation_task(gold, scores, blocks=["b", "a", "b"])
    coins = every_coin(3, 2)
    hybrids, others = cell_hybrid_values(task, [(0, 1)], coins)
    # Units stand in the order of their labels.
    slow = slow_differences(gold, scores[0], scores[1], coins[:, :, [1, 0, 1]], slow_agreements)
    np.testing.assert_array_equal((hybrids.n_agree - others.n_agree)[0], slow)


@pytest.mark.parametrize("scheme", schemes.SCHEMES)
def test_coins_are_fair_and_the_same_in_any_portions(scheme: str) -> None:
    whole = draw_coins(scheme, generator(1, "coins"), 4000, 3, 5)
    rng = generator(1, "coins")
    parts = [draw_coins(scheme, rng, size, 3, 5) for size in (1, 999, 3000)]
    np.testing.assert_array_equal(whole, np.concatenate(parts))
    share = whole.mean(axis=0)
    assert np.abs(share - 0.5).max() < 0.04
    patterns = len(np.unique(whole.reshape(len(whole), -1), axis=0))
    # 15 cells; the exclusive or of 3 + 5 coins has 2^7 patterns.
    expected = {"inputs": 2**5, "systems": 2**3, "both-xor": 2**7}
    assert patterns == expected.get(scheme, patterns)


@pytest.mark.filterwarnings("ignore::sigcore.errors.LevelWarning")
@pytest.mark.parametrize("scheme", ["both", "both-xor", "systems", "pairs"])
def test_some_metric_pairs_equal_the_same_pairs_of_the_whole(scheme: str) -> None:
    rng = np.random.default_rng(6)
    gold = rng.integers(0, 6, size=(5, 30)).astype(float)
    scores = gold + rng.normal(0.0, 2.0, size=(4, 5, 30))
    meta = "acc-eq" if scheme == "pairs" else "spa"
    whole = compare_metrics(gold, scores, meta=meta, scheme=scheme, n_resamples=200)
    part = compare_metrics(
        gold, scores, meta=meta, scheme=scheme, n_resamples=200, metric_pairs=[(3, 0), (1, 2)]
    )
    for entry in ((3, 0), (0, 3), (1, 2)):
        assert part[meta].pvalues[entry] == whole[meta].pvalues[entry]


@pytest.mark.parametrize("scheme", ["both", "both-xor", "systems"])
def test_copies_of_a_metric_are_never_different(
    tiny: tuple[FloatArray, FloatArray], scheme: str
) -> None:
    gold, scores = tiny
    copies = np.stack([scores[0], 3.7 * scores[0] - 1234.5])
    names = ("spa", "pa", "pearson-sys", "pearson-seg", "pdp")
    result = compare_metrics(gold, copies, meta=names, scheme=scheme, n_resamples=100)
    for meta in names:
        assert result[meta].pvalues[0, 1] == 1.0


@pytest.mark.parametrize("scheme", ["both", "both-xor", "systems"])
def test_whole_scores_have_the_accuracy_that_the_registry_gives(scheme: str) -> None:
    """Standardised, equal distances of grades differed by rounding, each a threshold to choose."""
    rng = np.random.default_rng(3)
    gold = rng.integers(0, 4, size=(5, 30)).astype(float)
    grades = 5.0 * np.clip(np.rint(2.0 * gold + rng.normal(9.0, 3.0, size=(3, 5, 30))), 0, 20)
    result = compare_metrics(gold, grades, meta="acc-eq", scheme=scheme, n_resamples=19)
    expected = [meta_metric("acc-eq")(gold, metric).value for metric in grades]
    np.testing.assert_allclose(result["acc-eq"].scores, expected, rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("meta", ["acc-eq", "acc-23", "spearman-seg", "tau-c-item", "tau-b-seg"])
def test_hybrids_of_a_metric_and_its_rescaled_copy_are_the_metric(meta: str) -> None:
    rng = np.random.default_rng(5)
    gold, grades = rng.integers(0, 4, size=(2, 4, 9)).astype(float)
    copies = np.stack([grades, 0.00025 * grades + 1.0])
    found = compare_metrics(
        gold, copies, meta=meta, scheme="both", n_resamples=50, alternative="greater"
    )
    assert found[meta].pvalues[0, 1] == found[meta].pvalues[1, 0] == 1.0


@pytest.mark.parametrize("meta", ["acc-eq", "acc-23"])
@pytest.mark.parametrize("scheme", ["inputs", "both", "pairs"])
@pytest.mark.filterwarnings("ignore::sigcore.errors.LevelWarning")
@pytest.mark.filterwarnings("ignore::sigcore.errors.DegenerateDataWarning")
def test_a_metric_that_scores_a_single_system_has_no_accuracy(meta: str, scheme: str) -> None:
    gold = np.arange(12.0).reshape(3, 4) % 5.0
    scores = np.stack([gold + 1.0, np.full_like(gold, np.nan), gold[::-1]])
    scores[1, 0] = [3.0, 1.0, 2.0, 2.0]
    result = compare_metrics(
        gold, scores, meta=meta, scheme=scheme, missing="pairwise", n_resamples=20
    )
    assert np.isnan(result[meta].scores).tolist() == [False, True, False]
    assert np.isnan(result[meta].pvalues[1]).all()
    assert "0 and 1" in result.reasons
