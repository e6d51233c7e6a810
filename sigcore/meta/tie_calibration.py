"""acc_eq: pairwise accuracy with ties, the metric's tie threshold calibrated on the data.

A metric with real-valued scores never ties, people often do. Tie calibration (Deutsch, Foster and
Freitag 2023, Ties Matter) calls two scores tied if they differ by at most epsilon, and chooses the
epsilon of the highest accuracy.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.meta.grouping import group_scores
from sigcore.meta.score import MetaScore, undefined_score
from sigcore.meta.tie_pairs import MAX_MEMORY, TiePairs, tie_pairs
from sigcore.permutation.differences import Blocks, block_order
from sigcore.seeding import generator
from sigcore.validation import as_count

__all__ = ["CalibrationCurve", "acc_eq", "acc_eq_held_out", "calibration_curve"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class CalibrationCurve:
    """Accuracy at each tie threshold.

    Attributes
    ----------
    thresholds : ndarray
        0 and all different distances of metric scores within a group, ascending.
    accuracies : ndarray
        Mean accuracy over groups if scores at most that far apart are tied.
    """

    thresholds: FloatArray
    accuracies: FloatArray


def acc_eq(
    gold: npt.ArrayLike,
    metric: npt.ArrayLike,
    *,
    grouping: str = "item",
    differences: str = "float",
    max_memory: float = MAX_MEMORY,
) -> MetaScore:
    """Compute pairwise accuracy with ties at the best tie threshold.

    Parameters
    ----------
    gold, metric : array_like, shape (systems, segments) or (n,)
        Scores, larger is better; NaN marks a missing one. Vectors are one group.
    grouping : {"item", "system", "none"}
        Which pairs are compared; accuracies of groups are averaged. Officially by item.
    differences : {"float", "grid"}
        ``"float"`` compares differences as they come out in floating point, as mt-metrics-eval
        does. ``"grid"`` first turns scores on a grid into whole steps: otherwise 0.3 - 0.2 and
        0.2 - 0.1 are two thresholds, and the better of two chance groups is chosen.
    max_memory : float
        Bytes that may be used.

    Returns
    -------
    MetaScore
        With ``epsilon``, the smallest of the best thresholds. Groups with fewer than two scores
        are left out.

    Notes
    -----
    Accuracy is the share of pairs that are concordant or tied for both; gold ties are exact. The
    candidates are 0 and every distance of two metric scores within a group. The threshold is chosen
    on the data it is scored on, which favours metrics a little, some more than others:
    `acc_eq_held_out` does not.

    Pairs are sorted by distance. One that becomes tied adds 1 to the agreeing pairs of its group if
    it is tied in gold, and takes 1 away if it was concordant; cumulative sums give the accuracy at
    every threshold.

    Examples
    --------
    >>> score = acc_eq([1, 1, 1, 4], [0, 2, 6, 8])
    >>> round(score.value, 4), score.extra["epsilon"]
    (0.6667, 4.0)
    """
    scores = group_scores(gold, metric, grouping)
    pairs = tie_pairs(scores, differences=differences, max_memory=max_memory)
    if not pairs.used.any():
        return _undefined(pairs, "there is no pair of scores to compare")
    epsilon = pairs.best_threshold(pairs.used)
    value = float(pairs.accuracies(epsilon)[pairs.used].mean())
    return _score(pairs, value, {"epsilon": epsilon * pairs.step})


def acc_eq_held_out(
    gold: npt.ArrayLike,
    metric: npt.ArrayLike,
    *,
    n_folds: int = 10,
    seed: int = 0,
    blocks: Blocks | None = None,
    differences: str = "float",
    max_memory: float = MAX_MEMORY,
) -> MetaScore:
    """Compute pairwise accuracy with ties at a threshold that was chosen on other items.

    Parameters
    ----------
    gold, metric : array_like, shape (systems, segments)
        Scores, larger is better; NaN marks a missing one.
    n_folds, seed : int
        Items are dealt at random into this many folds. The threshold for a fold is the best one of
        all other folds.
    blocks : sequence, optional
        Document of each segment; the segments of a document go to the same fold.
    differences, max_memory
        As for `acc_eq`.

    Returns
    -------
    MetaScore
        The mean over items, with the smallest and largest threshold of a fold (``epsilon_min``,
        ``epsilon_max``) and the value that `acc_eq` has (``in_sample``).
    """
    as_count(n_folds, "n_folds", minimum=2)
    scores = group_scores(gold, metric, "item")
    pairs = tie_pairs(scores, differences=differences, max_memory=max_memory)
    fold_of, n_units = _deal(pairs.used, n_folds, seed, blocks)
    if n_units < n_folds:
        what = "items" if blocks is None else "blocks"
        return _undefined(pairs, f"{n_folds} folds need as many {what} with pairs; got {n_units}")
    epsilons = np.array([pairs.best_threshold(fold_of != fold) for fold in range(n_folds)])
    value = float(pairs.accuracies(epsilons[fold_of])[pairs.used].mean())
    best = pairs.best_threshold(pairs.used)
    extra = {
        "epsilon_min": float(epsilons.min()) * pairs.step,
        "epsilon_max": float(epsilons.max()) * pairs.step,
        "n_folds": float(n_folds),
        "in_sample": float(pairs.accuracies(best)[pairs.used].mean()),
    }
    return _score(pairs, value, extra)


def calibration_curve(
    gold: npt.ArrayLike,
    metric: npt.ArrayLike,
    *,
    grouping: str = "item",
    differences: str = "float",
    max_memory: float = MAX_MEMORY,
) -> CalibrationCurve:
    """Compute the mean accuracy at every tie threshold that makes a difference.

    Parameters
    ----------
    gold, metric, grouping, differences, max_memory
        As for `acc_eq`.

    Returns
    -------
    CalibrationCurve
        Empty if there is no pair.

    Examples
    --------
    >>> curve = calibration_curve([1, 1, 1, 4], [0, 2, 6, 8])
    >>> curve.thresholds.tolist(), (6 * curve.accuracies).round(9).tolist()
    ([0.0, 2.0, 4.0, 6.0, 8.0], [3.0, 3.0, 4.0, 4.0, 3.0])
    """
    scores = group_scores(gold, metric, grouping)
    pairs = tie_pairs(scores, differences=differences, max_memory=max_memory, keep_discordant=True)
    if not pairs.used.any():
        return CalibrationCurve(np.empty(0), np.empty(0))
    order = np.argsort(pairs.distances)
    distances = pairs.distances[order]
    ends = np.flatnonzero(np.diff(distances, append=np.inf))
    gained = np.cumsum(pairs.weighted_gains(pairs.used)[order])[ends]
    start = int((pairs.n_agreeing * pairs.weights).sum())
    whole = int((pairs.n_pairs * pairs.weights).sum())
    return CalibrationCurve(
        thresholds=np.append(0.0, distances[ends]) * pairs.step,
        accuracies=(start + np.append(0, gained)) / whole,
    )


def _deal(used: BoolArray, n_folds: int, seed: int, blocks: Blocks | None) -> tuple[IntArray, int]:
    """Return the fold of each item, -1 if it has no pairs, and how many units were dealt."""
    order, labels = block_order(blocks, len(used))
    block_of = np.empty(len(used), dtype=np.int64)
    block_of[order] = labels
    units, unit_of = np.unique(block_of[used], return_inverse=True)
    dealt = generator(seed, "acc-eq folds").permutation(len(units)) % n_folds
    fold_of = np.full(len(used), -1, dtype=np.int64)
    fold_of[used] = dealt[unit_of]
    return fold_of, len(units)


def _score(pairs: TiePairs, value: float, extra: dict[str, float]) -> MetaScore:
    scores, n_groups = pairs.scores, int(pairs.used.sum())
    n_used = int(scores.sizes.sum()) if scores.grouping == "none" else n_groups
    return MetaScore(
        value, n_used, scores.left_out(n_groups), scores.unit, extra={**_counts(pairs), **extra}
    )


def _undefined(pairs: TiePairs, reason: str) -> MetaScore:
    scores = pairs.scores
    return undefined_score("acc_eq", scores.unit, scores.left_out(0), reason, _counts(pairs))


def _counts(pairs: TiePairs) -> dict[str, float]:
    return {
        "n_pairs": float(pairs.n_pairs.sum()),
        "n_scores_left_out": float(np.isnan(pairs.scores.gold).sum()),
    }
