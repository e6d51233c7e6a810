"""Tables and evaluation sets as Parquet and CSV."""

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from sigcore.errors import DataFileError, InputError
from sigcore.evalset import EvalSet, LeftOut, Metric
from sigcore.io.tables import (
    read_evalset_table,
    read_table,
    read_tables,
    write_csv,
    write_evalset,
    write_json,
    write_table,
)

NAMES = ("gold", "a.b", "a", "x y/(z)", "metric:a", "é_&", "system")
LEFT_OUT = (
    LeftOut("system", "refA", "the reference that metrics use"),
    LeftOut("segment", "mqm", "no gold score for every system", 7),
)


def make(documents: tuple[str, ...] | None = ("d1", "d1", "d2")) -> EvalSet:
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(len(NAMES), 2, 3))
    scores[0, 1, 2] = np.nan
    scores[1, 0, 0] = -0.0
    scores[2, :, :] = np.nan
    gold = rng.normal(size=(2, 3))
    gold[0, 1] = np.nan
    metrics = [
        Metric(name, name, "refA", primary=i == 1, baseline=i == 2, extra=i == 3, source=f"f{i}")
        for i, name in enumerate(sorted(NAMES))
    ]
    return EvalSet(
        testset="wmt22",
        language_pair="en-de",
        gold_name="mqm",
        systems=("s.1 (x)", "système/2"),
        human_systems=("système/2",),
        segments=np.array([0, 4, 9]),
        documents=documents,
        gold=gold,
        metrics=tuple(metrics),
        scores=scores,
    )


def assert_same(first: EvalSet, second: EvalSet) -> None:
    for field in EvalSet.__dataclass_fields__:
        a, b = getattr(first, field), getattr(second, field)
        if isinstance(a, np.ndarray):
            assert a.dtype == b.dtype
            assert a.shape == b.shape
            np.testing.assert_array_equal(a, b)
            assert (np.signbit(a) == np.signbit(b))[~np.isnan(a)].all()
        else:
            assert a == b


@pytest.mark.parametrize("documents", [None, ("d1", "d1", "d2")])
def test_an_evaluation_set_comes_back_as_it_was(
    tmp_path: Path, documents: tuple[str, ...] | None
) -> None:
    path = tmp_path / "set.parquet"
    write_evalset(path, make(documents), LEFT_OUT)
    evalset, left_out = read_evalset_table(path)
    assert_same(evalset, make(documents))
    assert left_out == LEFT_OUT


def test_the_columns_can_be_used_without_this_library(tmp_path: Path) -> None:
    path = tmp_path / "set.parquet"
    write_evalset(path, make(), LEFT_OUT)
    frame = pd.read_parquet(path)
    assert list(frame.columns[:4]) == ["system", "segment", "document", "gold"]
    row = frame[(frame["system"] == "système/2") & (frame["segment"] == 4)]
    index = make().metric_index("x y/(z)")
    assert row["metric:x y/(z)"].item() == make().scores[index, 1, 1]
    assert frame["gold"].isna().sum() == 1


def test_some_metrics_can_be_read_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "set.parquet"
    write_evalset(path, make())
    asked: list[list[str]] = []
    original = pq.ParquetFile.read

    def spy(self: pq.ParquetFile, columns: list[str], **options: bool) -> object:
        table = original(self, columns=columns, **options)
        asked.append(table.column_names)
        return table

    monkeypatch.setattr(pq.ParquetFile, "read", spy)
    part, _ = read_evalset_table(path, metrics=["a", "gold"])
    assert part.metric_names == ("a", "gold")
    assert asked[-1] == ["segment", "document", "gold", "metric:a", "metric:gold"]
    for name in part.metric_names:
        expected = make().scores[make().metric_index(name)]
        np.testing.assert_array_equal(part.scores[part.metric_index(name)], expected)
    none, _ = read_evalset_table(path, metrics=[])
    assert none.scores.shape == (0, 2, 3)


def test_unknown_metrics_and_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "set.parquet"
    write_evalset(path, make())
    with pytest.raises(InputError, match="got 'nothing'"):
        read_evalset_table(path, metrics=["a", "nothing"])
    write_table(path, {"x": [1]})
    with pytest.raises(DataFileError, match="is not an evaluation set"):
        read_evalset_table(path)
    path.write_text("no Parquet")
    with pytest.raises(DataFileError, match="cannot be read as Parquet"):
        read_evalset_table(path)
    with pytest.raises(DataFileError, match="cannot be read as Parquet"):
        read_table(tmp_path / "none.parquet")


def test_same_content_gives_the_same_bytes(tmp_path: Path) -> None:
    frame = pd.DataFrame({"name": ["a", "b"], "score": [0.5, np.nan], "n": [1, 2]})
    for number, table in enumerate([frame, frame.set_axis([5, 6])]):
        write_table(tmp_path / f"{number}.parquet", table, metadata={"b": 1, "a": np.nan})
    assert (tmp_path / "0.parquet").read_bytes() == (tmp_path / "1.parquet").read_bytes()
    assert b"pandas" not in (tmp_path / "0.parquet").read_bytes()
    for number in range(2):
        write_evalset(tmp_path / f"{number}.parquet", make(), LEFT_OUT)
    assert (tmp_path / "0.parquet").read_bytes() == (tmp_path / "1.parquet").read_bytes()


def test_facts_of_a_table_are_stored_with_it(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    write_table(path, {"x": [1.5, None]}, metadata={"seed": 0, "value": np.nan})
    table, facts = read_table(path)
    assert facts == {"seed": 0, "value": None}
    assert table.to_pylist() == [{"x": 1.5}, {"x": None}]
    assert read_table(path, columns=[])[0].num_columns == 0


def test_tables_of_the_same_columns_are_read_as_one(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.parquet" for number in range(3)]
    write_table(paths[0], {"x": [1], "y": ["a"]}, metadata={"part": 0})
    write_table(paths[1], {"x": [2], "y": ["b"]}, metadata={"part": 1})
    write_table(paths[2], {"x": [2.5], "y": ["b"]})
    assert read_tables(paths[1::-1]).to_pylist() == [{"x": 2, "y": "b"}, {"x": 1, "y": "a"}]
    with pytest.raises(DataFileError, match=r"2\.parquet: expected the columns of .*, x, y"):
        read_tables(paths)
    with pytest.raises(InputError, match="at least one file"):
        read_tables([])


def test_csv_keeps_numbers_in_full_and_names_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    names = ["a,b", 'say "x"', "two\nlines"]
    values = [0.1 + 0.2, float("nan"), 1e-300]
    write_csv(path, {"name": names, "value": values, "flag": [True, False, True], "n": [1, 2, 3]})
    assert b"\r" not in path.read_bytes()
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["name"] for row in rows] == names
    assert float(rows[0]["value"]) == 0.1 + 0.2
    assert rows[1]["value"] == ""
    assert [row["flag"] for row in rows] == ["true", "false", "true"]


def test_a_value_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        write_json(tmp_path / "x.json", {"bad": object()})
    assert list(tmp_path.iterdir()) == []
