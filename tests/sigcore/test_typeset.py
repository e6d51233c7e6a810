"""Tables to paste: LaTeX and Markdown."""

import pytest

from sigcore.io.typeset import to_latex, to_markdown

TABLE = {
    "metric": ["cushLEPOR(LM)", "a_b & 50%", "{x}~^\\<|>#$"],
    "spa": [0.12345, None, float("nan")],
    "n": [1, 2, 3],
}


def test_latex_has_booktabs_rules_and_escaped_names() -> None:
    text = to_latex(TABLE, formats={"spa": ".3f"}, headers={"spa": "$\\mathrm{SPA}$"})
    assert text.splitlines() == [
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"metric & $\mathrm{SPA}$ & n \\",
        r"\midrule",
        r"cushLEPOR(LM) & 0.123 & 1 \\",
        r"a\_b \& 50\% & -- & 2 \\",
        r"\{x\}\textasciitilde{}\textasciicircum{}\textbackslash{}\textless{}\textbar{}"
        r"\textgreater{}\#\$ & -- & 3 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_latex_braces_are_balanced() -> None:
    text = to_latex(TABLE).replace(r"\{", "").replace(r"\}", "")
    assert text.count("{") == text.count("}")


@pytest.mark.parametrize(
    ("options", "line"), [({"caption": "A."}, r"\caption{A.}"), ({"label": "t"}, r"\label{t}")]
)
def test_caption_or_label_make_a_float(options: dict[str, str], line: str) -> None:
    lines = to_latex(TABLE, **options).splitlines()
    assert lines[0] == r"\begin{table}"
    assert lines[-1] == r"\end{table}"
    assert line in lines


def test_markdown_cells_cannot_break_the_table() -> None:
    text = to_markdown(TABLE, formats={"spa": ".3f"})
    lines = text.splitlines()
    assert lines[0] == "| metric | spa | n |"
    assert lines[1] == "| --- | ---: | ---: |"
    assert lines[2] == "| cushLEPOR(LM) | 0.123 | 1 |"
    assert lines[3] == r"| a\_b & 50% |  | 2 |"
    for line in lines:
        assert line.replace(r"\|", "").count("|") == 4


def test_line_feeds_in_names_become_blanks() -> None:
    assert "a b" in to_latex({"metric": ["a\nb"]})
    assert len(to_markdown({"metric": ["a\nb"]}).splitlines()) == 3
