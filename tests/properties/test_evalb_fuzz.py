"""Thousands of spoilt evalb files: read right, with a remark, or refused; never a sentence lost."""

import functools
import random
import re
from collections.abc import Callable

import numpy as np
import pytest

from sigcore.errors import DataFileError, InputError
from sigcore.io.evalb import EvalbFile, read_evalb
from sigcore.io.evalb_writer import format_evalb
from sigcore.parsing.scores import SentenceScores

N_MUTATIONS = 6000
N_SENTENCES = 12

JUNK = [
    *(b"\x00", b"\xff\xfe", b"nan", b" inf ", b"9" * 30, b"\xc2\xa0", "²".encode(), b"1e400"),
    *(b" = ", b"===", b"-- All --\n", b"7 : Length unmatch (3|4)\n", b"hello\n", b"0 0 0\n"),
    *(b"=== Summary ===\n", b"-- len<=99999999999 --\n", b"Number of sentence = 1e9\n"),
]

Mutation = Callable[[bytes, random.Random], bytes]


@functools.cache
def original() -> bytes:
    rng = np.random.default_rng(3)
    gold = rng.integers(3, 30, N_SENTENCES)
    matched = rng.integers(0, gold + 1)
    test = matched + rng.integers(0, 6, N_SENTENCES)
    status = np.array([0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0])
    counts = [np.where(status == 0, values, 0) for values in (matched, gold, test)]
    words = np.where(status == 0, gold + 4, 0)
    scores = SentenceScores(
        "original",
        tuple(str(number) for number in range(1, N_SENTENCES + 1)),
        gold + rng.integers(0, 30, N_SENTENCES),
        *counts,
        status=status,
        crossing=np.minimum(counts[2] - counts[0], 2),
        words=words,
        tags=words - (words > 20),
    )
    text = format_evalb(scores)
    return text.replace("   3   ", "3 : Words unmatch (is|was)\n   3   ", 1).encode()


def drop_line(data: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    del lines[rng.randrange(len(lines))]
    return b"\n".join(lines)


def repeat_line(data: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    index = rng.randrange(len(lines))
    return b"\n".join([*lines[:index], lines[index], *lines[index:]])


def swap_lines(data: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    return b"\n".join(lines)


def join_lines(data: bytes, rng: random.Random) -> bytes:
    ends = [match.start() for match in re.finditer(b"\n", data)]
    end = rng.choice(ends) if ends else 0
    return data[:end] + rng.choice([b"", b" "]) + data[end + 1 :]


def break_line(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + rng.choice([b"\n", b"\r", b"\r\n", b"\n\n"]) + data[place:]


def drop_bytes(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + data[place + rng.choice([1, 1, 2, 5, 40, 300]) :]


def change_byte(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + bytes([rng.randrange(256)]) + data[place + 1 :]


def change_digit(data: bytes, rng: random.Random) -> bytes:
    places = [match.start() for match in re.finditer(rb"[0-9]", data)]
    place = rng.choice(places) if places else 0
    new = rng.choice([b"0", b"1", b"7", b"9", b"-", b".", b"e9"])
    return data[:place] + new + data[place + 1 :]


def insert_junk(data: bytes, rng: random.Random) -> bytes:
    junk = rng.choice(JUNK)
    place = rng.randrange(len(data) + 1)
    return data[:place] + junk + data[place:]


def cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def cut_head(data: bytes, rng: random.Random) -> bytes:
    return data[rng.randrange(len(data) + 1) :]


def double(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + data[: rng.randrange(len(data) + 1)] + data[place:]


MUTATIONS: list[Mutation] = [
    drop_line,
    repeat_line,
    swap_lines,
    join_lines,
    break_line,
    drop_bytes,
    change_byte,
    change_digit,
    insert_junk,
    cut,
    cut_head,
    double,
]


def spoilt(seed: int) -> bytes:
    rng = random.Random(seed)
    data = original()
    for _ in range(rng.choice([1, 1, 1, 2, 3, 6])):
        data = rng.choice(MUTATIONS)(data, rng)
    return data


def check(file: EvalbFile, data: bytes) -> None:
    """Assert that each line that looks like a row was read or is in a remark."""
    text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "replace")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    remarked = {remark.line for remark in file.remarks}
    for number, line in enumerate(lines, start=1):
        columns = line.split()
        numbers = [c for c in columns if re.fullmatch(r"[0-9]+(\.[0-9]+)?", c)]
        if len(numbers) >= 10:
            assert number in file.lines or number in remarked, line
    assert len(file.lines) == file.scores.n_sentences
    assert set(range(1, N_SENTENCES + 1)) <= accounted(file)


def accounted(file: EvalbFile) -> set[int]:
    """Return the numbers of the sentences that were read or that a remark says are missing."""
    numbers = {int(label) for label in file.scores.sentences}
    for remark in file.remarks:
        if match := re.match(r"no row for sentence (\d+)(?: to (\d+))? before here", remark.text):
            numbers |= set(range(int(match[1]), min(int(match[2] or match[1]), N_SENTENCES) + 1))
        if re.match(r"no summary after sentence \d+; the file may be cut short", remark.text):
            numbers |= set(range(int(file.scores.sentences[-1]) + 1, N_SENTENCES + 1))
    return numbers


@pytest.mark.parametrize("part", range(6))
def test_a_spoilt_file_is_refused_or_accounts_for_every_sentence(tmp_path, part):
    path = tmp_path / "spoilt.evalb"
    n_read = n_refused = 0
    for seed in range(part, N_MUTATIONS, 6):
        data = spoilt(seed)
        path.write_bytes(data)
        try:
            file = read_evalb(path)
        except DataFileError:
            n_refused += 1
        else:
            check(file, data)
            n_read += 1
    # Both must happen often, or the mutations are too weak or too strong to show anything.
    assert n_read > 100
    assert n_refused > 100


def test_without_verification_a_spoilt_file_never_ends_in_another_error(tmp_path):
    path = tmp_path / "spoilt.evalb"
    for seed in range(1000):
        path.write_bytes(spoilt(seed))
        try:
            file = read_evalb(path, verify=False)
        except InputError:
            continue
        assert len(file.lines) == file.scores.n_sentences


def test_random_bytes_are_refused(tmp_path):
    path = tmp_path / "random.evalb"
    rng = random.Random(0)
    for _ in range(200):
        path.write_bytes(rng.randbytes(rng.randrange(400)))
        with pytest.raises(DataFileError):
            read_evalb(path)
