"""Bootstrap replicates of the mean and the median of one sample, in bounded memory."""

import math
from dataclasses import dataclass, field

import numpy as np
from scipy.special import betainc

from sigcore.validation import FloatArray

__all__ = ["ROUNDING", "Replicates", "jackknife", "median_error", "replicate"]

# Means of resamples that are equal on paper are this close, in units of the largest value.
ROUNDING = 1e-13
_BATCH = 1 << 20  # resampled values held at once


@dataclass(frozen=True, slots=True)
class Replicates:
    """Bootstrap replicates of a statistic.

    Attributes
    ----------
    estimate : float
        Statistic of the sample.
    values : ndarray of shape (n_resamples,)
        Statistic of each resample.
    error : float
        Standard error of the statistic; NaN if it was not asked for.
    errors : ndarray of shape (n_resamples,)
        The same of each resample; empty if it was not asked for.
    """

    estimate: float
    values: FloatArray
    error: float = math.nan
    errors: FloatArray = field(default_factory=lambda: np.empty(0))


def replicate(
    x: FloatArray,
    statistic: str,
    n_resamples: int,
    rng: np.random.Generator,
    *,
    errors: bool = False,
) -> Replicates:
    """Draw bootstrap replicates.

    Parameters
    ----------
    x : ndarray of shape (n,)
        The sample.
    statistic : {"mean", "median"}
        What to compute.
    n_resamples : int
        Number of resamples.
    rng : Generator
        Source of randomness.
    errors : bool
        Whether to estimate a standard error in each resample, for a studentised bootstrap. For
        the median it is that of Maritz and Jarrett.
    """
    if statistic == "mean":
        return _replicate_mean(x, n_resamples, rng, errors)
    if errors:
        return _replicate_median_with_errors(x, n_resamples, rng)
    return Replicates(float(np.median(x)), _replicate_median(np.sort(x), n_resamples, rng))


def median_error(ordered: FloatArray) -> FloatArray:
    """Return the Maritz-Jarrett standard error of the median of each sorted row.

    Notes
    -----
    The standard deviation that the median of a resample would have over all resamples, computed
    from the Beta law of the middle order statistic.

    References
    ----------
    Maritz and Jarrett (1978), A note on estimating the variance of the sample median. JASA 73.
    """
    weights = _order_weights(ordered.shape[-1])
    first = ordered @ weights
    variance = np.square(ordered - first[..., None]) @ weights
    # The weights add up to 1 but for rounding, which equal values must not show.
    return np.where(ordered[..., 0] < ordered[..., -1], np.sqrt(variance), 0.0)


def jackknife(x: FloatArray, statistic: str) -> FloatArray:
    """Return the statistic of the sample without each of its points."""
    n = len(x)
    if statistic == "mean":
        return np.asarray((x.sum() - x) / (n - 1), dtype=np.float64)
    order = np.argsort(x, kind="stable")
    ordered = x[order]
    # Without the point of rank r, the order statistic k is the old one of rank k, or k + 1 from r.
    ranks = np.arange(n)
    low, high = (n - 2) // 2, (n - 1) // 2
    left = (ordered[low + (ranks <= low)] + ordered[high + (ranks <= high)]) / 2.0
    result = np.empty(n)
    result[order] = left
    return result


def _replicate_mean(
    x: FloatArray, n_resamples: int, rng: np.random.Generator, errors: bool
) -> Replicates:
    n = len(x)
    centre = float(x.mean())
    centred = x - centre
    means, deviations = np.empty(n_resamples), np.empty(n_resamples if errors else 0)
    for part in _parts(n_resamples, n):
        sample = centred[rng.integers(0, n, size=(part.stop - part.start, n))]
        means[part] = sample.mean(axis=1)
        if errors:
            # Exactly 0 for equal values, whose mean is rounded.
            deviations[part] = np.where(np.ptp(sample, axis=1), sample.std(axis=1, ddof=1), 0.0)
    means[np.abs(means) <= ROUNDING * float(np.abs(x).max())] = 0.0
    if not errors:
        return Replicates(centre, centre + means)
    root = np.sqrt(n)
    return Replicates(centre, centre + means, float(centred.std(ddof=1) / root), deviations / root)


def _replicate_median(
    ordered: FloatArray, n_resamples: int, rng: np.random.Generator
) -> FloatArray:
    """Draw medians of resamples at a cost that does not depend on the size of the sample.

    A resample is x at n uniform positions, so its order statistics are x at the order statistics
    of n uniform variables: the middle one is a Beta variable, and the next one, given it, is the
    smallest of those that are left.
    """
    n = len(ordered)
    k = (n + 1) // 2
    first = rng.beta(k, n - k + 1, size=n_resamples)
    low = ordered[np.minimum((n * first).astype(np.int64), n - 1)]
    if n % 2:
        return low
    second = first + (1.0 - first) * rng.beta(1, n - k, size=n_resamples)
    high = ordered[np.minimum((n * second).astype(np.int64), n - 1)]
    return np.asarray((low + high) / 2.0, dtype=np.float64)


def _replicate_median_with_errors(
    x: FloatArray, n_resamples: int, rng: np.random.Generator
) -> Replicates:
    n = len(x)
    ordered = np.sort(x)
    values, errors = np.empty(n_resamples), np.empty(n_resamples)
    for part in _parts(n_resamples, n):
        positions = rng.integers(0, n, size=(part.stop - part.start, n))
        sample = ordered[np.sort(positions, axis=1)]
        values[part] = (sample[:, (n - 1) // 2] + sample[:, n // 2]) / 2.0
        errors[part] = median_error(sample)
    return Replicates(float(np.median(x)), values, float(median_error(ordered)), errors)


def _order_weights(n: int) -> FloatArray:
    """Return the chance that the median of a resample is each order statistic of the sample."""
    # The Beta law of the middle order statistic, integrated over each n-th part of (0, 1). For
    # even n the two middle ones are replaced by one with parameter (n + 1) / 2, as Maritz and
    # Jarrett do.
    a = (n + 1) / 2.0
    return np.diff(betainc(a, a, np.arange(n + 1) / n))


def _parts(n_resamples: int, n: int) -> list[slice]:
    size = max(1, _BATCH // n)
    return [slice(i, min(i + size, n_resamples)) for i in range(0, n_resamples, size)]
