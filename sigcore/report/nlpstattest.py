"""The page with the figures of the paper on NLPStatTest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import numpy as np

from sigcore.report.page import Figure, Part
from sigcore.report.simple import figure_html, table_html

__all__ = ["NlpStatTestReport", "grade_table", "summary_table"]

Row = Mapping[str, Any]
Table = tuple[list[dict[str, Any]], dict[str, str], dict[str, str]]


@dataclass(frozen=True, slots=True)
class NlpStatTestReport:
    """What the page shows.

    Attributes
    ----------
    record : mapping
        The comparison of two systems, as `report_record` gives it.
    summary, tests, simulation : sequence of rows
        The tables `score_summary`, `test_grades` and `pvalue_simulation`.
    figures : sequence of Figure
        Figures 2, 3 and 5.
    heatmaps : sequence of Figure
        Figure 4, one a language pair.
    correction : str
        Correction for the number of pairs in Figure 4.
    """

    record: Mapping[str, Any]
    summary: Sequence[Row]
    tests: Sequence[Row]
    simulation: Sequence[Row]
    figures: Sequence[Figure]
    heatmaps: Sequence[Figure]
    correction: str

    def parts(self) -> list[Part]:
        """Return the sections of the page, one a figure."""
        return [
            Part("figure2", "Figure 2: data analysis", self._analysis_html()),
            Part("figure3", "Figure 3: power", self._power_html()),
            Part("figure4", "Figure 4: all pairs of systems", self._pairs_html()),
            Part("figure5", "Figure 5: p-values against sample size", self._simulation_html()),
        ]

    def _analysis_html(self) -> str:
        analysis = self.record["analysis"]
        rows, headers, formats = summary_table(self.summary)
        graded, test_headers, _ = grade_table(self.tests)
        skewness = analysis["skewness"]
        shape = "is not defined" if skewness is None else f"is {skewness:.4f}"
        text = (
            f"{analysis['normality']['reason']} The skewness of the differences {shape} "
            f"({analysis['shape']}); the test statistic to use is the {analysis['statistic']}."
        )
        return "\n".join(
            [
                table_html(rows, headers, formats=formats, caption="Summary of statistics."),
                f"<p>{escape(text)}</p>",
                table_html(graded, test_headers, caption="Recommended significance tests."),
                _shown(self.figures[0], "Scores and differences, with mean and median."),
                f"<p>{escape(self.record['sentence'])}</p>",
                '<p>The whole comparison: <a href="comparison.html">comparison.html</a>.</p>',
            ]
        )

    def _power_html(self) -> str:
        power = self.record["power"]
        text = ""
        if power["sample_size_t"] is not None:
            text = (
                "<p>Prospective, in closed form: for an effect as observed the t test needs "
                f"{power['sample_size_t']} pairs to have power {power['target']:g}.</p>"
            )
        caption = "Power of the deciding test against the number of pairs, by the bootstrap."
        return text + _shown(self.figures[1], caption)

    def _pairs_html(self) -> str:
        caption = (
            "Rows against columns, best first. Dark cells are significant after the correction "
            f"“{self.correction}”."
        )
        link = '<p>All pairs: <a href="../compare/report.html">the page on systems</a>.</p>'
        return "\n".join([*(_shown(figure, caption) for figure in self.heatmaps), link])

    def _simulation_html(self) -> str:
        caption = (
            "p-values against the number of pairs: the line is the mean, the band the range over "
            "runs, the dotted line the level."
        )
        headers = {
            "setting": "setting",
            "n": "pairs",
            "smallest": "smallest p",
            "mean": "mean p",
            "largest": "largest p",
        }
        formats = dict.fromkeys(("smallest", "mean", "largest"), ".3g")
        table = table_html(_ranges(self.simulation), headers, formats=formats)
        return "\n".join(
            [
                _shown(self.figures[2], caption),
                f"<details><summary>As numbers</summary>\n{table}</details>",
            ]
        )


def summary_table(summary: Sequence[Row]) -> Table:
    """Choose what people read of the table `score_summary`: rows, heads and formats."""
    headers = {
        "score": "score",
        "mean": "mean",
        "median": "median",
        "sd": "std. dev.",
        "minimum": "minimum",
        "maximum": "maximum",
    }
    numbers = [name for name in headers if name != "score"]
    rows = [{name: row[name] for name in headers} for row in summary]
    return rows, headers, dict.fromkeys(numbers, ".5f")


def grade_table(tests: Sequence[Row]) -> Table:
    """Choose what people read of the table `test_grades`; see `summary_table`."""
    headers = {"test": "test", "grade": "grade", "reason": "reason"}
    return [{name: row[name] for name in headers} for row in tests], headers, {}


def _shown(figure: Figure, caption: str) -> str:
    return figure_html(replace(figure, caption=caption))


def _ranges(simulation: Sequence[Row]) -> list[dict[str, Any]]:
    """Sum up the runs at each size."""
    groups: dict[tuple[str, int], list[float]] = {}
    for row in simulation:
        groups.setdefault((row["setting"], row["n"]), []).append(row["pvalue"])
    return [
        {
            "setting": setting,
            "n": n,
            "smallest": min(values),
            "mean": float(np.mean(values)),
            "largest": max(values),
        }
        for (setting, n), values in groups.items()
    ]
