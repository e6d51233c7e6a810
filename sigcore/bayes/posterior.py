"""Posterior distributions of precision, recall and F1 from the folds of a cross-validation.

All three are a beta variable Z or an increasing function of one. Precision is Z with
Beta(TP + l, FP + l), recall is Z with Beta(TP + l, FN + l), and F1 = 2 Z / (1 + Z) with
Z ~ Beta(TP + l, FP + FN + 2 l), where TP, FP, FN are the effective counts and l is the prior.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, betaincc, betainccinv, betaincinv, betaln, xlogy

from sigcore.bayes.folds import EffectiveCounts, FoldCounts, effective_counts
from sigcore.bayes.quadrature import beta_nodes
from sigcore.errors import InputError
from sigcore.validation import as_choice, as_number, as_probability

__all__ = [
    "MEASURES",
    "PRIOR_RANGE",
    "Posterior",
    "fold_posterior",
    "mean_count_posterior",
    "measure_of_counts",
    "posterior_of_counts",
]

MEASURES = ("precision", "recall", "f1")
# Inside it P(H0) is exact to 1e-9; further out squares of parameters leave the range of floats, and
# quantiles lose their digits.
PRIOR_RANGE = (1e-100, 1e12)

FloatArray = npt.NDArray[np.float64]
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Posterior:
    """Posterior distribution of one measure of one model.

    Attributes
    ----------
    measure : {"precision", "recall", "f1"}
        What is distributed.
    a, b : float
        Parameters of the beta variable Z: the measure is Z, or 2 Z / (1 + Z) for F1.

    Notes
    -----
    Equations 25 and 26 of Wang & Li (2019) print the exponents of a beta density without their
    -1, and equations 7 and 27 print 2a for 2 to the power a; neither integrates to 1. The
    densities here are the ones meant.
    """

    measure: str
    a: float
    b: float

    @property
    def mean(self) -> float:
        """Expected value; by quadrature for F1, which has no closed form."""
        if self.measure != "f1":
            return self.a / (self.a + self.b)
        return self._f1_moments()[0]

    @property
    def sd(self) -> float:
        """Standard deviation."""
        total = self.a + self.b
        if self.measure != "f1":
            return float(np.sqrt(self.a / total * (self.b / total) / (total + 1)))
        return self._f1_moments()[1]

    @property
    def mode(self) -> float:
        """Most probable value; NaN where the density is flat or has a peak at either end."""
        a, b = self.a, self.b
        if max(a, b) < 1 or (a == b == 1 and self.measure != "f1"):
            return float("nan")
        if min(a, b) < 1:
            return float(a > b)
        return _f1_mode(a, b) if self.measure == "f1" else (a - 1) / (a + b - 2)

    def density(self, values: npt.ArrayLike) -> FloatArray:
        """Return the probability density at `values` between 0 and 1."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.exp(self._log_density(_as_unit(values))))

    def cdf(self, values: npt.ArrayLike) -> FloatArray:
        """Return the probability of a value of at most `values`."""
        array = _as_unit(values)
        return self.tails(array, 1 - array)[0]

    def quantile(self, probability: npt.ArrayLike) -> FloatArray:
        """Return the values below which the measure lies with the given `probability`."""
        p = _as_unit(probability, "probability")
        z = np.where(p < 0.5, betaincinv(self.a, self.b, p), betainccinv(self.a, self.b, 1 - p))
        return self.from_beta(z, 1 - z)[0]

    def equal_tailed_interval(self, credibility: float = 0.95) -> Interval:
        """Return the credible interval with equal probabilities below and above it.

        For F1 it is equation 30: the reversed quantiles of the beta-prime variable.
        """
        tail = (1 - as_probability(credibility, "credibility")) / 2
        return self._between(tail, tail)

    def highest_density_interval(self, credibility: float = 0.95) -> Interval:
        """Return the credible interval inside which every value is more probable than outside.

        Where the density is flat it is the equal-tailed interval; where it has no peak inside,
        the interval begins at the end with the higher density.
        """
        outside = 1 - as_probability(credibility, "credibility")
        if self.measure != "f1" and self.a == self.b == 1:
            return self.equal_tailed_interval(credibility)
        low, high = 0.0, outside
        # The lower end has the lower density as long as the tail below is too small.
        while high - low > 1e-15:
            middle = (low + high) / 2
            if middle in (low, high):
                break
            ends = self._between(middle, outside - middle)
            if ends[0] == ends[1]:  # all of it is at one end, as far as floats can tell
                return ends
            with np.errstate(divide="ignore"):
                at_lower, at_upper = self._log_density(np.array(ends))
            low, high = (middle, high) if at_lower < at_upper else (low, middle)
        return self._between(low, outside - low)

    def tails(self, values: FloatArray, complement: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the probabilities below and above values given with their complements to 1.

        Neither is computed as 1 minus the other, so both keep their digits in the far tails.
        """
        z, rest = self.to_beta(values, complement)
        a, b = self.a, self.b
        below = np.where(z < 0.5, betainc(a, b, z), betaincc(b, a, rest))
        above = np.where(z < 0.5, betaincc(a, b, z), betainc(b, a, rest))
        return below, above

    def from_beta(self, z: FloatArray, complement: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Turn values of Z and 1 - Z into values of the measure and 1 minus the measure."""
        if self.measure != "f1":
            return z, complement
        return 2 * z / (1 + z), complement / (1 + z)

    def to_beta(self, values: FloatArray, complement: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Turn values of the measure and 1 minus the measure into Z and 1 - Z."""
        if self.measure != "f1":
            return values, complement
        return values / (1 + complement), 2 * complement / (1 + complement)

    def _between(self, below: float, above: float) -> Interval:
        """Return the interval with given probabilities below and above it."""
        lower = betaincinv(self.a, self.b, below)
        upper = betainccinv(self.a, self.b, above)
        ends, _ = self.from_beta(np.array([lower, upper]), np.array([1 - lower, 1 - upper]))
        return float(ends[0]), float(ends[1])

    def _log_density(self, values: FloatArray) -> FloatArray:
        a, b = self.a, self.b
        log_density = xlogy(b - 1, 1 - values) + xlogy(a - 1, values) - betaln(a, b)
        if self.measure == "f1":
            log_density = log_density + b * np.log(2) - (a + b) * np.log(2 - values)
        return np.asarray(log_density)

    def _f1_moments(self) -> tuple[float, float]:
        nodes = beta_nodes(self.a, self.b)
        f1, _ = self.from_beta(nodes.z, nodes.complement)
        mean = float(nodes.weight @ f1)
        return mean, float(np.sqrt(nodes.weight @ (f1 - mean) ** 2))


def fold_posterior(
    folds: FoldCounts | npt.ArrayLike,
    *,
    measure: str = "f1",
    prior: float = 1.0,
    rho1: float | None = None,
    rho2: float | None = None,
) -> Posterior:
    """Return the posterior of a measure given the folds of an m x 2 cross-validation.

    Parameters
    ----------
    folds : FoldCounts or array_like, shape (m, 2, 3)
        TP, FP and FN of each repetition and fold.
    measure : {"f1", "precision", "recall"}
        The measure.
    prior : float
        Both parameters of the beta prior of precision and of recall, lambda, from 1e-100 to
        1e12; 1 is flat.
    rho1, rho2 : float, optional
        Correlations of the folds, see `effective_weight`; by default the weight is averaged over
        their published ranges.

    Returns
    -------
    Posterior

    References
    ----------
    Wang, R. and Li, J. (2019). Bayes test of precision, recall, and F1 measure for comparison of
    two natural language processing models. ACL, 4135-4145; equations 22 to 27.
    """
    counts = effective_counts(folds, rho1=rho1, rho2=rho2)
    return posterior_of_counts(counts, measure=measure, prior=prior)


def mean_count_posterior(
    folds: FoldCounts | npt.ArrayLike, *, measure: str = "f1", prior: float = 1.0
) -> Posterior:
    """Return the older posterior, from the mean of the counts over the folds.

    It ignores what the repetitions add (rho1 = rho2 = 1), so its intervals are too wide.

    References
    ----------
    Wang, Y., Li, J., Li, Y., Wang, R. and Yang, X. (2015). Confidence interval for F1 measure of
    algorithm performance based on blocked 3 x 2 cross-validation. IEEE TKDE 27(3), 651-659.
    """
    return fold_posterior(folds, measure=measure, prior=prior, rho1=1.0, rho2=1.0)


def posterior_of_counts(
    counts: EffectiveCounts, *, measure: str = "f1", prior: float = 1.0
) -> Posterior:
    """Return the posterior of a measure given effective counts."""
    as_choice(measure, "measure", MEASURES)
    smallest, largest = PRIOR_RANGE
    weight = as_number(prior, "prior")
    if not smallest <= weight <= largest:
        raise InputError(f"`prior` must be from {smallest:g} to {largest:g}; got {prior}.")
    a = counts.true_positives + weight
    if measure == "precision":
        return Posterior(measure, a, counts.false_positives + weight)
    if measure == "recall":
        return Posterior(measure, a, counts.false_negatives + weight)
    return Posterior(measure, a, counts.false_positives + counts.false_negatives + 2 * weight)


def measure_of_counts(counts: EffectiveCounts, *, measure: str = "f1") -> float:
    """Return the micro-averaged measure itself (equations 8 to 10); NaN for 0/0."""
    as_choice(measure, "measure", MEASURES)
    wrong = {
        "precision": counts.false_positives,
        "recall": counts.false_negatives,
        "f1": (counts.false_positives + counts.false_negatives) / 2,
    }[measure]
    total = counts.true_positives + wrong
    return counts.true_positives / total if total > 0 else float("nan")


def _f1_mode(a: float, b: float) -> float:
    # The derivative of the log density, (a-1)/f - (b-1)/(1-f) + (a+b)/(2-f), is zero where
    # 2 f^2 + s f - 2 (a-1) = 0 with s = 2a + b - 5. Of the two ways to write the positive root
    # the one without a difference of large numbers is taken.
    s = 2 * a + b - 5
    root = np.sqrt(s * s + 16 * (a - 1))
    return float((root - s) / 4 if s <= 0 else 4 * (a - 1) / (s + root))


def _as_unit(values: npt.ArrayLike, name: str = "values") -> FloatArray:
    array = np.asarray(values, dtype=np.float64)
    if not np.all((array >= 0) & (array <= 1)):
        raise InputError(f"`{name}` must lie between 0 and 1.")
    return array
