"""Significance of SPA differences with Monte Carlo p-values in every draw, as the paper had them.

`compare_metrics` computes the p-values between systems of every hybrid metric analytically. Here
they are shares of random sign flips, one set of signs for people, metrics and hybrids: the
procedure of Thompson et al. (2024), to see what sampling does to their Table 1. Signed sums are
linear in coins and scores, so a matrix product a metric serves all its hybrids.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.meta.aligned import raw_scores
from sigcore.permutation.differences import in_steps
from sigcore.permutation.shared_signs import coin_flips
from sigcore.seeding import generator
from sigcore.validation import as_count

__all__ = ["SampledComparison", "compare_metrics_sampled"]

FloatArray = npt.NDArray[np.float64]
SingleArray = npt.NDArray[np.float32]
IntArray = npt.NDArray[np.int64]

_DRAWS = 20  # draws whose signed sums are held at once
# Whole numbers up to 2^24 are exact in single precision. The largest number formed below is the
# difference of two systems' sums of twice a hybrid, at most eight times the sum of sizes; one more
# bit is left for rounding up.
_LARGEST_SUM = float(1 << 20)


@dataclass(frozen=True, slots=True)
class SampledComparison:
    """Result of `compare_metrics_sampled`.

    Attributes
    ----------
    metric_names : tuple of str
        The metrics, in the order given.
    scores : ndarray, shape (metrics,)
        Soft Pairwise Accuracy from sampled p-values.
    pvalues : ndarray, shape (metrics, metrics)
        Two-sided p-value of the difference, a plain share of draws; NaN on the diagonal and for
        constant metrics.
    n_systems, n_segments : int
        Size of the data.
    n_resamples, n_sign_flips : int
        Draws between metrics, and sign flips of each p-value between systems.
    seed : int
        The seed of both.
    """

    metric_names: tuple[str, ...]
    scores: FloatArray
    pvalues: FloatArray
    n_systems: int
    n_segments: int
    n_resamples: int
    n_sign_flips: int
    seed: int

    def to_records(self) -> list[dict[str, object]]:
        """Return one flat row for each ordered pair of metrics."""
        return [
            {
                "meta": "spa",
                "metric": self.metric_names[a],
                "other": self.metric_names[b],
                "difference": float(self.scores[a] - self.scores[b]),
                "pvalue": float(self.pvalues[a, b]),
                "n_resamples": self.n_resamples,
                "n_sign_flips": self.n_sign_flips,
                "seed": self.seed,
            }
            for pair in combinations(range(len(self.metric_names)), 2)
            for a, b in (pair, pair[::-1])
        ]


def compare_metrics_sampled(
    gold: npt.ArrayLike,
    scores: npt.ArrayLike,
    *,
    metric_names: Sequence[str] | None = None,
    n_resamples: int = 1000,
    n_sign_flips: int = 1000,
    seed: int = 0,
    purpose: Sequence[str] = (),
) -> SampledComparison:
    """Test all differences of SPA by PERM-INPUTS, with sampled p-values between systems.

    Parameters
    ----------
    gold : array_like, shape (systems, segments)
        Human scores, larger is better; NaN marks a missing score.
    scores : array_like, shape (metrics, systems, segments)
        Scores of the metrics. Only segments with all scores are used.
    metric_names : sequence of str, optional
        Names of the metrics; by default "0", "1", ....
    n_resamples : int
        Draws of PERM-INPUTS. The coins are those of `compare_metrics` for the same seed and
        purpose, so that the two differ by nothing but the p-values between systems.
    n_sign_flips : int
        Sign flips from which each p-value between systems is found.
    seed : int
        Seed of coins and signs.
    purpose : sequence of str
        What the draws are for, for example the name of the data set.

    Returns
    -------
    SampledComparison

    Notes
    -----
    Two-sided, ``count / n``. A p-value between systems i < j is the share of sign flips whose
    difference of sums is at least the observed one, with the same signs for people and metrics, as
    in mt-metrics-eval. SPA values are compared as whole numbers of sign flips, so ties are exact.

    DEVIATES: scores are rounded to a grid so fine that no p-value changes by more than a small part
    of its sampling error. All sums are then whole numbers, exact in single precision, and results
    do not depend on the number of threads or the order of additions.
    """
    raw = raw_scores(gold, scores)
    everyone = range(len(raw.metrics))
    names = _validate_names(metric_names, len(everyone))
    as_count(n_resamples, "n_resamples", minimum=1)
    as_count(n_sign_flips, "n_sign_flips", minimum=1)
    aligned = raw.align(raw.shared_cells(everyone), everyone)
    n_systems, n_segments = raw.gold.shape
    flips = coin_flips(generator(seed, "sign-flips", *purpose), n_sign_flips, n_segments)
    distances, counts = _count_draws(
        _whole(in_steps(raw.gold)[0]),
        _whole(aligned.metrics),
        _as_signs(flips),
        generator(seed, "perm-inputs", *purpose),
        n_resamples,
    )
    pvalues = (counts + counts.T) / n_resamples
    np.fill_diagonal(pvalues, np.nan)
    pvalues[aligned.constant] = pvalues[:, aligned.constant] = np.nan
    return SampledComparison(
        metric_names=names,
        scores=1.0 - distances / (n_sign_flips * comb(n_systems, 2)),
        pvalues=pvalues,
        n_systems=n_systems,
        n_segments=n_segments,
        n_resamples=n_resamples,
        n_sign_flips=n_sign_flips,
        seed=seed,
    )


@dataclass(frozen=True, slots=True)
class _SignedSums:
    """Sums over segments: with random signs (..., systems, flips), as observed (..., systems)."""

    random: SingleArray
    observed: SingleArray

    def __add__(self, other: "_SignedSums") -> "_SignedSums":
        return _SignedSums(self.random + other.random, self.observed + other.observed)

    def __sub__(self, other: "_SignedSums") -> "_SignedSums":
        return _SignedSums(self.random - other.random, self.observed - other.observed)

    def __getitem__(self, index: int) -> "_SignedSums":
        return _SignedSums(self.random[index], self.observed[index])


def _validate_names(metric_names: Sequence[str] | None, n_metrics: int) -> tuple[str, ...]:
    names = tuple(map(str, range(n_metrics))) if metric_names is None else tuple(metric_names)
    if len(names) != n_metrics or len(dict.fromkeys(names)) != n_metrics:
        raise InputError(f"`metric_names` must be {n_metrics} different names; got {list(names)}.")
    return names


def _as_signs(coins: npt.NDArray[np.uint8]) -> SingleArray:
    return np.where(coins == 1, np.float32(1.0), np.float32(-1.0))


def _whole(scores: FloatArray) -> SingleArray:
    """Scale scores by one power of two and round them, so that all their sums are exact."""
    size = float(np.abs(scores).sum(axis=-1).max())
    scale = 2.0 ** np.floor(np.log2(_LARGEST_SUM / size)) if size > 0.0 else 1.0
    return np.rint(scores * scale).astype(np.float32)


def _count_draws(
    people: SingleArray,
    metrics: SingleArray,
    signs: SingleArray,
    rng: np.random.Generator,
    n_resamples: int,
) -> tuple[IntArray, IntArray]:
    """Return the distance of each metric from people, and the draws as extreme as observed.

    The distance is the sum over pairs of systems of the difference between counts of sign flips;
    the draws of metrics a < b are counted in entry (a, b).
    """
    gold = _reached(_signed(people, signs))
    plain = [_signed(metric, signs) for metric in metrics]
    distances = np.array([_distance(sums, gold) for sums in plain])
    observed = np.abs(distances[:, None] - distances)
    counts = np.zeros_like(observed)
    for start in range(0, n_resamples, _DRAWS):
        coins = _as_signs(coin_flips(rng, min(_DRAWS, n_resamples - start), signs.shape[1]))
        turned = [_signed(coins[:, None, :] * metric, signs) for metric in metrics]
        for a, b in combinations(range(len(metrics)), 2):
            drawn = _hybrid_differences(plain[a] + plain[b], turned[a] - turned[b], gold)
            counts[a, b] += np.count_nonzero(drawn >= observed[a, b])
    return distances, counts


def _signed(scores: SingleArray, signs: SingleArray) -> _SignedSums:
    """Sum scores (..., systems, segments) with each set of signs (flips x segments)."""
    flat = scores.reshape(-1, scores.shape[-1])
    random = (flat @ signs.T).reshape(*scores.shape[:-1], len(signs))
    return _SignedSums(random, scores.sum(axis=-1))


def _hybrid_differences(base: _SignedSums, turned: _SignedSums, gold: IntArray) -> IntArray:
    """Return, for each draw, how far the distances of a hybrid and its complement are apart.

    With coins c = +-1 twice the hybrids are ``(A + B) + c (A - B)`` and ``(A + B) - c (A - B)``.
    """
    return np.array(
        [
            abs(_distance(base + turned[draw], gold) - _distance(base - turned[draw], gold))
            for draw in range(len(turned.observed))
        ]
    )


def _distance(sums: _SignedSums, gold: IntArray) -> int:
    """Sum the differences from people's counts over the pairs of systems."""
    return int(np.abs(_reached(sums) - gold).sum())


def _reached(sums: _SignedSums) -> IntArray:
    """Count the sign flips that reach the observed difference, for each pair of systems i < j."""
    first, second = _pairs(len(sums.observed))
    gaps = sums.random[first]
    gaps -= sums.random[second]
    reached = gaps >= (sums.observed[first] - sums.observed[second])[:, None]
    counts: IntArray = np.bitwise_count(np.packbits(reached, axis=1)).sum(axis=1, dtype=np.int64)
    return counts


@cache
def _pairs(n_systems: int) -> tuple[IntArray, IntArray]:
    first, second = np.triu_indices(n_systems, 1)
    return first, second
