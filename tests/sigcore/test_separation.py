"""The figure of power against segments or systems."""

from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure

from sigcore.meta.power import separation_curve
from sigcore.plotting.separation import draw_separation
from sigcore.plotting.style import figure_style, save


def curve():
    rng = np.random.default_rng(0)
    gold = rng.normal(size=(4, 30))
    return separation_curve(gold, gold + rng.normal(size=(4, 30)), -gold, sizes=[10, 30])


def test_the_size_that_reaches_the_target_is_marked():
    shown = replace(curve(), n_target=17.2, power=np.array([0.4, 0.9]))
    axes = draw_separation(Figure().subplots(), shown)
    assert axes.get_xlabel() == "number of segments"
    texts = [text.get_text() for text in axes.texts]
    assert "17 segments" in texts
    assert "power 0.8" in texts
    line = axes.lines[0]
    assert line.get_xdata().tolist() == [10, 30]
    assert line.get_ydata().tolist() == [0.4, 0.9]


def test_a_target_out_of_reach_is_not_marked():
    shown = replace(curve(), by="systems", sizes=np.array([3, 4]), n_target=float("nan"))
    axes = draw_separation(Figure().subplots(), shown, label="COMET and BLEU")
    assert axes.get_xlabel() == "number of systems"
    assert not any("systems" in text.get_text() for text in axes.texts)
    assert axes.get_legend() is not None


def test_the_figure_has_the_same_bytes_every_time(tmp_path):
    for name in ("a.svg", "b.svg"):
        with figure_style():
            figure = Figure()
            draw_separation(figure.subplots(), curve())
            save(figure, tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
