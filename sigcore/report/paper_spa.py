"""The page that stands beside the SPA paper: its table, figures and claims, recomputed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

import yaml

from sigcore.meta.published import CITATION
from sigcore.report.page import Figure, Part
from sigcore.report.simple import figure_html, note_html, table_html

__all__ = ["PaperSpaReport", "interval_summary", "stability_summary", "table_1_shown"]

Row = Mapping[str, Any]

_COUNTS = ("distinct", "significant", "clusters")
_PROCEDURES = (
    "“Exact” takes p-values between systems without sampling and counts equal differences of PA as "
    "equal. “As published” does what the paper did: it finds the p-values between systems from "
    "random sign flips, for people, metrics and every hybrid, and compares differences of PA as "
    "floating-point numbers. “Paper” is what is printed. Numbers in brackets are the smallest and "
    "largest over repeats of the comparison with other random draws, where these differ. SPA “as "
    "published” was not repeated and has none."
)
_MAXIMA = (
    "“max” is what metrics with different scores could reach: their number, and the number of "
    "their pairs. Significant differences are counted over all pairs of metrics, so a difference "
    "from two metrics with the same scores counts twice."
)
_TIES = (
    "Why PA counts depend on arithmetic: PA is a number of agreeing pairs over all pairs, so a "
    "random difference is often exactly as large as the observed one and counts as “at least as "
    "large”. Written as fractions in floating point, part of those ties come out a rounding error "
    "smaller and are missed; p-values shrink and more comparisons look significant. The printed "
    "counts are those of floating point."
)


@dataclass(frozen=True, slots=True)
class PaperSpaReport:
    """What the page shows.

    Attributes
    ----------
    table : sequence of rows
        The table `table_1`.
    stability, intervals : mapping of str to rows
        For each set the tables `ablation_systems` and `ablation_segments`.
    stability_figure : Figure
        Figure 2.
    figures : mapping of str to sequence of Figure
        For each set its Figures 1, 3 and 4.
    left_out : mapping of str to rows
        For each set the table `left_out`.
    skipped : sequence of str
        A sentence for each language pair that was skipped.
    """

    table: Sequence[Row]
    stability: Mapping[str, Sequence[Row]]
    intervals: Mapping[str, Sequence[Row]]
    stability_figure: Figure
    figures: Mapping[str, Sequence[Figure]]
    left_out: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    skipped: Sequence[str] = ()

    def parts(
        self, *, settings: Mapping[str, Any], versions: Mapping[str, str], inputs: Mapping[str, str]
    ) -> list[Part]:
        """Return the sections of the page.

        Parameters
        ----------
        settings : mapping
            The configuration of the run.
        versions, inputs : mapping of str to str
            Versions of the software, and the SHA-256 of each input file.
        """
        written = yaml.safe_dump(dict(settings), sort_keys=False, allow_unicode=True, width=100)
        facts = [{"name": name, "value": value} for name, value in sorted(versions.items())]
        facts += [{"name": name, "value": value} for name, value in sorted(inputs.items())]
        pairs = [
            Part(name.replace(" ", "-"), name, "\n".join(map(figure_html, figures)))
            for name, figures in self.figures.items()
        ]
        return [
            Part("table-1", "Table 1", self._table_html()),
            Part("stability", "Fewer systems", self._stability_html()),
            Part("intervals", "Fewer segments", self._intervals_html()),
            *pairs,
            Part("left-out", "Left out", self._left_out_html()),
            Part("settings", "Settings", f"<pre>{escape(written)}</pre>"),
            Part("provenance", "Provenance", table_html(facts, {"name": "", "value": ""})),
        ]

    def _table_html(self) -> str:
        rows, headers, _ = table_1_shown(self.table)
        return "\n".join(
            [
                *map(note_html, self.skipped),
                table_html(rows, headers, caption=f"{CITATION} Beside it, ours."),
                f"<p>{escape(_PROCEDURES)}</p>",
                f"<p>{escape(_MAXIMA)}</p>",
                f"<p>{escape(_TIES)}</p>",
            ]
        )

    def _left_out_html(self) -> str:
        rows = [{"set": name, **row} for name, table in self.left_out.items() for row in table]
        headers = {name: name for name in ("set", "kind", "name", "reason", "count")}
        text = "Systems, metrics and segments that the data have and the numbers do not, and why."
        return f"<p>{escape(text)}</p>\n" + table_html(rows, headers)

    def _stability_html(self) -> str:
        rows = stability_summary(self.stability)
        headers = {
            "set": "set",
            "half": "systems, half of all",
            "spa": "mean r, SPA",
            "pa": "mean r, PA",
            "steadier": "sizes with SPA ahead",
            "sizes": "sizes",
        }
        formats = {"spa": ".3f", "pa": ".3f"}
        text = (
            "The claim: with fewer systems, SPA keeps the scores of metrics closer to those on all "
            "systems than PA does. Pearson r between the metrics' scores on a random subset and on "
            "all systems, averaged over subsets."
        )
        return "\n".join(
            [
                f"<p>{escape(text)}</p>",
                table_html(rows, headers, formats=formats),
                figure_html(self.stability_figure),
            ]
        )

    def _intervals_html(self) -> str:
        headers = {
            "set": "set",
            "metric": "metric",
            "n_segments": "segments",
            "spa": "width, SPA",
            "pa": "width, PA",
            "narrower": "sizes with SPA narrower",
            "sizes": "sizes",
        }
        formats = {"spa": ".3f", "pa": ".3f"}
        text = (
            "The claim: with fewer segments, the 95% interval of SPA is narrower than that of PA. "
            "Percentile intervals from segments drawn with replacement; below, their widths with "
            "all segments, and Figure 3 of each set further down."
        )
        rows = interval_summary(self.intervals)
        return f"<p>{escape(text)}</p>\n" + table_html(rows, headers, formats=formats)


def table_1_shown(
    rows: Sequence[Row],
) -> tuple[list[dict[str, Any]], dict[str, str], dict[str, str]]:
    """Choose what people read of the table `table_1`: rows, heads of columns, formats."""
    shown = [
        {
            "set": f"{row['testset']} {row['language_pair']}",
            "procedure": row["procedure"],
            "n_systems": row["n_systems"],
            "n_metrics": row["n_metrics"],
            **{
                f"{count}_{meta}": _with_range(row, f"{count}_{meta}")
                for count in _COUNTS
                for meta in ("pa", "spa", "max")
            },
        }
        for row in rows
    ]
    headers = {"set": "set", "procedure": "procedure", "n_systems": "systems"}
    headers["n_metrics"] = "metrics"
    for count in _COUNTS:
        headers |= {f"{count}_pa": f"{count} PA", f"{count}_spa": "SPA", f"{count}_max": "max"}
    return shown, headers, {}


def stability_summary(tables: Mapping[str, Sequence[Row]]) -> list[dict[str, Any]]:
    """Say for each set how SPA and PA hold out with fewer systems.

    Parameters
    ----------
    tables : mapping of str to rows
        For each set the table `ablation_systems`.

    Returns
    -------
    list of dict
        For half of the systems the mean r of both; and for how many sizes that of SPA is larger,
        all systems not counted.
    """
    summary = []
    for name, rows in tables.items():
        means = {(row["meta"], row["n_systems"]): row["mean"] for row in rows}
        everything = max(row["n_systems"] for row in rows)
        sizes = sorted(
            size
            for meta, size in means
            if meta == "spa"
            and size < everything
            and None not in (means["pa", size], means[meta, size])
        )
        half = min(sizes or [everything], key=lambda size: abs(size - everything / 2))
        ahead = [size for size in sizes if means["spa", size] > means["pa", size]]
        summary.append(
            {
                "set": name,
                "half": half,
                "spa": means["spa", half],
                "pa": means["pa", half],
                "steadier": len(ahead),
                "sizes": len(sizes),
            }
        )
    return summary


def interval_summary(tables: Mapping[str, Sequence[Row]]) -> list[dict[str, Any]]:
    """Say for each set and metric of Figure 3 how wide the intervals of SPA and PA are.

    Parameters
    ----------
    tables : mapping of str to rows
        For each set the table `ablation_segments`.

    Returns
    -------
    list of dict
        The widths with all segments, and for how many sizes that of SPA is smaller.
    """
    summary = []
    for name, rows in tables.items():
        widths = {
            (row["metric"], row["n_segments"], row["meta"]): row["high"] - row["low"]
            for row in rows
        }
        largest = max(row["n_segments"] for row in rows)
        for metric in dict.fromkeys(row["metric"] for row in rows if row["n_segments"] < largest):
            sizes = [size for one, size, meta in widths if (one, meta) == (metric, "spa")]
            narrower = [
                size for size in sizes if widths[metric, size, "spa"] < widths[metric, size, "pa"]
            ]
            summary.append(
                {
                    "set": name,
                    "metric": metric,
                    "n_segments": largest,
                    "spa": widths[metric, largest, "spa"],
                    "pa": widths[metric, largest, "pa"],
                    "narrower": len(narrower),
                    "sizes": len(sizes),
                }
            )
    return summary


def _with_range(row: Row, name: str) -> str:
    """Write a count, with its range over repeats where it varies."""
    low, high = row.get(f"{name}_low"), row.get(f"{name}_high")
    return f"{row[name]}" if low == high else f"{row[name]} ({low}–{high})"
