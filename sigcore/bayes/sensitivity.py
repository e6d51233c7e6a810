"""How much the Bayes test depends on the unknown correlations of the folds."""

from dataclasses import astuple, dataclass

import numpy as np
import numpy.typing as npt

from sigcore.bayes.difference import HypothesisProbabilities, compare_posteriors
from sigcore.bayes.folds import (
    RHO1_RANGE,
    RHO2_RANGE,
    FoldCounts,
    as_fold_pair,
    effective_weight,
)
from sigcore.bayes.posterior import Interval, fold_posterior
from sigcore.validation import as_count

__all__ = ["SensitivityResult", "sensitivity"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SensitivityResult:
    """P(H0) over the range of the correlations of the folds.

    Attributes
    ----------
    rho1, rho2 : ndarray
        Values of the correlations.
    weight : ndarray, shape (len(rho1), len(rho2))
        Weight of the summed counts at each pair of correlations.
    probability_h0, probability_h1, probability_rope : ndarray, same shape
        Probabilities of the hypotheses.
    """

    rho1: FloatArray
    rho2: FloatArray
    weight: FloatArray
    probability_h0: FloatArray
    probability_h1: FloatArray
    probability_rope: FloatArray

    @property
    def range_h0(self) -> Interval:
        """Smallest and largest P(H0)."""
        return float(self.probability_h0.min()), float(self.probability_h0.max())

    @property
    def decisions(self) -> tuple[str, ...]:
        """The decisions that occur, in the order H0, H1, rope."""
        probabilities = (self.probability_h0, self.probability_h1, self.probability_rope)
        cells = np.stack(probabilities, axis=-1).reshape(-1, 3).tolist()
        found = [HypothesisProbabilities(*cell).decision for cell in cells]
        return tuple(name for name in ("H0", "H1", "rope") if name in found)


def sensitivity(
    folds_a: FoldCounts | npt.ArrayLike,
    folds_b: FoldCounts | npt.ArrayLike,
    *,
    measure: str = "f1",
    rope: float = 0.0,
    prior: float = 1.0,
    rho1_range: tuple[float, float] = RHO1_RANGE,
    rho2_range: tuple[float, float] = RHO2_RANGE,
    n_points: int = 6,
) -> SensitivityResult:
    """Compute P(H0) at each pair of correlations on a grid over their ranges.

    Parameters
    ----------
    folds_a, folds_b, measure, rope, prior
        See `bayes_test`.
    rho1_range, rho2_range : tuple of float
        Ranges of the correlations; by default those of the paper, 0 to 1/2 and 1/4 to 1/2.
    n_points : int
        Points of the grid in each direction; the ends of the ranges are among them.

    Returns
    -------
    SensitivityResult
    """
    counts_a, counts_b = as_fold_pair(folds_a, folds_b)
    points = as_count(n_points, "n_points", minimum=2)
    rho1 = np.linspace(*rho1_range, points)
    rho2 = np.linspace(*rho2_range, points)
    weight = np.empty((points, points))
    found = np.empty((3, points, points))
    for i, j in np.ndindex(points, points):
        options = {"rho1": float(rho1[i]), "rho2": float(rho2[j])}
        weight[i, j] = effective_weight(counts_a.n_repetitions, **options)
        posteriors = [
            fold_posterior(counts, measure=measure, prior=prior, **options)
            for counts in (counts_a, counts_b)
        ]
        found[:, i, j] = astuple(compare_posteriors(*posteriors, rope=rope))
    return SensitivityResult(rho1, rho2, weight, *found)
