"""The tilted characteristic function of a plane walk, at the few frequencies that matter.

On a period of W1 x W2 lattice points the law is a sum over W1 x W2 frequencies. The function is a
product over the distinct moves and dies off so fast that of millions of frequencies a thousand or
two matter; they are found by quartering the frequency plane and discarding every block on which
a bound of the modulus is negligible.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.errors import MemoryLimitError
from sigcore.grid import IntArray
from sigcore.permutation.plane_tilt import TiltedWindow
from sigcore.permutation.plane_walk import Walk
from sigcore.validation import FloatArray

__all__ = ["Spectrum", "chunks", "make_spectrum"]

ComplexArray = npt.NDArray[np.complex128]

_EPSILON = float(np.finfo(np.float64).eps)
# A frequency whose modulus is below exp(-45) = 3e-20 is left out, and counted as left out.
_LOG_MODULUS = -45.0
# Units in the last place for the transform and the sum over rows.
_ROUNDINGS = 16.0
_CHUNK = 1 << 19
_STEPS_AT_ONCE = 32
_BLOCK_BYTES = 100.0
_SAMPLE = 1024


@dataclass(frozen=True, slots=True)
class Spectrum:
    """The significant part of the characteristic function, transformed along the rows.

    Attributes
    ----------
    periods : tuple of int
        W1 and W2.
    columns : ndarray of int
        The frequencies l1 that matter, ascending from 0.
    rows : ndarray of complex, shape (n_columns, W2)
        G / (W1 W2), with frequencies l1 > 0 counted twice.
    rounding : ndarray, shape (n_columns,)
        Allowance for the rounding error of each value of `rows`.
    dropped : float
        Sum of the moduli left out, divided by W1 W2.
    """

    periods: tuple[int, int]
    columns: IntArray
    rows: ComplexArray
    rounding: FloatArray
    dropped: float


def make_spectrum(walk: Walk, window: TiltedWindow, *, max_memory: float) -> Spectrum:
    """Evaluate the tilted characteristic function on the frequencies of a window.

    Parameters
    ----------
    walk : Walk
        The walk.
    window : TiltedWindow
        Its tilt, and the box whose sides become the periods.
    max_memory : float
        Bytes that may be used.

    Raises
    ------
    MemoryLimitError
        If too many frequencies matter.
    """
    width, height = (stop - first for first, stop in zip(window.first, window.stop, strict=True))
    # With an odd period, 0 is the only frequency that is its own mirror image.
    periods = (width + 1 - width % 2, height)
    cells = float(periods[0]) * periods[1]
    # Roots of unity, and some ten numbers for each row.
    _check_memory(32.0 * periods[0] + 100.0 * periods[1], max_memory)
    _check_sample(walk, window, periods, max_memory)
    l1, l2, dropped = _significant(walk, window, periods, max_memory)
    columns, place = np.unique(l1, return_inverse=True)
    _check_memory(3.0 * 16.0 * len(columns) * height, max_memory)
    rows = np.zeros((len(columns), height), dtype=np.complex128)
    twice = np.where(l1 == 0, 1.0, 2.0) / cells
    values, errors = _characteristic(walk, window, periods, l1, l2)
    rows[place, l2] = twice * values
    rounding = np.bincount(place, weights=twice * errors).astype(np.float64)
    return Spectrum(periods, columns, np.fft.fft(rows, axis=1), rounding, dropped / cells)


def _check_sample(
    walk: Walk, window: TiltedWindow, periods: tuple[int, int], max_memory: float
) -> None:
    """Refuse before the search if a large part of all frequencies matters."""
    limits = (periods[0] // 2 + 1, periods[1])
    # The plastic number's sequence spreads evenly over the square.
    share = np.outer([0.7548776662466927, 0.5698402909980532], np.arange(1, _SAMPLE + 1)) % 1.0
    l1, l2 = ((part * limit).astype(np.int64) for part, limit in zip(share, limits, strict=True))
    alive = _log_modulus(walk, window, periods, l1, l2, (1, 1)) > _LOG_MODULUS
    _check_memory(float(alive.mean()) * limits[0] * limits[1] * _BLOCK_BYTES, max_memory)


def _check_memory(needed: float, max_memory: float) -> None:
    if needed > max_memory:
        raise MemoryLimitError(
            f"the exact test would need about {needed / 1e9:.1f} GB, more than `max_memory` "
            f"({max_memory / 1e9:.1f} GB); use method='monte-carlo' or raise `max_memory`."
        )


def _significant(
    walk: Walk, window: TiltedWindow, periods: tuple[int, int], max_memory: float
) -> tuple[IntArray, IntArray, float]:
    """Return the frequencies (l1, l2), l1 up to half its period, that matter, and the summed rest.

    Blocks of frequencies are quartered until they are single or negligible as a whole.
    """
    limits = (periods[0] // 2 + 1, periods[1])
    size_1, size_2 = (1 << max(0, (limit - 1).bit_length() - 6) for limit in limits)
    grid = np.meshgrid(np.arange(0, limits[0], size_1), np.arange(0, limits[1], size_2))
    l1, l2 = grid[0].ravel(), grid[1].ravel()
    dropped = 0.0
    while True:
        log_modulus = _log_modulus(walk, window, periods, l1, l2, (size_1, size_2))
        keep = log_modulus > _LOG_MODULUS
        dropped += 2.0 * size_1 * size_2 * float(np.exp(log_modulus[~keep]).sum())
        l1, l2 = l1[keep], l2[keep]
        if size_1 == size_2 == 1:
            return l1, l2, dropped
        _check_memory(4.0 * _BLOCK_BYTES * len(l1), max_memory)
        size_1, size_2, old = max(1, size_1 // 2), max(1, size_2 // 2), (size_1, size_2)
        corners = [(x, y) for x in range(0, old[0], size_1) for y in range(0, old[1], size_2)]
        l1 = np.concatenate([l1 + x for x, _ in corners])
        l2 = np.concatenate([l2 + y for _, y in corners])
        inside = (l1 < limits[0]) & (l2 < limits[1])
        l1, l2 = l1[inside], l2[inside]


def _log_modulus(
    walk: Walk,
    window: TiltedWindow,
    periods: tuple[int, int],
    l1: IntArray,
    l2: IntArray,
    size: tuple[int, int],
) -> FloatArray:
    """Bound the log modulus of the characteristic function on blocks of frequencies.

    A step k contributes log(1 - 4 p (1 - p) sin^2(half angle)) / 2. The half angle differs from
    that at the centre of the block by at most `radius`, and sin^2 grows with the distance from
    the next multiple of pi. No step adds to the modulus, so a block is left as soon as some of
    the steps make it negligible.
    """
    half = np.array([(size[0] - 1) / 2, (size[1] - 1) / 2])
    spread = 4.0 * window.taken * window.left
    order = np.argsort(-(walk.counts * spread), kind="stable")
    bound, alive = np.zeros(len(l1)), np.arange(len(l1))
    for start in range(0, len(order), _STEPS_AT_ONCE):
        some = order[start : start + _STEPS_AT_ONCE]
        steps = walk.steps[some] / np.array(periods)
        radius = np.pi * (np.abs(steps) @ half)
        for part in chunks(len(alive), len(some)):
            block = alive[part]
            turns = np.column_stack([l1[block] + half[0], l2[block] + half[1]]) @ steps.T
            turns -= np.round(turns)
            distance = np.maximum(np.pi * np.abs(turns) - radius, 0.0)
            bound[block] += _log_loss(spread[some], distance) @ walk.counts[some]
        alive = alive[bound[alive] > _LOG_MODULUS]
    return bound


def _log_loss(spread: FloatArray, half_angle: FloatArray) -> FloatArray:
    loss = np.sin(half_angle)
    loss *= loss
    loss *= spread
    # A modulus of exactly 0 would be -inf; 1e-8 is an upper bound.
    np.minimum(loss, 1.0 - _EPSILON, out=loss)
    np.log1p(np.negative(loss, out=loss), out=loss)
    loss *= 0.5
    return loss


def _characteristic(
    walk: Walk, window: TiltedWindow, periods: tuple[int, int], l1: IntArray, l2: IntArray
) -> tuple[ComplexArray, FloatArray]:
    """Return the tilted characteristic function, its origin moved to the corner of the window.

    And an allowance for its rounding error and that of the transform. Phases are multiplied by
    the counts, and so are their errors, which are independent between steps.
    """
    steps, weights = walk.steps.astype(np.float64), walk.counts * window.taken
    mean = weights @ steps
    centre = np.round(mean).astype(np.int64)
    values, errors = np.empty(len(l1), dtype=np.complex128), np.empty(len(l1))
    for part in chunks(len(l1), 4 * len(steps)):
        signed = l2[part] - np.where(2 * l2[part] > periods[1], periods[1], 0)
        share = np.column_stack([l1[part] / periods[0], signed / periods[1]])
        turns = share @ steps.T
        whole = np.round(turns)
        angles = 2.0 * np.pi * (turns - whole)
        log_modulus, phase = _log_factor(window, angles)
        # Phases are taken relative to the mean, where they are small and precise.
        rest = share @ (mean - centre) - (whole @ weights) % 1.0
        rest += (l1[part] * (centre[0] - window.first[0])) % periods[0] / periods[0]
        rest += (l2[part] * (centre[1] - window.first[1])) % periods[1] / periods[1]
        total = phase @ walk.counts + 2.0 * np.pi * rest
        values[part] = np.exp(log_modulus @ walk.counts + 1j * total)
        # An angle errs in proportion to the turns taken, also the whole ones.
        errors[part] = 4.0 * np.pi * np.sqrt((turns * turns) @ (weights * weights)) + _ROUNDINGS
    return values, _EPSILON * errors * np.abs(values)


def _log_factor(window: TiltedWindow, angle: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return log modulus, and phase less that of the mean, of q + p exp(i angle)."""
    real = window.left + window.taken * np.cos(angle)
    imaginary = window.taken * np.sin(angle)
    near_one = _log_loss(4.0 * window.taken * window.left, angle / 2)
    square = np.maximum(real * real + imaginary * imaginary, 1e-300)
    # Near 1 only the first form is precise, near 0 only the second.
    log_modulus = np.where(square > 0.5, near_one, 0.5 * np.log(square))
    return log_modulus, np.arctan2(imaginary, real) - window.taken * angle


def chunks(length: int, width: int) -> list[slice]:
    """Cut `length` rows of `width` numbers into parts of bounded size."""
    size = max(1, _CHUNK // width)
    return [slice(start, start + size) for start in range(0, length, size)]
