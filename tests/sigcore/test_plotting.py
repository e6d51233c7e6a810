import matplotlib.pyplot as plt
import numpy as np
import pytest

from sigcore.errors import InputError
from sigcore.plotting.matrices import draw_significance, significance_legend
from sigcore.plotting.pages import components_figure, ranking_figure, significance_figure
from sigcore.plotting.style import figure_style, save

RANKING = [
    {"metric": f"Metric {i}", "spa": 0.9 - 0.1 * i, "pa": 0.8, "rank": 1 + i // 2, "rank_pa": 1}
    for i in range(5)
]
PVALUES = [
    {
        "scorer": scorer,
        "is_gold": scorer == "mqm",
        "system_a": a,
        "system_b": b,
        "pvalue": 0.2,
        "difference": difference,
        "gold_pvalue": 0.2,
        "gold_difference": difference,
    }
    for scorer in ("mqm", "Metric 0")
    for a, b, difference in (("A", "B", -1.0), ("A", "C", 1.0), ("B", "C", 2.0))
]


@pytest.fixture(autouse=True)
def _style():
    with figure_style():
        yield
    plt.close("all")


@pytest.mark.parametrize("ending", ["svg", "pdf", "png"])
def test_the_same_figure_gives_the_same_bytes(tmp_path, ending):
    paths = [tmp_path / f"{name}.{ending}" for name in ("one", "two")]
    for path in paths:
        save(ranking_figure(RANKING, title="t"), path)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_name_with_dollar_signs_is_no_formula(tmp_path):
    ranking = [RANKING[0] | {"metric": r"costs $\frac$ {x} _^"}, *RANKING[1:]]
    save(ranking_figure(ranking, title="t"), tmp_path / "one.svg")
    assert plt.gca().get_yticklabels()[0].get_text() == r"costs $\frac$ {x} _^"


def test_tied_scores_are_marked():
    _, ax = plt.subplots()
    draw_significance(ax, ["a", "b", "c"], np.array([0.5, 0.5, 0.4]), np.ones((3, 3)), [1, 1, 1])
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert [label.endswith("=") for label in labels] == [True, True, False]


def test_a_cell_without_a_pvalue_says_so():
    _, ax = plt.subplots()
    pvalues = np.full((3, 3), 0.5)
    pvalues[0, 2] = pvalues[2, 0] = np.nan
    draw_significance(ax, ["a", "b", "c"], np.array([3.0, 2.0, 1.0]), pvalues, [1, 1, 1])
    assert [(text.get_text(), text.get_position()) for text in ax.texts] == [("n/a", (2, 0))]


def test_tied_scores_in_different_clusters_are_marked_as_such():
    scores = np.array([0.5, 0.5, 0.4, 0.3, 0.3])
    _, ax = plt.subplots()
    draw_significance(ax, list("abcde"), scores, np.ones((5, 5)), [1, 2, 2, 3, 3])
    marks = [label.get_text()[-1] for label in ax.get_yticklabels()]
    assert marks == ["≠", "≠", " ", "=", "="]
    labels = [handle.get_label() for handle in significance_legend(ties=True)]
    assert labels[-2:] == ["=  tied scores", "≠  tied, in different clusters"]


def test_the_accuracy_panel_counts_a_pair_that_only_people_tie_as_disagreement():
    rows = [dict(row) for row in PVALUES]
    # A and B are equal for people, not for the metric.
    rows[3] |= {"gold_pvalue": 0.5, "gold_difference": 0.0, "pvalue": 0.6, "difference": -1.0}
    figure = components_figure(rows, metric="Metric 0", title="t")
    titles = [ax.get_title(loc="left") for ax in figure.axes]
    assert "PA: agreement, mean 0.667" in titles


def test_a_pvalue_at_alpha_is_drawn_as_significant():
    _, ax = plt.subplots()
    pvalues = np.array([[np.nan, 0.05, 0.0500001]] * 3)
    draw_significance(ax, ["a", "b", "c"], np.array([3.0, 2.0, 1.0]), pvalues, [1, 1, 1])
    image = ax.get_images()[0]
    colours = image.cmap(image.norm(image.get_array()))[0]
    assert colours[1][:3] != pytest.approx(colours[2][:3])
    assert np.ptp(colours[2][:3]) == 0  # grey


def test_panels_count_significant_pairs_and_clusters():
    pvalues = {"spa": np.full((5, 5), 0.01), "pa": np.full((5, 5), 0.9)}
    figure = significance_figure(RANKING, pvalues, alpha=0.05, title="t")
    titles = [ax.get_title(loc="left") for ax in figure.axes]
    assert titles == [
        "SPA: 10 of 10 significant, 3 clusters",
        "PA: 0 of 10 significant, 1 cluster",
    ]


def test_systems_are_ordered_by_human_score():
    figure = components_figure(PVALUES, metric="Metric 0", title="t")
    rows = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert rows == ["B", "A"]  # the last system, C, has no row


@pytest.mark.parametrize("name", ["figure.xyz", "figure"])
def test_a_figure_of_an_unknown_kind_is_refused_by_name(tmp_path, name):
    with pytest.raises(
        InputError, match=rf"a figure must end in \.pdf, \.png, \.svg; got .*{name}"
    ):
        save(plt.figure(), tmp_path / name)
