"""The Bayes test of two models on precision, recall or F1 from m x 2 cross-validation."""

from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from sigcore.bayes.difference import compare_posteriors, sample_posteriors
from sigcore.bayes.folds import EffectiveCounts, FoldCounts, as_fold_pair, effective_counts
from sigcore.bayes.inspection import inspect_folds
from sigcore.bayes.posterior import Interval, Posterior, measure_of_counts, posterior_of_counts
from sigcore.validation import as_choice, as_count, as_probability

__all__ = ["MARK", "METHODS", "BayesTestResult", "PosteriorSummary", "bayes_test"]

METHODS = ("quadrature", "monte-carlo")
# Parts flags, and reasons, in a cell of a table; none of them has it.
MARK = " | "


@dataclass(frozen=True, slots=True)
class PosteriorSummary:
    """What is known of one model after its folds.

    Attributes
    ----------
    counts : EffectiveCounts
        TP, FP and FN summed over the folds and weighted.
    estimate : float
        The measure itself from the summed counts (micro-average); NaN for 0/0.
    mean, mode, sd : float
        Of the posterior.
    interval : tuple of float
        Equal-tailed credible interval.
    highest_density_interval : tuple of float
        Credible interval of the most probable values.
    posterior : Posterior
        The distribution itself.
    """

    counts: EffectiveCounts
    estimate: float
    mean: float
    mode: float
    sd: float
    interval: Interval
    highest_density_interval: Interval
    posterior: Posterior


@dataclass(frozen=True, slots=True)
class BayesTestResult:
    """Result of `bayes_test`.

    Attributes
    ----------
    measure : {"f1", "precision", "recall"}
        What was compared.
    model_a, model_b : PosteriorSummary
        The two models.
    probability_h0 : float
        Probability that B - A <= 0; with a region of practical equivalence, that B - A < -rope.
    probability_h1 : float
        Probability that B - A > rope.
    probability_rope : float
        Probability that the difference lies in the region; 0 when `rope` is 0.
    decision : {"H0", "H1", "rope"}
        The most probable hypothesis; H0 when H0 and H1 are equally probable.
    rope : float
        Half-width of the region of practical equivalence.
    credibility : float
        Of the intervals.
    prior : float
        Lambda of the beta priors.
    weight : float
        Weight of the summed counts.
    n_repetitions, n_folds : int
        Repetitions m, and folds 2m.
    method : {"quadrature", "monte-carlo"}
        How the probabilities were computed.
    n_draws : int
        Draws of the Monte Carlo method; 0 for quadrature.
    standard_error : float
        Monte Carlo standard error of `probability_h0`; 0 for quadrature.
    flags : tuple of str
        Where the folds contradict the derivation; empty when nowhere.
    """

    measure: str
    model_a: PosteriorSummary
    model_b: PosteriorSummary
    probability_h0: float
    probability_h1: float
    probability_rope: float
    decision: str
    rope: float
    credibility: float
    prior: float
    weight: float
    n_repetitions: int
    n_folds: int
    method: str
    n_draws: int
    standard_error: float
    flags: tuple[str, ...]

    @property
    def mean_difference(self) -> float:
        """Expected B - A."""
        return self.model_b.mean - self.model_a.mean

    @property
    def sd_difference(self) -> float:
        """Standard deviation of B - A, the models taken as independent."""
        return float(np.hypot(self.model_a.sd, self.model_b.sd))

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why an estimate or a mode is NaN, a sentence each; empty when none is."""
        pairs = (("A", self.model_a), ("B", self.model_b))
        return tuple(reason for label, model in pairs for reason in _reasons(label, model))

    def to_record(self) -> dict[str, object]:
        """Return a flat dict for tables; fields of the models end in ``_a`` and ``_b``."""
        record: dict[str, object] = {
            "measure": self.measure,
            "probability_h0": self.probability_h0,
            "probability_h1": self.probability_h1,
            "probability_rope": self.probability_rope,
            "decision": self.decision,
            "mean_difference": self.mean_difference,
            "sd_difference": self.sd_difference,
        }
        for label, model in (("a", self.model_a), ("b", self.model_b)):
            record |= {f"{key}_{label}": value for key, value in _summary_record(model).items()}
        settings = ("rope", "credibility", "prior", "weight", "n_repetitions", "n_folds")
        for key in (*settings, "method", "n_draws", "standard_error"):
            record[key] = getattr(self, key)
        record["flags"] = MARK.join(self.flags)
        record["reasons"] = MARK.join(self.reasons)
        return record


def bayes_test(
    folds_a: FoldCounts | npt.ArrayLike,
    folds_b: FoldCounts | npt.ArrayLike,
    *,
    measure: str = "f1",
    rope: float = 0.0,
    prior: float = 1.0,
    rho1: float | None = None,
    rho2: float | None = None,
    credibility: float = 0.95,
    method: str = "quadrature",
    n_draws: int = 1_000_000,
    seed: int = 0,
) -> BayesTestResult:
    """Compute how probable it is that model B is better than model A.

    Parameters
    ----------
    folds_a, folds_b : FoldCounts or array_like, shape (m, 2, 3)
        TP, FP and FN of the 2m folds of each model; A is the baseline. The paper has m = 3.
    measure : {"f1", "precision", "recall"}
        What to compare.
    rope : float
        Half-width of a region of practical equivalence: differences no larger than this count as
        none.
    prior : float
        Lambda of the beta priors, from 1e-100 to 1e12; 1 is flat.
    rho1, rho2 : float, optional
        Correlations of folds within and between repetitions. By default the weight of the counts
        is averaged over their published ranges (0.3688 for m = 3).
    credibility : float
        Of the credible intervals.
    method : {"quadrature", "monte-carlo"}
        Exact to 1e-9, or the paper's simulation.
    n_draws, seed : int
        Draws and seed of the simulation.

    Returns
    -------
    BayesTestResult

    Notes
    -----
    H0 is B - A <= 0 and H1 is B - A > 0. H0 is accepted iff P(H0) >= P(H1). The posteriors of the
    two models are taken as independent, although both learn from and are validated on the same
    folds; this makes the test conservative when their errors are positively correlated.

    References
    ----------
    Wang, R. and Li, J. (2019). Bayes test of precision, recall, and F1 measure for comparison of
    two natural language processing models. ACL, 4135-4145.

    Examples
    --------
    Named entities of CoNLL-2003, IOB2 against IOBES; Table 4 has P(H0) = 0.300 for F1.

    >>> gold = [[11629, 11870], [11718, 11781], [11684, 11815]]
    >>> iob2 = FoldCounts.from_chunks(
    ...     gold,
    ...     [[11322, 11428], [11370, 11402], [11264, 11494]],
    ...     [[10297, 10423], [10333, 10347], [10276, 10424]],
    ... )
    >>> iobes = FoldCounts.from_chunks(
    ...     gold,
    ...     [[11329, 11440], [11357, 11386], [11269, 11481]],
    ...     [[10326, 10429], [10354, 10339], [10270, 10447]],
    ... )
    >>> result = bayes_test(iob2, iobes, measure="f1")
    >>> round(result.probability_h0, 3), result.decision
    (0.3, 'H1')
    """
    counts_a, counts_b = as_fold_pair(folds_a, folds_b)
    exact = as_choice(method, "method", METHODS) == "quadrature"
    draws = 0 if exact else as_count(n_draws, "n_draws", minimum=1)
    inside = as_probability(credibility, "credibility")
    model_a, model_b = (
        _summarise(effective_counts(counts, rho1=rho1, rho2=rho2), measure, prior, inside)
        for counts in (counts_a, counts_b)
    )
    pair = model_a.posterior, model_b.posterior
    if exact:
        found = compare_posteriors(*pair, rope=rope)
    else:
        found = sample_posteriors(*pair, rope=rope, n_draws=draws, seed=seed)
    return BayesTestResult(
        measure=measure,
        model_a=model_a,
        model_b=model_b,
        probability_h0=found.h0,
        probability_h1=found.h1,
        probability_rope=found.rope,
        decision=found.decision,
        rope=float(rope),
        credibility=inside,
        prior=float(prior),
        weight=model_a.counts.weight,
        n_repetitions=counts_a.n_repetitions,
        n_folds=counts_a.n_folds,
        method=method,
        n_draws=draws,
        standard_error=0.0 if exact else float(np.sqrt(found.h0 * (1 - found.h0) / draws)),
        flags=inspect_folds(counts_a, counts_b),
    )


def _summarise(
    counts: EffectiveCounts, measure: str, prior: float, credibility: float
) -> PosteriorSummary:
    posterior = posterior_of_counts(counts, measure=measure, prior=prior)
    return PosteriorSummary(
        counts=counts,
        estimate=measure_of_counts(counts, measure=measure),
        mean=posterior.mean,
        mode=posterior.mode,
        sd=posterior.sd,
        interval=posterior.equal_tailed_interval(credibility),
        highest_density_interval=posterior.highest_density_interval(credibility),
        posterior=posterior,
    )


def _reasons(label: str, model: PosteriorSummary) -> list[str]:
    posterior, found = model.posterior, []
    if np.isnan(model.estimate):
        counts = {"precision": "TP and FP", "recall": "TP and FN", "f1": "TP, FP and FN"}
        found.append(
            f"estimate of model {label}: 0/0, {counts[posterior.measure]} are 0 in all folds; its "
            "posterior is the prior"
        )
    if np.isnan(model.mode):
        flat = posterior.a == posterior.b == 1
        shape = "the density is flat" if flat else "the density is infinite at both ends"
        found.append(f"mode of model {label}: {shape}")
    return found


def _summary_record(model: PosteriorSummary) -> dict[str, float]:
    record = {key: float(value) for key, value in asdict(model.counts).items() if key != "weight"}
    record |= {key: getattr(model, key) for key in ("estimate", "mean", "mode", "sd")}
    record["lower"], record["upper"] = model.interval
    record["hpd_lower"], record["hpd_upper"] = model.highest_density_interval
    return record
