"""What the sign-flip tests return."""

from dataclasses import dataclass, field, fields

from sigcore.grid import IntArray
from sigcore.permutation.null import NullDistribution, null_distribution
from sigcore.permutation.tail import ScaledTail, Tail
from sigcore.validation import FloatArray

__all__ = ["NullDistribution", "PermutationResult", "ScaledTail", "Tail"]


@dataclass(frozen=True, slots=True)
class PermutationResult:
    """Result of `paired_permutation_test`.

    Attributes
    ----------
    statistic : float
        Mean of u - v over the items.
    pvalue : float
        Probability, when items (or blocks) swap at random, of a mean at least as extreme.
    log_pvalue : float
        Its natural logarithm, also where the p-value itself is too small for a float.
    method : str
        How it was found. Exact on a grid: "lattice" (tilted Fourier inversion), "fourier" (the
        same in two dimensions, on a very fine grid), "count" (subsets counted) or "identical" (no
        difference at all). Any values: "enumerate". Real values off a grid: "inversion". As asked
        for: "dp", "fft", "analytic", "monte-carlo".
    alternative : {"two-sided", "greater", "less"}
        What counts as extreme; "greater" is u better than v.
    ties : {"ge", "mid"}
        Whether results equal to the observed one count in full or half.
    n : int
        Number of items, those without a difference included.
    n_blocks : int or None
        Number of blocks that swap as a whole; None if each item swaps on its own.
    n_nonzero : int
        Items, or blocks, with a difference other than `delta`; only these can change the sum.
    delta : float
        Mean difference under the null hypothesis.
    grid_step : float or None
        Largest step that all differences are multiples of; None for real values off any grid.
    error_bound : float
        Error of `pvalue`, relative to it. For "enumerate" it is 0 unless sums of real values are so
        close that floats cannot tell whether they are tied.
    certified : bool
        True if `error_bound` is a bound, False if it is an estimate: for "inversion", "analytic"
        and "monte-carlo", there half the width of the interval.
    interval : tuple of float or None
        For Monte Carlo, limits of the exact p-value.
    n_resamples : int or None
        For Monte Carlo, the number of draws made.
    seed : int or None
        For Monte Carlo, the seed.
    estimator : str or None
        For Monte Carlo, "plus-one" or "plain".
    """

    statistic: float
    pvalue: float
    log_pvalue: float
    method: str
    alternative: str
    ties: str
    n: int
    n_blocks: int | None
    n_nonzero: int
    delta: float
    grid_step: float | None
    error_bound: float
    certified: bool
    interval: tuple[float, float] | None = None
    n_resamples: int | None = None
    seed: int | None = None
    estimator: str | None = None
    units: IntArray | FloatArray = field(kw_only=True, repr=False, compare=False)
    unit_step: float = field(kw_only=True, repr=False, compare=False)

    def null(self) -> NullDistribution:
        """Compute the law of the mean difference under the null hypothesis, for plots."""
        return null_distribution(self.units, scale=self.unit_step / self.n, shift=self.delta)

    def to_record(self) -> dict[str, float | int | str | bool | None]:
        """Return a flat dictionary for a table, the interval as two entries."""
        skipped = ("interval", "units", "unit_step")
        record = {
            item.name: getattr(self, item.name) for item in fields(self) if item.name not in skipped
        }
        low, high = self.interval or (None, None)
        return {**record, "interval_low": low, "interval_high": high}
