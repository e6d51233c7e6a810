"""Spans from tags, by hand and against an independent reading of each scheme."""

import itertools

import pytest

from sigcore.errors import InputError
from sigcore.parsing.tagging import SCHEMES, Span, decode_tags, is_tag

# The same spans in every scheme: PER 0-2, LOC 2-3, LOC 3-5, then outside, PER 6-9.
SPANS = (Span(0, 2, "PER"), Span(2, 3, "LOC"), Span(3, 5, "LOC"), Span(6, 9, "PER"))
WRITTEN = {
    "iob1": "I-PER I-PER I-LOC B-LOC I-LOC O I-PER I-PER I-PER",
    "iob2": "B-PER I-PER B-LOC B-LOC I-LOC O B-PER I-PER I-PER",
    "iobes": "B-PER E-PER S-LOC B-LOC E-LOC O B-PER I-PER E-PER",
    "bilou": "B-PER L-PER U-LOC B-LOC L-LOC O B-PER I-PER L-PER",
    "bmes": "B-PER E-PER S-LOC B-LOC E-LOC O B-PER M-PER E-PER",
}


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_each_scheme_writes_the_same_spans(scheme, strict):
    decoded = decode_tags(WRITTEN[scheme].split(), scheme=scheme, strict=strict)
    assert decoded.spans == SPANS
    assert decoded.odd == ()


def encode(spans, length, scheme):
    """Write spans as tags; the definition of the schemes, told from the spans' side."""
    tags = ["O"] * length
    for index, (start, end, label) in enumerate(spans):
        letters = ["I"] * (end - start)
        if scheme in ("iobes", "bilou", "bmes"):
            letters = ["S"] if end - start == 1 else ["B", *"I" * (end - start - 2), "E"]
        elif scheme == "iob2" or (index and spans[index - 1][1:] == (start, label)):
            letters[0] = "B"
        names = {"bilou": {"E": "L", "S": "U"}, "bmes": {"I": "M"}}.get(scheme, {})
        for place, letter in enumerate(letters, start=start):
            tags[place] = f"{names.get(letter, letter)}-{label}"
    return tags


def all_annotations(length):
    """Yield every set of labelled spans without overlap."""
    for types in itertools.product(("X", "Y", None), repeat=length):
        for breaks in itertools.product((0, 1), repeat=length - 1):
            spans, start = [], 0
            for end in range(1, length + 1):
                same = end < length and types[end] == types[start]
                if same and not breaks[end - 1]:
                    continue
                if types[start] is not None:
                    spans.append(Span(start, end, types[start]))
                start = end
            yield tuple(spans)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_annotation_of_five_tokens_survives_writing_and_reading(scheme):
    for spans in sorted(set(all_annotations(5))):
        for strict in (False, True):
            decoded = decode_tags(encode(spans, 5, scheme), scheme=scheme, strict=strict)
            assert decoded.spans == spans
            assert decoded.odd == ()


# What conlleval makes of tags out of place: a chunk begins wherever a tag cannot continue one.
@pytest.mark.parametrize(
    ("scheme", "tags", "lenient", "strict", "odd"),
    [
        ("iob2", "O I-X I-X", [(1, 3, "X")], [], (1,)),
        ("iob2", "B-X I-Y O", [(0, 1, "X"), (1, 2, "Y")], [(0, 1, "X")], (1,)),
        ("iob2", "B-X O I-X", [(0, 1, "X"), (2, 3, "X")], [(0, 1, "X")], (2,)),
        ("iob1", "O B-X I-X", [(1, 3, "X")], [], (1,)),
        ("iob1", "I-X B-Y", [(0, 1, "X"), (1, 2, "Y")], [(0, 1, "X")], (1,)),
        ("iobes", "B-X I-X O", [(0, 2, "X")], [], (1,)),
        ("iobes", "B-X B-X E-X", [(0, 1, "X"), (1, 3, "X")], [(1, 3, "X")], (0,)),
        ("iobes", "O E-X O", [(1, 2, "X")], [], (1,)),
        ("iobes", "E-X E-X", [(0, 1, "X"), (1, 2, "X")], [], (0, 1)),
        ("iobes", "O I-X O", [(1, 2, "X")], [], (1,)),
        ("iobes", "B-X S-X", [(0, 1, "X"), (1, 2, "X")], [(1, 2, "X")], (0,)),
        ("bmes", "B-X M-X", [(0, 2, "X")], [], (1,)),
    ],
)
def test_tags_out_of_place_are_read_or_dropped_and_always_reported(
    scheme, tags, lenient, strict, odd
):
    read = decode_tags(tags.split(), scheme=scheme)
    assert [tuple(span) for span in read.spans] == lenient
    assert read.odd == odd
    dropped = decode_tags(tags.split(), scheme=scheme, strict=True)
    assert [tuple(span) for span in dropped.spans] == strict
    assert dropped.odd == odd


def test_letters_without_a_type_segment_words():
    assert decode_tags(list("BMESSBE"), scheme="bmes").spans == (
        Span(0, 3, ""),
        Span(3, 4, ""),
        Span(4, 5, ""),
        Span(5, 7, ""),
    )


def test_a_type_may_contain_a_dash():
    assert decode_tags(["B-B-PER", "I-B-PER"]).spans == (Span(0, 2, "B-PER"),)


def test_no_tags_give_no_spans():
    assert decode_tags([]).spans == ()


def test_tags_of_another_scheme_and_unknown_schemes_are_refused():
    with pytest.raises(InputError, match=r"`tags` must begin with one of B, I, O; got 'S-PER'"):
        decode_tags(["O", "S-PER"])
    with pytest.raises(InputError, match=r"`scheme` must be one of 'iob1'"):
        decode_tags(["O"], scheme="iob")
    assert not is_tag("O-PER", scheme="iob2")
    assert not is_tag("", scheme="iob2")
    assert is_tag("U-PER", scheme="bilou")
