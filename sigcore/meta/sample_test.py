"""PERM-INPUTS on one small sample after another, each test as cheap as it can be.

`sigcore.meta.hybrids` shares its products between many metrics on one set of segments; here there
are two metrics and many sets. Half the products suffice: a hybrid's sums and its complement's lie
symmetrically about the mean of both metrics' sums.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.meta.hybrids import SLACK, power_list
from sigcore.permutation.analytic import edgeworth_in_place
from sigcore.permutation.shared_signs import coin_flips

__all__ = ["SampleTest", "hybrid_differences"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_ROUNDING = 1e-12  # sums below this share of their sizes are rounding errors


@dataclass(frozen=True, slots=True)
class SampleTest:
    """A test whether one of two metrics is better, for samples of systems and segments.

    Attributes
    ----------
    scores : ndarray, shape (3, systems, segments)
        Complete scores of people, of the first and of the second metric.
    meta : {"spa", "pa"}
        Meta-metric.
    alpha : float
        Level, two-sided.
    n_resamples : int
        Draws of each test.
    """

    scores: FloatArray
    meta: str
    alpha: float
    n_resamples: int

    def verdict(self, systems: IntArray, segments: IntArray, rng: np.random.Generator) -> int:
        """Return 1 or -1 if the first or the second metric is better, 0 if that is open."""
        signs = np.ones((self.n_resamples + 1, len(segments)))
        # The first row leaves the metrics as they are, so the observed value is among the draws.
        signs[1:] -= 2.0 * coin_flips(rng, self.n_resamples, len(segments))
        sample = self.scores[:, systems[:, None], segments]
        drawn = hybrid_differences(sample, signs, self.meta)
        n_extreme = np.count_nonzero(np.abs(drawn) >= abs(drawn[0]) - SLACK)
        if n_extreme / (self.n_resamples + 1) > self.alpha:
            return 0
        return 1 if drawn[0] > 0.0 else -1


def hybrid_differences(scores: FloatArray, signs: FloatArray, meta: str) -> FloatArray:
    """Compute the score of a hybrid minus that of its complement, for each row of signs.

    Parameters
    ----------
    scores : ndarray, shape (3, systems, segments)
        Complete scores of people, of the first and of the second metric.
    signs : ndarray of 1.0 and -1.0, shape (draws, segments)
        A hybrid takes the segments with sign 1 from the first metric and the others from the
        second, its complement the other way round.
    meta : {"spa", "pa"}
        Meta-metric.

    Returns
    -------
    ndarray, shape (draws,)
    """
    i, j = np.triu_indices(scores.shape[1], 1)
    people, one, other = scores[0], _standardise(scores[1]), _standardise(scores[2])
    gold = [power.sum(axis=1) for power in power_list(people[i] - people[j])]
    # Each sum over a hybrid is the mean of both metrics' sums, plus or minus a swing.
    powers = list(zip(power_list(one[i] - one[j]), power_list(other[i] - other[j]), strict=True))
    middle = [0.5 * (a + b).sum(axis=1) for a, b in powers]
    by_system = signs @ (0.5 * (one - other)).T
    swing = [by_system[:, i] - by_system[:, j]]
    swing += [signs @ (0.5 * (a - b)).T for a, b in powers[1:]]
    hybrid = [m + s for m, s in zip(middle, swing, strict=True)]
    complement = [m - s for m, s in zip(middle, swing, strict=True)]
    if meta == "spa":
        wanted = _mid_p(gold)
        return _mean_distance(complement, wanted) - _mean_distance(hybrid, wanted)
    order = _signs(gold[0], people)
    agree = [_signs(sums[0], one, other) == order for sums in (hybrid, complement)]
    shares: FloatArray = agree[0].mean(axis=1) - agree[1].mean(axis=1)
    return shares


def _standardise(metric: FloatArray) -> FloatArray:
    centred = metric - metric.mean()
    spread = float(centred.std())
    constant = spread <= _ROUNDING * float(np.abs(metric).max())
    return np.zeros_like(metric) if constant else centred / spread


def _mid_p(sums: Sequence[FloatArray]) -> FloatArray:
    """Turn sums of d, d^2 and d^4, which are overwritten, into p-values of pairs of systems."""
    floor = _ROUNDING * float(sums[1].max(initial=0.0))
    return edgeworth_in_place(sums[0], sums[1], sums[2], floor=floor)


def _mean_distance(sums: Sequence[FloatArray], wanted: FloatArray) -> FloatArray:
    distance: FloatArray = np.abs(_mid_p(sums) - wanted).mean(axis=1)
    return distance


def _signs(sums: FloatArray, *scores: FloatArray) -> FloatArray:
    """Return the signs of sums of differences, 0 where rounding errors alone remain."""
    slack = _ROUNDING * sum(float(np.abs(values).sum()) for values in scores)
    return np.where(np.abs(sums) <= slack, 0.0, np.sign(sums))
