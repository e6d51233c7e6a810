"""All significance tests under their short names."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sigcore.comparison.bootstrap import DEFAULT_KIND, bootstrap_pvalues, bootstrap_test
from sigcore.comparison.dominance import aso_test
from sigcore.comparison.mcnemar import mcnemar_test
from sigcore.comparison.randomisation import permutation_pvalues, permutation_test
from sigcore.comparison.results import SignificanceResult
from sigcore.comparison.signed_rank import wilcoxon_pvalues, wilcoxon_test
from sigcore.comparison.signs import sign_pvalues, sign_test
from sigcore.comparison.student import t_pvalues, t_test
from sigcore.validation import FloatArray, as_choice

__all__ = ["ROW_TESTS", "TESTS", "SignificanceOptions", "resamples_of", "row_pvalues", "run_test"]

ROW_TESTS = (
    "t",
    "wilcoxon",
    "sign",
    "permutation_mean",
    "permutation_median",
    "bootstrap_mean",
    "bootstrap_median",
)
TESTS = (*ROW_TESTS, "mcnemar", "aso")
_ASO_RESAMPLES = 999  # for a standard error more are of no use


@dataclass(frozen=True, slots=True)
class SignificanceOptions:
    """How tests are carried out, where there is a choice.

    Attributes
    ----------
    n_resamples, seed : int
        Of the tests that resample.
    bootstrap_mean, bootstrap_median : {"studentised", "basic", "percentile", "bca"}
        Kind of bootstrap.
    wilcoxon_method : {"auto", "exact", "asymptotic"}
        How the p-value of the signed-rank test is found.
    wilcoxon_zeros : {"wilcox", "pratt", "zsplit"}
        What is done with differences of zero.
    wilcoxon_continuity : bool
        Whether the asymptotic p-value has a continuity correction.
    mcnemar_method : {"auto", "exact", "mid-p", "asymptotic"}
        How the p-value of McNemar's test is found.
    """

    n_resamples: int = 9999
    seed: int = 0
    bootstrap_mean: str = DEFAULT_KIND["mean"]
    bootstrap_median: str = DEFAULT_KIND["median"]
    wilcoxon_method: str = "auto"
    wilcoxon_zeros: str = "wilcox"
    wilcoxon_continuity: bool = False
    mcnemar_method: str = "auto"

    def with_resamples(self, n_resamples: int) -> "SignificanceOptions":
        """Return the same options with another number of resamples."""
        return dataclasses.replace(self, n_resamples=n_resamples)


def run_test(
    test: str,
    u: npt.ArrayLike,
    v: npt.ArrayLike,
    *,
    alternative: str = "two-sided",
    hypothesised: float = 0.0,
    confidence: float = 0.95,
    options: SignificanceOptions | None = None,
) -> SignificanceResult:
    """Run a test by its short name.

    Parameters
    ----------
    test : str
        One of `TESTS`.
    u, v : array_like of shape (n,)
        Scores of two systems on the same items.
    alternative : {"two-sided", "greater", "less"}
        "greater" means that u is better than v by more than `hypothesised`.
    hypothesised : float
        Difference under the null hypothesis.
    confidence : float
        Level of the interval.
    options : SignificanceOptions, optional
        Choices of single tests.
    """
    as_choice(test, "test", TESTS)
    function, extra = _procedures(options or SignificanceOptions())[test]
    return function(
        u,
        v,
        alternative=alternative,
        hypothesised=hypothesised,
        confidence=confidence,
        **extra,
    )


def row_pvalues(
    test: str,
    rows: FloatArray,
    *,
    alternative: str = "two-sided",
    options: SignificanceOptions | None = None,
    rng: np.random.Generator | None = None,
) -> FloatArray:
    """Return the p-value of a test on each of many samples of differences.

    Parameters
    ----------
    test : str
        One of `ROW_TESTS`.
    rows : ndarray of shape (samples, n)
        Differences minus the hypothesised difference.
    alternative : {"two-sided", "greater", "less"}
        Direction.
    options : SignificanceOptions, optional
        Choices of single tests.
    rng : Generator, optional
        Source of randomness of the bootstrap. If it is not given, every row is resampled as
        `run_test` would do it.

    Returns
    -------
    ndarray of shape (samples,)
        NaN where the test cannot be run.
    """
    as_choice(test, "test", ROW_TESTS)
    chosen = options or SignificanceOptions()
    function, extra = _row_procedures(chosen, rng)[test]
    return function(rows, alternative=alternative, **extra)


def resamples_of(test: str, options: SignificanceOptions) -> int | None:
    """Return how many resamples a test draws; None if it draws none."""
    if test == "aso":
        return min(options.n_resamples, _ASO_RESAMPLES)
    return options.n_resamples if test.startswith("bootstrap") else None


def _procedures(
    options: SignificanceOptions,
) -> dict[str, tuple[Callable[..., SignificanceResult], dict[str, Any]]]:
    """Return the function of each test and the options that only it has."""
    resampling = {"n_resamples": options.n_resamples, "seed": options.seed}
    aso = resampling | {"n_resamples": resamples_of("aso", options)}
    mean = resampling | {"statistic": "mean", "kind": options.bootstrap_mean}
    median = resampling | {"statistic": "median", "kind": options.bootstrap_median}
    return {
        "t": (t_test, {}),
        "wilcoxon": (wilcoxon_test, _wilcoxon_options(options)),
        "sign": (sign_test, {}),
        "permutation_mean": (permutation_test, {"statistic": "mean"}),
        "permutation_median": (permutation_test, {"statistic": "median"}),
        "bootstrap_mean": (bootstrap_test, mean),
        "bootstrap_median": (bootstrap_test, median),
        "mcnemar": (mcnemar_test, {"method": options.mcnemar_method}),
        "aso": (aso_test, aso),
    }


def _row_procedures(
    options: SignificanceOptions, rng: np.random.Generator | None
) -> dict[str, tuple[Callable[..., FloatArray], dict[str, Any]]]:
    """Return the function of each test on many samples, and the options that only it has."""
    resampling = {"n_resamples": options.n_resamples, "seed": options.seed, "rng": rng}
    mean = resampling | {"statistic": "mean", "kind": options.bootstrap_mean}
    median = resampling | {"statistic": "median", "kind": options.bootstrap_median}
    return {
        "t": (t_pvalues, {}),
        "wilcoxon": (wilcoxon_pvalues, _wilcoxon_options(options)),
        "sign": (sign_pvalues, {}),
        "permutation_mean": (permutation_pvalues, {"statistic": "mean"}),
        "permutation_median": (permutation_pvalues, {"statistic": "median"}),
        "bootstrap_mean": (bootstrap_pvalues, mean),
        "bootstrap_median": (bootstrap_pvalues, median),
    }


def _wilcoxon_options(options: SignificanceOptions) -> dict[str, Any]:
    return {
        "method": options.wilcoxon_method,
        "zeros": options.wilcoxon_zeros,
        "continuity": options.wilcoxon_continuity,
    }
