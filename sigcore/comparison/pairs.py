"""Many systems: every pair tested, corrected for their number, and grouped into clusters."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sigcore.comparison.multiplicity import ADJUSTMENTS, adjust_pvalues, max_t_pvalues
from sigcore.comparison.pair_tests import ordered_pairs, pair_pvalues
from sigcore.comparison.results import ALTERNATIVES
from sigcore.comparison.significance import TESTS, SignificanceOptions, resamples_of
from sigcore.comparison.units import describe_grouping, group_items
from sigcore.errors import InputError
from sigcore.meta.clusters import Clusters, all_pairs_clusters, greedy_clusters
from sigcore.validation import FloatArray, as_choice, as_matrix, as_probability

__all__ = ["CLUSTER_RULES", "CORRECTIONS", "MISSING", "PairsResult", "compare_pairs"]

CORRECTIONS = (*ADJUSTMENTS, "maxt")
MISSING = ("refuse", "pairwise", "listwise")
CLUSTER_RULES = ("all-pairs", "greedy")
_MAXT_TESTS = ("t", "permutation_mean")


@dataclass(frozen=True, slots=True)
class PairsResult:
    """All pairs of several systems.

    Attributes
    ----------
    names : tuple of str
        Systems, best mean score first.
    means : ndarray of shape (systems,)
        Mean score of each.
    differences : ndarray of shape (systems, systems)
        Mean difference, row minus column, on the items of the pair.
    directions : ndarray of shape (systems, systems)
        1 where the test finds the row better, -1 where it finds the column better, else 0. By
        another measure than the mean this may differ from the sign of the mean difference.
    pvalues, adjusted : ndarray of shape (systems, systems)
        p-values of row against column, plain and corrected; NaN where a pair has no test.
    n_items : ndarray of shape (systems, systems)
        Items of each pair, or units of items.
    clusters : Clusters
        Ranks from the corrected p-values.
    test, alternative, correction, missing : str
        What was done.
    alpha : float
        Level.
    n_dropped : int
        Items left out for all systems.
    n_resamples, seed : int or None
        Of what was resampled.
    reasons : tuple of str
        Why pairs have no p-value.
    grouping : str or None
        How items were grouped into units, in a sentence.
    """

    names: tuple[str, ...]
    means: FloatArray
    differences: FloatArray
    directions: npt.NDArray[np.int64]
    pvalues: FloatArray
    adjusted: FloatArray
    n_items: npt.NDArray[np.int64]
    clusters: Clusters
    test: str
    alternative: str
    correction: str
    missing: str
    alpha: float
    n_dropped: int
    n_resamples: int | None
    seed: int | None
    reasons: tuple[str, ...]
    grouping: str | None = None

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row a pair, the better system first; every order if one-sided."""
        return [
            {
                "first": self.names[i],
                "second": self.names[j],
                "n_items": int(self.n_items[i, j]),
                "difference": float(self.differences[i, j]),
                "pvalue": float(self.pvalues[i, j]),
                "adjusted": float(self.adjusted[i, j]),
                "significant": bool(self.adjusted[i, j] <= self.alpha),
            }
            for i, j in ordered_pairs(len(self.names), self.alternative)
        ]

    @property
    def wins(self) -> npt.NDArray[np.bool_]:
        """Whether the row is significantly better than the column (systems x systems)."""
        better = self.adjusted.T if self.alternative == "less" else self.adjusted
        return (better <= self.alpha) & (self.directions > 0)


def compare_pairs(
    scores: npt.ArrayLike,
    names: Sequence[str] | None = None,
    *,
    test: str = "wilcoxon",
    alternative: str = "two-sided",
    correction: str = "holm",
    alpha: float = 0.05,
    missing: str = "refuse",
    cluster_rule: str = "all-pairs",
    unit_size: int = 1,
    unit_statistic: str = "mean",
    unit_remainder: str = "drop",
    shuffle_seed: int | None = None,
    options: SignificanceOptions | None = None,
) -> PairsResult:
    """Test every pair of systems.

    Parameters
    ----------
    scores : array_like, shape (systems, items)
        Larger is better; NaN marks a missing score.
    names : sequence of str, optional
        Names of the systems; their numbers when not given.
    test : str
        Any test by its short name.
    alternative : {"two-sided", "greater", "less"}
        One-sided, every pair is tested in both orders and counts twice in the correction.
    correction : {"none", "bonferroni", "holm", "bh", "maxt"}
        "maxt" resamples all pairs together and goes with tests of the mean.
    alpha : float
        Level; a pair is significant if its corrected p-value is at most alpha.
    missing : {"refuse", "pairwise", "listwise"}
        Refuse scores with gaps, use the items that both systems of a pair have, or only the items
        that all systems have.
    cluster_rule : {"all-pairs", "greedy"}
        How systems are grouped: everyone above a line beats everyone below, or a line as soon
        as one of the group does.
    unit_size, unit_statistic, unit_remainder, shuffle_seed
        Evaluation units, of the items that are left; see `make_units`.
    options : SignificanceOptions, optional
        Choices of single tests.

    Returns
    -------
    PairsResult
    """
    values, labels = _validate(scores, names)
    for name, value, choices in (
        ("test", test, TESTS),
        ("alternative", alternative, ALTERNATIVES),
        ("correction", correction, CORRECTIONS),
        ("missing", missing, MISSING),
        ("cluster_rule", cluster_rule, CLUSTER_RULES),
    ):
        as_choice(value, name, choices)
    as_probability(alpha, "alpha")
    if correction == "maxt" and test not in _MAXT_TESTS:
        raise InputError(
            f"`correction` 'maxt' compares means; use it with `test` in {_MAXT_TESTS}."
        )
    chosen = options or SignificanceOptions()
    complete = _without_gaps(values, missing)
    kept, grouping = _grouped(
        complete,
        size=unit_size,
        statistic=unit_statistic,
        remainder=unit_remainder,
        shuffle_seed=shuffle_seed,
    )
    means = np.nanmean(kept, axis=1)
    order = sorted(range(len(labels)), key=lambda index: (-means[index], labels[index]))
    kept, means = kept[order], means[order]
    labels = tuple(labels[index] for index in order)
    found = pair_pvalues(kept, labels, test=test, alternative=alternative, options=chosen)
    adjusted = _adjusted(kept, found.pvalues, alternative, correction, chosen)
    rule = all_pairs_clusters if cluster_rule == "all-pairs" else greedy_clusters
    # Row against column as "is better": "less" asks the reverse. A two-sided test may find the
    # system with the lower mean better; then the one with the higher mean does not beat it.
    better = np.where(found.directions > 0, adjusted.T if alternative == "less" else adjusted, 1.0)
    drawn = chosen.n_resamples if correction == "maxt" else resamples_of(test, chosen)
    return PairsResult(
        names=labels,
        means=means,
        differences=_mean_differences(kept),
        directions=found.directions,
        pvalues=found.pvalues,
        adjusted=adjusted,
        n_items=_n_shared(kept),
        clusters=rule(means, better, names=labels, alpha=alpha),
        test=test,
        alternative=alternative,
        correction=correction,
        missing=missing,
        alpha=alpha,
        n_dropped=values.shape[1] - complete.shape[1],
        n_resamples=drawn,
        seed=None if drawn is None else chosen.seed,
        reasons=found.reasons,
        grouping=grouping,
    )


def _validate(
    scores: npt.ArrayLike, names: Sequence[str] | None
) -> tuple[FloatArray, tuple[str, ...]]:
    values = as_matrix(scores, "scores", axes="systems x items")
    if len(values) < 2:
        raise InputError("`scores` must have at least 2 systems; got 1.")
    labels = tuple(names) if names is not None else tuple(str(i) for i in range(len(values)))
    if len(labels) != len(values) or len(dict.fromkeys(labels)) != len(labels):
        raise InputError(f"`names` must be {len(values)} different names; got {labels}.")
    empty = [name for name, row in zip(labels, values, strict=True) if np.isnan(row).all()]
    if empty:
        raise InputError(
            f"`scores` must have a score for each system; none for "
            f"{', '.join(map(repr, empty))}. Leave such systems out."
        )
    return values, labels


def _without_gaps(values: FloatArray, missing: str) -> FloatArray:
    gaps = np.isnan(values)
    if missing == "refuse" and gaps.any():
        raise InputError(
            f"`scores` has {int(gaps.sum())} missing values; "
            "choose `missing` 'pairwise' or 'listwise'."
        )
    if missing != "listwise":
        return values
    complete = ~gaps.any(axis=0)
    if not complete.any():
        raise InputError("`scores` has no item with a score of every system.")
    return values[:, complete]


def _grouped(
    values: FloatArray, *, size: int, statistic: str, remainder: str, shuffle_seed: int | None
) -> tuple[FloatArray, str | None]:
    """Group the items into units, and say how if there are several items in one."""
    if size > 1 and np.isnan(values).any():
        raise InputError(
            "`unit_size` above 1 needs the same items for all systems; set `missing` 'listwise'."
        )
    scores, sizes = group_items(
        values, size=size, statistic=statistic, remainder=remainder, shuffle_seed=shuffle_seed
    )
    if size == 1:
        return scores, None
    n_items = values.shape[1]
    return scores, describe_grouping(
        n_items,
        n_items - int(sizes.sum()),
        size=size,
        statistic=statistic,
        remainder=remainder,
        shuffle_seed=shuffle_seed,
    )


def _adjusted(
    values: FloatArray,
    pvalues: FloatArray,
    alternative: str,
    correction: str,
    options: SignificanceOptions,
) -> FloatArray:
    if correction == "maxt":
        if np.isnan(values).any():
            raise InputError("`correction` 'maxt' needs complete scores; set `missing` 'listwise'.")
        return max_t_pvalues(
            values, alternative=alternative, n_resamples=options.n_resamples, seed=options.seed
        )
    first, second = np.array(list(ordered_pairs(len(values), alternative))).T
    adjusted = pvalues.copy()
    adjusted[first, second] = adjust_pvalues(pvalues[first, second], method=correction)
    if alternative == "two-sided":
        adjusted[second, first] = adjusted[first, second]
    return adjusted


def _n_shared(values: FloatArray) -> npt.NDArray[np.int64]:
    present = (~np.isnan(values)).astype(np.int64)
    return present @ present.T


def _mean_differences(values: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore"):
        return np.stack([_row_means(row - values) for row in values])


def _row_means(rows: FloatArray) -> FloatArray:
    present = ~np.isnan(rows)
    count = present.sum(axis=1)
    total = np.where(present, rows, 0.0).sum(axis=1)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)
