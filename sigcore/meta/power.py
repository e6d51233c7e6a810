"""How many segments, or systems, until two metrics separate: power of PERM-INPUTS as a curve."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.comparison.power_curves import wilson_interval
from sigcore.errors import InputError
from sigcore.meta.hybrids import SLACK
from sigcore.meta.sample_test import SampleTest, hybrid_differences
from sigcore.permutation.differences import in_range
from sigcore.seeding import generator
from sigcore.validation import as_choice, as_count, as_counts, as_matrices, as_probability

__all__ = ["SeparationCurve", "separation_curve"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_ALWAYS = 0.99  # default sizes beyond one with this power are not looked at
# Default sizes over the segments there are.
_GROWTH = (0.0625, 0.125, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0)
_STEPS = 8  # default numbers of systems


@dataclass(frozen=True, slots=True)
class SeparationCurve:
    """Result of `separation_curve`.

    Attributes
    ----------
    by : {"segments", "systems"}
        What the sizes count.
    meta : {"spa", "pa"}
        The meta-metric that is compared.
    sizes : ndarray of int
        Numbers of segments or systems.
    power, low, high : ndarray
        Share of samples in which the metric that is better on all data is significantly better,
        and its 95% interval (Wilson) given the number of samples.
    opposite : ndarray
        Share of samples in which it is significantly worse.
    n_target, n_target_low, n_target_high : float
        Size at which the power, and the upper and lower end of its interval, first reach `target`
        on straight lines between sizes; NaN where they do not.
    reason : str
        What to know about `n_target`; empty when it lies between two sizes.
    target, alpha : float
        Power aimed at, and level of the test: p <= alpha separates.
    difference : float
        Score of the first metric minus that of the second on all data.
    n_systems, n_segments : int
        Size of the data; segments with all scores.
    n_samples, n_resamples, seed : int
        Samples at each size, draws of the test in each, and the seed.
    """

    by: str
    meta: str
    sizes: IntArray
    power: FloatArray
    low: FloatArray
    high: FloatArray
    opposite: FloatArray
    n_target: float
    n_target_low: float
    n_target_high: float
    reason: str
    target: float
    alpha: float
    difference: float
    n_systems: int
    n_segments: int
    n_samples: int
    n_resamples: int
    seed: int

    def to_records(self) -> list[dict[str, object]]:
        """Return one flat row a size."""
        columns = (self.sizes, self.power, self.low, self.high, self.opposite)
        names = ("n", "power", "low", "high", "opposite")
        return [
            {"by": self.by, "meta": self.meta} | dict(zip(names, row, strict=True))
            for row in zip(*(column.tolist() for column in columns), strict=True)
        ]


def separation_curve(
    gold: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    by: str = "segments",
    meta: str = "spa",
    sizes: Sequence[int] | None = None,
    target: float = 0.8,
    alpha: float = 0.05,
    n_samples: int = 200,
    n_resamples: int = 199,
    seed: int = 0,
) -> SeparationCurve:
    """Estimate how often two metrics would separate on more or fewer data like these.

    Parameters
    ----------
    gold, first, second : array_like, shape (systems, segments)
        Scores of people and of the two metrics, larger is better; NaN marks a missing score. Only
        segments with all scores are used.
    by : {"segments", "systems"}
        What to vary. A sample has segments drawn with replacement: as many as the size says, or as
        many as there are with a random subset of the systems.
    meta : {"spa", "pa"}
        Meta-metric.
    sizes : sequence of int, optional
        Numbers of segments, which may exceed those at hand, or of systems, which may not. By
        default from a sixteenth to four times the segments, or from three to all systems; they end
        where the power reaches 0.99.
    target, alpha : float
        Power aimed at and level of the test, two-sided.
    n_samples, n_resamples, seed : int
        Samples at each size, draws of the test in each, and the seed. Draws whose least p-value,
        1 / (n + 1), is above `alpha` are refused: the power would be 0 whatever the data.

    Returns
    -------
    SeparationCurve

    Notes
    -----
    Each sample is tested as `compare_metrics` does: both metrics standardised, one coin a segment,
    ``(c + 1) / (n + 1)``, both meta-metrics from the sums of d, d^2 and d^4. People's p-values are
    found from these sums as well. 199 draws reject a little less often than 1000.

    The curve answers "if further segments were like these": it takes the difference that was
    observed for true. The power at the size of the data is a function of their p-value and adds
    nothing to it, and two metrics that are equally good but differ by chance seem to separate with
    enough segments. Systems cannot be drawn anew, so their curve ends at those there are.
    """
    as_choice(by, "by", ("segments", "systems"))
    as_choice(meta, "meta", ("spa", "pa"))
    as_probability(target, "target")
    as_probability(alpha, "alpha")
    as_count(n_samples, "n_samples", minimum=2)
    _check_resolution(as_count(n_resamples, "n_resamples", minimum=1), alpha)
    scores = _validate(gold, first, second)
    chosen = _validate_sizes(sizes, by, *scores.shape[1:])
    test = SampleTest(scores, meta, alpha, n_resamples)
    counts = _simulate(test, by, chosen, n_samples, seed, stop=sizes is None)
    chosen = chosen[: len(counts)]
    difference = float(hybrid_differences(scores, np.ones((1, scores.shape[2])), meta)[0])
    better = int(difference >= 0.0)
    power = counts[:, better] / n_samples
    low, high = wilson_interval(counts[:, better], n_samples)
    crossings = [_crossing(chosen, curve, target) for curve in (power, high, low)]
    return SeparationCurve(
        by=by,
        meta=meta,
        sizes=chosen,
        power=power,
        low=low,
        high=high,
        opposite=counts[:, 1 - better] / n_samples,
        n_target=crossings[0],
        n_target_low=crossings[1],
        n_target_high=crossings[2],
        reason=_reason(chosen, power, target, by, difference),
        target=target,
        alpha=alpha,
        difference=difference,
        n_systems=scores.shape[1],
        n_segments=scores.shape[2],
        n_samples=n_samples,
        n_resamples=n_resamples,
        seed=seed,
    )


def _simulate(
    test: SampleTest, by: str, sizes: IntArray, n_samples: int, seed: int, *, stop: bool
) -> IntArray:
    """Count, for each size, the samples won by the second and by the first metric."""
    n_systems, n_segments = test.scores.shape[1:]
    counts = np.zeros((len(sizes), 2), dtype=np.int64)
    for row, size in enumerate(sizes.tolist()):
        rng = generator(seed, "separation", by, str(size))
        for _ in range(n_samples):
            systems = np.arange(n_systems)
            if by == "systems":
                systems = np.sort(rng.permutation(n_systems)[:size])
            drawn = rng.integers(n_segments, size=size if by == "segments" else n_segments)
            verdict = test.verdict(systems, drawn, rng)
            if verdict:
                counts[row, int(verdict > 0)] += 1
        if stop and counts[row].max() >= _ALWAYS * n_samples:
            return counts[: row + 1]
    return counts


def _check_resolution(n_resamples: int, alpha: float) -> None:
    """Refuse draws with which no p-value can be as small as the level."""
    # Rounding errors of the division must not ask for one draw more.
    needed = math.ceil(1.0 / alpha * (1.0 - 1e-12)) - 1
    if n_resamples < needed:
        raise InputError(
            f"`n_resamples` must be at least {needed} for `alpha` {alpha:g}: the least p-value is "
            f"1 / (draws + 1); got {n_resamples}."
        )


def _validate(gold: npt.ArrayLike, first: npt.ArrayLike, second: npt.ArrayLike) -> FloatArray:
    named = as_matrices(gold=gold, first=first, second=second)
    matrices = [in_range(matrix)[0] for matrix in named]
    if len(matrices[0]) < 2:
        raise InputError(f"`gold` must have at least 2 systems; got {len(matrices[0])}.")
    scores = np.stack(matrices)
    complete = np.count_nonzero(np.isnan(scores), axis=(0, 1)) == 0
    if not complete.any():
        raise InputError("`gold`, `first` and `second` must share a segment with all scores.")
    used: FloatArray = scores[:, :, complete]
    for name, metric in zip(("first", "second"), used[1:], strict=True):
        if np.ptp(metric) == 0.0:
            raise InputError(f"`{name}` must not be constant: it cannot be standardised.")
    return used


def _validate_sizes(
    sizes: Sequence[int] | None, by: str, n_systems: int, n_segments: int
) -> IntArray:
    if sizes is None and by == "segments":
        sizes = [max(2, round(factor * n_segments)) for factor in _GROWTH]
    if sizes is None:
        steps = np.linspace(min(3, n_systems), n_systems, _STEPS)
        sizes = [round(step) for step in steps.tolist()]
    chosen = np.array(as_counts(sizes, "sizes", minimum=2), dtype=np.int64)
    if by == "systems" and chosen.max() > n_systems:
        raise InputError(f"`sizes` must be at most the {n_systems} systems; got {chosen.max()}.")
    return np.unique(chosen)


def _crossing(sizes: IntArray, power: FloatArray, target: float) -> float:
    """Return the size at which a curve first reaches the target, on straight lines."""
    reached = np.flatnonzero(power >= target)
    if not reached.size:
        return float("nan")
    at = int(reached[0])
    if at == 0:
        return float(sizes[0])
    share = (target - power[at - 1]) / (power[at] - power[at - 1])
    return float(sizes[at - 1] + share * (sizes[at] - sizes[at - 1]))


def _reason(sizes: IntArray, power: FloatArray, target: float, by: str, difference: float) -> str:
    if power.max() < target:
        alike = "the two score alike on these data: " if abs(difference) <= SLACK else ""
        return f"{alike}a power of {target:g} is not reached with {sizes[-1]} {by}"
    if power[0] >= target:
        return f"a power of {target:g} is reached with {sizes[0]} {by} already"
    return ""
