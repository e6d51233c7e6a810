"""Spans from tags: IOB1, IOB2, IOBES (BIOES, BILOU) and BMES."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sigcore.errors import InputError
from sigcore.validation import as_choice

__all__ = ["SCHEMES", "DecodedTags", "Span", "decode_tags", "is_tag"]

# Letters of each scheme and what they mean: begin, inside, end, single, outside.
_LETTERS = {
    "iob1": dict(zip("BIO", "BIO", strict=True)),
    "iob2": dict(zip("BIO", "BIO", strict=True)),
    "iobes": dict(zip("BIESO", "BIESO", strict=True)),
    "bilou": dict(zip("BILUO", "BIESO", strict=True)),
    "bmes": dict(zip("BMESO", "BIESO", strict=True)),
}
SCHEMES = tuple(_LETTERS)


class Span(NamedTuple):
    """A labelled stretch of tokens.

    Attributes
    ----------
    start, end : int
        First token, and the one after the last, counted from 0.
    type : str
        Label; empty where tags have none, as in word segmentation.
    """

    start: int
    end: int
    type: str


@dataclass(frozen=True, slots=True)
class DecodedTags:
    """Spans of a sentence.

    Attributes
    ----------
    spans : tuple of Span
        The spans in order.
    odd : tuple of int
        Positions of tags that the scheme does not allow where they are.
    """

    spans: tuple[Span, ...]
    odd: tuple[int, ...]


def decode_tags(tags: Sequence[str], *, scheme: str = "iob2", strict: bool = False) -> DecodedTags:
    """Find the spans that the tags of a sentence mark.

    Parameters
    ----------
    tags : sequence of str
        Tags like ``B-PER``, ``I-PER`` and ``O``, or bare letters.
    scheme : {"iob1", "iob2", "iobes", "bilou", "bmes"}
        IOB2 begins each span with B, IOB1 only one that follows another of its type. The others
        mark the last token with E (in BILOU L) and a span of one token with S (U); BMES has M for
        inside.
    strict : bool
        What to do with sequences that the scheme does not allow, such as I after O in IOB2. False
        reads them as conlleval does: a tag of another type or one that cannot continue a span
        begins a new one, and a span without end ends where it stops. True drops spans that have
        such a fault.

    Returns
    -------
    DecodedTags
        The spans, and the positions of tags out of place.

    References
    ----------
    Tjong Kim Sang, E. F. and Veenstra, J. (1999). Representing text chunks. EACL. (IOB1, IOB2.)

    Examples
    --------
    >>> decode_tags(["B-PER", "I-PER", "O", "I-LOC"]).spans
    (Span(start=0, end=2, type='PER'), Span(start=3, end=4, type='LOC'))
    """
    as_choice(scheme, "scheme", SCHEMES)
    decoder = _Decoder(scheme)
    for position, tag in enumerate(tags):
        if not is_tag(tag, scheme=scheme):
            letters = ", ".join(_LETTERS[scheme])
            raise InputError(f"`tags` must begin with one of {letters}; got {tag!r}.")
        letter, _, label = tag.partition("-")
        decoder.take(position, _LETTERS[scheme][letter], label)
    decoder.close(len(tags), finished=False)
    spans = [span for span, sound in decoder.spans if sound or not strict]
    return DecodedTags(tuple(spans), tuple(dict.fromkeys(decoder.odd)))


def is_tag(tag: str, *, scheme: str) -> bool:
    """Tell whether a tag is one of the scheme."""
    letter, _, label = tag.partition("-")
    meaning = _LETTERS[as_choice(scheme, "scheme", SCHEMES)].get(letter)
    return meaning is not None and not (meaning == "O" and label)


class _Decoder:
    """Holds the span that is open while it goes through the tags."""

    def __init__(self, scheme: str) -> None:
        self.marks_ends = "E" in _LETTERS[scheme].values()
        self.marks_starts = scheme != "iob1"
        self.spans: list[tuple[Span, bool]] = []
        self.odd: list[int] = []
        self.start: int | None = None
        self.type = ""
        self.sound = True
        self.last: Span | None = None

    def take(self, position: int, letter: str, label: str) -> None:
        """Take the next tag."""
        if letter in "IE" and self.start is not None and label == self.type:
            if letter == "E":
                self.close(position + 1, finished=True)
            return
        self.close(position, finished=False)
        if letter == "O":
            return
        self.start, self.type = position, label
        self.sound = letter in self._openers(position, label)
        if not self.sound:
            self.odd.append(position)
        if letter in "ES":
            self.close(position + 1, finished=True)

    def close(self, end: int, *, finished: bool) -> None:
        """End the open span, if there is one; `finished` says that a tag marked its end."""
        if self.start is None:
            return
        if self.marks_ends and not finished:
            self.odd.append(end - 1)
            self.sound = False
        self.last = Span(self.start, end, self.type)
        self.spans.append((self.last, self.sound))
        self.start = None

    def _openers(self, position: int, label: str) -> str:
        """Return the letters that may begin a span here."""
        if self.marks_starts:
            return "BS"
        follows = self.last is not None and self.last.end == position and self.last.type == label
        return "B" if follows else "I"
