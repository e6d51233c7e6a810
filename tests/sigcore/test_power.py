"""Curves of power on sets whose truth is known: at the level, at one, and rising between."""

import numpy as np
import pytest
from scipy.stats import binomtest

from sigcore.errors import InputError
from sigcore.meta.power import separation_curve


def simulate(rng, noise, n_systems=6, n_segments=150, spread=0.15):
    """Gold, and two metrics that see the same quality through noise of a given size."""
    quality = rng.normal(0.0, spread, size=(n_systems, 1))
    quality = quality + rng.normal(size=(n_systems, n_segments))
    gold = quality + rng.normal(0.0, 0.5, size=quality.shape)
    first, second = (quality + rng.normal(0.0, sd, size=quality.shape) for sd in noise)
    return gold, first, second


@pytest.mark.parametrize("meta", ["spa", "pa"])
def test_equally_good_metrics_separate_at_the_level(meta):
    # Every segment is there twice, with the scores of the two metrics exchanged: what is drawn
    # from these data has no preference, and the test must reject with probability alpha or, where
    # values tie, less.
    gold, first, second = simulate(np.random.default_rng(3), (1.0, 1.0), n_segments=100)
    data = (
        np.concatenate([gold, gold], axis=1),
        np.concatenate([first, second], axis=1),
        np.concatenate([second, first], axis=1),
    )
    curve = separation_curve(*data, meta=meta, sizes=[60], n_samples=600, n_resamples=99, alpha=0.1)
    rejected = round(600 * float(curve.power[0] + curve.opposite[0]))
    assert binomtest(rejected, 600, 0.1, alternative="greater").pvalue > 0.001
    if meta == "spa":
        assert binomtest(rejected, 600, 0.1).pvalue > 0.001
    assert curve.difference == pytest.approx(0.0, abs=1e-9)


def test_metrics_far_apart_separate_nearly_always():
    gold, first, _ = simulate(np.random.default_rng(0), (0.1, 1.0), spread=1.0)
    curve = separation_curve(gold, first, -first, sizes=[100], n_samples=60)
    assert curve.power[0] > 0.95
    assert curve.difference > 0.0
    turned = separation_curve(gold, -first, first, sizes=[100], n_samples=60)
    assert turned.power[0] > 0.95
    assert turned.difference == pytest.approx(-curve.difference)


def test_power_rises_with_segments_and_reaches_the_target_between_two_sizes():
    gold, first, second = simulate(np.random.default_rng(4), (0.5, 4.0), n_systems=8)
    curve = separation_curve(gold, first, second, sizes=[20, 60, 180], n_samples=120)
    assert (np.diff(curve.power) > -0.1).all()
    assert curve.power[-1] > curve.power[0] + 0.3
    assert (curve.low < curve.power).all()
    assert (curve.power <= curve.high).all()
    target = float(curve.power[1] + curve.power[2]) / 2
    again = separation_curve(gold, first, second, sizes=[20, 60, 180], n_samples=120, target=target)
    assert again.n_target == pytest.approx(120.0)
    assert again.n_target_low < 120.0
    assert not again.n_target_high < 120.0
    assert again.reason == ""


def test_power_does_not_depend_on_other_sizes_or_on_scale():
    gold, first, second = simulate(np.random.default_rng(5), (0.5, 2.0))
    both = separation_curve(gold, first, second, sizes=[30, 90], n_samples=50)
    one = separation_curve(100.0 * gold - 3.0, 7.0 * first, second, sizes=[90], n_samples=50)
    assert one.power[0] == both.power[1]
    other_seed = separation_curve(gold, first, second, sizes=[30, 90], n_samples=50, seed=1)
    assert other_seed.power.tolist() != both.power.tolist()


def test_more_systems_separate_better():
    gold, first, second = simulate(np.random.default_rng(8), (0.3, 4.0), n_systems=12)
    curve = separation_curve(gold, first, second, by="systems", sizes=[3, 12], n_samples=100)
    assert curve.power[1] > curve.power[0]
    all_systems = separation_curve(gold, first, second, sizes=[150], n_samples=100)
    low, high = all_systems.low[0], all_systems.high[0]
    assert low - 0.1 < curve.power[1] < high + 0.1


def test_default_sizes_end_when_nothing_is_left_to_gain():
    gold, first, _ = simulate(np.random.default_rng(0), (0.1, 1.0), n_segments=80, spread=1.0)
    curve = separation_curve(gold, first, -first, n_samples=30, n_resamples=39)
    assert curve.sizes[0] == 5
    assert curve.power[-1] >= 0.99
    assert len(curve.sizes) < 9
    systems = separation_curve(gold, first, first, by="systems", n_samples=3, n_resamples=19)
    assert systems.sizes.tolist() == [3, 4, 5, 6]
    assert systems.power.tolist() == [0.0] * 4


def test_a_target_out_of_reach_has_no_size_but_a_reason():
    gold, first, _ = simulate(np.random.default_rng(1), (1.0, 1.0))
    never = separation_curve(gold, first, first, sizes=[20, 40], n_samples=10)
    assert np.isnan(never.n_target)
    assert never.reason == (
        "the two score alike on these data: a power of 0.8 is not reached with 40 segments"
    )
    at_once = separation_curve(gold, gold, -gold, sizes=[100, 150], n_samples=10)
    assert at_once.n_target == 100.0
    assert at_once.reason == "a power of 0.8 is reached with 100 segments already"


def test_segments_without_all_scores_are_not_used():
    gold, first, second = simulate(np.random.default_rng(6), (0.5, 2.0))
    gaps = first.copy()
    gaps[2, :50] = np.nan
    curve = separation_curve(gold, gaps, second, sizes=[40], n_samples=30)
    cut = separation_curve(gold[:, 50:], first[:, 50:], second[:, 50:], sizes=[40], n_samples=30)
    assert curve.n_segments == 100
    assert curve.power[0] == cut.power[0]


def test_the_rows_have_sizes_and_power():
    gold, first, second = simulate(np.random.default_rng(6), (0.5, 2.0))
    curve = separation_curve(gold, first, second, sizes=[40, 20, 20], n_samples=10)
    rows = curve.to_records()
    assert [row["n"] for row in rows] == [20, 40]
    assert rows[0]["power"] == curve.power[0]
    assert rows[0]["by"] == "segments"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"by": "documents"}, "`by`"),
        ({"meta": "pearson"}, "`meta`"),
        ({"sizes": []}, "`sizes` must not be empty"),
        ({"sizes": 5}, "`sizes` must be a sequence"),
        ({"sizes": [1]}, "`sizes` must be at least 2"),
        ({"by": "systems", "sizes": [7]}, "at most the 6 systems; got 7"),
        ({"alpha": 0.0}, "`alpha`"),
        ({"target": 1.0}, "`target`"),
        ({"n_samples": 1}, "`n_samples`"),
        ({"n_resamples": 0}, "`n_resamples`"),
    ],
)
def test_bad_options_are_refused(change, message):
    data = simulate(np.random.default_rng(0), (1.0, 1.0))
    with pytest.raises(InputError, match=message):
        separation_curve(*data, **change)


def test_bad_scores_are_refused():
    gold, first, second = simulate(np.random.default_rng(0), (1.0, 1.0))
    with pytest.raises(InputError, match="must have the same shape"):
        separation_curve(gold, first[:, 1:], second)
    with pytest.raises(InputError, match="at least 2 systems; got 1"):
        separation_curve(gold[:1], first[:1], second[:1])
    with pytest.raises(InputError, match="share a segment"):
        separation_curve(gold, first * np.nan, second)
    with pytest.raises(InputError, match="`second` must not be constant"):
        separation_curve(gold, first, np.full_like(first, 0.1))
