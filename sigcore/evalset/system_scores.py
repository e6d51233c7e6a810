"""Scores of whole systems, as the organisers of a task publish and compare them.

SPA, and everything else here, compares systems on the segments that people rated. The system-level
tasks of WMT22 and WMT23 do not: metrics are averaged over the whole test set, or computed on it as
a corpus, and people over what they rated.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.evalset.data import EvalSet

__all__ = ["SystemScores", "mean_system_scores"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_DIGITS = 13  # significant ones of a mean


@dataclass(frozen=True, slots=True, eq=False)
class SystemScores:
    """Scores of systems on a test set, or on one domain of it.

    Attributes
    ----------
    domain : str or None
        The domain; None for the whole test set.
    systems, metric_names : tuple of str
        The systems and the metrics.
    gold : ndarray, shape (systems,)
        Scores by people; NaN where a system was not rated.
    scores : ndarray, shape (metrics, systems)
        Scores by metrics.
    n_rated : ndarray of int, shape (systems,)
        Segments that `gold` is the mean of; 0 for a published score.
    n_segments : ndarray of int, shape (metrics, systems)
        The same for `scores`.
    """

    domain: str | None
    systems: tuple[str, ...]
    metric_names: tuple[str, ...]
    gold: FloatArray
    scores: FloatArray
    n_rated: IntArray
    n_segments: IntArray

    @property
    def n_published(self) -> int:
        """Number of metrics whose scores were published as such."""
        published = (self.n_segments == 0) & ~np.isnan(self.scores)
        return int(published.any(axis=1).sum())

    def rated(self) -> "SystemScores":
        """Keep the systems that people rated.

        Raises
        ------
        InputError
            If a metric has no score of one of them.
        """
        keep = np.flatnonzero(~np.isnan(self.gold))
        missing = np.argwhere(np.isnan(self.scores[:, keep]))
        if len(missing):
            metric, system = missing[0]
            raise InputError(
                f"the metric {self.metric_names[metric]} has no score of system "
                f"{self.systems[keep[system]]!r} on {self.domain or 'the test set'}."
            )
        return replace(
            self,
            systems=tuple(self.systems[row] for row in keep),
            gold=self.gold[keep],
            scores=self.scores[:, keep],
            n_rated=self.n_rated[keep],
            n_segments=self.n_segments[:, keep],
        )


def mean_system_scores(
    everything: EvalSet,
    selected: EvalSet,
    *,
    domain: str | None = None,
    domains: Sequence[str] | None = None,
) -> SystemScores:
    """Average over segments: people over those they rated, metrics over all that have a score.

    Parameters
    ----------
    everything : EvalSet
        All segments of the test set.
    selected : EvalSet
        What was selected from it; its systems and metrics are averaged.
    domain : str, optional
        Average over the segments of this domain only.
    domains : sequence of str, optional
        Domain of each segment of the test set.
    """
    rows = _positions(everything.systems, selected.systems)
    metrics = _positions(
        [metric.identifier for metric in everything.metrics],
        [metric.identifier for metric in selected.metrics],
    )
    labels = np.array([domain] * everything.n_segments if domain is None else domains, dtype=object)
    inside = np.flatnonzero(labels == domain)
    if not inside.size:
        raise InputError(f"no segment of {everything.title} is of the domain {domain!r}.")
    people, n_rated = _means(everything.gold[np.ix_(rows, inside)])
    scores, n_segments = _means(everything.scores[np.ix_(metrics, rows, inside)])
    return SystemScores(
        domain=domain,
        systems=selected.systems,
        metric_names=selected.metric_names,
        gold=people,
        scores=scores,
        n_rated=n_rated,
        n_segments=n_segments,
    )


def _positions(names: Sequence[str], wanted: Sequence[str]) -> IntArray:
    return np.array([names.index(name) for name in wanted], dtype=np.int64)


def _means(scores: FloatArray) -> tuple[FloatArray, IntArray]:
    """Average over the last axis what is there; means that differ by rounding errors are equal."""
    counts = np.count_nonzero(~np.isnan(scores), axis=-1)
    sums = np.nansum(scores, axis=-1)
    means = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    largest = np.nanmax(np.abs(means), axis=-1, initial=np.finfo(np.float64).tiny, keepdims=True)
    unit = 10.0 ** np.ceil(np.log10(largest))
    return np.round(means / unit, _DIGITS) * unit, counts
