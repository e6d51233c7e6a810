"""p-values of all pairs of systems by any test."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.comparison.differences import Pair, as_pair
from sigcore.comparison.dominance import violation_ratio
from sigcore.comparison.ranks import signed_ranks
from sigcore.comparison.significance import ROW_TESTS, SignificanceOptions, row_pvalues, run_test
from sigcore.permutation.paired import paired_permutation_test
from sigcore.validation import FloatArray

__all__ = ["PairPvalues", "ordered_pairs", "pair_pvalues"]


@dataclass(frozen=True, slots=True)
class PairPvalues:
    """p-values of all pairs.

    Attributes
    ----------
    pvalues : ndarray of shape (systems, systems)
        1 on the diagonal, NaN where a pair has no test.
    directions : ndarray of shape (systems, systems)
        1 where the test finds the row better, -1 where it finds the column better, else 0.
    reasons : tuple of str
        Why pairs have no p-value.
    """

    pvalues: FloatArray
    directions: npt.NDArray[np.int64]
    reasons: tuple[str, ...]


def pair_pvalues(
    scores: FloatArray,
    names: tuple[str, ...],
    *,
    test: str,
    alternative: str,
    options: SignificanceOptions,
) -> PairPvalues:
    """Test every pair of systems on the items that both have.

    Parameters
    ----------
    scores : ndarray of shape (systems, items)
        NaN marks a missing score.
    names : tuple of str
        Names of the systems.
    test, alternative, options
        As for `run_test`.
    """
    size = len(scores)
    pvalues, directions = np.full((size, size), np.nan), np.zeros((size, size), dtype=np.int64)
    np.fill_diagonal(pvalues, 1.0)
    reasons = []
    for i, j in ordered_pairs(size, alternative):
        both = ~np.isnan(scores[[i, j]]).any(axis=0)
        if not both.any():
            reasons.append(f"{names[i]} and {names[j]}: no item in common.")
            continue
        pair = as_pair(scores[i, both], scores[j, both])
        pvalues[i, j], reason = _pvalue(pair, test, alternative, options)
        directions[i, j] = _direction(pair, test)
        if reason:
            reasons.append(f"{names[i]} and {names[j]}: {reason}")
        if alternative == "two-sided":
            pvalues[j, i], directions[j, i] = pvalues[i, j], -directions[i, j]
    return PairPvalues(pvalues, directions, tuple(reasons))


def ordered_pairs(n: int, alternative: str) -> Iterator[tuple[int, int]]:
    """Iterate over the pairs to test: each once, or in both orders for a one-sided test."""
    for i in range(n):
        for j in range(n):
            if i < j or (i != j and alternative != "two-sided"):
                yield i, j


def _pvalue(
    pair: Pair, test: str, alternative: str, options: SignificanceOptions
) -> tuple[float, str | None]:
    """Return the p-value of a pair, without the interval where that saves time."""
    if test == "permutation_mean":
        return paired_permutation_test(pair.u, pair.v, alternative=alternative).pvalue, None
    if test in ROW_TESTS:
        rows = pair.difference[None, :]
        pvalues = row_pvalues(test, rows, alternative=alternative, options=options)
        if not math.isnan(pvalues[0]):
            return float(pvalues[0]), None
    result = run_test(test, pair.u, pair.v, alternative=alternative, options=options)
    return result.pvalue, result.reason


def _direction(pair: Pair, test: str) -> int:
    """Return the sign of the difference as the test sees it."""
    d = pair.difference
    if test == "aso":
        ratio = float(violation_ratio(np.sort(pair.u), np.sort(pair.v)))
        return 0 if math.isnan(ratio) else int(np.sign(0.5 - ratio))
    if test == "wilcoxon":
        return int(np.sign(signed_ranks(d[None, :]).z[0]))
    if test == "sign":
        return int(np.sign(np.sign(d).sum()))
    return int(np.sign(np.median(d) if test.endswith("median") else d.mean()))
