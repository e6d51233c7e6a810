"""Annotated sentences and how many spans of a system match those of the gold standard."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.parsing.scores import SentenceScores
from sigcore.parsing.tagging import Span

__all__ = ["Annotation", "align", "count_spans", "count_spans_by_type"]


@dataclass(frozen=True, slots=True)
class Annotation:
    """Spans of each sentence.

    Attributes
    ----------
    name : str
        Name of the system, or of the gold standard.
    sentences : tuple of str
        Labels of the sentences, each once.
    spans : tuple of tuple of Span
        Spans of each sentence.
    lengths : tuple of int, optional
        Number of tokens of each sentence; None where the file does not say.
    tokens : tuple of tuple of str, optional
        The tokens; None where the file has none.
    is_open : bool
        Whether a sentence without spans may be missing.
    """

    name: str
    sentences: tuple[str, ...]
    spans: tuple[tuple[Span, ...], ...]
    lengths: tuple[int, ...] | None = None
    tokens: tuple[tuple[str, ...], ...] | None = None
    is_open: bool = False


def align(gold: Annotation, *systems: Annotation) -> tuple[Annotation, ...]:
    """Return gold standard and systems with the same sentences.

    Parameters
    ----------
    gold, *systems : Annotation
        The annotations.

    Returns
    -------
    tuple of Annotation
        In the order given. Where the format leaves out sentences without spans, those that another
        annotation has are filled in. The others are returned as they are.

    Raises
    ------
    InputError
        If sentences, their lengths or their tokens differ; the message has the first difference.
    """
    labels = dict.fromkeys(
        label for annotation in (gold, *systems) for label in annotation.sentences
    )
    aligned = tuple(_fill(annotation, tuple(labels)) for annotation in (gold, *systems))
    for system in aligned[1:]:
        _check_same_text(aligned[0], system)
    return aligned


def count_spans(gold: Annotation, system: Annotation, *, type: str | None = None) -> SentenceScores:
    """Count the spans of each sentence that gold standard and system share.

    Parameters
    ----------
    gold, system : Annotation
        Annotations of the same sentences; see `align`.
    type : str, optional
        Count spans of this type only.

    Returns
    -------
    SentenceScores
        Matching spans have the same start, end and type. A span that one side has twice matches
        twice only if the other has it twice.
    """
    _check_same_text(gold, system)
    wanted = [
        [Counter(span for span in spans if type in (None, span.type)) for spans in side.spans]
        for side in (gold, system)
    ]
    matched = [(first & second).total() for first, second in zip(*wanted, strict=True)]
    gold_counts, system_counts = ([spans.total() for spans in side] for side in wanted)
    return SentenceScores(
        name=system.name,
        sentences=gold.sentences,
        length=_integers(gold.lengths or (0,) * len(gold.sentences)),
        matched=_integers(matched),
        gold=_integers(gold_counts),
        test=_integers(system_counts),
    )


def count_spans_by_type(gold: Annotation, system: Annotation) -> dict[str, SentenceScores]:
    """Count matching spans separately for each type, in alphabetical order; see `count_spans`."""
    types = {span.type for side in (gold, system) for spans in side.spans for span in spans}
    return {name: count_spans(gold, system, type=name) for name in sorted(types)}


def _fill(annotation: Annotation, labels: tuple[str, ...]) -> Annotation:
    if not annotation.is_open:
        return annotation
    spans = dict(zip(annotation.sentences, annotation.spans, strict=True))
    return replace(
        annotation, sentences=labels, spans=tuple(spans.get(label, ()) for label in labels)
    )


def _check_same_text(gold: Annotation, system: Annotation) -> None:
    if len(gold.sentences) != len(system.sentences):
        raise InputError(
            f"{gold.name} has {len(gold.sentences)} sentences, {system.name} "
            f"{len(system.sentences)}."
        )
    for label, other in zip(gold.sentences, system.sentences, strict=True):
        if label != other:
            raise InputError(f"{gold.name} has sentence {label} where {system.name} has {other}.")
    if gold.lengths is not None and system.lengths is not None:
        for label, left, right in zip(gold.sentences, gold.lengths, system.lengths, strict=True):
            if left != right:
                raise InputError(
                    f"{gold.name} has {left} tokens in sentence {label}, {system.name} {right}."
                )
    if gold.tokens is not None and system.tokens is not None:
        _check_same_tokens(gold, system)


def _check_same_tokens(gold: Annotation, system: Annotation) -> None:
    pairs = zip(gold.sentences, gold.tokens or (), system.tokens or (), strict=True)
    for label, first, second in pairs:
        for position, (left, right) in enumerate(zip(first, second, strict=True), start=1):
            if left != right:
                raise InputError(
                    f"{gold.name} has {left!r} as token {position} of sentence {label}, "
                    f"{system.name} has {right!r}."
                )


def _integers(values: Sequence[int]) -> npt.NDArray[np.int64]:
    return np.array(values, dtype=np.int64)
