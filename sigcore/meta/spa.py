"""Soft Pairwise Accuracy: agreement of metric and people on how sure it is who is better."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.errors import DegenerateDataWarning, InputError
from sigcore.permutation.pairwise import PairwisePvalues, pairwise_pvalues
from sigcore.seeding import generator
from sigcore.validation import as_matrices, as_matrix, refuse_other_labels

__all__ = [
    "SpaResult",
    "as_pvalues",
    "soft_pairwise_accuracy",
    "spa_components",
    "spa_from_pvalues",
    "why_apart",
]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SpaResult:
    """Result of `soft_pairwise_accuracy`.

    Attributes
    ----------
    value : float
        Soft Pairwise Accuracy, from 0 to 1; NaN where undefined.
    gold, metric : PairwisePvalues
        The p-values it was computed from, with method, ties, error and counts.
    reason : str
        Why the value is undefined; empty when it is defined.
    """

    value: float
    gold: PairwisePvalues
    metric: PairwisePvalues
    reason: str = ""

    @property
    def components(self) -> FloatArray:
        """Agreement of each pair of systems, a symmetric matrix (Figure 1 of the paper)."""
        return spa_components(self.gold.pvalues, self.metric.pvalues)

    def to_record(self) -> dict[str, object]:
        """Return a flat row for a table; `error` is the largest one of a p-value."""
        n_systems = len(self.gold.pvalues)
        return {
            "value": self.value,
            "n_systems": n_systems,
            "n_pairs": n_systems * (n_systems - 1) // 2,
            "n_segments": self.gold.n_segments_used,
            "n_segments_dropped": self.gold.n_segments_dropped,
            "gold_method": self.gold.method,
            "metric_method": self.metric.method,
            "error": max(self.gold.error, self.metric.error),
            "ties": self.gold.ties,
            "missing": self.gold.missing,
            "n_resamples": self.gold.n_resamples,
            "seed": self.gold.seed,
            "reason": self.reason,
        }


def soft_pairwise_accuracy(
    gold: npt.ArrayLike,
    metric: npt.ArrayLike,
    *,
    method: str = "auto",
    ties: str | None = None,
    missing: str = "listwise",
    blocks: Sequence[object] | npt.NDArray[np.generic] | None = None,
    n_resamples: int = 1000,
    seed: int = 4,
    shared_signs: bool = True,
) -> SpaResult:
    """Compute Soft Pairwise Accuracy of a metric.

    Parameters
    ----------
    gold, metric : array_like, shape (systems, segments)
        Segment scores, larger is better; NaN marks a missing score. A cell without one of the two
        is left out of both, so that gold and metric are always compared on the same segments.
        Cells are matched by position; data frames whose labels contradict are refused.
    method, missing, blocks, n_resamples, seed
        How the p-values are found: see `pairwise_pvalues`.
    ties : {"mid", "ge"}, optional
        ``"ge"`` counts random differences equal to the observed one wholly, as published;
        ``"mid"`` by half, so that the order of systems does not matter and identical systems have
        p = 0.5. By default ``"mid"``, and ``"ge"`` for ``method="mtme"``.
    shared_signs : bool, default True
        Whether the Monte Carlo methods use the same signs for gold and metric, as mt-metrics-eval
        does. The code released with the paper uses independent signs, which lowers the value a
        little.

    Returns
    -------
    SpaResult

    Notes
    -----
    The mean over pairs i < j of ``1 - |p_gold - p_metric|``, equation 1 of Thompson et al. (2024),
    Improving Statistical Significance in Human Evaluation of Automatic Metrics via Soft Pairwise
    Accuracy. DEVIATES: with the default ties two identical systems have p = 0.5, as the paper's
    text says; its formula with ``>=`` gives 1.

    Examples
    --------
    >>> soft_pairwise_accuracy([[1, 2, 3], [2, 3, 4]], [[2, 2, 4], [1, 3, 5]], ties="ge").value
    0.875
    """
    first, second = as_matrices(gold=gold, metric=metric)
    gaps = np.isnan(first) | np.isnan(second)
    chosen_ties = ties or ("ge" if method == "mtme" else "mid")
    seeds = (seed, seed if shared_signs else _other_seed(seed))
    with warnings.catch_warnings():
        # Said once, for gold and metric together.
        warnings.simplefilter("ignore", DegenerateDataWarning)
        results = [
            pairwise_pvalues(
                np.where(gaps, np.nan, scores),
                method=method,
                ties=chosen_ties,
                missing=missing,
                blocks=blocks,
                n_resamples=n_resamples,
                seed=its_seed,
            )
            for scores, its_seed in zip((first, second), seeds, strict=True)
        ]
    value, reason = _mean_agreement(
        results[0].pvalues, results[1].pvalues, why_apart(gaps, missing)
    )
    return SpaResult(value=value, gold=results[0], metric=results[1], reason=reason)


def spa_from_pvalues(gold_pvalues: npt.ArrayLike, metric_pvalues: npt.ArrayLike) -> float:
    """Average the agreement of two matrices of p-values over the pairs of systems i < j.

    Parameters
    ----------
    gold_pvalues, metric_pvalues : array_like, shape (systems, systems)
        Entry (i, j) is the p-value of "system i is better than system j". Only i < j is read.

    Returns
    -------
    float
        NaN, with a `DegenerateDataWarning`, for fewer than two systems or where a pair has no
        p-value.
    """
    first, second = as_pvalues(gold_pvalues, metric_pvalues)
    value, _ = _mean_agreement(first, second)
    return value


def spa_components(gold_pvalues: npt.ArrayLike, metric_pvalues: npt.ArrayLike) -> FloatArray:
    """Return ``1 - |p_gold - p_metric|`` of each pair, a symmetric matrix with NaN on its diagonal.

    The entries above the diagonal are those that Soft Pairwise Accuracy averages; they are repeated
    below it.
    """
    first, second = as_pvalues(gold_pvalues, metric_pvalues)
    upper = np.triu(1.0 - np.abs(first - second), 1)
    components: FloatArray = upper + upper.T
    np.fill_diagonal(components, np.nan)
    return components


def why_apart(gaps: npt.NDArray[np.bool_], missing: str) -> str:
    """Say why systems cannot be compared, as scores are missing; nothing where they can.

    Parameters
    ----------
    gaps : ndarray of bool, shape (systems, segments)
        Cells without a score of people or metric.
    missing : {"listwise", "pairwise"}
        Whether segments must be rated for all systems or for the two that are compared.
    """
    if missing == "listwise":
        return "no segment has all scores" if gaps.any(axis=0).all() else ""
    rated = (~gaps).astype(np.float64)
    shared = (rated @ rated.T)[np.triu_indices(len(gaps), 1)]
    n_apart = int((shared == 0.0).sum())
    told = f"{n_apart} of {shared.size} pairs of systems have no segment in common"
    return told if n_apart else ""


def as_pvalues(
    gold_pvalues: npt.ArrayLike, metric_pvalues: npt.ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """Return two square matrices of equal shape, or raise an `InputError`."""
    refuse_other_labels({"gold_pvalues": gold_pvalues, "metric_pvalues": metric_pvalues})
    first = as_matrix(gold_pvalues, "gold_pvalues", axes="systems x systems")
    second = as_matrix(metric_pvalues, "metric_pvalues", axes="systems x systems")
    n = len(first)
    if first.shape != (n, n) or second.shape != (n, n):
        raise InputError(
            "`gold_pvalues` and `metric_pvalues` must be square and of equal shape; "
            f"got {first.shape} and {second.shape}."
        )
    return first, second


def _mean_agreement(first: FloatArray, second: FloatArray, reason: str = "") -> tuple[float, str]:
    """Average over pairs; NaN for the reason given, or for one found in the matrices."""
    upper = np.triu_indices(len(first), 1)
    distances = np.abs(first[upper] - second[upper])
    reason = reason or _why_undefined(distances, len(first))
    if reason:
        message = f"Soft Pairwise Accuracy is undefined: {reason}."
        warnings.warn(message, DegenerateDataWarning, stacklevel=3)
        return float("nan"), reason
    # In this order of operations mt-metrics-eval's values come out to the last bit.
    return 1.0 - float(distances.mean()), ""


def _why_undefined(distances: FloatArray, n_systems: int) -> str:
    if distances.size == 0:
        return f"there must be at least 2 systems; got {n_systems}"
    n_missing = int(np.isnan(distances).sum())
    return f"{n_missing} of {distances.size} pairs of systems have no p-value" if n_missing else ""


def _other_seed(seed: int) -> int:
    return int(generator(seed, "independent signs").integers(1 << 31))
