"""The sign-flip null, tilted towards the observed sum.

S = sum of e_i d_i with fair signs e_i. Items of equal size, the absolute value of d, form a group:
`values` holds the distinct sizes a_g, `counts` how often each occurs. The cumulant function is
K(theta) = sum c_g log cosh(theta a_g). Under the law tilted by theta an item is positive with
probability (1 + tanh(theta a)) / 2, and

    P(S = s + y) = exp(K(theta) - theta s) exp(-theta y) Q(S = s + y).

With theta at the saddlepoint, K'(theta) = s, the tilted law Q is centred on the observed sum, so
no far tail is left to compute.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.validation import FloatArray

__all__ = [
    "EPSILON",
    "LOG_NEGLIGIBLE",
    "Tilt",
    "log_characteristic",
    "one_minus_exp",
    "tail_widths",
    "tilt_to",
]

EPSILON = float(np.finfo(np.float64).eps)
# exp(-41.4) = 1e-18: mass left out of a window, relative to the tilted law.
LOG_NEGLIGIBLE = 41.4

_LOG_2 = math.log(2.0)
_MAX_ITERATIONS = 100
# The tilted mean may miss the observed sum by this many standard deviations: the identity above
# holds for every theta, a centred law only makes it well conditioned.
_CENTRED = 0.01
_CHERNOFF_SLOPES = 9.1 * np.array([1.0, 0.5, 0.25, 0.125])


@dataclass(frozen=True, slots=True)
class Tilt:
    """The tilted law of a sign-flip sum.

    Attributes
    ----------
    theta : float
        The tilt.
    tanh, sech2 : ndarray
        tanh and squared sech of theta times each group's value.
    sd : float
        Standard deviation of S under the tilted law.
    log_scale : float
        K(theta) - theta s, the logarithm of the factor that undoes the tilt.
    log_scale_error : float
        Bound on the rounding error of `log_scale`.
    """

    theta: float
    tanh: FloatArray
    sech2: FloatArray
    sd: float
    log_scale: float
    log_scale_error: float


def tilt_to(values: FloatArray, counts: FloatArray, observed: float, deficit: float) -> Tilt:
    """Tilt the law of S so that its mean is the observed sum.

    Parameters
    ----------
    values, counts : ndarray
        Distinct sizes, all positive and ascending, and how often each occurs.
    observed : float
        The observed sum, not negative.
    deficit : float
        How far it is from the largest possible sum; positive.

    Notes
    -----
    Newton's method on atanh(K'(theta) / T) = atanh(s / T), T the largest sum, which is linear in
    theta when all values are equal and stays close to it otherwise. The root lies between
    atanh(s / T) / max(a) and atanh(s / T) / min(a); a step that leaves the bracket is replaced by
    its geometric middle.
    """
    mass = counts * values
    square = mass * values
    total = observed + deficit
    target = 0.5 * math.log((total + observed) / deficit)
    low, high = target / float(values[-1]), target / float(values[0])
    theta = target * total / float(square.sum())
    for _ in range(_MAX_ITERATIONS):
        twice = np.exp(-2.0 * theta * values)
        one_plus = 1.0 + twice
        tanh = -np.expm1(-2.0 * theta * values) / one_plus
        sech2 = 4.0 * twice / (one_plus * one_plus)
        mean, variance = math.fsum(mass * tanh), float(square @ sech2)
        left = 2.0 * math.fsum(mass * (twice / one_plus))
        # The smaller of the two forms has the smaller rounding error.
        residual = mean - observed if observed < deficit else deficit - left
        if residual * residual <= _CENTRED * _CENTRED * variance:
            break
        low, high = (theta, high) if residual < 0.0 else (low, theta)
        theta = _newton_step(theta, target, mean, left, variance, low, high)
    log_scale = math.fsum(counts * _entropy_term(theta * values, twice, tanh)) + theta * residual
    error = 4.0 * EPSILON * (abs(log_scale) + theta * min(observed, deficit) + 1.0)
    return Tilt(theta, tanh, sech2, math.sqrt(variance), log_scale, error)


def tail_widths(
    values: FloatArray, counts: FloatArray, observed: float, tilt: Tilt
) -> tuple[float, float]:
    """Return how far below and above the observed sum the tilted law has mass worth counting.

    By Chernoff's bound each side beyond holds less than exp(-`LOG_NEGLIGIBLE`) of the tilted law.
    Every slope gives a valid bound; the best of a few is taken.
    """
    slopes = _CHERNOFF_SLOPES / tilt.sd
    arguments = np.concatenate([tilt.theta - slopes, tilt.theta + slopes, [tilt.theta]])
    cumulants = _log_cosh(np.multiply.outer(arguments, values)) @ counts
    below, above = (cumulants[:-1] - cumulants[-1]).reshape(2, -1)
    lower = (below + LOG_NEGLIGIBLE) / slopes + observed
    upper = (above + LOG_NEGLIGIBLE) / slopes - observed
    return float(lower.min()), float(upper.min())


def log_characteristic(
    angles: FloatArray, counts: FloatArray, tilt: Tilt
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return log modulus, phase and total turning of the tilted characteristic function.

    Parameters
    ----------
    angles : ndarray of shape (nodes, groups)
        Frequency times value.
    counts : ndarray of shape (groups,)
        How often each value occurs.
    tilt : Tilt
        The tilted law.

    Notes
    -----
    The factor of a group is (cos + i tanh(theta a) sin) ** c. Its squared modulus is
    1 - sech^2 sin^2, taken by log1p near 1 so that large counts do not blow up rounding errors.
    The turning is the sum of absolute phases, to which the rounding error is proportional.
    """
    sine, cosine = np.sin(angles), np.cos(angles)
    loss = sine * sine * tilt.sech2
    rotated = tilt.tanh * sine
    log_square = np.log(cosine * cosine + rotated * rotated)
    near_one = loss < 0.1
    log_square[near_one] = np.log1p(-loss[near_one])
    phases = np.arctan2(rotated, cosine)
    return 0.5 * (log_square @ counts), phases @ counts, np.abs(phases) @ counts


def one_minus_exp(decay: float, angles: FloatArray) -> npt.NDArray[np.complex128]:
    """Return 1 - exp(-decay - i angle) without cancellation near 0."""
    factor = math.exp(-decay)
    real = -math.expm1(-decay) + 2.0 * factor * np.sin(0.5 * angles) ** 2
    return real + 1j * factor * np.sin(angles)


def _newton_step(
    theta: float,
    target: float,
    mean: float,
    left: float,
    variance: float,
    low: float,
    high: float,
) -> float:
    if left > 0.0 and variance > 0.0:
        total = mean + left
        reached = 0.5 * math.log((total + mean) / left)
        proposal = theta + (target - reached) * left * (total + mean) / (total * variance)
        if low < proposal < high:
            return proposal
    return math.sqrt(low * high)


def _entropy_term(angle: FloatArray, twice: FloatArray, tanh: FloatArray) -> FloatArray:
    """Return log cosh y - y tanh y, which lies between -log 2 and 0, without cancellation."""
    small = -0.5 * np.log1p(-(np.minimum(tanh, 0.9) ** 2)) - angle * tanh
    large = angle * (2.0 * twice / (1.0 + twice)) + np.log1p(twice) - _LOG_2
    return np.where(angle < 1.0, small, large)


def _log_cosh(angle: FloatArray) -> FloatArray:
    size = np.abs(angle)
    result: FloatArray = size + np.log1p(np.exp(-2.0 * size)) - _LOG_2
    return result
