"""CoNLL-U: what counts as a word, and which words agree."""

import pytest

from sigcore.errors import DataFileError, InputError
from sigcore.io.conllu import count_words, read_conllu
from sigcore.parsing.scores import summarise

GOLD = """\
# sent_id = 1
# text = vámonos al mar.
1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\t_
1\tvamos\tir\tVERB\tV\t_\t0\troot\t_\t_
2\tnos\tnosotros\tPRON\tP\t_\t1\tobj\t_\t_
3\ta\ta\tADP\tE\t_\t5\tcase\t_\t_
4\tel\tel\tDET\tD\t_\t5\tdet\t_\t_
5\tmar\tmar\tNOUN\tN\t_\t1\tobl:arg\t_\t_
5.1\tx\tx\tVERB\tV\t_\t_\t_\t_\t_
6\t.\t.\tPUNCT\tZ\t_\t1\tpunct\t_\t_

1\tSí\tsí\tINTJ\tI\t_\t0\troot\t_\t_
"""


@pytest.fixture
def read(tmp_path):
    def from_text(text, name="gold"):
        path = tmp_path / f"{name}.conllu"
        path.write_bytes(text.encode())
        return read_conllu(path)

    return from_text


def test_words_are_read_and_other_lines_counted(read):
    file = read(GOLD)
    assert [len(sentence) for sentence in file.sentences] == [6, 1]
    assert (file.n_multiword, file.n_empty) == (1, 1)
    word = file.sentences[0][4]
    assert (word.form, word.upos, word.xpos, word.head, word.deprel, word.line) == (
        "mar",
        "NOUN",
        "N",
        1,
        "obl:arg",
        8,
    )
    assert file.name == "gold"


def test_a_copy_of_the_gold_standard_is_all_right(read):
    for measure in ("upos", "xpos", "uas", "las"):
        scores = count_words(read(GOLD), read(GOLD, "a"), measure=measure)
        assert scores.matched.tolist() == scores.gold.tolist() == scores.test.tolist() == [6, 1]
        assert scores.name == "a"
        assert summarise(scores).f1 == 1


def test_each_measure_looks_at_its_own_columns(read):
    system = (
        GOLD.replace("\tNOUN\tN\t_\t1\tobl:arg", "\tPROPN\tN\t_\t1\tobl")
        .replace("\tDET\tD\t_\t5", "\tDET\tX\t_\t3")
        .replace("\t1\tpunct", "\t2\tpunct")
        .replace("INTJ\tI\t_\t0\troot", "INTJ\tI\t_\t0\tdep")
    )
    gold, system = read(GOLD), read(system, "a")
    matched = {
        measure: count_words(gold, system, measure=measure).matched.tolist()
        for measure in ("upos", "xpos", "uas", "las")
    }
    assert matched == {"upos": [5, 1], "xpos": [5, 1], "uas": [4, 1], "las": [4, 0]}
    with_subtypes = count_words(gold, system, measure="las", subtypes=True)
    assert with_subtypes.matched.tolist() == [3, 0]
    without_marks = count_words(gold, system, measure="uas", punctuation=False)
    assert without_marks.matched.tolist() == [4, 1]
    assert without_marks.gold.tolist() == [5, 1]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("4\tel", "7\tel", "conllu:7: must be word 4 of the sentence; got '7'"),
        ("\t_\t5\tdet", "\t_\t9\tdet", "conllu:7: head 9 does not exist; the sentence has 6 words"),
        ("\t_\t5\tdet", "\t_\tx\tdet", "conllu:7: a head must be a number or _; got 'x'"),
        ("4\tel\tel", "4 el el", "conllu:7: must have 10 columns parted by tabs; got 8"),
    ],
)
def test_a_bad_line_is_refused(read, old, new, message):
    with pytest.raises(DataFileError, match=message):
        read(GOLD.replace(old, new))


def test_a_file_without_words_is_refused(read):
    with pytest.raises(DataFileError, match="has no sentence"):
        read("# nothing\n\n")


@pytest.mark.parametrize(
    ("system", "message"),
    [
        (GOLD.replace("mar\tmar", "rio\trio"), r"conllu:8 has 'mar' where .*conllu:8 has 'rio'"),
        (GOLD + "2\t!\t!\tPUNCT\tZ\t_\t1\tpunct\t_\t_\n", r"of 1 words, .*:12 one of 2"),
        (GOLD + "\n" + GOLD, "gold has 2 sentences, a 4"),
    ],
)
def test_other_words_are_refused_with_the_first_difference(read, system, message):
    with pytest.raises(InputError, match=message):
        count_words(read(GOLD), read(system, "a"), measure="las")


def test_a_gold_standard_without_trees_has_no_attachment_score(read):
    gold = read(GOLD.replace("\t0\troot", "\t_\t_"))
    with pytest.raises(InputError, match=r"conllu:4 has no head; `gold` must have trees"):
        count_words(gold, read(GOLD, "a"), measure="uas")
    assert count_words(gold, read(GOLD, "a"), measure="upos").matched.tolist() == [6, 1]


def test_an_unknown_measure_is_refused(read):
    with pytest.raises(InputError, match="`measure` must be one of 'upos'"):
        count_words(read(GOLD), read(GOLD), measure="clas")
