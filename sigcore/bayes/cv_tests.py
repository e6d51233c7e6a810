"""Significance tests on cross-validation that the Bayes test can be compared with.

Each takes the differences B - A of a score in the folds. They assume a t or F distribution, which
precision, recall and F1 do not follow near 0 and 1; the Bayes test was made to replace them.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import fdtrc, stdtr

from sigcore.errors import InputError
from sigcore.validation import as_choice, as_matrix, as_number, as_vector

__all__ = [
    "CrossValidationTest",
    "block_regularised_t_test",
    "correlated_t_test",
    "five_by_two_f_test",
    "five_by_two_t_test",
    "fold_scores",
]

ALTERNATIVES = ("two-sided", "greater", "less")

# Differences of scores up to 1 that vary by less, or by less in proportion, do not vary.
_ROUNDING, _RELATIVE_ROUNDING = 1e-15, 1e-12

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CrossValidationTest:
    """Result of a test on the differences of the folds.

    Attributes
    ----------
    test : str
        Name of the test.
    mean : float
        Mean difference B - A.
    statistic : float
        Value of t or F; NaN for 0/0, infinite when only the denominator is 0.
    degrees : tuple of int
        Degrees of freedom.
    pvalue : float
        Probability under no difference of a statistic at least as extreme.
    alternative : {"two-sided", "greater", "less"}
        Which side counts as extreme; "greater" is B better than A.
    n_folds : int
        Number of differences.
    reason : str
        Why the statistic is NaN or infinite; empty otherwise.
    """

    test: str
    mean: float
    statistic: float
    degrees: tuple[int, ...]
    pvalue: float
    alternative: str
    n_folds: int
    reason: str = ""


def correlated_t_test(
    differences: npt.ArrayLike, *, test_train_ratio: float, alternative: str = "two-sided"
) -> CrossValidationTest:
    """Test a mean difference over overlapping folds with the corrected t-test.

    Parameters
    ----------
    differences : array_like, shape (n_folds,)
        Differences B - A of a score, one for each fold or resample.
    test_train_ratio : float
        Size of a validation set over that of a training set: 1 for two-fold, 1/9 for ten-fold
        cross-validation.
    alternative : {"two-sided", "greater", "less"}
        "greater": B is better than A.

    Returns
    -------
    CrossValidationTest

    Notes
    -----
    t = mean / sqrt((1/k + ratio) s^2) with k - 1 degrees of freedom, s^2 with divisor k - 1.

    References
    ----------
    Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52,
    239-281.
    """
    values = as_vector(differences, "differences")
    as_choice(alternative, "alternative", ALTERNATIVES)
    if len(values) < 2:
        raise InputError(f"`differences` must have at least 2 folds; got {len(values)}.")
    ratio = as_number(test_train_ratio, "test_train_ratio")
    if ratio <= 0:
        raise InputError(f"`test_train_ratio` must be positive; got {test_train_ratio}.")
    variance = (1 / len(values) + ratio) * _squares(values).sum() / (len(values) - 1)
    return _t_test(
        "correlated t-test", values, float(values.mean()), variance, len(values) - 1, alternative
    )


def block_regularised_t_test(
    differences: npt.ArrayLike, *, alternative: str = "two-sided"
) -> CrossValidationTest:
    """Test a mean difference over an m x 2 block-regularised cross-validation.

    Parameters
    ----------
    differences : array_like, shape (m, 2)
        Differences B - A of a score in both folds of each repetition; the paper has m = 3.
    alternative : {"two-sided", "greater", "less"}
        "greater": B is better than A.

    Returns
    -------
    CrossValidationTest

    Notes
    -----
    t = mean / sqrt(sum (d - mean)^2 / (2m)) with 2m - 1 degrees of freedom. The variance of the
    mean of 2m correlated folds is (1 + rho1 + 2 (m - 1) rho2) / 2m of that of one fold; the
    estimate is above it on average when this share is below 1/2, so for m = 3 when
    rho1 + 4 rho2 < 2. It is too small at the upper end of the published ranges of rho1 and rho2.

    References
    ----------
    Wang, Y., Wang, R., Jia, H. and Li, J. (2014). Blocked 3 x 2 cross-validated t-test for
    comparing supervised classification learning algorithms. Neural Computation 26(1), 208-235.
    """
    values = _as_halves(differences)
    as_choice(alternative, "alternative", ALTERNATIVES)
    name = f"{len(values)} x 2 block-regularised t-test"
    degrees = values.size - 1
    variance = _squares(values).mean()
    return _t_test(name, values, float(values.mean()), variance, degrees, alternative)


def five_by_two_t_test(
    differences: npt.ArrayLike, *, alternative: str = "two-sided"
) -> CrossValidationTest:
    """Test a difference with Dietterich's 5 x 2 cv t-test.

    Parameters
    ----------
    differences : array_like, shape (5, 2)
        Differences B - A of a score in both folds of five repetitions.
    alternative : {"two-sided", "greater", "less"}
        "greater": B is better than A.

    Returns
    -------
    CrossValidationTest

    Notes
    -----
    t = d[0, 0] / sqrt(mean over repetitions of s_i^2), 5 degrees of freedom, where
    s_i^2 = (d_i1 - mean_i)^2 + (d_i2 - mean_i)^2. The numerator is the first fold alone, so the
    result depends on the order of the repetitions; `five_by_two_f_test` does not.

    References
    ----------
    Dietterich, T. G. (1998). Approximate statistical tests for comparing supervised classification
    learning algorithms. Neural Computation 10(7), 1895-1923.
    """
    values = _as_halves(differences, n_repetitions=5)
    as_choice(alternative, "alternative", ALTERNATIVES)
    variance = _squares(values, axis=1).sum() / len(values)
    return _t_test("5 x 2 cv t-test", values, float(values[0, 0]), variance, 5, alternative)


def five_by_two_f_test(differences: npt.ArrayLike) -> CrossValidationTest:
    """Test a difference with Alpaydin's combined 5 x 2 cv F-test.

    Parameters
    ----------
    differences : array_like, shape (5, 2)
        Differences B - A of a score in both folds of five repetitions.

    Returns
    -------
    CrossValidationTest
        Always two-sided.

    Notes
    -----
    F = sum d^2 / (2 sum s_i^2) with 10 and 5 degrees of freedom.

    References
    ----------
    Alpaydin, E. (1999). Combined 5 x 2 cv F test for comparing supervised classification learning
    algorithms. Neural Computation 11(8), 1885-1892.
    """
    values = _as_halves(differences, n_repetitions=5)
    squares, spread = float(np.square(values).sum()), float(_squares(values, axis=1).sum())
    statistic, reason = _ratio(squares, 2 * spread, values)
    return CrossValidationTest(
        test="5 x 2 cv F-test",
        mean=float(values.mean()),
        statistic=statistic,
        degrees=(10, 5),
        pvalue=float(fdtrc(10, 5, statistic)),
        alternative="two-sided",
        n_folds=values.size,
        reason=reason,
    )


def fold_scores(counts: npt.ArrayLike, *, measure: str = "f1") -> FloatArray:
    """Return precision, recall or F1 of each fold, for the tests above.

    Parameters
    ----------
    counts : array_like, shape (..., 3)
        TP, FP and FN of each fold.
    measure : {"f1", "precision", "recall"}
        The measure.

    Returns
    -------
    ndarray, shape (...)
        0 where nothing was predicted correctly, also when the measure is 0/0.
    """
    as_choice(measure, "measure", ("f1", "precision", "recall"))
    if np.ma.is_masked(counts):
        raise InputError("`counts` has masked counts; a missing count is not filled in.")
    array = np.asarray(counts, dtype=np.float64)
    if array.ndim == 0 or array.shape[-1] != 3:
        raise InputError(f"`counts` must have TP, FP, FN on its last axis; got {array.shape}.")
    true_positives, false_positives, false_negatives = np.moveaxis(array, -1, 0)
    wrong = {
        "precision": false_positives,
        "recall": false_negatives,
        "f1": (false_positives + false_negatives) / 2,
    }[measure]
    total = true_positives + wrong
    return np.asarray(true_positives / np.where(total > 0, total, 1.0))


def _as_halves(differences: npt.ArrayLike, n_repetitions: int | None = None) -> FloatArray:
    values = as_matrix(differences, "differences", axes="repetitions x 2 folds")
    expected = n_repetitions or "repetitions"
    if values.shape[1] != 2 or n_repetitions not in (None, len(values)):
        raise InputError(f"`differences` must have shape ({expected}, 2); got {values.shape}.")
    if np.isnan(values).any():
        raise InputError("`differences` must not have missing folds; found NaN.")
    return values


def _squares(values: FloatArray, axis: int | None = None) -> FloatArray:
    """Return squared distances from the mean, or from the means along an axis.

    Distances that rounding errors explain are 0: 0.58 - 0.42 and 0.56 - 0.4 are not to differ.
    """
    distances = values - values.mean(axis=axis, keepdims=True)
    rounding = max(_ROUNDING, _RELATIVE_ROUNDING * float(np.abs(values).max()))
    return np.where(np.abs(distances) <= rounding, 0.0, np.square(distances))


def _t_test(
    name: str,
    values: FloatArray,
    numerator: float,
    variance: float,
    degrees: int,
    alternative: str,
) -> CrossValidationTest:
    statistic, reason = _ratio(numerator, float(np.sqrt(variance)), values)
    tail = {
        "two-sided": 2 * stdtr(degrees, -abs(statistic)),
        "greater": stdtr(degrees, -statistic),
        "less": stdtr(degrees, statistic),
    }[alternative]
    return CrossValidationTest(
        test=name,
        mean=float(values.mean()),
        statistic=statistic,
        degrees=(degrees,),
        pvalue=float(tail),
        alternative=alternative,
        n_folds=values.size,
        reason=reason,
    )


def _ratio(numerator: float, denominator: float, values: FloatArray) -> tuple[float, str]:
    if denominator > 0:
        return numerator / denominator, ""
    if not values.any():
        return float("nan"), "all differences are 0"
    # The 5 x 2 tests compare the folds of a repetition only.
    reason = "the differences do not vary" + (" within repetitions" * bool(_squares(values).any()))
    if numerator == 0:
        return float("nan"), f"the first difference is 0 and {reason}"
    return float(np.copysign(np.inf, numerator)), reason
