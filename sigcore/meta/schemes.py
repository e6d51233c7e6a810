"""What is swapped between two metrics: schemes of permutation and their coins.

- ``inputs``, PERM-INPUTS: a coin for each segment, for all systems together;
- ``systems``, PERM-SYSTEMS: a coin for each system, for all segments together;
- ``both``, PERM-BOTH: a coin for each cell, a system's translation of a segment, as in
  mt-metrics-eval and SacreROUGE, the code of Deutsch et al. (2021);
- ``both-xor``: a coin for each system and one for each segment; a cell is swapped if they differ,
  which is what nlpstats calls "both";
- ``pairs``: no scores but comparisons are swapped, with a coin for each segment and pair of
  systems, as mt-metrics-eval does for acc_eq.

Where segments form units, such as documents, a unit takes the place of a segment.
"""

import numpy as np
import numpy.typing as npt

from sigcore.permutation.shared_signs import coin_flips

__all__ = ["SCHEMES", "Coins", "draw_coins", "draws_at_once"]

Coins = npt.NDArray[np.uint8]

SCHEMES = ("inputs", "both", "both-xor", "systems", "pairs")
_MOST_DRAWS = 1000
_MOST_COINS = 1 << 25


def draw_coins(
    scheme: str, rng: np.random.Generator, n_draws: int, n_systems: int, n_units: int
) -> Coins:
    """Draw the coins of a scheme.

    Parameters
    ----------
    scheme : str
        One of `SCHEMES`.
    rng : numpy.random.Generator
        Source; several calls give the same coins as one.
    n_draws, n_systems, n_units : int
        Size.

    Returns
    -------
    ndarray of 0 and 1, shape (draws, rows, columns)
        Rows are systems, or pairs of systems for ``"pairs"``; columns are units. An axis of
        length 1 stands for all rows or all columns.
    """
    if scheme == "both-xor":
        coins = coin_flips(rng, n_draws, n_systems + n_units)
        return coins[:, :n_systems, None] ^ coins[:, None, n_systems:]
    shape = _shape(scheme, n_systems, n_units)
    return coin_flips(rng, n_draws, shape[0] * shape[1]).reshape(n_draws, *shape)


def draws_at_once(scheme: str, n_systems: int, n_units: int) -> int:
    """Say how many draws to hold in memory."""
    rows, columns = _shape(scheme, n_systems, n_units)
    return max(1, min(_MOST_DRAWS, _MOST_COINS // (rows * columns)))


def _shape(scheme: str, n_systems: int, n_units: int) -> tuple[int, int]:
    if scheme == "inputs":
        return 1, n_units
    if scheme == "systems":
        return n_systems, 1
    if scheme == "pairs":
        return n_systems * (n_systems - 1) // 2, n_units
    return n_systems, n_units
