import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sigcore.bayes.tagsets import READABLE, TAG_SETS, chunks_of_tags, is_tag_of, tags_of_chunks
from sigcore.errors import InputError
from sigcore.parsing.tagging import Span

# Chunks of one to six tokens, as Zhao, Huang and Li (2006) and the CoNLL tasks tag them.
WORDS = {
    "iob2": ["B", "B I", "B I I", "B I I I", "B I I I I", "B I I I I I"],
    "iobes": ["S", "B E", "B I E", "B I I E", "B I I I E", "B I I I I E"],
    "bmes": ["S", "B E", "B M E", "B M M E", "B M M M E", "B M M M M E"],
    "bb2b3mes": ["S", "B E", "B B2 E", "B B2 B3 E", "B B2 B3 M E", "B B2 B3 M M E"],
}


@pytest.mark.parametrize("tag_set", TAG_SETS)
def test_chunks_of_each_length_have_the_tags_of_the_definition(tag_set):
    for length, tags in enumerate(WORDS[tag_set], start=1):
        assert tags_of_chunks([Span(0, length, "")], length, tag_set=tag_set) == tags.split()


def test_tokens_outside_have_o_and_types_follow_a_dash():
    tags = tags_of_chunks([Span(1, 3, "PER"), Span(3, 4, "LOC")], 5, tag_set="iobes")
    assert tags == ["O", "B-PER", "E-PER", "S-LOC", "O"]


@st.composite
def sentences(draw):
    parts = draw(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 6)), max_size=5))
    typed = draw(st.booleans())
    chunks, position = [], 0
    for gap, length in parts:
        start = position + gap
        position = start + length
        chunks.append(Span(start, position, draw(st.sampled_from("AB")) if typed else ""))
    return chunks, position + draw(st.integers(0, 2))


@given(sentences(), st.sampled_from(TAG_SETS))
@settings(deadline=None, derandomize=True, max_examples=300)
def test_tags_give_back_their_chunks(sentence, tag_set):
    chunks, length = sentence
    tags = tags_of_chunks(chunks, length, tag_set=tag_set)
    assert len(tags) == length
    assert all(is_tag_of(tag, tag_set) for tag in tags)
    assert chunks_of_tags(tags, tag_set=tag_set) == tuple(chunks)


@given(sentences())
@settings(deadline=None, derandomize=True, max_examples=100)
def test_iob2_is_what_a_regular_expression_reads(sentence):
    chunks, length = sentence
    tags = tags_of_chunks(chunks, length, tag_set="iob2")
    letters = "".join(tag[0] for tag in tags)
    found = [match.span() for match in re.finditer("BI*", letters)]
    assert found == [(chunk.start, chunk.end) for chunk in chunks]


def test_a_model_may_predict_what_is_not_allowed():
    # The second and third place of a word that never began, as inside tags without a begin.
    assert chunks_of_tags(["B2", "E", "S", "B"], tag_set="bb2b3mes") == (
        Span(0, 2, ""),
        Span(2, 3, ""),
        Span(3, 4, ""),
    )


@pytest.mark.parametrize(
    ("tag", "tag_set", "expected"),
    [
        ("B2", "bb2b3mes", True),
        ("B3-X", "bb2b3mes", True),
        ("B2", "bmes", False),
        ("B4", "bb2b3mes", False),
        ("I", "bb2b3mes", False),
        ("O-X", "bb2b3mes", False),
        ("E-X", "iob2", False),
        ("", "iob2", False),
    ],
)
def test_tags_of_other_sets_are_told_apart(tag, tag_set, expected):
    assert is_tag_of(tag, tag_set) is expected


def test_what_cannot_be_written_is_refused():
    with pytest.raises(InputError, match="must lie within the 3 tokens"):
        tags_of_chunks([Span(1, 4, "")], 3)
    with pytest.raises(InputError, match="must not overlap"):
        tags_of_chunks([Span(0, 2, ""), Span(1, 3, "")], 3)
    with pytest.raises(InputError, match="`tag_set` must be one of"):
        tags_of_chunks([], 3, tag_set="iob1")
    assert set(TAG_SETS) < set(READABLE)
