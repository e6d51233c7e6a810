"""What a comparison of metrics returns."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError, SplitTieWarning
from sigcore.meta.clusters import Clusters, all_pairs_clusters, greedy_clusters
from sigcore.validation import as_choice

__all__ = ["MetaMetricTest", "MetricComparison"]

FloatArray = npt.NDArray[np.float64]

_DIGITS = 12  # scores that agree to so many digits are equal


@dataclass(frozen=True, slots=True)
class MetaMetricTest:
    """Comparison of metrics by one meta-metric.

    Attributes
    ----------
    scores : ndarray, shape (metrics,)
        The statistic that was permuted, of each metric on all cells it has in common with people.
        Soft Pairwise Accuracy is from analytic mid-p values.
    differences : ndarray, shape (metrics, metrics)
        Score of the row minus score of the column, on the cells that people and both have.
    pvalues : ndarray, shape (metrics, metrics)
        Entry (a, b): "a is better than b", or "a and b differ". NaN where there is none.
    adjusted : ndarray, shape (metrics, metrics)
        p-values corrected for the number of comparisons; the same as `pvalues` without correction.
    interval_low, interval_high : ndarray, shape (metrics, metrics)
        95% Clopper-Pearson interval of each p-value given the number of draws.
    null : ndarray or None, shape (metric pairs, draws)
        The random differences, if they were asked for.
    """

    scores: FloatArray
    differences: FloatArray
    pvalues: FloatArray
    adjusted: FloatArray
    interval_low: FloatArray
    interval_high: FloatArray
    null: FloatArray | None

    def n_significant(self, alpha: float = 0.05) -> int:
        """Count unordered pairs of metrics with a corrected p-value of at most `alpha`."""
        significant = self.adjusted <= alpha
        return int(np.triu(significant | significant.T, 1).sum())


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """Result of `compare_metrics`.

    Attributes
    ----------
    metric_names : tuple of str
        The metrics, in the order given.
    tests : mapping of str to MetaMetricTest
        One for each meta-metric.
    metric_pairs : tuple of (int, int)
        The pairs that were compared.
    n_cells : tuple of int
        For each of them, the scores of each metric that entered, systems x segments without gaps.
    n_systems, n_segments, n_segments_dropped, n_units : int
        Size of the data; dropped segments lack a score, units are what swaps.
    scheme, missing, alternative, estimator, correction : str
        How the test was done.
    alpha : float
        Level of significance of `clusters`.
    n_resamples, seed : int
        Number of draws, and the seed they came from.
    reasons : mapping of str to str
        Metrics or pairs of metrics whose comparisons are undefined, and why.
    """

    metric_names: tuple[str, ...]
    tests: Mapping[str, MetaMetricTest]
    metric_pairs: tuple[tuple[int, int], ...]
    n_cells: tuple[int, ...]
    n_systems: int
    n_segments: int
    n_segments_dropped: int
    n_units: int
    scheme: str
    missing: str
    alternative: str
    estimator: str
    correction: str
    alpha: float
    n_resamples: int
    seed: int
    reasons: Mapping[str, str]

    def __getitem__(self, meta: str) -> MetaMetricTest:
        return self.tests[meta]

    def clusters(self, meta: str, *, rule: str = "greedy") -> Clusters:
        """Put the metrics that have a score into clusters, by the corrected p-values.

        Parameters
        ----------
        meta : str
            One of the meta-metrics.
        rule : {"greedy", "all-pairs"}
            As the metrics task does, see `greedy_clusters`, or as the translation task does, see
            `all_pairs_clusters`. One metric beats another only if it is better on the cells that
            both have. A `SplitTieWarning` names metrics with the same score that the
            greedy rule has separated.
        """
        as_choice(meta, "meta", tuple(self.tests))
        as_choice(rule, "rule", ("greedy", "all-pairs"))
        test = self.tests[meta]
        scored = np.flatnonzero(~np.isnan(test.scores))
        if not len(scored):
            raise InputError(f"no metric has a score by {meta!r}, so there are no clusters.")
        cluster = greedy_clusters if rule == "greedy" else all_pairs_clusters
        found = cluster(
            np.round(test.scores[scored], _DIGITS),
            test.adjusted[np.ix_(scored, scored)],
            names=[self.metric_names[metric] for metric in scored],
            alpha=self.alpha,
            differences=test.differences[np.ix_(scored, scored)],
        )
        if found.split_ties:
            pairs = [f"{pair.better} and {pair.worse}" for pair in found.split_ties]
            message = f"Metrics with the same score are in different clusters: {', '.join(pairs)}."
            warnings.warn(message, SplitTieWarning, stacklevel=2)
        return found

    def to_records(self) -> list[dict[str, object]]:
        """Return one flat row for each meta-metric and ordered pair of metrics compared."""
        return [
            {
                "meta": meta,
                "metric": self.metric_names[a],
                "other": self.metric_names[b],
                "difference": float(test.differences[a, b]),
                "pvalue": float(test.pvalues[a, b]),
                "adjusted": float(test.adjusted[a, b]),
                "interval_low": float(test.interval_low[a, b]),
                "interval_high": float(test.interval_high[a, b]),
                "scheme": self.scheme,
                "alternative": self.alternative,
                "estimator": self.estimator,
                "correction": self.correction,
                "n_resamples": self.n_resamples,
                "seed": self.seed,
                "n_cells": n_cells,
            }
            for meta, test in self.tests.items()
            for pair, n_cells in zip(self.metric_pairs, self.n_cells, strict=True)
            for a, b in (pair, pair[::-1])
        ]
