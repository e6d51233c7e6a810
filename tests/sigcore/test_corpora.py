import pytest

from sigcore.bayes.corpus import TaggedCorpus
from sigcore.errors import DataFileError
from sigcore.io.corpora import count_columns, read_chunks, read_corpus, read_tags, write_corpus
from sigcore.io.spans import read_tag_columns
from sigcore.parsing.tagging import Span

TEXT = """\
-DOCSTART- -X- O

Anna NNP B-PER
Lee NNP I-PER
met VBD O

in IN O
Rome NNP B-LOC


Oslo NNP B-LOC
"""


@pytest.fixture
def path(tmp_path):
    target = tmp_path / "corpus.conll"
    target.write_text(TEXT, encoding="utf-8")
    return target


def test_a_corpus_has_its_sentences_columns_and_chunks(path):
    corpus = read_corpus(path)
    assert corpus.n_sentences == 3
    assert corpus.n_tokens == 6
    assert corpus.sentences[0] == (("Anna", "NNP"), ("Lee", "NNP"), ("met", "VBD"))
    assert corpus.chunks == ((Span(0, 2, "PER"),), (Span(1, 2, "LOC"),), (Span(0, 1, "LOC"),))
    assert corpus.lines == (3, 7, 11)


def test_spans_are_those_of_the_reader_of_tag_columns(path):
    other = read_tag_columns(path)
    corpus = read_corpus(path)
    assert corpus.chunks == other.annotation.spans
    assert corpus.lines == other.lines


def test_a_token_that_only_begins_like_a_mark_of_documents_stays(tmp_path):
    target = tmp_path / "corpus"
    target.write_text("-DOCSTART- O\nThe O\n-DOCSTART-er O\nmet O\n", encoding="utf-8")
    words = [token[0] for token in read_corpus(target).sentences[0]]
    assert words == ["The", "-DOCSTART-er", "met"]
    assert read_tag_columns(target).annotation.tokens == (("The", "-DOCSTART-er", "met"),)


def test_the_tag_may_be_in_any_column(tmp_path):
    target = tmp_path / "corpus"
    target.write_text("B\tx y\t1\nE\tz\t2\n", encoding="utf-8")
    corpus = read_corpus(target, tag_column=0, scheme="bmes")
    assert corpus.sentences == ((("x y", "1"), ("z", "2")),)
    assert corpus.chunks == ((Span(0, 2, ""),),)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has no sentence"),
        ("\n\n", "has no sentence"),
        ("word\n", "1: must have a word and a tag; the rows have 1 columns"),
        ("a O\nb c O\n", "2: must have 2 columns like the rows above; got 3"),
        ("a O\n\nb X-PER\n", "3: 'X-PER' is not a tag of iob2"),
        ("a\tO\n\tO\n", "2: the word is empty."),
        ("a\tN\tO\n\t\tO\n", "2: the word is empty."),
    ],
)
def test_a_broken_corpus_is_refused_with_the_line(tmp_path, text, words):
    target = tmp_path / "corpus"
    target.write_text(text, encoding="utf-8")
    with pytest.raises(DataFileError) as caught:
        read_corpus(target)
    assert words in str(caught.value)
    assert str(target) in str(caught.value)


@pytest.mark.parametrize("tag_set", ["iob2", "iobes", "bmes", "bb2b3mes"])
def test_what_is_written_is_read_again(tmp_path, path, tag_set):
    corpus = read_corpus(path)
    write_corpus(tmp_path / "again", corpus, tags=[corpus.tags(tag_set)])
    again = read_corpus(tmp_path / "again", scheme=tag_set)
    assert (again.sentences, again.chunks) == (corpus.sentences, corpus.chunks)


def test_several_columns_of_tags_and_none(tmp_path):
    corpus = TaggedCorpus(((("a",), ("b",)),), ((Span(0, 1, ""),),))
    write_corpus(tmp_path / "two", corpus, tags=[corpus.tags("iob2"), [["O", "B"]]])
    assert (tmp_path / "two").read_text() == "a\tB\tO\nb\tO\tB\n\n"
    write_corpus(tmp_path / "none", corpus)
    assert (tmp_path / "none").read_text() == "a\nb\n\n"


def test_predicted_tags_are_read_from_the_last_column(tmp_path, path):
    corpus = read_corpus(path)
    target = tmp_path / "output"
    target.write_text("x B-PER\nx O\nx O\n\nO\nO\n\nS B-LOC\n", encoding="utf-8")
    expected = [["B-PER", "O", "O"], ["O", "O"], ["B-LOC"]]
    assert read_tags(target, corpus, tag_set="iob2") == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("O\nO\n\nO\nO\n\nO\n", "2: sentence 1 must have one tag for each of its 3 tokens (Anna"),
        ("O\nO\nO\nO\n\nO\nO\n\nO\n", "3: sentence 1 must have one tag for each of its 3 tokens"),
        ("O\nO\nO\n\nO\nO\n", "6: must have 3 sentences with a blank line after each; it has 2"),
        ("O\nO\nO\n\nO\nO\n\nO\n\nO\n", "10: must have 3 sentences"),
        ("O\nO\nO\n\nO\nperson\n\nO\n", "6: 'person' is not a tag of iob2"),
        ("", "must have 3 sentences with a blank line after each; it has 0"),
    ],
)
def test_wrong_predictions_are_refused_with_file_and_line(tmp_path, path, text, words):
    target = tmp_path / "output"
    target.write_text(text, encoding="utf-8")
    with pytest.raises(DataFileError) as caught:
        read_tags(target, read_corpus(path), tag_set="iob2")
    assert words in str(caught.value)
    assert str(target) in str(caught.value)


def test_a_missing_file_of_predictions_is_named(tmp_path, path):
    with pytest.raises(DataFileError, match="output: was not written"):
        read_tags(tmp_path / "output", read_corpus(path), tag_set="iob2")


def test_a_type_that_the_corpus_lacks_is_refused_with_its_file(tmp_path):
    target = tmp_path / "corpus"
    target.write_text("a\tB-ORG\n", encoding="utf-8")
    with pytest.raises(DataFileError, match="among those of the corpus, ORG; got 'ORGG'") as caught:
        read_chunks(target, types=["ORGG"])
    assert caught.value.path == target
    target.write_text("a\tO\n", encoding="utf-8")
    with pytest.raises(DataFileError, match="of the corpus, which has no chunks; got 'ORG'"):
        read_chunks(target, types=["ORG"])


def test_columns_are_those_of_the_first_token(tmp_path):
    target = tmp_path / "corpus"
    target.write_text("-DOCSTART- O\n\na\tN\tO\nb\tO\n", encoding="utf-8")
    assert count_columns(target) == 3
    target.write_text("\n", encoding="utf-8")
    assert count_columns(target) == 0
