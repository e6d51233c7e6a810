"""p-values of corpus-level scores, such as corpus BLEU, from statistics of each segment.

A corpus-level score is a function of statistics that are summed over segments; it is not a mean of
segment scores. The paired permutation test swaps the statistics of two systems on each segment and
computes the score anew from their sums, so that such a metric can enter Soft Pairwise Accuracy.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.meta.accuracy import pairwise_accuracy
from sigcore.meta.spa import spa_from_pvalues
from sigcore.permutation.differences import Blocks, block_order
from sigcore.permutation.pairwise import PairwisePvalues, pairwise_pvalues
from sigcore.permutation.shared_signs import coin_flips
from sigcore.seeding import generator
from sigcore.validation import as_choice, as_count, as_matrix

__all__ = [
    "CorpusAgreement",
    "CorpusPvalues",
    "CorpusScore",
    "corpus_agreement",
    "corpus_pvalues",
]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
CorpusScore = Callable[[FloatArray], FloatArray]

_DRAWS = 1000  # draws held at once
_ROUNDING = 1e-12  # of the largest score: differences that close to the observed one are ties


@dataclass(frozen=True, slots=True)
class CorpusPvalues:
    """Result of `corpus_pvalues`.

    Attributes
    ----------
    pvalues : ndarray, shape (systems, systems)
        Entry (i, j) is the one-sided p-value of "system i is better than system j"; NaN on the
        diagonal.
    scores : ndarray, shape (systems,)
        Corpus-level score of each system.
    n_segments, n_units : int
        Segments, and the units that swap: the segments, or the blocks they form.
    ties : {"mid", "ge"}
        Whether draws equal to the observed difference count by half or wholly.
    estimator : {"plain", "plus-one"}
        Share of draws, or the share with the observed assignment counted as a draw.
    n_resamples, seed : int
        Number of draws and their seed.
    """

    pvalues: FloatArray
    scores: FloatArray
    n_segments: int
    n_units: int
    ties: str
    estimator: str
    n_resamples: int
    seed: int

    @property
    def error(self) -> float:
        """Largest standard error of a p-value, from the number of draws."""
        return 0.5 / float(np.sqrt(self.n_resamples))


@dataclass(frozen=True, slots=True)
class CorpusAgreement:
    """Result of `corpus_agreement`.

    Attributes
    ----------
    spa, pa : float
        Soft and plain pairwise accuracy; NaN where undefined.
    n_agree, n_pairs : int
        Pairs of systems that score and people order alike, and all pairs.
    gold : PairwisePvalues
        People's p-values.
    metric : CorpusPvalues
        Those of the corpus-level score.
    """

    spa: float
    pa: float
    n_agree: int
    n_pairs: int
    gold: PairwisePvalues
    metric: CorpusPvalues


def corpus_agreement(
    gold: npt.ArrayLike, statistics: npt.ArrayLike, score: CorpusScore, **options: Any
) -> CorpusAgreement:
    """Compute Soft Pairwise Accuracy and Pairwise Accuracy of a corpus-level score.

    Parameters
    ----------
    gold : array_like, shape (systems, segments)
        Human scores, larger is better, complete.
    statistics, score, **options
        As in `corpus_pvalues`; `blocks` and `ties` are used for people's p-values as well.

    Returns
    -------
    CorpusAgreement
    """
    people = as_matrix(gold, "gold")
    if np.isnan(people).any():
        raise InputError("`gold` must be complete: take the segments that people rated.")
    if np.shape(statistics)[:2] != people.shape:
        raise InputError(
            f"`statistics` must have shape {people.shape} + (k,) as `gold`; "
            f"got {np.shape(statistics)}."
        )
    found = corpus_pvalues(statistics, score, **options)
    human = pairwise_pvalues(people, ties=found.ties, blocks=options.get("blocks"))
    accuracy = pairwise_accuracy(people.mean(axis=1), found.scores)
    return CorpusAgreement(
        spa=spa_from_pvalues(human.pvalues, found.pvalues),
        pa=accuracy.value,
        n_agree=accuracy.n_agree,
        n_pairs=accuracy.n_pairs,
        gold=human,
        metric=found,
    )


def corpus_pvalues(
    statistics: npt.ArrayLike,
    score: CorpusScore,
    *,
    ties: str = "mid",
    estimator: str = "plain",
    blocks: Blocks | None = None,
    n_resamples: int = 1000,
    seed: int = 4,
) -> CorpusPvalues:
    """Test for every pair of systems whether one has the better corpus-level score.

    Parameters
    ----------
    statistics : array_like, shape (systems, segments, k)
        Sufficient statistics of each segment, complete.
    score : callable
        Maps sums of statistics, an array of shape (..., k), to scores of shape (...), larger is
        better: `bleu_score`, `chrf_score` or a function of your own.
    ties : {"mid", "ge"}
        ``"ge"`` counts random differences equal to the observed one wholly, ``"mid"`` by half, so
        that p_ij + p_ji = 1. Identical systems have p = 1 or 0.5.
    estimator : {"plain", "plus-one"}
        ``c / n`` as in Soft Pairwise Accuracy, or ``(c + 1) / (n + 1)``, c draws of n being at
        least as large as observed. With ``"mid"`` the one that is added is a tie too.
    blocks : sequence, optional
        Document of each segment; the segments of a document swap together.
    n_resamples, seed : int
        Number of draws and their seed. All pairs of systems use the same swaps.

    Returns
    -------
    CorpusPvalues
        Its `pvalues` go into `spa_from_pvalues` beside those of people.

    Notes
    -----
    With coins m the two systems of a draw have the sums ``m A + (1 - m) B`` and
    ``(1 - m) A + m B``, linear in the coins: one matrix product serves all pairs. The test is that
    of Riezler and Maxwell (2005), On Some Pitfalls in Automatic Evaluation and Significance Testing
    for MT, one-sided.

    Examples
    --------
    >>> def precision(sums):
    ...     return sums[..., 0] / sums[..., 1]
    >>> statistics = [[[3, 4], [2, 2]], [[1, 4], [1, 3]]]
    >>> result = corpus_pvalues(statistics, precision, ties="ge", n_resamples=4000)
    >>> bool(abs(result.pvalues[0, 1] - 0.25) < 0.03)
    True
    """
    as_choice(ties, "ties", ("mid", "ge"))
    as_choice(estimator, "estimator", ("plain", "plus-one"))
    as_count(n_resamples, "n_resamples", minimum=1)
    values = _validate(statistics)
    n_segments = values.shape[1]
    units = _sum_blocks(values, blocks)
    scores = _scores(score, units.sum(axis=1))
    rng = generator(seed, "corpus scores")
    above, below = _count(units, score, scores, n_resamples, rng)
    first, second = np.triu_indices(len(units), 1)
    square = np.full((len(units), len(units)), np.nan)
    tied = above + below - n_resamples
    added = 1 if estimator == "plus-one" else 0
    for counts, (rows, columns) in ((above, (first, second)), (below, (second, first))):
        reached = counts + added - (0.5 * (tied + added) if ties == "mid" else 0.0)
        square[rows, columns] = reached / (n_resamples + added)
    return CorpusPvalues(
        pvalues=square,
        scores=scores,
        n_segments=n_segments,
        n_units=units.shape[1],
        ties=ties,
        estimator=estimator,
        n_resamples=n_resamples,
        seed=seed,
    )


def _validate(statistics: npt.ArrayLike) -> FloatArray:
    values = np.asarray(statistics, dtype=np.float64)
    if values.ndim != 3 or values.size == 0:
        raise InputError(
            "`statistics` must be 3-dimensional (systems x segments x statistics) and not empty; "
            f"got shape {values.shape}."
        )
    bad = np.argwhere(~np.isfinite(values))
    if len(bad):
        raise InputError(f"`statistics` must be finite; they are not at {tuple(bad[0].tolist())}.")
    return values


def _sum_blocks(values: FloatArray, blocks: Blocks | None) -> FloatArray:
    order, labels = block_order(blocks, values.shape[1])
    starts = np.flatnonzero(np.diff(labels, prepend=-1))
    return np.add.reduceat(values[:, order], starts, axis=1)


def _scores(score: CorpusScore, sums: FloatArray) -> FloatArray:
    """Compute scores and refuse a function that is not vectorised or leaves the numbers."""
    result = np.asarray(score(sums), dtype=np.float64)
    if result.shape != sums.shape[:-1]:
        raise InputError(
            f"`score` must map sums of shape (..., k) to scores of shape (...); "
            f"it maps {sums.shape} to {result.shape}."
        )
    if not np.isfinite(result).all():
        raise InputError("`score` must be finite for all sums of statistics that swaps give.")
    return result


def _count(
    units: FloatArray,
    score: CorpusScore,
    scores: FloatArray,
    n_resamples: int,
    rng: np.random.Generator,
) -> tuple[IntArray, IntArray]:
    """Count, for each pair i < j, the draws at or above and at or below the observed difference."""
    n_systems, n_units, k = units.shape
    first, second = np.triu_indices(n_systems, 1)
    observed = scores[first] - scores[second]
    total = units.sum(axis=1)
    flat = np.ascontiguousarray(units.transpose(1, 0, 2)).reshape(n_units, n_systems * k)
    above, below = np.zeros((2, len(first)), dtype=np.int64)
    for start in range(0, n_resamples, _DRAWS):
        coins = coin_flips(rng, min(_DRAWS, n_resamples - start), n_units).astype(np.float64)
        inside = (coins @ flat).reshape(-1, n_systems, k)
        for pair, (i, j) in enumerate(zip(first, second, strict=True)):
            moved = inside[:, i] - inside[:, j]
            one, other = _scores(score, total[j] + moved), _scores(score, total[i] - moved)
            slack = _ROUNDING * max(np.abs(one).max(), np.abs(other).max())
            gap = one - other - observed[pair]
            above[pair] += np.count_nonzero(gap >= -slack)
            below[pair] += np.count_nonzero(gap <= slack)
    return above, below
