"""Columns between numpy and Arrow, checked against pyarrow's own conversion."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sigcore.io.arrow import as_arrow, as_column, float_values, int_values


@pytest.mark.parametrize(
    "values",
    [
        ["a", "", "ü/(x) y", None],
        [None, None],
        [],
        [True, False, True] * 5,
        [1, 2, -(2**62)],
        [1.5, None, 2, float("nan")],
        np.array([1.5, np.nan, -0.0]),
        np.arange(20, dtype=np.int32),
        np.array([True] * 9 + [False]),
        np.array(["a", "bc"]),
        np.array(["a", None], dtype=object),
        [np.float64(1.5), np.float64("nan")],
        [np.int64(3), 4],
        np.arange(12.0).reshape(3, 4)[:, 1],
        [[1, 2], [3]],
        [True, None],
    ],
)
def test_columns_equal_those_of_pyarrow(values: Any) -> None:
    column = as_column(values)
    column.validate(full=True)
    expected = pa.array(values, from_pandas=True)
    if pa.types.is_null(expected.type):
        expected = expected.cast(pa.string())
    if pa.types.is_int32(expected.type):
        expected = expected.cast(pa.int64())
    assert column.to_pylist() == expected.to_pylist()
    assert column.type == expected.type


@given(st.lists(st.floats() | st.none()))
@settings(deadline=None, derandomize=True)
def test_floats_come_back_bit_by_bit(values: list[float | None]) -> None:
    expected = np.array([np.nan if v is None else v for v in values], dtype=np.float64)
    column = pa.chunked_array([as_column(values).cast(pa.float64())])
    np.testing.assert_array_equal(float_values(column), expected)
    assert (np.signbit(float_values(column)) == np.signbit(expected))[~np.isnan(expected)].all()


@given(st.lists(st.lists(st.floats(allow_nan=False) | st.none())), st.integers(0, 5))
@settings(deadline=None, derandomize=True)
def test_chunks_and_slices_are_read_like_pyarrow_does(
    chunks: list[list[float | None]], start: int
) -> None:
    column = pa.chunked_array([pa.array(chunk, pa.float64()) for chunk in chunks], pa.float64())
    column = column.slice(start)
    np.testing.assert_array_equal(float_values(column), column.to_numpy())


def test_whole_numbers_are_read_across_chunks() -> None:
    column = pa.chunked_array([[1, 2, 3], [4]], pa.int64()).slice(1)
    assert list(int_values(column)) == [2, 3, 4]


def test_tables_come_from_mappings_frames_and_tables() -> None:
    columns = {"name": ["a", "b"], "score": [0.5, None]}
    table = as_arrow(columns)
    assert as_arrow(table) is table
    frame = pd.DataFrame(columns, index=[7, 9])
    assert as_arrow(frame).to_pylist() == table.to_pylist()
    assert as_arrow({}).num_columns == 0


def test_writing_and_reading_a_set_does_not_import_pandas(tmp_path: Path) -> None:
    code = (
        "import sys; import numpy as np; from sigcore.io.tables import *;"
        "from sigcore.io.mtme import read_scores; from sigcore.evalset import *;"
        "e = EvalSet('t', 'a-b', 'g', ('x', 'y'), (), np.arange(2), None, np.ones((2, 2)),"
        "(Metric('m', 'm', 'src'),), np.ones((1, 2, 2)));"
        "write_evalset(sys.argv[1] + '/e.parquet', e);"
        "read_evalset_table(sys.argv[1] + '/e.parquet');"
        "write_text(sys.argv[1] + '/m.score', 'x\\t1\\ny\\tNone\\n');"
        "read_scores(sys.argv[1] + '/m.score');"
        "sys.exit('pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
