"""The page on the comparison of two systems."""

from collections.abc import Mapping
from html import escape

from matplotlib.figure import Figure

from sigcore.comparison.compare import Comparison
from sigcore.comparison.document import Section, format_interval, format_number, format_pvalue
from sigcore.comparison.reporting import report_sections
from sigcore.comparison.sentence import (
    describe_detectable,
    describe_direction,
    describe_units,
    describe_verdict,
    paper_sentence,
)
from sigcore.plotting.comparison import figure_svg, histograms_figure, power_figure
from sigcore.plotting.style import figure_style
from sigcore.report.page import Part
from sigcore.report.simple import render_page, table_html

__all__ = ["comparison_figures", "comparison_page", "comparison_parts", "render_comparison"]

# Sections that a figure belongs to.
_FIGURE_PLACES = {"histograms": "Summary of statistics", "power": "Power"}
_CAPTIONS = {
    "histograms": "Scores of both systems and their differences, with mean and median.",
    "power": (
        "Power of the deciding test against the number of pairs, if the effect were as observed."
    ),
}
_HIDDEN = "Settings"


def comparison_page(comparison: Comparison, *, facts: Mapping[str, str] | None = None) -> str:
    """Draw the figures of a comparison and render its page; see `render_comparison`."""
    figures = comparison_figures(comparison)
    return render_comparison(
        comparison,
        figures={name: figure_svg(figure) for name, figure in figures.items()},
        facts=facts,
    )


def comparison_figures(comparison: Comparison) -> dict[str, Figure]:
    """Draw the histograms of a comparison and, where it has one, its power curve, by name."""
    units, curve = comparison.units, comparison.power.curve
    with figure_style():
        figures = {"histograms": histograms_figure(units.u, units.v, comparison.names)}
        if curve is not None:
            figures["power"] = power_figure(
                curve.to_records(),
                label=comparison.decision.label,
                target=comparison.power.target,
                observed=units.n_units,
            )
    return figures


def render_comparison(
    comparison: Comparison, *, figures: Mapping[str, str], facts: Mapping[str, str] | None = None
) -> str:
    """Render a comparison as one self-contained HTML page.

    Parameters
    ----------
    comparison : Comparison
        From `compare`.
    figures : mapping of str to str
        SVG elements, under the names ``"histograms"`` and ``"power"``; either may be missing.
    facts : mapping of str to str, optional
        Where the result comes from: versions of the software, hashes of the inputs.

    Returns
    -------
    str
        The page.
    """
    first, second = comparison.names
    units, decision = describe_units(comparison), comparison.decision
    if decision.reason:
        found = f"The test could not be run: {decision.reason}"
    else:
        verdict = describe_verdict(comparison)
        pvalue = format_pvalue(decision.pvalue)
        found = f"{verdict[0].upper()}{verdict[1:]}: {decision.label}, p-value {pvalue}."
    return render_page(
        f"Comparison of {first} and {second}",
        comparison_parts(comparison, figures=figures, facts=facts),
        subtitle=f"{units}. {found}",
        footer="Zhu, Mak, Gioannini and Xia (2020), the three-stage procedure.",
    )


def comparison_parts(
    comparison: Comparison, *, figures: Mapping[str, str], facts: Mapping[str, str] | None = None
) -> list[Part]:
    """Return the sections of the page; parameters as in `render_comparison`."""
    conclusion, *others = report_sections(comparison)
    parts = [Part("conclusion", conclusion.title, _conclusion_html(comparison))]
    for section in others:
        html = _section_html(section)
        for name, place in _FIGURE_PLACES.items():
            if place == section.title and name in figures:
                html += (
                    f"\n<figure>\n{figures[name]}\n<figcaption>{_CAPTIONS[name]}</figcaption>\n"
                    "</figure>"
                )
        parts.append(Part(_anchor(section.title), section.title, html))
    if facts:
        rows = [{"name": name, "value": value} for name, value in facts.items()]
        parts.append(Part("provenance", "Provenance", table_html(rows, {"name": "", "value": ""})))
    return parts


def _conclusion_html(comparison: Comparison) -> str:
    """Return the sentence for a paper, and what section 2.3 of Zhu et al. (2020) demands."""
    rows = [{"what": what, "value": value} for what, value in _demanded(comparison)]
    return "\n".join(
        [
            f"<p>{escape(paper_sentence(comparison))}</p>",
            table_html(
                rows,
                {"what": "to report", "value": "here"},
                caption="What a paper should report beside the p-value (Zhu et al. 2020, 2.3).",
            ),
        ]
    )


def _demanded(comparison: Comparison) -> list[tuple[str, str]]:
    decision, effect, power = comparison.decision, comparison.effect, comparison.power
    test = f"{decision.label}, {describe_direction(comparison)}; {decision.method}"
    estimate = format_number(effect.estimate)
    if effect.interval is not None:
        ends = format_interval(effect.interval.low, effect.interval.high)
        estimate += f", {100 * effect.interval.level:g}% interval {ends}"
    return [
        ("significance test", test),
        ("level alpha, set beforehand", f"{comparison.options.alpha:g}"),
        ("p-value", format_pvalue(decision.pvalue)),
        ("effect size estimator", f"{effect.label}: {effect.definition}"),
        ("effect size estimate", estimate),
        ("sample size", describe_units(comparison)),
        ("power", _power(comparison, power.target)),
    ]


def _power(comparison: Comparison, target: float) -> str:
    power = comparison.power
    simulated = power.detectable == power.detectable
    found = power.detectable if simulated else power.detectable_t
    if found != found:
        return "not estimated"
    test = "this test, by simulation" if simulated else "the t test, in closed form"
    return f"{target:g} to find {describe_detectable(comparison, found)} ({test})"


def _section_html(section: Section) -> str:
    blocks = [f"<p>{escape(text)}</p>" for text in section.paragraphs]
    if section.table is not None:
        heads = section.table.headers
        rows = [dict(zip(heads, cells, strict=True)) for cells in section.table.rows]
        blocks.append(table_html(rows, {head: head for head in heads}))
    blocks += [f"<p>{escape(text)}</p>" for text in section.notes]
    html = "\n".join(blocks)
    if section.title == _HIDDEN:
        return f"<details><summary>All settings</summary>\n{html}</details>"
    return html


def _anchor(title: str) -> str:
    return "-".join(title.lower().split())
