"""Where the mass of a rare event lies in the plane: the tilt, the window, and what they leave out.

A walk K = sum of B_g k_g in the plane (`plane_walk.Walk`) is tilted by theta: each step k is taken
with probability 1 / (1 + exp(-theta k)) instead of 1/2, and

    P(K = x) = exp(C(theta) - theta x) Q(K = x),  C(theta) = log E exp(theta K).

For an event away from the mean, theta is chosen so that the tilted mean is the most likely point
of the event (where Cramer's rate function is least). Then Q puts a good part of its mass on the
event, and nothing has to be found as a small difference of large numbers.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, log_expit

from sigcore.grid import IntArray
from sigcore.permutation.plane_event import PlaneEvent, row_entry
from sigcore.permutation.plane_walk import Walk
from sigcore.validation import FloatArray

__all__ = ["TiltedWindow", "tilted_window"]

# Tilted mass beyond one side of the window: exp(-41.4) is 1e-18.
_LOG_NEGLIGIBLE = 41.4
_NEWTON_STEPS = 80
# Twice what the next step would add to the rate; the tilted mean is then within 0.1 sd.
_ENOUGH = 1e-2
_ROWS_FIRST, _ROWS_AGAIN = 65, 17
_OUTER_BLOCKS = 512
# Chernoff's bound holds for every slope; the best of these, in units of 1 / sd, is taken.
_SLOPES = 9.1 * np.geomspace(0.02, 16.0, 48)


@dataclass(frozen=True, slots=True)
class TiltedWindow:
    """A box of the lattice that holds nearly all tilted mass, and the factors of the tilt.

    Attributes
    ----------
    theta : ndarray, shape (2,)
        The tilt; its first entry is not negative.
    anchor : ndarray, shape (2,)
        Lattice point at which the weight ``exp(-theta (x - anchor))`` is 1.
    taken, left : ndarray, shape (n_groups,)
        Tilted probability that a step is taken, and that it is not.
    first, stop : tuple of int
        The box: its first point, and one past its last.
    log_scale : float
        C(theta) - theta anchor.
    log_scale_error : float
        Bound on its rounding error.
    outside : float
        Bound on the tilted probability outside the box.
    log_outer_rows : float
        Logarithm of a bound on the probability of the part of the event that lies in rows
        outside the box.
    """

    theta: FloatArray
    anchor: FloatArray
    taken: FloatArray
    left: FloatArray
    first: tuple[int, int]
    stop: tuple[int, int]
    log_scale: float
    log_scale_error: float
    outside: float
    log_outer_rows: float


def tilted_window(event: PlaneEvent, walk: Walk, start: tuple[int, int]) -> TiltedWindow:
    """Tilt a walk towards an event and bound where it goes.

    Parameters
    ----------
    event : PlaneEvent
        The event; with threshold 0 it contains the mean and there is no tilt.
    walk : Walk
        The walk.
    start : tuple of int
        A reachable lattice point of the event.
    """
    theta, anchor = np.zeros(2), np.array(start, dtype=np.float64)
    if event.threshold > 0:
        theta, anchor = _most_likely_point(event, walk, start[1])
    angle = walk.steps @ theta
    log_scale, log_scale_error = _log_scale(walk, theta, anchor)
    i_first, i_stop, i_open = _interval(walk, angle, 0)
    j_first, j_stop, j_open = _interval(walk, angle, 1)
    above = _log_outer_rows(event, walk, theta, range(j_stop, int(walk.high[1]) + 1))
    below = _log_outer_rows(event, walk, theta, range(j_first - 1, int(walk.low[1]) - 1, -1))
    return TiltedWindow(
        theta=theta,
        anchor=anchor,
        taken=expit(angle),
        left=expit(-angle),
        first=(i_first, j_first),
        stop=(i_stop, j_stop),
        log_scale=log_scale,
        log_scale_error=log_scale_error,
        outside=(i_open + j_open) * float(np.exp(-_LOG_NEGLIGIBLE)),
        log_outer_rows=float(np.logaddexp(above, below)),
    )


def _most_likely_point(event: PlaneEvent, walk: Walk, row: int) -> tuple[FloatArray, FloatArray]:
    """Return the tilt of, and the point with, the least rate on the edge of the event.

    The edge is sampled, first over all rows and `row`, then ever closer around the best.
    """
    low, high = int(walk.low[1]), int(walk.high[1])
    rows = np.append(np.linspace(low, high, _ROWS_FIRST).round().astype(np.int64), row)
    while True:
        rows = np.unique(rows)
        entry = row_entry(event, walk, rows)
        met = entry <= walk.high[0]
        points = np.column_stack([entry[met], rows[met]]).astype(np.float64)
        rate, theta = _rate(walk, points)
        best = int(np.argmin(rate))
        place = int(np.searchsorted(rows, int(points[best, 1])))
        near, far = rows[max(place - 1, 0)], rows[min(place + 1, len(rows) - 1)]
        if far - near <= 2:
            # The event is on the side of larger i, and so must the tilt be.
            return np.array([max(theta[best, 0], 0.0), theta[best, 1]]), points[best]
        rows = np.append(np.linspace(near, far, _ROWS_AGAIN).round().astype(np.int64), rows[place])


def _rate(walk: Walk, points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return Cramer's rate sup (theta x - C(theta)) at each point, and its theta.

    Newton's method; a step may at most double the tilt, and is taken back if it does not help.
    Every theta gives a lower bound of the rate, so a point that cannot be reached, where the
    supremum is infinite, ends with a large value.
    """
    steps, offset = walk.steps.astype(np.float64), points - _centre(walk)
    theta, rate, trust = np.zeros_like(points), np.zeros(len(points)), np.ones(len(points))
    for _ in range(_NEWTON_STEPS):
        angle = theta @ steps.T
        gap, move = _newton_move(walk, points, angle)
        move[np.sum(gap * move, axis=1) < _ENOUGH] = 0.0
        if not move.any():
            break
        size = np.abs(move @ steps.T).max(axis=1)
        limit = np.maximum(np.abs(angle).max(axis=1), 1.0) / np.maximum(size, 1e-300)
        move *= np.minimum(trust, limit)[:, None]
        found = np.sum((theta + move) * offset, axis=1) - _cumulant(walk, theta + move)
        better = found > rate
        theta[better] += move[better]
        rate = np.maximum(found, rate)
        trust = np.where(better, np.minimum(2.0 * trust, 1.0), trust / 4.0)
    return rate, theta


def _newton_move(
    walk: Walk, points: FloatArray, angle: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return how far the tilted mean is from each point, and Newton's step towards it."""
    steps = walk.steps.astype(np.float64)
    taken = expit(angle)
    weight = walk.counts * taken * expit(-angle)
    gap = points - (walk.counts * taken) @ steps
    xx, xy, yy = (weight @ (steps[:, s] * steps[:, t]) for s, t in ((0, 0), (0, 1), (1, 1)))
    # A little more on the diagonal keeps walks on a line solvable.
    ridge = 1e-12 * (xx + yy) + 1e-150
    xx, yy = xx + ridge, yy + ridge
    move = np.column_stack([yy * gap[:, 0] - xy * gap[:, 1], xx * gap[:, 1] - xy * gap[:, 0]])
    return gap, move / (xx * yy - xy * xy)[:, None]


def _centre(walk: Walk) -> FloatArray:
    return np.asarray((walk.counts @ walk.steps) / 2)


def _cumulant(walk: Walk, theta: FloatArray) -> FloatArray:
    """Return log E exp(theta (K - centre)) for each row of `theta`: a sum of log cosh."""
    half = np.abs(theta @ walk.steps.T) / 2
    tanh = np.tanh(np.minimum(half, 1.0))
    large = half + np.log1p(np.exp(-2.0 * half)) - np.log(2.0)
    # The second form would lose the digits of a small tilt.
    log_cosh = np.where(half < 1.0, -0.5 * np.log1p(-tanh * tanh), large)
    return np.asarray(log_cosh @ walk.counts)


def _log_scale(walk: Walk, theta: FloatArray, anchor: FloatArray) -> tuple[float, float]:
    """Return C(theta) - theta anchor, and a bound on its rounding error."""
    # Measured from the centre, where both terms are small.
    cumulant = float(_cumulant(walk, theta[None, :])[0])
    removed = float(theta @ (anchor - _centre(walk)))
    return cumulant - removed, 8.0 * float(np.finfo(np.float64).eps) * (cumulant + abs(removed))


def _interval(walk: Walk, angle: FloatArray, axis: int) -> tuple[int, int, int]:
    """Return first and stop of the window along an axis, and how many sides are not the walk's end.

    Beyond an open side the tilted law has mass below exp(-`_LOG_NEGLIGIBLE`).
    """
    low, high = int(walk.low[axis]), int(walk.high[axis])
    step = walk.steps[:, axis].astype(np.float64)
    sd = float(np.sqrt((walk.counts * step * step) @ (expit(angle) * expit(-angle))))
    if sd == 0.0:
        return low, high + 1, 0
    slopes = _SLOPES / sd
    upper, lower = (
        np.logaddexp(log_expit(-angle), log_expit(angle) + sign * np.outer(slopes, step))
        @ walk.counts
        for sign in (1.0, -1.0)
    )
    first = max(low, int(np.floor((-(lower + _LOG_NEGLIGIBLE) / slopes).max())))
    last = min(high, int(np.ceil(((upper + _LOG_NEGLIGIBLE) / slopes).min())))
    return first, last + 1, int(first > low) + int(last < high)


def _log_outer_rows(event: PlaneEvent, walk: Walk, theta: FloatArray, rows: range) -> float:
    """Return the logarithm of a bound on the event's probability in rows outside the window.

    `rows` leads away from the window. It is cut into blocks that grow with the distance. All of
    the event in a block lies to the right of where its lowest row enters, so Chernoff's bound at
    two corners of the block holds for it.
    """
    if not rows:
        return -np.inf
    ends = _growing_blocks(len(rows))
    near, far = rows.start + rows.step * ends[:-1], rows.start + rows.step * (ends[1:] - 1)
    entry = row_entry(event, walk, np.minimum(near, far))
    spread = expit(walk.steps @ theta) * expit(-(walk.steps @ theta))
    sd = float(np.sqrt((walk.counts * spread) @ walk.steps[:, 1] ** 2))
    slopes = rows.step * _SLOPES / max(sd, 1e-3)
    tilts = np.column_stack([np.full(len(slopes), theta[0]), theta[1] + slopes])
    corners = [tilts @ (np.column_stack([entry, row]) - _centre(walk)).T for row in (near, far)]
    bound = _cumulant(walk, tilts)[:, None] - np.minimum(*corners)
    bound[:, entry > walk.high[0]] = -np.inf
    return float(np.logaddexp.reduce(bound, axis=1).min())


def _growing_blocks(n_rows: int) -> IntArray:
    """Return where blocks of rows begin and the last one ends: single rows, then ever more."""
    growing = np.geomspace(1.0, n_rows + 1.0, _OUTER_BLOCKS).round().astype(np.int64) - 1
    return np.unique(growing)
