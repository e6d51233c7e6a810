"""The report of a run: one self-contained HTML page."""

from sigcore.report.page import Figure, PairReport, Part, render_report

__all__ = ["Figure", "PairReport", "Part", "render_report"]
