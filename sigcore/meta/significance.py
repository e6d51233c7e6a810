"""Is one metric significantly better than another? Permutation of segments between metrics.

PERM-INPUTS (Deutsch et al. 2021): for each segment one coin decides, for all systems together,
whether the two metrics swap their scores there. Each draw gives two hybrid metrics; the difference
of their meta-metrics is compared with the observed difference.
"""

import warnings
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv

from sigcore.errors import DegenerateDataWarning, InputError
from sigcore.meta.comparison import MetaMetricTest, MetricComparison
from sigcore.meta.hybrids import (
    EvaluationTask,
    MetaValues,
    evaluation_task,
    hybrid_values,
    metric_values,
)
from sigcore.permutation.differences import Blocks
from sigcore.permutation.shared_signs import coin_flips
from sigcore.seeding import generator
from sigcore.validation import as_choice, as_count

__all__ = ["MetaMetricTest", "MetricComparison", "compare_metrics"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
MetricPairs = Sequence[tuple[int, int]]

META_METRICS = ("spa", "pa")
_DRAWS = 1000  # draws held at once
_SLACK = 1e-10  # SPA differences closer than this are equal; rounding errors are below 1e-13
_CONFIDENCE = 0.95


def compare_metrics(
    gold: npt.ArrayLike,
    scores: npt.ArrayLike,
    *,
    metric_names: Sequence[str] | None = None,
    meta: Sequence[str] = META_METRICS,
    scheme: str = "inputs",
    alternative: str = "two-sided",
    n_resamples: int = 1000,
    seed: int = 0,
    purpose: Sequence[str] = (),
    estimator: str = "plus-one",
    pa_comparison: str = "counts",
    metric_pairs: Sequence[tuple[int, int]] | None = None,
    blocks: Blocks | None = None,
    keep_null: bool = False,
) -> MetricComparison:
    """Test for every pair of metrics whether one is better, by permuting segments between them.

    Parameters
    ----------
    gold : array_like, shape (systems, segments)
        Human scores, larger is better; NaN marks a missing score.
    scores : array_like, shape (metrics, systems, segments)
        Scores of the metrics, larger is better. Only segments with all scores, of people and of
        every metric, are used.
    metric_names : sequence of str, optional
        Names of the metrics; by default "0", "1", ....
    meta : sequence of {"spa", "pa"}
        Meta-metrics; all are computed from the same draws.
    scheme : {"inputs"}
        PERM-INPUTS: one coin a segment, for all systems together.
    alternative : {"two-sided", "greater"}
        Whether entry (a, b) tests that a and b differ or that a is better than b.
    n_resamples, seed : int
        Number of draws and their seed.
    purpose : sequence of str
        What the draws are for, for example the name of the data set: other names, other coins.
    estimator : {"plus-one", "plain"}
        ``(c + 1) / (n + 1)`` or ``c / n``, c draws of n being at least as extreme as observed.
    pa_comparison : {"counts", "float"}
        How equal differences of Pairwise Accuracy are recognised: by the numbers of agreeing pairs,
        or by ``>=`` on floating-point differences, which misses part of the ties.
    metric_pairs : sequence of (int, int), optional
        Pairs of metrics to compare; by default all. A value never depends on which others are
        computed.
    blocks : sequence, optional
        Document of each segment; the segments of a document swap together, in the p-values of
        system pairs as well.
    keep_null : bool, default False
        Whether to return the random differences.

    Returns
    -------
    MetricComparison

    Notes
    -----
    Each metric is standardised over all its cells first, because two metrics that swap scores must
    have the same scale; a constant metric cannot be and has no p-values. With coins m the hybrids
    are ``m A + (1 - m) B`` and ``(1 - m) A + m B``; a draw is the meta-metric of the first minus
    that of the second. SPA differences within 1e-10 of the observed one are ties and count.

    The SPA of metrics and hybrids uses mid-p values by `edgeworth_upper`, whose sums are linear in
    the coins; people's p-values are those of `pairwise_pvalues`. The p-values between metrics are
    those of a valid permutation test whatever the accuracy of that approximation.

    DEVIATES: Thompson et al. (2024) do not say how they compare. Their counts of significant
    PA differences are those of ``pa_comparison="float"`` and ``estimator="plain"``.

    References
    ----------
    Deutsch, Dror and Roth (2021), A Statistical Analysis of Summarization Evaluation Metrics Using
    Resampling Methods. TACL 9.
    Thompson, Mathur, Deutsch and Khayrallah (2024), Improving Statistical Significance in Human
    Evaluation of Automatic Metrics via Soft Pairwise Accuracy. WMT.
    """
    _validate_options(meta, scheme, alternative, estimator, pa_comparison)
    as_count(n_resamples, "n_resamples", minimum=1)
    task = evaluation_task(gold, scores, blocks=blocks)
    names = _validate_names(metric_names, len(task.metrics))
    pairs = _validate_pairs(metric_pairs, len(names))
    values = metric_values(task)
    tallies = {
        name: _Tally(name, values, pairs, task.n_pairs, alternative, pa_comparison == "float")
        for name in meta
    }
    rng = generator(seed, "perm-inputs", *purpose)
    _draw(task, pairs, list(tallies.values()), n_resamples, rng, keep_null)
    undefined = _undefined_pairs(task.constant, pairs)
    return MetricComparison(
        metric_names=names,
        tests={
            name: tally.result(n_resamples, estimator, undefined) for name, tally in tallies.items()
        },
        metric_pairs=pairs,
        n_systems=task.metrics.shape[1],
        n_segments=task.n_segments,
        n_segments_dropped=task.n_segments_dropped,
        n_units=task.n_units,
        scheme=f"perm-{scheme}",
        alternative=alternative,
        estimator=estimator,
        n_resamples=n_resamples,
        seed=seed,
        reasons=_reasons(names, task.constant),
    )


def _draw(
    task: EvaluationTask,
    pairs: MetricPairs,
    tallies: Sequence["_Tally"],
    n_resamples: int,
    rng: np.random.Generator,
    keep_null: bool,
) -> None:
    """Draw coins, a bounded number at a time, and count what the hybrids they make give."""
    for start in range(0, n_resamples, _DRAWS):
        coins = coin_flips(rng, min(_DRAWS, n_resamples - start), task.n_units)
        hybrids, complements = hybrid_values(task, pairs, coins.astype(np.float64))
        for tally in tallies:
            tally.add(hybrids, complements, keep=keep_null)


class _Tally:
    """Counts, for one meta-metric, the draws that are at least as extreme as observed."""

    def __init__(
        self,
        meta: str,
        values: MetaValues,
        pairs: MetricPairs,
        n_pairs: int,
        alternative: str,
        in_floats: bool,
    ) -> None:
        self.meta = meta
        self.n_pairs = n_pairs
        self.two_sided = alternative == "two-sided"
        self.in_floats = in_floats
        self.scores = values.spa if meta == "spa" else values.n_agree / n_pairs
        self.index = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        chosen = [MetaValues(values.spa[side], values.n_agree[side]) for side in self.index]
        self.observed = self._difference(chosen[0], chosen[1])[:, None]
        self.counts = np.zeros((2, len(pairs)), dtype=np.int64)
        self.null: list[FloatArray] = []

    def add(self, hybrids: MetaValues, complements: MetaValues, *, keep: bool) -> None:
        """Compare the draws (metric pairs x draws) with what was observed."""
        drawn = self._difference(hybrids, complements)
        slack = _SLACK if self.meta == "spa" else 0.0
        if self.two_sided:
            self.counts += (np.abs(drawn) >= np.abs(self.observed) - slack).sum(axis=1)
        else:
            self.counts[0] += (drawn >= self.observed - slack).sum(axis=1)
            self.counts[1] += (drawn <= self.observed + slack).sum(axis=1)
        if keep:
            self.null.append(
                drawn / (1.0 if self.meta == "spa" or self.in_floats else self.n_pairs)
            )

    def result(self, n_resamples: int, estimator: str, undefined: BoolArray) -> MetaMetricTest:
        """Turn counts into p-values and their intervals."""
        added = 1 if estimator == "plus-one" else 0
        pvalues = (self.counts + added) / (n_resamples + added)
        low, high = _clopper_pearson(self.counts, n_resamples)
        for array in (pvalues, low, high):
            array[:, undefined] = np.nan
        return MetaMetricTest(
            scores=self.scores,
            pvalues=self._as_square(pvalues),
            interval_low=self._as_square(low),
            interval_high=self._as_square(high),
            null=np.concatenate(self.null, axis=1) if self.null else None,
        )

    def _difference(self, one: MetaValues, other: MetaValues) -> FloatArray:
        if self.meta == "spa":
            return one.spa - other.spa
        if self.in_floats:
            return one.n_agree / self.n_pairs - other.n_agree / self.n_pairs
        return (one.n_agree - other.n_agree).astype(np.float64)

    def _as_square(self, both_ways: FloatArray) -> FloatArray:
        square = np.full((len(self.scores), len(self.scores)), np.nan)
        first, second = self.index
        square[first, second], square[second, first] = both_ways
        return square


def _validate_options(
    meta: Sequence[str], scheme: str, alternative: str, estimator: str, pa_comparison: str
) -> None:
    if isinstance(meta, str) or not meta:
        raise InputError(f"`meta` must be a sequence of names out of {META_METRICS}; got {meta!r}.")
    for name in meta:
        as_choice(name, "meta", META_METRICS)
    as_choice(scheme, "scheme", ("inputs",))
    as_choice(alternative, "alternative", ("two-sided", "greater"))
    as_choice(estimator, "estimator", ("plus-one", "plain"))
    as_choice(pa_comparison, "pa_comparison", ("counts", "float"))


def _validate_names(metric_names: Sequence[str] | None, n_metrics: int) -> tuple[str, ...]:
    if metric_names is None:
        return tuple(str(index) for index in range(n_metrics))
    if len(metric_names) != n_metrics or len(dict.fromkeys(metric_names)) != n_metrics:
        raise InputError(
            f"`metric_names` must be {n_metrics} different names; got {list(metric_names)}."
        )
    return tuple(metric_names)


def _validate_pairs(
    metric_pairs: Sequence[tuple[int, int]] | None, n_metrics: int
) -> tuple[tuple[int, int], ...]:
    if metric_pairs is None:
        return tuple((a, b) for a in range(n_metrics) for b in range(a + 1, n_metrics))
    pairs = tuple((int(a), int(b)) for a, b in metric_pairs)
    for a, b in pairs:
        if a == b or not (0 <= a < n_metrics and 0 <= b < n_metrics):
            raise InputError(
                f"`metric_pairs` must be pairs of different metrics from 0 to {n_metrics - 1}; "
                f"got ({a}, {b})."
            )
    return pairs


def _undefined_pairs(constant: BoolArray, pairs: MetricPairs) -> BoolArray:
    index = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return constant[index[:, 0]] | constant[index[:, 1]]


def _reasons(names: tuple[str, ...], constant: BoolArray) -> dict[str, str]:
    reasons = {
        name: "the metric is constant and cannot be standardised"
        for name, is_constant in zip(names, constant, strict=True)
        if is_constant
    }
    if reasons:
        message = f"Comparisons with constant metrics are undefined: {', '.join(reasons)}."
        warnings.warn(message, DegenerateDataWarning, stacklevel=3)
    return reasons


def _clopper_pearson(counts: IntArray, n: int) -> tuple[FloatArray, FloatArray]:
    """Return the exact confidence interval of a share of n draws."""
    tail = (1.0 - _CONFIDENCE) / 2.0
    with np.errstate(invalid="ignore"):
        low = betaincinv(counts, n - counts + 1, tail)
        high = betaincinv(counts + 1, n - counts, 1.0 - tail)
    return np.where(counts > 0, low, 0.0), np.where(counts < n, high, 1.0)
