"""Files of several parsers or taggers, in every format."""

import numpy as np
import pytest

from sigcore.errors import DataFileError, InputError
from sigcore.io.evalb_writer import write_evalb
from sigcore.io.parsers import read_parsers
from sigcore.parsing.simulate import simulate_parsers

# Two sentences; the gold standard has three spans, A has two of them, B all and one more.
TAGS = {
    "gold": "a B-PER\nb I-PER\nc O\n\nd B-LOC\ne B-ORG\n",
    "A": "a B-PER\nb I-PER\nc O\n\nd B-LOC\ne O\n",
    "B": "a B-PER\nb I-PER\nc B-LOC\n\nd B-LOC\ne B-ORG\n",
}
JSON = {
    "gold": [[[0, 2, "PER"]], [[0, 1, "LOC"], [1, 2, "ORG"]]],
    "A": [[[0, 2, "PER"]], [[0, 1, "LOC"]]],
    "B": [[[0, 2, "PER"], [2, 3, "LOC"]], [[0, 1, "LOC"], [1, 2, "ORG"]]],
}


def write(folder, texts, ending):
    paths = {name: folder / f"{name}.{ending}" for name in texts}
    for name, path in paths.items():
        path.write_text(texts[name], encoding="utf-8")
    return paths


def span_files(folder, format):
    if format == "columns":
        return write(folder, TAGS, "txt")
    if format == "jsonl":
        lines = {
            name: "".join(f'{{"spans": {spans}}}\n'.replace("'", '"') for spans in sentences)
            for name, sentences in JSON.items()
        }
        return write(folder, lines, "jsonl")
    tables = {
        name: "".join(
            f"{number}\t{start}\t{end}\t{kind}\n"
            for number, spans in enumerate(sentences, start=1)
            for start, end, kind in spans
        )
        for name, sentences in JSON.items()
    }
    return write(folder, tables, "tsv")


@pytest.mark.parametrize("format", ["columns", "jsonl", "table"])
def test_spans_count_alike_in_every_format(tmp_path, format):
    paths = span_files(tmp_path, format)
    found = read_parsers([paths["A"], paths["B"]], format=format, gold=paths["gold"])
    assert found.names == ("A", "B")
    assert list(found.counts) == ["f1", "recall", "precision", "complete_match"]
    first, second = found.counts["f1"]
    assert np.stack([first.matched, first.gold, first.test]).tolist() == [[1, 1], [1, 2], [1, 1]]
    assert np.stack([second.matched, second.gold, second.test]).tolist() == [[1, 2], [1, 2], [2, 2]]
    assert found.has_lengths == (format == "columns")
    assert found.remarks == ()


def test_gold_tags_may_stand_in_another_column(tmp_path):
    rows = zip(TAGS["gold"].split("\n"), TAGS["A"].split("\n"), strict=True)
    both = "".join(f"{gold} {a.split()[1]}\n" if gold else "\n" for gold, a in rows)
    paths = write(tmp_path, {"A": both, "B": both}, "txt")
    found = read_parsers(paths.values(), format="columns", gold=paths["A"], gold_column=1)
    assert found.counts["f1"][0].matched.tolist() == [1, 1]
    assert found.counts["f1"][0].gold.tolist() == [1, 2]


def test_evalb_files_have_their_sentences_without_a_score_in_the_remarks(tmp_path):
    parsers = simulate_parsers(20, names=("one", "two"), n_not_scored=2)
    paths = [tmp_path / f"{parser.name}.evalb" for parser in parsers]
    for path, parser in zip(paths, parsers, strict=True):
        write_evalb(path, parser)
    found = read_parsers(paths, measures=["recall", "crossing", "recall"])
    assert list(found.counts) == ["recall", "crossing"]
    assert np.array_equal(found.counts["recall"][1].matched, parsers[1].matched)
    assert [remark.parser for remark in found.remarks] == ["one", "one", "two", "two"]
    for remark in found.remarks:
        # Three lines of head come before the rows.
        label = remark.text.split()[1].rstrip(":")
        assert remark.line == 3 + int(label)


def conllu(words):
    lines = [
        f"{number}\t{form}\t_\t{upos}\t_\t_\t{head}\t{relation}\t_\t_"
        for number, (form, upos, head, relation) in enumerate(words, start=1)
    ]
    return "1-2\tab\t" + "\t".join("_" * 8) + "\n" + "\n".join(lines) + "\n\n"


def test_conllu_has_counts_of_its_own_for_each_measure(tmp_path):
    gold = [("a", "DET", 2, "det"), ("b", "NOUN", 0, "root"), ("c", "VERB", 2, "acl")]
    wrong = [("a", "DET", 2, "amod"), ("b", "NOUN", 0, "root"), ("c", "NOUN", 1, "acl")]
    texts = {"gold": conllu(gold), "A": conllu(gold), "B": conllu(wrong)}
    paths = write(tmp_path, texts, "conllu")
    found = read_parsers([paths["A"], paths["B"]], format="conllu", gold=paths["gold"])
    # There is no XPOS in the gold standard.
    assert {name: int(pair[1].matched.sum()) for name, pair in found.counts.items()} == {
        "las": 1,
        "uas": 2,
        "upos": 2,
    }
    assert [(remark.parser, remark.line) for remark in found.remarks] == [
        ("gold", None),
        ("A", None),
        ("B", None),
    ]
    assert "1 lines of multiword tokens" in found.remarks[0].text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "columns"}, "`format` 'columns' needs a `gold` standard"),
        ({"gold": "gold.txt"}, "`format` 'evalb' needs no `gold` standard"),
        ({"format": "xml"}, "`format` must be one of"),
    ],
)
def test_what_does_not_go_together_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        read_parsers(["a", "b"], **options)


def test_a_measure_that_the_files_do_not_have_is_refused(tmp_path):
    paths = span_files(tmp_path, "columns")
    with pytest.raises(InputError, match=r"`measures` must be among f1, recall, .*; got 'las'"):
        read_parsers([paths["A"]], format="columns", gold=paths["gold"], measures=["las"])


def test_a_broken_line_is_named(tmp_path):
    paths = span_files(tmp_path, "columns")
    paths["B"].write_text(TAGS["B"].replace("B-ORG", "X-ORG"))
    with pytest.raises(DataFileError, match=r"B\.txt:6: 'X-ORG' is not a tag of iob2"):
        read_parsers([paths["A"], paths["B"]], format="columns", gold=paths["gold"])
