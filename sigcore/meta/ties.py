"""Kendall's tau and its relatives, which differ in what they make of ties."""

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.meta.grouping import GroupedScores, average_groups, divide, group_scores
from sigcore.meta.pair_counts import PairCounts, count_pairs
from sigcore.meta.score import MetaScore, undefined_score
from sigcore.validation import as_choice, as_distance

__all__ = ["TAU_VARIANTS", "kendall_like", "kendall_tau"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

TAU_VARIANTS = ("b", "c", "23", "acc23")


def kendall_tau(
    gold: npt.ArrayLike,
    metric: npt.ArrayLike,
    *,
    variant: str = "b",
    grouping: str = "item",
    epsilon: float = 0.0,
    undefined: str = "leave-out",
    n_copied_pairs: int = 0,
) -> MetaScore:
    """Compute a variant of Kendall's tau, averaged over groups.

    Parameters
    ----------
    gold, metric : array_like, shape (systems, segments) or (n,)
        Scores, larger is better; NaN marks a missing one. Vectors are one group.
    variant : {"b", "c", "23", "acc23"}
        How ties count, see Notes.
    grouping : {"none", "item", "system"}
        One tau over all scores, or the mean of those within items or systems.
    epsilon : float, default 0
        Metric scores that differ by at most this are tied; not for ``"c"``.
    undefined : {"leave-out", "zero"}
        What to do with groups whose gold or metric scores are all tied, where ``"b"`` and ``"c"``
        are undefined.
    n_copied_pairs : int, default 0
        Pairs of copies of one translation in each group, as samples of the bootstrap have them;
        for ``"c"``, see Notes.

    Returns
    -------
    MetaScore

    Notes
    -----
    With C concordant and D discordant pairs, pairs G tied for people only, M for the metric only
    and B for both, P pairs in all, n scores and m different values in the vector that has fewer::

        tau-b   (C - D) / sqrt((P - G - B) (P - M - B))
        tau-c   2 (C - D) m / (n^2 (m - 1))
        tau-23  (C + B - D - G - M) / P
        acc-23  (C + B) / P

    tau-c divides by what C - D can be at most with m values of n scores. Copies differ for no one;
    with P' pairs of others C - D is at most P', and tau-c is divided by that if it is less.

    The last two are of Deutsch, Foster and Freitag (2023), Ties Matter: Meta-Evaluating Modern
    Metrics with Pairwise Accuracy and Tie Calibration. tau-23 is 2 acc-23 - 1.

    Examples
    --------
    >>> gold, metric = [1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3]
    >>> [round(kendall_tau(gold, metric, variant=name).value, 9) for name in TAU_VARIANTS]
    [0.316227766, 0.32, 0.2, 0.6]
    """
    as_choice(variant, "variant", TAU_VARIANTS)
    epsilon = as_distance(epsilon, "epsilon")
    if variant == "c" and epsilon != 0.0:
        raise InputError(f"`epsilon` must be 0 for tau-c; got {epsilon}.")
    scores = group_scores(gold, metric, grouping)
    counts = count_pairs(scores, epsilon=epsilon)
    title = "Accuracy with ties" if variant == "acc23" else f"Kendall's tau-{variant}"
    values = _tau(counts, scores, variant, n_copied_pairs)
    return average_groups(values, scores, undefined=undefined, title=title)


def kendall_like(
    gold: npt.ArrayLike,
    metric: npt.ArrayLike,
    *,
    threshold: float = 25.0,
    grouping: str = "item",
) -> MetaScore:
    """Compute the Kendall-like statistic of the metrics tasks up to WMT20.

    Parameters
    ----------
    gold, metric : array_like, shape (systems, segments) or (n,)
        Scores, larger is better; NaN marks a missing one. Vectors are one group.
    threshold : float, default 25
        Only pairs whose gold scores differ by this much or more count.
    grouping : {"none", "item", "system"}
        Which pairs are compared.

    Returns
    -------
    MetaScore
        ``(C - D) / (C + D)`` over the pairs of all groups together. Pairs that are closer than the
        threshold or lack a score are left out.

    Notes
    -----
    A metric tie is discordant; with threshold 0, so is a gold tie (Mathur et al. 2020, Results of
    the WMT20 Metrics Shared Task; the same in mt-metrics-eval). DEVIATES: where no pair is left
    mt-metrics-eval returns 0.

    Examples
    --------
    >>> kendall_like([10, 11, 100, 150], [2, 1, 4, 3]).value
    0.6
    """
    threshold = as_distance(threshold, "threshold")
    scores = group_scores(gold, metric, grouping)
    n_used = n_concordant = 0
    for by_gold, by_metric in scores.pair_differences():
        counted = np.abs(by_gold) >= threshold
        n_used += int(counted.sum())
        signs = np.sign(by_gold[counted])
        n_concordant += int(((signs == np.sign(by_metric[counted])) & (signs != 0.0)).sum())
    n_left_out = scores.n_possible_pairs - n_used
    extra = {"n_scores_left_out": float(np.isnan(scores.gold).sum())}
    if n_used == 0:
        reason = f"no gold scores of a pair differ by {threshold} or more"
        return undefined_score("The Kendall-like statistic", "pairs", n_left_out, reason, extra)
    value = (2 * n_concordant - n_used) / n_used
    return MetaScore(value, n_used, n_left_out, "pairs", extra=extra)


def _tau(
    counts: PairCounts, scores: GroupedScores, variant: str, n_copied_pairs: int
) -> FloatArray:
    """Return the statistic of each group; NaN where it is undefined."""
    n_pairs = counts.n_pairs
    if variant == "acc23":
        return counts.accuracy
    if variant == "23":
        return divide(2 * (counts.concordant + counts.both_ties) - n_pairs, n_pairs)
    if variant == "b":
        return counts.tau_b
    n_classes = np.minimum(_n_different(scores.gold), _n_different(scores.metric))
    largest = scores.sizes**2 * (n_classes - 1)
    if n_copied_pairs:
        largest = np.minimum(largest, 2 * (n_pairs - n_copied_pairs) * n_classes)
    return divide(2 * (counts.concordant - counts.discordant) * n_classes, largest)


def _n_different(values: FloatArray) -> IntArray:
    """Count the different values of each group; NaN is none."""
    ordered = np.sort(values, axis=0)
    rises: IntArray = np.count_nonzero(ordered[1:] > ordered[:-1], axis=0)
    return rises + 1
