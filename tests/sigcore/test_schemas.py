from pathlib import Path

import pytest

from sigcore.io.schemas import SCHEMAS, describe_table, table_of

DOCS = Path(__file__).resolve().parents[2] / "docs/results.md"


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_table_without_rows_has_its_columns(name):
    table = table_of(name, [])
    assert table.num_rows == 0
    assert table.schema.names == SCHEMAS[name].names


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_column_is_described_in_the_documentation(name):
    assert f"### `{name}`" in DOCS.read_text(encoding="utf-8")
    assert describe_table(name) in DOCS.read_text(encoding="utf-8")


def test_a_row_may_have_more_than_the_table_needs():
    row = {"kind": "system", "name": "A", "reason": "why", "count": 1, "more": 5}
    assert table_of("left_out", [row]).num_columns == 4
