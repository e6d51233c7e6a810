"""Read spans from a column of tags, as in the CoNLL shared tasks.

The file has one token a line, a blank line after each sentence, columns parted by tabs or else
blanks, and the tag in one of them, usually the last.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sigcore.errors import DataFileError
from sigcore.io.lines import Remark, read_lines
from sigcore.parsing.annotation import Annotation
from sigcore.parsing.tagging import SCHEMES, Span, decode_tags, is_tag
from sigcore.validation import as_choice

__all__ = ["SpanFile", "read_tag_columns"]


@dataclass(frozen=True, slots=True)
class SpanFile:
    """Contents of a file with spans.

    Attributes
    ----------
    path : Path
        The file.
    annotation : Annotation
        The spans.
    lines : tuple of int
        Line each sentence begins in.
    remarks : tuple of Remark
        What was passed over, and tags out of place.
    """

    path: Path
    annotation: Annotation
    lines: tuple[int, ...]
    remarks: tuple[Remark, ...]


def read_tag_columns(
    path: str | Path,
    *,
    name: str | None = None,
    column: int = -1,
    scheme: str = "iob2",
    strict: bool = False,
    comment: str | None = None,
) -> SpanFile:
    """Read spans from a column of tags.

    Parameters
    ----------
    path : str or Path
        The file.
    name : str, optional
        Name of the system; the default is the name of the file without its last suffix.
    column : int
        Column of the tags, from 0; negative numbers count from the last, which is -1. If there
        are several columns, the first one is the token.
    scheme : {"iob1", "iob2", "iobes", "bilou", "bmes"}
        What the letters of the tags mean.
    strict : bool
        Whether to drop spans whose tags break the scheme; see `decode_tags`.
    comment : str, optional
        Lines that begin with this are passed over. There is no default, as ``#`` is also a token.

    Returns
    -------
    SpanFile
        The spans. Lines of ``-DOCSTART-`` are passed over.

    Raises
    ------
    DataFileError
        If rows have different numbers of columns or a tag is not one of the scheme.
    """
    as_choice(scheme, "scheme", SCHEMES)
    path = Path(path)
    rows, remarks = _read_rows(path, comment)
    spans = []
    for sentence in rows:
        tags = [_pick(path, row, column) for row in sentence]
        spans.append(_decode(path, sentence, tags, scheme, strict, remarks))
    has_tokens = len(rows[0][0].columns) > 1
    annotation = Annotation(
        name=name if name is not None else path.stem,
        sentences=tuple(str(number) for number in range(1, len(rows) + 1)),
        spans=tuple(spans),
        lengths=tuple(len(sentence) for sentence in rows),
        tokens=tuple(tuple(row.columns[0] for row in sentence) for sentence in rows)
        if has_tokens
        else None,
    )
    lines = tuple(sentence[0].line for sentence in rows)
    return SpanFile(path, annotation, lines, tuple(remarks))


_BLANKS = re.compile(" +")
_DOCUMENT = "-DOCSTART-"


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    columns: tuple[str, ...]


def _read_rows(path: Path, comment: str | None) -> tuple[list[list[_Row]], list[Remark]]:
    """Return the rows of each sentence; all rows have the same number of columns."""
    sentences: list[list[_Row]] = [[]]
    remarks: list[Remark] = []
    width = None
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip(" \t"):
            sentences.append([])
        elif comment and line.startswith(comment):
            remarks.append(Remark(number, f"comment passed over: {line}"))
        elif _split(line.lstrip(" \t"))[0] == _DOCUMENT:
            remarks.append(Remark(number, f"{_DOCUMENT} passed over"))
        else:
            columns = _split(line)
            width = width or len(columns)
            if len(columns) != width:
                message = f"must have {width} columns like the rows above; got {len(columns)}."
                raise DataFileError(path, message, line=number)
            sentences[-1].append(_Row(number, columns))
    sentences = [sentence for sentence in sentences if sentence]
    if not sentences:
        raise DataFileError(path, "has no sentence.")
    return sentences, remarks


def _split(line: str) -> tuple[str, ...]:
    # Not str.split(), which also splits at no-break spaces and the like within tokens.
    if "\t" in line:
        return tuple(field.strip(" ") for field in line.split("\t"))
    return tuple(_BLANKS.split(line.strip(" ")))


def _pick(path: Path, row: _Row, column: int) -> str:
    if not -len(row.columns) <= column < len(row.columns):
        message = f"has {len(row.columns)} columns, none is column {column}."
        raise DataFileError(path, message, line=row.line)
    return row.columns[column]


def _decode(
    path: Path,
    rows: Sequence[_Row],
    tags: Sequence[str],
    scheme: str,
    strict: bool,
    remarks: list[Remark],
) -> tuple[Span, ...]:
    for row, tag in zip(rows, tags, strict=True):
        if not is_tag(tag, scheme=scheme):
            raise DataFileError(path, f"{tag!r} is not a tag of {scheme}.", line=row.line)
    decoded = decode_tags(tags, scheme=scheme, strict=strict)
    done = "its span dropped" if strict else "read as conlleval does"
    remarks += [
        Remark(rows[place].line, f"{tags[place]} is out of place in {scheme}; {done}")
        for place in decoded.odd
    ]
    return decoded.spans
