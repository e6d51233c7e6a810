"""The walk of two additive counts under swaps, in the coordinates of its own lattice.

When systems A and B swap an item, A's pair of sums moves by the difference of the item's counts.
So A's sums are a starting point plus a random subset of the moves. Equal moves (up to direction)
are one binomial step, and the moves span a lattice that may be coarser than the integers or only
a line: both are used here, so that all later cost depends on the distinct moves alone.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.grid import IntArray
from sigcore.permutation.statespace import unique_rows

__all__ = ["Walk", "group_moves", "is_backward", "make_walk"]


@dataclass(frozen=True, slots=True)
class Walk:
    """A's pair of sums as ``origin + (B @ steps) @ basis`` with ``B_g ~ Binomial(counts_g, 1/2)``.

    Attributes
    ----------
    steps : ndarray of int, shape (n_groups, 2)
        Distinct moves in lattice coordinates (i, j); i > 0, or i = 0 and j > 0.
    counts : ndarray of int, shape (n_groups,)
        How many items make each move.
    basis : ndarray of int, shape (2, 2)
        Rows are the lattice vectors of i and j. In two dimensions they are (p, q) with
        p > 0 >= q and (0, r) with r > 0. On a line the second row is zero, and the first points
        where hits / (hits + errors) does not fall.
    origin : ndarray of int, shape (2,)
        A's sums at lattice coordinates (0, 0).
    observed : tuple of int
        Lattice coordinates of the observed sums of A.
    """

    steps: IntArray
    counts: IntArray
    basis: IntArray
    origin: IntArray
    observed: tuple[int, int]

    @property
    def low(self) -> IntArray:
        """Smallest reachable value of each coordinate."""
        return np.asarray(self.counts @ np.minimum(self.steps, 0), dtype=np.int64)

    @property
    def high(self) -> IntArray:
        """Largest reachable value of each coordinate."""
        return np.asarray(self.counts @ np.maximum(self.steps, 0), dtype=np.int64)

    @property
    def opposite(self) -> tuple[int, int]:
        """Lattice coordinates of A's sums when A and B swap all items."""
        total = self.counts @ self.steps
        return int(total[0]) - self.observed[0], int(total[1]) - self.observed[1]


def make_walk(a: IntArray, b: IntArray) -> Walk:
    """Describe the sums of A under random swaps with B.

    Parameters
    ----------
    a, b : ndarray of int, shape (n, 2)
        Hits and errors of each item for the two systems. Items with equal counts are allowed;
        they do not move the sums.
    """
    moves = a - b
    moves = moves[np.any(moves != 0, axis=1)]
    steps, counts = group_moves(moves)
    basis = _basis(steps, counts, (a + b).sum(axis=0))
    coordinates = _coordinates(steps, basis)
    # Where the lattice turns a step around, the walk starts at its far end.
    turned = is_backward(coordinates)
    sums = a.sum(axis=0)
    origin = sums - moves[~is_backward(moves)].sum(axis=0) + counts[turned] @ steps[turned]
    coordinates[turned] *= -1
    observed = _coordinates((sums - origin)[None, :], basis)[0]
    order = np.lexsort(coordinates.T[::-1])
    start = int(observed[0]), int(observed[1])
    return Walk(coordinates[order], counts[order], basis, origin, start)


def group_moves(moves: IntArray) -> tuple[IntArray, IntArray]:
    """Return the distinct moves up to direction, first non-zero entry positive, and their counts.

    Parameters
    ----------
    moves : ndarray of int, shape (n, m)
        Moves, none of them zero.
    """
    forward = np.where(is_backward(moves)[:, None], -moves, moves)
    if len(forward) == 0:
        return forward, np.zeros(0, dtype=np.int64)
    steps, _, counts = unique_rows(forward)
    return steps, counts


def is_backward(moves: IntArray) -> npt.NDArray[np.bool_]:
    """Tell which moves have a negative first non-zero entry."""
    first = np.argmax(moves != 0, axis=1)
    return np.asarray(moves[np.arange(len(moves)), first] < 0)


def _basis(steps: IntArray, counts: IntArray, totals: IntArray) -> IntArray:
    """Return a basis (p, q), (0, r) of the lattice that the steps span."""
    distinct = steps.tolist()
    p, q = _first_vector(distinct)
    if p == 0:
        # Only errors move, and fewer errors is forward.
        return np.array([[0, -math.gcd(*(y for _, y in distinct))], [0, 0]])
    # In Python integers: q may be large before it is reduced.
    r = math.gcd(*(y - x // p * q for x, y in distinct))
    if r == 0:
        forward = 1 if p * int(totals[1]) >= q * int(totals[0]) else -1
        return np.array([[forward * p, forward * q], [0, 0]])
    basis = np.array([[p, -(-q % r)], [0, r]])
    # Taking further multiples of (0, r) from (p, q) leaves the lattice as it is and adds to j a
    # multiple of i: chosen to undo the usual negative correlation of hits and errors.
    i, j = _coordinates(steps, basis).astype(np.float64).T
    basis[0, 1] -= r * max(0, round(-(counts @ (i * j)) / (counts @ (i * i))))
    return basis


def _coordinates(vectors: IntArray, basis: IntArray) -> IntArray:
    """Return i, j with ``vectors = [i, j] @ basis``."""
    (p, q), (_, r) = basis.tolist()
    i = vectors[:, 0] // p if p else vectors[:, 1] // (q or 1)
    j = (vectors[:, 1] - i * q) // (r or 1)
    return np.column_stack([i, j])


def _first_vector(distinct: list[list[int]]) -> tuple[int, int]:
    """Return a vector of the lattice whose first entry is the gcd of all first entries."""
    x, y = 0, 0
    for move_x, move_y in distinct:
        if move_x == 0 or (x and move_x % x == 0):
            continue
        s, t = _bezout(x, move_x)
        x, y = s * x + t * move_x, s * y + t * move_y
    return x, y


def _bezout(a: int, b: int) -> tuple[int, int]:
    """Return s, t with s * a + t * b = gcd(a, b) >= 0."""
    s, next_s, t, next_t = 1, 0, 0, 1
    while b:
        quotient = a // b
        a, b = b, a - quotient * b
        s, next_s = next_s, s - quotient * next_s
        t, next_t = next_t, t - quotient * next_t
    return (s, t) if a >= 0 else (-s, -t)
