"""All pairs of systems over several datasets or metrics: how often one beats the other."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sigcore.comparison.pairs import PairsResult
from sigcore.comparison.replicability import COMBINATIONS, replicability
from sigcore.errors import InputError
from sigcore.validation import as_choice, as_probability

__all__ = ["PairReplicability", "replicate_pairs"]


@dataclass(frozen=True, slots=True)
class PairReplicability:
    """On how many datasets each system beats each other.

    Attributes
    ----------
    names : tuple of str
        Systems, in the order of the sum of their ranks, then by name.
    datasets : tuple of str
        Datasets or metrics.
    counts : ndarray of shape (systems, systems)
        Lower bound, at confidence 1 - alpha, of the number of datasets on which the system of the
        row is better than that of the column.
    n_datasets : ndarray of shape (systems, systems)
        Datasets on which the pair was tested.
    alpha : float
        Level of each count.
    combination : {"bonferroni", "fisher"}
        How p-values were combined.
    """

    names: tuple[str, ...]
    datasets: tuple[str, ...]
    counts: npt.NDArray[np.int64]
    n_datasets: npt.NDArray[np.int64]
    alpha: float
    combination: str

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row an ordered pair."""
        size = len(self.names)
        return [
            {
                "better": self.names[i],
                "worse": self.names[j],
                "count": int(self.counts[i, j]),
                "n_datasets": int(self.n_datasets[i, j]),
            }
            for i in range(size)
            for j in range(size)
            if i != j
        ]


def replicate_pairs(
    results: Mapping[str, PairsResult], *, alpha: float = 0.05, combination: str = "bonferroni"
) -> PairReplicability:
    """Count for each pair the datasets on which the first system is better.

    Parameters
    ----------
    results : mapping of dataset to PairsResult
        One-sided results, with alternative "greater": otherwise a win on one dataset and a loss on
        another would count as two effects. Uncorrected p-values are used.
    alpha : float
        Level of each count. Counts of different pairs are not corrected for each other.
    combination : {"bonferroni", "fisher"}
        Datasets and metrics on the same texts are dependent: then use Bonferroni's.

    Returns
    -------
    PairReplicability
        Over all systems of all datasets.
    """
    as_probability(alpha, "alpha")
    as_choice(combination, "combination", COMBINATIONS)
    if not results:
        raise InputError("`results` must have at least one dataset.")
    for dataset, result in results.items():
        if result.alternative != "greater":
            raise InputError(
                f"`results` must be one-sided, alternative 'greater'; {dataset!r} is "
                f"{result.alternative!r}."
            )
    names = _ranked_names(results)
    stacked = _stack(results, names)
    counts = np.zeros((len(names), len(names)), dtype=np.int64)
    for i in range(len(names)):
        for j in range(len(names)):
            if i != j:
                found = replicability(stacked[:, i, j], alpha=alpha, combination=combination)
                counts[i, j] = found.count
    return PairReplicability(
        names=names,
        datasets=tuple(results),
        counts=counts,
        n_datasets=_off_diagonal(np.count_nonzero(~np.isnan(stacked), axis=0)),
        alpha=alpha,
        combination=combination,
    )


def _ranked_names(results: Mapping[str, PairsResult]) -> tuple[str, ...]:
    places: dict[str, list[float]] = {}
    for result in results.values():
        for place, name in enumerate(result.names):
            places.setdefault(name, []).append(place / len(result.names))
    return tuple(sorted(places, key=lambda name: (sum(places[name]) / len(places[name]), name)))


def _stack(results: Mapping[str, PairsResult], names: tuple[str, ...]) -> npt.NDArray[np.float64]:
    """Return p-values (datasets x systems x systems); NaN where a dataset lacks a system."""
    stacked = np.full((len(results), len(names), len(names)), np.nan)
    for index, result in enumerate(results.values()):
        where = [names.index(name) for name in result.names]
        stacked[index][np.ix_(where, where)] = result.pvalues
    return stacked


def _off_diagonal(matrix: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    result = matrix.copy()
    np.fill_diagonal(result, 0)
    return result
