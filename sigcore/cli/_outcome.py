"""The outcome of `sigcore test` as a table and as one plain sentence."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sigcore.cli._output import format_table
from sigcore.cli._parsing import format_pvalue
from sigcore.wording import counted

if TYPE_CHECKING:
    from sigcore.permutation.prf import PrfPermutationResult
    from sigcore.permutation.results import PermutationResult

__all__ = ["Outcome", "meaning", "report_lines"]

_WAYS = {
    "lattice": "exact (Fourier inversion on the grid)",
    "count": "exact (sign choices counted)",
    "identical": "exact (no item differs)",
    "enumerate": "exact (all swaps enumerated)",
    "dp": "exact (convolution, one item after another)",
    "fft": "exact (convolution by FFT)",
    "fourier": "exact (Fourier inversion in two dimensions)",
    "inversion": "numerical inversion of the characteristic function",
    "analytic": "normal tail with a fourth-cumulant term",
    "monte-carlo": "Monte Carlo",
}
_EXTREME = {
    "two-sided": "at least as large in either direction",
    "greater": "at least as much in favour of A",
    "less": "at least as much in favour of B",
}
# Below this a p-value is easier to read as a power of ten.
_TINY = 1e-6


@dataclass(frozen=True, slots=True)
class Outcome:
    """A test and what it was about.

    Attributes
    ----------
    result : PermutationResult or PrfPermutationResult
        The test.
    names : tuple of two str
        Names of A and B.
    measure : str
        What was compared.
    values : tuple of two float
        The measure of A and of B.
    n_items : int
        Number of items.
    n_blocks : int or None
        Number of blocks, if whole blocks swap.
    delta : float
        Mean difference under the null hypothesis.
    grid : str or None
        What the scores are multiples of; None for counts.
    n_missing : int
        Items left out because a score was missing.
    """

    result: "PermutationResult | PrfPermutationResult"
    names: tuple[str, str]
    measure: str
    values: tuple[float, float]
    n_items: int
    n_blocks: int | None
    delta: float = 0.0
    grid: str | None = None
    n_missing: int = 0

    @property
    def units(self) -> str:
        """What swaps."""
        return "items" if self.n_blocks is None else "blocks"


def report_lines(outcome: Outcome) -> list[str]:
    """Return the outcome as text."""
    result = outcome.result
    rows = [
        [f"{outcome.measure} of A", f"{outcome.values[0]:.6g}"],
        [f"{outcome.measure} of B", f"{outcome.values[1]:.6g}"],
        ["difference A - B", f"{result.statistic:+.6g}"],
        [f"p ({result.alternative})", _pvalue(outcome)],
    ]
    if result.pvalue < _TINY and math.isfinite(result.log_pvalue):
        rows.append(["log10 p", f"{result.log_pvalue / math.log(10):.4f}"])
    rows.append(["items", str(outcome.n_items)])
    if outcome.n_missing:
        rows.append(["items left out, without both scores", str(outcome.n_missing)])
    if outcome.n_blocks is not None:
        rows.append(["blocks", str(outcome.n_blocks)])
    rows += [[f"{outcome.units} that differ", str(result.n_nonzero)], ["method", _way(outcome)]]
    if outcome.grid is not None:
        rows.append(["grid", outcome.grid])
    rows.append(_accuracy(outcome))
    lines = [format_table(["", "value"], rows, left=2), "", meaning(outcome)]
    if outcome.names == ("A", "B"):
        return lines
    return [f"A = {outcome.names[0]}, B = {outcome.names[1]}", "", *lines]


def meaning(outcome: Outcome) -> str:
    """Say in one sentence what the p-value means."""
    result = outcome.result
    if result.n_nonzero == 0 and outcome.delta == 0.0:
        return "A and B have the same result on every item; nothing speaks for a difference."
    shift = f" once {outcome.delta:g} is taken off A" if outcome.delta else ""
    return (
        f"{_finding(outcome)}; if the systems were interchangeable on all {outcome.units}{shift}, "
        f"a difference {_EXTREME[result.alternative]} would come up with probability "
        f"{_pvalue(outcome)}."
    )


def _pvalue(outcome: Outcome) -> str:
    result = outcome.result
    # Where rounding errors left nothing of a p-value it has no logarithm either.
    if math.isinf(result.log_pvalue):
        return "0"
    return format_pvalue(result.pvalue, result.log_pvalue)


def _way(outcome: Outcome) -> str:
    result = outcome.result
    way = _WAYS[result.method]
    if result.n_resamples is not None:
        way += f", {counted(result.n_resamples, 'draw')}, seed {result.seed}"
    return f"{way}, ties half" if result.ties == "mid" else way


def _accuracy(outcome: Outcome) -> list[str]:
    result = outcome.result
    if result.interval is not None:
        return ["95% interval of p", " to ".join(f"{end:.4g}" for end in result.interval)]
    if math.isinf(result.error_bound):
        return ["error of p", "unknown: rounding errors are larger than p"]
    if result.error_bound == 0.0:
        return ["error of p", "none"]
    kind = "at most" if result.certified else "about"
    return ["error of p", f"{kind} {result.error_bound:.1e} of p"]


def _finding(outcome: Outcome) -> str:
    statistic = outcome.result.statistic
    if statistic == 0:
        return f"A and B have the same {outcome.measure}"
    direction = "higher" if statistic > 0 else "lower"
    return f"A's {outcome.measure} is {abs(statistic):.4g} {direction} than B's"
