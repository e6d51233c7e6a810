"""Score files: what is read, and what is refused with which line."""

import bz2
import gzip
import lzma
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sigcore.errors import DataFileError
from sigcore.io.scores import _parse_fast, _parse_strict, read_lines, read_scores

GOOD = b"sys A\t0.5\nsys A\t-1\nB/b.1(x)\tNone\nB/b.1(x)\t2e-3\n"


def write(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "metric-refA.seg.score"
    path.write_bytes(data)
    return path


def naive(data: bytes) -> dict[str, list[float]]:
    """Read the format in the most obvious way."""
    scores: dict[str, list[float]] = {}
    for line in data.decode().splitlines():
        system, score = line.split("\t")
        scores.setdefault(system, []).append(float("nan") if score == "None" else float(score))
    return scores


def test_scores_are_read_by_system_in_file_order(tmp_path: Path) -> None:
    file = read_scores(write(tmp_path, GOOD))
    assert file.systems == ("sys A", "B/b.1(x)")
    assert (file.n_segments, file.n_missing) == (2, 1)
    np.testing.assert_array_equal(file.scores["sys A"], [0.5, -1.0])
    np.testing.assert_array_equal(file.scores["B/b.1(x)"], [np.nan, 0.002])


def test_lines_of_systems_may_alternate(tmp_path: Path) -> None:
    file = read_scores(write(tmp_path, b"b\t1\na\t2\nb\t3\na\t4\n"))
    assert {name: list(values) for name, values in file.scores.items()} == {
        "b": [1, 3],
        "a": [2, 4],
    }
    assert file.systems == ("b", "a")


@given(st.permutations([name for name in "abc" for _ in range(3)]))
@settings(deadline=None, derandomize=True, max_examples=300)
def test_lines_of_systems_form_blocks_or_alternate(order: list[str]) -> None:
    systems = list(dict.fromkeys(order))
    in_order = order in ([name for name in systems for _ in range(3)], systems * 3)
    with TemporaryDirectory() as folder:
        path = write(
            Path(folder), "".join(f"{name}\t{n}\n" for n, name in enumerate(order)).encode()
        )
        with nullcontext() if in_order else pytest.raises(DataFileError, match="one after another"):
            read_scores(path)


def test_a_last_line_without_line_feed_counts(tmp_path: Path) -> None:
    assert read_scores(write(tmp_path, b"a\t1\na\t2")).n_segments == 2


def test_blanks_may_separate_if_there_is_no_tab(tmp_path: Path) -> None:
    file = read_scores(write(tmp_path, b"a 1\nb   None\n"))
    assert file.systems == ("a", "b")
    assert file.n_missing == 1


def test_a_file_of_gaps_only_is_read(tmp_path: Path) -> None:
    file = read_scores(write(tmp_path, b"a\tNone\na\tNone\n"))
    assert file.n_missing == 2
    assert np.isnan(file.scores["a"]).all()


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"", 1, "is empty"),
        (b"\n", 1, "expected 2 columns"),
        (b"a\t1\n\na\t2\n", 2, "expected 2 columns"),
        (b"a\t1\na\t2\n\n", 3, "expected 2 columns"),
        (b"a\t1\na\t2\t3\n", 2, "found 3"),
        (b"a\t1\na 2\n", 2, "found 1"),
        (b"a b 1\n", 1, "found 3"),
        (b"a\t1\na\tgood\n", 2, "expected a finite number or 'None'; found 'good'"),
        (b"a\t1\na\t\n", 2, "found ''"),
        (b"a\t1\na\tnan\n", 2, "found 'nan'"),
        (b"a\t1\na\tNaN\n", 2, "found 'NaN'"),
        (b"a\tinf\n", 1, "found 'inf'"),
        (b"a\t-Infinity\n", 1, "found '-Infinity'"),
        (b"a\t1e999\n", 1, "found '1e999'"),
        (b"a\t1,5\n", 1, "found '1,5'"),
        (b"a\t1_0\n", 1, "found '1_0'"),
        (b"a\t0x10\n", 1, "found '0x10'"),
        (b"a\tnone\n", 1, "found 'none'"),
        (b"a\tnull\n", 1, "found 'null'"),
        ("a\t١\n".encode(), 1, "expected a finite number"),
        (b"\t1\n", 1, "expected the name of a system"),
        (b"a \t1\n", 1, "expected the name of a system; found 'a '"),
        (b"\xef\xbb\xbfa\t1\n", 1, "byte order mark"),
        (b"a\t1\r\na\t2\r\n", 1, "carriage return"),
        (b"a\t1\na\t2\r\n", 2, "carriage return"),
        (b"a\t1\n\xff\t2\n", 2, "is not UTF-8"),
        (b"a\t1\nb\x00\t1\n", 2, "zero byte"),
        (b"a\t1\r\nb\x00\t1\n", 2, "zero byte"),
        (b"a\t1\na\t2\nb\t1\nc\t1\nc\t2\n", 3, "expected 2 scores of each system; found 1 of 'b'"),
        (b"a\t1\nb\t1\nb\t2\n", 1, "expected 2 scores of each system; found 1 of 'a'"),
        (b"a\t1\na\t2\nb\t1\na\t3\nb\t2\nb\t3\n", 4, "one after another, or the systems in"),
        (b"a\t1\nb\t1\nb\t2\na\t2\n", 3, "same order for every segment; found 'b' after 'b'"),
        (b"a\t1\nb\t1\nc\t1\nb\t2\na\t2\nc\t2\n", 4, "found 'b' after 'c'"),
        (b"a 1\nb 1\nb 2\na 2\n", 3, "found 'b' after 'b'"),
    ],
)
def test_a_faulty_file_is_refused_with_its_line(
    tmp_path: Path, data: bytes, line: int, message: str
) -> None:
    path = write(tmp_path, data)
    with pytest.raises(DataFileError) as caught:
        read_scores(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_number_of_segments_can_be_demanded(tmp_path: Path) -> None:
    path = write(tmp_path, b"a\t1\na\t2\nb\t1\nb\t2\n")
    assert read_scores(path, n_segments=2).n_segments == 2
    with pytest.raises(DataFileError, match=r":2: expected 3 scores .* found 2 of 'a'"):
        read_scores(path, n_segments=3)


def test_gaps_can_be_refused(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match=r":3: expected a number; found 'None'"):
        read_scores(write(tmp_path, GOOD), allow_missing=False)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match=r"none\.score: cannot be read: No such file"):
        read_scores(tmp_path / "none.score")
    with pytest.raises(DataFileError, match="cannot be read"):
        read_lines(tmp_path)


def test_a_compressed_file_is_called_so(tmp_path: Path) -> None:
    packed = {"gzip": gzip.compress(GOOD), "bzip2": bz2.compress(GOOD), "xz": lzma.compress(GOOD)}
    for program, data in packed.items():
        with pytest.raises(DataFileError, match=rf"score: is compressed \({program}\); expected"):
            read_scores(write(tmp_path, data))
    # A system may be called so.
    assert read_scores(write(tmp_path, b"BZh1\t1\n")).systems == ("BZh1",)


def test_a_long_text_is_cut_in_the_message(tmp_path: Path) -> None:
    with pytest.raises(DataFileError) as caught:
        read_scores(write(tmp_path, b"a\t" + b"x" * 5000 + b"\n"))
    assert len(str(caught.value)) < 300


names = st.text(
    st.characters(blacklist_characters="\t\n\r\0", blacklist_categories=["Cs"]), min_size=1
).filter(lambda name: name == name.strip() and not name.startswith("\ufeff"))
numbers = st.floats(allow_nan=False, allow_infinity=False) | st.none()


@given(st.dictionaries(names, st.lists(numbers, min_size=3, max_size=3), min_size=1, max_size=4))
@settings(deadline=None, derandomize=True)
def test_what_was_written_is_read_bit_by_bit(scores: dict[str, list[float | None]]) -> None:
    lines = [f"{name}\t{value!r}\n" for name, values in scores.items() for value in values]
    parsed = _parse_fast("".join(lines).encode())
    if parsed is None:
        parsed = _parse_strict("".join(lines).encode(), Path("x"))
    read_names, codes, values = parsed
    assert read_names == list(scores)
    expected = [np.nan if v is None else v for values in scores.values() for v in values]
    np.testing.assert_array_equal(values, expected)
    assert list(codes) == [i for i in range(len(scores)) for _ in range(3)]


fields = st.sampled_from(
    [
        *("a", "b b", " ", "1", "-0.5", "+2", "1.", ".5", "1e3", "1E-3", " 7", "7 ", "None"),
        *(" None", "nan", "inf", "-inf", "NA", "", "0x1", "1e400", '"q"', "1 2", "١", "True"),
        *("1e-400", "#N/A", "1d3", "1f", "٣.٥", "--1", "1e", "e1", "."),
    ]
)
lines = st.tuples(fields, st.sampled_from(["\t", " ", "\t\t", ""]), fields).map("".join)


@given(st.lists(lines, min_size=1, max_size=4).map("\n".join))
@settings(deadline=None, derandomize=True, max_examples=600)
def test_the_fast_parser_never_accepts_what_the_strict_one_refuses(text: str) -> None:
    fast = _parse_fast(text.encode())
    if fast is None:
        return
    strict = _parse_strict(text.encode(), Path("x"))
    assert fast[0] == strict[0]
    np.testing.assert_array_equal(fast[1], strict[1])
    np.testing.assert_array_equal(fast[2], strict[2])


def test_well_formed_files_take_the_fast_way_to_the_same_scores() -> None:
    parsed = _parse_fast(GOOD)
    assert parsed is not None
    expected = naive(GOOD)
    assert parsed[0] == list(expected)
    np.testing.assert_array_equal(parsed[2].reshape(2, 2), list(expected.values()))
