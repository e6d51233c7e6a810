"""Two parsers on the same sentences: refuse what does not fit, treat what was not scored."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.parsing.scores import SentenceScores, cut_off
from sigcore.validation import as_choice

__all__ = ["NOT_SCORED", "ScorePair", "pair_scores"]

NOT_SCORED = ("drop", "fail", "keep")


@dataclass(frozen=True, slots=True, eq=False)
class ScorePair:
    """Counts of two parsers on the same sentences.

    Attributes
    ----------
    a, b : SentenceScores
        The counts that enter the comparison.
    n_too_long : int
        Sentences beyond the cut-off.
    not_scored : tuple of str
        Sentences within the cut-off that evalb scored for one parser only or for none.
    n_dropped : int
        How many of these were dropped.
    """

    a: SentenceScores
    b: SentenceScores
    n_too_long: int
    not_scored: tuple[str, ...]
    n_dropped: int


def pair_scores(
    a: SentenceScores, b: SentenceScores, *, cutoff: int | None = None, not_scored: str = "drop"
) -> ScorePair:
    """Bring the counts of two parsers together.

    Parameters
    ----------
    a, b : SentenceScores
        The counts.
    cutoff : int, optional
        Longest sentence to use.
    not_scored : {"drop", "fail", "keep"}
        What to do with a sentence that is not valid for one of the parsers. "drop" leaves it out
        for both. "fail" lets the parser without a score fail: it finds none of the gold brackets
        the other file tells of; a sentence without a score in both is dropped. "keep" takes the
        counts as they are, nought in evalb's output, so that the sentence counts for one parser
        only; Bikel's script does that.

    Returns
    -------
    ScorePair
        The paired counts.

    Raises
    ------
    InputError
        If the sentences, their lengths or their gold brackets differ, or none is left.
    """
    as_choice(not_scored, "not_scored", NOT_SCORED)
    _check_same_sentences(a, b)
    short_a, short_b = cut_off(a, cutoff), cut_off(b, cutoff)
    unscored = ~(short_a.valid & short_b.valid)
    labels = tuple(np.array(short_a.sentences, dtype=object)[unscored])
    keep = np.ones_like(unscored)
    if not_scored == "drop":
        keep = ~unscored
    elif not_scored == "fail":
        keep = short_a.valid | short_b.valid
        short_a, short_b = _fail(short_a, short_b), _fail(short_b, short_a)
    if not keep.any():
        raise InputError(
            f"{a.name} and {b.name} have no sentence to compare: of {a.n_sentences}, "
            f"{a.n_sentences - short_a.n_sentences} are too long and {len(labels)} not scored."
        )
    return ScorePair(
        a=short_a.select(keep),
        b=short_b.select(keep),
        n_too_long=a.n_sentences - short_a.n_sentences,
        not_scored=labels,
        n_dropped=int(np.count_nonzero(~keep)),
    )


def _check_same_sentences(a: SentenceScores, b: SentenceScores) -> None:
    for label, other in zip(a.sentences, b.sentences, strict=False):
        if label != other:
            raise InputError(f"{a.name} has sentence {label} where {b.name} has {other}.")
    if a.n_sentences != b.n_sentences:
        longer, shorter = (a, b) if a.n_sentences > b.n_sentences else (b, a)
        raise InputError(
            f"{longer.name} has sentence {longer.sentences[shorter.n_sentences]}, "
            f"{shorter.name} ends before it ({longer.n_sentences} and {shorter.n_sentences} "
            "sentences)."
        )
    _check_equal(a, b, "length", np.ones(a.n_sentences, dtype=np.bool_))
    # Where evalb did not score a sentence it prints 0 gold brackets.
    _check_equal(a, b, "gold", a.valid & b.valid)


def _check_equal(
    a: SentenceScores, b: SentenceScores, column: str, where: npt.NDArray[np.bool_]
) -> None:
    first, second = getattr(a, column), getattr(b, column)
    different = np.flatnonzero(where & (first != second))
    if different.size:
        index = different[0]
        raise InputError(
            f"{a.name} and {b.name} differ in `{column}` of sentence {a.sentences[index]}: "
            f"{first[index]} and {second[index]}; they must be scored against the same trees."
        )


def _fail(scores: SentenceScores, other: SentenceScores) -> SentenceScores:
    """Score sentences that only `other` has a score for as not parsed."""
    failed = ~scores.valid & other.valid

    emptied: dict[str, Any] = {
        column: np.where(failed, 0, getattr(scores, column))
        for column in _EMPTIED
        if getattr(scores, column) is not None
    }
    return replace(scores, gold=np.where(failed, other.gold, scores.gold), **emptied)


# What a sentence without a tree has none of; status 0 makes it count.
_EMPTIED = (
    "status",
    "matched",
    "test",
    "crossing",
    "words",
    "tags",
    "recall_percent",
    "precision_percent",
)
