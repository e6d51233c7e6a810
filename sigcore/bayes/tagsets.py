"""Tag sets of chunking models: from chunks to tags and back.

IOB2 marks the first token of a chunk and the others. IOBES also marks the last token and chunks of
one token; BMES is the same with other letters, for word segmentation. BB2B3MES marks the second
and the third token too.
"""

from collections.abc import Sequence

from sigcore.errors import InputError
from sigcore.parsing.tagging import SCHEMES, Span, decode_tags, is_tag
from sigcore.validation import as_choice

__all__ = ["READABLE", "TAG_SETS", "chunks_of_tags", "is_tag_of", "tags_of_chunks"]

# What a model can be trained with, and what a corpus can be read from.
TAG_SETS = ("iob2", "iobes", "bmes", "bb2b3mes")
READABLE = (*SCHEMES, "bb2b3mes")

OUTSIDE = "O"


def tags_of_chunks(chunks: Sequence[Span], length: int, *, tag_set: str = "iob2") -> list[str]:
    """Write the chunks of a sentence as one tag a token.

    Parameters
    ----------
    chunks : sequence of Span
        Chunks that do not overlap.
    length : int
        Number of tokens.
    tag_set : {"iob2", "iobes", "bmes", "bb2b3mes"}
        The tags to use.

    Returns
    -------
    list of str
        A letter, followed by a dash and the type for chunks that have one; O outside of chunks.

    References
    ----------
    BB2B3MES: Zhao, H., Huang, C.-N. and Li, M. (2006). An improved Chinese word segmentation
    system with conditional random field. SIGHAN, 162-165.

    Examples
    --------
    >>> tags_of_chunks([Span(0, 5, ""), Span(5, 6, "")], 6, tag_set="bb2b3mes")
    ['B', 'B2', 'B3', 'M', 'E', 'S']
    >>> tags_of_chunks([Span(1, 3, "PER")], 4, tag_set="iobes")
    ['O', 'B-PER', 'E-PER', 'O']
    """
    as_choice(tag_set, "tag_set", TAG_SETS)
    tags = [OUTSIDE] * length
    for start, end, label in chunks:
        if not 0 <= start < end <= length:
            raise InputError(
                f"`chunks` must lie within the {length} tokens of the sentence; got {start} to "
                f"{end}."
            )
        if any(tag != OUTSIDE for tag in tags[start:end]):
            raise InputError(f"`chunks` must not overlap; one that begins at {start} does.")
        letters = _letters(end - start, tag_set)
        tags[start:end] = [f"{letter}-{label}" if label else letter for letter in letters]
    return tags


def chunks_of_tags(tags: Sequence[str], *, tag_set: str = "iob2") -> tuple[Span, ...]:
    """Find the chunks that the tags of a sentence mark.

    Parameters
    ----------
    tags : sequence of str
        The tags.
    tag_set : {"iob1", "iob2", "iobes", "bilou", "bmes", "bb2b3mes"}
        What they mean.

    Returns
    -------
    tuple of Span
        The chunks in order. Sequences that the tag set does not allow, which a model may predict,
        are read as conlleval does; see `sigcore.parsing.tagging.decode_tags`.

    Examples
    --------
    >>> chunks_of_tags(["B", "B2", "E", "S"], tag_set="bb2b3mes")
    (Span(start=0, end=3, type=''), Span(start=3, end=4, type=''))
    """
    as_choice(tag_set, "tag_set", READABLE)
    if tag_set != "bb2b3mes":
        return decode_tags(tags, scheme=tag_set).spans
    # The second and third token are inside; what they add is for the model to learn.
    return decode_tags([_as_bmes(tag) for tag in tags], scheme="bmes").spans


def is_tag_of(tag: str, tag_set: str) -> bool:
    """Tell whether a tag is one of the tag set."""
    if tag_set != "bb2b3mes":
        return is_tag(tag, scheme=tag_set)
    return is_tag(_as_bmes(tag), scheme="bmes")


def _letters(length: int, tag_set: str) -> list[str]:
    """Return the letters of a chunk of this many tokens."""
    if tag_set == "iob2":
        return ["B"] + ["I"] * (length - 1)
    if length == 1:
        return ["S"]
    inside = ["I" if tag_set == "iobes" else "M"] * (length - 2)
    if tag_set == "bb2b3mes":
        inside[:2] = ["B2", "B3"][: len(inside)]
    return ["B", *inside, "E"]


def _as_bmes(tag: str) -> str:
    letter, dash, label = tag.partition("-")
    return f"M{dash}{label}" if letter in ("B2", "B3") else tag
