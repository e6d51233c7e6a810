"""Stability of the scores of metrics when fewer systems take part.

Leaving out systems changes no p-value between the others, only which pairs of systems are averaged,
so thousands of subsets cost one matrix product.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.seeding import generator
from sigcore.validation import as_count, as_counts

__all__ = ["SystemAblation", "ablate_systems", "agreement_terms"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Row = Mapping[str, Any]

_QUANTILES = {"low": 0.025, "lower_quartile": 0.25, "upper_quartile": 0.75, "high": 0.975}
_SMALLEST = 3  # two systems are one pair: PA is 0 or 1 there
_CONSTANT = 1e-12  # a standard deviation of scores below it is rounding error


@dataclass(frozen=True, slots=True)
class SystemAblation:
    """Result of `ablate_systems`.

    Attributes
    ----------
    meta : tuple of str
        The meta-metrics.
    sizes : tuple of int
        Numbers of systems that were drawn.
    mean, sd : ndarray, shape (meta-metrics, sizes)
        Pearson r between the scores of the metrics on a subset and on all systems: its mean and
        standard deviation over subsets.
    quantiles : ndarray, shape (meta-metrics, sizes, 4)
        Its 2.5%, 25%, 75% and 97.5% quantiles.
    n_undefined : ndarray of int, shape (meta-metrics, sizes)
        Subsets on which all metrics have the same score; they have no r and are left out.
    n_systems, n_metrics : int
        Size of the whole set.
    n_trials, seed : int
        Subsets of each size, and the seed they came from.
    """

    meta: tuple[str, ...]
    sizes: tuple[int, ...]
    mean: FloatArray
    sd: FloatArray
    quantiles: FloatArray
    n_undefined: IntArray
    n_systems: int
    n_metrics: int
    n_trials: int
    seed: int

    def to_records(self) -> list[dict[str, object]]:
        """Return one flat row for each meta-metric and size."""
        return [
            {
                "meta": meta,
                "n_systems": size,
                "mean": float(self.mean[row, column]),
                "sd": float(self.sd[row, column]),
                **dict(zip(_QUANTILES, self.quantiles[row, column].tolist(), strict=True)),
                "n_undefined": int(self.n_undefined[row, column]),
                "n_trials": self.n_trials,
                "n_metrics": self.n_metrics,
                "seed": self.seed,
            }
            for row, meta in enumerate(self.meta)
            for column, size in enumerate(self.sizes)
        ]


def ablate_systems(
    terms: Mapping[str, npt.ArrayLike],
    *,
    sizes: Sequence[int] | None = None,
    n_trials: int = 1000,
    seed: int = 0,
    purpose: Sequence[str] = (),
) -> SystemAblation:
    """Score the metrics on random subsets of the systems and correlate with the full scores.

    Parameters
    ----------
    terms : mapping of str to array_like, shape (metrics, systems, systems)
        For each meta-metric the terms that it averages over the pairs of systems i < j; the rest is
        not read. `agreement_terms` gives those of SPA and PA.
    sizes : sequence of int, optional
        Numbers of systems to draw; by default every one from 3 to all.
    n_trials, seed : int
        Random subsets of each size, the same for every meta-metric, and their seed.
    purpose : sequence of str
        What the draws are for, for example the name of the data set: other names, other subsets.

    Returns
    -------
    SystemAblation

    Notes
    -----
    Figure 2 of Thompson et al. (2024), Improving Statistical Significance in Human Evaluation of
    Automatic Metrics via Soft Pairwise Accuracy. A subset of a size does not depend on the other
    sizes asked for.
    """
    values, n_systems = _validate_terms(terms)
    as_count(n_trials, "n_trials", minimum=1)
    chosen = _validate_sizes(sizes, n_systems)
    whole = values.mean(axis=2)
    shape = (len(values), len(chosen))
    mean, sd = np.full((2, *shape), np.nan)
    quantiles = np.full((*shape, len(_QUANTILES)), np.nan)
    n_undefined = np.zeros(shape, dtype=np.int64)
    for column, size in enumerate(chosen):
        rng = generator(seed, "ablate-systems", *purpose, str(size))
        scores = _subset_scores(values, _draw_pairs(rng, n_trials, n_systems, size), size)
        for row, correlations in enumerate(_correlations(scores, whole)):
            defined = correlations[~np.isnan(correlations)]
            n_undefined[row, column] = n_trials - len(defined)
            if len(defined):
                mean[row, column], sd[row, column] = defined.mean(), defined.std()
                quantiles[row, column] = np.quantile(defined, tuple(_QUANTILES.values()))
    return SystemAblation(
        meta=tuple(terms),
        sizes=chosen,
        mean=mean,
        sd=sd,
        quantiles=quantiles,
        n_undefined=n_undefined,
        n_systems=n_systems,
        n_metrics=values.shape[1],
        n_trials=n_trials,
        seed=seed,
    )


def agreement_terms(
    pvalues: Iterable[Row], *, systems: Sequence[str], metrics: Sequence[str]
) -> dict[str, FloatArray]:
    """Arrange what SPA and PA average, from the table `pvalues` of a language pair.

    Parameters
    ----------
    pvalues : iterable of rows
        For each metric a row for each pair of systems: `scorer`, `is_gold`, `system_a`, `system_b`,
        `pvalue` and `difference`, and the gold's on the same cells, `gold_pvalue` and
        `gold_difference`.
    systems, metrics : sequence of str
        Their order in the arrays.

    Returns
    -------
    dict
        For ``"spa"`` and ``"pa"`` an array of shape (metrics, systems, systems), filled above the
        diagonal.
    """
    index = {name: position for position, name in enumerate(systems)}
    numbers = {name: position for position, name in enumerate(metrics)}
    terms = np.full((2, len(metrics), len(systems), len(systems)), np.nan)
    for row in pvalues:
        if row["is_gold"] or row["scorer"] not in numbers:
            continue
        soft = 1.0 - abs(row["gold_pvalue"] - row["pvalue"])
        signs = np.sign([row["gold_difference"], row["difference"]])
        plain = np.nan if np.isnan(signs).any() else float(signs[0] == signs[1])
        place = numbers[row["scorer"]], index[row["system_a"]], index[row["system_b"]]
        terms[(slice(None), *place)] = soft, plain
    return dict(zip(("spa", "pa"), terms, strict=True))


def _validate_terms(terms: Mapping[str, npt.ArrayLike]) -> tuple[FloatArray, int]:
    """Return the terms of all meta-metrics (meta-metrics x metrics x pairs)."""
    arrays = {name: np.asarray(values, dtype=np.float64) for name, values in terms.items()}
    shapes = [array.shape for array in arrays.values()]
    if not shapes or len(shapes[0]) != 3 or any(shape != shapes[0] for shape in shapes):
        raise InputError(
            "`terms` must be arrays of one shape (metrics, systems, systems); "
            f"got {dict(zip(arrays, shapes, strict=True))}."
        )
    n_metrics, n_systems, n_columns = shapes[0]
    if n_systems != n_columns or n_systems < _SMALLEST or n_metrics < 2:
        raise InputError(
            f"`terms` must have at least 2 metrics and {_SMALLEST} systems, as rows and columns; "
            f"got shape {shapes[0]}."
        )
    first, second = np.triu_indices(n_systems, 1)
    values = np.array([array[:, first, second] for array in arrays.values()])
    if not np.isfinite(values).all():
        raise InputError("`terms` must be finite for every pair of systems; found NaN or infinity.")
    return values, n_systems


def _validate_sizes(sizes: Sequence[int] | None, n_systems: int) -> tuple[int, ...]:
    if sizes is None:
        return tuple(range(_SMALLEST, n_systems + 1))
    chosen = as_counts(sizes, "sizes", minimum=2)
    if max(chosen) > n_systems:
        raise InputError(f"`sizes` must be from 2 to {n_systems} systems; got {list(sizes)}.")
    return chosen


def _draw_pairs(
    rng: np.random.Generator, n_trials: int, n_systems: int, size: int
) -> npt.NDArray[np.bool_]:
    """Draw subsets and say which pairs of systems each of them has (trials x pairs)."""
    order = rng.random((n_trials, n_systems)).argsort(axis=1)
    chosen = np.zeros((n_trials, n_systems), dtype=bool)
    np.put_along_axis(chosen, order[:, :size], True, axis=1)
    first, second = np.triu_indices(n_systems, 1)
    pairs: npt.NDArray[np.bool_] = chosen[:, first] & chosen[:, second]
    return pairs


def _subset_scores(values: FloatArray, pairs: npt.NDArray[np.bool_], size: int) -> FloatArray:
    """Average the terms of each subset (meta-metrics x trials x metrics)."""
    sums: FloatArray = pairs.astype(np.float64) @ np.swapaxes(values, 1, 2)
    return sums / comb(size, 2)


def _correlations(scores: FloatArray, whole: FloatArray) -> FloatArray:
    """Correlate over metrics (meta-metrics x trials); NaN where the scores are constant."""
    one = scores - scores.mean(axis=2, keepdims=True)
    other = (whole - whole.mean(axis=1, keepdims=True))[:, None, :]
    lengths = np.sqrt((one * one).sum(axis=2) * (other * other).sum(axis=2))
    constant = np.minimum(one.std(axis=2), other.std(axis=2)) <= _CONSTANT
    products = (one * other).sum(axis=2)
    return np.where(constant, np.nan, products / np.where(constant, 1.0, lengths))
