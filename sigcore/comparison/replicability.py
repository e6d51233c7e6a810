"""On how many datasets does an effect replicate? Partial conjunction over several p-values."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc

from sigcore.comparison.multiplicity import adjust_pvalues
from sigcore.errors import InputError
from sigcore.validation import FloatArray, as_choice, as_probability

__all__ = ["COMBINATIONS", "Replicability", "partial_conjunction", "replicability"]

COMBINATIONS = ("bonferroni", "fisher")


@dataclass(frozen=True, slots=True)
class Replicability:
    """Result of `replicability`.

    Attributes
    ----------
    count : int
        Largest k for which "true on at least k datasets" is significant: a lower bound of the
        number of datasets with an effect, at confidence 1 - alpha.
    pvalues : ndarray of shape (n_datasets,)
        p-value of "true on at least k datasets" for k = 1, 2, ...
    datasets : tuple of int
        Indices of datasets where the effect is significant after Holm's correction.
    n_datasets : int
        Datasets that have a p-value.
    alpha : float
        Level.
    combination : {"bonferroni", "fisher"}
        How p-values were combined.
    """

    count: int
    pvalues: FloatArray
    datasets: tuple[int, ...]
    n_datasets: int
    alpha: float
    combination: str


def replicability(
    pvalues: npt.ArrayLike, *, alpha: float = 0.05, combination: str = "bonferroni"
) -> Replicability:
    """Count the datasets on which an effect is real.

    Parameters
    ----------
    pvalues : array_like of shape (n_datasets,)
        One p-value a dataset or metric; NaN where there is none.
    alpha : float
        Level.
    combination : {"bonferroni", "fisher"}
        Bonferroni's holds whatever the dependence of the datasets; Fisher's is more powerful and
        assumes independence.

    Returns
    -------
    Replicability

    Notes
    -----
    The p-value of "at least k of N" combines the N - k + 1 largest p-values. Counting where they
    stay at or below alpha overestimates the number of real effects with chance at most alpha.

    References
    ----------
    Benjamini and Heller (2008), Screening for partial conjunction hypotheses. Biometrics 64(4).
    Dror, Baumer, Bogomolov and Reichart (2017), Replicability analysis for natural language
    processing: testing significance with multiple datasets. TACL 5.

    Examples
    --------
    >>> replicability([0.001, 0.2, 0.01, 0.02]).count
    3
    """
    as_probability(alpha, "alpha")
    conjunction = partial_conjunction(pvalues, combination=combination)
    values = np.asarray(pvalues, dtype=np.float64)
    holm = adjust_pvalues(values, method="holm")
    return Replicability(
        count=int(np.count_nonzero(conjunction <= alpha)),
        pvalues=conjunction,
        datasets=tuple(int(index) for index in np.flatnonzero(holm <= alpha)),
        n_datasets=len(conjunction),
        alpha=alpha,
        combination=combination,
    )


def partial_conjunction(pvalues: npt.ArrayLike, *, combination: str = "bonferroni") -> FloatArray:
    """Return the p-value of "true on at least k datasets" for each k.

    Parameters
    ----------
    pvalues : array_like of shape (n_datasets,)
        NaN is left out.
    combination : {"bonferroni", "fisher"}
        As for `replicability`.

    Returns
    -------
    ndarray
        In order of k; never falling.
    """
    as_choice(combination, "combination", COMBINATIONS)
    values = np.asarray(pvalues, dtype=np.float64)
    if values.ndim != 1:
        raise InputError(f"`pvalues` must be 1-dimensional; got shape {values.shape}.")
    if np.any((values < 0.0) | (values > 1.0)):
        raise InputError("`pvalues` must lie between 0 and 1.")
    ordered = np.sort(values[~np.isnan(values)])
    n_largest = np.arange(len(ordered), 0, -1)
    if combination == "bonferroni":
        combined = n_largest * ordered
    else:
        with np.errstate(divide="ignore"):
            sums = -2.0 * np.cumsum(np.log(ordered)[::-1])[::-1]
        combined = chdtrc(2.0 * n_largest, sums)
    return np.minimum(np.maximum.accumulate(combined), 1.0)
