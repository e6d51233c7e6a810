"""Pages of a few sections, in the look of the report of a run, and the HTML they are made of."""

from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any
from urllib.parse import quote

import jinja2

import sigcore
from sigcore.report.page import Figure, Part, page_style

__all__ = ["figure_html", "note_html", "render_page", "table_html"]


def render_page(title: str, parts: Sequence[Part], *, subtitle: str = "", footer: str = "") -> str:
    """Render a self-contained page of sections.

    Parameters
    ----------
    title : str
        Heading of the page.
    parts : sequence of Part
        The sections, in order; their names are the menu.
    subtitle : str
        A sentence below the heading.
    footer : str
        What the last line says, for example the papers followed.

    Returns
    -------
    str
        The page.
    """
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, keep_trailing_newline=True
    )
    template = environment.from_string(
        files("sigcore.report").joinpath("simple.html").read_text(encoding="utf-8")
    )
    return template.render(
        title=title,
        subtitle=subtitle,
        parts=parts,
        style=page_style(),
        footer=footer,
        sigcore_version=sigcore.__version__,
    )


def table_html(
    rows: Sequence[Mapping[str, Any]],
    headers: Mapping[str, str],
    *,
    formats: Mapping[str, str] | None = None,
    caption: str = "",
) -> str:
    """Make a table of rows.

    Parameters
    ----------
    rows : sequence of mappings
        The rows; columns that `headers` does not name are left out.
    headers : mapping of column to heading
        The columns, in order.
    formats : mapping of column to format, optional
        How to print numbers, for example ``{"pvalue": ".4f"}``.
    caption : str
        A sentence above the table.

    Returns
    -------
    str
        HTML. Numbers are flush right, a missing value is a dash, texts are escaped.

    Examples
    --------
    >>> table_html([{"test": "A < B", "p": 0.25}], {"test": "test", "p": "p"}).splitlines()[2]
    '<tr><td>A &lt; B</td><td class="number">0.25</td></tr>'
    """
    specs = formats or {}
    kinds = {
        name: _kind(next((row[name] for row in rows if row[name] is not None), None))
        for name in headers
    }
    heads = [f"<th{kinds[name]}>{escape(text)}</th>" for name, text in headers.items()]
    cells = [
        [_cell(row[name], specs.get(name, ""), kind) for name, kind in kinds.items()]
        for row in rows
    ]
    body = [f"<tr>{''.join(row)}</tr>" for row in cells]
    top = f"<caption>{escape(caption)}</caption>" if caption else ""
    return "\n".join(
        [
            f'<div class="scroll"><table>{top}',
            f"<thead><tr>{''.join(heads)}</tr></thead><tbody>",
            *body,
            "</tbody></table></div>",
        ]
    )


def figure_html(figure: Figure) -> str:
    """Put a figure and its caption into HTML."""
    links = [
        f'<a href="{quote(figure.stem)}.{ending}">{ending}</a>' for ending in ("svg", "pdf", "png")
    ]
    return (
        f"<figure>\n{figure.svg}\n<figcaption>{escape(figure.caption)} Full size: "
        f"{', '.join(links)}</figcaption>\n</figure>"
    )


def note_html(text: str) -> str:
    """Put a sentence that the reader must not miss into a box."""
    return f'<div class="note">{escape(text)}</div>'


def _cell(value: Any, spec: str, kind: str) -> str:
    """Make a cell; what is missing stands where the values of its column do."""
    if value is None or value != value:
        return f"<td{kind}>–</td>"
    return f"<td{_kind(value)}>{escape(format(value, spec))}</td>"


def _kind(value: Any) -> str:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return ' class="number"' if is_number else ""
