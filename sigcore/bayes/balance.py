"""Search for blocks of items that have equal frequencies of many units."""

from itertools import combinations

import numpy as np
import numpy.typing as npt

__all__ = ["balance_blocks", "beyond_bounds", "half_differences"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

# Candidates from each block in the search for a swap; all pairs of them are tried at once. More
# help little, and larger products would be spread over threads, which is slow on a busy machine.
N_CANDIDATES = 64
MAX_SWEEPS = 60
# How often the search is repeated with more weight on the units beyond their bound.
MAX_ROUNDS = 8


def balance_blocks(
    units: FloatArray, design: BoolArray, bounds: FloatArray, rng: np.random.Generator
) -> IntArray:
    """Assign items to blocks of equal size so that the halves have equal frequencies of units.

    Parameters
    ----------
    units : ndarray, shape (n_items, n_units)
        Frequencies.
    design : ndarray of bool, shape (n_blocks, n_repetitions)
        Which blocks form the first half in each repetition.
    bounds : ndarray, shape (n_units,)
        Differences between halves to stay within, if possible.
    rng : numpy.random.Generator
        For the order of equal items and the candidates of the search.

    Returns
    -------
    ndarray of int, shape (n_items,)
        The block of each item.
    """
    # Powers of two keep sums and products of whole frequencies exact, so that ties are ties on
    # every machine.
    largest = units.max(axis=0)
    scaled = units / np.exp2(np.ceil(np.log2(np.where(largest > 0, largest, 1.0))))
    block = _deal(scaled, len(design), rng)
    best, fewest = block, units.shape[1] + 1
    for _ in range(MAX_ROUNDS):
        block = _exchange(scaled, block, len(design), rng)
        over = beyond_bounds(half_differences(units, block, design), bounds)
        if over.sum() < fewest:
            best, fewest = block, int(over.sum())
        if fewest == 0:
            break
        scaled = np.where(over, 2.0, 1.0) * scaled
    return best


def half_differences(units: FloatArray, block: IntArray, design: BoolArray) -> FloatArray:
    """Return the frequency in the first half less that in the second, (n_repetitions, n_units)."""
    return np.asarray(np.where(design, 1.0, -1.0).T @ _sum_by_block(units, block, len(design)))


def beyond_bounds(differences: FloatArray, bounds: FloatArray) -> BoolArray:
    """Return which units differ by more than their bound in some repetition."""
    # Sums of frequencies that are not whole numbers carry rounding errors.
    return np.asarray(np.abs(differences).max(axis=0) > bounds * (1 + 1e-9))


def _deal(scaled: FloatArray, n_blocks: int, rng: np.random.Generator) -> IntArray:
    order = rng.permutation(len(scaled))
    weight = np.square(scaled).sum(axis=1)
    order = order[np.argsort(-weight[order], kind="stable")]
    sums = np.zeros((n_blocks, scaled.shape[1]))
    block = np.empty(len(scaled), dtype=np.int64)
    for start in range(0, len(order), n_blocks):
        taken = np.zeros(n_blocks)
        for item in order[start : start + n_blocks]:
            # Adding x to a block of sum s changes |s|^2 by 2 s.x + |x|^2.
            chosen = np.argmin(sums @ scaled[item] + taken)
            block[item] = chosen
            sums[chosen] += scaled[item]
            taken[chosen] = np.inf
    return block


def _exchange(
    scaled: FloatArray, block: IntArray, n_blocks: int, rng: np.random.Generator
) -> IntArray:
    # A sweep tries each pair of blocks once; candidates are drawn anew, so one sweep without
    # success is not yet the end for large blocks.
    block = block.copy()
    sums = _sum_by_block(scaled, block, n_blocks)
    failures = 0
    for _ in range(MAX_SWEEPS):
        improved = False
        for one, other in combinations(range(n_blocks), 2):
            swap = _best_swap(scaled, block, one, other, sums[one] - sums[other], rng)
            if swap is None:
                continue
            leaving, entering = swap
            block[leaving], block[entering] = other, one
            change = scaled[entering] - scaled[leaving]
            sums[one] += change
            sums[other] -= change
            improved = True
        failures = 0 if improved else failures + 1
        if failures == 2:
            break
    return block


def _best_swap(
    scaled: FloatArray,
    block: IntArray,
    one: int,
    other: int,
    gap: FloatArray,
    rng: np.random.Generator,
) -> tuple[int, int] | None:
    # With d = y - x the sum of squares of both blocks changes by 2 (d.gap + |d|^2), which splits
    # into a part of x, a part of y and -2 x.y.
    leaving, cost_x = _candidates(scaled, np.flatnonzero(block == one), -gap, rng)
    entering, cost_y = _candidates(scaled, np.flatnonzero(block == other), gap, rng)
    change = cost_x[:, None] + cost_y - 2 * scaled[leaving] @ scaled[entering].T
    row, column = np.unravel_index(np.argmin(change), change.shape)
    if change[row, column] > -1e-9:
        return None
    return int(leaving[row]), int(entering[column])


def _candidates(
    scaled: FloatArray, items: IntArray, gap: FloatArray, rng: np.random.Generator
) -> tuple[IntArray, FloatArray]:
    # The items that help most by themselves, so that rare units are found in a large block, and
    # as many others at random.
    cost = np.square(scaled[items]).sum(axis=1) + scaled[items] @ gap
    if len(items) <= N_CANDIDATES:
        return items, cost
    order = np.argsort(cost, kind="stable")
    half = N_CANDIDATES // 2
    chosen = np.concatenate([order[:half], rng.choice(order[half:], half, replace=False)])
    return items[chosen], cost[chosen]


def _sum_by_block(matrix: FloatArray, block: IntArray, n_blocks: int) -> FloatArray:
    sums = np.zeros((n_blocks, matrix.shape[1]))
    np.add.at(sums, block, matrix)
    return sums
