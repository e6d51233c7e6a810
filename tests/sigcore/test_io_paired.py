import math

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sigcore.errors import DataFileError, InputError, PairingWarning
from sigcore.io.columns import read_columns
from sigcore.io.paired import read_pair, read_score_table
from sigcore.io.tables import write_table


def write(folder, name, text):
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("blanks.txt", "1 2\n3  4\n5.5 -6e-1\n"),
        ("tabs.txt", "1\t2\n3\t4\n5.5\t-6e-1\n"),
        ("table.csv", "1,2\n3,4\n5.5,-6e-1\n"),
        ("table.tsv", "1\t2\n3\t4\n5.5\t-6e-1"),
        ("semicolon.txt", "1;2\n3;4\n5.5;-6e-1\n"),
        ("semicolon.csv", "1;2\n3;4\n5.5;-6e-1\n"),
        ("windows.csv", "\ufeff1,2\r\n3,4\r\n5.5,-6e-1\r\n"),
        ("spaced.csv", "1, 2\n3, 4\n5.5, -6e-1\n\n"),
    ],
)
def test_two_columns_are_read_whatever_separates_them(tmp_path, name, text):
    pair = read_pair(write(tmp_path, name, text))
    assert pair.u.tolist() == [1.0, 3.0, 5.5]
    assert pair.v.tolist() == [2.0, 4.0, -0.6]
    assert pair.names == ("A", "B")


def test_header_names_the_systems(tmp_path):
    pair = read_pair(write(tmp_path, "x.csv", "new,old\n1,2\n3,4\n"))
    assert pair.names == ("new", "old")
    assert pair.u.tolist() == [1.0, 3.0]


def test_columns_are_chosen_by_name_or_number(tmp_path):
    path = write(tmp_path, "x.csv", "item,a,b,c\ns1,1,2,3\ns2,4,5,6\n")
    assert read_pair(path, columns=["c", "a"]).u.tolist() == [3.0, 6.0]
    assert read_pair(path, columns=["3", "4"]).u.tolist() == [2.0, 5.0]
    with pytest.raises(DataFileError, match=r"3 columns of numbers \('a', 'b', 'c'\)"):
        read_pair(path)
    with pytest.raises(DataFileError, match="has no column 'z'; it has 'item', 'a', 'b', 'c'"):
        read_pair(path, columns=["a", "z"])
    with pytest.raises(InputError, match="`columns` must name 2 columns; got 1"):
        read_pair(path, columns=["a"])


def test_a_text_column_beside_two_columns_of_scores_is_passed_over(tmp_path):
    path = write(tmp_path, "x.tsv", "id\tA\tB\ns1\t1\t2\ns2\t3\t4\n")
    assert read_pair(path).names == ("A", "B")


def test_two_files_with_one_score_a_line(tmp_path):
    one, two = write(tmp_path, "one.txt", "1\n2\n"), write(tmp_path, "two.txt", "3\n4\n")
    pair = read_pair(one, two)
    assert (pair.u.tolist(), pair.v.tolist()) == ([1.0, 2.0], [3.0, 4.0])
    assert pair.names == ("one", "two")


ITEMS = "id,score\na,1\nb,2\nc,3\n"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (ITEMS, "id,score\nc,30\na,10\nb,20\n"),
        (ITEMS, "score,other,id\n30,x,c\n10,x,a\n20,x,b\n"),
        ("a 1\nb 2\nc 3\n", "c 30\na 10\nb 20\n"),
        ("seg,score\n1,1\n2,2\n3,3\n", "seg,score\n3,30\n1,10\n2,20\n"),
        ("source,score\nHe.,1\nShe.,2\nIt.,3\n", "source,score\nIt.,30\nHe.,10\nShe.,20\n"),
        ("doc,seg,x\na,1,1\na,2,2\nb,1,3\n", "doc,seg,x\nb,1,30\na,1,10\na,2,20\n"),
        # The name of the system does not name the items.
        ("A\t1\nA\t2\nA\t3\n", "B\t10\nB\t20\nB\t30\n"),
    ],
)
def test_rows_of_two_files_are_matched_by_item(tmp_path, first, second):
    pair = read_pair(write(tmp_path, "one.txt", first), write(tmp_path, "two.txt", second))
    assert pair.u.tolist() == [1.0, 2.0, 3.0]
    assert pair.v.tolist() == [10.0, 20.0, 30.0]


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ("id,score\nc,30\na,10\nd,20\n", r"one.txt:3: has the item 'b', .*two.txt has not"),
        ("id,score\nc,30\na,10\n", r"one.txt:3: has the item 'b', .*two.txt has not"),
        (ITEMS + "d,4\n", r"two.txt:5: has the item 'd', .*one.txt has not"),
        ("id,score\nc,3\na,1\na,9\nb,2\n", r"two.txt:4: has the item 'a' twice"),
    ],
)
def test_files_with_other_items_are_refused_with_the_line(tmp_path, second, message):
    one, two = write(tmp_path, "one.txt", ITEMS), write(tmp_path, "two.txt", second)
    with pytest.raises(DataFileError, match=message):
        read_pair(one, two)


def test_a_missing_score_is_reported_where_it_is(tmp_path):
    one, two = write(tmp_path, "one.csv", ITEMS), write(tmp_path, "two.csv", "id,s\nb,\na,1\nc,2\n")
    with pytest.raises(DataFileError, match=r"two.csv:2: an item lacks a score"):
        read_pair(one, two)


def test_parquet_labels_of_a_million_items_stay_apart(tmp_path):
    path = tmp_path / "x.parquet"
    items = [1_000_000, 1_000_001]
    write_table(path, {"system": ["a", "a", "b", "b"], "segment": items * 2, "score": [1, 2, 3, 4]})
    assert read_score_table(path).scores.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_right_and_wrong_as_booleans_are_scores(tmp_path):
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"a": [True, False], "b": [False, None]}), path)
    pair = read_pair(path, drop_missing=True)
    assert (pair.u.tolist(), pair.v.tolist()) == ([1.0], [0.0])


def test_a_cell_without_end_is_refused(tmp_path):
    path = write(tmp_path, "x.csv", 'a,b\n1,"' + "2" * 200_000)
    with pytest.raises(DataFileError, match="cannot be read as a table: field larger"):
        read_pair(path)


def test_parquet_columns_are_read(tmp_path):
    path = tmp_path / "x.parquet"
    write_table(path, {"item": ["a", "b"], "new": [1, 2], "old": [0.5, None]})
    pair = read_pair(path, drop_missing=True)
    assert (pair.names, pair.n_missing, pair.u.tolist()) == (("new", "old"), 1, [1.0])


def test_unequal_lengths_are_refused_with_both_lengths(tmp_path):
    one, two = write(tmp_path, "one.txt", "1\n2\n"), write(tmp_path, "two.txt", "3\n")
    with pytest.raises(InputError, match=r"one.txt has 2 and .*two.txt has 1"):
        read_pair(one, two)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\n2\n", "expected 2 columns of scores; found 1. Give a second file"),
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("1 2\n3\n", r"x.txt:2: expected 2 columns as in line 1; found 1"),
        ("1 2\n\n3 4\n", r"x.txt:2: expected 2 columns as in line 1; found 0"),
        ("1 2\n3 four\n", r"x.txt:2: expected a number in column '2'; found 'four'"),
        ("a b\n1 2\n3 inf\n", r"x.txt:3: expected a number in column 'b'; found 'inf'"),
        ("one two\nthree four\n", "x.txt:1: expected a number in column '1'; found 'one'"),
        ("a,a\n1,2\n", "two columns of the same name"),
        (b"\xff\xfe1\n", "is not UTF-8 text"),
        ("1 2\nNA 3\n", r"x.txt:2: an item lacks a score"),
        ("1 2\n3 NA\nN/A 3\n", r"x.txt:2: 2 items, this the first, lack a score"),
        ("1,5 2,5\n3,5 4,5\n", r"x.txt:1: has two numbers in a cell, '5 2'; write decimal points"),
        ("1,5;2,5\n", r"x.txt:1: has two numbers in a cell, '5;2'"),
        ("x 1\nNA 3\n", "expected a number|expected 2 columns"),
    ],
)
def test_what_is_no_table_of_two_systems_is_refused(tmp_path, text, message):
    with pytest.raises(DataFileError, match=message):
        read_pair(write(tmp_path, "x.txt", text))


def test_missing_scores_are_left_out_on_request_and_counted(tmp_path):
    path = write(tmp_path, "x.csv", "1,2\n,3\n4,None\n5,6\n")
    pair = read_pair(path, drop_missing=True)
    assert (pair.u.tolist(), pair.n_missing) == ([1.0, 5.0], 2)
    with pytest.raises(DataFileError, match="no item with a score of both"):
        read_pair(write(tmp_path, "y.csv", "a,b\n1,NA\nNA,2\n"), drop_missing=True)


def test_an_empty_last_cell_is_a_missing_score(tmp_path):
    pair = read_pair(write(tmp_path, "x.tsv", "1\t2\n3\t4\n5\t\n"), drop_missing=True)
    assert pair.n_missing == 1


def test_a_parquet_file_that_is_none_is_refused(tmp_path):
    with pytest.raises(DataFileError, match="cannot be read as Parquet"):
        read_columns(write(tmp_path, "x.parquet", "1 2\n"))


SCORES = [[1.0, 2.0, 3.0], [4.0, math.nan, 6.0]]
LAYOUTS = {
    "columns": "segment,a,b\n1,1,4\n2,2,NA\n3,3,6\n",
    "rows": "system,s1,s2,s3\na,1,2,3\nb,4,,6\n",
    "long": "score,system,segment\n1,a,x\n4,b,x\n2,a,y\n6,b,z\n3,a,z\n",
    "segments": "a\t1\na\t2\na\t3\nb\t4\nb\tNone\nb\t6\n",
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_gives_the_same_table(tmp_path, layout):
    name = "x.score" if layout == "segments" else "x.csv"
    path = write(tmp_path, name, LAYOUTS[layout])
    for asked in (layout,) if layout == "rows" else (layout, "auto"):
        table = read_score_table(path, layout=asked)
        assert table.names == ("a", "b")
        assert np.array_equal(table.scores, SCORES, equal_nan=True)
        assert table.n_missing == 1


def test_long_parquet_with_other_column_names(tmp_path):
    path = tmp_path / "x.parquet"
    columns = {"system": ["a", "a", "b", "b"], "segment": [0, 1, 0, 1], "gold": [1.0, 2, 3, 4]}
    write_table(path, columns)
    table = read_score_table(path, score_column="gold")
    assert table.scores.tolist() == [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize("bad", ["x", "inf", "1;2"])
def test_a_system_with_a_wrong_cell_is_not_passed_over(tmp_path, bad):
    path = write(tmp_path, "x.csv", f"item,A,B,C\ns,1,2,3\nt,2,{bad},4\nu,5,6,7\n")
    with pytest.raises(DataFileError, match=f"x.csv:3: .* in column 'B'; found '{bad}'"):
        read_score_table(path)
    path = write(tmp_path, "y.csv", f"source,A,B\ns,1,2\nt,{bad},3\nu,5,6\n")
    with pytest.raises(DataFileError, match=f"y.csv:3: .* in column 'A'; found '{bad}'"):
        read_pair(path)


def test_systems_can_be_left_out(tmp_path):
    table = read_score_table(write(tmp_path, "x.csv", LAYOUTS["columns"]))
    assert table.without(["a", "unknown"]).names == ("b",)


@pytest.mark.parametrize(
    ("text", "layout", "message"),
    [
        ("a\t1\na\t2\nb\t3\n", "segments", "'b' has 1 and 'a' 2"),
        ("system,segment,score\na,x,1\nb,x,2\na,x,3\n", "long", ":4: 'a' has two scores on 'x'"),
        ("system,segment,score\na,x,1\nb,x,two\n", "long", ":3: expected a number"),
        ("a,1,2\na,3,4\n", "rows", "two rows for the system 'a'"),
        ("a\n1\n2\n", "columns", "2 or more systems; found 1"),
        ("system,score\na,1\n", "long", "has no column 'segment'"),
    ],
)
def test_what_is_no_table_of_systems_is_refused(tmp_path, text, layout, message):
    name = "x.tsv" if layout == "segments" else "x.csv"
    with pytest.raises(DataFileError, match=message):
        read_score_table(write(tmp_path, name, text), layout=layout)


def test_unknown_layout_is_refused(tmp_path):
    with pytest.raises(InputError, match="`layout` must be one of"):
        read_score_table(tmp_path / "x.csv", layout="wide")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('text,a,b\n"one\ntwo",1,2\n"\n\n",3,4\nlast,x,5\nmore,1,5\n', 7),
        ('text,a,b\r\n"one\r\ntwo",1,2\r\nlast,x,5\r\nmore,1,5\r\n', 4),
        ('text,a,b\n"one\ntwo",1,2\nlast,4,5,6\n', 4),
        ('text,a,b\n"one\ntwo",1,2\n"last\none",,6\n', 4),
    ],
)
def test_lines_are_counted_through_cells_of_several_lines(tmp_path, text, line):
    with pytest.raises(DataFileError) as caught:
        read_pair(write(tmp_path, "x.csv", text))
    assert caught.value.line == line


def test_texts_that_differ_are_matched_by_line_with_a_warning(tmp_path):
    one = write(tmp_path, "one.csv", "text,score\nHe.,1\nShe.,2\nIt.,4\n")
    two = write(tmp_path, "two.csv", "text,score\nHe.,10\nIt !,30\nShe .,20\n")
    message = r"differ in 2 of 3 rows, first in 'She\.' and 'It !'"
    with pytest.warns(PairingWarning, match=message):
        pair = read_pair(one, two)
    assert pair.v.tolist() == [10.0, 30.0, 20.0]
    (note,) = pair.notes
    assert note.startswith("one.csv and two.csv were matched line by line")


def test_names_of_systems_and_items_with_names_are_matched_without_a_warning(tmp_path):
    one = write(tmp_path, "one.csv", "id,system,text,score\na,X,He.,1\nb,X,She.,2\n")
    two = write(tmp_path, "two.csv", "id,system,text,score\nb,Y,Sie.,20\na,Y,Er.,10\n")
    assert read_pair(one, two).v.tolist() == [10.0, 20.0]
    one = write(tmp_path, "one.csv", "system,score\nX,1\nX,2\n")
    two = write(tmp_path, "two.csv", "system,score\nY,10\nY,20\n")
    assert read_pair(one, two).v.tolist() == [10.0, 20.0]


def test_names_without_a_header_are_not_taken_for_items_in_silence(tmp_path):
    path = write(tmp_path, "x.tsv", "good\t1\t2\t3\nbad\t0\t1\t1\n")
    with pytest.raises(DataFileError, match="'good' may be a system or an item; choose the layout"):
        read_score_table(path)
    assert read_score_table(path, layout="rows").names == ("good", "bad")
    assert read_score_table(path, layout="columns").scores.shape == (3, 2)


def test_the_index_of_a_data_frame_is_no_system(tmp_path):
    frame = pd.DataFrame({"A": [1.0, 2.0, 3.0], "B": [2.0, 2.0, 1.0]}, index=[5, 6, 9])
    frame.to_csv(tmp_path / "x.csv")
    frame.to_parquet(tmp_path / "x.parquet")
    pd.read_csv(tmp_path / "x.csv").to_csv(tmp_path / "again.csv", index=False)
    for name in ("x.csv", "x.parquet", "again.csv"):
        assert read_score_table(tmp_path / name).names == ("A", "B")
        assert read_pair(tmp_path / name).u.tolist() == [1.0, 2.0, 3.0]
    frame[["A"]].to_csv(tmp_path / "a.csv")
    frame[["B"]][::-1].to_csv(tmp_path / "b.csv")
    assert read_pair(tmp_path / "a.csv", tmp_path / "b.csv").v.tolist() == [2.0, 2.0, 1.0]


@pytest.mark.parametrize("bad", ["inf", "-Infinity", "1e999"])
def test_infinity_in_the_first_line_is_refused_and_not_taken_for_a_name(tmp_path, bad):
    with pytest.raises(DataFileError, match=f":1: expected a number in column '2'; found '{bad}'"):
        read_pair(write(tmp_path, "x.txt", f"1 {bad}\n2 3\n4 5\n"))


def test_numbers_of_items_are_not_compared_with_scores(tmp_path):
    path = write(tmp_path, "x.csv", "segment,score\n1,0.5\n2,0.7\n")
    with pytest.raises(DataFileError, match="expected 2 columns of scores; found 1"):
        read_pair(path)
