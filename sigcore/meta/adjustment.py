"""Corrections of p-values between metrics for the number of comparisons."""

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from sigcore.comparison.multiplicity import adjust_pvalues
from sigcore.errors import ResolutionWarning
from sigcore.meta.hybrids import SLACK
from sigcore.meta.tally import TallyResult

__all__ = [
    "CORRECTIONS",
    "adjust_rows",
    "adjust_tally",
    "describe_few_draws",
    "step_down_max",
    "warn_of_few_draws",
]

FloatArray = npt.NDArray[np.float64]
Row = Mapping[str, Any]
R = TypeVar("R", bound=Row)

CORRECTIONS = ("none", "bonferroni", "holm", "bh", "maxt")
_RELATIVE_SLACK = 1e-9  # rounding errors of a difference over its spread


def adjust_tally(
    tally: TallyResult, *, method: str, alternative: str, estimator: str
) -> FloatArray:
    """Correct the p-values of pairs of metrics, both ways.

    Parameters
    ----------
    tally : TallyResult
        p-values, with the draws for ``"maxt"``.
    method : {"none", "bonferroni", "holm", "bh", "maxt"}
        The correction.
    alternative : {"two-sided", "greater"}
        A two-sided comparison is one test, one-sided comparisons are two.
    estimator : {"plus-one", "plain"}
        See `step_down_max`.
    """
    if method == "maxt" and tally.null is not None:
        return step_down_max(
            tally.observed, tally.null, alternative=alternative, estimator=estimator
        )
    pvalues = tally.pvalues
    if alternative == "two-sided":
        return np.tile(adjust_pvalues(pvalues[0], method=method), (2, 1))
    return adjust_pvalues(pvalues.ravel(), method=method).reshape(pvalues.shape)


def step_down_max(
    observed: FloatArray, null: FloatArray, *, alternative: str, estimator: str = "plus-one"
) -> FloatArray:
    """Correct by the step-down maxT procedure, from draws that all comparisons share.

    Parameters
    ----------
    observed : ndarray, shape (pairs,)
        Observed differences; NaN marks pairs without test.
    null : ndarray, shape (pairs, draws)
        Random differences; the same column is the same draw for all pairs. NaN, an undefined
        difference, counts as extreme.
    alternative : {"two-sided", "greater"}
        A two-sided comparison is one test, one-sided comparisons are two.
    estimator : {"plus-one", "plain"}
        Whether the observed differences count as one of the draws.

    Returns
    -------
    ndarray, shape (2, pairs)
        Corrected p-values, both ways; NaN without test.

    Notes
    -----
    Differences are divided by their root mean square over the draws and the observed value, so that
    no comparison dominates the maximum. Tests are ordered by the result; each is compared with the
    largest of those not before it (Westfall and Young 1993, algorithm 2.8), an undefined one being
    larger than any. Draws with the same coins keep the correlation of the comparisons, so the
    correction is milder than Holm's. Where several pairs of metrics are swapped with the same
    coins, that correlation is right for many segments only.
    """
    tested = np.flatnonzero(~np.isnan(observed))
    values = np.column_stack([observed[tested], null[tested]])
    undefined = np.isnan(values)
    # Divided by their spread, those of a metric and its rescaled copy would look like differences.
    values[np.abs(values) <= SLACK] = 0.0
    spread = np.sqrt(np.nanmean(np.square(values), axis=1, keepdims=True))
    values = np.divide(values, spread, out=np.zeros_like(values), where=spread > 0.0)
    sides = [np.abs(values)] if alternative == "two-sided" else [values, -values]
    tests = np.concatenate([np.where(undefined, np.inf, side) for side in sides])
    adjusted = np.split(_step_down(tests, estimator), len(sides))
    result = np.full((2, len(observed)), np.nan)
    result[0, tested], result[1, tested] = adjusted[0], adjusted[-1]
    return result


def warn_of_few_draws(n_draws: int, n_tests: int, *, method: str, alpha: float) -> None:
    """Warn if no p-value can be significant, whatever the data.

    Parameters
    ----------
    n_draws : int
        Draws of each test, so that no p-value is below 1 / (draws + 1).
    n_tests : int
        Number of tests that are corrected together.
    method : str
        The correction. Only Bonferroni's and Holm's multiply the least p-value by all tests.
    alpha : float
        Level of significance.
    """
    message = _few_draws(n_draws, n_tests, method=method, alpha=alpha)
    if message:
        warnings.warn(message, ResolutionWarning, stacklevel=3)


def describe_few_draws(rows: Sequence[Row], *, alpha: float) -> list[str]:
    """Say the same of the table `comparisons`: a sentence if nothing in it can be significant.

    Parameters
    ----------
    rows : sequence of rows
        Both directions of every pair of metrics, corrected.
    alpha : float
        Level of significance.
    """
    bounded = [row for row in rows if row["estimator"] == "plus-one"]
    messages = [
        _few_draws(
            family[0]["n_resamples"],
            len(_family_of_tests(family)),
            method=family[0]["correction"],
            alpha=alpha,
        )
        for family in _by_meta(bounded).values()
    ]
    return list(dict.fromkeys(filter(None, messages)))


def _few_draws(n_draws: int, n_tests: int, *, method: str, alpha: float) -> str:
    """Say that no p-value can be significant; empty if one can."""
    corrected = method in ("bonferroni", "holm")
    factor = n_tests if corrected else min(n_tests, 1)
    if factor / (n_draws + 1) <= alpha * (1.0 + 1e-12):
        return ""
    needed = math.ceil(factor / alpha * (1.0 - 1e-12)) - 1
    after = f"after the correction {method!r} of {n_tests} tests " if corrected else ""
    advice = 'Use more, or "maxt".' if corrected and 1 / (n_draws + 1) <= alpha else "Use more."
    return (
        f"{n_draws} draws are too few: {after}nothing can be significant at {alpha:g} with fewer "
        f"than {needed} draws. {advice}"
    )


def adjust_rows(rows: Iterable[Row], *, method: str, alpha: float) -> list[dict[str, Any]]:
    """Correct the rows of the table `comparisons`, each meta-metric by itself.

    Parameters
    ----------
    rows : iterable of rows
        Both directions of every pair of metrics.
    method : {"none", "bonferroni", "holm", "bh"}
        The correction.
    alpha : float
        Level of significance, for the warning about too few draws.

    Returns
    -------
    list of dict
        The rows in the same order, with `adjusted` and `correction`.
    """
    corrected = [dict(row) for row in rows]
    for family in _by_meta(corrected).values():
        chosen = _family_of_tests(family)
        adjusted = adjust_pvalues([_number(row["pvalue"]) for row in chosen], method=method)
        if family[0]["estimator"] == "plus-one":
            n_draws = family[0]["n_resamples"]
            warn_of_few_draws(n_draws, len(chosen), method=method, alpha=alpha)
        by_pair = {
            (row["metric"], row["other"]): float(value)
            for row, value in zip(chosen, adjusted, strict=True)
        }
        for row in family:
            one, other = row["metric"], row["other"]
            row["adjusted"] = by_pair.get((one, other), by_pair.get((other, one)))
            row["correction"] = method
    return corrected


def _by_meta(rows: Iterable[R]) -> dict[str, list[R]]:
    """Return the rows of each meta-metric."""
    families: dict[str, list[R]] = {}
    for row in rows:
        families.setdefault(row["meta"], []).append(row)
    return families


def _family_of_tests(family: Sequence[R]) -> list[R]:
    """Return a row for each test: two-sided, both directions of a pair are one."""
    two_sided = family[0]["alternative"] == "two-sided"
    return [row for row in family if not two_sided or row["metric"] < row["other"]]


def _step_down(values: FloatArray, estimator: str) -> FloatArray:
    """Return corrected p-values of tests (rows); the first column is observed, large is extreme."""
    observed, drawn = values[:, 0], values[:, 1:]
    order = np.argsort(-observed, kind="stable")
    largest = np.maximum.accumulate(drawn[order][::-1], axis=0)[::-1]
    counts = (largest >= observed[order, None] - _RELATIVE_SLACK).sum(axis=1)
    added = 1 if estimator == "plus-one" else 0
    shares = (counts + added) / (drawn.shape[1] + added)
    adjusted = np.empty(len(order))
    adjusted[order] = np.maximum.accumulate(shares)
    return adjusted


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)
