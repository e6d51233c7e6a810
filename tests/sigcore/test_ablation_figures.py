import matplotlib.pyplot as plt
import pytest

from sigcore.plotting.ablations import (
    draw_intervals,
    draw_stability,
    intervals_figure,
    stability_figure,
)
from sigcore.plotting.style import figure_style, save

SYSTEMS = [
    {
        "meta": meta,
        "n_systems": size,
        "mean": 1 - step * (6 - size),
        "lower_quartile": 0.9 - step * (6 - size),
        "upper_quartile": 1.0,
    }
    for meta, step in (("spa", 0.05), ("pa", 0.1))
    for size in (3, 4, 5, 6)
]
SEGMENTS = [
    {"metric": metric, "meta": meta, "n_segments": size, "mean": 0.8, "low": low, "high": 0.9}
    for metric in ("A", "B")
    for meta, low in (("spa", 0.75), ("pa", 0.7))
    for size in (100, 50)
]


@pytest.fixture(autouse=True)
def _style():
    with figure_style():
        yield
    plt.close("all")


def texts(ax) -> list[str]:
    return [text.get_text() for text in ax.texts]


def test_lines_are_labelled_where_they_are_far_apart():
    _, ax = plt.subplots()
    draw_stability(ax, SYSTEMS)
    assert texts(ax) == ["SPA", "PA"]
    places = {text.get_text(): text.xy for text in ax.texts}
    assert places["SPA"] == (4, pytest.approx(0.9))
    assert places["PA"] == (4, pytest.approx(0.8))


def test_undefined_means_are_left_out():
    rows = [{**row, "mean": None} if row["n_systems"] == 3 else row for row in SYSTEMS]
    _, ax = plt.subplots()
    draw_stability(ax, rows)
    assert all(3 not in line.get_xdata() for line in ax.lines)


def test_every_set_has_a_panel():
    figure = stability_figure({f"set {n}": SYSTEMS for n in range(4)})
    titles = [ax.get_title(loc="left") for ax in figure.axes if ax.get_visible()]
    assert titles == ["set 0", "set 1", "set 2", "set 3"]


def test_no_panel_cuts_off_lines_below_those_of_the_first():
    lower = [row | {"mean": row["mean"] - 1, "lower_quartile": -0.6} for row in SYSTEMS]
    axes = stability_figure({"one": SYSTEMS, "two": lower}).axes
    bottom = min(float(min(line.get_ydata())) for line in axes[1].lines)
    assert axes[1].get_ylim()[0] < bottom < axes[0].lines[0].get_ydata().min()
    assert axes[0].get_ylim() == axes[1].get_ylim()


def test_intervals_say_their_width_with_all_segments():
    _, ax = plt.subplots()
    draw_intervals(ax, [row for row in SEGMENTS if row["metric"] == "A"])
    assert sorted(texts(ax)) == ["PA, width 0.200", "SPA, width 0.150"]
    sizes = [list(line.get_xdata()) for line in ax.lines]
    assert all(line == [50, 100] for line in sizes)


def test_each_chosen_metric_has_a_panel():
    figure = intervals_figure(SEGMENTS, metrics=["B", "A"], title="t")
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["B", "A"]


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_the_same_figure_gives_the_same_bytes(tmp_path, ending):
    for name, figure in (
        ("two", lambda: stability_figure({"s": SYSTEMS})),
        ("three", lambda: intervals_figure(SEGMENTS, metrics=["A"], title="t")),
    ):
        paths = [tmp_path / f"{name}-{n}.{ending}" for n in (1, 2)]
        for path in paths:
            save(figure(), path)
        assert paths[0].read_bytes() == paths[1].read_bytes()
