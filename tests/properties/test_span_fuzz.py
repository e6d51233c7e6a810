"""Spoilt span and CoNLL-U files: refused with the file's name, or read; never another error."""

import json
import random

import pytest

from sigcore.errors import InputError
from sigcore.io.conllu import read_conllu
from sigcore.io.plain_spans import read_span_json, read_span_table
from sigcore.io.spans import read_tag_columns

N_MUTATIONS = 1500

COLUMNS = b"U.N. B-ORG\nofficial O\nEkeus I-PER\n\n-DOCSTART- O\n\nheads O\nfor B-LOC\n"
TABLE = b"sentence\tstart\tend\ttype\n1\t0\t2\tPER\n1\t3\t4\tLOC\n2\t0\t1\tORG\n"
JSON = b'{"id": 1, "tokens": ["a", "b"], "spans": [[0, 2, "PER"]]}\n{"spans": []}\n'
CONLLU = (
    b"# text\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\ta\tX\tx\t_\t2\tdep\t_\t_\n"
    b"2\tb\tb\tY\ty\t_\t0\troot\t_\t_\n\n1\tc\tc\tZ\tz\t_\t0\troot\t_\t_\n"
)
READERS = {
    "columns": (read_tag_columns, COLUMNS),
    "table": (read_span_table, TABLE),
    "json": (read_span_json, JSON),
    "conllu": (read_conllu, CONLLU),
}
PIECES = [b"\n", b"\t", b" ", b"\x00", b"\xff", b"-1", b"9" * 30, b"O", b"B-", "²".encode(), b"[]"]
PIECES += [b"{", b"null", b"true", b"1e999", b"NaN", b'"', b"\r", b"\xef\xbb\xbf", b"\xe2\x80\xa8"]


def spoil(data, rng):
    for _ in range(rng.choice([1, 1, 2, 5])):
        place, other = rng.randrange(len(data) + 1), rng.randrange(len(data) + 1)
        if rng.random() < 0.4:
            data = data[: min(place, other)] + data[max(place, other) :]
        elif rng.random() < 0.7:
            data = data[:place] + rng.choice(PIECES) + data[place:]
        else:
            data = data[:place] + bytes([rng.randrange(256)]) + data[place + 1 :]
    return data


@pytest.mark.parametrize("name", list(READERS))
def test_a_spoilt_file_is_read_or_refused(tmp_path, name):
    read, original = READERS[name]
    path = tmp_path / "spoilt.txt"
    rng = random.Random(1)
    outcomes = {"read": 0, "refused": 0}
    for _ in range(N_MUTATIONS):
        path.write_bytes(spoil(original, rng))
        try:
            read(path)
        except InputError as error:
            outcomes["refused"] += str(path) in str(error)
        else:
            outcomes["read"] += 1
    assert sum(outcomes.values()) == N_MUTATIONS
    assert min(outcomes.values()) > 20, json.dumps(outcomes)
