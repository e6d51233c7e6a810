"""Monte Carlo sign-flip tests of all pairs of systems with one set of signs for every pair."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.errors import MemoryLimitError
from sigcore.grid import tie_tolerance

__all__ = ["SignCounts", "coin_flips", "mtme_counts", "sign_counts"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_CHUNK = 1 << 21  # signs held at once
_MEMORY = 4_000_000_000


@dataclass(frozen=True, slots=True)
class SignCounts:
    """How many random sums reached the observed ones.

    Attributes
    ----------
    at_least, at_most, equal : ndarray of int
        For each test, the draws with S >= s, S <= s and S = s.
    """

    at_least: IntArray
    at_most: IntArray
    equal: IntArray


def coin_flips(rng: np.random.Generator, n_rows: int, n_columns: int) -> npt.NDArray[np.uint8]:
    """Draw fair coins, 0 or 1.

    Each row takes whole 64-bit words from the generator, so drawing rows in several calls gives the
    same coins as drawing them in one.
    """
    words = rng.integers(0, 1 << 64, size=(n_rows, -(-n_columns // 64)), dtype=np.uint64)
    octets = words.astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(octets, axis=1, count=n_columns, bitorder="little")


def sign_counts(
    differences: FloatArray, *, n_resamples: int, rng: np.random.Generator, exact: bool
) -> SignCounts:
    """Count random signed sums against the observed sums, with the same signs for every row.

    Parameters
    ----------
    differences : ndarray, shape (tests, items)
        One row a test.
    n_resamples : int
        Number of sign vectors.
    rng : numpy.random.Generator
        Source of the signs.
    exact : bool
        Whether the differences are integers, whose sums tie exactly. Otherwise sums that rounding
        errors alone may part are tied.
    """
    observed = differences.sum(axis=1)
    slack = np.zeros(len(differences))
    if not exact:
        slack[:] = [tie_tolerance(row) for row in differences]
    at_least, at_most = np.zeros((2, len(differences)), dtype=np.int64)
    size = max(1, _CHUNK // max(1, differences.shape[1]))
    for start in range(0, n_resamples, size):
        coins = coin_flips(rng, min(size, n_resamples - start), differences.shape[1])
        gap = (2.0 * coins - 1.0) @ differences.T
        gap -= observed
        at_least += (gap >= -slack).sum(axis=0)
        at_most += (gap <= slack).sum(axis=0)
    return SignCounts(at_least, at_most, at_least + at_most - n_resamples)


def mtme_counts(
    scores: FloatArray, first: IntArray, second: IntArray, *, n_resamples: int, seed: int
) -> SignCounts:
    """Count as mt-metrics-eval does: float32 sums, signs from rounded float32 uniforms.

    Parameters
    ----------
    scores : ndarray, shape (systems, segments)
        Complete scores.
    first, second : ndarray of int
        The pairs of systems.
    n_resamples, seed
        Number of sign vectors and the seed of their generator (1000 and 4 there).

    Notes
    -----
    Single precision and the order of the matrix product decide near-ties, so the product is taken
    over all systems, in the layout mt-metrics-eval uses, whatever pairs are asked for. Taking it
    in parts could change the last bits, so a number of draws that needs too much memory is refused.
    """
    n_bytes = 4 * n_resamples * (scores.shape[1] + 4 * len(first))
    if n_bytes > _MEMORY:
        raise MemoryLimitError(
            f'`n_resamples` = {n_resamples} needs {n_bytes / 1e9:.1f} GB with `method` "mtme", '
            f'more than {_MEMORY / 1e9:.0f} GB; `method` "monte-carlo" draws in parts.'
        )
    rng = np.random.default_rng(seed)
    uniform = rng.random((n_resamples, scores.shape[1]), dtype=np.float32)
    signs = np.rint(uniform, out=uniform)
    signs *= 2.0
    signs -= 1.0
    single = np.ascontiguousarray(scores, dtype=np.float32)
    sums = single.sum(axis=1)
    partial = signs @ single.T
    null = partial[:, first] - partial[:, second]
    observed = sums[first] - sums[second]
    at_least, at_most = (null >= observed).sum(axis=0), (null <= observed).sum(axis=0)
    return SignCounts(at_least, at_most, at_least + at_most - n_resamples)
