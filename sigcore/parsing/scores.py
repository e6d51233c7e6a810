"""Counts of a parser or tagger, sentence by sentence, and what evalb sums up from them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.validation import as_count

__all__ = [
    "ERROR",
    "SKIPPED",
    "VALID",
    "ScoreSummary",
    "SentenceScores",
    "cut_off",
    "summarise",
]

# As evalb's own summaries count them; the comments in its source and README have 1 and 2 reversed.
VALID, ERROR, SKIPPED = 0, 1, 2

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

# Sums of counts and products of two sums stay within 64 bits.
_LARGEST_COUNT = 10**9


@dataclass(frozen=True, slots=True, eq=False)
class SentenceScores:
    """Counts of one system against the gold standard, one entry a sentence.

    Attributes
    ----------
    name : str
        Name of the system.
    sentences : tuple of str
        Labels of the sentences, each once.
    length : ndarray of int
        Number of tokens.
    matched, gold, test : ndarray of int
        Brackets (spans, arcs, tags) that match, that the gold standard has, that the system has.
    status : ndarray of int, optional
        `VALID`, `ERROR` (evalb could not align the two trees) or `SKIPPED` (the system gave none).
        The default is all valid.
    crossing : ndarray of int, optional
        Brackets of the system that cross a gold bracket.
    words, tags : ndarray of int, optional
        Words evalb counted, and those with the right part of speech.
    recall_percent, precision_percent : ndarray of float, optional
        Percentages as printed, rounded to two decimals.
    """

    name: str
    sentences: tuple[str, ...]
    length: IntArray
    matched: IntArray
    gold: IntArray
    test: IntArray
    status: IntArray | None = None
    crossing: IntArray | None = None
    words: IntArray | None = None
    tags: IntArray | None = None
    recall_percent: FloatArray | None = None
    precision_percent: FloatArray | None = None

    def __post_init__(self) -> None:
        labels = _as_labels(self.sentences)
        object.__setattr__(self, "sentences", labels)
        if self.status is None:
            object.__setattr__(self, "status", np.zeros(len(labels), dtype=np.int64))
        for field in ("length", "matched", "gold", "test", "status", "crossing", "words", "tags"):
            if getattr(self, field) is not None:
                counts = _as_counts(getattr(self, field), field, len(labels))
                object.__setattr__(self, field, counts)
        for field in ("recall_percent", "precision_percent"):
            if getattr(self, field) is not None:
                percent = _as_percent(getattr(self, field), field, len(labels))
                object.__setattr__(self, field, percent)
        _check_counts(self)

    @property
    def n_sentences(self) -> int:
        """Number of sentences, valid or not."""
        return len(self.sentences)

    @property
    def valid(self) -> npt.NDArray[np.bool_]:
        """True where the sentence counts."""
        return np.asarray(self.status == VALID)

    @property
    def complete(self) -> IntArray:
        """1 where the sentence is valid and the system has exactly the gold brackets, else 0."""
        complete = self.valid & (self.matched == self.gold) & (self.matched == self.test)
        return np.asarray(complete, dtype=np.int64)

    def select(self, mask: npt.NDArray[np.bool_]) -> "SentenceScores":
        """Return the scores of the sentences where `mask` is true."""
        labels = tuple(
            label for label, keep in zip(self.sentences, mask.tolist(), strict=True) if keep
        )
        arrays: dict[str, Any] = {
            field: None if getattr(self, field) is None else getattr(self, field)[mask]
            for field in _ARRAYS
        }
        return SentenceScores(name=self.name, sentences=labels, **arrays)


@dataclass(frozen=True, slots=True)
class ScoreSummary:
    """What evalb prints under "Summary"; rates lie between 0 and 1.

    Attributes
    ----------
    n_sentences, n_error, n_skipped, n_valid : int
        Numbers of sentences. All rates are over the valid ones.
    recall, precision, f1 : float
        From summed counts; 0 where the denominator is 0.
    complete_match : float
        Share of sentences with exactly the gold brackets.
    average_crossing : float
        Crossing brackets a sentence; NaN without such counts, like the next two.
    no_crossing, two_or_less_crossing : float
        Share of sentences with no, with at most two crossing brackets.
    tagging_accuracy : float
        Share of words with the right part of speech; NaN without such counts.
    """

    n_sentences: int
    n_error: int
    n_skipped: int
    n_valid: int
    recall: float
    precision: float
    f1: float
    complete_match: float
    average_crossing: float
    no_crossing: float
    two_or_less_crossing: float
    tagging_accuracy: float


def cut_off(scores: SentenceScores, cutoff: int | None) -> SentenceScores:
    """Return the scores of sentences of at most `cutoff` tokens; None keeps all."""
    if cutoff is None:
        return scores
    return scores.select(scores.length <= as_count(cutoff, "cutoff"))


def summarise(scores: SentenceScores) -> ScoreSummary:
    """Sum up as evalb does.

    Parameters
    ----------
    scores : SentenceScores
        Counts of a system.

    Returns
    -------
    ScoreSummary
        Sentences with an error and skipped sentences are counted but enter no rate.
    """
    valid, status = scores.valid, np.asarray(scores.status)
    n_valid = int(valid.sum())
    matched, gold, test = (
        int(counts[valid].sum()) for counts in (scores.matched, scores.gold, scores.test)
    )
    crossing = None if scores.crossing is None else scores.crossing[valid]
    return ScoreSummary(
        n_sentences=scores.n_sentences,
        n_error=int((status == ERROR).sum()),
        n_skipped=int((status == SKIPPED).sum()),
        n_valid=n_valid,
        recall=_ratio(matched, gold),
        precision=_ratio(matched, test),
        f1=_ratio(2 * matched, gold + test),
        complete_match=_ratio(int(scores.complete[valid].sum()), n_valid),
        average_crossing=_rate(crossing, n_valid),
        no_crossing=_rate(None if crossing is None else crossing == 0, n_valid),
        two_or_less_crossing=_rate(None if crossing is None else crossing <= 2, n_valid),
        tagging_accuracy=_tagging(scores),
    )


_ARRAYS = (
    "length",
    "matched",
    "gold",
    "test",
    "status",
    "crossing",
    "words",
    "tags",
    "recall_percent",
    "precision_percent",
)


def _as_labels(sentences: Sequence[str]) -> tuple[str, ...]:
    labels = tuple(str(label) for label in sentences)
    if len(dict.fromkeys(labels)) < len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        raise InputError(f"`sentences` must have each label once; {twice!r} comes twice.")
    return labels


def _as_counts(values: npt.ArrayLike, name: str, n_sentences: int) -> IntArray:
    array = np.asarray(values)
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise InputError(f"`{name}` must hold whole numbers; got {array.dtype}.")
    if array.shape != (n_sentences,):
        raise InputError(f"`{name}` must have shape ({n_sentences},); got {array.shape}.")
    if array.size and not 0 <= int(array.min()) <= int(array.max()) <= _LARGEST_COUNT:
        raise InputError(f"`{name}` must lie between 0 and {_LARGEST_COUNT}.")
    return array.astype(np.int64)


def _as_percent(values: npt.ArrayLike, name: str, n_sentences: int) -> FloatArray:
    array = np.asarray(values, dtype=np.float64)
    if array.shape != (n_sentences,):
        raise InputError(f"`{name}` must have shape ({n_sentences},); got {array.shape}.")
    if not np.all((array >= 0) & (array <= 100)):
        raise InputError(f"`{name}` must lie between 0 and 100.")
    return array


def _check_counts(scores: SentenceScores) -> None:
    if scores.status is not None and scores.n_sentences and scores.status.max() > SKIPPED:
        raise InputError(f"`status` must be {VALID}, {ERROR} or {SKIPPED}.")
    limits = [("matched", scores.matched, "gold", scores.gold)]
    limits += [("matched", scores.matched, "test", scores.test)]
    if scores.tags is not None and scores.words is not None:
        limits += [("tags", scores.tags, "words", scores.words)]
    for name, counts, limit_name, limit in limits:
        bad = np.flatnonzero(scores.valid & (counts > limit))
        if bad.size:
            label = scores.sentences[bad[0]]
            raise InputError(
                f"`{name}` must not exceed `{limit_name}`; got {counts[bad[0]]} and "
                f"{limit[bad[0]]} in sentence {label}."
            )


def _ratio(numerator: int, denominator: int) -> float:
    return numerator / denominator if denominator else 0.0


def _rate(counts: npt.NDArray[np.generic] | None, n_valid: int) -> float:
    return float("nan") if counts is None else _ratio(int(counts.sum()), n_valid)


def _tagging(scores: SentenceScores) -> float:
    if scores.words is None or scores.tags is None:
        return float("nan")
    return _ratio(int(scores.tags[scores.valid].sum()), int(scores.words[scores.valid].sum()))
