import pytest

from sigcore.errors import DataFileError
from sigcore.io.folds import read_fold_pair, read_folds

CELLS = "model\trep\tfold\tTP\tFP\tFN\n"
ROWS = ["A\t1\t1\t8\t2\t3\n", "A\t1\t2\t7\t1\t4\n", "B\t1\t1\t9\t2\t2\n", "B\t1\t2\t7\t0\t4\n"]


def write(tmp_path, text, name="folds.tsv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_cells_are_read_in_the_order_tp_fp_fn(tmp_path):
    models = read_folds(write(tmp_path, CELLS + "".join(ROWS)))
    assert list(models) == ["A", "B"]
    assert models["A"].counts.tolist() == [[[8, 2, 3], [7, 1, 4]]]


def test_order_of_rows_and_columns_is_free(tmp_path):
    text = "fold,repetition,model,FN,TP,FP,remark\n2,1,A,4,7,1,x\n1,1,A,3,8,2,\n"
    models = read_folds(write(tmp_path, text, "folds.csv"))
    assert models["A"].counts.tolist() == [[[8, 2, 3], [7, 1, 4]]]


def test_chunks_give_cells(tmp_path):
    # Two rows of the published table of CoNLL-2003 (IOB2, first repetition).
    text = (
        "model\trep\tfold\tgold\tpredicted\tcorrect\n"
        "IOB2\t1\t1\t11629\t11322\t10297\nIOB2\t1\t2\t11870\t11428\t10423\n"
    )
    models = read_folds(write(tmp_path, text))
    assert models["IOB2"].counts.tolist() == [[[10297, 1025, 1332], [10423, 1005, 1447]]]


def test_byte_order_mark_and_blank_lines_do_no_harm(tmp_path):
    models = read_folds(write(tmp_path, "\ufeff" + CELLS + "\n" + "".join(ROWS) + "\n"))
    assert list(models) == ["A", "B"]


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("A\t1\t1\t-8\t2\t3\n", "TP must be a whole number"),
        ("A\t1\t1\t8.5\t2\t3\n", "TP must be a whole number"),
        ("A\t1\t1\t\t2\t3\n", "TP must be a whole number"),
        ("A\t1\t3\t8\t2\t3\n", "fold 1 or 2; found rep 1, fold 3"),
        ("A\t0\t1\t8\t2\t3\n", "rep must be 1 or more"),
        ("A\t1\t2\t8\t2\t3\n", "model A, repetition 1, fold 2 occurs twice"),
        ("A\t1\t1\t8\t2\n", "expected 6 columns, found 5"),
    ],
)
def test_a_bad_row_is_refused_with_its_line(tmp_path, row, text):
    path = write(tmp_path, CELLS + ROWS[1] + row)
    with pytest.raises(DataFileError, match=text) as caught:
        read_folds(path)
    assert caught.value.line == 3


def test_blank_lines_before_the_header_do_no_harm(tmp_path):
    models = read_folds(write(tmp_path, "\n \n" + CELLS + "".join(ROWS)))
    assert list(models) == ["A", "B"]
    path = write(tmp_path, "\n\n" + CELLS.replace("TP", "right") + "".join(ROWS))
    with pytest.raises(DataFileError, match="expected columns") as caught:
        read_folds(path)
    assert caught.value.line == 3


def test_a_stray_quotation_mark_is_refused_where_it_is(tmp_path):
    path = write(tmp_path, CELLS + ROWS[0] + '"' + ROWS[1] + "".join(ROWS[2:]))
    with pytest.raises(DataFileError, match="a quotation mark is not closed") as caught:
        read_folds(path)
    assert caught.value.line == 3


def test_a_model_may_be_in_quotation_marks(tmp_path):
    text = (CELLS + "".join(ROWS)).replace("\t", ",").replace("A,", '"A, the ""first""",')
    assert list(read_folds(write(tmp_path, text))) == ['A, the "first"', "B"]


@pytest.mark.parametrize("name", ["", "  "])
def test_a_model_without_a_name_is_refused(tmp_path, name):
    path = write(tmp_path, CELLS + "".join(ROWS) + ROWS[0].replace("A", name))
    with pytest.raises(DataFileError, match="the model must have a name") as caught:
        read_folds(path)
    assert caught.value.line == 6


@pytest.mark.parametrize(
    ("further", "words"),
    [("TP", "TP and TP"), ("tp ", "TP and tp"), ("repetition", "rep and repetition")],
)
def test_a_column_that_occurs_twice_is_refused(tmp_path, further, words):
    text = (CELLS + "".join(ROWS)).replace("\n", "\t1\n").replace("FN\t1", f"FN\t{further}")
    with pytest.raises(DataFileError, match=f"must occur once; found {words}") as caught:
        read_folds(write(tmp_path, text))
    assert caught.value.line == 1
    # What is ignored may occur as often as it likes.
    text = text.replace(f"FN\t{further}", "FN\tnote").replace("\n", "\tnote\n")
    assert list(read_folds(write(tmp_path, text))) == ["A", "B"]


def test_a_pair_is_of_two_models(tmp_path):
    text = CELLS + "".join(ROWS)
    assert list(read_fold_pair(write(tmp_path, text))) == ["A", "B"]
    with pytest.raises(DataFileError, match="two models, the baseline first; it has 1: A"):
        read_fold_pair(write(tmp_path, CELLS + "".join(ROWS[:2])))
    more = "".join(row.replace("A", "C") for row in ROWS[:2])
    with pytest.raises(DataFileError, match="two models, the baseline first; it has 3: A, B, C"):
        read_fold_pair(write(tmp_path, text + more))


def test_a_model_that_lacks_a_repetition_is_named(tmp_path):
    more = "A\t2\t1\t8\t2\t3\nA\t2\t2\t8\t2\t3\n"
    with pytest.raises(DataFileError, match="no row for model B, repetition 2, fold 1"):
        read_folds(write(tmp_path, CELLS + "".join(ROWS) + more))


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_a_missing_fold_is_refused(tmp_path, missing):
    rows = [row for index, row in enumerate(ROWS) if index != missing]
    model, fold = ("A", "A", "B")[missing], (1, 2, 1)[missing]
    with pytest.raises(DataFileError, match=f"no row for model {model}, repetition 1, fold {fold}"):
        read_folds(write(tmp_path, CELLS + "".join(rows)))


def test_a_missing_repetition_is_refused(tmp_path):
    rows = "A\t3\t1\t8\t2\t3\nA\t3\t2\t8\t2\t3\n"
    with pytest.raises(DataFileError, match="repetition 2, fold 1"):
        read_folds(write(tmp_path, CELLS + ROWS[0] + ROWS[1] + rows))


def test_contradicting_kinds_are_refused(tmp_path):
    text = "model\trep\tfold\tgold\tpredicted\tcorrect\tTP\tFP\tFN\nA\t1\t1\t10\t10\t8\t8\t2\t3\n"
    with pytest.raises(DataFileError, match=r"\(8, 2, 3\), but .* give \(8, 2, 2\)"):
        read_folds(write(tmp_path, text))


def test_more_correct_than_gold_is_refused(tmp_path):
    text = "model\trep\tfold\tgold\tpredicted\tcorrect\nA\t1\t1\t10\t20\t12\n"
    with pytest.raises(DataFileError, match=r"correct \(12\) must not exceed gold \(10\)"):
        read_folds(write(tmp_path, text))


@pytest.mark.parametrize("header", ["", "model\trep\tTP\tFP\tFN\n", "model\trep\tfold\tTP\tFP\n"])
def test_missing_columns_are_refused(tmp_path, header):
    with pytest.raises(DataFileError, match="expected columns"):
        read_folds(write(tmp_path, header))


def test_a_table_without_rows_is_refused(tmp_path):
    with pytest.raises(DataFileError, match="has no rows"):
        read_folds(write(tmp_path, CELLS))


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ("999999999999", "has no row for model A, repetition 2, fold 1, model A, repetition 2"),
        ("9" * 5000, "rep must be a whole number, 0 or more, of at most 15 digits; found '9999"),
    ],
)
def test_a_repetition_of_many_digits_is_refused_at_once(tmp_path, number, words):
    # A list of all repetitions up to it would not fit into memory.
    row = f"A\t{number}\t1\t1\t1\t1\n"
    with pytest.raises(DataFileError) as caught:
        read_folds(write(tmp_path, CELLS + "".join(ROWS) + row))
    assert words in str(caught.value)
    assert len(str(caught.value)) < 400


def test_what_is_not_utf8_is_refused_with_the_line(tmp_path):
    path = write(tmp_path, CELLS + "".join(ROWS))
    path.write_bytes(path.read_bytes() + b"caf\xe9\t1\t1\t1\t1\t1\n")
    with pytest.raises(DataFileError, match=rf":{len(ROWS) + 2}: is not UTF-8"):
        read_folds(path)
