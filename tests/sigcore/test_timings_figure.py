"""The figure of run times, and its page."""

import re
import xml.etree.ElementTree as ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pytest

from sigcore.permutation.timing_summary import summarise_timings, timing_columns
from sigcore.plotting.style import figure_style, save
from sigcore.plotting.timings import draw_timings, timings_figure
from sigcore.report.timings import render_timings

SIZES = (500, 1000, 2000, 4000, 10_000)
SPEEDS = {
    ("exact", None): 2e-8,
    ("fft", None): 2.5e-6,
    ("dp", None): 2.5e-6,
    ("monte-carlo", 5000): 1.3e-6,
    ("monte-carlo", 10_000): 2.6e-6,
    ("algorithm-1", 20_000): 1.3e-4,
    ("scipy", 1000): 8e-5,
}


@pytest.fixture
def rows():
    return [
        {
            "method": method,
            "n_resamples": draws,
            "n": n,
            "repeat": repeat,
            "seconds": speed * n * (1 + 0.1 * repeat),
            "pvalue": 0.5,
        }
        for repeat in range(3)
        for n in SIZES
        for (method, draws), speed in SPEEDS.items()
    ]


@pytest.fixture
def axes():
    with figure_style():
        figure, ax = plt.subplots()
        yield ax
        plt.close(figure)


def test_lines_show_the_fastest_times(axes, rows):
    draw_timings(axes, rows)
    lines = [line for line in axes.lines if len(line.get_xdata()) == len(SIZES)]
    for line, speed in zip(lines, SPEEDS.values(), strict=True):
        np.testing.assert_array_equal(line.get_xdata(), SIZES)
        np.testing.assert_allclose(line.get_ydata(), speed * np.array(SIZES))
    assert axes.get_xscale() == axes.get_yscale() == "log"


def test_bars_reach_from_the_fastest_to_the_slowest(axes, rows):
    draw_timings(axes, rows)
    bars = [line for line in axes.lines if len(line.get_xdata()) == 2]
    assert len(bars) == len(SIZES) * len(SPEEDS)
    for bar in bars:
        low, high = bar.get_ydata()
        assert high == pytest.approx(1.2 * low)


def test_labels_stand_at_the_lines_in_their_order_and_do_not_overlap(axes, rows):
    draw_timings(axes, rows)
    heights = [text.xyann[1] for text in axes.texts]
    ends = [text.xy[1] for text in axes.texts]
    assert {text.get_text() for text in axes.texts} >= {"scipy, K = 1,000", "FFT convolution"}
    order = np.argsort(ends, kind="stable")
    gaps = np.diff(np.array(heights)[order])
    # The extent of an annotation has its line in it, so the size of the letters is taken.
    letters = max(text.get_fontsize() for text in axes.texts) * axes.figure.dpi / 72
    assert gaps.min() * axes.get_window_extent().height > 1.2 * letters


def test_methods_differ_without_colour(axes, rows):
    draw_timings(axes, rows)
    lines = [line for line in axes.lines if len(line.get_xdata()) == len(SIZES)]
    markers = [line.get_marker() for line in lines]
    names = [name for name, _ in SPEEDS]
    assert len(set(markers)) == len(set(names))
    assert len(set(zip(names, markers, strict=True))) == len(set(names))


def test_a_single_size_is_drawn(axes, rows):
    draw_timings(axes, [row for row in rows if row["n"] == 500])
    assert len(axes.texts) == len(SPEEDS)


def test_the_figure_has_the_same_bytes_every_time(tmp_path, rows):
    for name in ("one.svg", "two.svg"):
        with figure_style():
            figure = timings_figure(rows)
            save(figure, tmp_path / name)
            plt.close(figure)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_the_page_has_the_figure_the_table_and_the_machine(rows):
    columns = timing_columns(summarise_timings(rows))
    page = render_timings(
        columns,
        svg='<?xml version="1.0"?>\n<svg width="1"></svg>',
        n_repeats=3,
        facts={"processor": "A <fast> one", "numpy": "2.0"},
    )
    assert "<?xml" not in page
    assert '<svg width="1"></svg>' in page
    assert "fastest of 3 measurements" in page
    assert "A &lt;fast&gt; one" in page
    body = re.search(r"<tbody>.*?</tbody>", page, re.S).group()
    table = ElementTree.fromstring(body)
    assert [row[0].text for row in table] == columns["method"]
    assert [row[-1].text for row in table] == columns["exponent of N"]
    # Nothing is loaded from elsewhere.
    assert not re.search(r"(src|href)=|url\(|https?:", page)
