"""What comes in: labels of data frames, missing values of many kinds, single precision."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sigcore.comparison.compare import compare
from sigcore.errors import InputError
from sigcore.meta.accuracy import pairwise_accuracy, segment_accuracy
from sigcore.meta.bootstrap import bootstrap_meta_metric
from sigcore.meta.ceiling import human_ceiling
from sigcore.meta.correlation_tests import williams_test
from sigcore.meta.power import separation_curve
from sigcore.meta.registry import META_METRICS
from sigcore.meta.significance import compare_metrics
from sigcore.meta.spa import soft_pairwise_accuracy, spa_from_pvalues
from sigcore.permutation.paired import paired_permutation_test
from sigcore.permutation.pairwise import pairwise_pvalues
from sigcore.permutation.prf import prf_permutation_test
from sigcore.validation import as_distance, as_limit, as_matrix, as_vector

SYSTEMS = list("abcd")


def frame(seed: int) -> pd.DataFrame:
    values = np.random.default_rng(seed).normal(size=(4, 30))
    return pd.DataFrame(values, index=SYSTEMS, columns=[f"s{number}" for number in range(30)])


GOLD, METRIC = frame(0), frame(1)
OTHERS = {
    "rows in another order": METRIC.sort_index(ascending=False),
    "columns in another order": METRIC.iloc[:, ::-1],
    "other rows": METRIC.rename(index={"a": "e"}),
}
ON_FRAMES: dict[str, Callable[[pd.DataFrame, pd.DataFrame], object]] = {
    **META_METRICS,
    "segment_accuracy": segment_accuracy,
    "human_ceiling": human_ceiling,
    "compare_metrics": lambda gold, metric: compare_metrics(
        gold, [gold, metric], n_resamples=99, alpha=0.5
    ),
    "bootstrap": lambda gold, metric: bootstrap_meta_metric(gold, [metric], n_resamples=3),
    "separation_curve": lambda gold, metric: separation_curve(
        gold, gold + 1.0, metric, n_samples=2, n_resamples=19, sizes=[5]
    ),
}


@pytest.mark.parametrize("order", OTHERS)
@pytest.mark.parametrize("name", ON_FRAMES)
def test_frames_with_other_labels_are_refused(name: str, order: str) -> None:
    with pytest.raises(InputError, match=r"`gold\w*` and `.*` have different labels"):
        ON_FRAMES[name](GOLD, OTHERS[order])


def test_the_metric_with_other_labels_is_named() -> None:
    with pytest.raises(InputError, match=r"`gold` and `scores\[1\]` have different labels"):
        compare_metrics(GOLD, [METRIC, OTHERS["other rows"]])
    with pytest.raises(InputError, match="`gold` and `other` have different labels"):
        williams_test(GOLD, METRIC, OTHERS["other rows"])


@pytest.mark.parametrize(
    "test", [pairwise_accuracy, META_METRICS["pearson-sys"], paired_permutation_test, compare]
)
def test_series_with_other_labels_are_refused(test: Callable[..., object]) -> None:
    first, second = GOLD.mean(axis=1), METRIC.mean(axis=1)
    assert not np.array_equal(second, second.sort_values())
    with pytest.raises(InputError, match="have different labels"):
        test(first, second.sort_values())


def test_matrices_of_p_values_with_other_labels_are_refused() -> None:
    gold, metric = (
        pd.DataFrame(pairwise_pvalues(each).pvalues, index=SYSTEMS, columns=SYSTEMS)
        for each in (GOLD, METRIC)
    )
    with pytest.raises(InputError, match="`gold_pvalues` and `metric_pvalues` have different"):
        spa_from_pvalues(gold, metric.iloc[::-1, ::-1])


def test_counts_of_other_sentences_are_refused_and_columns_go_by_name() -> None:
    counts = pd.DataFrame({"tp": [3, 2], "fp": [0, 1], "fn": [1, 1]}, index=["s1", "s2"])
    better = counts[["fn", "fp", "tp"]] + 1
    assert prf_permutation_test(counts, better).n == 2
    with pytest.raises(InputError, match="`a` and `b` have different labels"):
        prf_permutation_test(counts, better[::-1])


def test_equal_labels_and_those_that_only_count_are_taken_by_position() -> None:
    expected = soft_pairwise_accuracy(GOLD.to_numpy(), METRIC.to_numpy()).value
    unlabelled = pd.DataFrame(METRIC.to_numpy())
    for metric in (
        METRIC,
        METRIC.copy(),
        unlabelled,
        METRIC.to_numpy(),
        METRIC.to_numpy().tolist(),
    ):
        assert soft_pairwise_accuracy(GOLD, metric).value == expected
    score = META_METRICS["pa"](GOLD, unlabelled)
    assert score.extra["n_segments"] == 30.0


def test_counted_labels_in_another_order_are_refused() -> None:
    unlabelled = pd.Series([3.0, 1.0, 2.0])
    with pytest.raises(InputError, match="have different labels"):
        pairwise_accuracy(unlabelled, unlabelled.sort_values())


def test_rows_that_were_left_out_of_one_of_two_are_refused() -> None:
    scores = pd.DataFrame({"a": [3.0, 1.0, 2.0, 5.0], "b": [1.0, 2.0, 2.0, 4.0]})
    with pytest.raises(InputError, match="have different labels"):
        paired_permutation_test(scores.a.head(3), scores.b.drop(1))
    with pytest.raises(InputError, match="have different labels"):
        paired_permutation_test(scores.a.head(3), scores.b.tail(3))
    by_name = scores.b.set_axis(["w", "x", "y", "z"])
    assert paired_permutation_test(scores.a, by_name).n == 4


@pytest.mark.parametrize("value", [np.ones(2), pd.NA, [1.0], "1", None])
def test_a_limit_that_is_no_number_is_named(value: Any) -> None:
    for check in (as_limit, as_distance):
        with pytest.raises(InputError, match="`epsilon` must be a number"):
            check(value, "epsilon")
    assert as_limit(np.float64("inf"), "epsilon") == as_distance(float("inf"), "epsilon") == np.inf


def test_na_of_pandas_is_a_missing_score() -> None:
    frame = pd.DataFrame({"x": [1.5, None], "y": [2.5, 3.5]}, dtype="Float64")
    expected = [[1.5, 2.5], [np.nan, 3.5]]
    for scores in (frame, [[1.5, 2.5], [pd.NA, 3.5]], [[1.5, 2.5], [None, 3.5]]):
        np.testing.assert_array_equal(as_matrix(scores, "scores"), expected)
    with pytest.raises(InputError, match=r"`blocks` must have a label .* index 1 is missing"):
        paired_permutation_test([1, 2], [2, 2], blocks=["d", pd.NA])


def test_masked_scores_are_missing_and_the_others_read_as_without_a_mask() -> None:
    single = np.array([25.2, 25.1, 1e30], dtype=np.float32)
    masked = np.ma.masked_array(single, [False, False, True])
    np.testing.assert_array_equal(as_matrix(masked[None], "scores"), [[25.2, 25.1, np.nan]])
    with pytest.raises(InputError, match=r"integers up to 2\^53"):
        as_vector(np.ma.masked_array([1, 1 << 60]), "scores")
    np.testing.assert_array_equal(
        as_matrix(np.ma.masked_array([[1, 1 << 60]], [[False, True]]), "scores"), [[1.0, np.nan]]
    )
