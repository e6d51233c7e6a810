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

__all__ = ["box_shape", "dense_law", "joint_law", "sparse_law", "unique_rows"]

# Scaling by powers of two is exact; so many doublings at a time stay far from overflow.
_DOUBLINGS = 256
_DENSE_BYTES = 24.0
_SPARSE_BYTES = 64.0
# A state found by sorting costs about as much as this many shifted cells.
_SORT_COST = 32.0
# Error of a float that is known to stand for a whole number.
_SURE_TO_ROUND = 0.01
# Numbers of rows must fit in 64 bits.
_LARGEST_BOX = 2**62


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
    points: IntArray = np.zeros((1, steps.shape[1]), dtype=np.int64)
    law: FloatArray = np.ones(1)
    for step, count in zip(steps, counts.tolist(), strict=True):
        # Integers of any size divide with one rounding.
        binomial = [math.comb(count, k) / (1 << count) for k in range(count + 1)]
        grown = points[:, None, :] + np.multiply.outer(np.arange(count + 1), step)
        points, place, _ = unique_rows(grown.reshape(-1, steps.shape[1]))
        weights = np.multiply.outer(law, binomial).ravel()
        law = np.bincount(place, weights=weights).astype(np.float64)
    return points, law


def unique_rows(rows: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return the distinct rows in order, the place of each row among them, and their counts."""
    low = rows.min(axis=0)
    shape = tuple((rows.max(axis=0) - low + 1).tolist())
    if math.prod(shape) >= _LARGEST_BOX:
        distinct, place, counts = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
        return distinct, place.ravel(), counts
    # One number for each row sorts much faster than rows do.
    numbers = np.ravel_multi_index(tuple((rows - low).T), shape)
    keys, place, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    return np.column_stack(np.unravel_index(keys, shape)) + low, place, counts


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
    columns, recover = _independent_columns(steps, counts)
    units = np.gcd.reduce(steps[:, columns], axis=0)
    reduced = steps[:, columns] // units
    if _choose(reduced, counts, steps.shape[1], max_memory) == "dense":
        law = dense_law(reduced, counts).ravel()
        numbers = np.flatnonzero(law)
        points, law, method = _states(numbers, reduced, counts), law[numbers], "dense"
    else:
        points, law = sparse_law(reduced, counts)
        method = "sparse"
    states = np.rint((points * units) @ recover).astype(np.int64)
    states[:, columns] = points * units
    return states, law, method


def _independent_columns(steps: IntArray, counts: IntArray) -> tuple[list[int], FloatArray]:
    """Return coordinates that determine all others, and the matrix that does it."""
    chosen: list[int] = []
    for column in range(steps.shape[1]):
        if np.linalg.matrix_rank(steps[:, [*chosen, column]]) > len(chosen):
            chosen.append(column)
    basis = steps[:, chosen].astype(np.float64)
    recover = np.linalg.lstsq(basis, steps.astype(np.float64), rcond=None)[0]
    largest = float((counts @ np.abs(steps)).max())
    if np.linalg.cond(basis) * largest * float(np.finfo(np.float64).eps) < _SURE_TO_ROUND:
        return chosen, np.asarray(recover, dtype=np.float64)
    # Too large to be recovered by rounding: carry all coordinates along.
    used = np.flatnonzero(np.any(steps != 0, axis=0)).tolist()
    return used, np.eye(steps.shape[1])[used]


def _choose(steps: IntArray, counts: IntArray, n_functions: int, max_memory: float) -> str:
    """Return the cheaper of "dense" and "sparse" that fits."""
    cells = math.prod(box_shape(steps, counts))
    choices = math.prod((counts + 1).tolist())
    states = min(cells, choices)
    # Copies of the states in all and in the independent coordinates, and their numbers.
    wide = 8.0 * (3 * n_functions + 2 * steps.shape[1] + 2)
    dense = cells * (_DENSE_BYTES + wide)
    # Sorting sees the states so far, each once for every value of the next binomial.
    sorted_states = min(choices, cells * (int(counts.max()) + 1))
    sparse = sorted_states * (_SPARSE_BYTES + 24.0 * steps.shape[1]) + states * wide
    if min(dense, sparse) > max_memory:
        raise MemoryLimitError(
            f"the exact test would need about {min(dense, sparse) / 1e9:.1f} GB for "
            f"{float(states):.3g} states, more than `max_memory` ({max_memory / 1e9:.1f} GB); use "
            "method='monte-carlo' or raise `max_memory`."
        )
    return "dense" if dense <= max_memory and cells <= _SORT_COST * states else "sparse"


def _numbering(steps: IntArray, counts: IntArray) -> tuple[IntArray, int]:
    """Return what a unit of each coordinate adds to the number of a state, and that of K = 0."""
    shape = box_shape(steps, counts)
    strides = np.array([math.prod(shape[axis + 1 :]) for axis in range(len(shape))])
    return strides, int(-(counts @ np.minimum(steps, 0)) @ strides)


def _states(keys: IntArray, steps: IntArray, counts: IntArray) -> IntArray:
    places = np.column_stack(np.unravel_index(keys, box_shape(steps, counts)))
    return np.asarray(places + counts @ np.minimum(steps, 0), dtype=np.int64)
