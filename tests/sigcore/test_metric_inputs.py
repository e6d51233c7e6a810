"""What compare_metrics takes and refuses, and the clusters it gives."""

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest

from sigcore import EvalSet, compare_metrics
from sigcore.errors import DegenerateDataWarning, InputError, SplitTieWarning
from sigcore.evalset import Metric
from sigcore.meta.clusters import all_pairs_clusters, greedy_clusters

FloatArray = npt.NDArray[np.float64]


@pytest.fixture
def arrays() -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(4)
    gold = rng.normal(size=(6, 40)) + np.linspace(0.0, 1.0, 6)[:, None]
    noise = np.array([0.2, 0.2, 2.0, 8.0])[:, None, None] * rng.normal(size=(4, 6, 40))
    return gold, gold + noise


def evaluation_set(gold: FloatArray, scores: FloatArray) -> EvalSet:
    return EvalSet(
        testset="toy",
        language_pair="en-de",
        gold_name="people",
        systems=tuple("abcdef"),
        human_systems=(),
        segments=np.arange(40),
        documents=None,
        gold=gold,
        metrics=tuple(Metric(name, name, "src") for name in "ABCD"),
        scores=scores,
    )


def test_an_evaluation_set_gives_what_its_arrays_give(
    arrays: tuple[FloatArray, FloatArray],
) -> None:
    whole = compare_metrics(evaluation_set(*arrays), n_resamples=99)
    parts = compare_metrics(
        *arrays, metric_names=list("ABCD"), purpose=("toy", "en-de"), n_resamples=99
    )
    assert whole.to_records() == parts.to_records()


@pytest.mark.parametrize("alpha", [0.01, 0.2])
def test_clusters_are_those_of_the_adjusted_p_values(
    arrays: tuple[FloatArray, FloatArray], alpha: float
) -> None:
    result = compare_metrics(*arrays, meta="spa", n_resamples=199, alpha=alpha, adjust="maxt")
    test = result["spa"]
    for rule, function in (("greedy", greedy_clusters), ("all-pairs", all_pairs_clusters)):
        expected = function(test.scores, test.adjusted, alpha=alpha)
        found = result.clusters("spa", rule=rule)
        np.testing.assert_array_equal(found.ranks, expected.ranks)
        assert found.rule == rule


def test_split_ties_are_told() -> None:
    rng = np.random.default_rng(11)
    gold = rng.normal(size=(8, 60)) + np.linspace(0.0, 1.0, 8)[:, None]
    # B is better than C on many segments; the constant A has C's PA of 0 but no p-values.
    scores = np.array([np.zeros(gold.shape), gold, -gold])
    with pytest.warns(DegenerateDataWarning, match="A: the metric is constant"):
        result = compare_metrics(gold, scores, metric_names=["A", "B", "C"], n_resamples=99)
    assert result["pa"].scores[0] == result["pa"].scores[2] == 0.0
    with pytest.warns(SplitTieWarning, match="A and C"):
        ranks = result.clusters("pa").ranks
    assert ranks.tolist() == [1, 1, 2]
    assert result.clusters("pa", rule="all-pairs").ranks.tolist() == [1, 1, 1]


def test_metrics_without_scores_have_no_cluster_and_a_reason(
    arrays: tuple[FloatArray, FloatArray],
) -> None:
    gold, scores = arrays
    scores[1] = np.nan
    with pytest.warns(DegenerateDataWarning, match="1: the metric has no scores"):
        result = compare_metrics(gold, scores, missing="pairwise", n_resamples=99)
    assert result.reasons == {"1": "the metric has no scores in use"}
    assert result.clusters("spa").names == ("0", "2", "3")
    others = compare_metrics(gold, scores[[0, 2, 3]], n_resamples=99)
    keep = np.ix_([0, 2, 3], [0, 2, 3])
    np.testing.assert_array_equal(result["spa"].pvalues[keep], others["spa"].pvalues)


def test_metrics_on_other_translations_have_a_reason(
    arrays: tuple[FloatArray, FloatArray],
) -> None:
    gold, scores = arrays
    scores[0, :, :20] = scores[1, :, 20:] = np.nan
    result = compare_metrics(gold, scores, missing="pairwise", n_resamples=99)
    assert result.reasons == {"0 and 1": "they have no scores of the same translations"}
    assert np.isnan(result["spa"].pvalues[0, 1])
    assert not np.isnan(result["spa"].pvalues[0, 2])


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("meta", 3, "`meta`"),
        ("meta", [1], "`meta`"),
        ("purpose", 3, "`purpose`"),
        ("purpose", "wmt", "`purpose`"),
        ("alpha", 1.5, "`alpha`"),
        ("metric_names", 3, "`metric_names`"),
        ("metric_names", "ABCD", "`metric_names`"),
        ("metric_names", [1, 2, 3, 4], "`metric_names`"),
        ("metric_pairs", 5, "`metric_pairs`"),
        ("metric_pairs", [3], "`metric_pairs`"),
        ("metric_pairs", [(0, 1, 2)], "`metric_pairs`"),
        ("metric_pairs", [("a", "b")], "`metric_pairs`"),
        ("metric_pairs", [(0.5, 1)], "`metric_pairs`"),
        ("metric_pairs", [(0, 1), (1, 0)], "each pair once"),
        ("blocks", [None] * 40, "`blocks`"),
        ("adjust", "", "`adjust`"),
    ],
)
def test_odd_options_are_refused(
    arrays: tuple[FloatArray, FloatArray], option: str, value: object, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        compare_metrics(*arrays, **{option: value})  # type: ignore[arg-type]


def test_odd_scores_are_refused(arrays: tuple[FloatArray, FloatArray]) -> None:
    gold, scores = arrays
    for odd in ([[["x"] * 40] * 6] * 2, [[1, 2], [3]], None, scores[0], scores[:0]):
        with pytest.raises(InputError, match="`scores`"):
            compare_metrics(gold, odd)
    with pytest.raises(InputError, match="`scores`"):
        compare_metrics(evaluation_set(gold, scores), scores)


def test_masked_scores_are_missing_ones(arrays: tuple[FloatArray, FloatArray]) -> None:
    gold, scores = arrays
    mask = np.zeros(scores.shape, dtype=bool)
    mask[2, 1, 5] = True
    found = compare_metrics(gold, np.ma.masked_array(scores, mask), n_resamples=49)
    scores[mask] = np.nan
    assert found.n_segments_dropped == 1
    assert found.to_records() == compare_metrics(gold, scores, n_resamples=49).to_records()


def test_names_of_metrics_may_be_an_array_or_columns(arrays: tuple[FloatArray, FloatArray]) -> None:
    for names in (np.array(list("ABCD")), pd.DataFrame(columns=list("ABCD")).columns):
        result = compare_metrics(*arrays, metric_names=names, n_resamples=99)
        assert result.metric_names == ("A", "B", "C", "D")
        assert type(result.metric_names[0]) is str
    for names in ("ABCD", set("ABCD"), [["A", "B"], ["C", "D"]]):
        with pytest.raises(InputError, match="`metric_names` must be a sequence of strings"):
            compare_metrics(*arrays, metric_names=names)
