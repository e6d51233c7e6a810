"""Significance of SPA differences with Monte Carlo p-values in every draw, as the paper had them.

`compare_metrics` computes the p-values between systems of every hybrid metric analytically. Here
they are shares of random sign flips, one set of signs for people, metrics and hybrids: the
procedure of Thompson et al. (2024), to see what sampling does to their Table 1. Signed sums are
linear in coins and scores, so a matrix product a metric serves all its hybrids.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from sigcore.meta.aligned import raw_scores
from sigcore.meta.metric_inputs import names_of
from sigcore.permutation.differences import in_steps
from sigcore.permutation.shared_signs import coin_flips
from sigcore.seeding import generator
from sigcore.validation import as_count

__all__ = ["SampledComparison", "compare_metrics_sampled"]

FloatArray = npt.NDArray[np.float64]
SingleArray = npt.NDArray[np.float32]
IntArray = npt.NDArray[np.int64]

_CELLS = 1 << 23  # signed sums held at once: draws x metrics x systems x sign flips
# Whole numbers up to 2^24 are exact in single precision. The largest number formed below comes from
# four signed and four observed sums; one more bit is left for rounding up.
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
    names = names_of(metric_names, len(everyone))
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
    gold = _count(_gaps(_excess(people, signs)) >= 0)
    plain = _gaps(_excess(metrics, signs))
    distances = np.abs(_count(plain >= 0) - gold).sum(axis=1)
    observed = np.abs(distances[:, None] - distances)
    counts = np.zeros_like(observed)
    size = max(1, _CELLS // (len(signs) * metrics.shape[0] * metrics.shape[1]))
    for start in range(0, n_resamples, size):
        coins = _as_signs(coin_flips(rng, min(size, n_resamples - start), signs.shape[1]))
        for turned in _excess(coins[:, None, None, :] * metrics, signs):
            counts += _hybrid_differences(plain, _gaps(turned), gold) >= observed
    return distances, np.triu(counts, 1)


def _excess(scores: SingleArray, signs: SingleArray) -> SingleArray:
    """Return by how much sums with random signs exceed the sums themselves (..., systems, flips).

    Scores are (..., systems, segments), signs are (flips, segments).
    """
    flat = scores.reshape(-1, scores.shape[-1])
    excess: SingleArray = flat @ signs.T
    excess -= flat.sum(axis=1, keepdims=True)
    return excess.reshape(*scores.shape[:-1], len(signs))


def _gaps(excess: SingleArray) -> SingleArray:
    """Return by how much random differences exceed the observed ones (..., pairs i < j, flips).

    A sign flip reaches the observed difference of two systems where this is not negative.
    """
    first, second = np.triu_indices(excess.shape[-2], 1)
    gaps: SingleArray = excess[..., first, :]
    gaps -= excess[..., second, :]
    return gaps


def _hybrid_differences(plain: SingleArray, turned: SingleArray, gold: IntArray) -> IntArray:
    """Return how far the distances of each hybrid and its complement are apart, in one draw.

    With coins c = +-1, twice the hybrids of A and B are ``(A + B) + c (A - B)`` and
    ``(A + B) - c (A - B)``. Gaps are linear in scores; with those of A and c A, `plain` and
    `turned`, the first has a gap that is not negative where ``turned_A + plain_A`` is at least
    ``turned_B - plain_B``, and the second the other way round. Only entries a < b are filled.
    """
    upper, lower = turned + plain, turned - plain
    found = np.zeros((len(plain), len(plain)), dtype=np.int64)
    for a in range(len(plain) - 1):
        hybrids = np.abs(_count(upper[a] >= lower[a + 1 :]) - gold).sum(axis=1)
        complements = np.abs(_count(upper[a + 1 :] >= lower[a]) - gold).sum(axis=1)
        found[a, a + 1 :] = np.abs(hybrids - complements)
    return found


def _count(reached: npt.NDArray[np.bool_]) -> IntArray:
    """Count the sign flips, on the last axis; twice as fast as `count_nonzero`."""
    counts: IntArray = np.bitwise_count(np.packbits(reached, axis=-1)).sum(axis=-1, dtype=np.int64)
    return counts
