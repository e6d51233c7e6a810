"""The page on all pairs of systems of an evaluation set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import yaml

from sigcore.comparison.document import format_interval, format_number, format_pvalue
from sigcore.report.page import Figure, Part
from sigcore.report.simple import figure_html, note_html, table_html

__all__ = ["SystemsReport", "closing_parts", "pair_table", "system_table"]

Row = Mapping[str, Any]
Table = tuple[list[dict[str, Any]], dict[str, str], dict[str, str]]

_CORRECTIONS = {
    "none": "not corrected for their number",
    "bonferroni": "corrected for their number by Bonferroni's method",
    "holm": "corrected for their number by Holm's method",
    "bh": "corrected for their number by the method of Benjamini and Hochberg",
}


@dataclass(frozen=True, slots=True)
class SystemsReport:
    """What the page says about the systems of one language pair.

    Attributes
    ----------
    testset, language_pair : str
        Which systems.
    systems, pairs : sequence of rows
        The tables `system_ranking` and `system_pairs`.
    figure : Figure
        The heatmap.
    folder : str
        Where the tables are, as seen from the page.
    """

    testset: str
    language_pair: str
    systems: Sequence[Row]
    pairs: Sequence[Row]
    figure: Figure
    folder: str

    def part(self) -> Part:
        """Return the section of the page."""
        rows, headers, formats = system_table(self.systems)
        pairs, pair_headers, pair_formats = pair_table(self.pairs)
        html = "\n".join(
            [
                f"<p>{escape(self.method)}</p>",
                *map(note_html, self.remarks[:_REMARKS_SHOWN]),
                table_html(rows, headers, formats=formats, caption=_RANKING_CAPTION),
                figure_html(self.figure),
                "<details><summary>Every pair, with effect sizes</summary>",
                table_html(pairs, pair_headers, formats=pair_formats),
                f"<p>In full: <code>{escape(self.folder)}/pairs.csv</code></p></details>",
            ]
        )
        anchor = f"{self.testset}-{self.language_pair}"
        return Part(anchor, f"{self.testset} {self.language_pair}", html)

    @property
    def remarks(self) -> list[str]:
        """Sentences on pairs without a test, and on those where test and means disagree."""
        sentences = [
            f"{row['system_a']} and {row['system_b']}: {row['reason']}"
            for row in self.pairs
            if row["reason"]
        ]
        return sentences + [
            f"{row['system_a']} has the higher mean, but the test finds {row['system_b']} better."
            for row in self.pairs
            if row["significant"] and row["direction"] < 0 < row["difference"]
        ]

    @property
    def method(self) -> str:
        """What was done and what came out, in a sentence."""
        first = self.pairs[0]
        found = sum(row["significant"] for row in self.pairs)
        clusters = max(row["rank"] for row in self.systems)
        noun = "cluster" if clusters == 1 else "clusters"
        return (
            f"{len(self.systems)} systems by the scores of “{first['scorer']}”, in "
            f"{len(self.pairs)} comparisons of {first['n_units']} units by the test "
            f"“{first['test']}” ({first['alternative']}); p-values are "
            f"{_CORRECTIONS[first['correction']]}. {found} are significant at "
            f"{first['alpha']:g}; there are {clusters} {noun}. "
            "The test takes segments to be independent."
        )


_REMARKS_SHOWN = 5
_RANKING_CAPTION = (
    "Systems, best first. “Wins” counts the systems that are significantly worse, “losses” those "
    "that are significantly better."
)


def system_table(systems: Sequence[Row]) -> Table:
    """Choose what people read of the table `system_ranking`: rows, heads and formats."""
    headers = {
        "rank": "cluster",
        "system": "system",
        "mean": "mean score",
        "n_wins": "wins",
        "n_losses": "losses",
        "n_items": "segments",
    }
    return [{name: row[name] for name in headers} for row in systems], headers, {"mean": ".4f"}


def pair_table(pairs: Sequence[Row]) -> Table:
    """Choose and format what people read of the table `system_pairs`; see `system_table`."""
    first = pairs[0]
    headers = {
        "system_a": "A",
        "system_b": "B",
        "n_units": "units",
        "difference": "A - B",
        "estimate": first["estimate_name"] or "estimate",
        # No per cent sign: heads go into LaTeX as they are.
        "interval": f"{first['confidence'] or 0.95:g} interval",
        "pvalue": "p",
        "adjusted": f"p ({first['correction']})",
        "cohens_d": "Cohen's d",
        "wilcoxon_r": "Wilcoxon r",
        "cliffs_delta": "Cliff's delta",
        "common_language": "common language",
    }
    if first["correction"] == "none":
        del headers["adjusted"]
    rows = []
    for pair in pairs:
        shown = dict(pair)
        shown["interval"] = _interval(pair["low"], pair["high"])
        shown |= {name: _pvalue(pair[name]) for name in ("pvalue", "adjusted")}
        shown["estimate"] = None if pair["estimate"] is None else format_number(pair["estimate"])
        rows.append({name: shown[name] for name in headers})
    effects = ("cohens_d", "wilcoxon_r", "cliffs_delta", "common_language")
    return rows, headers, dict.fromkeys(effects, ".3f") | {"difference": "+.4f"}


def closing_parts(settings: Mapping[str, Any], facts: Mapping[str, str]) -> list[Part]:
    """Return the sections on settings and provenance."""
    written = yaml.safe_dump(dict(settings), sort_keys=False, width=100)
    rows = [{"name": name, "value": value} for name, value in facts.items()]
    return [
        Part("settings", "Settings", f"<pre>{escape(written)}</pre>"),
        Part("provenance", "Provenance", table_html(rows, {"name": "", "value": ""})),
    ]


def _pvalue(value: float | None) -> str | None:
    return None if value is None or value != value else format_pvalue(value)


def _interval(low: float | None, high: float | None) -> str | None:
    if low is None or high is None or low != low:
        return None
    return format_interval(low, high)
