"""The Fourier engine against the convolution, which has no cancellation, far into the tail."""

import math

import numpy as np
import pytest

from sigcore.errors import MemoryLimitError
from sigcore.permutation.plane_engines import Problem, dp_tail
from sigcore.permutation.plane_event import RatioEvent, ratio, row_entry
from sigcore.permutation.plane_fourier import fourier_tail
from sigcore.permutation.plane_tilt import tilted_window
from sigcore.permutation.plane_walk import make_walk
from sigcore.permutation.statespace import dense_law


def problem(a, b, weight=2):
    (x, y), (u, v) = a.sum(axis=0).tolist(), b.sum(axis=0).tolist()
    gap = ratio(x, y, weight) - ratio(u, v, weight)
    event = RatioEvent(x + u, y + v, abs(gap), weight)
    return Problem(make_walk(a, b), event, (gap > 0) - (gap < 0))


def invert(case, max_memory=4e9):
    return fourier_tail(case.event, case.walk, case.start, max_memory=max_memory)


def paired(kind, n, seed, top=4):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, top + 1, (2, n, 2))
    if kind == "equal gold":
        b[:, 1] = np.maximum(a.sum(axis=1) - b[:, 0], 0)
    elif kind == "better":
        better = rng.random(n) < 0.8
        a[better, 0] = np.maximum(a, b)[better, 0]
        a[better, 1] = np.minimum(a, b)[better, 1]
    elif kind == "rare hits":
        a[rng.random(n) < 0.9, 0] = 0
        b[rng.random(n) < 0.9, 0] = 0
    elif kind == "hits and errors together":
        b = a + rng.integers(-1, 2, (n, 1)) * np.array([1, 2]) + (rng.random((n, 2)) < 0.05)
        b = np.maximum(b, 0)
    elif kind == "coarse":
        a, b = 5 * a, 5 * b
    return a, b


KINDS = ["any", "equal gold", "better", "rare hits", "hits and errors together", "coarse"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weight", [1, 2])
def test_the_error_bound_holds_and_is_small(kind, weight):
    for seed in range(5):
        case = problem(*paired(kind, 40 + 25 * seed, seed), weight)
        direct, inverted = dp_tail(case, max_memory=4e9), invert(case)
        scale = math.exp(inverted.log_scale)
        allowed = (inverted.error + direct.error) * direct.tail
        assert abs(inverted.tail * scale - direct.tail) <= allowed
        assert abs(inverted.point * scale - direct.point) <= allowed
        assert inverted.error < 1e-10


def test_p_below_1e_30_keeps_its_digits():
    a, b = paired("better", 400, 0)
    a[:, 0] = np.maximum(a[:, 0], b[:, 0])
    case = problem(a, b)
    direct, inverted = dp_tail(case, max_memory=4e9), invert(case)
    assert direct.tail < 1e-30
    log_inverted = math.log(inverted.tail) + inverted.log_scale
    assert log_inverted == pytest.approx(math.log(direct.tail), abs=1e-11)


def test_mass_outside_the_window_is_bounded_from_above():
    case = problem(*paired("better", 150, 1))
    window = tilted_window(case.event, case.walk, case.start)
    law = dense_law(case.walk.steps, case.walk.counts)
    rows = np.arange(case.walk.low[1], case.walk.high[1] + 1)
    inside = np.arange(law.shape[0])[:, None] >= row_entry(case.event, case.walk, rows)
    outer = (rows < window.first[1]) | (rows >= window.stop[1])
    assert outer.any()
    assert law[:, outer].sum(where=inside[:, outer]) <= math.exp(window.log_outer_rows)


def test_too_many_frequencies_are_refused():
    a, b = np.random.default_rng(0).integers(0, 10**5, (2, 30, 2))
    with pytest.raises(MemoryLimitError, match=r"GB.*monte-carlo"):
        invert(problem(a, b))
    with pytest.raises(MemoryLimitError, match=r"GB.*monte-carlo"):
        invert(problem(*paired("any", 300, 0)), max_memory=1e4)
