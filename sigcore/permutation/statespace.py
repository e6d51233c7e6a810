"""The joint law of several additive integer functions under random swaps, without approximation.

A state is K = sum of B_g k_g, B_g ~ Binomial(counts_g, 1/2), for steps k_g with any number of
coordinates. A box of states is numbered row by row, so that a step with several coordinates
becomes a shift by one number and the convolution of m-dimensional laws one of vectors. All terms
are positive: nothing cancels, and each probability keeps its relative accuracy.
"""

import math

import numpy as np

from sigcore.errors import MemoryLimitError
from sigcore.grid import IntArray
from sigcore.validation import FloatArray

__all__ = ["box_shape", "dense_law", "joint_law", "sparse_law"]

# Scaling by powers of two is exact; so many doublings at a time stay far from overflow.
_DOUBLINGS = 256
_DENSE_BYTES = 24.0
_SPARSE_BYTES = 64.0
# A state found by sorting costs about as much as this many shifted cells.
_SORT_COST = 32.0


def box_shape(steps: IntArray, counts: IntArray) -> tuple[int, ...]:
    """Return the number of values between the smallest and the largest, for each coordinate."""
    return tuple((counts @ np.abs(steps) + 1).tolist())


def dense_law(steps: IntArray, counts: IntArray) -> FloatArray:
    """Return the probability of every state of the box, by adding one item at a time.

    Parameters
    ----------
    steps : ndarray of int, shape (n_groups, m)
        Distinct moves; the first entry that is not 0 must be positive.
    counts : ndarray of int, shape (n_groups,)
        How many items make each move.

    Returns
    -------
    ndarray, shape `box_shape(steps, counts)`
        Index 0 of a coordinate is its smallest value, ``counts @ min(steps, 0)``.

    Notes
    -----
    This is convolve_DP of Zmigrod, Vieira and Cotterell (2022), Algorithm 3, in m dimensions.
    """
    shape = box_shape(steps, counts)
    strides, first = _numbering(steps, counts)
    law = np.zeros(math.prod(shape))
    law[first] = 1.0
    stop, doublings = first + 1, 0
    for shift in np.repeat(steps @ strides, counts).tolist():
        law[first + shift : stop + shift] += law[first:stop]
        stop, doublings = stop + shift, doublings + 1
        if doublings == _DOUBLINGS:
            law[first:stop] *= 2.0**-_DOUBLINGS
            doublings = 0
    law[first:stop] *= 2.0**-doublings
    return law.reshape(shape)


def sparse_law(steps: IntArray, counts: IntArray) -> tuple[IntArray, FloatArray]:
    """Return the reachable states and their probabilities; parameters as for `dense_law`."""
    strides, first = _numbering(steps, counts)
    keys: IntArray = np.array([first])
    law: FloatArray = np.ones(1)
    for shift, count in zip((steps @ strides).tolist(), counts.tolist(), strict=True):
        # Integers of any size divide with one rounding.
        binomial = [math.comb(count, k) / (1 << count) for k in range(count + 1)]
        keys = np.add.outer(keys, shift * np.arange(count + 1)).ravel()
        keys, place = np.unique(keys, return_inverse=True)
        law = np.bincount(place, weights=np.multiply.outer(law, binomial).ravel()).astype(
            np.float64
        )
    return _states(keys, steps, counts), law


def joint_law(
    steps: IntArray, counts: IntArray, *, max_memory: float
) -> tuple[IntArray, FloatArray, str]:
    """Return the reachable states, their probabilities, and which method found them.

    Parameters
    ----------
    steps, counts : ndarray of int
        As for `dense_law`, but any coordinate may depend on the others.
    max_memory : float
        Bytes that may be used.

    Raises
    ------
    MemoryLimitError
        If both the box and the list of states are too large.
    """
    if len(steps) == 0:
        return np.zeros((1, steps.shape[1]), dtype=np.int64), np.ones(1), "dense"
    columns = _independent_columns(steps)
    units = np.gcd.reduce(steps[:, columns], axis=0)
    reduced = steps[:, columns] // units
    cells = math.prod(box_shape(reduced, counts))
    choices = math.prod((counts + 1).tolist())
    states = min(cells, choices)
    # Copies of the states in all and in the independent coordinates, and their keys.
    wide = 8.0 * (3 * steps.shape[1] + 2 * len(columns) + 2)
    dense = cells * (_DENSE_BYTES + wide)
    # Sorting sees the states so far, each once for every value of the next binomial.
    sparse = min(choices, cells * (int(counts.max()) + 1)) * _SPARSE_BYTES + states * wide
    if min(dense, sparse) > max_memory or (dense > max_memory and cells >= 2**62):
        raise MemoryLimitError(
            f"the exact test would need about {min(dense, sparse) / 1e9:.1f} GB for "
            f"{states:.3g} states, more than `max_memory` ({max_memory / 1e9:.1f} GB); use "
            "method='monte-carlo' or raise `max_memory`."
        )
    if dense <= max_memory and cells <= _SORT_COST * states:
        law = dense_law(reduced, counts).ravel()
        keys = np.flatnonzero(law)
        points, law, method = _states(keys, reduced, counts), law[keys], "dense"
    else:
        points, law = sparse_law(reduced, counts)
        method = "sparse"
    recover = np.linalg.lstsq(reduced.astype(np.float64), steps.astype(np.float64), rcond=None)[0]
    return np.rint(points @ recover).astype(np.int64), law, method


def _numbering(steps: IntArray, counts: IntArray) -> tuple[IntArray, int]:
    """Return what a unit of each coordinate adds to the number of a state, and that of K = 0."""
    shape = box_shape(steps, counts)
    strides = np.array([math.prod(shape[axis + 1 :]) for axis in range(len(shape))])
    return strides, int(-(counts @ np.minimum(steps, 0)) @ strides)


def _states(keys: IntArray, steps: IntArray, counts: IntArray) -> IntArray:
    places = np.column_stack(np.unravel_index(keys, box_shape(steps, counts)))
    return np.asarray(places + counts @ np.minimum(steps, 0), dtype=np.int64)


def _independent_columns(steps: IntArray) -> list[int]:
    """Return coordinates that determine all others."""
    chosen: list[int] = []
    for column in range(steps.shape[1]):
        if np.linalg.matrix_rank(steps[:, [*chosen, column]]) > len(chosen):
            chosen.append(column)
    return chosen
