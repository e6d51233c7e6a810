"""Ranks of metrics or systems from a matrix of p-values.

Two rules are in use at WMT. The metrics task walks down the list and starts a new rank as soon as
any member of the current cluster is significantly better (`greedy_clusters`). The translation task
draws a line only where everyone above beats everyone below (`all_pairs_clusters`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.validation import as_matrix, as_probability, as_vector

__all__ = ["Clusters", "SplitPair", "all_pairs_clusters", "greedy_clusters"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SplitPair:
    """Two entries in different clusters although the test does not find the better one better.

    Attributes
    ----------
    better, worse : str
        The entries; `better` has the smaller rank.
    pvalue : float
        p-value of the comparison; NaN where there is none.
    tied : bool
        Whether their scores are equal to the last bit.
    """

    better: str
    worse: str
    pvalue: float
    tied: bool


@dataclass(frozen=True, slots=True)
class Clusters:
    """Ranks of the entries of a table.

    Attributes
    ----------
    names : tuple of str
        The entries in the order given.
    ranks : ndarray of int
        Rank of each entry, in the order given, from 1.
    order : ndarray of int
        Indices sorted by decreasing score, then by name.
    rule : {"greedy", "all-pairs"}
        How the lines were drawn.
    alpha : float
        Level; p-values up to and including it are significant.
    split_pairs : tuple of SplitPair
        Entries that were separated without a significant difference between them.
    """

    names: tuple[str, ...]
    ranks: npt.NDArray[np.int64]
    order: npt.NDArray[np.int64]
    rule: str
    alpha: float
    split_pairs: tuple[SplitPair, ...]

    @property
    def n_clusters(self) -> int:
        """Number of different ranks."""
        return int(self.ranks.max())

    @property
    def split_ties(self) -> tuple[SplitPair, ...]:
        """The separated pairs whose scores are exactly equal."""
        return tuple(pair for pair in self.split_pairs if pair.tied)


def greedy_clusters(
    scores: npt.ArrayLike,
    pvalues: npt.ArrayLike,
    *,
    names: Sequence[str] | None = None,
    alpha: float = 0.05,
    differences: npt.ArrayLike | None = None,
) -> Clusters:
    """Rank by the greedy rule of the WMT metrics task.

    Parameters
    ----------
    scores : array_like, shape (n,)
        Larger is better.
    pvalues : array_like, shape (n, n)
        Entry (i, j) tests whether i is better than j, or differs from j. Only entries with i above
        j are read; NaN is not significant.
    names : sequence of str, optional
        Names of the entries; equal scores are sorted by name. By default "0", "1", ....
    alpha : float, default 0.05
        Level.
    differences : array_like, shape (n, n), optional
        Entry (i, j) is how much better i was than j on the data of the test. Where it is negative,
        i does not beat j, whatever their scores: with missing scores these may be of other data.

    Returns
    -------
    Clusters

    Notes
    -----
    Walk down the sorted list; start a new rank when any member of the current cluster is
    significantly better, ``p <= alpha`` (Thompson et al. 2024, section 4.4). The rule depends on
    the order and may separate entries that the test does not: see `Clusters.split_pairs`.

    Examples
    --------
    >>> pvalues = [[1, 1, 0, 1], [1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]]
    >>> greedy_clusters([4, 3, 2, 1], pvalues).ranks.tolist()
    [1, 1, 2, 2]
    """
    values, beats, labels, pvalue = _validate(scores, pvalues, names, alpha, differences)
    order = _sorted(values, labels)
    ranks = np.empty(len(values), dtype=np.int64)
    rank, cluster = 1, list[int]()
    for entry in order:
        if beats[cluster, entry].any():
            rank, cluster = rank + 1, []
        cluster.append(int(entry))
        ranks[entry] = rank
    split = _split_pairs(values, pvalue, beats, ranks, order, labels)
    return Clusters(labels, ranks, order, "greedy", alpha, split)


def all_pairs_clusters(
    scores: npt.ArrayLike,
    pvalues: npt.ArrayLike,
    *,
    names: Sequence[str] | None = None,
    alpha: float = 0.05,
    differences: npt.ArrayLike | None = None,
) -> Clusters:
    """Rank by the rule of the WMT translation task: everyone above a line beats everyone below.

    Parameters
    ----------
    scores, pvalues, names, alpha, differences
        As for `greedy_clusters`.

    Returns
    -------
    Clusters
        No pair is separated without a significant difference, so `split_pairs` is empty.
    """
    values, beats, labels, _ = _validate(scores, pvalues, names, alpha, differences)
    order = _sorted(values, labels)
    sorted_beats = beats[np.ix_(order, order)]
    ranks = np.empty(len(values), dtype=np.int64)
    rank = 1
    for position, entry in enumerate(order):
        if position and sorted_beats[:position, position:].all():
            rank += 1
        ranks[entry] = rank
    return Clusters(labels, ranks, order, "all-pairs", alpha, ())


def _validate(
    scores: npt.ArrayLike,
    pvalues: npt.ArrayLike,
    names: Sequence[str] | None,
    alpha: float,
    differences: npt.ArrayLike | None,
) -> tuple[FloatArray, npt.NDArray[np.bool_], tuple[str, ...], FloatArray]:
    values = as_vector(scores, "scores")
    pvalue = as_matrix(pvalues, "pvalues", axes="entries x entries")
    n = len(values)
    if pvalue.shape != (n, n):
        raise InputError(f"`pvalues` must have shape {(n, n)}; got {pvalue.shape}.")
    if not (names is None or isinstance(names, Sequence)):
        raise InputError(f"`names` must be a sequence of strings; got {names!r}.")
    labels = tuple(str(index) for index in range(n)) if names is None else tuple(names)
    if len(labels) != n or len(dict.fromkeys(labels)) != n:
        raise InputError(f"`names` must be {n} different names; got {len(labels)}: {labels}.")
    beats = pvalue <= as_probability(alpha, "alpha")
    if differences is not None:
        difference = as_matrix(differences, "differences", axes="entries x entries")
        if difference.shape != (n, n):
            raise InputError(f"`differences` must have shape {(n, n)}; got {difference.shape}.")
        beats &= ~(difference < 0.0)
    return values, beats, labels, pvalue


def _sorted(values: FloatArray, labels: tuple[str, ...]) -> npt.NDArray[np.int64]:
    by_name = np.array(sorted(range(len(labels)), key=labels.__getitem__), dtype=np.int64)
    return by_name[np.argsort(-values[by_name], kind="stable")]


def _split_pairs(
    values: FloatArray,
    pvalue: FloatArray,
    beats: npt.NDArray[np.bool_],
    ranks: npt.NDArray[np.int64],
    order: npt.NDArray[np.int64],
    labels: tuple[str, ...],
) -> tuple[SplitPair, ...]:
    upper, lower = np.triu_indices(len(order), 1)
    above, below = order[upper], order[lower]
    split = (ranks[above] != ranks[below]) & ~beats[above, below]
    return tuple(
        SplitPair(labels[i], labels[j], float(pvalue[i, j]), bool(values[i] == values[j]))
        for i, j in zip(above[split], below[split], strict=True)
    )
