"""Missing scores: which cells enter a comparison, against slow code that leaves out NaN."""

from itertools import combinations, product

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from sigcore.errors import DegenerateDataWarning, InputError
from sigcore.meta.accuracy import segment_accuracy
from sigcore.meta.aligned import raw_scores
from sigcore.meta.bootstrap import bootstrap_meta_metric
from sigcore.meta.registry import meta_metric
from sigcore.meta.significance import compare_metrics
from sigcore.meta.spa import soft_pairwise_accuracy
from sigcore.permutation.paired import paired_permutation_test

FloatArray = npt.NDArray[np.float64]
NAN = np.nan


@pytest.fixture
def gappy() -> tuple[FloatArray, FloatArray]:
    """Gold lacks a cell, the second metric three, the third none."""
    rng = np.random.default_rng(9)
    gold = rng.integers(0, 5, size=(3, 6)).astype(float)
    scores = gold + rng.normal(0.0, [[[1.0]], [[2.0]], [[3.0]]], size=(3, 3, 6))
    gold[0, 5] = NAN
    scores[1, [0, 1, 2], [0, 1, 1]] = NAN
    return gold, scores


def shared(gold: FloatArray, *metrics: FloatArray) -> npt.NDArray[np.bool_]:
    return ~np.isnan(np.stack([gold, *metrics])).any(axis=0)


def slow_spa(gold: FloatArray, metric: FloatArray) -> float:
    """SPA over the segments that each two systems share, p-values of people one by one."""
    distances = []
    for i, j in combinations(range(len(gold)), 2):
        both = ~np.isnan(gold[i] + gold[j] + metric[i] + metric[j])
        people = paired_permutation_test(
            gold[i, both], gold[j, both], alternative="greater", ties="mid", method="enumerate"
        ).pvalue
        d = metric[i, both] - metric[j, both]
        square, fourth = (d**2).sum(), (d**4).sum()
        z = d.sum() / np.sqrt(square)
        term = stats.norm.pdf(z) * (-2 * fourth) / (24 * square**2) * (z**3 - 3 * z)
        distances.append(abs(people - np.clip(stats.norm.sf(z) + term, 0.0, 1.0)))
    return 1.0 - float(np.mean(distances))


def standardised(metric: FloatArray, cells: npt.NDArray[np.bool_]) -> FloatArray:
    return np.where(cells, (metric - metric[cells].mean()) / metric[cells].std(), NAN)


def test_pairwise_comparison_uses_the_cells_that_both_metrics_have(
    gappy: tuple[FloatArray, FloatArray],
) -> None:
    gold, scores = gappy
    for a, b in ((0, 1), (0, 2)):
        cells = shared(gold, scores[a], scores[b])
        one, other = standardised(scores[a], cells), standardised(scores[b], cells)
        people = np.where(cells, gold, NAN)
        observed = slow_spa(people, one) - slow_spa(people, other)
        drawn = np.array(
            [
                slow_spa(people, np.where(coin, one, other))
                - slow_spa(people, np.where(coin, other, one))
                for coin in np.array(list(product((0, 1), repeat=6)), dtype=bool)
            ]
        )
        truth = float(np.mean(np.abs(drawn) >= abs(observed) - 1e-9))
        result = compare_metrics(
            gold, scores, meta="spa", missing="pairwise", n_resamples=3000, estimator="plain"
        )
        assert result["spa"].differences[a, b] == pytest.approx(observed, abs=1e-12)
        assert result["spa"].differences[b, a] == -result["spa"].differences[a, b]
        count = round(result["spa"].pvalues[a, b] * 3000)
        assert stats.binomtest(count, 3000, truth).pvalue > 1e-4
        assert result.n_cells[result.metric_pairs.index((a, b))] == cells.sum()


def test_a_metric_is_scored_on_its_own_cells(gappy: tuple[FloatArray, FloatArray]) -> None:
    gold, scores = gappy
    result = compare_metrics(gold, scores, meta=("spa", "pdp"), missing="pairwise", n_resamples=19)
    for index, metric in enumerate(scores):
        cells = shared(gold, metric)
        people = np.where(cells, gold, NAN)
        assert result["spa"].scores[index] == pytest.approx(
            slow_spa(people, standardised(metric, cells)), abs=1e-12
        )
        assert result["pdp"].scores[index] == pytest.approx(meta_metric("pdp")(gold, metric).value)


@pytest.mark.parametrize("scheme", ["inputs", "both", "systems"])
def test_gaps_of_a_third_metric_change_nothing(
    gappy: tuple[FloatArray, FloatArray], scheme: str
) -> None:
    gold, scores = gappy
    options = {"scheme": scheme, "missing": "pairwise", "n_resamples": 200}
    with_it = compare_metrics(gold, scores, **options)  # type: ignore[arg-type]
    without = compare_metrics(gold, scores[[0, 2]], **options)  # type: ignore[arg-type]
    for meta in ("spa", "pa"):
        assert with_it[meta].pvalues[0, 2] == without[meta].pvalues[0, 1]
        assert with_it[meta].differences[0, 2] == without[meta].differences[0, 1]


@pytest.mark.parametrize("scheme", ["inputs", "both", "systems"])
def test_without_gaps_both_rules_are_the_same(scheme: str) -> None:
    rng = np.random.default_rng(10)
    gold = rng.integers(0, 9, size=(4, 20)).astype(float)
    scores = gold + rng.normal(0.0, 3.0, size=(3, 4, 20))
    names = ("spa", "pa", "pearson-sys", "pearson-seg")
    one, other = (
        compare_metrics(gold, scores, meta=names, scheme=scheme, missing=rule, n_resamples=100)
        for rule in ("listwise", "pairwise")
    )
    for meta in names:
        np.testing.assert_array_equal(one[meta].pvalues, other[meta].pvalues)
    assert one.n_cells == other.n_cells == (80, 80, 80)


def test_gaps_at_the_same_place_are_the_same_as_no_segment() -> None:
    rng = np.random.default_rng(12)
    gold = rng.integers(0, 9, size=(4, 20)).astype(float)
    scores = gold + rng.normal(0.0, 3.0, size=(2, 4, 20))
    gold[:, 15:] = NAN
    result = compare_metrics(gold, scores, missing="pairwise", scheme="both", n_resamples=100)
    kept = compare_metrics(gold[:, :15], scores[:, :, :15], scheme="both", n_resamples=100)
    assert (result.n_segments, result.n_segments_dropped) == (15, 5)
    np.testing.assert_array_equal(result["spa"].pvalues, kept["spa"].pvalues)


def test_a_metric_that_scores_no_segment_of_two_systems_has_no_p_value() -> None:
    rng = np.random.default_rng(13)
    gold = rng.integers(0, 9, size=(3, 8)).astype(float)
    scores = gold + rng.normal(0.0, 3.0, size=(3, 3, 8))
    scores[2, 1] = NAN
    with pytest.warns(DegenerateDataWarning):
        result = compare_metrics(gold, scores, missing="pairwise", n_resamples=50)
    for meta in ("spa", "pa"):
        assert np.isfinite(result[meta].pvalues[0, 1])
        assert np.isnan(result[meta].pvalues[0, 2])
        assert np.isnan(result[meta].scores[2])
    assert list(result.reasons) == ["0 and 2", "1 and 2"]


def test_documents_may_have_gaps(gappy: tuple[FloatArray, FloatArray]) -> None:
    gold, scores = gappy
    labels = [0, 0, 1, 2, 2, 1]
    result = compare_metrics(gold, scores, missing="pairwise", blocks=labels, n_resamples=20)
    assert result.n_units == 3
    order = np.argsort(labels, kind="stable")
    again = compare_metrics(
        gold[:, order],
        scores[:, :, order],
        missing="pairwise",
        blocks=[labels[k] for k in order],
        n_resamples=20,
    )
    np.testing.assert_array_equal(result["spa"].pvalues, again["spa"].pvalues)


def test_listwise_keeps_complete_segments_only(gappy: tuple[FloatArray, FloatArray]) -> None:
    raw = raw_scores(*gappy)
    assert (raw.gold.shape, raw.n_segments_dropped) == ((3, 3), 3)
    assert raw.shared_cells(range(3)).all()


def test_nothing_in_common_is_refused(gappy: tuple[FloatArray, FloatArray]) -> None:
    gold, scores = gappy
    with pytest.raises(InputError, match="a segment with scores of 2 systems or more"):
        raw_scores(np.full_like(gold, NAN), scores, missing="pairwise")
    gold = gold.copy()
    gold[1] = NAN
    with pytest.raises(InputError, match=r"1 of 3 systems have no gold score .* leaves out such"):
        raw_scores(gold, scores)


def test_the_cause_of_having_no_segment_is_said(gappy: tuple[FloatArray, FloatArray]) -> None:
    gold, scores = gappy
    unscored = scores.copy()
    unscored[2, 1] = NAN
    with pytest.raises(InputError, match=r"`scores\[2\]` has none of system 1\. Leave out that"):
        raw_scores(gold, unscored)
    scattered = scores.copy()
    scattered[0, np.arange(6) % 3, np.arange(6)] = NAN
    with pytest.raises(InputError, match='lacks one of some system; `missing` "pairwise" uses'):
        compare_metrics(gold, scattered)
    with pytest.raises(InputError, match=r"each segment lacks one of some system\.$"):
        bootstrap_meta_metric(gold, scattered)


@pytest.mark.parametrize("name", ["spa", "pa", "pearson-sys"])
def test_scores_without_a_complete_segment_are_warned_of_once(name: str) -> None:
    gold = np.arange(12.0).reshape(3, 4)
    metric = np.where(np.arange(3)[:, None] == np.arange(4) % 3, NAN, gold)
    with pytest.warns(DegenerateDataWarning, match="is undefined: no segment has all") as caught:
        score = meta_metric(name)(gold, metric)
    assert (len(caught), score.reason) == (1, "no segment has all scores")


@pytest.mark.parametrize("name", ["spa", "pa"])
def test_systems_that_share_no_segment_are_warned_of_once(name: str) -> None:
    gold = np.arange(12.0).reshape(3, 4)
    metric = gold.copy()
    metric[1, 2:] = metric[0, :2] = NAN
    with pytest.warns(DegenerateDataWarning) as caught:
        score = meta_metric(name)(gold, metric, missing="pairwise")
    reason = "1 of 3 pairs of systems have no segment in common"
    assert (len(caught), score.reason) == (1, reason)


def test_the_warning_points_at_the_line_of_the_caller() -> None:
    gold = np.array([[1.0, NAN], [NAN, 2.0]])
    for function in (soft_pairwise_accuracy, segment_accuracy):
        with pytest.warns(DegenerateDataWarning) as caught:
            function(gold, gold)
        assert [warning.filename for warning in caught] == [__file__]
