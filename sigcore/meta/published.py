"""Table 1 of Thompson et al. (2024), as printed, and ours beside it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from sigcore.meta.discrimination import Discrimination, discrimination
from sigcore.meta.ranking import comparison_matrix

__all__ = ["CITATION", "TABLE_1", "PublishedCounts", "published_counts", "table_1_records"]

Row = Mapping[str, Any]

CITATION = (
    "Thompson, Mathur, Deutsch and Khayrallah (2024). Improving Statistical Significance in Human "
    "Evaluation of Automatic Metrics via Soft Pairwise Accuracy. WMT 2024, Table 1."
)


@dataclass(frozen=True, slots=True)
class PublishedCounts:
    """A row of the printed table.

    Attributes
    ----------
    testset, language_pair : str
        Which evaluation set.
    n_systems, n_metrics : int
        Its size.
    n_different : int
        Metrics that do not repeat the scores of another one.
    pa, spa : Discrimination
        The counts by Pairwise Accuracy and by Soft Pairwise Accuracy.
    """

    testset: str
    language_pair: str
    n_systems: int
    n_metrics: int
    n_different: int
    pa: Discrimination
    spa: Discrimination


# Distinct values, significant comparisons, clusters.
TABLE_1 = (
    PublishedCounts(
        "wmt22", "en-de", 14, 21, 21, Discrimination(11, 108, 5), Discrimination(21, 163, 8)
    ),
    PublishedCounts(
        "wmt22", "zh-en", 15, 21, 21, Discrimination(12, 150, 6), Discrimination(21, 177, 9)
    ),
    PublishedCounts(
        "wmt22", "en-ru", 15, 20, 20, Discrimination(10, 88, 4), Discrimination(20, 133, 6)
    ),
    # Two metrics of this set have the same scores.
    PublishedCounts(
        "wmt23", "en-de", 12, 25, 24, Discrimination(12, 171, 5), Discrimination(24, 206, 6)
    ),
    PublishedCounts(
        "wmt23", "he-en", 13, 25, 25, Discrimination(11, 180, 5), Discrimination(25, 224, 8)
    ),
    PublishedCounts(
        "wmt23", "zh-en", 14, 25, 25, Discrimination(12, 186, 7), Discrimination(25, 229, 7)
    ),
)


def published_counts(testset: str, language_pair: str) -> PublishedCounts | None:
    """Return what the paper prints for a language pair; None if it has none."""
    for row in TABLE_1:
        if (row.testset, row.language_pair) == (testset, language_pair):
            return row
    return None


def table_1_records(
    testset: str,
    language_pair: str,
    *,
    ranking: Sequence[Row],
    comparisons: Iterable[Row],
    sampled: Iterable[Row],
    sampled_scores: Mapping[str, float],
    repeats: Sequence[Row],
    n_different: int,
    alpha: float,
) -> list[dict[str, Any]]:
    """Put together the rows of Table 1 for one language pair.

    Parameters
    ----------
    testset, language_pair : str
        Which evaluation set.
    ranking, comparisons : rows
        The tables `ranking` and `comparisons` of the run.
    sampled : iterable of rows
        The table `sampled_comparisons`.
    sampled_scores : mapping of str to float
        SPA of each metric from sampled p-values.
    repeats : sequence of rows
        The table `repeats`.
    n_different : int
        Metrics that do not repeat the scores of another one.
    alpha : float
        Two metrics differ where p <= alpha.

    Returns
    -------
    list of dict
        A row for each `procedure`: ``"exact"``, the run's own comparisons; ``"as published"``, SPA
        with sampled p-values and PA with differences compared as floats; ``"paper"``, what is
        printed, if the paper has the language pair.
    """
    names = [row["metric"] for row in ranking]
    rows = list(comparisons)

    def count(scores: Sequence[float], table: Iterable[Row], meta: str) -> Discrimination:
        matrix = comparison_matrix(names, table, meta)
        return discrimination(np.array(scores), matrix, names=names, alpha=alpha)

    spa, pa = ([row[meta] for row in ranking] for meta in ("spa", "pa"))
    exact = {"spa": count(spa, rows, "spa"), "pa": count(pa, rows, "pa")}
    by_floats = next(row for row in repeats if row["comparison"] == "float" and row["repeat"] == 0)
    as_published = {
        "spa": count([sampled_scores[name] for name in names], sampled, "spa"),
        "pa": Discrimination(
            by_floats["n_distinct"], by_floats["n_significant"], by_floats["n_clusters"]
        ),
    }
    size = (ranking[0]["n_systems"], len(names), n_different)
    records = [
        {**_record("exact", *size, exact), **_ranges(repeats, {"spa": "values", "pa": "counts"})},
        {**_record("as published", *size, as_published), **_ranges(repeats, {"pa": "float"})},
    ]
    printed = published_counts(testset, language_pair)
    if printed is not None:
        counts = {"spa": printed.spa, "pa": printed.pa}
        records.append(
            _record("paper", printed.n_systems, printed.n_metrics, printed.n_different, counts)
        )
    return [{"testset": testset, "language_pair": language_pair, **row} for row in records]


def _record(
    procedure: str,
    n_systems: int,
    n_metrics: int,
    n_different: int,
    counts: Mapping[str, Discrimination],
) -> dict[str, Any]:
    record: dict[str, Any] = {
        "procedure": procedure,
        "n_systems": n_systems,
        "n_metrics": n_metrics,
        "distinct_max": n_different,
        "significant_max": comb(n_different, 2),
        "clusters_max": n_different,
    }
    for meta, found in counts.items():
        record[f"distinct_{meta}"] = found.n_distinct
        record[f"significant_{meta}"] = found.n_significant
        record[f"clusters_{meta}"] = found.n_clusters
    return record


def _ranges(repeats: Sequence[Row], kinds: Mapping[str, str]) -> dict[str, int]:
    """Find the smallest and largest counts over repeats of the comparison."""
    found = {}
    for meta, kind in kinds.items():
        chosen = [row for row in repeats if (row["meta"], row["comparison"]) == (meta, kind)]
        for name in ("significant", "clusters"):
            counts = [row[f"n_{name}"] for row in chosen]
            found[f"{name}_{meta}_low"] = min(counts)
            found[f"{name}_{meta}_high"] = max(counts)
    return found
