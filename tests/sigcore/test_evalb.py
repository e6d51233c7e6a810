"""The evalb reader against evalb's own files and against everything that goes wrong with them."""

import re
from pathlib import Path

import numpy as np
import pytest

from sigcore.errors import DataFileError, InputError
from sigcore.io.evalb import read_evalb
from sigcore.io.evalb_writer import format_evalb, write_evalb
from sigcore.parsing.scores import ERROR, SKIPPED, SentenceScores, cut_off, summarise

DATA = Path(__file__).parents[3] / "shared" / "data" / "evalb"

HEAD = """\
  Sent.                        Matched  Bracket   Cross        Correct Tag
 ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
============================================================================
"""
ROWS = """\
   1    4    0   75.00 100.00     3      4    3      0      4     4   100.00
   2   44    0   50.00  66.67     2      4    3      1      4     3    75.00
   3    4    1    0.00   0.00     0      0    0      0      4     0     0.00
   4    4    2    0.00   0.00     0      0    0      0      4     0     0.00
   5    4    0  100.00 100.00     4      4    4      3      4     4   100.00
"""
END = """\
============================================================================
                 75.00  90.00      9    12   10      4     12    11    91.67
=== Summary ===

-- All --
Number of sentence        =      5
Number of Error sentence  =      1
Number of Skip  sentence  =      1
Number of Valid sentence  =      3
Bracketing Recall         =  75.00
Bracketing Precision      =  90.00
Bracketing FMeasure       =  81.82
Complete match            =  33.33
Average crossing          =   1.33
No crossing               =  33.33
2 or less crossing        =  66.67
Tagging accuracy          =  91.67

-- len<=40 --
Number of sentence        =      4
Number of Error sentence  =      1
Number of Skip  sentence  =      1
Number of Valid sentence  =      2
Bracketing Recall         =  87.50
Bracketing Precision      = 100.00
Bracketing FMeasure       =  93.33
Complete match            =  50.00
Average crossing          =   1.50
No crossing               =  50.00
2 or less crossing        =  50.00
Tagging accuracy          = 100.00
"""
WHOLE = HEAD + ROWS + END


@pytest.fixture
def read(tmp_path):
    def write_and_read(text, **options):
        path = tmp_path / "parser.1.evalb"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_evalb(path, **options)

    return write_and_read


def real(*names):
    path = DATA.joinpath(*names)
    if not path.exists():
        pytest.skip("the public evalb files are not here")
    return path


def test_a_row_gives_its_counts(read):
    file = read(WHOLE)
    scores = file.scores
    assert scores.name == "parser.1"
    assert scores.sentences == ("1", "2", "3", "4", "5")
    assert scores.length.tolist() == [4, 44, 4, 4, 4]
    assert scores.status.tolist() == [0, 0, ERROR, SKIPPED, 0]
    assert scores.matched.tolist() == [3, 2, 0, 0, 4]
    assert scores.gold.tolist() == [4, 4, 0, 0, 4]
    assert scores.test.tolist() == [3, 3, 0, 0, 4]
    assert scores.crossing.tolist() == [0, 1, 0, 0, 3]
    assert scores.words.tolist() == [4, 4, 4, 4, 4]
    assert scores.tags.tolist() == [4, 3, 0, 0, 4]
    assert scores.recall_percent.tolist() == [75, 50, 0, 0, 100]
    assert scores.precision_percent.tolist() == [100, 66.67, 0, 0, 100]
    assert file.lines == (4, 5, 6, 7, 8)
    assert file.complete
    assert file.remarks == ()


def test_sentences_that_evalb_left_out_are_named_with_their_line(read):
    assert [(entry.line, entry.text) for entry in read(WHOLE).not_scored] == [
        (6, "sentence 3: error (status 1)"),
        (7, "sentence 4: skipped (status 2)"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        WHOLE.replace("\n", "\r\n").encode(),
        WHOLE.replace("\n", "\r").encode(),
        WHOLE.encode("utf-8-sig"),
        WHOLE.encode("utf-16"),
        WHOLE.replace("   ", "\t").encode(),
        "\n".join(line.strip() for line in WHOLE.split("\n")).encode(),
        WHOLE.rstrip("\n").encode(),
        # Without F1, and the total of crossing brackets is the number of sentences without them.
        re.sub("Bracketing FMeasure.*\n", "", WHOLE).replace(" 10      4 ", " 10      1 ").encode(),
    ],
    ids=["crlf", "cr", "bom", "utf16", "tabs", "left", "no-newline", "before-2006"],
)
def test_layouts_found_in_the_wild_mean_the_same(read, text):
    scores, expected = read(text).scores, read(WHOLE).scores
    assert scores.sentences == expected.sentences
    for column in ("length", "status", "matched", "gold", "test", "crossing", "words", "tags"):
        assert np.array_equal(getattr(scores, column), getattr(expected, column))


def test_rows_alone_are_read_with_a_remark(read):
    file = read(ROWS)
    assert file.scores.n_sentences == 5
    assert not file.complete
    assert [remark.text for remark in file.remarks] == [
        "no summary after sentence 5; the file may be cut short"
    ]


def test_messages_among_the_rows_are_remarks_whatever_their_encoding(read):
    text = HEAD.encode() + b"3 : Words unmatch (caf\xe9|cafe)\n" + (ROWS + END).encode()
    file = read(text)
    assert file.complete
    assert [remark.line for remark in file.remarks] == [4]
    assert file.remarks[0].text.startswith("message of evalb: 3 : Words unmatch (caf")


def test_a_message_within_a_row_is_an_error_with_advice(read):
    broken = ROWS.replace("66.67     2", "66.3 : Length unmatch (4|5)\n67     2")
    with pytest.raises(DataFileError, match=r"evalb:5: a message of evalb stands within a row"):
        read(HEAD + broken + END)


def test_debug_output_is_passed_over_with_a_remark(read):
    debug = (
        "-<1>---(wn1=  4, bn1=  4)-           -<2>---(wn2=  4, bn2=  4)-\n"
        "  0 : 1 : P       this                   0 : 1 : P       this\n"
        "                                         1 : 1 : Q       is\n"
        "\n"
        "  0 : 1 :   0    4  S             0 : 1 :   0    4  S\n"
        "\n"
        "========\n"
    )
    rows = ROWS.splitlines(keepends=True)
    file = read(HEAD + rows[0] + debug + "".join(rows[1:]) + END)
    assert file.scores.n_sentences == 5
    assert [(remark.line, remark.text) for remark in file.remarks] == [
        (5, "debug output, 4 lines from here to 9 passed over")
    ]


# The line that evalb_spmrl -L and -l print.
SHORT = "F1:  {} %\tPrec:  75.00 %\tRec:  90.00 %\tUnparsed:      2\tSent:      {}\tfile: a.tst\n"


def test_the_short_summary_of_the_spmrl_task_says_how_many_sentences_there_are(read):
    assert read(HEAD + ROWS + SHORT.format("81.82", 5)).complete
    up_to_40 = read(HEAD + ROWS + SHORT.format("93.33", 4))
    assert up_to_40.scores.n_sentences == 5
    assert [remark.text for remark in up_to_40.remarks] == [
        "no summary after sentence 5; the file may be cut short"
    ]
    with pytest.raises(DataFileError, match=r"evalb:9: .* `Number of sentence` = 6, .* give 4"):
        read(HEAD + ROWS + SHORT.format("81.82", 6))


def test_a_short_summary_of_other_sentences_is_not_taken_for_one_of_all(read):
    # Without the fifth row there are as many sentences as up to 40 words before.
    rows = "".join(ROWS.splitlines(keepends=True)[:4])
    with pytest.raises(DataFileError, match=r"`Bracketing FMeasure` = 93\.33"):
        read(HEAD + rows + SHORT.format("93.33", 4))


def test_a_sentence_without_a_tree_that_evalb_counts_is_checked_and_read_as_skipped(read):
    row = "   4    4    3    0.00   0.00     0     16    0      0      4     0     0.00"
    text = HEAD + ROWS.replace(ROWS.splitlines()[3], row)
    totals = "=" * 76 + "\n   {}  90.00      9    28   10      4     16    11    68.75\n"
    file = read(text + totals.format("32.14"))
    assert file.scores.status.tolist() == [0, 0, ERROR, SKIPPED, 0]
    assert file.remarks[0].line == 7
    assert file.remarks[0].text.startswith("sentence 4 without a tree counts for evalb")
    with pytest.raises(DataFileError, match="total of `gold` is 12, that of the rows is 28"):
        read(text + totals.format("32.14").replace(" 28 ", " 12 "))


def test_lines_around_the_output_are_remarks(read):
    file = read("$ evalb gold test\n" + WHOLE + "\nreal 0m0.1s\n")
    assert [remark.line for remark in file.remarks] == [1, WHOLE.count("\n") + 3]
    assert "$ evalb gold test" in file.remarks[0].text
    assert "real 0m0.1s" in file.remarks[1].text


@pytest.mark.parametrize("kept", range(1, 75))
def test_a_row_cut_off_at_the_end_is_never_read_as_another_one(read, kept):
    last = ROWS.splitlines()[1]
    file = read(HEAD + ROWS.splitlines(keepends=True)[0] + last[:kept])
    assert not file.complete
    if file.scores.n_sentences == 2:
        # Only the last decimals of the last percentage may be missing.
        assert kept >= len(last) - 3
        assert file.scores.tags[1] == 3
    elif last[:kept].strip():
        assert file.remarks[-1].line == 5
        assert "the file ends within this line" in file.remarks[-1].text


def test_a_file_cut_within_the_summary_keeps_its_sentences(read):
    for kept in range(len(HEAD + ROWS), len(WHOLE)):
        file = read(WHOLE[:kept])
        assert file.scores.n_sentences == 5
        assert file.complete == ("Number of sentence        =      5\n" in WHOLE[:kept])
        assert file.complete or file.remarks


def test_a_gap_in_the_numbers_is_a_remark_without_a_summary_and_an_error_with_it(read):
    rows = ROWS.splitlines(keepends=True)
    file = read(rows[0] + rows[3] + rows[4])
    assert file.remarks[0].line == 2
    assert file.remarks[0].text == "no row for sentence 2 to 3 before here"
    with pytest.raises(DataFileError, match="total of `matched` is 9, that of the rows is 7"):
        read(HEAD + rows[0] + rows[2] + rows[3] + rows[4] + END)
    with pytest.raises(DataFileError, match=r"summary has `Number of sentence` = 5, .* give 4"):
        read(HEAD + rows[0] + rows[1] + rows[3] + rows[4] + END)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("   2   44    0", "   1   44    0", "evalb:5: sentence 1 comes after sentence 1"),
        ("   2   44    0", "   2   44    4", "evalb:5: `status` must be 0 to 3; got 4"),
        ("   2   44    0", "   2   44  0.5", "evalb:5: `status` must be a whole number; got 0.5"),
        ("   2   44    0", "   2   -4    0", "evalb:5: `length` must be a whole number; got -4"),
        ("   2   44    0", "   2   44     ", "evalb:5: is no row of evalb"),
        ("   2   44    0", "   2   44    x", "evalb:5: is no row of evalb"),
        (" 50.00  66.67", " 50.00  66.76", "evalb:5: `precision` is 66.76 but 2 of 3 is 66.67"),
        (" 50.00  66.67", "500.00  66.67", "evalb:5: `recall` must be a percentage; got 500.00"),
        ("66.67     2 ", "66.67     5 ", "evalb:5: `matched` must not exceed `gold`; got 5 and 4"),
        ("75.00  90.00      9", "75.00  90.00      8", "evalb:10: the total of `matched` is 8"),
        (" 12   10      4", " 12   10      2", "evalb:10: the total of `crossing` is 2"),
        (" 12   10      4", " 12   1.      4", "evalb:10: totals must be whole numbers; got 1."),
        ("Error sentence  =      1", "Error sentence  =      2", "evalb:15: the summary has"),
        ("Complete match            =  50.00", "Complete match            =  51.00", "evalb:35"),
        ("-- All --\n", "-- All --\nNumber of sentence = 5\n", "evalb:15: .* comes twice"),
        ("-- All --\n", "-- All --\nComplete match = 1.2.3\n", "evalb:14: .* is no number"),
        ("=== Summary ===\n", "=== Summary ===\n" + ROWS, "evalb:12: a sentence after the totals"),
    ],
)
def test_a_file_that_contradicts_itself_is_refused_with_the_line(read, old, new, message):
    assert old in WHOLE
    with pytest.raises(DataFileError, match=message):
        read(WHOLE.replace(old, new, 1))


@pytest.mark.parametrize("text", ["", "\n\n", HEAD, "hello\n", HEAD + END, ROWS[:30]])
def test_a_file_without_sentences_is_refused(read, text):
    with pytest.raises(DataFileError, match=r"has no row of evalb|is no row of evalb"):
        read(text)


@pytest.mark.parametrize("text", [WHOLE + WHOLE, HEAD + ROWS + HEAD + ROWS, "hello\n" + ROWS])
def test_two_outputs_in_one_and_foreign_lines_among_rows_are_refused(read, text):
    with pytest.raises(DataFileError, match=r"two outputs in one|is no row of evalb"):
        read(text)


def test_verification_can_be_switched_off(read):
    text = WHOLE.replace("66.67     2", "66.76     2").replace("=  81.82", "=  50.00")
    assert read(text, verify=False).scores.n_sentences == 5


def test_a_name_can_be_given(read):
    assert read(WHOLE, name="mine").scores.name == "mine"


def test_what_is_written_is_read_back(tmp_path, read):
    write_evalb(tmp_path / "again.evalb", read(WHOLE).scores)
    again, scores = read_evalb(tmp_path / "again.evalb"), read(WHOLE).scores
    assert again.complete
    assert again.remarks == ()
    assert np.array_equal(again.scores.crossing, scores.crossing)
    assert np.array_equal(again.scores.precision_percent, scores.precision_percent)


def test_counts_without_tags_cannot_be_written_as_evalb():
    one = np.array([1])
    with pytest.raises(InputError, match="crossing brackets, words and tags"):
        format_evalb(SentenceScores("a", ("1",), one, one, one, one))
    named = SentenceScores("a", ("x",), one, one, one, one, crossing=one, words=one, tags=one)
    with pytest.raises(InputError, match="whole numbers as labels"):
        format_evalb(named)


# EVALB's own sample and bug files: the reader has checked every figure of their summaries against
# the rows, so what remains is how the rows are counted (numbers from sample.rsl and bug.rsl-*).
@pytest.mark.real_data
@pytest.mark.parametrize(
    ("names", "longest", "expected"),
    [
        (("EVALB-sample", "sample.rsl"), None, (24, 5, 2, 17, 0.8776, 0.9053, 0.5294, 0.06)),
        (("EVALB-sample", "sample.rsl"), 40, (23, 5, 2, 16, 0.8125, 0.8525, 0.5000, 0.06)),
        (("EVALB-bug", "bug.rsl-new"), None, (5, 0, 0, 5, 0.6283, 0.5772, 0.0, 7.20)),
        (("EVALB-bug", "bug.rsl-new"), 40, (3, 0, 0, 3, 0.6154, 0.5714, 0.0, 5.00)),
        (("EVALB-bug", "bug.rsl-old"), None, (5, 5, 0, 0, 0, 0, 0, 0)),
        (("EVALB-bug", "bug.rsl-old"), 40, (3, 3, 0, 0, 0, 0, 0, 0)),
    ],
)
def test_the_files_of_evalb_mean_what_their_summaries_say(names, longest, expected):
    file = read_evalb(real(*names))
    summary = summarise(cut_off(file.scores, longest))
    counts = (summary.n_sentences, summary.n_error, summary.n_skipped, summary.n_valid)
    assert counts == expected[:4]
    rates = (summary.recall, summary.precision, summary.complete_match)
    assert rates == pytest.approx(expected[4:7], abs=5.1e-5)
    assert summary.average_crossing == pytest.approx(expected[7], abs=5.1e-3)
    assert file.complete


@pytest.mark.real_data
def test_an_empty_line_of_the_parser_is_skipped_and_a_wrong_word_is_an_error():
    scores = read_evalb(real("EVALB-sample", "sample.rsl")).scores
    # sample.tst has empty lines 11 and 14; in 12, 13, 16, 17 and 20 the words differ.
    status = dict(zip(scores.sentences, scores.status.tolist(), strict=True))
    assert [label for label in status if status[label] == SKIPPED] == ["11", "14"]
    assert [label for label in status if status[label] == ERROR] == ["12", "13", "16", "17", "20"]


@pytest.mark.real_data
def test_the_messages_of_the_old_bug_file_are_remarks():
    file = read_evalb(real("EVALB-bug", "bug.rsl-old"))
    assert [remark.line for remark in file.remarks] == [4, 6, 8, 10, 12]
    assert file.remarks[0].text == "message of evalb: 1 : Length unmatch (33|35)"


@pytest.mark.real_data
def test_real_outputs_are_written_back_byte_for_byte():
    real("thirteen-parsers")
    paths = [*sorted(DATA.glob("*.evalb")), *sorted(DATA.glob("thirteen-parsers/*.evalb"))]
    assert len(paths) == 15
    for path in paths:
        file = read_evalb(path)
        assert file.remarks == ()
        assert format_evalb(file.scores) == path.read_text()
