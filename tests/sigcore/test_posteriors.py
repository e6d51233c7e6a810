import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy.stats import beta

from sigcore.bayes.posterior import Posterior
from sigcore.plotting.posteriors import draw_posteriors

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


def test_drawing_leaves_the_global_style_alone(ax):
    before = dict(mpl.rcParams)
    draw_posteriors(ax, PAIR, ["A", "B"])
    assert dict(mpl.rcParams) == before
