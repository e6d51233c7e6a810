"""What functions on many metrics take: an evaluation set, or gold, scores and names."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.evalset import EvalSet
from sigcore.validation import as_count

__all__ = ["MetricInputs", "metric_inputs", "metric_pairs_of", "names_of"]


@dataclass(frozen=True, slots=True)
class MetricInputs:
    """Scores and their names; see `compare_metrics` for the attributes."""

    gold: npt.ArrayLike
    scores: npt.ArrayLike
    metric_names: Sequence[str] | None
    purpose: tuple[str, ...]


def metric_inputs(
    gold: EvalSet | npt.ArrayLike,
    scores: npt.ArrayLike | None,
    metric_names: Sequence[str] | None,
    purpose: Sequence[str],
) -> MetricInputs:
    """Take an evaluation set apart, whose names are used unless others are given."""
    if isinstance(purpose, str) or not isinstance(purpose, Sequence):
        raise InputError(f"`purpose` must be a sequence of strings; got {purpose!r}.")
    if isinstance(gold, EvalSet):
        if scores is not None:
            raise InputError("`scores` must not be given beside an evaluation set.")
        names = gold.metric_names if metric_names is None else metric_names
        where = tuple(purpose) or (gold.testset, gold.language_pair)
        return MetricInputs(gold.gold, gold.scores, names, where)
    if scores is None:
        raise InputError("`scores` must be given unless `gold` is an evaluation set.")
    return MetricInputs(gold, scores, metric_names, tuple(purpose))


def names_of(metric_names: Sequence[str] | None, n_metrics: int) -> tuple[str, ...]:
    """Check names of metrics; "0", "1", ... without."""
    if metric_names is None:
        return tuple(str(index) for index in range(n_metrics))
    # Of an array or the columns of a data frame, too.
    given = np.asarray(metric_names, dtype=object)
    if given.ndim != 1:
        raise InputError(f"`metric_names` must be a sequence of strings; got {metric_names!r}.")
    names = tuple(given.tolist())
    strings = all(isinstance(name, str) for name in names)
    if not strings or len(names) != n_metrics or len(dict.fromkeys(names)) != n_metrics:
        raise InputError(f"`metric_names` must be {n_metrics} different names; got {list(names)}.")
    return names


def metric_pairs_of(
    metric_pairs: Sequence[tuple[int, int]] | None, n_metrics: int
) -> tuple[tuple[int, int], ...]:
    """Check pairs of metrics; all without."""
    if metric_pairs is None:
        return tuple(combinations(range(n_metrics), 2))
    if not isinstance(metric_pairs, Sequence) or isinstance(metric_pairs, str):
        raise InputError(f"`metric_pairs` must be a sequence of pairs; got {metric_pairs!r}.")
    pairs = tuple(_pair(pair, n_metrics) for pair in metric_pairs)
    if len({frozenset(pair) for pair in pairs}) != len(pairs):
        raise InputError("`metric_pairs` must have each pair once, in one order.")
    return pairs


def _pair(pair: Sequence[int], n_metrics: int) -> tuple[int, int]:
    if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2:
        raise InputError(f"`metric_pairs` must be a sequence of pairs; got {pair!r} in it.")
    a, b = (as_count(metric, "metric_pairs") for metric in pair)
    if a == b or not (a < n_metrics and b < n_metrics):
        raise InputError(
            f"`metric_pairs` must be pairs of different metrics from 0 to {n_metrics - 1}; "
            f"got ({a}, {b})."
        )
    return a, b
