"""Is one metric significantly better than another? Permutation of scores between metrics.

Coins decide where two metrics swap their scores (Deutsch et al. 2021); `schemes` says which coins
there are. Each draw gives two hybrid metrics; the difference of their meta-metrics is compared with
the observed difference.
"""

import warnings
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sigcore.errors import DegenerateDataWarning, LevelWarning
from sigcore.evalset import EvalSet
from sigcore.meta.adjustment import CORRECTIONS, adjust_tally, warn_of_few_draws
from sigcore.meta.aligned import raw_scores
from sigcore.meta.comparison import MetaMetricTest, MetricComparison
from sigcore.meta.drawing import Drawn, DrawPlan, draw_differences
from sigcore.meta.metric_inputs import metric_inputs, metric_pairs_of, names_of
from sigcore.meta.permuted import check_meta, names_of_meta
from sigcore.meta.schemes import SCHEMES
from sigcore.permutation.differences import Blocks
from sigcore.validation import as_choice, as_count, as_probability

__all__ = ["MetaMetricTest", "MetricComparison", "compare_metrics"]

FloatArray = npt.NDArray[np.float64]
MetricPairs = Sequence[tuple[int, int]]


def compare_metrics(
    gold: EvalSet | npt.ArrayLike,
    scores: npt.ArrayLike | None = None,
    *,
    metric_names: Sequence[str] | None = None,
    meta: str | Sequence[str] = ("spa", "pa"),
    scheme: str = "inputs",
    alternative: str = "two-sided",
    n_resamples: int = 1000,
    alpha: float = 0.05,
    seed: int = 0,
    purpose: Sequence[str] = (),
    estimator: str = "plus-one",
    pa_comparison: str = "counts",
    adjust: str | None = None,
    missing: str = "listwise",
    metric_pairs: Sequence[tuple[int, int]] | None = None,
    blocks: Blocks | None = None,
    keep_null: bool = False,
) -> MetricComparison:
    """Test for every pair of metrics whether one is better, by swapping scores between them.

    Parameters
    ----------
    gold : EvalSet or array_like, shape (systems, segments)
        An evaluation set, or human scores, larger is better; NaN marks a missing score.
    scores : array_like, shape (metrics, systems, segments)
        Scores of the metrics, larger is better; NaN marks a missing score. Not with an evaluation
        set, which has its own.
    metric_names : sequence of str, optional
        Names of the metrics; by default those of the evaluation set, or "0", "1", ....
    meta : str or sequence of str
        Names out of `META_METRICS`; all are computed from the same draws. SPA, PA, correlations of
        systems, Pearson's and tau-b of segments (also by system) and, for ``"inputs"``, means over
        items are fast; others are computed for one draw after the other.
    scheme : {"inputs", "both", "both-xor", "systems", "pairs"}
        What is swapped together. ``"inputs"``: a segment, for all systems (PERM-INPUTS).
        ``"systems"``: a system, for all segments (PERM-SYSTEMS). ``"both"``: each cell by itself
        (PERM-BOTH as in mt-metrics-eval and SacreROUGE). ``"both-xor"``: a cell whose system's and
        segment's coins differ ("both" of nlpstats). ``"pairs"``: comparisons of two translations of
        a segment, for ``"acc-eq"`` and ``"acc-23"``, as mt-metrics-eval does.
    alternative : {"two-sided", "greater"}
        Whether entry (a, b) tests that a and b differ or that a is better than b.
    n_resamples : int
        Number of draws.
    alpha : float, default 0.05
        Level of significance, for clusters and for the warning about too few draws.
    seed : int
        Seed of the draws.
    purpose : sequence of str
        What the draws are for: other names, other coins. By default the test set and language pair
        of the evaluation set.
    estimator : {"plus-one", "plain"}
        ``(c + 1) / (n + 1)`` or ``c / n``, c draws of n being at least as extreme as observed.
    pa_comparison : {"counts", "float"}
        How equal differences of Pairwise Accuracy are recognised: by the numbers of agreeing pairs,
        or by ``>=`` on floating-point differences, which misses part of the ties.
    adjust : {"bonferroni", "holm", "bh", "maxt"}, optional
        Correction for the number of comparisons, each meta-metric by itself; by default none.
        ``"maxt"`` uses the draws, which all comparisons share.
    missing : {"listwise", "pairwise"}
        Use the segments that have all scores, of people and of every metric; or for two metrics
        the cells where people and both have a score, and for two systems the segments where both
        have such cells.
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
    Each metric is standardised over the cells in use first, because two metrics that swap scores
    must have the same scale; a constant metric cannot be and has no p-values. With coins m the
    hybrids are ``m A + (1 - m) B`` and ``(1 - m) A + m B``; a draw is the meta-metric of the first
    minus that of the second. Differences within 1e-10 of the observed one are ties and count.

    With n draws no p-value is below 1 / (n + 1), so nothing can be found at a level below that;
    Bonferroni's and Holm's correction of c comparisons can find something only if n is well above
    c / alpha. A `ResolutionWarning` says so. ``"maxt"`` needs no more draws than a single test. It
    takes the correlation of comparisons from the shared coins,
    see `step_down_max`.

    For ``"acc-eq"`` the schemes ``"inputs"`` and ``"pairs"`` keep each metric's tie threshold,
    others calibrate every hybrid anew, with differences in whole steps of a metric's grid (see
    `acc_eq`), which standardising would blur. ``"pairs"`` makes verdicts that no metric would
    give and takes the many comparisons within a segment as independent, which they are not, so it
    rejects too often: a `LevelWarning` says so, and docs/error-rates.md has the rates.
    PERM-SYSTEMS has as many different draws as there are sets of systems.

    The SPA of metrics and hybrids uses mid-p values by `edgeworth_upper`, whose sums are linear in
    the coins; people's p-values are those of `pairwise_pvalues`. The p-values between metrics do
    not need that approximation to be accurate. Draws of tau-b over many segments leave out a small
    term that only metrics with ties have, see `KendallHybrids`. p-values are valid where what is
    swapped is exchangeable, but for the standardisation, which matters with few systems: see
    docs/error-rates.md.

    DEVIATES: Thompson et al. (2024) do not say how they compare. Their counts of significant
    PA differences are those of ``pa_comparison="float"`` and ``estimator="plain"``.

    References
    ----------
    Deutsch, Dror and Roth (2021), A Statistical Analysis of Summarization Evaluation Metrics Using
    Resampling Methods. TACL 9.
    Thompson, Mathur, Deutsch and Khayrallah (2024), Improving Statistical Significance in Human
    Evaluation of Automatic Metrics via Soft Pairwise Accuracy. WMT.
    """
    correction = "none" if adjust is None else adjust
    inputs = metric_inputs(gold, scores, metric_names, purpose)
    plan = DrawPlan(
        meta=names_of_meta(meta),
        scheme=scheme,
        alternative=alternative,
        estimator=estimator,
        pa_in_floats=as_choice(pa_comparison, "pa_comparison", ("counts", "float")) == "float",
        n_resamples=as_count(n_resamples, "n_resamples", minimum=1),
        seed=seed,
        purpose=inputs.purpose,
        keep_null=keep_null or correction == "maxt",
    )
    _validate_options(plan, correction)
    level = as_probability(alpha, "alpha")
    raw = raw_scores(inputs.gold, inputs.scores, blocks=blocks, missing=missing)
    names = names_of(inputs.metric_names, len(raw.metrics))
    pairs = metric_pairs_of(metric_pairs, len(names))
    if estimator == "plus-one":
        n_tests = len(pairs) if alternative == "two-sided" else 2 * len(pairs)
        warn_of_few_draws(plan.n_resamples, n_tests, method=correction, alpha=level)
    drawn = draw_differences(raw, pairs, plan)
    return MetricComparison(
        metric_names=names,
        tests={name: _test(drawn, name, pairs, plan, correction, keep_null) for name in plan.meta},
        metric_pairs=pairs,
        n_cells=drawn.n_cells,
        n_systems=len(raw.gold),
        n_segments=raw.gold.shape[1],
        n_segments_dropped=raw.n_segments_dropped,
        n_units=int(raw.labels[-1]) + 1,
        scheme=f"perm-{scheme}",
        missing=missing,
        alternative=alternative,
        estimator=estimator,
        correction=correction,
        alpha=level,
        n_resamples=n_resamples,
        seed=seed,
        reasons=_reasons(names, drawn, scheme),
    )


def _validate_options(plan: DrawPlan, correction: str) -> None:
    as_choice(plan.scheme, "scheme", SCHEMES)
    check_meta(plan.meta, plan.scheme)
    as_choice(plan.alternative, "alternative", ("two-sided", "greater"))
    as_choice(plan.estimator, "estimator", ("plus-one", "plain"))
    as_choice(correction, "adjust", CORRECTIONS)
    as_count(plan.seed, "seed")
    if plan.scheme == "pairs":
        warnings.warn(
            '`scheme` "pairs" does not hold its level: at 0.05 it told equally good metrics apart '
            'in about 17 of 100 simulated cases (docs/error-rates.md). "inputs" holds it.',
            LevelWarning,
            stacklevel=3,
        )


def _test(
    drawn: Drawn,
    name: str,
    pairs: MetricPairs,
    plan: DrawPlan,
    correction: str,
    keep_null: bool,
) -> MetaMetricTest:
    scores, tally = drawn.scores[name], drawn.tallies[name]
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    differences = scores[:, None] - scores
    differences[first, second], differences[second, first] = tally.observed, 0.0 - tally.observed
    adjusted = adjust_tally(
        tally, method=correction, alternative=plan.alternative, estimator=plan.estimator
    )

    def square(both_ways: FloatArray) -> FloatArray:
        matrix = np.full(differences.shape, np.nan)
        matrix[first, second], matrix[second, first] = both_ways
        return matrix

    return MetaMetricTest(
        scores=scores,
        differences=differences,
        pvalues=square(tally.pvalues),
        adjusted=square(adjusted),
        interval_low=square(tally.interval_low),
        interval_high=square(tally.interval_high),
        null=tally.null if keep_null else None,
    )


def _reasons(names: tuple[str, ...], drawn: Drawn, scheme: str) -> dict[str, str]:
    constant = () if scheme == "pairs" else drawn.constant
    reasons = {names[metric]: "the metric has no scores in use" for metric in drawn.empty}
    reasons |= {
        names[metric]: "the metric is constant and cannot be standardised" for metric in constant
    }
    if reasons:
        told = "; ".join(f"{name}: {reason}" for name, reason in reasons.items())
        message = f"Comparisons with some metrics are undefined. {told}."
        warnings.warn(message, DegenerateDataWarning, stacklevel=3)
    for a, b in drawn.undefined:
        reasons[f"{names[a]} and {names[b]}"] = "the meta-metric of one is undefined"
    for a, b in drawn.apart:
        reasons[f"{names[a]} and {names[b]}"] = "they have no scores of the same translations"
    return reasons
