"""Tail of the sign-flip null for integers: tilt, then invert once, at the few nodes that matter.

With X = (S + T) / 2, T the sum of sizes, the tilted law of X lives on the integers. Modulo M its
probabilities are a finite Fourier sum of the characteristic function at M nodes, and the tail,
a geometrically weighted sum of them, is a Fourier sum as well: no transform back is needed. Most
nodes contribute nothing. One real FFT of the histogram of sizes bounds the modulus at all of them,
and only the few dozen above the bound are evaluated. The cost is that of one FFT of about twenty
standard deviations, which grows like sqrt(N) log N, and a few dozen times the number of groups.

What is left out is bounded: mass that wraps around modulo M by Chernoff's inequality, dropped
nodes by their modulus. Both are part of the error reported. Where few items are left to flip,
counting subsets is faster and exact, and replaces the inversion.
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

__all__ = [
    "MAX_NODES",
    "count_tail",
    "fast_length",
    "group_sizes",
    "lattice_tail",
    "node_angles",
    "relevant_nodes",
]

# 2^22 nodes: a quarter of a second and 100 MB.
MAX_NODES = 1 << 22

_LOG_2 = math.log(2.0)
_LOG_DROPPED = -46.0
_CHUNK = 1 << 18
_ERROR_AIM = 1e-12
# A float holds numbers below 2^1024, so subsets of this many items can be counted.
_RESCALED = 1000
# Measured seconds: adding one item to one state, calling for it, one group's factor at one node.
_STATE, _ITEM, _FACTOR = 1.0e-9, 2.5e-6, 5.0e-8
_QUICK, _PATIENT = 2.0e-4, 1.0


def lattice_tail(values: IntArray, counts: IntArray, observed: int) -> ScaledTail | None:
    """Compute P(S >= observed) and P(S = observed) for integer sizes.

    Parameters
    ----------
    values, counts : ndarray
        Distinct sizes, positive, ascending, without a common factor, and how often each occurs.
    observed : int
        A sum that some choice of signs attains, not negative.

    Returns
    -------
    ScaledTail or None
        None when the window is too wide for `MAX_NODES` nodes and counting would take too long.
    """
    deficit = (int(values @ counts) - observed) // 2
    counting = _counting_seconds(values, counts, deficit)
    if counting <= _QUICK:
        return count_tail(values, counts, deficit)
    sizes, weights = values.astype(np.float64), counts.astype(np.float64)
    tilt = tilt_to(sizes, weights, float(observed), 2.0 * deficit)
    n_terms, n_nodes = _window(sizes, weights, observed, deficit, tilt)
    if n_nodes <= MAX_NODES:
        nodes = relevant_nodes(values, weights, n_nodes, tilt)
        if nodes.size * values.size * _FACTOR < max(counting, _QUICK):
            result = _invert(values, weights, observed, tilt, nodes, n_terms, n_nodes)
            if result.error - tilt.log_scale_error <= _ERROR_AIM or counting > _PATIENT:
                return result
    return count_tail(values, counts, deficit) if counting <= _PATIENT else None


def group_sizes(differences: IntArray) -> tuple[IntArray, IntArray]:
    """Return the distinct absolute values above 0, ascending, and how often each occurs."""
    sizes = np.abs(differences)
    if int(sizes.max()) <= 4 * sizes.size + 65536:
        histogram = np.bincount(sizes)
        values = np.flatnonzero(histogram[1:]) + 1
        return values, histogram[values]
    values, counts = np.unique(sizes, return_counts=True)
    return values[values > 0], counts[values > 0]


def count_tail(values: IntArray, counts: IntArray, deficit: int) -> ScaledTail:
    """Count the sign choices that reach the observed sum, one item after another.

    P(S >= s) is the share of subsets, to be made negative, whose sizes add up to at most
    `deficit`, half the distance of s from the largest sum. States beyond are dropped without
    loss, and only positive numbers are added: exact below 2^53, good to a few eps above.
    """
    n_items = int(counts.sum())
    within = int(np.searchsorted(values, deficit, side="right"))
    items = np.repeat(values[:within], counts[:within]).tolist()
    ways = np.zeros(deficit + 1)
    ways[0] = 1.0
    exponent = -n_items
    for start in range(0, len(items), _RESCALED):
        for value in items[start : start + _RESCALED]:
            ways[value:] += ways[:-value]
        # The largest number is at most 2^_RESCALED, and is brought back to 1 unless all fit.
        shift = math.frexp(float(ways.max()))[1] if len(items) > _RESCALED else 0
        ways, exponent = np.ldexp(ways, -shift), exponent + shift
    tail, point = float(ways.sum()), float(ways[-1])
    error = 0.0 if tail < 2.0**53 and len(items) <= _RESCALED else EPSILON * (len(items) + 64.0)
    if exponent >= -_RESCALED:
        tail, point, exponent = math.ldexp(tail, exponent), math.ldexp(point, exponent), 0
    error -= EPSILON * exponent
    return ScaledTail(tail, point, exponent * _LOG_2, error, "count")


def fast_length(minimum: int) -> int:
    """Return an even length of at least `minimum` that the FFT handles fast."""
    candidates = []
    for odd in (1, 3, 5, 9, 15):
        quotient = -(-minimum // odd)
        candidates.append(odd << max(1, (quotient - 1).bit_length()))
    return min(candidates)


def relevant_nodes(values: IntArray, weights: FloatArray, n_nodes: int, tilt: Tilt) -> IntArray:
    """Return the nodes where the characteristic function may exceed exp(`_LOG_DROPPED`).

    With y = sech^2 sin^2, log(1 - y) <= -y - y^2 / 2, and both terms are cosine sums.
    """
    first = weights * (tilt.sech2 / 4.0 + tilt.sech2**2 / 8.0)
    second = weights * tilt.sech2**2 / -32.0
    positions = np.concatenate([values, 2 * values]) % n_nodes
    histogram = np.bincount(positions, np.concatenate([first, second]), n_nodes)
    bound = np.fft.rfft(histogram).real
    return np.flatnonzero(bound > bound[0] + _LOG_DROPPED)


def node_angles(nodes: IntArray, values: IntArray, n_nodes: int) -> FloatArray:
    """Return half the frequency of each node times each value, modulo a full turn.

    Reduced as integers, since sines of large floats would lose digits.
    """
    turns = np.multiply.outer(nodes, values) % (2 * n_nodes)
    return turns.astype(np.float64) * (math.pi / n_nodes)


def _counting_seconds(values: IntArray, counts: IntArray, deficit: int) -> float:
    n_items = int(counts[: np.searchsorted(values, deficit, side="right")].sum())
    return n_items * (_ITEM + _STATE * deficit)


def _window(
    sizes: FloatArray, weights: FloatArray, observed: int, deficit: int, tilt: Tilt
) -> tuple[int, int]:
    """Return how many terms of the tail count and modulo how much X may be taken."""
    below, above = tail_widths(sizes, weights, float(observed), tilt)
    lower = min(math.ceil(below / 2.0), observed + deficit)
    upper = min(math.ceil(above / 2.0), deficit)
    decay = 2.0 * tilt.theta
    last = upper if decay * upper <= LOG_NEGLIGIBLE else math.ceil(LOG_NEGLIGIBLE / decay)
    # What lies `lower` below must not wrap onto the last term, nor what lies `upper` above onto 0.
    return last + 1, fast_length(max(last + lower, upper) + 1)


def _invert(
    values: IntArray,
    weights: FloatArray,
    observed: int,
    tilt: Tilt,
    nodes: IntArray,
    n_terms: int,
    n_nodes: int,
) -> ScaledTail:
    tail = point = rounding = 0.0
    size = max(1, _CHUNK // values.size)
    for chunk in (nodes[start : start + size] for start in range(0, nodes.size, size)):
        angles = node_angles(chunk, values, n_nodes)
        log_modulus, phase, turning = log_characteristic(angles, weights, tilt)
        phase -= chunk * observed % (2 * n_nodes) * (math.pi / n_nodes)
        twice = np.where((chunk == 0) | (2 * chunk == n_nodes), 1.0, 2.0)
        masses = twice * np.exp(log_modulus + 1j * phase)
        sums = _geometric_sums(chunk, 2.0 * tilt.theta, n_terms, n_nodes)
        tail += float((masses * sums).real.sum())
        point += float(masses.real.sum())
        size_of_terms = np.abs(masses) * np.abs(sums)
        rounding += 4.0 * EPSILON * float(size_of_terms @ (turning + 8.0 - log_modulus))
    tail, point, rounding = tail / n_nodes, point / n_nodes, rounding / n_nodes
    # The observed sum has at least one sign choice, however small beside its neighbours.
    point = max(point, math.exp(-_LOG_2 * float(weights.sum()) - tilt.log_scale))
    if observed == 0:
        tail = 0.5 * (1.0 + point)
    left_out = 3.0 * math.exp(-LOG_NEGLIGIBLE) + 2.0 * math.exp(_LOG_DROPPED + 1.0) * math.log(
        4.0 * n_nodes
    )
    error = (left_out + rounding) / tail + tilt.log_scale_error
    return ScaledTail(tail, point, tilt.log_scale, error, "lattice")


def _geometric_sums(
    nodes: IntArray, decay: float, n_terms: int, n_nodes: int
) -> npt.NDArray[np.complex128]:
    """Return, for each node, the sum over j < n_terms of exp(-(decay + i angle) j)."""
    if decay == 0.0:
        return np.ones(nodes.size, dtype=np.complex128)
    unit = 2.0 * math.pi / n_nodes
    last = (nodes * n_terms % n_nodes).astype(np.float64) * unit
    first = nodes.astype(np.float64) * unit
    return one_minus_exp(decay * n_terms, last) / one_minus_exp(decay, first)
