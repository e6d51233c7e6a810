"""All pairs of systems as tables, some pairs at a time: tests with intervals and effect sizes."""

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from sigcore.comparison.effect_size import EffectSize, cohens_d, hedges_g
from sigcore.comparison.multiplicity import adjust_pvalues
from sigcore.comparison.rank_effects import (
    cliffs_delta,
    common_language,
    hodges_lehmann,
    wilcoxon_r,
)
from sigcore.comparison.significance import SignificanceOptions, run_test
from sigcore.comparison.units import EvaluationUnits, make_units
from sigcore.errors import InputError
from sigcore.meta.clusters import all_pairs_clusters, greedy_clusters
from sigcore.validation import FloatArray, as_choice, as_matrix, as_probability

__all__ = ["adjust_pairs", "ordered_pairs", "pair_records", "rank_systems"]

Row = Mapping[str, Any]
_CLUSTERS = {"all-pairs": all_pairs_clusters, "greedy": greedy_clusters}


def ordered_pairs(
    scores: npt.ArrayLike, names: Sequence[str], *, alternative: str = "two-sided"
) -> list[tuple[str, str]]:
    """List the pairs of systems to test, the better mean first.

    Parameters
    ----------
    scores : array_like, shape (systems, items)
        Larger is better; NaN marks a missing score.
    names : sequence of str
        Names of the systems.
    alternative : {"two-sided", "greater", "less"}
        A one-sided test is run on every pair in both orders.

    Returns
    -------
    list of pairs
        In a fixed order; equal means are ordered by name.

    Examples
    --------
    >>> ordered_pairs([[1, 2], [3, 4]], ["a", "b"])
    [('b', 'a')]
    """
    values = _as_scores(scores, names)
    means = _means(values, names)
    best_first = sorted(names, key=lambda name: (-means[name], name))
    place = {name: index for index, name in enumerate(best_first)}
    both = alternative != "two-sided"
    return [(a, b) for a, b in permutations(best_first, 2) if both or place[a] < place[b]]


def pair_records(
    scores: npt.ArrayLike,
    names: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    *,
    test: str = "wilcoxon",
    alternative: str = "two-sided",
    confidence: float = 0.95,
    unit_size: int = 1,
    unit_statistic: str = "mean",
    unit_remainder: str = "drop",
    shuffle_seed: int | None = None,
    options: SignificanceOptions | None = None,
) -> list[dict[str, Any]]:
    """Test some pairs of systems and estimate how far they are apart.

    Parameters
    ----------
    scores : array_like, shape (systems, items)
        Larger is better; NaN marks a missing score. A pair is compared on the items of both.
    names : sequence of str
        Names of the systems.
    pairs : sequence of pairs of str
        The pairs to test, by name. What a pair gives does not depend on the other pairs.
    test, alternative, confidence, options
        See `run_test`.
    unit_size, unit_statistic, unit_remainder, shuffle_seed
        Evaluation units; see `make_units`.

    Returns
    -------
    list of dict
        The test, its estimate and interval, and all effect sizes; without a correction.
    """
    values = _as_scores(scores, names)
    place = {name: index for index, name in enumerate(names)}
    records = []
    for a, b in pairs:
        u, v = values[place[a]], values[place[b]]
        both = ~(np.isnan(u) | np.isnan(v))
        start: dict[str, Any] = {"system_a": a, "system_b": b, "n_items": int(both.sum())}
        start |= {"test": test, "alternative": alternative}
        if not both.any():
            reason = "the systems have no item in common."
            records.append(
                start | {"n_units": 0, "direction": 0, "pvalue": np.nan, "reason": reason}
            )
            continue
        units = make_units(
            u[both],
            v[both],
            size=unit_size,
            statistic=unit_statistic,
            remainder=unit_remainder,
            shuffle_seed=shuffle_seed,
        )
        result = run_test(
            test,
            units.u,
            units.v,
            alternative=alternative,
            confidence=confidence,
            options=options,
        )
        record = start | result.to_record() | _description(units, confidence)
        records.append(record | {"direction": _direction(record)})
    return records


def adjust_pairs(
    records: Sequence[Row], *, correction: str = "holm", alpha: float = 0.05
) -> list[dict[str, Any]]:
    """Correct the p-values of all pairs together.

    Parameters
    ----------
    records : sequence of rows
        From `pair_records`, of all pairs.
    correction : {"none", "bonferroni", "holm", "bh"}
        See `adjust_pvalues`.
    alpha : float
        Level; a pair differs significantly if its corrected p-value is at most alpha.

    Returns
    -------
    list of dict
        The same rows with ``adjusted``, ``significant``, ``correction`` and ``alpha``.
    """
    as_probability(alpha, "alpha")
    pvalues = [np.nan if row["pvalue"] is None else row["pvalue"] for row in records]
    adjusted = adjust_pvalues(pvalues, method=correction)
    return [
        {
            **row,
            "adjusted": float(value),
            "significant": bool(value <= alpha),
            "correction": correction,
            "alpha": alpha,
        }
        for row, value in zip(records, adjusted, strict=True)
    ]


def rank_systems(
    scores: npt.ArrayLike,
    names: Sequence[str],
    records: Sequence[Row],
    *,
    alpha: float = 0.05,
    cluster_rule: str = "all-pairs",
) -> list[dict[str, Any]]:
    """Rank systems by their mean score and group them into clusters.

    Parameters
    ----------
    scores : array_like, shape (systems, items)
        Larger is better; NaN marks a missing score.
    names : sequence of str
        Names of the systems.
    records : sequence of rows
        From `adjust_pairs`, of all pairs.
    alpha : float
        Level.
    cluster_rule : {"all-pairs", "greedy"}
        See `compare_pairs`.

    Returns
    -------
    list of dict
        ``rank``, ``system``, ``mean``, ``n_items``, ``n_wins`` and ``n_losses``, best first.
    """
    values = _as_scores(scores, names)
    as_choice(cluster_rule, "cluster_rule", tuple(_CLUSTERS))
    means = _means(values, names)
    order = sorted(range(len(names)), key=lambda index: (-means[names[index]], names[index]))
    labels = [names[index] for index in order]
    better = _better(labels, records)
    ranks = _CLUSTERS[cluster_rule](
        np.array([means[name] for name in labels]), better, names=labels, alpha=alpha
    ).ranks
    beats = better <= alpha
    return [
        {
            "rank": int(rank),
            "system": name,
            "mean": means[name],
            "n_items": int(np.count_nonzero(~np.isnan(values[index]))),
            "n_wins": int(beats[row].sum()),
            "n_losses": int(beats[:, row].sum()),
        }
        for row, (rank, name, index) in enumerate(zip(ranks, labels, order, strict=True))
    ]


def _as_scores(scores: npt.ArrayLike, names: Sequence[str]) -> FloatArray:
    values = as_matrix(scores, "scores", axes="systems x items")
    if len(names) != len(values) or len(dict.fromkeys(names)) != len(values) or len(values) < 2:
        raise InputError(
            f"`names` must be different names of two or more systems, one a row of `scores`; got "
            f"{len(names)} names and {len(values)} rows."
        )
    empty = [name for name, row in zip(names, values, strict=True) if np.isnan(row).all()]
    if empty:
        raise InputError(f"`scores` must have a score for each system; none for {empty[0]!r}.")
    return values


def _means(values: FloatArray, names: Sequence[str]) -> dict[str, float]:
    return dict(zip(names, np.nanmean(values, axis=1).tolist(), strict=True))


def _description(units: EvaluationUnits, confidence: float) -> dict[str, Any]:
    """Return means and effect sizes of one pair."""
    u, v = units.u, units.v
    effects = (
        cohens_d(u, v, confidence=confidence),
        hedges_g(u, v, confidence=confidence),
        wilcoxon_r(u, v, confidence=confidence),
        hodges_lehmann(u, v, confidence=confidence),
        cliffs_delta(u, v, confidence=confidence),
        common_language(u, v, confidence=confidence),
    )
    record: dict[str, Any] = {
        "n_units": units.n_units,
        "mean_a": float(u.mean()),
        "mean_b": float(v.mean()),
        "difference": float((u - v).mean()),
    }
    for effect in effects:
        record |= _effect(effect)
    return record


def _effect(effect: EffectSize) -> dict[str, float]:
    low, high = (np.nan, np.nan)
    if effect.interval is not None:
        low, high = effect.interval.low, effect.interval.high
    return {
        effect.name: effect.estimate,
        f"{effect.name}_low": low,
        f"{effect.name}_high": high,
    }


def _direction(record: Row) -> int:
    """Return 1 if the test finds the first system better, -1 if the second, 0 if neither."""
    if record["test"] == "wilcoxon":
        value = record["wilcoxon_r"]
    elif record["test"] == "sign":
        value = record["common_language"] - 0.5
    else:
        value = record["estimate" if record["test"].endswith("median") else "difference"]
    return int(value > 0.0) - int(value < 0.0)


def _better(labels: Sequence[str], records: Sequence[Row]) -> FloatArray:
    """Arrange corrected p-values so that row against column asks whether the row is better.

    A two-sided test may find the system with the lower mean better; then the p-value counts for
    that system alone.
    """
    place = {name: index for index, name in enumerate(labels)}
    matrix = np.ones((len(labels), len(labels)))
    for row in records:
        i, j = place[row["system_a"]], place[row["system_b"]]
        if row["direction"] > 0 and row["alternative"] != "less":
            matrix[i, j] = row["adjusted"]
        if row["direction"] < 0 and row["alternative"] != "greater":
            matrix[j, i] = row["adjusted"]
    return matrix
