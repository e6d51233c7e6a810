"""Tables, figure and page of a comparison of parsers."""

from html.parser import HTMLParser

import matplotlib.pyplot as plt
import numpy as np
import pytest

from sigcore.parsing.ranking import compare_by_measures, parser_matrix, rank_parsers
from sigcore.parsing.simulate import simulate_parsers
from sigcore.plotting.parsers import parsers_figure
from sigcore.plotting.style import figure_style
from sigcore.report import Figure
from sigcore.report.parsing import ParsingReport, pair_table, parser_table
from sigcore.report.simple import render_page

EMPTY = dict.fromkeys(("las", "uas", "xpos", "upos"))
SETTINGS = {"alpha": 0.05, "not_scored": "drop", "n_shuffles": 99, "seed": 3}


def compared(**options):
    parsers = simulate_parsers(
        80, recalls=(0.95, 0.9, 0.89, 0.5), names=("A<1>", "B", "C", "D"), n_not_scored=1
    )
    counts = dict.fromkeys(("f1", "recall"), parsers)
    results = compare_by_measures(counts, **options)
    rows = [EMPTY | row for row in rank_parsers(counts, results)]
    return rows, [row for result in results.values() for row in result.to_records()]


def report(remarks=(), **options):
    parsers, pairs = compared(**options)
    figure = Figure("<svg></svg>", "Caption.", "figures/parsers")
    return ParsingReport(parsers, pairs, remarks, SETTINGS, figure)


def test_rates_are_shown_in_per_cent_and_empty_columns_not_at_all():
    parsers, pairs = compared()
    rows, headers, formats = parser_table(parsers)
    assert list(headers)[:3] == ["rank", "parser", "f1"]
    assert rows[0]["f1"] == 100 * parsers[0]["f1"]
    assert rows[0]["crossing"] == parsers[0]["crossing"]
    assert "las" not in headers
    assert "n_too_long" not in headers
    assert "n_error" in headers
    assert formats["f1"] == ".2f"
    rows, headers, _ = pair_table(pairs)
    assert rows[0]["difference"] == pytest.approx(100 * pairs[0]["difference"])
    assert headers["adjusted"] == "p (holm)"


def test_without_a_correction_there_is_no_column_that_repeats_p():
    _, pairs = compared()
    rows, headers, _ = pair_table([pair | {"correction": "none"} for pair in pairs])
    assert "adjusted" not in headers
    assert "adjusted" not in rows[0]


def test_a_pvalue_too_small_for_a_float_is_not_shown_as_nought():
    _, pairs = compared()
    rows, _, _ = pair_table([pairs[0] | {"pvalue": 0.0, "adjusted": 0.0123456}])
    assert rows[0]["pvalue"] == "< 1e-300"
    assert rows[0]["adjusted"] == "0.0123"


def test_the_page_is_well_formed_and_escapes_names():
    remarks = [{"parser": "A<1>", "line": 4, "text": "sentence 1: error"}]
    parts = report(remarks).parts(versions={"sigcore": "1"}, inputs={"file": "abc"})
    page = render_page("Title", parts)
    open_tags = []

    class Checker(HTMLParser):
        def handle_starttag(self, tag, attributes):
            if tag != "meta":
                open_tags.append(tag)

        def handle_endtag(self, tag):
            assert open_tags.pop() == tag

    Checker().feed(page)
    assert open_tags == []
    assert "A<1>" not in page
    assert "A&lt;1&gt;" in page
    for text in ("By F1", "By recall", "sentence 1: error", "abc", "seed: 3", "Caption."):
        assert text in page


def test_no_remarks_are_said_to_be_none():
    html = {part.anchor: part.html for part in report().parts(versions={}, inputs={})}
    assert "nothing was passed over" in html["remarks"]


def test_many_remarks_are_cut_and_counted():
    remarks = [{"parser": "B", "line": line, "text": "odd"} for line in range(1, 301)]
    html = {part.anchor: part.html for part in report(remarks).parts(versions={}, inputs={})}
    assert html["remarks"].count("odd") == 200
    assert "100 further ones" in html["remarks"]


def test_the_method_is_said():
    assert "exact, over all swaps" in report().method
    assert "by Holm's procedure" in report().method
    shuffled = report(method="shuffle", n_shuffles=99, correction="none").method
    assert "estimated from 99 shuffles" in shuffled
    assert "not corrected" in shuffled


def test_one_sided_pvalues_with_correction_are_warned_of():
    assert not any("does not hold" in text for text in report().warnings)
    assert any("does not hold" in text for text in report(alternative="observed").warnings)


def test_pairs_parted_without_significance_are_named():
    one = report()
    ranks = {"A<1>": 1, "B": 1, "C": 2, "D": 3}
    parsers = [row | {"rank": ranks[row["parser"]]} for row in one.parsers]
    pairs = [
        row | {"adjusted": 0.9 if (row["name_a"], row["name_b"]) == ("B", "C") else 0.01}
        for row in one.pairs
    ]
    split = ParsingReport(parsers, pairs, (), SETTINGS, one.figure)
    assert split.warnings[-1].endswith("though not significantly different: B and C.")


@pytest.mark.parametrize(("measure", "shown"), [("f1", 3), ("crossing", 1)])
def test_the_figure_has_a_dot_for_each_parser_and_measure(measure, shown):
    parsers, pairs = compared()
    names = [row["parser"] for row in parsers]
    with figure_style():
        figure = parsers_figure(
            parsers,
            parser_matrix(names, pairs, "f1"),
            measure=measure,
            alpha=0.05,
            correction="holm",
        )
    left, right = figure.axes
    dots = [line for line in left.get_lines() if len(line.get_xdata()) == len(names)]
    assert len(dots) == shown
    np.testing.assert_array_equal(dots[-1].get_xdata(), [row[measure] for row in parsers])
    found = sum(row["adjusted"] <= 0.05 for row in pairs if row["measure"] == "f1")
    assert right.get_title(loc="left") == f"{found} of 6 pairs differ significantly"
    plt.close(figure)
