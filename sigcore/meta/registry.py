"""All meta-metrics behind one interface.

``META_METRICS[name](gold, metric, **options)`` takes two matrices of segment scores, systems x
segments with NaN where one is missing, and returns a `MetaScore`. The names are

- ``spa``, ``pa``: do metric and people order systems alike, with or without regard to how sure
  that order is;
- ``pearson-sys``, ``spearman-sys``, ``kendall-sys``: correlation of system scores;
- ``pearson-seg``, ``spearman-seg``, ``tau-b-seg``, ``tau-c-seg``: correlation of all segment
  scores at once;
- ``pearson-item``, ``spearman-item``, ``tau-b-item``, ``tau-c-item``: mean of the correlations
  within items, the translations of one segment by all systems;
- ``pearson-by-system``, ``spearman-by-system``, ``tau-b-by-system``, ``tau-c-by-system``: mean of
  the correlations within systems;
- ``acc-eq``, ``acc-eq-heldout``: accuracy within items at the best tie threshold, found on the
  same items or on others;
- ``acc-23``, ``tau-23``: accuracy within items at a given threshold, from 0 to 1 or from -1 to 1;
- ``kendall-like``: the statistic of WMT up to 2020;
- ``pdp``: Pairwise Difference Pearson.

Options go to the function that computes the value. Definitions, sources and what equals what in
mt-metrics-eval are in docs/meta-metrics.md.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.meta.accuracy import segment_accuracy
from sigcore.meta.correlation import TITLES, correlate_segments, correlate_systems
from sigcore.meta.pdp import pairwise_difference_pearson
from sigcore.meta.score import MetaScore
from sigcore.meta.spa import soft_pairwise_accuracy
from sigcore.meta.tie_calibration import acc_eq, acc_eq_held_out
from sigcore.meta.ties import kendall_like, kendall_tau
from sigcore.validation import as_matrices

__all__ = ["META_METRICS", "MetaMetric", "meta_metric"]

FloatArray = npt.NDArray[np.float64]

_GROUPINGS = {
    "seg": ("none", "of segments"),
    "item": ("item", "within items"),
    "by-system": ("system", "within systems"),
}


@dataclass(frozen=True, slots=True)
class MetaMetric:
    """A way to score a metric against people; call it with gold, metric and options.

    Attributes
    ----------
    name : str
        Key in `META_METRICS`.
    title : str
        Name for tables and figures.
    level : {"system", "segment"}
        Whether systems or single translations are compared.
    lowest : {-1.0, 0.0}
        Lowest possible value; the highest is 1.
    function : callable
        Takes gold, metric and options; returns a `MetaScore`.
    """

    name: str
    title: str
    level: str
    lowest: float
    function: Callable[..., MetaScore]

    def __call__(self, gold: npt.ArrayLike, metric: npt.ArrayLike, **options: Any) -> MetaScore:
        """Score a metric; see the function for its options."""
        return self.function(gold, metric, **options)

    def in_unit_range(self, value: float) -> float:
        """Map a value to the range from 0 to 1, as WMT does before it averages over tasks."""
        return (value - self.lowest) / (1.0 - self.lowest)


def meta_metric(name: str) -> MetaMetric:
    """Return the meta-metric of that name.

    Raises
    ------
    InputError
        If there is none.

    Examples
    --------
    >>> meta_metric("tau-23")([[1, 1], [2, 1]], [[1, 2], [2, 2]]).value
    1.0
    """
    if not isinstance(name, str) or name not in META_METRICS:
        raise InputError(f"`meta` must be one of {', '.join(META_METRICS)}; got {name!r}.")
    return META_METRICS[name]


def _spa(gold: npt.ArrayLike, metric: npt.ArrayLike, **options: Any) -> MetaScore:
    result = soft_pairwise_accuracy(gold, metric, **options)
    n_systems = len(result.gold.pvalues)
    n_pairs = n_systems * (n_systems - 1) // 2
    n_used = 0 if result.reason else n_pairs
    extra = {
        "n_segments": float(result.gold.n_segments_used),
        "n_segments_left_out": float(result.gold.n_segments_dropped),
    }
    return MetaScore(result.value, n_used, n_pairs - n_used, "system pairs", result.reason, extra)


def _pa(gold: npt.ArrayLike, metric: npt.ArrayLike, *, missing: str = "listwise") -> MetaScore:
    first, second = as_matrices(gold=gold, metric=metric)
    result = segment_accuracy(first, second, missing=missing)
    n_systems = len(first)
    n_left_out = n_systems * (n_systems - 1) // 2 - result.n_pairs
    extra = {"n_agree": float(result.n_agree)} | _count_segments(first, second, missing)
    return MetaScore(result.value, result.n_pairs, n_left_out, "system pairs", result.reason, extra)


def _count_segments(gold: FloatArray, metric: FloatArray, missing: str) -> dict[str, float]:
    """Count the segments that comparisons of systems rest on: with all scores, or with two."""
    rated = ~(np.isnan(gold) | np.isnan(metric))
    used = rated.all(axis=0) if missing == "listwise" else rated.sum(axis=0) >= 2
    return {
        "n_segments": float(used.sum()),
        "n_segments_left_out": float((~used).sum()),
    }


def _entries() -> Iterable[MetaMetric]:
    yield MetaMetric("spa", "Soft Pairwise Accuracy", "system", 0.0, _spa)
    yield MetaMetric("pa", "Pairwise Accuracy", "system", 0.0, _pa)
    for name, title in TITLES.items():
        function = partial(correlate_systems, coefficient=name)
        yield MetaMetric(f"{name}-sys", f"{title} of systems", "system", -1.0, function)
    for suffix, (grouping, where) in _GROUPINGS.items():
        for name in ("pearson", "spearman"):
            of_segments = partial(correlate_segments, coefficient=name, grouping=grouping)
            title = f"{TITLES[name]} {where}"
            yield MetaMetric(f"{name}-{suffix}", title, "segment", -1.0, of_segments)
        for variant in ("b", "c"):
            tau = partial(kendall_tau, variant=variant, grouping=grouping)
            title = f"Kendall's tau-{variant} {where}"
            yield MetaMetric(f"tau-{variant}-{suffix}", title, "segment", -1.0, tau)
    yield MetaMetric("acc-eq", "acc_eq", "segment", 0.0, acc_eq)
    yield MetaMetric(
        "acc-eq-heldout", "acc_eq, held-out threshold", "segment", 0.0, acc_eq_held_out
    )
    accuracy, tau_23 = (partial(kendall_tau, variant=variant) for variant in ("acc23", "23"))
    yield MetaMetric("acc-23", "Accuracy with ties", "segment", 0.0, accuracy)
    yield MetaMetric("tau-23", "tau_23", "segment", -1.0, tau_23)
    yield MetaMetric("kendall-like", "Kendall-like statistic", "segment", -1.0, kendall_like)
    title = "Pairwise Difference Pearson"
    yield MetaMetric("pdp", title, "segment", -1.0, pairwise_difference_pearson)


META_METRICS: Mapping[str, MetaMetric] = MappingProxyType(
    {entry.name: entry for entry in _entries()}
)
"""Name to meta-metric, in the order of this module's description."""
