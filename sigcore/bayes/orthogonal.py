"""Two-level orthogonal arrays: which blocks train and which validate in each repetition."""

import numpy as np
import numpy.typing as npt

from sigcore.validation import as_count

__all__ = ["block_design", "hadamard_matrix"]

IntArray = npt.NDArray[np.int64]


def block_design(n_repetitions: int) -> npt.NDArray[np.bool_]:
    """Return which blocks form the first half of the corpus in each repetition.

    Parameters
    ----------
    n_repetitions : int
        Repetitions m of the two-fold cross-validation.

    Returns
    -------
    ndarray of bool, shape (n_blocks, m)
        Each column holds half of the blocks, any two columns share a quarter of them. The number
        of blocks is the smallest order of a Hadamard matrix above m that the construction
        reaches: 4 for m = 3, 8 for m = 5.

    References
    ----------
    Wang, R., Wang, Y., Li, J., Yang, X. and Yang, J. (2017). Block-regularized m x 2
    cross-validated estimator of the generalization error. Neural Computation 29(2), 519-554.

    Examples
    --------
    Table 1 of Wang & Li (2019): the training sets are B1 B2, then B1 B3, then B2 B3.

    >>> block_design(3).astype(int)
    array([[1, 1, 0],
           [1, 0, 1],
           [0, 1, 1],
           [0, 0, 0]])
    """
    repetitions = as_count(n_repetitions, "n_repetitions", minimum=1)
    # The first row and column of the matrix are all +1; the other columns are balanced.
    first_half = hadamard_matrix(repetitions + 1)[:, 1 : repetitions + 1] < 0
    order = np.lexsort(first_half.T[::-1])[::-1]
    return np.asarray(first_half[order])


def hadamard_matrix(at_least: int) -> IntArray:
    """Return a Hadamard matrix of order `at_least` or the next order that can be built.

    Built by Paley's first construction and by doubling. First row and column are +1.
    """
    order = max(2, as_count(at_least, "at_least", minimum=1))
    while not _can_build(order):
        order += 1
    matrix = _build(order)
    matrix = matrix * matrix[0]
    return np.asarray(matrix * matrix[:, :1])


def _can_build(order: int) -> bool:
    if order <= 2:
        return True
    return order % 4 == 0 and (_is_prime(order - 1) or _can_build(order // 2))


def _build(order: int) -> IntArray:
    if order == 1:
        return np.ones((1, 1), dtype=np.int64)
    if order > 2 and _is_prime(order - 1):
        return _paley(order - 1)
    return np.kron(np.array([[1, 1], [1, -1]]), _build(order // 2))


def _paley(prime: int) -> IntArray:
    # I + S, where S borders the matrix of Legendre symbols of i - j modulo a prime of 4k + 3.
    residues = np.unique(np.arange(1, prime) ** 2 % prime)
    symbol = np.where(np.isin(np.arange(prime), residues), 1, -1)
    symbol[0] = 0
    difference = np.subtract.outer(np.arange(prime), np.arange(prime)) % prime
    matrix = np.zeros((prime + 1, prime + 1), dtype=np.int64)
    matrix[0, 1:], matrix[1:, 0] = 1, -1
    matrix[1:, 1:] = symbol[difference]
    return matrix + np.eye(prime + 1, dtype=np.int64)


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % factor for factor in range(2, int(number**0.5) + 1))
