"""Pairwise accuracy: how often a metric orders two systems as people do."""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.errors import DegenerateDataWarning, InputError
from sigcore.meta.spa import as_pvalues, why_apart
from sigcore.permutation.differences import difference_table
from sigcore.validation import (
    as_choice,
    as_matrices,
    as_matrix,
    as_vector,
    refuse_other_labels,
)

__all__ = [
    "AccuracyResult",
    "accuracy_from_pvalues",
    "difference_signs",
    "pairwise_accuracy",
    "pool_accuracy",
    "segment_accuracy",
]

FloatArray = npt.NDArray[np.float64]
SignArray = npt.NDArray[np.int8]

_ROUNDING = 1e-12  # of the largest score: means that close are equal but for rounding errors


@dataclass(frozen=True, slots=True)
class AccuracyResult:
    """Result of `pairwise_accuracy` and its relatives.

    Attributes
    ----------
    n_agree : int
        Pairs of systems that metric and people order alike; tied for both counts as alike.
    n_pairs : int
        All pairs compared.
    reason : str
        Why the accuracy is undefined; empty when it is defined.
    """

    n_agree: int
    n_pairs: int
    reason: str = ""

    @property
    def value(self) -> float:
        """Share of agreeing pairs; NaN without pairs."""
        return self.n_agree / self.n_pairs if self.n_pairs else float("nan")


def pairwise_accuracy(gold: npt.ArrayLike, metric: npt.ArrayLike) -> AccuracyResult:
    """Compare the order of systems by system-level scores.

    Parameters
    ----------
    gold, metric : array_like, shape (systems,)
        System-level scores, larger is better.

    Returns
    -------
    AccuracyResult

    Notes
    -----
    A pair agrees when the signs of the two differences are equal; tied for both is agreement
    (Kocmi et al. 2021). Scores closer than 1e-12 of the largest are tied: a mean of equal scores
    has rounding errors of that size at most. `segment_accuracy` decides ties exactly.

    Examples
    --------
    >>> pairwise_accuracy([1, 2, 3, 3], [0.1, 0.2, 0.4, 0.4]).value
    1.0
    """
    refuse_other_labels({"gold": gold, "metric": metric})
    first, second = as_vector(gold, "gold"), as_vector(metric, "metric")
    if len(first) != len(second):
        raise InputError(
            "`gold` and `metric` must have one score for each system; "
            f"got {len(first)} and {len(second)}."
        )
    return _agreement(_vector_signs(first), _vector_signs(second), len(first))


def segment_accuracy(
    gold: npt.ArrayLike, metric: npt.ArrayLike, *, missing: str = "listwise"
) -> AccuracyResult:
    """Compare the order of systems by the means of their segment scores.

    Parameters
    ----------
    gold, metric : array_like, shape (systems, segments)
        Segment scores; NaN marks a missing score. Gold and metric are always compared on the same
        segments.
    missing : {"listwise", "pairwise"}
        Use the segments with all scores of all systems, or for each pair of systems those where
        both have a gold and a metric score.

    Returns
    -------
    AccuracyResult
        Undefined if two systems have no segment in common.
    """
    as_choice(missing, "missing", ("listwise", "pairwise"))
    first, second = as_matrices(gold=gold, metric=metric)
    gaps = np.isnan(first) | np.isnan(second)
    reason = why_apart(gaps, missing)
    if reason:
        return _undefined(reason)
    if missing == "listwise":
        gaps = gaps | gaps.any(axis=0)
    signs = [difference_signs(np.where(gaps, np.nan, scores)) for scores in (first, second)]
    return _agreement(signs[0], signs[1], len(first))


def pool_accuracy(results: Iterable[AccuracyResult]) -> AccuracyResult:
    """Pool accuracies over language pairs: agreeing pairs of all over pairs of all.

    Parameters
    ----------
    results : iterable of AccuracyResult
        One for each language pair. One without pairs adds nothing.

    Examples
    --------
    >>> pool_accuracy([AccuracyResult(3, 3), AccuracyResult(0, 1)]).value
    0.75
    """
    parts = list(results)
    n_agree, n_pairs = sum(part.n_agree for part in parts), sum(part.n_pairs for part in parts)
    if n_pairs == 0:
        return _undefined("there is no pair of systems")
    return AccuracyResult(n_agree=n_agree, n_pairs=n_pairs)


def accuracy_from_pvalues(
    gold_pvalues: npt.ArrayLike, metric_pvalues: npt.ArrayLike
) -> AccuracyResult:
    """Compare which side of 0.5 two matrices of one-sided p-values lie (equation 3 of the paper).

    Parameters
    ----------
    gold_pvalues, metric_pvalues : array_like, shape (systems, systems)
        Entry (i, j), i < j, is the p-value of "system i is better than system j". The rest is not
        read.

    Notes
    -----
    Thompson et al. (2024) binarise p by ``p >= 0.5``. This equals the accuracy of signs except for
    exact ties, where p = 0.5 or above counts as "j is better".
    """
    first, second = as_pvalues(gold_pvalues, metric_pvalues)
    upper = np.triu_indices(len(first), 1)
    if np.isnan(first[upper]).any() or np.isnan(second[upper]).any():
        return _undefined("a pair of systems has no p-value")
    sides = [(matrix[upper] >= 0.5).astype(np.int8) for matrix in (first, second)]
    return _agreement(sides[0], sides[1], len(first))


def difference_signs(scores: npt.ArrayLike) -> SignArray:
    """Find which of two systems has the larger mean, for all pairs, with exact ties.

    Parameters
    ----------
    scores : array_like, shape (systems, segments)
        Segment scores; NaN marks a missing score. Pairs are compared on the segments they share.

    Returns
    -------
    ndarray of int8
        1, 0 or -1 for each pair ``i < j``, row by row.

    Notes
    -----
    Scores on a grid are summed as integers. Others are tied when their sums differ by less than
    1e-12 of the sum of sizes.
    """
    table = difference_table(as_matrix(scores, "scores"), missing="pairwise")
    upper = np.triu_indices(len(table.scores), 1)
    return np.sign(table.sums()[upper]).astype(np.int8)


def _vector_signs(values: FloatArray) -> SignArray:
    upper = np.triu_indices(len(values), 1)
    difference = (values[:, None] - values)[upper]
    difference[np.abs(difference) <= _ROUNDING * np.abs(values).max()] = 0.0
    return np.sign(difference).astype(np.int8)


def _agreement(gold: SignArray, metric: SignArray, n_systems: int) -> AccuracyResult:
    if n_systems < 2:
        return _undefined(f"there must be at least 2 systems; got {n_systems}")
    return AccuracyResult(n_agree=int((gold == metric).sum()), n_pairs=len(gold))


def _undefined(reason: str) -> AccuracyResult:
    warnings.warn(f"Pairwise accuracy is undefined: {reason}.", DegenerateDataWarning, stacklevel=3)
    return AccuracyResult(n_agree=0, n_pairs=0, reason=reason)
