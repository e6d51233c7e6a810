"""Stratified shuffling, the test of Bikel's comparator of parsers.

Under the null hypothesis a sentence's two scores could as well have come from the other parser. A
shuffle swaps the counts of each sentence between the parsers with probability one half and sums
them up again; the p-value says how often the difference is then at least as large as observed.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.permutation.montecarlo import Draws, exact_interval
from sigcore.permutation.plane_event import RatioEvent, ratio
from sigcore.permutation.shared_signs import coin_flips
from sigcore.seeding import generator
from sigcore.validation import as_choice, as_count

__all__ = ["ALTERNATIVES", "HitCounts", "ShufflingResult", "is_at_least", "stratified_shuffling"]

ALTERNATIVES = ("observed", "two-sided", "greater", "less")

IntArray = npt.NDArray[np.int64]

_CHUNK = 1 << 21  # swaps held at once
_LARGEST_TOTAL = 1 << 31  # products of two totals stay within 64 bits


@dataclass(frozen=True, slots=True, eq=False)
class HitCounts:
    """Counts of a measure that is hits / (hits + errors), one entry a sentence.

    Attributes
    ----------
    hits, errors : ndarray of int
        For recall matched and missed brackets, for precision matched and spurious ones.
    weight : int
        How often a hit counts: 2 for F1, whose errors are both missed and spurious, otherwise 1.
    """

    hits: IntArray
    errors: IntArray
    weight: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "hits", _as_counts(self.hits, "hits"))
        object.__setattr__(self, "errors", _as_counts(self.errors, "errors"))
        if self.hits.shape != self.errors.shape:
            raise InputError(
                f"`hits` and `errors` must have one length; got {self.hits.size} "
                f"and {self.errors.size}."
            )


@dataclass(frozen=True, slots=True)
class ShufflingResult:
    """Result of `stratified_shuffling`.

    Attributes
    ----------
    difference : float
        Measure of A minus that of B; 0/0 is 0.
    pvalue : float
        (`n_extreme` + 1) / (`n_shuffles` + 1).
    interval : tuple of float
        95 % Clopper-Pearson interval of the exact p-value.
    alternative : {"two-sided", "greater", "less"}
        Which differences count as extreme.
    n_extreme : int
        Shuffles with a difference at least as extreme as the observed one.
    n_shuffles : int
        Number of shuffles.
    n_sentences : int
        Number of sentences.
    seed : int
        The seed.
    """

    difference: float
    pvalue: float
    interval: tuple[float, float]
    alternative: str
    n_extreme: int
    n_shuffles: int
    n_sentences: int
    seed: int


def stratified_shuffling(
    a: HitCounts,
    b: HitCounts,
    *,
    alternative: str = "observed",
    n_shuffles: int = 10_000,
    seed: int = 0,
) -> ShufflingResult:
    """Test a difference between two parsers by random swaps of sentences.

    Parameters
    ----------
    a, b : HitCounts
        Counts of the two parsers on the same sentences.
    alternative : {"observed", "two-sided", "greater", "less"}
        "greater" counts shuffles whose difference A - B is at least the observed one, "less" those
        where it is at most that, "two-sided" those where its absolute value is at least as large.
        "observed" is "greater" if A is at least as good as B, otherwise "less". That is what
        Bikel's script does; the direction is then chosen by the data, so such a p-value is half
        of what a test planned without a direction gives.
    n_shuffles : int
        Number of shuffles.
    seed : int
        Seed of the swaps. Calls with the same seed and number of sentences make the same swaps.

    Returns
    -------
    ShufflingResult
        The observed difference and the estimated p-value.

    Notes
    -----
    Differences are compared as fractions, so equal ones are ties whatever their rounding. The
    text that announces the script counts differences "equal to or greater" in one place and
    "greater" in another; the script has the former, without which identical parsers would differ
    significantly.

    References
    ----------
    Bikel, D. Randomized Parsing Evaluation Comparator (statistical significance tester for evalb
    output). Cohen, P. R. (1995). Empirical Methods for Artificial Intelligence. MIT Press.
    """
    as_choice(alternative, "alternative", ALTERNATIVES)
    as_count(n_shuffles, "n_shuffles", minimum=1)
    _check_pair(a, b)
    observed = _ratio(a) - _ratio(b)
    if alternative == "observed":
        alternative = "greater" if observed >= 0 else "less"
    if observed >= 0:
        n_extreme = _count(a, b, observed, alternative, n_shuffles=n_shuffles, seed=seed)
    else:
        mirrored = {"greater": "less", "less": "greater"}.get(alternative, alternative)
        n_extreme = _count(b, a, -observed, mirrored, n_shuffles=n_shuffles, seed=seed)
    return ShufflingResult(
        difference=float(observed),
        pvalue=(n_extreme + 1) / (n_shuffles + 1),
        interval=exact_interval(Draws(n_extreme, 0, n_shuffles), ties="ge"),
        alternative=alternative,
        n_extreme=n_extreme,
        n_shuffles=n_shuffles,
        n_sentences=a.hits.size,
        seed=seed,
    )


def is_at_least(a: HitCounts, b: HitCounts) -> bool:
    """Tell whether the measure of A is at least that of B, compared as fractions."""
    return _ratio(a) >= _ratio(b)


def _as_counts(values: npt.ArrayLike, name: str) -> IntArray:
    array = np.asarray(values)
    if array.ndim != 1 or not array.size or not np.issubdtype(array.dtype, np.integer):
        raise InputError(
            f"`{name}` must be a non-empty vector of whole numbers; got {array.dtype} of shape "
            f"{array.shape}."
        )
    if array.min() < 0:
        raise InputError(f"`{name}` must not be negative; got {array.min()}.")
    return array.astype(np.int64)


def _check_pair(a: HitCounts, b: HitCounts) -> None:
    if a.hits.size != b.hits.size or a.weight != b.weight:
        raise InputError(
            f"`a` and `b` must be counts of one measure on the same sentences; got "
            f"{a.hits.size} and {b.hits.size} sentences."
        )
    total = sum(int(2 * counts.hits.sum() + counts.errors.sum()) for counts in (a, b))
    if total > _LARGEST_TOTAL:
        raise InputError(f"`a` and `b` must not sum to more than {_LARGEST_TOTAL}; got {total}.")


def _ratio(counts: HitCounts) -> Fraction:
    return ratio(int(counts.hits.sum()), int(counts.errors.sum()), counts.weight)


def _count(
    a: HitCounts,
    b: HitCounts,
    observed: Fraction,
    alternative: str,
    *,
    n_shuffles: int,
    seed: int,
) -> int:
    """Count extreme shuffles; `observed`, the difference of A and B, is not negative."""
    sums_a, sums_b = (np.array([c.hits.sum(), c.errors.sum()]) for c in (a, b))
    changes = np.stack([b.hits - a.hits, b.errors - a.errors], axis=1).astype(np.float64)
    hits, errors = (sums_a + sums_b).tolist()
    event = RatioEvent(hits=hits, errors=errors, threshold=observed, hit_weight=a.weight)
    rng = generator(seed, "stratified shuffling")
    rows = max(1, _CHUNK // len(changes))
    n_extreme = 0
    for start in range(0, n_shuffles, rows):
        swaps = coin_flips(rng, min(rows, n_shuffles - start), len(changes))
        # Sums of whole numbers below 2^53 are exact in floating point.
        moved = (swaps.astype(np.float64) @ changes).astype(np.int64)
        to_a = event.compare(*(sums_a + moved).T)
        if alternative == "less":
            extreme = to_a <= 0
        elif alternative == "greater":
            extreme = to_a >= 0
        else:
            extreme = (to_a >= 0) | (event.compare(*(sums_b - moved).T) >= 0)
        n_extreme += int(np.count_nonzero(extreme))
    return n_extreme
