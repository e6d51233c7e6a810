"""Intervals of Soft Pairwise Accuracy and Pairwise Accuracy for a number of segments.

A bootstrap sample of segments is a vector of whole weights. The sums of d, d^2 and d^4 over the
sample are linear in the weights, so a metric costs three matrix products for all samples of a size;
people's p-values are those of the sample too.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.meta.aligned import raw_scores
from sigcore.meta.metric_inputs import names_of
from sigcore.permutation.analytic import edgeworth_in_place
from sigcore.permutation.differences import in_steps
from sigcore.seeding import generator
from sigcore.validation import as_count, as_counts

__all__ = ["SegmentBootstrap", "bootstrap_segments", "draw_counts", "sampled_pvalues"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
META_METRICS = ("spa", "pa")

_LEVELS = (0.025, 0.975)
_SAMPLES = 250  # bootstrap samples held at once
# Sums that should be zero are off by rounding errors; this share of the sum of sizes is far above
# them and far below any real difference.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class SegmentBootstrap:
    """Result of `bootstrap_segments`.

    Attributes
    ----------
    metric_names : tuple of str
        The metrics.
    meta : tuple of str
        The meta-metrics, ``"spa"`` and ``"pa"``.
    sizes : tuple of int
        Numbers of segments that were drawn.
    value : ndarray, shape (meta-metrics, metrics)
        Scores on all segments.
    mean, low, high : ndarray, shape (meta-metrics, metrics, sizes)
        Mean over samples, and the ends of the 95% percentile interval.
    n_segments, n_segments_dropped : int
        Segments with all scores, and the others.
    n_trials, seed : int
        Samples of each size, and the seed they came from.
    """

    metric_names: tuple[str, ...]
    meta: tuple[str, ...]
    sizes: tuple[int, ...]
    value: FloatArray
    mean: FloatArray
    low: FloatArray
    high: FloatArray
    n_segments: int
    n_segments_dropped: int
    n_trials: int
    seed: int

    def to_records(self) -> list[dict[str, object]]:
        """Return one flat row for each metric, meta-metric and size."""
        return [
            {
                "metric": metric,
                "meta": meta,
                "n_segments": size,
                "value": float(self.value[row, index]),
                "mean": float(self.mean[row, index, column]),
                "low": float(self.low[row, index, column]),
                "high": float(self.high[row, index, column]),
                "n_trials": self.n_trials,
                "seed": self.seed,
            }
            for index, metric in enumerate(self.metric_names)
            for row, meta in enumerate(self.meta)
            for column, size in enumerate(self.sizes)
        ]


def bootstrap_segments(
    gold: npt.ArrayLike,
    scores: npt.ArrayLike,
    *,
    metric_names: Sequence[str] | None = None,
    sizes: Sequence[int] | None = None,
    n_trials: int = 1000,
    seed: int = 0,
    purpose: Sequence[str] = (),
) -> SegmentBootstrap:
    """Find 95% intervals of SPA and PA by drawing segments with replacement.

    Parameters
    ----------
    gold : array_like, shape (systems, segments)
        Human scores, larger is better; NaN marks a missing score.
    scores : array_like, shape (metrics, systems, segments)
        Scores of the metrics. Only segments with all scores, of people and of every metric, are
        used.
    metric_names : sequence of str, optional
        Names of the metrics; by default "0", "1", ....
    sizes : sequence of int, optional
        Numbers of segments to draw; by default as many as there are, which gives the confidence
        interval of each score.
    n_trials, seed : int
        Samples of each size, the same for every metric, and their seed.
    purpose : sequence of str
        What the draws are for, for example the name of the data set: other names, other samples.

    Returns
    -------
    SegmentBootstrap

    Notes
    -----
    Figure 3 of Thompson et al. (2024), Improving Statistical Significance in Human Evaluation of
    Automatic Metrics via Soft Pairwise Accuracy. A segment drawn twice counts as two segments. The
    p-values of a sample are mid-p values by the normal tail with its fourth-cumulant term, as in
    `edgeworth_upper`.

    A resampled difference has the noise of the data and that of the draw, so p-values of samples
    are more extreme than those of the data, and the interval need not be centred on the score.
    """
    raw = raw_scores(gold, scores)
    n_segments = raw.gold.shape[1]
    names = names_of(metric_names, len(raw.metrics))
    as_count(n_trials, "n_trials", minimum=1)
    chosen = (n_segments,) if sizes is None else as_counts(sizes, "sizes", minimum=1)
    scorers = [in_steps(matrix)[0] for matrix in (raw.gold, *raw.metrics)]
    shape = (len(META_METRICS), len(names), len(chosen))
    mean, low, high = np.empty((3, *shape))
    for column, size in enumerate(chosen):
        rng = generator(seed, "bootstrap-segments", *purpose, str(size))
        parts = [
            _sampled_scores(scorers, draw_counts(rng, n, n_segments, size).astype(np.float64))
            for n in _portions(n_trials)
        ]
        drawn = np.concatenate(parts, axis=2)
        mean[:, :, column] = drawn.mean(axis=2)
        low[:, :, column], high[:, :, column] = np.quantile(drawn, _LEVELS, axis=2)
    return SegmentBootstrap(
        metric_names=names,
        meta=META_METRICS,
        sizes=chosen,
        value=_sampled_scores(scorers, np.ones((1, n_segments)))[:, :, 0],
        mean=mean,
        low=low,
        high=high,
        n_segments=n_segments,
        n_segments_dropped=raw.n_segments_dropped,
        n_trials=n_trials,
        seed=seed,
    )


def _portions(n_trials: int) -> list[int]:
    return [min(_SAMPLES, n_trials - start) for start in range(0, n_trials, _SAMPLES)]


def draw_counts(rng: np.random.Generator, n_samples: int, n: int, size: int) -> IntArray:
    """Draw from n things with replacement; say how often each was drawn (samples x things)."""
    drawn = rng.integers(0, n, size=(n_samples, size)) + n * np.arange(n_samples)[:, None]
    return np.bincount(drawn.ravel(), minlength=n_samples * n).reshape(n_samples, n)


def _sampled_scores(scorers: Sequence[FloatArray], weights: FloatArray) -> FloatArray:
    """Score all metrics on samples (meta-metrics x metrics x samples); people come first."""
    gold, gold_signs = sampled_pvalues(scorers[0], weights)
    scores = np.empty((len(META_METRICS), len(scorers) - 1, len(weights)))
    for index, metric in enumerate(scorers[1:]):
        pvalues, signs = sampled_pvalues(metric, weights)
        scores[0, index] = 1.0 - np.abs(gold - pvalues).mean(axis=1)
        scores[1, index] = (gold_signs == signs).mean(axis=1)
    return scores


def sampled_pvalues(scores: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Compute p-values of samples.

    Parameters
    ----------
    scores : ndarray, shape (systems, segments)
        Complete scores.
    weights : ndarray, shape (samples, segments)
        How often each sample has each segment.

    Returns
    -------
    tuple of ndarray, shape (samples, pairs of systems)
        Mid-p and sign of the difference.
    """
    first, second = np.triu_indices(len(scores), 1)
    by_system = weights @ scores.T
    one = by_system[:, first] - by_system[:, second]
    size = weights @ np.abs(scores).T
    one[np.abs(one) <= _ROUNDING * (size[:, first] + size[:, second])] = 0.0
    signs = np.sign(one)
    two = np.square(scores[first] - scores[second])
    return edgeworth_in_place(one, weights @ two.T, weights @ np.square(two).T), signs
