"""Is the difference in precision, recall, F1 or accuracy real? Exact paired permutation tests.

The null hypothesis is that the two systems' counts of an item are exchangeable: every choice of
items to swap is equally likely. All four measures are hits / (hits + errors) of sums over items
(F1 counts hits twice), and a swap leaves the two systems' joint sums as they are. So the state is
the pair (hits, errors) of one system; where the errors follow from the hits, as in recall with
equal gold counts or accuracy with equal totals, it is a single number.

Exact engines, all with the same answer; ``method="exact"`` takes the fastest that fits:

- "lattice": one-dimensional, as in `paired_permutation_test`, where the state is one number.
- "dp": the law of all states, one item at a time (Zmigrod et al. 2022, Algorithm 5, in two
  dimensions instead of four). Fastest for small data: N = 30 takes 1 ms.
- "fourier": tilted Fourier inversion of the tail alone (`plane_fourier`). N = 1,000 and
  N = 10,000 with counts to 5 take some 40 and 60 ms and 12 MB; the relative error is about 1e-13,
  also for p-values far too small for a float.
- "enumerate": all 2^n swaps, for a few items with large counts.
"""

import math
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import TypedDict

from sigcore.errors import InputError, MemoryLimitError
from sigcore.grid import IntArray
from sigcore.permutation.montecarlo import Draws, exact_interval
from sigcore.permutation.plane_engines import (
    Problem,
    dp_tail,
    enumerate_tail,
    exact_tail,
    sample,
)
from sigcore.permutation.plane_event import RatioEvent, ratio
from sigcore.permutation.plane_fourier import fourier_tail
from sigcore.permutation.plane_walk import make_walk
from sigcore.permutation.prf_counts import MEASURES, Counts, paired_counts
from sigcore.permutation.tail import ScaledTail, Tail
from sigcore.seeding import generator
from sigcore.validation import as_choice, as_count, as_limit

__all__ = ["PrfPermutationResult", "prf_permutation_test"]

# A Fourier inversion with a larger relative error is refused.
_TOLERABLE = 1e-3
_METHODS = ("auto", "exact", "dp", "fourier", "enumerate", "monte-carlo")


@dataclass(frozen=True, slots=True)
class PrfPermutationResult:
    """Result of `prf_permutation_test`.

    Attributes
    ----------
    measure : {"f1", "precision", "recall", "accuracy"}
        What was compared.
    statistic : float
        `value_a` - `value_b`.
    value_a, value_b : float
        The measure of each system over all items; 0 where it is 0/0.
    pvalue : float
        Probability, under random swaps, of a difference at least as extreme.
    log_pvalue : float
        Its natural logarithm, right also where `pvalue` is too small for a float.
    alternative : {"two-sided", "greater", "less"}
        What counts as extreme.
    ties : {"ge", "mid"}
        Whether differences equal to the observed one count in full or half.
    method : str
        How the p-value was found: "lattice", "count", "dp", "fourier", "enumerate", "identical"
        (no item differs) or "monte-carlo".
    n : int
        Number of items.
    n_nonzero : int
        Number of items on which the systems differ in the counts that matter.
    error_bound : float
        Error of `pvalue`, relative to it: for exact methods all mass left out, and rounding; for
        Monte Carlo half the width of the interval.
    certified : bool
        True if `error_bound` is a bound, False if it is an estimate.
    interval : tuple of float or None
        95 % Clopper-Pearson interval of a Monte Carlo p-value.
    n_resamples, seed : int or None
        For Monte Carlo.
    """

    measure: str
    statistic: float
    value_a: float
    value_b: float
    pvalue: float
    log_pvalue: float
    alternative: str
    ties: str
    method: str
    n: int
    n_nonzero: int
    error_bound: float
    certified: bool
    interval: tuple[float, float] | None = None
    n_resamples: int | None = None
    seed: int | None = None

    def to_record(self) -> dict[str, object]:
        """Return a flat dict for tables."""
        record: dict[str, object] = asdict(self)
        del record["interval"]
        low, high = self.interval or (None, None)
        return record | {"interval_low": low, "interval_high": high}


def prf_permutation_test(
    a: Counts,
    b: Counts,
    *,
    measure: str = "f1",
    alternative: str = "two-sided",
    method: str = "auto",
    ties: str = "ge",
    n_resamples: int = 10_000,
    seed: int = 0,
    max_memory: float = 4e9,
) -> PrfPermutationResult:
    """Test whether two systems differ in precision, recall, F1 or accuracy.

    Parameters
    ----------
    a, b : array_like of int, shape (n, 3), or mapping of str to vectors
        Counts of each item (sentence, document) for the two systems, in columns tp, fp, fn. A
        mapping or data frame holds the columns the measure needs by name. For "f1", two columns
        tp, fp + fn will do. For "accuracy" there are two columns, correct and total.
    measure : {"f1", "precision", "recall", "accuracy"}
        Micro-averaged measure: of the sums over all items.
    alternative : {"two-sided", "greater", "less"}
        "greater": A is better than B. "two-sided" compares absolute differences.
    method : {"auto", "exact", "dp", "fourier", "enumerate", "monte-carlo"}
        "exact" takes the fastest exact engine and refuses what does not fit in `max_memory`;
        "auto" then samples instead. The result says what was done. "fourier" is made for many
        items; for a few with large counts it may be refused, or be good to a few digits only, as
        its error bound then says.
    ties : {"ge", "mid"}
        Whether differences equal to the observed one count in full or half (mid-p).
    n_resamples, seed : int
        Number of random swaps and seed, for Monte Carlo.
    max_memory : float
        Bytes that may be used; estimated before anything large is built.

    Returns
    -------
    PrfPermutationResult

    Raises
    ------
    InputError
        If counts are negative, not whole, not finite or do not pair up.
    MemoryLimitError
        If an exact method would need more than `max_memory`.

    Notes
    -----
    With X and Y the hits and errors of A, and the joint sums fixed, the p-value is the
    probability that ratio(X, Y) - ratio(joint - X, joint - Y) is at least as extreme as observed.
    A measure that is 0/0 is 0, as in the authors' code. Differences are compared as fractions of
    integers, so ties are exact. Items on which both systems have the same counts never move the
    sums but are part of them. Monte Carlo estimates p by (count + 1) / (`n_resamples` + 1).

    References
    ----------
    Zmigrod, Vieira and Cotterell (2022). Exact paired-permutation testing for structured test
    statistics. NAACL. Appendix B.

    Examples
    --------
    The example of the authors' code, with columns tp and incorrect:

    >>> a = [[8, 2], [3, 3], [7, 1]]
    >>> b = [[6, 1], [5, 2], [7, 1]]
    >>> prf_permutation_test(a, b, measure="f1").pvalue
    0.5
    """
    as_choice(measure, "measure", tuple(MEASURES))
    as_choice(alternative, "alternative", ("two-sided", "greater", "less"))
    as_choice(method, "method", _METHODS)
    as_choice(ties, "ties", ("ge", "mid"))
    as_count(n_resamples, "n_resamples", minimum=1)
    max_memory = as_limit(max_memory, "max_memory")
    rng = generator(seed, "prf_permutation_test")
    counts_a, counts_b = paired_counts(a, b, measure)
    value_a, value_b, problem = _problem(counts_a, counts_b, 2 if measure == "f1" else 1)
    common = _Common(
        measure=measure,
        statistic=float(value_a - value_b),
        value_a=float(value_a),
        value_b=float(value_b),
        alternative=alternative,
        ties=ties,
        n=len(counts_a),
        n_nonzero=problem.n_items,
    )
    if method != "monte-carlo":
        try:
            return _exact_result(common, _tail(problem, method, max_memory), problem.sign)
        except MemoryLimitError:
            if method != "auto":
                raise
    draws = sample(problem, alternative=alternative, n_resamples=n_resamples, rng=rng)
    return _sampled_result(common, draws, seed)


class _Common(TypedDict):
    """What all methods report."""

    measure: str
    statistic: float
    value_a: float
    value_b: float
    alternative: str
    ties: str
    n: int
    n_nonzero: int


def _problem(a: IntArray, b: IntArray, weight: int) -> tuple[Fraction, Fraction, Problem]:
    """Return both values of the measure, and what is to be computed."""
    (hits_a, errors_a), (hits_b, errors_b) = a.sum(axis=0).tolist(), b.sum(axis=0).tolist()
    value_a, value_b = ratio(hits_a, errors_a, weight), ratio(hits_b, errors_b, weight)
    event = RatioEvent(
        hits=hits_a + hits_b,
        errors=errors_a + errors_b,
        threshold=abs(value_a - value_b),
        hit_weight=weight,
    )
    sign = (value_a > value_b) - (value_a < value_b)
    return value_a, value_b, Problem(make_walk(a, b), event, sign)


def _tail(problem: Problem, method: str, max_memory: float) -> ScaledTail:
    if method == "enumerate":
        return enumerate_tail(problem)
    if problem.n_items and method == "dp":
        return dp_tail(problem, max_memory=max_memory)
    if problem.n_items and method == "fourier":
        return _inverted(problem, max_memory)
    return exact_tail(problem, max_memory=max_memory)


def _inverted(problem: Problem, max_memory: float) -> ScaledTail:
    tail = fourier_tail(problem.event, problem.walk, problem.start, max_memory=max_memory)
    if tail.error > _TOLERABLE:
        raise InputError(
            f'`method` "fourier" is not accurate for these counts of {problem.n_items} items; '
            '`method` "exact" takes another way.'
        )
    return tail


def _exact_result(common: _Common, extreme: ScaledTail, sign: int) -> PrfPermutationResult:
    tail = Tail(sign, extreme, extreme.error, extreme.certified, extreme.method, None)
    pvalue, log_pvalue = tail.probability(common["alternative"], common["ties"])
    return PrfPermutationResult(
        **common,
        pvalue=pvalue,
        log_pvalue=log_pvalue,
        method=extreme.method,
        # Mid-p takes half of the point, as uncertain, off a tail at most twice what is left.
        error_bound=extreme.error * (3.0 if common["ties"] == "mid" else 1.0),
        certified=extreme.certified,
    )


def _sampled_result(common: _Common, draws: Draws, seed: int) -> PrfPermutationResult:
    pvalue = draws.pvalue(ties=common["ties"], estimator="plus-one")
    low, high = exact_interval(draws, ties=common["ties"])
    return PrfPermutationResult(
        **common,
        pvalue=pvalue,
        log_pvalue=math.log(pvalue),
        method="monte-carlo",
        error_bound=0.5 * (high - low) / pvalue,
        certified=False,
        interval=(low, high),
        n_resamples=draws.n_drawn,
        seed=seed,
    )
