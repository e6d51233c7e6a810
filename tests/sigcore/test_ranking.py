import numpy as np
import pytest

from sigcore.meta.ranking import comparison_matrix, rank_metrics

METRICS = [
    {"metric": "worst", "spa": 0.5, "pa": 0.6},
    {"metric": "best", "spa": 0.9, "pa": 0.8},
    {"metric": "middle", "spa": 0.85, "pa": 0.8},
]
PVALUES = {("best", "middle"): 0.3, ("best", "worst"): 0.05, ("middle", "worst"): 0.2}


def comparisons(pvalues=PVALUES):
    return [
        {
            "meta": meta,
            "metric": a,
            "other": b,
            "difference": sign * 0.1,
            "pvalue": p if meta == "spa" else 1.0,
        }
        for meta in ("spa", "pa")
        for pair, p in pvalues.items()
        for a, b, sign in ((*pair, 1), (*pair[::-1], -1))
    ]


def test_metrics_come_best_first_with_their_clusters():
    rows = rank_metrics(METRICS, comparisons())
    assert [row["metric"] for row in rows] == ["best", "middle", "worst"]
    assert [row["rank"] for row in rows] == [1, 1, 2]
    assert [row["rank_pa"] for row in rows] == [1, 1, 1]
    assert [row["rank_all_pairs"] for row in rows] == [1, 1, 1]
    assert [row["n_beaten"] for row in rows] == [1, 0, 0]


def test_alpha_is_inclusive():
    assert [row["rank"] for row in rank_metrics(METRICS, comparisons(), alpha=0.05)] == [1, 1, 2]
    assert [row["rank"] for row in rank_metrics(METRICS, comparisons(), alpha=0.049)] == [1, 1, 1]


def test_a_metric_does_not_beat_one_that_is_better_where_both_have_scores():
    # "best" has the higher SPA on its own segments only.
    rows = [{**row, "difference": -row["difference"]} for row in comparisons()]
    ranked = rank_metrics(METRICS, rows)
    assert [row["rank"] for row in ranked] == [1, 1, 1]
    assert [row["n_beaten"] for row in ranked] == [0, 0, 1]


def test_the_matrix_is_in_the_order_asked_for():
    matrix = comparison_matrix(["worst", "best", "middle"], comparisons(), "spa")
    assert matrix[1, 0] == matrix[0, 1] == 0.05
    assert matrix[2, 1] == 0.3
    assert np.isnan(matrix.diagonal()).all()


def test_corrected_p_values_decide():
    corrected = [{**row, "adjusted": min(1.0, 3 * row["pvalue"])} for row in comparisons()]
    assert [row["rank"] for row in rank_metrics(METRICS, corrected)] == [1, 1, 1]
    assert comparison_matrix(["best", "worst", "middle"], corrected, "spa")[0, 1] == 3 * 0.05


def test_an_unknown_metric_is_a_key_error():
    with pytest.raises(KeyError):
        comparison_matrix(["best"], comparisons(), "spa")
