"""Samples of systems and segments, and how metrics score on them, for `bootstrap_meta_metric`."""

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.errors import DegenerateDataWarning
from sigcore.meta.accuracy import difference_signs
from sigcore.meta.aligned import RawScores
from sigcore.meta.grouping import divide
from sigcore.meta.item_hybrids import ITEM_STATISTICS, item_sums
from sigcore.meta.registry import meta_metric
from sigcore.meta.segment_bootstrap import draw_counts, sampled_pvalues
from sigcore.permutation.differences import in_steps
from sigcore.permutation.pairwise import pairwise_pvalues

__all__ = ["Sample", "Scorer", "draw_samples", "scorer"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_SAMPLES = 250  # held at once; part of what a seed means
# What is a mean over items of something that other items do not change.
_BY_ITEM = tuple(name for name in ITEM_STATISTICS if name != "acc-eq")
_OF_TAU_C = ("tau-c-item", "tau-c-by-system", "tau-c-seg")
# What counts pairs that are tied for both as agreeing, and its value where no pair agrees.
_COUNTS_TIES = {"acc-eq": 0.0, "acc-eq-heldout": 0.0, "acc-23": 0.0, "tau-23": -1.0}


@dataclass(frozen=True, slots=True)
class Sample:
    """Samples: how often each has each system (samples x systems) and unit (samples x units)."""

    systems: IntArray
    units: IntArray


Scorer = Callable[[Sample], FloatArray]


def draw_samples(
    rng: np.random.Generator, raw: RawScores, over: str, n_resamples: int
) -> Iterator[Sample]:
    """Draw samples, some at a time; what is not resampled is there once."""

    def draw(n: int, size: int, *, once: bool) -> IntArray:
        return np.ones((n, size), np.int64) if once else draw_counts(rng, n, size, size)

    for start in range(0, n_resamples, _SAMPLES):
        n = min(_SAMPLES, n_resamples - start)
        systems = draw(n, len(raw.gold), once=over == "segments")
        units = draw(n, int(raw.labels[-1]) + 1, once=over == "systems")
        yield Sample(systems, units)


def scorer(raw: RawScores, meta: str, over: str) -> Scorer:
    """Choose how samples are scored; a scorer returns metrics x samples."""
    if meta in ("spa", "pa") and over == "systems":
        return _by_systems(raw, meta)
    if meta in ("spa", "pa"):
        return _by_system_pairs(raw, meta)
    if meta in _BY_ITEM and over == "segments":
        return _by_items(raw, meta)
    return _one_by_one(raw, meta)


def _by_systems(raw: RawScores, meta: str) -> Scorer:
    """Weight pairs of systems; no segment changes, so p-values are exact and found once."""
    first, second = np.triu_indices(len(raw.gold), 1)
    blocks = None if raw.labels[-1] == len(raw.labels) - 1 else raw.labels

    def verdicts(scores: FloatArray) -> FloatArray:
        if meta == "pa":
            return difference_signs(scores).astype(np.float64)
        return pairwise_pvalues(scores, ties="mid", blocks=blocks).pvalues[first, second]

    gold = verdicts(raw.gold)
    gaps = np.array([np.abs(verdicts(metric) - gold) for metric in raw.metrics])
    agreement = (gaps == 0.0).astype(np.float64) if meta == "pa" else 1.0 - gaps

    def score(sample: Sample) -> FloatArray:
        copies = (sample.systems[:, first] * sample.systems[:, second]).astype(np.float64)
        return _mean_over_pairs(agreement[:, None, :], copies)

    return score


def _mean_over_pairs(agreement: FloatArray, copies: FloatArray) -> FloatArray:
    """Average over pairs of systems, the last axis, as often as each was drawn."""
    return divide((copies * agreement).sum(axis=-1), copies.sum(axis=-1))


def _by_system_pairs(raw: RawScores, meta: str) -> Scorer:
    starts = np.flatnonzero(np.diff(raw.labels, prepend=-1))
    scorers = [
        np.add.reduceat(in_steps(matrix)[0], starts, axis=1) for matrix in (raw.gold, *raw.metrics)
    ]
    first, second = np.triu_indices(len(raw.gold), 1)

    def score(sample: Sample) -> FloatArray:
        weights = sample.units.astype(np.float64)
        copies = (sample.systems[:, first] * sample.systems[:, second]).astype(np.float64)
        gold = sampled_pvalues(scorers[0], weights)
        found = []
        for metric in scorers[1:]:
            pvalues, signs = sampled_pvalues(metric, weights)
            agreement = 1.0 - np.abs(gold[0] - pvalues) if meta == "spa" else gold[1] == signs
            found.append(_mean_over_pairs(agreement, copies))
        return np.array(found)

    return score


def _by_items(raw: RawScores, meta: str) -> Scorer:
    members = range(len(raw.metrics))
    sums = item_sums(raw.align(raw.shared_cells(members), members), meta)

    def score(sample: Sample) -> FloatArray:
        return divide(*(sums @ sample.units.T.astype(np.float64)))

    return score


def _one_by_one(raw: RawScores, meta: str) -> Scorer:
    function = meta_metric(meta)

    def score(sample: Sample) -> FloatArray:
        found = np.empty((len(raw.metrics), len(sample.units)))
        for column, (systems, units) in enumerate(zip(sample.systems, sample.units, strict=True)):
            rows = np.repeat(np.arange(len(systems)), systems)
            cells = np.ix_(rows, np.repeat(np.arange(len(raw.labels)), units[raw.labels]))
            options = _copies(meta, systems, units[raw.labels])
            for row, metric in enumerate(raw.metrics):
                found[row, column] = function(raw.gold[cells], metric[cells], **options).value
        return _without_copies(found, meta, sample.systems)

    def quiet(sample: Sample) -> FloatArray:
        with warnings.catch_warnings():
            # A value may be NaN then, which is counted.
            warnings.simplefilter("ignore", DegenerateDataWarning)
            return score(sample)

    return quiet


def _copies(meta: str, systems: IntArray, segments: IntArray) -> dict[str, int]:
    """Count the pairs of copies in a group of tau-c, by how often each was drawn."""
    if meta not in _OF_TAU_C:
        return {}
    drawn = {"item": systems, "by-system": segments, "seg": np.outer(systems, segments)}
    times = drawn[meta.removeprefix("tau-c-")]
    return {"n_copied_pairs": int((times * (times - 1)).sum()) // 2}


def _without_copies(values: FloatArray, meta: str, systems: IntArray) -> FloatArray:
    """Take pairs of copies of a system out of accuracies (metrics x samples): all of them agree.

    Every item has all systems, so the share of such pairs is the same in all items. The threshold
    of acc_eq does not change: what is left grows with the accuracy.
    """
    if meta not in _COUNTS_TIES:
        return values
    lowest, n_drawn = _COUNTS_TIES[meta], systems.sum(axis=1)
    share = (systems * (systems - 1)).sum(axis=1) / (n_drawn * (n_drawn - 1))
    return lowest + divide(values - lowest - share * (1.0 - lowest), 1.0 - share)
