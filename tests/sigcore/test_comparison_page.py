import argparse
import re
from html import escape

import numpy as np
import pytest

from sigcore.cli import compare as command
from sigcore.comparison.compare import compare
from sigcore.comparison.sentence import paper_sentence
from sigcore.report.comparison import comparison_parts, render_comparison

RNG = np.random.default_rng(11)
U, V = RNG.normal([[0.4], [0.0]], 1.0, size=(2, 60))
SVG = "<svg id='a-figure'></svg>"


@pytest.fixture(scope="module")
def comparison():
    return compare(U, V, names=("A & Co", "B"), power_runs=20, power_sizes=(20, 60))


def test_the_page_has_all_that_a_paper_should_report(comparison):
    html = comparison_parts(comparison, figures={})[0].html
    assert escape(paper_sentence(comparison)) in html
    # Section 2.3 of Zhu et al. (2020).
    for demanded in ("significance test", "level alpha", "effect size", "sample size", "power"):
        assert demanded in html


def test_every_test_is_graded_with_its_reason(comparison):
    page = render_comparison(comparison, figures={})
    for item in comparison.recommendations:
        assert f"<td>{item.test}</td><td>{item.grade}</td>" in page


def test_figures_stand_in_their_sections(comparison):
    parts = comparison_parts(comparison, figures={"histograms": SVG, "power": SVG})
    assert [part.title for part in parts if SVG in part.html] == ["Summary of statistics", "Power"]


def test_the_page_needs_no_other_file_and_escapes_names(comparison):
    page = render_comparison(comparison, figures={"power": SVG}, facts={"scores.txt": "abc"})
    assert not re.findall(r'(?:src|href)="(?!#)', page)
    assert "A &amp; Co" in page
    assert "A & Co" not in page
    assert "abc" in page


def test_a_test_that_cannot_be_run_says_why():
    same = compare(U, U, tests=("t",), primary="t")
    page = render_comparison(same, figures={})
    assert "The test could not be run" in page
    assert "not estimated" in page


def test_the_command_writes_a_page_with_its_plots(tmp_path, capsys):
    scores, page = tmp_path / "scores.txt", tmp_path / "page.html"
    np.savetxt(scores, np.column_stack([U, V]))
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    given = ["compare", str(scores), "--html", str(page), "--power-runs", "20", "--tests", "t"]
    arguments = parser.parse_args(given)
    assert arguments.run(arguments) == 0
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") == 2
    assert str(scores) in text
    assert "Comparison of A and B" in capsys.readouterr().out
