"""From the tables and figures of a run to one HTML page that needs no network."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import combinations
from typing import Any

import jinja2
import yaml

import sigcore
from sigcore.meta.adjustment import describe_few_draws
from sigcore.wording import counted

__all__ = ["Figure", "PairReport", "Part", "page_style", "render_report"]

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the report.

    Attributes
    ----------
    svg : str
        The picture; what a file has before the element, an XML declaration, has no place in a page.
    caption : str
        What it shows.
    stem : str
        Path of its files without the ending, as seen from the report.
    """

    svg: str
    caption: str
    stem: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "svg", self.svg[self.svg.index("<svg") :])


@dataclass(frozen=True, slots=True)
class PairReport:
    """What the report says about one language pair.

    Attributes
    ----------
    testset, language_pair, gold_name : str
        Which scores.
    folder : str
        Where its files are, as seen from the report.
    ranking : sequence of rows
        The table `ranking`, best first.
    comparisons : sequence of rows
        The table `comparisons`.
    alpha : float
        Level of significance.
    n_systems, n_segments : int
        Size of the evaluation set.
    left_out : sequence of rows
        The table `left_out`.
    figures : sequence of Figure
        In the order they are shown.
    """

    testset: str
    language_pair: str
    gold_name: str
    folder: str
    ranking: Sequence[Row]
    comparisons: Sequence[Row]
    alpha: float
    n_systems: int
    n_segments: int
    left_out: Sequence[Row]
    figures: Sequence[Figure]

    @property
    def anchor(self) -> str:
        """Name of the section in the page."""
        return f"{self.testset}-{self.language_pair}"

    @property
    def n_pairs(self) -> int:
        """Number of system pairs."""
        return self.n_systems * (self.n_systems - 1) // 2

    @property
    def n_comparisons(self) -> int:
        """Number of metric pairs."""
        return len(self.ranking) * (len(self.ranking) - 1) // 2

    @property
    def n_clusters_spa(self) -> int:
        """Number of clusters by SPA."""
        return len({row["rank"] for row in self.ranking})

    @property
    def n_clusters_pa(self) -> int:
        """Number of clusters by PA."""
        return len({row["rank_pa"] for row in self.ranking})

    @property
    def n_significant_spa(self) -> int:
        """Number of metric pairs that differ significantly by SPA."""
        return self._n_significant("spa")

    @property
    def n_significant_pa(self) -> int:
        """Number of metric pairs that differ significantly by PA."""
        return self._n_significant("pa")

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Rows of the ranking with what the page adds: the bar and the cluster boundary."""
        lowest = min(row["spa"] for row in self.ranking)
        highest = max(row["spa"] for row in self.ranking)
        # The bar starts a little below the lowest score, so that the last metric has one too.
        floor = lowest - 0.05 * (highest - lowest)
        rows, previous = [], None
        for row in self.ranking:
            bar = (row["spa"] - floor) / (highest - floor) if highest > floor else 1.0
            rows.append({**row, "bar": bar, "boundary": previous not in (None, row["rank"])})
            previous = row["rank"]
        return rows

    @property
    def warnings(self) -> list[str]:
        """Sentences about what a reader of the ranking must know."""
        sentences = describe_few_draws(self.comparisons, alpha=self.alpha) + self._tie_warnings()
        split = self._split_pairs()
        if split:
            a, b = split[0]
            sentences.append(
                f"Clusters are drawn greedily: {counted(len(split), 'pair')} of metrics in "
                f"different clusters without a significant difference of SPA, for example {a} and "
                f"{b}. The matrix below shows every comparison."
            )
        sentences += self._split_ties()
        for names in self._equal_scores():
            sentences.append(
                f"{' and '.join(names)} have exactly the same SPA; they may be the same metric "
                "under two names."
            )
        return sentences

    @property
    def left_out_counts(self) -> str:
        """Say how much was left out, by kind; empty if nothing was."""
        kinds = dict.fromkeys(row["kind"] for row in self.left_out)
        return ", ".join(
            counted(sum(row["count"] for row in self.left_out if row["kind"] == kind), kind)
            for kind in kinds
        )

    def _tie_warnings(self) -> list[str]:
        """Point out metrics that do not tell systems apart."""
        sentences = [
            f"{row['metric']} scores all systems alike on every segment: its place in the ranking "
            "says nothing about it."
            for row in self.ranking
            if row["n_tied_pairs"] == self.n_pairs
        ]
        some = [row for row in self.ranking if 0 < row["n_tied_pairs"] < self.n_pairs]
        if some:
            listed = ", ".join(f"{row['metric']} ({row['n_tied_pairs']})" for row in some)
            sentences.append(
                f"Some of the {self.n_pairs} pairs of systems have the same metric score on every "
                f"segment: {listed}. Are these copies of a system, or scores filled in?"
            )
        return sentences

    def _n_significant(self, meta: str) -> int:
        return len(self._significant(meta))

    def _significant(self, meta: str) -> set[frozenset[str]]:
        """Pairs of metrics that differ significantly, in either direction."""
        return {
            frozenset((row["metric"], row["other"]))
            for row in self.comparisons
            if row["meta"] == meta and row["adjusted"] <= self.alpha
        }

    def _split_pairs(self) -> list[tuple[str, str]]:
        """Pairs of metrics in different clusters that do not differ significantly."""
        significant = self._significant("spa")
        return [
            (better["metric"], worse["metric"])
            for better, worse in combinations(self.ranking, 2)
            if better["rank"] != worse["rank"]
            and frozenset((better["metric"], worse["metric"])) not in significant
        ]

    def _split_ties(self) -> list[str]:
        """Point out metrics with equal scores that the greedy rule has separated."""
        return [
            f"{one['metric']} and {other['metric']} have the same {score.upper()} but stand in "
            f"different clusters by {score.upper()}."
            for score, rank in (("spa", "rank"), ("pa", "rank_pa"))
            for one, other in combinations(self.ranking, 2)
            if one[score] == other[score] and one[rank] != other[rank]
        ]

    def _equal_scores(self) -> list[list[str]]:
        groups: dict[float, list[str]] = {}
        for row in self.ranking:
            groups.setdefault(row["spa"], []).append(row["metric"])
        return [names for names in groups.values() if len(names) > 1]


@dataclass(frozen=True, slots=True)
class Part:
    """A further section of the report, already in HTML.

    Attributes
    ----------
    anchor, title, html : str
        Name in the page, heading and content.
    """

    anchor: str
    title: str
    html: str


def render_report(
    pairs: Sequence[PairReport],
    *,
    run: str,
    settings: Mapping[str, Any],
    versions: Mapping[str, str],
    inputs: Mapping[str, str],
    skipped: Sequence[str] = (),
    parts: Sequence[Part] = (),
) -> str:
    """Render the report of a run.

    Parameters
    ----------
    pairs : sequence of PairReport
        The language pairs, in order.
    run : str
        Name of the run.
    settings : mapping
        The configuration, defaults filled in.
    versions, inputs : mapping of str to str
        Versions of the software, and the SHA-256 of each input file.
    skipped : sequence of str
        A sentence for each language pair that was skipped.
    parts : sequence of Part
        Further sections.

    Returns
    -------
    str
        The page.
    """
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, keep_trailing_newline=True
    )
    template = environment.from_string(
        files("sigcore.report").joinpath("template.html").read_text(encoding="utf-8")
    )
    n_metrics = len({row["metric"] for pair in pairs for row in pair.ranking})
    return template.render(
        title=f"Which metric can be trusted? Run “{run}”",
        subtitle=_subtitle(pairs, n_metrics),
        pairs=pairs,
        overview=_overview(pairs),
        skipped_pairs=skipped,
        parts=parts,
        left_out=[
            {**row, "set": f"{pair.testset} {pair.language_pair}"}
            for pair in pairs
            for row in pair.left_out
        ],
        settings=yaml.safe_dump(dict(settings), sort_keys=False, allow_unicode=True, width=100),
        versions=sorted(versions.items()),
        inputs=[{"file": name, "sha256": inputs[name]} for name in sorted(inputs)],
        style=page_style(),
        sigcore_version=sigcore.__version__,
    )


def page_style() -> str:
    """Return the style sheet of all pages."""
    return files("sigcore.report").joinpath("style.css").read_text(encoding="utf-8")


def _subtitle(pairs: Sequence[PairReport], n_metrics: int) -> str:
    names = ", ".join(f"{pair.testset} {pair.language_pair}" for pair in pairs)
    return (
        f"{n_metrics} metrics ranked by soft pairwise accuracy against human judgement, with "
        f"significance clusters: {names}."
    )


def _overview(pairs: Sequence[PairReport]) -> list[dict[str, Any]]:
    """Make one row a metric with its score in each language pair, best mean first."""
    tables = [{row["metric"]: row for row in pair.ranking} for pair in pairs]
    rows = []
    for name in sorted({name for table in tables for name in table}):
        cells = [table.get(name) for table in tables]
        present = [cell for cell in cells if cell is not None]
        complete = len(present) == len(cells)
        rows.append(
            {
                "metric": name,
                "reference_free": present[0]["reference_free"],
                "mean": sum(cell["spa"] for cell in present) / len(cells) if complete else None,
                "cells": cells,
            }
        )
    return sorted(rows, key=lambda row: (row["mean"] is None, -(row["mean"] or 0), row["metric"]))
