"""Many tests at once: p-values corrected for their number."""

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.seeding import generator
from sigcore.validation import FloatArray, as_choice, as_count, as_matrix

__all__ = ["ADJUSTMENTS", "adjust_pvalues", "max_t_pvalues"]

ADJUSTMENTS = ("none", "bonferroni", "holm", "bh")
_BATCH = 1 << 22  # random signs held at once


def adjust_pvalues(pvalues: npt.ArrayLike, *, method: str = "holm") -> FloatArray:
    """Correct p-values for the number of tests.

    Parameters
    ----------
    pvalues : array_like of shape (n,)
        In any order; NaN marks a test that was not run and is not counted.
    method : {"none", "bonferroni", "holm", "bh"}
        Bonferroni and Holm hold the chance of any false rejection, Benjamini and Hochberg the
        expected share of false ones among the rejections.

    Returns
    -------
    ndarray of shape (n,)
        In the order given; reject where it is at most the level.

    References
    ----------
    Holm (1979), A simple sequentially rejective multiple test procedure. SJS 6(2).
    Benjamini and Hochberg (1995), Controlling the false discovery rate. JRSS B 57(1).

    Examples
    --------
    >>> adjust_pvalues([0.03, 0.01, 0.02]).tolist()
    [0.04, 0.03, 0.04]
    """
    values = np.asarray(pvalues, dtype=np.float64)
    as_choice(method, "method", ADJUSTMENTS)
    if values.ndim != 1:
        raise InputError(f"`pvalues` must be 1-dimensional; got shape {values.shape}.")
    if np.any((values < 0.0) | (values > 1.0)):
        raise InputError("`pvalues` must lie between 0 and 1.")
    adjusted = np.full(values.shape, np.nan)
    run = np.flatnonzero(~np.isnan(values))
    order = run[np.argsort(values[run], kind="stable")]
    adjusted[order] = np.minimum(_adjust_sorted(values[order], method), 1.0)
    return adjusted


def max_t_pvalues(
    scores: npt.ArrayLike,
    *,
    alternative: str = "two-sided",
    n_resamples: int = 9999,
    seed: int = 0,
) -> FloatArray:
    """Test all pairs of systems together by the step-down maxT procedure.

    Parameters
    ----------
    scores : array_like, shape (systems, items)
        Complete scores.
    alternative : {"two-sided", "greater", "less"}
        Direction, system of the row against system of the column.
    n_resamples, seed : int
        Number of random sign patterns, and seed.

    Returns
    -------
    ndarray of shape (systems, systems)
        Corrected p-values; 1 on the diagonal.

    Notes
    -----
    Swapping the signs of all differences of an item at once keeps the correlation of the tests, so
    the procedure is less strict than Holm's where tests are correlated. The statistic of a pair is
    its mean difference over the root of the sum of squares, which the signs do not change. Tests
    are ordered by it; each is compared with the largest of those not before it (Westfall and Young
    1993, algorithm 2.8). Counts have one added.
    """
    values = as_matrix(scores, "scores", axes="systems x items")
    if np.isnan(values).any():
        raise InputError("`scores` must be complete for maxT; some are missing.")
    as_count(n_resamples, "n_resamples", minimum=1)
    as_choice(alternative, "alternative", ("two-sided", "greater", "less"))
    first, second = np.triu_indices(len(values), 1)
    if alternative != "two-sided":
        first, second = np.concatenate([first, second]), np.concatenate([second, first])
    adjusted = _step_down(values, first, second, alternative, n_resamples, seed)
    matrix = np.ones((len(values), len(values)))
    matrix[first, second] = adjusted
    if alternative == "two-sided":
        matrix[second, first] = adjusted
    return matrix


def _adjust_sorted(values: FloatArray, method: str) -> FloatArray:
    """Adjust p-values in increasing order."""
    total = len(values)
    if method == "none":
        return values
    if method == "bonferroni":
        return values * total
    if method == "holm":
        return np.maximum.accumulate(values * (total - np.arange(total)))
    steps = values * total / np.arange(1, total + 1)
    return np.minimum.accumulate(steps[::-1])[::-1]


def _step_down(
    values: FloatArray,
    first: npt.NDArray[np.int64],
    second: npt.NDArray[np.int64],
    alternative: str,
    n_resamples: int,
    seed: int,
) -> FloatArray:
    n = values.shape[1]
    # Centring items leaves differences as they are and keeps sums small.
    centred = values - values.mean(axis=0)
    scale = np.sqrt(np.square(centred[first] - centred[second]).sum(axis=1))
    observed = _statistics(centred.sum(axis=1)[None, :], first, second, scale, alternative)[0]
    order = np.argsort(-observed, kind="stable")
    # Equal sums of floats in another order differ by rounding errors.
    bound = observed[order] - 1e-12
    counts = np.zeros(len(order), dtype=np.int64)
    rng = generator(seed, "max-t")
    step = max(1, _BATCH // n)
    for start in range(0, n_resamples, step):
        flips = rng.integers(0, 2, size=(min(step, n_resamples - start), n), dtype=np.int8)
        sums = (2.0 * flips - 1.0) @ centred.T
        drawn = _statistics(sums, first, second, scale, alternative)[:, order]
        largest = np.maximum.accumulate(drawn[:, ::-1], axis=1)[:, ::-1]
        counts += np.count_nonzero(largest >= bound, axis=0)
    adjusted = np.empty(len(order))
    adjusted[order] = np.maximum.accumulate((counts + 1) / (n_resamples + 1))
    return adjusted


def _statistics(
    sums: FloatArray,
    first: npt.NDArray[np.int64],
    second: npt.NDArray[np.int64],
    scale: FloatArray,
    alternative: str,
) -> FloatArray:
    """Return the statistics (resamples x pairs), large values speak against the null."""
    difference = sums[:, first] - sums[:, second]
    if alternative == "two-sided":
        difference = np.abs(difference)
    if alternative == "less":
        difference = -difference
    # Identical systems have statistic 0: p = 1 two-sided.
    return np.asarray(np.divide(difference, scale, out=np.zeros_like(difference), where=scale > 0))
