"""Simulated tagging results of two systems, as in the timing experiment of the exact test."""

import numpy as np

from sigcore.grid import IntArray
from sigcore.seeding import generator
from sigcore.validation import FloatArray, as_count

__all__ = ["tagging_counts"]

# Table 1: Stanza's tags on the English UD test set.
_ACCURACY_MEAN, _ACCURACY_SD = 0.9543, 0.1116
_LENGTH_MEAN, _LENGTH_SD = 12.08, 10.60


def tagging_counts(n: int, *, seed: int, accuracy_ratio: float = 0.98) -> tuple[IntArray, IntArray]:
    """Simulate how many tags of each sentence two taggers get right.

    Parameters
    ----------
    n : int
        Number of sentences.
    seed : int
        Seed of the simulation.
    accuracy_ratio : float
        Mean accuracy of the second system as a share of the first's.

    Returns
    -------
    u, v : ndarray of int64
        Correct tags of the first and the second system.

    Notes
    -----
    Accuracies are normal with mean 0.9543 and standard deviation 0.1116, truncated to [0, 1];
    lengths are normal with mean 12.08 and standard deviation 10.60, truncated at 0. A count is
    accuracy times length, rounded down. The ratio of 0.98 is that of the paper's experiment.

    References
    ----------
    Zmigrod, Vieira & Cotterell (2022), NAACL, section 5 and Table 1.
    """
    rng = generator(as_count(seed, "seed"), "tagging", str(as_count(n, "n", minimum=1)))
    lengths = _truncated_normal(rng, n, _LENGTH_MEAN, _LENGTH_SD, np.inf)
    first = _truncated_normal(rng, n, _ACCURACY_MEAN, _ACCURACY_SD, 1.0)
    second = _truncated_normal(rng, n, _ACCURACY_MEAN * accuracy_ratio, _ACCURACY_SD, 1.0)
    return np.floor(first * lengths).astype(np.int64), np.floor(second * lengths).astype(np.int64)


def _truncated_normal(
    rng: np.random.Generator, n: int, mean: float, sd: float, upper: float
) -> FloatArray:
    """Draw normal values again until they lie between 0 and `upper`."""
    values = rng.normal(mean, sd, n)
    while (outside := np.flatnonzero((values < 0.0) | (values > upper))).size:
        values[outside] = rng.normal(mean, sd, outside.size)
    return values
