"""The report of all pairs of systems, on one dataset or several."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from sigcore.comparison.datasets import PairReplicability
from sigcore.comparison.document import Section, Table, format_number, format_pvalue, render
from sigcore.comparison.pairs import PairsResult

__all__ = ["pairs_record", "pairs_report", "pairs_sections", "replicability_section"]

_CORRECTIONS = {
    "none": "not corrected for their number",
    "bonferroni": "corrected by Bonferroni's method",
    "holm": "corrected by Holm's method",
    "bh": "corrected by the method of Benjamini and Hochberg (false discovery rate)",
    "maxt": "corrected by the step-down maxT procedure",
}


def pairs_report(
    results: Mapping[str, PairsResult],
    *,
    replicability: PairReplicability | None = None,
    form: str = "text",
) -> str:
    """Write the report of all pairs.

    Parameters
    ----------
    results : mapping of dataset to PairsResult
        One dataset or several.
    replicability : PairReplicability, optional
        How often systems beat each other over the datasets.
    form : {"text", "markdown", "latex"}
        How to write it.
    """
    sections = [
        section
        for dataset, result in results.items()
        for section in pairs_sections(result, dataset)
    ]
    if replicability is not None:
        sections.append(replicability_section(replicability))
    return render("All pairs of systems", sections, form)


def pairs_sections(result: PairsResult, dataset: str) -> list[Section]:
    """Return the contents of the report of one dataset: the ranking and the pairs."""
    records = result.to_records()
    n_significant = sum(record["significant"] for record in records)
    done = (
        f"{len(records)} comparisons by the test {result.test!r} ({result.alternative}), "
        f"{_CORRECTIONS[result.correction]}; {n_significant} are significant at {result.alpha:g}."
    )
    if result.n_dropped:
        done += f" {result.n_dropped} items lack a score and were left out."
    if result.grouping is not None:
        done += f" {result.grouping}"
    if np.all(result.means <= 0.0) and np.any(result.means < 0.0):
        done += " Larger scores are better; those of error rates such as TER have a minus sign."
    if result.n_resamples is not None:
        done += f" {result.n_resamples} resamples, seed {result.seed}."
    return [
        Section(f"{dataset}: ranking", (done,), _ranking(result), _cluster_note(result)),
        Section(
            f"{dataset}: pairs",
            (),
            _pairs(records, "Items" if result.grouping is None else "Units"),
            result.reasons,
        ),
    ]


def replicability_section(replicability: PairReplicability) -> Section:
    """Return how often each system beats each other over several datasets."""
    counts = replicability.counts
    wins = tuple(
        (record["better"], record["worse"], str(record["count"]), str(record["n_datasets"]))
        for record in replicability.to_records()
        if record["count"]
    )
    text = (
        f"Lower bounds, each at confidence {1 - replicability.alpha:g}, of the number of datasets "
        f"on which a system is better than another ({', '.join(replicability.datasets)}; partial "
        f"conjunction, {replicability.combination}). {int(np.count_nonzero(counts))} ordered pairs "
        "have at least one; the bounds of different pairs are not corrected for each other."
    )
    headers = ("Better", "Worse", "At least", "Of")
    return Section("Replicability", (text,), Table(headers, wins) if wins else None)


def pairs_record(result: PairsResult) -> dict[str, Any]:
    """Return all figures of one dataset as nested mappings, ready for JSON."""
    return {
        "systems": list(result.names),
        "means": result.means,
        "ranks": result.clusters.ranks,
        "test": result.test,
        "alternative": result.alternative,
        "correction": result.correction,
        "missing": result.missing,
        "cluster_rule": result.clusters.rule,
        "alpha": result.alpha,
        "n_dropped": result.n_dropped,
        "grouping": result.grouping,
        "n_resamples": result.n_resamples,
        "seed": result.seed,
        "pairs": result.to_records(),
        "reasons": list(result.reasons),
    }


def _ranking(result: PairsResult) -> Table:
    wins = np.count_nonzero(result.wins, axis=1)
    losses = np.count_nonzero(result.wins, axis=0)
    rows = zip(
        result.clusters.ranks.tolist(), result.names, result.means, wins, losses, strict=True
    )
    return Table(
        ("Cluster", "System", "Score", "Wins", "Losses"),
        tuple(
            (str(rank), name, format_number(float(mean)), str(won), str(lost))
            for rank, name, mean, won, lost in rows
        ),
    )


def _cluster_note(result: PairsResult) -> tuple[str, ...]:
    if result.clusters.rule == "all-pairs":
        return ("Every system of a cluster is significantly better than every system below it.",)
    split = result.clusters.split_pairs
    note = "A cluster ends where one of its systems is significantly better than the next system."
    if split:
        note += f" {len(split)} pairs in different clusters do not differ significantly."
    return (note,)


def _pairs(records: list[dict[str, Any]], counted: str) -> Table:
    return Table(
        ("System", "Against", counted, "Difference", "p", "Corrected", "Significant"),
        tuple(
            (
                record["first"],
                record["second"],
                str(record["n_items"]),
                format_number(record["difference"]),
                format_pvalue(record["pvalue"]),
                format_pvalue(record["adjusted"]),
                "yes" if record["significant"] else "no",
            )
            for record in records
        ),
    )
