"""What parsers are compared by: each measure as hits and errors, sentence by sentence."""

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.parsing.pairing import ScorePair
from sigcore.parsing.scores import SentenceScores
from sigcore.parsing.shuffling import HitCounts

__all__ = ["MEASURES", "default_measures", "measure_counts", "measure_value", "rounded_counts"]

MEASURES = ("recall", "precision", "f1", "complete_match", "crossing", "accuracy")

# Percentages have two decimals, so in these steps they are whole numbers.
_STEPS = 10_000


def default_measures(pair: ScorePair) -> tuple[str, ...]:
    """Return the measures that the counts allow: those of evalb, or accuracy alone.

    Accuracy stands for all of them where systems cannot have more or fewer items than the gold
    standard, as with tags and heads.
    """
    if _is_accuracy(pair.a) and _is_accuracy(pair.b) and pair.a.crossing is None:
        return ("accuracy",)
    measures = ("recall", "precision", "f1", "complete_match")
    return measures if pair.a.crossing is None else (*measures, "crossing")


def measure_counts(pair: ScorePair, measure: str) -> tuple[HitCounts, HitCounts]:
    """Return hits and errors of both parsers.

    Parameters
    ----------
    pair : ScorePair
        The counts.
    measure : {"recall", "precision", "f1", "complete_match", "crossing", "accuracy"}
        "complete_match" is the share of sentences with exactly the gold brackets, "crossing" the
        mean number of crossing brackets, where less is better.
    """
    if measure == "complete_match":
        return _as_share(pair.a.complete, 1), _as_share(pair.b.complete, 1)
    if measure == "crossing":
        first, second = pair.a.crossing, pair.b.crossing
        if first is None or second is None:
            raise InputError("`measures` has 'crossing', but the counts have no crossing brackets.")
        # Any common bound makes a share of the counts; the test does not depend on it.
        bound = max(1, int(first.max()), int(second.max()))
        return _as_share(first, bound), _as_share(second, bound)
    if measure == "accuracy" and not (_is_accuracy(pair.a) and _is_accuracy(pair.b)):
        raise InputError("`measures` has 'accuracy', but gold standard and system differ in size.")
    return _bracket_counts(pair.a, measure), _bracket_counts(pair.b, measure)


def rounded_counts(pair: ScorePair, measure: str) -> tuple[HitCounts, HitCounts]:
    """Return hits and errors in steps of 0.01 %, from percentages as printed.

    Bikel's script multiplies the printed percentage of a sentence with its number of brackets
    instead of using the number of matched ones, so its sums are slightly off.
    """
    if measure not in ("recall", "precision"):
        raise InputError(f"`rounded` is for recall and precision; got {measure!r} in `measures`.")
    return _rounded(pair.a, measure), _rounded(pair.b, measure)


def measure_value(scores: SentenceScores, measure: str, counts: HitCounts) -> float:
    """Return the measure over all sentences; 0/0 is 0."""
    hits, errors = int(counts.hits.sum()), int(counts.errors.sum())
    if measure == "crossing":
        return hits / scores.n_sentences
    total = counts.weight * hits + errors
    return counts.weight * hits / total if total else 0.0


def _is_accuracy(scores: SentenceScores) -> bool:
    return bool(np.all(scores.gold == scores.test))


def _as_share(values: npt.NDArray[np.int64], bound: int) -> HitCounts:
    return HitCounts(values, bound - values)


def _bracket_counts(scores: SentenceScores, measure: str) -> HitCounts:
    matched, gold, test = scores.matched, scores.gold, scores.test
    if measure == "f1":
        return HitCounts(matched, gold + test - 2 * matched, weight=2)
    return HitCounts(matched, (test if measure == "precision" else gold) - matched)


def _rounded(scores: SentenceScores, measure: str) -> HitCounts:
    percent = scores.recall_percent if measure == "recall" else scores.precision_percent
    if percent is None:
        raise InputError(f"`rounded` needs printed percentages; {scores.name} has none.")
    size = scores.gold if measure == "recall" else scores.test
    hits = np.rint(percent * (_STEPS // 100)).astype(np.int64) * size
    return HitCounts(hits, _STEPS * size - hits)
