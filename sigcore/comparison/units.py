"""Evaluation units: groups of test items that get one score."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.comparison.differences import as_pair
from sigcore.errors import InputError
from sigcore.seeding import generator
from sigcore.validation import FloatArray, as_choice, as_count

__all__ = [
    "REMAINDERS",
    "STATISTICS",
    "EvaluationUnits",
    "describe_grouping",
    "group_items",
    "make_units",
]

STATISTICS = ("mean", "median")
REMAINDERS = ("drop", "short", "spread")


@dataclass(frozen=True, slots=True)
class EvaluationUnits:
    """Scores of two systems on evaluation units.

    Attributes
    ----------
    u, v : ndarray of shape (n_units,)
        Scores of the first and the second system.
    sizes : ndarray of shape (n_units,)
        Items in each unit.
    size : int
        Size asked for.
    statistic : {"mean", "median"}
        How the scores of the items of a unit were joined.
    remainder : {"drop", "short", "spread"}
        What was done with items that do not fill a unit.
    shuffle_seed : int or None
        Seed of the order of the items; None if they stayed in theirs.
    n_items, n_dropped : int
        Items given, and items left out.
    """

    u: FloatArray
    v: FloatArray
    sizes: npt.NDArray[np.int64]
    size: int
    statistic: str
    remainder: str
    shuffle_seed: int | None
    n_items: int
    n_dropped: int

    @property
    def n_units(self) -> int:
        """Number of units."""
        return len(self.u)


def make_units(
    u: npt.ArrayLike,
    v: npt.ArrayLike,
    *,
    size: int = 1,
    statistic: str = "mean",
    remainder: str = "drop",
    shuffle_seed: int | None = None,
) -> EvaluationUnits:
    """Group adjacent items into evaluation units.

    Parameters
    ----------
    u, v : array_like of shape (n_items,)
        Scores of two systems on the same items.
    size : int
        Items in a unit.
    statistic : {"mean", "median"}
        How the scores of a unit are joined, for each system by itself: the median of a unit is the
        difference of two medians, not the median of differences.
    remainder : {"drop", "short", "spread"}
        Items left over at the end are left out, form a last smaller unit, or are spread so that
        units have `size` or more items and differ by at most one.
    shuffle_seed : int, optional
        Shuffle the items first, with this seed; 0 is a seed like any other.

    Returns
    -------
    EvaluationUnits

    References
    ----------
    Zhu et al. (2020), NLPStatTest, definition 1 and section 3.1.1.

    Examples
    --------
    >>> make_units([1, 3, 5, 7, 9], [0, 0, 0, 0, 0], size=2).u.tolist()
    [2.0, 6.0]
    """
    pair = as_pair(u, v)
    scores, sizes = group_items(
        np.stack([pair.u, pair.v]),
        size=size,
        statistic=statistic,
        remainder=remainder,
        shuffle_seed=shuffle_seed,
    )
    return EvaluationUnits(
        u=scores[0],
        v=scores[1],
        sizes=sizes,
        size=size,
        statistic=statistic,
        remainder=remainder,
        shuffle_seed=shuffle_seed,
        n_items=pair.n,
        n_dropped=pair.n - int(sizes.sum()),
    )


def group_items(
    scores: FloatArray,
    *,
    size: int = 1,
    statistic: str = "mean",
    remainder: str = "drop",
    shuffle_seed: int | None = None,
) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    """Group the items of a score matrix, the same ones for all systems.

    Parameters
    ----------
    scores : ndarray of shape (systems, items)
        The scores; a missing one makes its unit missing.
    size, statistic, remainder, shuffle_seed
        As for `make_units`.

    Returns
    -------
    scores : ndarray of shape (systems, units)
        Scores of the units.
    sizes : ndarray of shape (units,)
        Items in each unit.
    """
    n = scores.shape[1]
    as_count(size, "size", minimum=1)
    as_choice(statistic, "statistic", STATISTICS)
    as_choice(remainder, "remainder", REMAINDERS)
    if size > n:
        raise InputError(f"`size` must not exceed the number of items, {n}; got {size}.")
    order = np.arange(n)
    if shuffle_seed is not None:
        order = generator(shuffle_seed, "evaluation-units").permutation(n)
    sizes = _unit_sizes(n, size, remainder)
    return _join(scores[:, order], sizes, statistic), sizes


def describe_grouping(
    n_items: int,
    n_dropped: int,
    *,
    size: int,
    statistic: str,
    remainder: str,
    shuffle_seed: int | None,
) -> str:
    """Say in a sentence how items were grouped, and how many of them were left out."""
    order = "in the order of the file"
    if shuffle_seed is not None:
        order = f"shuffled with seed {shuffle_seed}"
    return (
        f"A unit is the {statistic} of {size} items, {order}; remainder: {remainder}, "
        f"{n_dropped} of {n_items} items left out."
    )


def _unit_sizes(n: int, size: int, remainder: str) -> npt.NDArray[np.int64]:
    whole, rest = divmod(n, size)
    sizes = np.full(whole, size, dtype=np.int64)
    if rest and remainder == "short":
        sizes = np.append(sizes, rest)
    if rest and remainder == "spread":
        each, more = divmod(rest, whole)
        sizes += each
        sizes[:more] += 1
    return sizes


def _join(scores: FloatArray, sizes: npt.NDArray[np.int64], statistic: str) -> FloatArray:
    if sizes.max() == 1:
        return scores[:, : len(sizes)].copy()
    ends = np.cumsum(sizes)
    if statistic == "mean":
        sums = np.add.reduceat(scores[:, : ends[-1]], ends - sizes, axis=1)
        return np.asarray(sums / sizes)
    units = zip((ends - sizes).tolist(), ends.tolist(), strict=True)
    return np.stack([np.median(scores[:, start:end], axis=1) for start, end in units], axis=1)
