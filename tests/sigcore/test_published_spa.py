"""Table 1 of the SPA paper: as printed, and put together from the tables of a run."""

import pytest

from sigcore.meta.published import TABLE_1, published_counts, table_1_records


def test_the_printed_table_has_the_averages_of_the_text() -> None:
    # "On average, SPA increases the number of statistically significant pairwise comparisons by
    # 31% and the number of significance clusters by 40%" (section 4.4).
    increase = [row.spa.n_significant / row.pa.n_significant - 1 for row in TABLE_1]
    assert sum(increase) / len(increase) == pytest.approx(0.31, abs=0.005)
    increase = [row.spa.n_clusters / row.pa.n_clusters - 1 for row in TABLE_1]
    assert sum(increase) / len(increase) == pytest.approx(0.40, abs=0.015)


def test_only_the_language_pairs_of_the_paper_are_there() -> None:
    row = published_counts("wmt23", "en-de")
    assert row is not None
    assert (row.n_metrics, row.n_different) == (25, 24)
    assert published_counts("wmt24", "en-de") is None


RANKING = [
    {"metric": name, "spa": spa, "pa": pa, "n_systems": 12}
    for name, spa, pa in (("x", 0.9, 0.8), ("y", 0.7, 0.8), ("z", 0.6, 0.5))
]


def rows_of(meta: str, pvalues: dict[str, float]) -> list[dict[str, object]]:
    return [
        {"meta": meta, "metric": a, "other": b, "pvalue": pvalue}
        for pair, pvalue in pvalues.items()
        for a, b in (pair, pair[::-1])
    ]


COMPARISONS = rows_of("spa", {"xy": 0.01, "xz": 0.0, "yz": 0.5}) + rows_of(
    "pa", {"xy": 1.0, "xz": 0.04, "yz": 0.2}
)
REPEATS = [
    {
        "meta": meta,
        "comparison": kind,
        "repeat": repeat,
        "n_distinct": 2,
        "n_significant": first + repeat,
        "n_clusters": 2 - repeat,
    }
    for meta, kind, first in (("spa", "values", 1), ("pa", "counts", 1), ("pa", "float", 2))
    for repeat in (0, 1)
]


def table(testset: str) -> list[dict[str, object]]:
    return table_1_records(
        testset,
        "en-de",
        ranking=RANKING,
        comparisons=COMPARISONS,
        sampled=rows_of("spa", {"xy": 0.9, "xz": 0.03, "yz": 0.9}),
        sampled_scores={"x": 0.8, "y": 0.8, "z": 0.6},
        repeats=REPEATS,
        n_different=3,
        alpha=0.05,
    )


def test_each_procedure_has_a_row_with_its_own_counts() -> None:
    exact, as_published, paper = table("wmt23")
    assert [row["procedure"] for row in (exact, as_published, paper)] == [
        "exact",
        "as published",
        "paper",
    ]
    assert (exact["distinct_spa"], exact["significant_spa"], exact["clusters_spa"]) == (3, 2, 2)
    assert (exact["distinct_pa"], exact["significant_pa"], exact["clusters_pa"]) == (2, 1, 2)
    assert (exact["significant_spa_low"], exact["significant_spa_high"]) == (1, 2)
    assert (exact["clusters_pa_low"], exact["clusters_pa_high"]) == (1, 2)
    assert (as_published["distinct_spa"], as_published["significant_spa"]) == (2, 1)
    assert as_published["significant_pa"] == 2
    assert (as_published["significant_pa_low"], as_published["significant_pa_high"]) == (2, 3)
    assert "significant_spa_low" not in as_published
    assert (paper["significant_pa"], paper["significant_spa"], paper["significant_max"]) == (
        171,
        206,
        276,
    )


def test_a_language_pair_that_the_paper_lacks_has_no_printed_row() -> None:
    assert len(table("wmt24")) == 2
