"""Sign-flip p-values for every pair of systems."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import index

import numpy as np
import numpy.typing as npt

from sigcore.errors import ApproximationWarning, DegenerateDataWarning, InputError
from sigcore.permutation.differences import Blocks, DifferenceTable, difference_table
from sigcore.permutation.shared_signs import mtme_counts
from sigcore.permutation.strategies import (
    STRATEGIES,
    TOLERABLE,
    PairOptions,
    PairPvalues,
    choose_method,
    shares,
    table_resonance,
)
from sigcore.validation import as_choice, as_count, as_matrix

__all__ = ["METHODS", "PairwisePvalues", "pairwise_pvalues"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

METHODS = ("auto", "exact", "enumerate", "fft", "dp", "analytic", "monte-carlo", "mtme")
_BLOCK = 1 << 16  # differences held at once


@dataclass(frozen=True, slots=True)
class PairwisePvalues:
    """Result of `pairwise_pvalues`.

    Attributes
    ----------
    pvalues : ndarray, shape (systems, systems)
        Entry (i, j) is the one-sided p-value of "system i is better than system j". NaN on the
        diagonal, for pairs not asked for and for pairs without a common segment.
    statistic : ndarray, shape (systems, systems)
        Mean score of i minus mean score of j on the segments used; NaN where there is none.
    n_segments : ndarray of int, shape (systems, systems)
        Segments used for each pair; on the diagonal those used for the system at all.
    method : {"exact", "enumerate", "fft", "dp", "analytic", "monte-carlo", "mtme"}
        How the p-values were found.
    ties : {"ge", "mid"}
        Whether sums equal to the observed one count wholly or by half.
    missing : {"listwise", "pairwise"}
        Which segments were used.
    n_segments_used, n_segments_dropped : int
        Segments used for some pair of systems, and segments left out for all.
    n_units : int
        Units that swap: the segments, or the blocks they form.
    step : float or None
        Step of the grid the scores lie on; None for real-valued scores.
    error : float
        Largest absolute error of the p-values: a bound for exact methods on a grid, an estimate for
        real values and ``"analytic"``, one standard error for Monte Carlo.
    n_resamples, seed : int or None
        Of the Monte Carlo methods.
    """

    pvalues: FloatArray
    statistic: FloatArray
    n_segments: IntArray
    method: str
    ties: str
    missing: str
    n_segments_used: int
    n_segments_dropped: int
    n_units: int
    step: float | None
    error: float
    n_resamples: int | None
    seed: int | None


def pairwise_pvalues(
    scores: npt.ArrayLike,
    *,
    method: str = "auto",
    ties: str = "ge",
    missing: str = "listwise",
    blocks: Blocks | None = None,
    pairs: Sequence[tuple[int, int]] | None = None,
    n_resamples: int = 1000,
    seed: int = 4,
) -> PairwisePvalues:
    """Test for every pair of systems whether one is better, by paired permutation.

    Parameters
    ----------
    scores : array_like, shape (systems, segments)
        Segment scores, larger is better; NaN marks a missing score.
    method : {"auto", "exact", "enumerate", "fft", "dp", "analytic", "monte-carlo", "mtme"}
        ``"exact"``, ``"enumerate"``, ``"fft"`` and ``"dp"`` are those of `paired_permutation_test`,
        pair by pair; the last two need whole numbers. ``"analytic"`` inverts all null
        distributions at once, see `smooth_tail`: a few milliseconds for a hundred pairs, errors
        near 1e-12 for real-valued scores of hundreds of segments. Where most scores are multiples
        of a step that the others do not share, as those of a model in half precision, it is off by
        up to 1e-4, and its `error` is larger; where a few segments outweigh all others, as with
        heavy tails in a hundred segments, by up to 0.1. ``"monte-carlo"`` draws signs, the same for
        every pair, and returns plain shares of draws. ``"mtme"`` does so to the last digit as
        mt-metrics-eval, in single precision. ``"auto"`` is exact on a coarse grid and analytic
        otherwise. Pairs are exact too if the error estimate of their analytic value exceeds 1e-8
        and it shows that the value may be wrong: up to 28 segments that differ, nearly a grid, or
        a few that outweigh the others. What stays analytic is within 1e-4, unless the differences
        of a single pair are nearly on a grid while those of the others are not; of 29 to about 80
        segments its `error` is far too large.
    ties : {"ge", "mid"}
        ``"ge"``: P(S >= s), so that p_ij + p_ji = 1 + P(S = s) and identical systems have p = 1.
        ``"mid"``: half of P(S = s) is left out, so that p_ij + p_ji = 1.
    missing : {"listwise", "pairwise"}
        Use the segments rated for all systems, or for each pair those rated for both.
    blocks : sequence, optional
        Document of each segment; the segments of a document swap together.
    pairs : sequence of (int, int), optional
        Pairs to compute; by default all. A value never depends on which others are computed.
    n_resamples, seed : int
        For the Monte Carlo methods; 1000 and 4 are the defaults of mt-metrics-eval.

    Returns
    -------
    PairwisePvalues

    Notes
    -----
    S is the sum of segment differences with random signs, s the observed sum. mt-metrics-eval
    fills the upper triangle only; the lower one is the same rule for the reversed difference.

    Examples
    --------
    >>> float(pairwise_pvalues([[1, 1, 1, 1, 1], [0, 0, 0, 0, 0]]).pvalues[0, 1])
    0.03125
    """
    as_choice(method, "method", METHODS)
    as_choice(ties, "ties", ("ge", "mid"))
    as_count(n_resamples, "n_resamples", minimum=1)
    as_count(seed, "seed")
    matrix = as_matrix(scores, "scores")
    first, second = _validate_pairs(pairs, len(matrix))
    table = difference_table(matrix, missing=missing, blocks=blocks)
    if method in ("dp", "fft"):
        _require_whole(matrix, method)
    chosen = choose_method(method, table)
    n_segments = table.n_shared()
    usable = _with_segments(n_segments[first, second])
    first, second = first[usable], second[usable]
    options = PairOptions(ties, n_resamples, seed, refine=method == "auto")
    found = _test_pairs(chosen, options, matrix, table, first, second)
    n_used = _count_used(matrix[:, table.segments])
    error = float(found.error.max(initial=0.0))
    if method == "analytic" and error > TOLERABLE:
        _warn_of_error(found.error)
    drawn = chosen in ("monte-carlo", "mtme")
    return PairwisePvalues(
        pvalues=_as_square(len(matrix), first, second, found),
        statistic=_mean_differences(table, n_segments),
        n_segments=n_segments,
        method=chosen,
        ties=ties,
        missing=missing,
        n_segments_used=n_used,
        n_segments_dropped=matrix.shape[1] - n_used,
        n_units=len(table.starts),
        step=table.step,
        error=error,
        n_resamples=n_resamples if drawn else None,
        seed=seed if drawn else None,
    )


def _validate_pairs(
    pairs: Sequence[tuple[int, int]] | None, n_systems: int
) -> tuple[IntArray, IntArray]:
    if pairs is None:
        first, second = np.triu_indices(n_systems, 1)
        return first, second
    table = _as_pairs(pairs)
    bad = (table < 0) | (table >= n_systems) | (table == table[:, ::-1])
    if bad.any():
        pair = table[bad.any(axis=1)][0]
        raise InputError(
            f"`pairs` must be pairs of different systems from 0 to {n_systems - 1}; "
            f"got ({pair[0]}, {pair[1]})."
        )
    # One orientation a pair, so that (i, j) and (j, i) give the same values to the last bit.
    ordered = np.sort(table, axis=1)
    return ordered[:, 0], ordered[:, 1]


def _as_pairs(pairs: Sequence[tuple[int, int]]) -> IntArray:
    try:
        table = np.array([(index(i), index(j)) for i, j in pairs], dtype=np.int64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"`pairs` must be pairs of system numbers: {error}.") from error
    return table.reshape(-1, 2)


def _require_whole(matrix: FloatArray, method: str) -> None:
    off = np.argwhere((matrix != np.rint(matrix)) & ~np.isnan(matrix))
    if len(off):
        system, segment = off[0].tolist()
        raise InputError(
            f"`scores` must be whole numbers for method {method!r}; found "
            f'{matrix[system, segment]} at ({system}, {segment}). Method "exact" takes any grid.'
        )


def _with_segments(n_segments: IntArray) -> npt.NDArray[np.bool_]:
    usable = n_segments > 0
    if not usable.all():
        warnings.warn(
            f"{int((~usable).sum())} of {usable.size} pairs of systems have no segment in common; "
            "their p-values are NaN.",
            DegenerateDataWarning,
            stacklevel=3,
        )
    return usable


def _warn_of_error(error: FloatArray) -> None:
    warnings.warn(
        f"The analytic p-values of {int((error > TOLERABLE).sum())} of {error.size} pairs of "
        f'systems may be off by up to {error.max():.2g}; `method` "auto" finds exact ones where '
        "they are.",
        ApproximationWarning,
        stacklevel=3,
    )


def _count_used(matrix: FloatArray) -> int:
    """Count the segments that two systems share; with a single system those that it has."""
    n_rated = np.count_nonzero(~np.isnan(matrix), axis=0)
    return int(np.count_nonzero(n_rated >= min(2, len(matrix))))


def _test_pairs(
    method: str,
    options: PairOptions,
    matrix: FloatArray,
    table: DifferenceTable,
    first: IntArray,
    second: IntArray,
) -> PairPvalues:
    if method == "mtme":
        return _mtme(matrix, table, first, second, options)
    if method == "analytic":
        options = replace(options, resonance=table_resonance(table))
    return _in_blocks(partial(STRATEGIES[method], table, options), table, first, second)


def _in_blocks(
    test: Callable[[IntArray, IntArray], PairPvalues],
    table: DifferenceTable,
    first: IntArray,
    second: IntArray,
) -> PairPvalues:
    """Run a test on all pairs, on a bounded number of differences at a time."""
    found = PairPvalues(*np.empty((3, len(first))))
    size = max(1, _BLOCK // max(1, table.scores.shape[1]))
    for start in range(0, len(first), size):
        part = slice(start, start + size)
        result = test(first[part], second[part])
        found.forward[part], found.backward[part] = result.forward, result.backward
        found.error[part] = result.error
    return found


def _mtme(
    matrix: FloatArray,
    table: DifferenceTable,
    first: IntArray,
    second: IntArray,
    options: PairOptions,
) -> PairPvalues:
    complete = matrix[:, table.segments]
    if options.ties != "ge" or len(table.starts) < complete.shape[1] or np.isnan(complete).any():
        raise InputError(
            '`method` "mtme" needs `ties` "ge", no `blocks`, and scores without gaps or '
            '`missing` "listwise".'
        )
    counts = mtme_counts(
        complete, first, second, n_resamples=options.n_resamples, seed=options.seed
    )
    return shares(counts, options)


def _as_square(n: int, first: IntArray, second: IntArray, found: PairPvalues) -> FloatArray:
    square = np.full((n, n), np.nan)
    square[first, second], square[second, first] = found.forward, found.backward
    return square


def _mean_differences(table: DifferenceTable, n_segments: IntArray) -> FloatArray:
    means = table.sums() / np.maximum(n_segments, 1)
    return np.where(n_segments > 0, means * table.unit, np.nan)
