"""The report of `sigcore rank` as text, Markdown or LaTeX."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sigcore.cli._metrics import MetricData
from sigcore.cli._output import format_table

if TYPE_CHECKING:
    from sigcore.meta.placement import Ranking

__all__ = ["describe_ranking"]


def describe_ranking(
    data: MetricData, ranking: "Ranking", notes: Sequence[str], *, form: str = "text"
) -> str:
    """Write the report.

    Parameters
    ----------
    data : MetricData
        What was ranked.
    ranking : Ranking
        The result.
    notes : sequence of str
        Warnings to pass on.
    form : {"text", "markdown", "latex"}
        In LaTeX the sentences are comments.
    """
    from sigcore.report import placement as report

    parts = [_paragraph(report.data_sentences(data.evalset, ranking, data.left_out), form)]
    for placement in ranking.placements:
        parts.append(_heading(placement.standing.name, form))
        parts.append(_paragraph(report.placement_sentences(placement, ranking), form))
        parts.append(_table(report.contests_table(placement, ranking), form))
        if placement.disagreements:
            parts.append(_paragraph([report.PAIRS_TITLE], form))
            parts.append(_table(report.disagreements_table(placement), form))
    if not ranking.placements:
        parts.append(_table(report.standings_table(ranking), form))
    method = [report.method_sentence(ranking), *(f"Note: {note}" for note in notes)]
    parts.append(_paragraph(method, form))
    return "\n".join(parts)


def _heading(title: str, form: str) -> str:
    return f"% {title}" if form == "latex" else f"## {title}\n"


def _paragraph(sentences: Sequence[str], form: str) -> str:
    if form == "latex":
        return "".join(f"% {sentence}\n" for sentence in sentences)
    return "".join(f"{sentence}\n" for sentence in sentences)


def _table(table: Mapping[str, list[Any]], form: str) -> str:
    from sigcore.io.typeset import to_latex, to_markdown
    from sigcore.report.placement import FORMATS

    if form == "latex":
        return to_latex(table, formats=FORMATS)
    if form == "markdown":
        return to_markdown(table, formats=FORMATS)
    n_names = 2 if "to" in table else 1
    columns = [_texts(values, FORMATS.get(name, "")) for name, values in table.items()]
    return format_table(list(table), list(zip(*columns, strict=True)), left=n_names) + "\n"


def _texts(values: Sequence[Any], spec: str) -> list[str]:
    return ["" if value is None or value != value else format(value, spec) for value in values]
