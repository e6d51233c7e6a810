from html.parser import HTMLParser

import pytest

from sigcore.report import Figure, Part
from sigcore.report.simple import figure_html, note_html, render_page, table_html


class Cells(HTMLParser):
    """Collects the cells of a table, and the classes of the numbers."""

    def __init__(self):
        super().__init__()
        self.rows, self.classes, self.inside = [], [], False

    def handle_starttag(self, tag, attributes):
        if tag == "tr":
            self.rows.append([])
        self.inside = tag in ("td", "th")
        if self.inside:
            self.rows[-1].append("")
            self.classes.append(dict(attributes).get("class"))

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.rows[-1][-1] += data


def cells(html):
    parser = Cells()
    parser.feed(html)
    return parser


def test_a_table_has_the_named_columns_in_their_order():
    rows = [{"a": 1, "b": "x<y", "c": None}, {"a": 22, "b": "&", "c": 0.123456}]
    found = cells(table_html(rows, {"c": "C", "a": "A > 0", "b": "B"}, formats={"c": ".2f"}))
    assert found.rows == [["C", "A > 0", "B"], ["–", "1", "x<y"], ["0.12", "22", "&"]]
    # What is missing stands where the numbers of its column do.
    assert found.classes == ["number", "number", None] * 3


def test_nan_is_a_dash_and_no_row_is_no_error():
    assert cells(table_html([{"a": float("nan")}], {"a": "a"})).rows[1] == ["–"]
    assert cells(table_html([], {"a": "a"})).rows == [["a"]]


@pytest.mark.parametrize("text", ["<script>", "a & b"])
def test_texts_are_escaped_everywhere(text):
    parts = [Part("one", text, note_html(text) + figure_html(Figure("<svg/>", text, text)))]
    page = render_page(text, parts, subtitle=text, footer=text)
    assert "<script>" not in page
    assert "a & b" not in page
    assert "<svg/>" in page


def test_a_page_needs_no_network_and_has_a_menu():
    page = render_page("Title", [Part("one", "First", "<p>1</p>"), Part("two", "Second", "2")])
    assert "http" not in page
    assert page.count('href="#') == 2
    assert page.index('id="one"') < page.index("<p>1</p>") < page.index('id="two"')
    assert "--ink" in page
