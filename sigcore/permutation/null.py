"""The sign-flip null distribution itself, for plots and for any other statistic of it."""

import math
from dataclasses import dataclass

import numpy as np

from sigcore.grid import IntArray
from sigcore.permutation.lattice_inversion import (
    fast_length,
    group_sizes,
    node_angles,
    relevant_nodes,
)
from sigcore.permutation.tilting import log_characteristic, tail_widths, tilt_to
from sigcore.validation import FloatArray

__all__ = ["NullDistribution", "null_distribution"]

# Real values are rounded to this part of their root mean square.
_FINENESS = 64
_MAX_STATES = 1 << 22
_CHUNK = 1 << 18


@dataclass(frozen=True, slots=True)
class NullDistribution:
    """Law of the signed sum under random sign flips.

    Attributes
    ----------
    support : ndarray
        Values of the statistic, equally spaced and ascending.
    pmf : ndarray
        Their probabilities. What lies beyond the support has a probability below 1e-17.
    exact : bool
        False if differences were rounded to a grid for this, as real values must be; each by at
        most 1/128 of their root mean square, which no plot shows.
    """

    support: FloatArray
    pmf: FloatArray
    exact: bool


def null_distribution(
    differences: IntArray | FloatArray, *, scale: float = 1.0, shift: float = 0.0
) -> NullDistribution:
    """Compute the law of the signed sum of differences, times `scale`, plus `shift`.

    Integers give the law itself. Real values, and integers with too many sums, are rounded to a
    grid first.

    Examples
    --------
    >>> law = null_distribution(np.array([1, 2]))
    >>> law.support.tolist(), law.pmf.round(12).tolist()
    ([-3.0, -1.0, 1.0, 3.0], [0.25, 0.25, 0.25, 0.25])
    """
    values = differences.astype(np.float64)
    # Scaled by the largest, squares do not overflow.
    largest = float(np.abs(values).max()) or 1.0
    norm = largest * math.sqrt(float(np.square(values / largest).sum()))
    spread = min(20.0 * norm, largest * float(np.abs(values / largest).sum()))
    exact = differences.dtype.kind == "i" and spread < _MAX_STATES
    unit = 1.0
    if not exact and np.any(values):
        unit = norm / math.sqrt(np.count_nonzero(values)) / _FINENESS
    sums, pmf = _lattice_law(np.rint(values / unit).astype(np.int64))
    return NullDistribution(shift + scale * unit * sums.astype(np.float64), pmf, bool(exact))


def _lattice_law(differences: IntArray) -> tuple[IntArray, FloatArray]:
    """Return the sums and their probabilities: the untilted law, transformed back as a whole."""
    values, counts = group_sizes(differences)
    if not values.size:
        return np.zeros(1, dtype=np.int64), np.ones(1)
    common = int(np.gcd.reduce(values))
    values = values // common
    total = int(values @ counts)
    weights = counts.astype(np.float64)
    tilt = tilt_to(values.astype(np.float64), weights, 0.0, float(total))
    width = tail_widths(values.astype(np.float64), weights, 0.0, tilt)[1]
    # Sums keep the parity of the largest one, so neighbours are 2 apart.
    half = min(total // 2, math.ceil(width / 2.0))
    lowest, n_states = -(2 * half + total % 2), 2 * half + 1 + total % 2
    n_nodes = fast_length(n_states)
    nodes = relevant_nodes(values, weights, n_nodes, tilt)
    spectrum = np.zeros(n_nodes // 2 + 1, dtype=np.complex128)
    size = max(1, _CHUNK // values.size)
    for chunk in (nodes[start : start + size] for start in range(0, nodes.size, size)):
        angles = node_angles(chunk, values, n_nodes)
        log_modulus, phase, _ = log_characteristic(angles, weights, tilt)
        phase += chunk * lowest % (2 * n_nodes) * (math.pi / n_nodes)
        spectrum[chunk] = np.exp(log_modulus + 1j * phase)
    pmf = np.maximum(np.fft.irfft(spectrum, n_nodes)[:n_states], 0.0)
    return common * (lowest + 2 * np.arange(n_states)), pmf
