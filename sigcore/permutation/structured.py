"""Exact paired permutation test for any function of several additive integer functions.

Zmigrod, Vieira and Cotterell (2022), Algorithm 5: the statistic is h of m sums over items, and an
item contributes one m-tuple if it stays and another if its two systems are swapped. The sums are
convolved exactly on the states that can occur. Their number, not 2^n, sets the cost; functions
that follow from others (a swap keeps the two systems' joint sums) do not add to it.

For precision, recall, F1 and accuracy use `prf_permutation_test`, which knows their shape and is
faster by orders of magnitude.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TypedDict

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError, MemoryLimitError
from sigcore.grid import IntArray
from sigcore.permutation.montecarlo import Draws, exact_interval
from sigcore.permutation.plane_walk import group_moves, is_backward
from sigcore.permutation.statespace import joint_law
from sigcore.seeding import generator
from sigcore.validation import FloatArray, as_choice, as_count, as_limit, as_number

__all__ = ["Statistic", "StructuredPermutationResult", "structured_permutation_test"]

Statistic = Callable[[IntArray], npt.ArrayLike]

_EPSILON = float(np.finfo(np.float64).eps)
_CHUNK = 1 << 20
# Sums beyond this are not exact as floats.
_LARGEST_SUM = 2.0**52


@dataclass(frozen=True, slots=True)
class StructuredPermutationResult:
    """Result of `structured_permutation_test`.

    Attributes
    ----------
    statistic : float
        h of the observed sums.
    pvalue : float
        Probability, under random swaps, of a statistic at least as large.
    ties : {"ge", "mid"}
        Whether statistics equal to the observed one count in full or half.
    tolerance : float
        Statistics this close to the observed one are equal to it.
    method : {"dense", "sparse", "monte-carlo"}
        Convolution on a box of states, on a list of states, or sampling.
    n : int
        Number of items.
    n_nonzero : int
        Number of items for which a swap changes a sum.
    error_bound : float
        Error of `pvalue`, relative to it: for exact methods a bound on rounding, as nothing is
        left out; for Monte Carlo half the width of the interval.
    certified : bool
        True if `error_bound` is a bound, False if it is an estimate.
    n_states : int or None
        Number of states that can occur; None for Monte Carlo.
    interval : tuple of float or None
        95 % Clopper-Pearson interval of a Monte Carlo p-value.
    n_resamples, seed : int or None
        For Monte Carlo.
    """

    statistic: float
    pvalue: float
    ties: str
    tolerance: float
    method: str
    n: int
    n_nonzero: int
    error_bound: float
    certified: bool
    n_states: int | None = None
    interval: tuple[float, float] | None = None
    n_resamples: int | None = None
    seed: int | None = None

    def to_record(self) -> dict[str, object]:
        """Return a flat dict for tables."""
        record: dict[str, object] = asdict(self)
        del record["interval"]
        low, high = self.interval or (None, None)
        return record | {"interval_low": low, "interval_high": high}


def structured_permutation_test(
    stay: npt.ArrayLike,
    swap: npt.ArrayLike,
    h: Statistic,
    *,
    method: str = "auto",
    ties: str = "ge",
    tolerance: float = 1e-12,
    n_resamples: int = 10_000,
    seed: int = 0,
    max_memory: float = 4e9,
) -> StructuredPermutationResult:
    """Test a statistic h(sums of m additive functions) by swapping the systems' items.

    Parameters
    ----------
    stay, swap : array_like of int, shape (n, m)
        What each item adds to the m sums as observed, and with the two systems swapped.
    h : callable
        Maps sums of shape (..., m) to statistics of shape (...); larger is more extreme. Take the
        absolute value in it for a two-sided test.
    method : {"auto", "exact", "monte-carlo"}
        "exact" refuses what does not fit in `max_memory`; "auto" then samples instead.
    ties : {"ge", "mid"}
        Whether statistics equal to the observed one count in full or half (mid-p).
    tolerance : float
        Values of h this close, relative to the largest of them, are equal: equal statistics may
        differ in their last digits.
    n_resamples, seed : int
        Number of random swaps and seed, for Monte Carlo.
    max_memory : float
        Bytes that may be used; estimated before anything large is built.

    Returns
    -------
    StructuredPermutationResult

    Raises
    ------
    InputError
        If the effects are not whole numbers of equal shape, or h returns something else than one
        finite number for each state.
    MemoryLimitError
        If the exact test would need more than `max_memory`.

    References
    ----------
    Zmigrod, Vieira and Cotterell (2022). Exact paired-permutation testing for structured test
    statistics. NAACL. Appendix B, Algorithm 5.

    Examples
    --------
    The larger of two differences, as one two-sided test:

    >>> stay = [[2, 1], [1, 0], [1, -1]]
    >>> swap = [[-2, -1], [-1, 0], [-1, 1]]
    >>> structured_permutation_test(stay, swap, lambda s: abs(s).max(axis=-1)).pvalue
    0.25
    """
    as_choice(method, "method", ("auto", "exact", "monte-carlo"))
    as_choice(ties, "ties", ("ge", "mid"))
    as_count(n_resamples, "n_resamples", minimum=1)
    rng = generator(seed, "structured_permutation_test")
    max_memory = as_limit(max_memory, "max_memory")
    if not 0.0 <= as_number(tolerance, "tolerance") < 1.0:
        raise InputError(f"`tolerance` must be at least 0 and below 1; got {tolerance}.")
    effects, swapped = _paired_effects(stay, swap)
    moves = effects - swapped
    moves = moves[np.any(moves != 0, axis=1)]
    observed = effects.sum(axis=0)
    common = _Common(ties=ties, n=len(effects), n_nonzero=len(moves))
    if method != "monte-carlo":
        try:
            return _exact(observed, moves, h, tolerance, max_memory, common)
        except MemoryLimitError:
            if method != "auto":
                raise
    sums = _sample(observed, moves, n_resamples, rng)
    return _sampled(observed, sums, h, tolerance, seed, common)


class _Common(TypedDict):
    """What both methods report."""

    ties: str
    n: int
    n_nonzero: int


def _exact(
    observed: IntArray,
    moves: IntArray,
    h: Statistic,
    tolerance: float,
    max_memory: float,
    common: _Common,
) -> StructuredPermutationResult:
    steps, counts = group_moves(moves)
    states, law, engine = joint_law(steps, counts, max_memory=max_memory)
    statistic, gap, slack = _compare(observed, states + _origin(observed, moves), h, tolerance)
    beyond, tied = float(law[gap > slack].sum()), float(law[np.abs(gap) <= slack].sum())
    return StructuredPermutationResult(
        statistic=statistic,
        pvalue=min(1.0, beyond + (0.5 if common["ties"] == "mid" else 1.0) * tied),
        tolerance=slack,
        method=engine,
        n_states=len(law),
        error_bound=(len(moves) + 64) * _EPSILON,
        certified=True,
        **common,
    )


def _sampled(
    observed: IntArray,
    sums: IntArray,
    h: Statistic,
    tolerance: float,
    seed: int,
    common: _Common,
) -> StructuredPermutationResult:
    statistic, gap, slack = _compare(observed, sums, h, tolerance)
    beyond, tied = np.count_nonzero(gap > slack), np.count_nonzero(np.abs(gap) <= slack)
    draws = Draws(int(beyond), int(tied), len(sums))
    pvalue = draws.pvalue(ties=common["ties"], estimator="plus-one")
    low, high = exact_interval(draws, ties=common["ties"])
    return StructuredPermutationResult(
        statistic=statistic,
        pvalue=pvalue,
        tolerance=slack,
        method="monte-carlo",
        error_bound=0.5 * (high - low) / pvalue,
        certified=False,
        interval=(low, high),
        n_resamples=len(sums),
        seed=seed,
        **common,
    )


def _sample(
    observed: IntArray, moves: IntArray, n_resamples: int, rng: np.random.Generator
) -> IntArray:
    """Draw the sums after random swaps; items with equal moves as one binomial number."""
    steps, counts = group_moves(moves)
    sums = np.empty((n_resamples, len(observed)), dtype=np.int64)
    batch = max(1, _CHUNK // max(1, len(counts)))
    for start in range(0, n_resamples, batch):
        size = (min(batch, n_resamples - start), len(counts))
        sums[start : start + batch] = rng.binomial(counts, 0.5, size) @ steps
    return sums + _origin(observed, moves)


def _origin(observed: IntArray, moves: IntArray) -> IntArray:
    """Return the sums when no step of `group_moves` is taken."""
    forward = np.where(is_backward(moves)[:, None], 0, moves)
    return np.asarray(observed - forward.sum(axis=0), dtype=np.int64)


def _compare(
    observed: IntArray, sums: IntArray, h: Statistic, tolerance: float
) -> tuple[float, FloatArray, float]:
    """Return the observed statistic, the others less that one, and what counts as no difference."""
    statistic = float(_evaluate(h, observed[None, :])[0])
    values = _evaluate(h, sums)
    slack = tolerance * max(abs(statistic), float(np.abs(values).max()))
    return statistic, values - statistic, slack


def _evaluate(h: Statistic, sums: IntArray) -> FloatArray:
    values = np.asarray(h(sums), dtype=np.float64)
    if values.shape != (len(sums),):
        raise InputError(
            f"`h` must return one number for each state, shape ({len(sums)},); "
            f"got shape {values.shape}."
        )
    if not np.all(np.isfinite(values)):
        bad = int(np.argmin(np.isfinite(values)))
        raise InputError(f"`h` must be finite; got {values[bad]} for sums {sums[bad].tolist()}.")
    return values


def _paired_effects(stay: npt.ArrayLike, swap: npt.ArrayLike) -> tuple[IntArray, IntArray]:
    effects, swapped = _whole_numbers(stay, "stay"), _whole_numbers(swap, "swap")
    if effects.shape != swapped.shape:
        raise InputError(
            f"`stay` and `swap` must have one shape; got {effects.shape} and {swapped.shape}."
        )
    return effects, swapped


def _whole_numbers(values: npt.ArrayLike, name: str) -> IntArray:
    array = np.asarray(values)
    if array.ndim != 2 or array.size == 0:
        raise InputError(f"`{name}` must have shape (items, functions); got shape {array.shape}.")
    if array.dtype.kind not in "biuf":
        raise InputError(f"`{name}` must contain whole numbers; got {array.dtype} values.")
    bad = ~((np.abs(array) < _LARGEST_SUM / len(array)) & (array == np.floor(array)))
    if np.any(bad):
        place = tuple(np.argwhere(bad)[0].tolist())
        raise InputError(
            f"`{name}` must contain whole numbers that add up to less than 2^52; "
            f"found {array[place]} at index {place}."
        )
    return array.astype(np.int64)
