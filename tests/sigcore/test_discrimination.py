"""Counts of Table 1 against hand counts, and repeats against single comparisons."""

import numpy as np
import numpy.typing as npt
import pytest

from sigcore.errors import InputError
from sigcore.meta.discrimination import count_different, discrimination, repeat_records
from sigcore.meta.significance import compare_metrics

FloatArray = npt.NDArray[np.float64]


@pytest.fixture
def task() -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(9)
    quality = rng.normal(0.0, 0.3, size=(7, 1)) + rng.normal(size=(7, 80))
    gold = np.rint(2 * (quality + rng.normal(size=quality.shape)))
    noise = np.array([0.5, 1.0, 1.1, 3.0, 6.0])[:, None, None]
    return gold, quality + noise * rng.normal(size=(5, *quality.shape))


def test_counts_by_hand() -> None:
    # Best to worst: a, b = c, d. Only a and d, and b and d, differ.
    scores = [0.9, 0.8, 0.8 + 1e-15, 0.5]
    pvalues = np.ones((4, 4))
    pvalues[0, 3] = pvalues[3, 0] = 0.05
    pvalues[1, 3] = pvalues[3, 1] = 0.001
    found = discrimination(scores, pvalues)
    assert (found.n_distinct, found.n_significant, found.n_clusters) == (3, 2, 2)
    stricter = discrimination(scores, pvalues, alpha=0.01)
    assert (stricter.n_significant, stricter.n_clusters) == (1, 2)


def test_a_missing_p_value_is_not_significant() -> None:
    found = discrimination([2.0, 1.0], [[np.nan, np.nan], [np.nan, np.nan]])
    assert (found.n_significant, found.n_clusters) == (0, 1)


def test_metrics_with_the_same_scores_count_once() -> None:
    scores = np.random.default_rng(0).normal(size=(3, 2, 4))
    scores[0, 0, 0] = scores[2, 0, 0] = np.nan
    assert count_different(scores) == 3
    scores[2] = scores[0]
    assert count_different(scores) == 2
    scores[:, 0, 1] = [0.0, 1.0, -0.0]
    assert count_different(scores) == 2
    with pytest.raises(InputError, match="`scores` must be 3-dimensional"):
        count_different(scores[0])


def test_the_first_repeat_equals_a_single_comparison(task: tuple[FloatArray, FloatArray]) -> None:
    gold, scores = task
    names = ["a", "b", "c", "d", "e"]
    options = {"n_resamples": 200, "seed": 4, "purpose": ("set", "pair")}
    rows = repeat_records(gold, scores, metric_names=names, n_repeats=3, **options)
    assert len(rows) == 3 * 3
    first = {(row["meta"], row["comparison"]): row for row in rows if row["repeat"] == 0}
    for comparison, keys in (
        ("counts", [("spa", "values"), ("pa", "counts")]),
        ("float", [("pa", "float")]),
    ):
        result = compare_metrics(
            gold,
            scores,
            metric_names=names,
            estimator="plain",
            pa_comparison=comparison,
            **options,  # type: ignore[arg-type]
        )
        for key in keys:
            test = result[key[0]]
            found = discrimination(test.scores, test.pvalues, names=names)
            assert first[key]["n_significant"] == found.n_significant
            assert first[key]["n_clusters"] == found.n_clusters
            assert first[key]["n_distinct"] == found.n_distinct


@pytest.mark.filterwarnings("ignore:Comparisons with some metrics")
def test_a_constant_metric_differs_from_none(task: tuple[FloatArray, FloatArray]) -> None:
    gold, scores = task
    constant = np.concatenate([scores, np.full_like(scores[:1], 0.5)])
    counts = [
        [
            row["n_significant"]
            for row in repeat_records(
                gold, metrics, metric_names=names, n_repeats=2, n_resamples=100, seed=1
            )
        ]
        for metrics, names in (
            (scores, [f"m{i}" for i in range(len(scores))]),
            (constant, [f"m{i}" for i in range(len(constant))]),
        )
    ]
    assert counts[0] == counts[1]


def test_floats_never_find_fewer_differences(task: tuple[FloatArray, FloatArray]) -> None:
    gold, scores = task
    rows = repeat_records(
        gold, scores, metric_names=list("abcde"), n_repeats=5, n_resamples=100, seed=1
    )
    by_kind = {
        kind: [row["n_significant"] for row in rows if row["comparison"] == kind]
        for kind in ("counts", "float")
    }
    pairs = zip(by_kind["float"], by_kind["counts"], strict=True)
    assert all(int(str(one)) >= int(str(other)) for one, other in pairs)


def test_no_repeat_is_refused(task: tuple[FloatArray, FloatArray]) -> None:
    with pytest.raises(InputError, match="`n_repeats` must be at least 1"):
        repeat_records(*task, metric_names=list("abcde"), n_repeats=0)
