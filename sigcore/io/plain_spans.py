"""Read spans from a table or from JSON lines.

Table
    One span a line, parted by tabs: sentence, start, end, type. Sentences without spans have no
    line. A first line with these four words is a head.
JSON lines
    One sentence a line: ``{"spans": [[0, 2, "PER"], ...]}``, optionally with "id" and "tokens".

Starts and ends count tokens or characters from 0, and an end is the position after the last one.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sigcore.errors import DataFileError
from sigcore.io.lines import read_lines
from sigcore.io.spans import SpanFile
from sigcore.parsing.annotation import Annotation
from sigcore.parsing.tagging import Span

__all__ = ["read_span_json", "read_span_table"]


def read_span_table(path: str | Path, *, name: str | None = None) -> SpanFile:
    """Read spans from a table with sentence, start, end and type, parted by tabs.

    Parameters
    ----------
    path : str or Path
        The file.
    name : str, optional
        Name of the system; the default is the name of the file without its last suffix.

    Returns
    -------
    SpanFile
        The spans; a sentence begins in the line of its first span.
    """
    path = Path(path)
    spans: dict[str, list[Span]] = {}
    lines: dict[str, int] = {}
    for number, line in enumerate(read_lines(path), start=1):
        columns = line.split("\t")
        if not line.strip() or (number == 1 and tuple(columns) == _TABLE_HEAD):
            continue
        if len(columns) != len(_TABLE_HEAD):
            message = f"must have 4 columns (sentence, start, end, type); got {len(columns)}."
            raise DataFileError(path, message, line=number)
        label, *rest = columns
        spans.setdefault(label, []).append(_as_span(path, number, rest))
        lines.setdefault(label, number)
    annotation = Annotation(
        name=name if name is not None else path.stem,
        sentences=tuple(spans),
        spans=tuple(tuple(sentence) for sentence in spans.values()),
        is_open=True,
    )
    return SpanFile(path, annotation, tuple(lines.values()), ())


def read_span_json(path: str | Path, *, name: str | None = None) -> SpanFile:
    """Read spans from JSON lines; parameters as in `read_span_table`.

    A span is a list of start, end and type, or an object with "start", "end" and "type" (or
    "label"). Keys other than "id", "tokens" and "spans" are ignored.
    """
    path = Path(path)
    records = [
        (number, _as_record(path, number, line))
        for number, line in enumerate(read_lines(path), start=1)
        if line.strip()
    ]
    if not records:
        raise DataFileError(path, "has no sentence.")
    labels = [str(record.get("id", index)) for index, (_, record) in enumerate(records, start=1)]
    _check_labels(path, labels, [number for number, _ in records])
    tokens = [record.get("tokens") for _, record in records]
    known = tuple(tuple(sentence) for sentence in tokens if sentence is not None)
    has_tokens = len(known) == len(records)
    annotation = Annotation(
        name=name if name is not None else path.stem,
        sentences=tuple(labels),
        spans=tuple(_record_spans(path, *record) for record in records),
        lengths=tuple(len(sentence) for sentence in known) if has_tokens else None,
        tokens=known if has_tokens else None,
    )
    return SpanFile(path, annotation, tuple(number for number, _ in records), ())


_TABLE_HEAD = ("sentence", "start", "end", "type")


def _as_span(path: Path, line: int, values: Sequence[Any]) -> Span:
    """Make a span of start, end and type, numbers as such or in digits."""
    start, end, label = values
    try:
        first, last = (int(str(value)) for value in (start, end))
    except ValueError:
        first = last = -1
    if not 0 <= first < last:
        message = f"a span must have whole numbers 0 <= start < end; got {start} and {end}."
        raise DataFileError(path, message, line=line)
    if not isinstance(label, str):
        raise DataFileError(path, f"the type of a span must be a text; got {label!r}.", line=line)
    return Span(first, last, label)


def _as_record(path: Path, line: int, text: str) -> Mapping[str, Any]:
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataFileError(path, f"is not JSON: {error}.", line=line) from error
    if not isinstance(record, dict) or not isinstance(record.get("spans"), list):
        raise DataFileError(path, 'must be a JSON object with a list "spans".', line=line)
    tokens = record.get("tokens")
    if tokens is not None and not (
        isinstance(tokens, list) and all(isinstance(token, str) for token in tokens)
    ):
        raise DataFileError(path, '"tokens" must be a list of texts.', line=line)
    return record


def _check_labels(path: Path, labels: Sequence[str], lines: Sequence[int]) -> None:
    seen: dict[str, int] = {}
    for label, line in zip(labels, lines, strict=True):
        if label in seen:
            message = f'"id" must differ; {label!r} is also in line {seen[label]}.'
            raise DataFileError(path, message, line=line)
        seen[label] = line


def _record_spans(path: Path, line: int, record: Mapping[str, Any]) -> tuple[Span, ...]:
    spans = []
    for entry in record["spans"]:
        if isinstance(entry, dict):
            entry = [entry.get("start"), entry.get("end"), entry.get("type", entry.get("label"))]
        if not isinstance(entry, list) or len(entry) != 3:
            message = f"a span must be [start, end, type]; got {json.dumps(entry)}."
            raise DataFileError(path, message, line=line)
        spans.append(_as_span(path, line, entry))
    return tuple(spans)
