"""How well does a meta-metric tell metrics apart? The counts of Table 1 of the SPA paper."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import comb

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.meta.clusters import greedy_clusters
from sigcore.meta.comparison import MetaMetricTest
from sigcore.meta.hybrids import SLACK
from sigcore.meta.significance import compare_metrics
from sigcore.validation import as_count, as_matrix, as_vector

__all__ = ["Discrimination", "count_different", "discrimination", "repeat_records"]

FloatArray = npt.NDArray[np.float64]

_DIGITS = 12  # scores that agree to so many digits are equal


@dataclass(frozen=True, slots=True)
class Discrimination:
    """Result of `discrimination`.

    Attributes
    ----------
    n_distinct : int
        Distinct scores.
    n_significant : int
        Pairs of metrics that differ significantly.
    n_clusters : int
        Clusters by the greedy rule of the metrics task.
    """

    n_distinct: int
    n_significant: int
    n_clusters: int


def discrimination(
    scores: npt.ArrayLike,
    pvalues: npt.ArrayLike,
    *,
    names: Sequence[str] | None = None,
    alpha: float = 0.05,
) -> Discrimination:
    """Count distinct scores, significant differences and clusters of metrics.

    Parameters
    ----------
    scores : array_like, shape (metrics,)
        Larger is better.
    pvalues : array_like, shape (metrics, metrics)
        p-values of the differences; NaN is not significant.
    names : sequence of str, optional
        Names of the metrics, by which equal scores are sorted.
    alpha : float
        Two metrics differ where p <= alpha.

    Returns
    -------
    Discrimination

    Examples
    --------
    >>> discrimination([0.9, 0.8, 0.8], [[1, 0.2, 0.01], [0.2, 1, 1], [0.01, 1, 1]])
    Discrimination(n_distinct=2, n_significant=1, n_clusters=2)
    """
    values, matrix = as_vector(scores, "scores"), as_matrix(pvalues, "pvalues")
    clusters = greedy_clusters(values, matrix, names=names, alpha=alpha)
    significant = matrix <= alpha
    return Discrimination(
        n_distinct=len(np.unique(np.round(values, _DIGITS))),
        n_significant=int(np.count_nonzero(np.triu(significant | significant.T, 1))),
        n_clusters=clusters.n_clusters,
    )


def count_different(scores: npt.ArrayLike) -> int:
    """Count the metrics that do not repeat the scores of another one, cell by cell.

    Parameters
    ----------
    scores : array_like, shape (metrics, systems, segments)
        Scores of the metrics; NaN marks a missing score.
    """
    metrics = np.asarray(scores, dtype=np.float64)
    if metrics.ndim != 3:
        raise InputError(
            "`scores` must be 3-dimensional (metrics x systems x segments); "
            f"got shape {metrics.shape}."
        )
    return len({np.ascontiguousarray(metric + 0.0).tobytes() for metric in metrics})


def repeat_records(
    gold: npt.ArrayLike,
    scores: npt.ArrayLike,
    *,
    metric_names: Sequence[str],
    n_repeats: int,
    n_resamples: int = 1000,
    alpha: float = 0.05,
    seed: int = 0,
    purpose: Sequence[str] = (),
) -> list[dict[str, object]]:
    """Repeat the comparison of all metrics to see how far its counts depend on the draws.

    Parameters
    ----------
    gold, scores, metric_names, n_resamples, seed, purpose
        As for `compare_metrics`: PERM-INPUTS, two-sided, plain shares of draws.
    n_repeats : int
        Repeats, each with draws of its own; the first has those of `compare_metrics`.
    alpha : float
        Two metrics differ where p <= alpha.

    Returns
    -------
    list of dict
        For each repeat and `meta` the fields of `Discrimination`; PA twice, with its differences
        compared as whole numbers and as floats, see `pa_comparison` of `compare_metrics`.
    """
    as_count(n_repeats, "n_repeats", minimum=1)
    as_count(n_resamples, "n_resamples", minimum=1)
    result = compare_metrics(
        gold,
        scores,
        metric_names=metric_names,
        n_resamples=n_repeats * n_resamples,
        estimator="plain",
        pa_comparison="float",
        seed=seed,
        purpose=purpose,
        keep_null=True,
    )
    # Half a pair of systems is far above rounding errors and below any real difference of PA.
    half_step = 0.5 / comb(result.n_systems, 2)
    rows: list[dict[str, object]] = []
    for meta, comparison, slack in (
        ("spa", "values", SLACK),
        ("pa", "counts", half_step),
        ("pa", "float", 0.0),
    ):
        parts = _repeated_pvalues(result[meta], result.metric_pairs, n_repeats, slack)
        for repeat, pvalues in enumerate(parts):
            found = discrimination(result[meta].scores, pvalues, names=metric_names, alpha=alpha)
            labels = {"meta": meta, "comparison": comparison, "repeat": repeat}
            rows.append({**labels, **asdict(found)})
    return rows


def _repeated_pvalues(
    test: MetaMetricTest, pairs: Sequence[tuple[int, int]], n_repeats: int, slack: float
) -> Iterator[FloatArray]:
    """Find the p-values of each part of the draws; differences closer than `slack` are equal.

    Pairs without draws, those of a constant metric, have no p-value.
    """
    a, b = np.array(pairs).T
    observed = np.abs(test.scores[a] - test.scores[b])[:, None]
    null = np.asarray(test.null)
    undefined = np.isnan(null).any(axis=1)
    extreme = np.abs(null) >= observed - slack
    for part in np.split(extreme, n_repeats, axis=1):
        pvalues = np.full((len(test.scores), len(test.scores)), np.nan)
        pvalues[a, b] = pvalues[b, a] = np.where(undefined, np.nan, part.mean(axis=1))
        yield pvalues
