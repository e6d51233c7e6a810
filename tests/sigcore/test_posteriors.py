from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy.stats import beta

from sigcore.bayes.folds import FoldCounts
from sigcore.bayes.posterior import Posterior
from sigcore.errors import InputError
from sigcore.plotting.posteriors import draw_posteriors, posteriors_figure
from sigcore.plotting.style import figure_style

PAIR = [Posterior("recall", 90.0, 20.0), Posterior("recall", 95.0, 15.0)]
OLDER = [Posterior("recall", 45.0, 10.0), Posterior("recall", 48.0, 8.0)]


@pytest.fixture
def ax():
    return Figure().subplots()


def test_each_curve_spans_the_quantiles_of_the_paper(ax):
    assert draw_posteriors(ax, PAIR, ["A", "B"], older=OLDER) is ax
    curves = {line.get_label(): line for line in ax.get_lines()}
    x, y = curves["A"].get_data()
    assert x[0] == pytest.approx(beta.ppf(0.001, 90, 20))
    assert x[-1] == pytest.approx(beta.ppf(0.999, 90, 20))
    np.testing.assert_allclose(y, beta.pdf(x, 90, 20), rtol=1e-9)
    assert curves["A, mean counts"].get_linestyle() == "--"
    assert curves["B"].get_color() != curves["A"].get_color()


def test_intervals_are_drawn_below_the_curves_and_named(ax):
    draw_posteriors(ax, PAIR, ["A", "B"], credibility=0.9)
    bars = [line for line in ax.get_lines() if line.get_linewidth() == 2.5]
    assert len(bars) == 2
    np.testing.assert_allclose(bars[0].get_xdata(), beta.interval(0.9, 90, 20))
    assert all(max(bar.get_ydata()) < 0 for bar in bars)
    assert "0.9 intervals" in ax.get_xlabel()
    assert min(ax.get_yticks()) >= 0


def test_the_models_differ_in_width_and_mark_not_in_colour_alone(ax):
    draw_posteriors(ax, PAIR, ["A", "B"], older=OLDER)
    lines = {line.get_label(): line for line in ax.get_lines()}
    for older in ("", ", mean counts"):
        assert lines[f"B{older}"].get_linewidth() > 1.5 * lines[f"A{older}"].get_linewidth()
    marks = [line.get_marker() for line in ax.get_lines() if len(line.get_xdata()) == 1]
    assert len(set(marks)) == 2


def test_drawing_leaves_the_global_style_alone(ax):
    before = dict(mpl.rcParams)
    draw_posteriors(ax, PAIR, ["A", "B"])
    assert dict(mpl.rcParams) == before


def folds(*counts):
    return FoldCounts(np.full((3, 2, 3), counts))


def drawn(models, **options):
    with figure_style():
        figure = posteriors_figure(models, **options)
        figure.draw_without_rendering()
    return figure


def test_the_legend_names_every_curve_also_one_that_begins_with_an_underscore():
    figure = drawn({"_mine": folds(80, 10, 20), "$x$": folds(85, 10, 15)})
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == ["_mine", "$x$", "_mine, mean counts", "$x$, mean counts"]
    lines = [line.get_linestyle() for line in figure.legends[0].get_lines()]
    assert lines == ["-", "-", "--", "--"]


@pytest.mark.parametrize("name", ["B", "a name of some length", "a very long name, " * 5])
@pytest.mark.parametrize("measures", [("f1",), ("precision", "recall", "f1")])
def test_the_legend_is_no_wider_than_it_must_be(name, measures):
    figure = drawn({"A": folds(80, 10, 20), name: folds(85, 10, 15)}, measures=measures)
    legend = figure.legends[0]
    entries = [text.get_window_extent() for text in legend.get_texts()]
    assert not any(
        one.overlaps(other) for k, one in enumerate(entries) for other in entries[k + 1 :]
    )
    alone = max(entry.width for entry in entries)
    assert legend.get_window_extent().width < max(figure.bbox.width, 1.5 * alone)


@pytest.mark.parametrize("size", [10, 10**4, 10**8, 10**11])
def test_numbers_on_the_axes_are_written_in_full_and_apart(size):
    models = {"A": folds(10 * size, size, 2 * size), "B": folds(10 * size + 20, size, 2 * size)}
    for ax in drawn(models).axes:
        assert ax.xaxis.get_offset_text().get_text() == ""
        assert ax.yaxis.get_offset_text().get_text() == ""
        low, high = ax.get_xlim()
        labels = [
            label
            for label, place in zip(ax.get_xticklabels(), ax.get_xticks(), strict=True)
            if low <= place <= high
        ]
        assert len({label.get_text() for label in labels}) == len(labels) >= 2
        boxes = [label.get_window_extent() for label in labels]
        assert all(left.x1 < right.x0 for left, right in pairwise(boxes))


@pytest.mark.parametrize(("a", "b"), [(177.5, 0.5), (300.0, 0.02), (0.5, 40.0), (0.5, 0.5)])
def test_an_infinite_density_leaves_the_axes_instead_of_flattening_the_curve(ax, a, b):
    pair = [Posterior("recall", a, b), Posterior("recall", a + 1, b)]
    draw_posteriors(ax, pair, ["A", "B"])
    top = ax.get_ylim()[1]
    curve = ax.get_lines()[0].get_ydata()
    assert np.isfinite(curve).all()
    assert max(curve) > top
    # All but a fiftieth of the width at that end is inside.
    lower, upper = beta.ppf([0.001, 0.999], a, b)
    edge = (upper - lower) / 50
    places = [lower + edge * (a < 1), upper - edge * (b < 1)]
    assert beta.pdf(places, a, b).max() < top < 1.5 * beta.pdf(places, [[a], [a + 1]], b).max()


def test_a_finite_density_is_drawn_to_its_peak(ax):
    draw_posteriors(ax, PAIR, ["A", "B"])
    peak = beta.pdf(94 / 108, 95, 15)
    assert peak < ax.get_ylim()[1] < 1.1 * peak


def test_a_posterior_narrower_than_numbers_are_is_a_spike(ax):
    spike = Posterior("recall", 80.0, 1e-6)
    draw_posteriors(ax, [spike, spike], ["A", "B"])
    x, y = ax.get_lines()[0].get_data()
    assert x.tolist() == [1.0, 1.0]
    assert y[0] == 0 < ax.get_ylim()[1] < y[1] < np.inf


@pytest.mark.parametrize("names", ["A", "ABC"])
def test_other_than_two_models_are_refused(ax, names):
    with pytest.raises(InputError, match=f"`models` must be of two models; got {len(names)}"):
        posteriors_figure({name: folds(80, 10, 20) for name in names})
    with pytest.raises(InputError, match=f"`posteriors` must be of two models; got {len(names)}"):
        draw_posteriors(ax, [PAIR[0]] * len(names), list(names))
