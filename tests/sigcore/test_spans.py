"""Readers of span files and the counts they lead to."""

import json

import numpy as np
import pytest

from sigcore.errors import DataFileError, InputError
from sigcore.io.plain_spans import read_span_json, read_span_table
from sigcore.io.spans import read_tag_columns
from sigcore.parsing.annotation import align, count_spans, count_spans_by_type
from sigcore.parsing.tagging import Span

GOLD = """\
-DOCSTART- -X- O

U.N. NNP B-ORG
official NN O
Ekeus NNP B-PER
heads VBZ O
for IN O
Baghdad NNP B-LOC
. . O

Rolf NNP B-PER
Ekeus NNP I-PER
"""
TAGS = """\
O

B-ORG
O
B-PER
I-PER
O
O
O

B-PER
I-PER
"""


@pytest.fixture
def write(tmp_path):
    def to_file(text, name="file.1.txt"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return to_file


def test_columns_give_spans_tokens_and_lines(write):
    file = read_tag_columns(write(GOLD))
    annotation = file.annotation
    assert annotation.name == "file.1"
    assert annotation.sentences == ("1", "2")
    assert annotation.spans == (
        (Span(0, 1, "ORG"), Span(2, 3, "PER"), Span(5, 6, "LOC")),
        (Span(0, 2, "PER"),),
    )
    assert annotation.lengths == (7, 2)
    assert annotation.tokens[1] == ("Rolf", "Ekeus")
    assert file.lines == (3, 11)
    assert [(remark.line, remark.text) for remark in file.remarks] == [
        (1, "-DOCSTART- passed over")
    ]


@pytest.mark.parametrize(
    "text",
    [
        GOLD.replace(" ", "\t"),
        GOLD.replace("\n", "\r\n"),
        GOLD.replace("\n\n", "\n \t\n\n"),
        GOLD.rstrip("\n"),
        "\ufeff" + GOLD,
        GOLD.replace(" ", "   "),
    ],
)
def test_blanks_and_line_ends_do_not_matter(write, text):
    assert read_tag_columns(write(text)).annotation == read_tag_columns(write(GOLD)).annotation


def test_special_blanks_and_separators_belong_to_the_token(write):
    text = "a\u00a0b O\nc\u2028d B-X\ne\x85f I-X\n"
    annotation = read_tag_columns(write(text)).annotation
    assert annotation.tokens == (("a\u00a0b", "c\u2028d", "e\x85f"),)
    assert annotation.spans == ((Span(1, 3, "X"),),)


def test_a_token_may_have_blanks_if_tabs_part_the_columns(write):
    annotation = read_tag_columns(write("New York\tB-LOC\nis\tO\n")).annotation
    assert annotation.tokens == (("New York", "is"),)


def test_any_column_can_hold_the_tags(write):
    path = write("a B-X O\nb I-X B-Y\n")
    assert read_tag_columns(path, column=1).annotation.spans == ((Span(0, 2, "X"),),)
    assert read_tag_columns(path, column=-1).annotation.spans == ((Span(1, 2, "Y"),),)
    with pytest.raises(DataFileError, match=r"txt:1: has 3 columns, none is column 3"):
        read_tag_columns(path, column=3)


def test_a_number_sign_is_a_token_unless_it_is_said_to_begin_comments(write):
    path = write("# B-X\n# id = 1\n")
    with pytest.raises(DataFileError, match=r"txt:2: must have 2 columns like the rows above"):
        read_tag_columns(path)
    path = write("# id = 1\na B-X\n")
    file = read_tag_columns(path, comment="# id")
    assert file.annotation.lengths == (1,)
    assert file.remarks[0].text == "comment passed over: # id = 1"


def test_tags_out_of_place_are_remarks_with_their_line(write):
    file = read_tag_columns(write("a O\nb I-X\n"))
    assert [(remark.line, remark.text) for remark in file.remarks] == [
        (2, "I-X is out of place in iob2; read as conlleval does")
    ]
    file = read_tag_columns(write("a O\nb I-X\n"), strict=True)
    assert file.annotation.spans == ((),)
    assert file.remarks[0].text == "I-X is out of place in iob2; its span dropped"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no sentence"),
        ("\n\n", "has no sentence"),
        ("a O\nb X-PER\n", "txt:2: 'X-PER' is not a tag of iob2"),
        ("a O\nb\n", "txt:2: must have 2 columns"),
        (b"a O\n\xff O\n", "txt:2: is not UTF-8"),
    ],
)
def test_files_that_are_no_columns_of_tags_are_refused_with_the_line(write, text, message):
    with pytest.raises(DataFileError, match=message):
        read_tag_columns(write(text))


def test_counts_are_those_of_matching_spans(write):
    gold = read_tag_columns(write(GOLD)).annotation
    system = read_tag_columns(write("\n".join(TAGS.splitlines()[2:]), "a.tags")).annotation
    scores = count_spans(gold, system)
    assert scores.name == "a"
    # ORG and the second PER are right, the first PER is too long, LOC is missing.
    assert scores.matched.tolist() == [1, 1]
    assert scores.gold.tolist() == [3, 1]
    assert scores.test.tolist() == [2, 1]
    assert scores.length.tolist() == [7, 2]


def test_counts_by_type_add_up(write):
    gold = read_tag_columns(write(GOLD)).annotation
    system = read_tag_columns(write(GOLD.replace("B-LOC", "B-ORG"), "a.txt")).annotation
    total, by_type = count_spans(gold, system), count_spans_by_type(gold, system)
    assert list(by_type) == ["LOC", "ORG", "PER"]
    for column in ("matched", "gold", "test"):
        parts = [getattr(scores, column) for scores in by_type.values()]
        assert np.array_equal(np.sum(parts, axis=0), getattr(total, column))
    assert by_type["ORG"].test.tolist() == [2, 0]
    assert by_type["LOC"].test.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOLD.replace("Rolf", "Ralf"), "gold has 'Rolf' as token 1 of sentence 2, a has 'Ralf'"),
        (GOLD + "x NN O\n", "gold has 2 tokens in sentence 2, a 3"),
        (GOLD + "\nx NN O\n", "gold has 2 sentences, a 3"),
    ],
)
def test_other_sentences_are_refused_with_the_first_difference(write, text, message):
    gold = read_tag_columns(write(GOLD, "gold.txt")).annotation
    system = read_tag_columns(write(text, "a.txt")).annotation
    with pytest.raises(InputError, match=message):
        count_spans(gold, system)
    with pytest.raises(InputError, match=message):
        align(gold, system)


def test_a_table_lists_spans_by_sentence(write):
    file = read_span_table(write("sentence\tstart\tend\ttype\ns2\t0\t2\tPER\ns1\t3\t4\tLOC\n"))
    assert file.annotation.sentences == ("s2", "s1")
    assert file.annotation.spans == ((Span(0, 2, "PER"),), (Span(3, 4, "LOC"),))
    assert file.lines == (2, 3)


def test_sentences_missing_from_a_table_are_filled_in(write):
    gold = read_span_table(write("1\t0\t2\tPER\n", "gold.tsv")).annotation
    first = read_span_table(write("2\t0\t2\tPER\n1\t0\t2\tPER\n", "a.tsv")).annotation
    second = read_span_table(write("", "b.tsv")).annotation
    gold, first, second = align(gold, first, second)
    assert gold.sentences == first.sentences == second.sentences == ("1", "2")
    scores = count_spans(gold, first)
    assert (scores.matched.tolist(), scores.gold.tolist(), scores.test.tolist()) == (
        [1, 0],
        [1, 0],
        [1, 1],
    )
    assert count_spans(gold, second).test.tolist() == [0, 0]


def test_a_span_given_twice_matches_once_if_the_gold_standard_has_it_once(write):
    gold = read_span_table(write("1\t0\t2\tPER\n", "gold.tsv")).annotation
    system = read_span_table(write("1\t0\t2\tPER\n1\t0\t2\tPER\n", "a.tsv")).annotation
    scores = count_spans(gold, system)
    assert (scores.matched.tolist(), scores.test.tolist()) == ([1], [2])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1\t0\t2", "tsv:1: must have 4 columns .* got 3"),
        ("1\t2\t2\tPER", "tsv:1: a span must have whole numbers 0 <= start < end; got 2 and 2"),
        ("1\t-1\t2\tPER", "got -1 and 2"),
        ("1\t0\t2.0\tPER", "got 0 and 2.0"),
        ("1\t0\t" + "9" * 5000 + "\tPER", "a span must have whole numbers"),
    ],
)
def test_a_bad_row_of_a_table_is_refused_with_the_line(write, line, message):
    with pytest.raises(DataFileError, match=message):
        read_span_table(write(line + "\n", "a.tsv"))


def test_json_lines_may_have_lists_or_objects_as_spans(write):
    lines = [
        {"id": "x", "tokens": ["a", "b"], "spans": [[0, 2, "PER"]]},
        {"id": "y", "tokens": ["c"], "spans": [{"start": 0, "end": 1, "label": "LOC"}]},
        {"tokens": [], "spans": []},
    ]
    file = read_span_json(write("\n\n".join(map(json.dumps, lines)), "a.jsonl"))
    assert file.annotation.sentences == ("x", "y", "3")
    assert file.annotation.spans == ((Span(0, 2, "PER"),), (Span(0, 1, "LOC"),), ())
    assert file.annotation.lengths == (2, 1, 0)
    assert file.lines == (1, 3, 5)


def test_json_lines_without_tokens_have_no_lengths(write):
    annotation = read_span_json(write('{"spans": []}', "a.jsonl")).annotation
    assert annotation.lengths is None
    assert annotation.tokens is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "has no sentence"),
        ("{", "jsonl:1: is not JSON"),
        ("[" * 100_000, "jsonl:1: is not JSON"),
        ("[]", 'must be a JSON object with a list "spans"'),
        ('{"spans": {}}', 'must be a JSON object with a list "spans"'),
        ('{"spans": [[1, 2]]}', r"a span must be \[start, end, type\]; got \[1, 2\]"),
        ('{"spans": [[1, 2, 3]]}', "the type of a span must be a text; got 3"),
        ('{"spans": [[true, 2, "X"]]}', "got True and 2"),
        ('{"spans": [], "tokens": [1]}', '"tokens" must be a list of texts'),
        ('{"id": 1, "spans": []}\n{"id": 1, "spans": []}', "jsonl:2: .* also in line 1"),
    ],
)
def test_bad_json_lines_are_refused_with_the_line(write, line, message):
    with pytest.raises(DataFileError, match=message):
        read_span_json(write(line, "a.jsonl"))
