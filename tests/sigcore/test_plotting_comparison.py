import numpy as np
import pytest
from matplotlib.figure import Figure

from sigcore.plotting.curves import draw_power_curve, draw_pvalue_curve
from sigcore.plotting.distributions import draw_difference_histogram, draw_score_histogram

X = np.random.default_rng(54).normal(size=200)


@pytest.fixture
def ax():
    return Figure().subplots()


def test_score_histogram_shows_every_score_and_both_centres(ax):
    assert draw_score_histogram(ax, X, name="A") is ax
    assert sum(patch.get_height() for patch in ax.patches) == len(X)
    lines = {line.get_label(): line.get_xdata()[0] for line in ax.lines}
    assert lines == pytest.approx({"mean": X.mean(), "median": np.median(X)})
    assert "n = 200" in ax.get_title(loc="left") + ax.get_title()


def test_difference_histogram_marks_no_difference(ax):
    draw_difference_histogram(ax, X, names=("A", "B"))
    assert 0.0 in [line.get_xdata()[0] for line in ax.lines]
    assert "A - B" in ax.get_xlabel()


@pytest.mark.parametrize("values", [np.ones(5), np.array([0.0] * 99 + [1.0]), np.array([2.0])])
def test_histograms_of_odd_samples_are_drawn(ax, values):
    draw_score_histogram(ax, values, name="A")
    assert sum(patch.get_height() for patch in ax.patches) == len(values)


def test_power_curve_shows_the_points_the_band_and_the_target(ax):
    sizes, power = np.array([10, 20, 30]), np.array([0.1, 0.5, 0.9])
    draw_power_curve(ax, sizes, power, power - 0.05, power + 0.05, observed=30, label="t")
    assert ax.lines[0].get_ydata().tolist() == power.tolist()
    assert len(ax.collections) == 1
    assert 0.8 in [line.get_ydata()[0] for line in ax.lines]
    assert ax.get_legend() is not None


def test_p_value_curve_shows_the_mean_of_runs(ax):
    pvalues = np.random.default_rng(55).random((4, 20))
    draw_pvalue_curve(ax, [30, 100, 1000, 25_000], pvalues, title="H0 true")
    assert ax.lines[0].get_ydata() == pytest.approx(pvalues.mean(axis=1))
    assert "20 runs" in ax.get_ylabel()
