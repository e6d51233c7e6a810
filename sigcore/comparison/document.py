"""A report as sections of paragraphs and tables, and its form as text, Markdown and LaTeX."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field

__all__ = [
    "FORMATS",
    "Section",
    "Table",
    "format_interval",
    "format_number",
    "format_pvalue",
    "format_statistic",
    "render",
]

FORMATS = ("text", "markdown", "latex")
_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a report.

    Attributes
    ----------
    headers : tuple of str
        Heads of the columns.
    rows : tuple of tuples of str
        Cells, already formatted.
    """

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a report: a title, then paragraphs, then a table, then notes.

    Attributes
    ----------
    title : str
        Its title.
    paragraphs : tuple of str
        What is said before the table.
    table : Table or None
        The table.
    notes : tuple of str
        What is said after it.
    """

    title: str
    paragraphs: tuple[str, ...] = field(default=())
    table: Table | None = None
    notes: tuple[str, ...] = field(default=())


def render(title: str, sections: Sequence[Section], form: str = "text") -> str:
    """Write a report.

    Parameters
    ----------
    title : str
        Title of the whole.
    sections : sequence of Section
        Its contents.
    form : {"text", "markdown", "latex"}
        How to write it. LaTeX needs the packages booktabs, tabularx and array.

    Returns
    -------
    str
        The report, ending in a line feed.
    """
    if form == "markdown":
        return _render_markdown(title, sections)
    if form == "latex":
        return _render_latex(title, sections)
    return _render_text(title, sections)


def format_number(value: float, *, decimals: int = 5) -> str:
    """Write a number with so many decimals; small ones with as many significant digits."""
    if value != value:
        return "-"
    value += 0.0  # zero has no sign
    if 0.0 < abs(value) < 10.0 ** (1 - decimals):
        return f"{value:.{decimals - 1}g}"
    return f"{value:.{decimals}f}" if abs(value) < 1e9 else f"{value:.{decimals}g}"


def format_pvalue(value: float) -> str:
    """Write a p-value: four decimals, or two digits and an exponent if it is small."""
    if value != value:
        return "-"
    if value == 0.0:
        return "< 1e-300"  # below the smallest float
    return f"{value:.4f}" if value >= 0.001 else f"{value:.1e}"


def format_statistic(value: float) -> str:
    """Write a test statistic: counts and rank sums in full, others with four digits."""
    return f"{value:.12g}" if float(2 * value).is_integer() else f"{value:.4g}"


def format_interval(low: float, high: float, *, decimals: int = 5) -> str:
    """Write an interval."""
    return f"[{format_number(low, decimals=decimals)}, {format_number(high, decimals=decimals)}]"


def _render_text(title: str, sections: Sequence[Section]) -> str:
    blocks = [f"{title}\n{'=' * len(title)}"]
    for section in sections:
        blocks.append(f"{section.title}\n{'-' * len(section.title)}")
        blocks += [textwrap.fill(text, _WIDTH) for text in section.paragraphs]
        if section.table:
            blocks.append(_text_table(section.table))
        blocks += [textwrap.fill(text, _WIDTH) for text in section.notes]
    return "\n\n".join(blocks) + "\n"


def _text_table(table: Table) -> str:
    """Align a table; a last column too wide for the line is wrapped below its head."""
    columns = _columns(table)
    widths = [
        max(map(len, (head, *column))) for head, column in zip(table.headers, columns, strict=True)
    ]
    numeric = [_is_numeric(column) for column in columns]
    indent = sum(widths[:-1]) + 2 * (len(widths) - 1)
    room = max(30, _WIDTH - indent)
    lines = []
    for row in (table.headers, *table.rows):
        cells = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row[:-1], widths, numeric, strict=False)
        ]
        last = row[-1].rjust(widths[-1]) if numeric[-1] else row[-1]
        wrapped = textwrap.wrap(last, room, drop_whitespace=not numeric[-1]) or [""]
        lines.append("  ".join([*cells, wrapped[0]]).rstrip())
        lines += [" " * indent + more for more in wrapped[1:]]
    return "\n".join(lines)


def _is_numeric(cells: Sequence[str]) -> bool:
    return all(cell[:1] in _NUMERIC_START or cell in ("inf", "yes", "no") for cell in cells)


def _render_markdown(title: str, sections: Sequence[Section]) -> str:
    blocks = [f"# {_escape(title, _MARKDOWN)}"]
    for section in sections:
        blocks.append(f"## {_escape(section.title, _MARKDOWN)}")
        blocks += [_escape(text, _MARKDOWN) for text in section.paragraphs]
        if section.table:
            blocks.append(_markdown_table(section.table))
        blocks += [_escape(text, _MARKDOWN) for text in section.notes]
    return "\n\n".join(blocks) + "\n"


def _markdown_table(table: Table) -> str:
    rule = ["---:" if _is_numeric(column) else "---" for column in _columns(table)]
    escaped = [[_escape(cell, _MARKDOWN) for cell in row] for row in (table.headers, *table.rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (escaped[0], rule, *escaped[1:]))


def _render_latex(title: str, sections: Sequence[Section]) -> str:
    blocks = [rf"\section*{{{_escape(title, _LATEX)}}}"]
    for section in sections:
        blocks.append(rf"\subsection*{{{_escape(section.title, _LATEX)}}}")
        blocks += [_escape(text, _LATEX) for text in section.paragraphs]
        if section.table:
            blocks.append(_latex_table(section.table))
        blocks += [_escape(text, _LATEX) for text in section.notes]
    return "\n\n".join(blocks) + "\n"


def _latex_table(table: Table) -> str:
    """Typeset a table; a last column of long texts takes what is left of the line, if enough."""
    columns = _columns(table)
    align = "".join("r" if _is_numeric(column) else "l" for column in columns)
    begin, end = rf"\begin{{tabular}}{{{align}}}", r"\end{tabular}"
    if max((len(cell) for cell in columns[-1]), default=0) > _LONG:
        if len(columns) > _MOST_BESIDE_TEXT:
            return _latex_table_and_list(table)
        align = align[:-1] + r">{\raggedright\arraybackslash}X"
        begin, end = rf"\begin{{tabularx}}{{\linewidth}}{{{align}}}", r"\end{tabularx}"
    heads, *rows = [
        " & ".join(_escape(cell, _LATEX) for cell in row) + r" \\"
        for row in (table.headers, *table.rows)
    ]
    lines = [begin, r"\toprule", heads, r"\midrule", *rows, r"\bottomrule", end]
    return "\n".join([r"\noindent", *lines])


def _latex_table_and_list(table: Table) -> str:
    """Typeset the last column, for which there is no room, as a list below the others."""
    others = Table(table.headers[:-1], tuple(row[:-1] for row in table.rows))
    items = [
        rf"\item[{{{_escape(row[0], _LATEX)}}}] {_escape(row[-1], _LATEX)}" for row in table.rows
    ]
    return "\n".join(
        [_latex_table(others), "", r"\begin{description}", *items, r"\end{description}"]
    )


def _columns(table: Table) -> list[tuple[str, ...]]:
    return [tuple(row[index] for row in table.rows) for index in range(len(table.headers))]


def _escape(text: str, escapes: dict[str, str]) -> str:
    return "".join(escapes.get(char, char) for char in text.replace("\n", " "))


_NUMERIC_START = frozenset("0123456789-[")
_LONG = 40
_MOST_BESIDE_TEXT = 3  # columns of a table in LaTeX, that of long texts included
_MARKDOWN = {char: "\\" + char for char in "\\`*_<>|#"}
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"$<$",
    ">": r"$>$",
    "|": r"$|$",
    **{char: "\\" + char for char in "&%$#_{}"},
}
