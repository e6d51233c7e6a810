"""Tail of the sign-flip null for real values off any grid: numerical inversion of the contour.

How many sign choices of arbitrary real numbers reach a sum is a knapsack count, so no quick method
can be exact in general. The tail is an integral of the tilted characteristic function along the
saddlepoint contour, and the trapezoidal rule on it is as good as the law is smooth. Errors arise
from four sources; the first two are bounded, the others estimated, hence ``certified=False``.

1. Mass that wraps around the period: Chernoff's inequality.
2. Nodes left out within the scanned range: bounded by their modulus, as on a lattice. Where a grid
   shows through, say many integers and a few odd values, it does so as peaks, which are evaluated.
3. Beyond the scanned range the function is almost periodic and does not decay. Its mean square is
   the probability that two sign choices give the same sum, which for values without rational
   relations is the product of the collision probabilities of the groups; its root is taken.
4. Values with hidden relations (a grid shifted by an odd `delta`, a difference of two grids) have
   heavier atoms, and values that all but lie on a grid have lumps narrower than the scanned range
   resolves. Both show when sums or differences of two sizes coincide, or lie closer together than
   a smooth law would put them. The share of such pairs, at least three in all pairs compared when
   none is seen, is scaled from pairs to the whole sum by the ratio of standard deviations.

The alternative, to round scores to a grid and bracket the sum, has a certified error, but one of
sqrt(N) steps, about 1e-3: it would hide that values are mostly good to nine digits or more.
"""

import math

import numpy as np
import numpy.typing as npt

from sigcore.grid import IntArray
from sigcore.permutation.tail import ScaledTail
from sigcore.permutation.tilting import (
    EPSILON,
    LOG_NEGLIGIBLE,
    Tilt,
    log_characteristic,
    one_minus_exp,
    tail_widths,
    tilt_to,
)
from sigcore.validation import FloatArray

__all__ = ["inversion_tail"]

_SCANNED = 1 << 13
_OVERSAMPLING = 8
_TAYLOR_TERMS = 6
_LOG_DROPPED = -46.0
_CHUNK = 1 << 18
_COMPARED = 128


def inversion_tail(
    sizes: FloatArray,
    counts: FloatArray,
    observed: float,
    deficit: float,
    *,
    log_atom: float,
    spacing: float = 0.0,
) -> ScaledTail:
    """Compute P(S >= observed) by numerical inversion.

    Parameters
    ----------
    sizes, counts : ndarray
        Distinct sizes, positive and ascending, and how often each occurs.
    observed, deficit : float
        The observed sum, not negative, and its distance from the largest sum.
    log_atom : float
        Logarithm of the probability of the sign choices known to give the observed sum: the
        observed one and those that only exchange items of equal size.
    spacing : float
        Distance of neighbouring sums when the values lie on a grid too fine for `lattice_tail`;
        0 for real values.
    """
    tilt = tilt_to(sizes, counts, observed, deficit)
    length, period = _window(sizes, counts, observed, tilt, spacing)
    unit = 2.0 * math.pi / period
    nodes = _relevant_nodes(sizes, counts, unit, tilt)
    tail = density = rounding = 0.0
    step = max(1, _CHUNK // sizes.size)
    for chunk in (nodes[start : start + step] for start in range(0, nodes.size, step)):
        frequency = chunk.astype(np.float64) * unit
        angles = np.multiply.outer(frequency, sizes)
        log_modulus, phase, turning = log_characteristic(angles, counts, tilt)
        twice = np.where(chunk == 0, 1.0, 2.0) / period
        masses = twice * np.exp(log_modulus + 1j * (phase - frequency * observed))
        kernel = _kernel(frequency, tilt.theta, length, spacing)
        tail += float((masses * kernel).real.sum())
        density += float(masses.real.sum())
        turning += frequency * observed + 8.0 - log_modulus
        rounding += 4.0 * EPSILON * float((np.abs(masses) * np.abs(kernel)) @ turning)
    atom = math.exp(log_atom - tilt.log_scale)
    point = max(density * spacing, atom)
    if observed == 0.0:
        tail = 0.5 * (1.0 + point)
    elif spacing == 0.0:
        # Fourier inversion counts half of a jump.
        tail += 0.5 * point
    left_out = 3.0 * math.exp(-LOG_NEGLIGIBLE) + 20.0 * math.exp(_LOG_DROPPED)
    resolution = period / _SCANNED
    unseen = math.sqrt(_collision(counts, tilt)) + _relations(sizes, tilt, resolution)
    error = (left_out + rounding + unseen) / tail + tilt.log_scale_error
    return ScaledTail(tail, point, tilt.log_scale, error, "inversion", certified=False)


def _window(
    sizes: FloatArray, counts: FloatArray, observed: float, tilt: Tilt, spacing: float
) -> tuple[float, float]:
    """Return how much of the tail counts and the period the law may be wrapped to."""
    below, above = tail_widths(sizes, counts, observed, tilt)
    length = above if tilt.theta * above <= LOG_NEGLIGIBLE else LOG_NEGLIGIBLE / tilt.theta
    if spacing:
        length = spacing * math.ceil(length / spacing)
    return length, max(length + below, above)


def _relevant_nodes(sizes: FloatArray, counts: FloatArray, unit: float, tilt: Tilt) -> IntArray:
    """Return the nodes, of those scanned, where the characteristic function is not negligible.

    Its log modulus is at most -sum(c sech^2 (1 - cos(2 w a))) / 4. The cosine sum is a Fourier
    transform of values off the grid: each is moved to the nearest grid point and the rest of its
    phase, at most pi / `_OVERSAMPLING`, is expanded in powers.
    """
    n_grid = _OVERSAMPLING * _SCANNED
    place = sizes * (unit / math.pi * n_grid)
    nearest = np.rint(place)
    position = (nearest % n_grid).astype(np.int64)
    rest = place - nearest
    weights = 0.25 * counts * tilt.sech2
    nodes = np.arange(_SCANNED)
    turn = (-2j * math.pi / n_grid) * nodes
    bound = np.zeros(_SCANNED, dtype=np.complex128)
    factor = np.ones(_SCANNED, dtype=np.complex128)
    for power in range(_TAYLOR_TERMS):
        moments = np.fft.rfft(np.bincount(position, weights * rest**power, n_grid))
        bound += factor * moments[:_SCANNED]
        factor *= turn / (power + 1)
    total = float(weights.sum())
    slack = total * (math.pi / _OVERSAMPLING) ** _TAYLOR_TERMS / math.factorial(_TAYLOR_TERMS)
    return np.flatnonzero(bound.real > total + _LOG_DROPPED - slack)


def _kernel(
    frequency: FloatArray, theta: float, length: float, spacing: float
) -> npt.NDArray[np.complex128]:
    """Return the transform of exp(-theta y) on [0, length), or of its sum over the grid."""
    if theta == 0.0:
        return np.ones(frequency.size, dtype=np.complex128)
    ends = one_minus_exp(theta * length, frequency * length)
    if spacing:
        return spacing * ends / one_minus_exp(theta * spacing, frequency * spacing)
    return ends / (theta + 1j * frequency)


def _collision(counts: FloatArray, tilt: Tilt) -> float:
    """Return the probability that two sign choices agree in how many of each group are positive.

    For one item it is (1 + tanh^2) / 2; for c items about 1 / sqrt(1 + 3 c sech^2).
    """
    single = np.log(0.5 + 0.5 * tilt.tanh**2)
    several = -0.5 * np.log1p(3.0 * counts * tilt.sech2)
    return math.exp(float(np.where(counts > 1.0, several, single).sum()))


def _relations(sizes: FloatArray, tilt: Tilt, resolution: float) -> float:
    """Estimate the mass of an atom, or of a lump too narrow for the scanned range to resolve.

    Sums and differences of two sizes stand for the whole sum. Pairs of them that coincide, or lie
    closer together than a smooth law would put them, show an atom or a lump.
    """
    chosen = sizes[np.unique(np.linspace(0, sizes.size - 1, _COMPARED).astype(np.int64))]
    first, second = np.triu_indices(chosen.size, 1)
    sums = np.sort(np.concatenate([chosen[first] + chosen[second], chosen[second] - chosen[first]]))
    if sums.size < 2:
        return 1.0
    spread = math.sqrt(2.0 * float((chosen**2).mean())) / tilt.sd
    finest = 8.0 * EPSILON * float(sums[-1])
    n_scales = max(1, round(math.log10(max(resolution * spread, finest) / finest)))
    close = np.array([_n_close(sums, finest * 10.0**k) for k in range(n_scales + 1)], dtype=float)
    # In a smooth law ten times the distance has ten times the pairs, give or take their root.
    excess = close[:-1] - 0.1 * close[1:] - 4.0 * np.sqrt(close[:-1])
    n_compared = 0.5 * sums.size * (sums.size - 1)
    share = max(float(close[0]) + 3.0, float(excess.max())) / max(n_compared, 3.0)
    return min(1.0, share * spread)


def _n_close(ordered: FloatArray, distance: float) -> int:
    """Count the pairs of ordered values that are at most `distance` apart."""
    reach = np.searchsorted(ordered, ordered + distance, side="right")
    return int(reach.sum()) - ordered.size * (ordered.size + 1) // 2
