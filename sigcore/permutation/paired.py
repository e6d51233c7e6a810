"""The paired permutation test of two systems on the same items."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError, MemoryLimitError
from sigcore.permutation.analytic import edgeworth_error, edgeworth_upper
from sigcore.permutation.convolution import MAX_MEMORY, Statistic, exact_permutation_test
from sigcore.permutation.curbing import Numbers
from sigcore.permutation.exact import Tail, enumerate_units, units_tail
from sigcore.permutation.montecarlo import confidence_sequence, draw_sums, exact_interval
from sigcore.permutation.results import PermutationResult
from sigcore.permutation.sample import Blocks, PairedSample, paired_sample
from sigcore.permutation.units import as_numbers
from sigcore.seeding import generator
from sigcore.validation import as_choice, as_count, as_probability

__all__ = ["paired_permutation_test"]

_METHODS = ("auto", "exact", "enumerate", "fft", "dp", "analytic", "monte-carlo")
# Chance that a Monte Carlo run which stopped early decided wrongly.
_RISK = 1e-3


def paired_permutation_test(
    u: npt.ArrayLike,
    v: npt.ArrayLike,
    *,
    alternative: str = "two-sided",
    method: str = "auto",
    ties: str = "ge",
    blocks: Blocks | None = None,
    delta: float = 0.0,
    n_resamples: int = 10_000,
    seed: int = 0,
    estimator: str = "plus-one",
    stop_when_decided: float | None = None,
    max_memory: float = MAX_MEMORY,
) -> PermutationResult:
    """Test whether two systems differ, by swapping their results on each item.

    Parameters
    ----------
    u, v : array_like
        Scores of the two systems on the same items, larger is better: counts, scores on a grid or
        real values.
    alternative : {"two-sided", "greater", "less"}
        "greater": u is better than v.
    method : {"auto", "exact", "enumerate", "fft", "dp", "analytic", "monte-carlo"}
        "exact" (and "auto") inverts the tilted characteristic function for integers and scores on
        a grid, enumerates a few real values and inverts many numerically. "fft" and "dp" are the
        convolutions of Zmigrod et al. (2022) for integers. "analytic" is the normal tail with a
        fourth-cumulant term, for many items of like size; its error is an estimate, exceeded
        now and then for fewer than about 15 items. "monte-carlo" draws swaps.
    ties : {"ge", "mid"}
        Count results equal to the observed one in full, or half (the mid-p-value). With "mid"
        the p-values of "greater" and "less" add up to 1.
    blocks : sequence, optional
        A label an item; items of one label, say the sentences of a document, swap together.
    delta : float
        Mean of u - v under the null hypothesis.
    n_resamples, seed, estimator
        For Monte Carlo: number of draws, seed, and whether the observed result counts as one of
        them ("plus-one", a valid p-value) or not ("plain").
    stop_when_decided : float, optional
        For Monte Carlo: stop as soon as it is decided whether the p-value (with ties in full) lies
        above or below this level, with a chance of at most 0.001 to be wrong. The interval is then
        a confidence sequence, which allows for stopping.
    max_memory : float
        For "fft" and "dp": refuse to start if more bytes than this would be needed.

    Returns
    -------
    PermutationResult
        p-value, its logarithm, how it was found and how far it can be trusted.

    Notes
    -----
    Let d = u - v - delta, summed within blocks, and S = sum of e_i d_i with fair signs e_i. The
    p-value is P(S >= s) for "greater", P(S <= s) for "less" and P(abs(S) >= abs(s)) otherwise,
    s the observed sum. With "mid", half the probability of equality is left out. The two-sided one
    is twice the smaller tail unless s = 0, where it is 1. Exact methods never add one.

    Differences that all lie on a grid, up to the rounding errors of floats, count as its multiples:
    25.2 - 25.1 is 0.1. Whole numbers of any size are exact, and no score of up to 15 digits is lost
    beside a larger one: 2e20 - 3 is not 2e20. Off a grid, sums that rounding errors alone may part
    count as tied; if that is in doubt, it is part of `error_bound`.

    References
    ----------
    Zmigrod, Vieira & Cotterell (2022), Exact Paired-Permutation Testing for Structured Test
    Statistics. NAACL.

    Examples
    --------
    >>> result = paired_permutation_test([8, 3, 7], [6, 5, 7])
    >>> result.pvalue, result.method
    (1.0, 'count')
    """
    as_choice(alternative, "alternative", ("two-sided", "greater", "less"))
    as_choice(method, "method", _METHODS)
    as_choice(ties, "ties", ("ge", "mid"))
    test = _Test(paired_sample(u, v, blocks=blocks, delta=delta), alternative, ties)
    if method in ("auto", "exact"):
        return _exact(test)
    if method == "enumerate":
        return _from_tail(test, enumerate_units(test.sample.units), test.grid_step)
    if method == "analytic":
        return _analytic(test)
    if method == "monte-carlo":
        as_choice(estimator, "estimator", ("plus-one", "plain"))
        as_count(n_resamples, "n_resamples", minimum=1)
        return _monte_carlo(test, n_resamples, seed, estimator, stop_when_decided)
    for name, scores in (("u", u), ("v", v), ("delta", [delta])):
        _require_whole(as_numbers(scores, name), name, method)
    return _convolution(test, method, max_memory)


@dataclass(frozen=True, slots=True)
class _Test:
    """A sample and the question asked of it."""

    sample: PairedSample
    alternative: str
    ties: str

    @property
    def units(self) -> Numbers:
        """Numbers whose signed sums are compared."""
        return self.sample.units.values

    @property
    def grid_step(self) -> float | None:
        """Largest step that all differences are multiples of, if there is one."""
        step = self.sample.units.step
        return None if step is None else step * (int(np.gcd.reduce(self.units)) or 1)

    def result(
        self,
        pvalue: float,
        log_pvalue: float,
        *,
        method: str,
        grid_step: float | None,
        error_bound: float,
        certified: bool,
        interval: tuple[float, float] | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        estimator: str | None = None,
    ) -> PermutationResult:
        sample = self.sample
        return PermutationResult(
            statistic=sample.mean,
            pvalue=pvalue,
            log_pvalue=log_pvalue,
            method=method,
            alternative=self.alternative,
            ties=self.ties,
            n=sample.n,
            n_blocks=sample.n_blocks,
            n_nonzero=int(np.count_nonzero(self.units)),
            delta=sample.delta,
            grid_step=grid_step,
            error_bound=error_bound,
            certified=certified,
            interval=interval,
            n_resamples=n_resamples,
            seed=seed,
            estimator=estimator,
            units=sample.law[0],
            unit_step=sample.law[1],
        )


def _exact(test: _Test) -> PermutationResult:
    tail = units_tail(test.sample.units)
    return _from_tail(test, tail, tail.grid_step)


def _from_tail(test: _Test, tail: Tail, grid_step: float | None) -> PermutationResult:
    pvalue, log_pvalue = tail.probability(test.alternative, test.ties)
    # A mid-p-value is at least half the tail and adds half the error of the point to its own.
    factor = 3.0 if test.ties == "mid" else 1.0
    return test.result(
        pvalue,
        log_pvalue,
        method=tail.method,
        grid_step=grid_step,
        error_bound=factor * tail.error_bound,
        certified=tail.certified,
    )


def _convolution(test: _Test, method: str, max_memory: float) -> PermutationResult:
    units = test.units
    if units.dtype.kind != "i":
        raise MemoryLimitError(
            f"method {method!r} has a state for every sum, too many for differences this large; "
            'use method "exact".'
        )
    h: Statistic = {"two-sided": np.abs, "greater": np.positive, "less": np.negative}[
        test.alternative
    ]
    found = exact_permutation_test(units, -units, h, convolve=method, max_memory=max_memory)
    pvalue, error = found.pvalue, found.error_bound
    if test.ties == "mid":
        tied = np.asarray(h(found.support)) == found.statistic
        pvalue, error = pvalue - 0.5 * float(found.pmf[tied].sum()), 3.0 * error
    return test.result(
        pvalue,
        _log(pvalue),
        method=method,
        grid_step=test.grid_step,
        error_bound=error,
        certified=True,
    )


def _analytic(test: _Test) -> PermutationResult:
    """Take the normal tail with its fourth-cumulant term, and `edgeworth_error`."""
    units = test.units.astype(np.float64)
    # On the scale of the largest difference no power overflows.
    scale = float(np.abs(units).max()) or 1.0
    units /= scale
    powers = [float((units**power).sum()) for power in (2, 4, 6)]
    # Whole numbers are added up before they are scaled: a sum of 0 stays 0.
    observed = float(test.units.sum()) / scale
    common = float(np.gcd.reduce(test.units)) if test.units.dtype.kind != "f" else 0.0

    def upper(s: float, ties: str) -> float:
        return float(edgeworth_upper(s, *powers[:2], spacing=2.0 * common / scale, ties=ties))

    if test.alternative != "two-sided":
        pvalue = upper(observed if test.alternative == "greater" else -observed, test.ties)
    elif observed != 0.0:
        pvalue = min(1.0, 2.0 * upper(abs(observed), test.ties))
    else:
        # P(S >= 0) is 1/2 and half the probability of S = 0, which "mid" leaves out.
        pvalue = 1.0 if test.ties == "ge" else 1.5 - upper(0.0, "ge")
    error = edgeworth_error(observed, *powers) * (2.0 if test.alternative == "two-sided" else 1.0)
    return test.result(
        pvalue,
        _log(pvalue),
        method="analytic",
        grid_step=test.grid_step,
        error_bound=error / pvalue if pvalue > 0.0 else math.inf,
        certified=False,
    )


def _monte_carlo(
    test: _Test, n_resamples: int, seed: int, estimator: str, level: float | None
) -> PermutationResult:
    if level is not None:
        as_probability(level, "stop_when_decided")
    draws = draw_sums(
        test.units,
        alternative=test.alternative,
        n_resamples=n_resamples,
        rng=generator(seed, "paired-permutation-test"),
        alpha=level,
        risk=_RISK,
    )
    pvalue = draws.pvalue(ties=test.ties, estimator=estimator)
    interval = (
        exact_interval(draws, ties=test.ties)
        if level is None
        else confidence_sequence(draws, ties=test.ties, risk=_RISK)
    )
    return test.result(
        pvalue,
        _log(pvalue),
        method="monte-carlo",
        grid_step=test.grid_step,
        error_bound=0.5 * (interval[1] - interval[0]) / pvalue if pvalue > 0.0 else math.inf,
        certified=False,
        interval=interval,
        n_resamples=draws.n_drawn,
        seed=seed,
        estimator=estimator,
    )


def _require_whole(array: Numbers, name: str, method: str) -> None:
    if array.dtype.kind != "f":
        return
    off = np.flatnonzero(array != np.rint(array))
    if off.size:
        raise InputError(
            f"`{name}` must contain whole numbers for method {method!r}; found "
            f'{array[off[0]]} at index {off[0]}. Method "exact" takes scores on any grid.'
        )


def _log(pvalue: float) -> float:
    return math.log(pvalue) if pvalue > 0.0 else -math.inf
