"""Lines of text files, and remarks on them."""

import codecs
import csv
from dataclasses import dataclass
from pathlib import Path

from sigcore.errors import DataFileError

__all__ = ["Remark", "read_ascii_lines", "read_lines", "read_separated"]


@dataclass(frozen=True, slots=True)
class Remark:
    """Something a reader noticed or passed over.

    Attributes
    ----------
    line : int
        Line of the file, counted from 1.
    text : str
        What was there.
    """

    line: int
    text: str


def read_lines(path: str | Path) -> list[str]:
    """Read a UTF-8 file, with or without byte order mark and with any line ends, as lines."""
    data = Path(path).read_bytes()
    try:
        return _split(data.decode("utf-8-sig"))[0]
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise DataFileError(path, f"is not UTF-8: {error.reason}.", line=line) from error


def read_separated(path: str | Path, *, separators: str = "\t") -> list[tuple[int, list[str]]]:
    """Read the rows of a table that are not empty, each with its line.

    Parameters
    ----------
    path : str or Path
        A UTF-8 file. A cell may be in quotation marks, but a row is always one line.
    separators : str
        What may part columns; the first one that the first row has does, else the last.
    """
    lines = read_lines(path)
    first = next((line for line in lines if line.strip()), "")
    separator = next((mark for mark in separators if mark in first), separators[-1])
    rows = [(number, _cells(path, number, line, separator)) for number, line in enumerate(lines, 1)]
    return [(number, row) for number, row in rows if any(cell.strip() for cell in row)]


def read_ascii_lines(path: str | Path) -> tuple[list[str], bool]:
    """Read a file of which only ASCII characters matter.

    Returns
    -------
    lines : list of str
        The lines. What is not UTF-8 is replaced.
    ended : bool
        Whether the last line has a line end.
    """
    data = Path(path).read_bytes()
    # Windows shells write UTF-16 when output is redirected.
    utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return _split(data.decode("utf-16" if utf16 else "utf-8-sig", errors="replace"))


def _cells(path: str | Path, number: int, line: str, separator: str) -> list[str]:
    # Line by line: a quotation mark that is not closed must not swallow the lines after it.
    try:
        return next(csv.reader([line], delimiter=separator, strict=True), [])
    except csv.Error as error:
        fault = "a quotation mark is not closed at the end of its cell" if '"' in line else error
        raise DataFileError(path, f"cannot be read: {fault}.", line=number) from error


def _split(text: str) -> tuple[list[str], bool]:
    # Not splitlines(), which also splits at characters that occur within tokens.
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return (lines[:-1], True) if lines[-1] == "" else (lines, False)
