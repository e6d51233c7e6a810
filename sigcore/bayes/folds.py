"""Counts of the folds of an m x 2 cross-validation, and how many independent ones they are worth.

Each of the m repetitions cuts the corpus into two halves and validates on each of them, so there
are 2m folds. The folds overlap between repetitions; their counts are summed and multiplied by a
weight that corrects for the correlation.
"""

from dataclasses import dataclass
from math import log

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.validation import as_count, as_number

__all__ = [
    "RHO1_RANGE",
    "RHO2_RANGE",
    "EffectiveCounts",
    "FoldCounts",
    "as_fold_counts",
    "as_fold_pair",
    "effective_counts",
    "effective_weight",
]

# Wang & Li (2019), section 2.3: the ranges the correlations were found in by simulation.
RHO1_RANGE = (0.0, 0.5)
RHO2_RANGE = (0.25, 0.5)

IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class FoldCounts:
    """Counts of one model on the folds of an m x 2 cross-validation.

    Attributes
    ----------
    counts : ndarray of int, shape (m, 2, 3)
        Repetition, fold, and (TP, FP, FN).
    """

    counts: IntArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", _as_counts(self.counts, "counts"))

    @classmethod
    def from_chunks(
        cls, gold: npt.ArrayLike, predicted: npt.ArrayLike, correct: npt.ArrayLike
    ) -> "FoldCounts":
        """Make the counts from numbers of gold, predicted and correct chunks, each (m, 2)."""
        # As floats: differences of unsigned integers would wrap around.
        given = {"gold": gold, "predicted": predicted, "correct": correct}
        arrays = [_as_floats(values, name) for name, values in given.items()]
        try:
            gold, predicted, correct = np.broadcast_arrays(*arrays)
        except ValueError as error:
            raise InputError(
                f"`gold`, `predicted` and `correct` must have one shape: {error}."
            ) from error
        return cls(np.stack([correct, predicted - correct, gold - correct], axis=-1))

    @property
    def n_repetitions(self) -> int:
        """Number of repetitions of the two-fold cross-validation, m."""
        return len(self.counts)

    @property
    def n_folds(self) -> int:
        """Number of folds, 2m."""
        return 2 * self.n_repetitions

    @property
    def positives(self) -> IntArray:
        """Gold positives, TP + FN, of each fold; shape (m, 2)."""
        return np.asarray(self.counts[..., 0] + self.counts[..., 2])

    @property
    def totals(self) -> tuple[int, int, int]:
        """TP, FP and FN summed over all folds."""
        true_positives, false_positives, false_negatives = self.counts.sum(axis=(0, 1)).tolist()
        return true_positives, false_positives, false_negatives


@dataclass(frozen=True, slots=True)
class EffectiveCounts:
    """Counts of as many independent observations as the folds are worth.

    Attributes
    ----------
    true_positives, false_positives, false_negatives : float
        Sums over the folds, times `weight`.
    weight : float
        The weight.
    """

    true_positives: float
    false_positives: float
    false_negatives: float
    weight: float


def as_fold_counts(folds: FoldCounts | npt.ArrayLike, name: str) -> FoldCounts:
    """Return `folds` as `FoldCounts`; an array must be (repetitions, 2, 3) with TP, FP, FN."""
    if isinstance(folds, FoldCounts):
        return folds
    return FoldCounts(_as_counts(folds, name))


def as_fold_pair(
    folds_a: FoldCounts | npt.ArrayLike, folds_b: FoldCounts | npt.ArrayLike
) -> tuple[FoldCounts, FoldCounts]:
    """Return the folds of two models as `FoldCounts` with equally many repetitions."""
    counts_a, counts_b = as_fold_counts(folds_a, "folds_a"), as_fold_counts(folds_b, "folds_b")
    if counts_a.n_repetitions != counts_b.n_repetitions:
        raise InputError(
            "`folds_a` and `folds_b` must have the same number of repetitions; got "
            f"{counts_a.n_repetitions} and {counts_b.n_repetitions}."
        )
    return counts_a, counts_b


def effective_weight(
    n_repetitions: int = 3, *, rho1: float | None = None, rho2: float | None = None
) -> float:
    """Return the weight of the summed counts of an m x 2 cross-validation.

    Parameters
    ----------
    n_repetitions : int
        Number of repetitions, m.
    rho1 : float, optional
        Correlation of the two folds of one repetition; without it the weight is averaged over
        0 to 1/2.
    rho2 : float, optional
        Correlation of two folds of different repetitions; without it the weight is averaged over
        1/4 to 1/2.

    Returns
    -------
    float
        1 / (1 + rho1 + 2 (m - 1) rho2) or its average. It is 1 for independent folds and 1/(2m),
        the mean of the counts, when rho1 = rho2 = 1.

    Notes
    -----
    Equations 16 to 24 for m = 3. For other m the variance of the mean of 2m estimates of equal
    variance is the same sum of covariances. The ranges of rho1 and rho2 were reported for
    3 x 2; they are taken over to any m.

    References
    ----------
    Wang, R. and Li, J. (2019). Bayes test of precision, recall, and F1 measure for comparison of
    two natural language processing models. ACL, 4135-4145.

    Examples
    --------
    >>> round(effective_weight(3), 4)
    0.3688
    >>> effective_weight(3, rho1=1.0, rho2=1.0) == 1 / 6
    True
    """
    repetitions = as_count(n_repetitions, "n_repetitions", minimum=1)
    low1, high1 = _as_correlation(rho1, "rho1", RHO1_RANGE)
    low2, high2 = _as_correlation(rho2, "rho2", RHO2_RANGE)
    factor = 2 * (repetitions - 1)
    smallest = 1 + low1 + factor * low2
    if smallest <= 0:
        raise InputError(
            f"1 + rho1 + {factor} rho2 must be positive for {repetitions} repetitions; "
            f"got {smallest:g}."
        )
    return _mean_reciprocal(smallest, high1 - low1, factor * (high2 - low2))


def effective_counts(
    folds: FoldCounts | npt.ArrayLike, *, rho1: float | None = None, rho2: float | None = None
) -> EffectiveCounts:
    """Sum the counts over all folds and multiply them by the weight of `effective_weight`.

    Parameters
    ----------
    folds : FoldCounts or array_like, shape (m, 2, 3)
        TP, FP and FN of each repetition and fold.
    rho1, rho2 : float, optional
        See `effective_weight`.

    Returns
    -------
    EffectiveCounts
    """
    counts = as_fold_counts(folds, "folds")
    weight = effective_weight(counts.n_repetitions, rho1=rho1, rho2=rho2)
    true_positives, false_positives, false_negatives = (weight * n for n in counts.totals)
    return EffectiveCounts(true_positives, false_positives, false_negatives, weight)


def _as_floats(values: npt.ArrayLike, name: str) -> npt.NDArray[np.float64]:
    if np.ma.is_masked(values):
        raise InputError(f"`{name}` has masked counts; a missing count is not filled in.")
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"`{name}` must contain numbers only: {error}.") from error


def _as_counts(values: npt.ArrayLike, name: str) -> IntArray:
    array = _as_floats(values, name)
    if array.ndim != 3 or array.shape[1:] != (2, 3) or len(array) == 0:
        raise InputError(
            f"`{name}` must have shape (repetitions, 2, 3), the counts TP, FP, FN of both folds "
            f"of each repetition; got shape {array.shape}. A missing fold is not filled in."
        )
    bad = np.argwhere(~((array >= 0) & (array == np.floor(array)) & (array < 2**53)))
    if len(bad):
        repetition, fold, kind = bad[0]
        raise InputError(
            f"`{name}` must be whole numbers of at least 0; {('TP', 'FP', 'FN')[kind]} of "
            f"repetition {repetition + 1}, fold {fold + 1} is {array[repetition, fold, kind]:g}."
        )
    return array.astype(np.int64)


def _as_correlation(
    value: float | None, name: str, default: tuple[float, float]
) -> tuple[float, float]:
    if value is None:
        return default
    number = as_number(value, name)
    if not -1.0 <= number <= 1.0:
        raise InputError(f"`{name}` must be a correlation, from -1 to 1; got {value}.")
    return number, number


def _mean_reciprocal(smallest: float, width1: float, width2: float) -> float:
    # The mean of 1 / (smallest + x + y) over 0 <= x <= width1, 0 <= y <= width2.
    if width1 == 0 and width2 == 0:
        return 1 / smallest
    if width1 == 0 or width2 == 0:
        width = width1 + width2
        return log((smallest + width) / smallest) / width
    corners = (smallest + width1 + width2, smallest + width1, smallest + width2, smallest)
    largest, first, second, least = (corner * log(corner) for corner in corners)
    return (largest - first - second + least) / (width1 * width2)
