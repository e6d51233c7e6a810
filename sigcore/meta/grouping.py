"""Segment scores in groups, and averages over groups.

A correlation at segment level is computed over all scores at once, or within each item (the
translations of one segment by all systems) or each system, and then averaged.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.meta.score import MetaScore, undefined_score
from sigcore.validation import as_choice, as_matrix, refuse_other_labels

__all__ = [
    "GROUPINGS",
    "GroupedScores",
    "as_score_arrays",
    "average_groups",
    "divide",
    "group_scores",
    "mean_deviations",
]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

GROUPINGS = ("none", "item", "system")
_UNITS = {"none": "scores", "item": "items", "system": "systems"}


@dataclass(frozen=True, slots=True)
class GroupedScores:
    """Gold and metric scores, one column a group.

    Attributes
    ----------
    gold, metric : ndarray, shape (members, groups)
        Scores; NaN in both where one of the two is missing.
    grouping : {"none", "item", "system"}
        What a group is; ``"none"`` is one group of all scores.
    """

    gold: FloatArray
    metric: FloatArray
    grouping: str

    @property
    def sizes(self) -> IntArray:
        """Number of scores in each group."""
        sizes: IntArray = np.count_nonzero(~np.isnan(self.gold), axis=0).astype(np.int64)
        return sizes

    @property
    def n_pairs(self) -> IntArray:
        """Number of pairs of scores in each group."""
        sizes = self.sizes
        return sizes * (sizes - 1) // 2

    @property
    def n_possible_pairs(self) -> int:
        """Number of pairs there would be in all groups together if no score were missing."""
        n_members, n_groups = self.gold.shape
        return int(n_members * (n_members - 1) // 2 * n_groups)

    @property
    def unit(self) -> str:
        """Name of what is averaged over; of single scores if there is but one group."""
        return _UNITS[self.grouping]

    def left_out(self, n_groups_used: int) -> int:
        """Return how many units are left out if this number of groups enters."""
        if self.grouping != "none":
            return int(self.gold.shape[1]) - n_groups_used
        return int(self.gold.size) - (int(self.sizes.sum()) if n_groups_used else 0)

    def pair_differences(self) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Yield the gold and metric differences of all pairs within groups, each pair once.

        Each step yields the pairs of members that stand equally far apart, pairs x groups.
        Differences with a missing score are NaN.
        """
        for distance in range(1, len(self.gold)):
            yield (
                self.gold[distance:] - self.gold[:-distance],
                self.metric[distance:] - self.metric[:-distance],
            )


def group_scores(gold: npt.ArrayLike, metric: npt.ArrayLike, grouping: str) -> GroupedScores:
    """Check two arrays of scores and put them in groups.

    Parameters
    ----------
    gold, metric : array_like, shape (systems, segments) or (n,)
        Scores; NaN marks a missing one. Vectors are one group, whatever the grouping.
    grouping : {"none", "item", "system"}
        What a group is.
    """
    as_choice(grouping, "grouping", GROUPINGS)
    first, second, is_vector = as_score_arrays(gold, metric)
    if is_vector:
        grouping = "none"
    missing = np.isnan(first) | np.isnan(second)
    arranged = [_arrange(np.where(missing, np.nan, scores), grouping) for scores in (first, second)]
    return GroupedScores(arranged[0], arranged[1], grouping)


def as_score_arrays(
    gold: npt.ArrayLike, metric: npt.ArrayLike, *, name: str = "metric"
) -> tuple[FloatArray, FloatArray, bool]:
    """Return two matrices of equal shape, and whether they were vectors (now of one row).

    They are in C order, so that sums have the same bits whatever the order in memory was.
    """
    refuse_other_labels({"gold": gold, name: metric})
    is_vector = _is_vector(gold) and _is_vector(metric)
    first, second = (
        np.ascontiguousarray(
            as_matrix(np.reshape(scores, (1, -1)) if is_vector else scores, argument)
        )
        for scores, argument in ((gold, "gold"), (metric, name))
    )
    if first.shape != second.shape:
        shapes = [scores.shape[int(is_vector) :] for scores in (first, second)]
        raise InputError(
            f"`gold` and `{name}` must have the same shape; got {shapes[0]} and {shapes[1]}."
        )
    return first, second, is_vector


def average_groups(
    values: FloatArray, scores: GroupedScores, *, undefined: str, title: str
) -> MetaScore:
    """Average a statistic over the groups in which it is defined.

    Parameters
    ----------
    values : ndarray, shape (groups,)
        The statistic of each group; NaN where it is undefined.
    scores : GroupedScores
        The groups.
    undefined : {"leave-out", "zero"}
        What to do with groups of two scores or more in which the statistic is undefined, because
        all gold or all metric scores are equal. Groups of fewer scores are always left out.
    title : str
        Name of the statistic for warnings.

    Returns
    -------
    MetaScore
        With the numbers of groups that are too short and undefined, and of scores left out.

    Notes
    -----
    These are the rules of mt-metrics-eval, whose switch for ``"zero"`` is
    ``replace_nans_with_zeros``. DEVIATES: where no group is left it returns 0, not NaN.
    """
    as_choice(undefined, "undefined", ("leave-out", "zero"))
    short = scores.sizes < 2
    constant = np.isnan(values) & ~short
    used = ~short if undefined == "zero" else ~short & ~constant
    n_groups = int(used.sum())
    extra = {
        "n_short": float(short.sum()),
        "n_constant": float(constant.sum()),
        "n_scores_left_out": float(np.isnan(scores.gold).sum()),
    }
    if n_groups == 0:
        reason = _why_undefined(scores, int(short.sum()))
        return undefined_score(title, scores.unit, scores.left_out(0), reason, extra)
    value = float(np.where(constant, 0.0, values)[used].mean())
    n_used = int(scores.sizes.sum()) if scores.grouping == "none" else n_groups
    return MetaScore(value, n_used, scores.left_out(n_groups), scores.unit, extra=extra)


def mean_deviations(values: FloatArray) -> FloatArray:
    """Return deviations from the mean of each group; 0 where missing or where all are equal.

    Parameters
    ----------
    values : ndarray, shape (members, groups)
        Scores; NaN marks a missing one.
    """
    rated = ~np.isnan(values)
    high = np.where(rated, values, -np.inf).max(axis=0)
    low = np.where(rated, values, np.inf).min(axis=0)
    # The computed mean of equal scores may differ from them by rounding errors.
    differs = rated & (high > low)
    means = np.where(differs, values, 0.0).sum(axis=0) / np.maximum(rated.sum(axis=0), 1)
    return np.where(differs, values - means, 0.0)


def divide(numerator: npt.ArrayLike, denominator: npt.ArrayLike) -> FloatArray:
    """Divide; NaN where the denominator is 0."""
    below = np.asarray(denominator, dtype=np.float64)
    quotient = np.full(np.broadcast_shapes(np.shape(numerator), below.shape), np.nan)
    np.divide(numerator, below, out=quotient, where=below > 0.0)
    return quotient


def _why_undefined(scores: GroupedScores, n_short: int) -> str:
    if scores.grouping == "none":
        return "there are fewer than 2 scores" if n_short else "all gold or metric scores are equal"
    n_constant = scores.gold.shape[1] - n_short
    return (
        f"{n_short} {scores.unit} have fewer than 2 scores, "
        f"and in {n_constant} all gold or metric scores are equal"
    )


def _is_vector(scores: npt.ArrayLike) -> bool:
    try:
        return np.ndim(scores) == 1
    except ValueError:  # rows of unequal length; `as_matrix` says so
        return False


def _arrange(scores: FloatArray, grouping: str) -> FloatArray:
    if grouping == "item":
        return scores
    if grouping == "system":
        return np.ascontiguousarray(scores.T)
    return scores.reshape(-1, 1)
