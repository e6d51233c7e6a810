"""Read segment-level score files.

A score file has one line a score, `system<TAB>score`, with the scores of a system in the order of
the test set and `None` where there is none. A file whose first line has no tab may use blanks
instead; names then have none. Systems usually follow one after another, but their lines may also
alternate, in the same order for every segment. In any other order scores may have lost their
segments. The file is UTF-8 without byte order mark, lines end in a line feed, and `nan` and `inf`
are not scores. Nothing is repaired: a file that breaks these rules is refused with its line.
"""

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv as pacsv

from sigcore.errors import DataFileError
from sigcore.io.arrow import float_values

__all__ = ["ScoreFile", "find_line", "quote", "read_lines", "read_number", "read_scores"]

FloatArray = npt.NDArray[np.float64]
Parsed = tuple[list[str], npt.NDArray[np.int64], FloatArray]


@dataclass(frozen=True, slots=True)
class ScoreFile:
    """Contents of a score file.

    Attributes
    ----------
    path : Path
        The file.
    scores : dict of str to ndarray
        Scores of each system, systems in the order of the file; NaN where the file has `None`.
    n_segments : int
        Number of scores of each system.
    n_missing : int
        Number of `None` in the file.
    """

    path: Path
    scores: dict[str, FloatArray]
    n_segments: int
    n_missing: int

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, in the order of the file."""
        return tuple(self.scores)


def read_scores(
    path: str | Path,
    *,
    allow_missing: bool = True,
    n_segments: int | None = None,
    as_in: str | Path | None = None,
) -> ScoreFile:
    """Read a segment-level score file.

    Parameters
    ----------
    path : str or Path
        The file.
    allow_missing : bool, default True
        Whether `None` may stand for a score.
    n_segments : int, optional
        Number of scores that each system must have. Without it all systems must have as many as
        most of them have.
    as_in : str or Path, optional
        The file that has this number of segments, for messages.

    Returns
    -------
    ScoreFile
        The scores.

    Raises
    ------
    DataFileError
        If the file cannot be read or breaks the format; the message has the line.
    """
    path = Path(path)
    data = _read_bytes(path)
    parsed = _parse_fast(data)
    names, codes, values = parsed if parsed is not None else _parse_strict(data, path)
    missing = np.isnan(values)
    if missing.any() and not allow_missing:
        line = int(np.flatnonzero(missing)[0]) + 1
        raise DataFileError(path, "expected a number; found 'None'.", line=line)
    expected = _check_counts(path, names, codes, n_segments, as_in)
    _check_order(path, names, codes)
    scores = values[np.argsort(codes, kind="stable")].reshape(len(names), expected)
    return ScoreFile(path, dict(zip(names, scores, strict=True)), expected, int(missing.sum()))


def read_lines(path: str | Path) -> list[str]:
    """Read a text file as lines without their ends, by the same rules as a score file."""
    path = Path(path)
    return _split(_read_bytes(path), path)


def find_line(path: str | Path, system: str, segment: int = 0) -> int | None:
    """Return the line of a score file, from 1, that has the score of a system on a segment."""
    lines = read_lines(path)
    tabs = "\t" in lines[0]
    names = (line.split("\t" if tabs else None)[0] for line in lines)
    own = [number for number, name in enumerate(names, start=1) if name == system]
    return own[segment] if segment < len(own) else None


def quote(text: str) -> str:
    """Quote a text for an error message, cut if it is long."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


# What a file begins with that was compressed by a program.
_COMPRESSED = {
    "gzip": rb"\x1f\x8b",
    "bzip2": rb"BZh[1-9]1AY&SY",
    "xz": rb"\xfd7zXZ\x00",
    "zstd": rb"\x28\xb5\x2f\xfd",
    "zip": rb"PK\x03\x04",
}


def _read_bytes(path: Path) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DataFileError(path, f"cannot be read: {error.strerror}.") from error
    for program, start in _COMPRESSED.items():
        if re.match(start, data):
            raise DataFileError(path, f"is compressed ({program}); expected a text. Unpack it.")
    return data


def _parse_fast(data: bytes) -> Parsed | None:
    """Parse a well-formed file in one pass; None if there is anything to look at line by line."""
    if not data or data.startswith(b"\xef\xbb\xbf") or b"\r" in data or b"\x00" in data:
        return None
    try:
        table = pacsv.read_csv(
            pa.BufferReader(data),
            read_options=pacsv.ReadOptions(
                column_names=["system", "score"], block_size=len(data) + 1, use_threads=False
            ),
            parse_options=pacsv.ParseOptions(
                delimiter="\t", quote_char=False, ignore_empty_lines=False
            ),
            convert_options=pacsv.ConvertOptions(
                column_types={
                    "system": pa.dictionary(pa.int32(), pa.string()),
                    "score": pa.float64(),
                },
                null_values=["None"],
                strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid:
        return None
    system = table.column("system").combine_chunks()
    names = system.dictionary.to_pylist()
    values = float_values(table.column("score"))
    # The parser takes `nan` and `inf` for numbers; the strict pass refuses them.
    if np.isfinite(values).sum() + table.column("score").null_count != len(values):
        return None
    if any(not name or name != name.strip() for name in names):
        return None
    codes = np.frombuffer(system.indices.buffers()[1], np.int32, len(values))
    return names, codes.astype(np.int64), values


_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


def _parse_strict(data: bytes, path: Path) -> Parsed:
    """Parse line by line and say what is wrong with the first line that is."""
    codes: dict[str, int] = {}
    code, values = [], []
    tabs: bool | None = None
    for number, line in enumerate(_split(data, path), start=1):
        tabs = "\t" in line if tabs is None else tabs
        fields = line.split("\t") if tabs else line.split()
        if len(fields) != 2:
            raise DataFileError(
                path,
                f"expected 2 columns, 'system<TAB>score'; found {len(fields)} in {quote(line)}.",
                line=number,
            )
        system, score = fields
        if not system or system != system.strip():
            raise DataFileError(
                path, f"expected the name of a system; found {quote(system)}.", line=number
            )
        code.append(codes.setdefault(system, len(codes)))
        values.append(read_number(score.strip(" "), path, number))
    return list(codes), np.array(code, dtype=np.int64), np.array(values, dtype=np.float64)


# A file that is no text may have both.
_FORBIDDEN = {
    b"\x00": "has a zero byte; expected a text.",
    b"\r": "has a carriage return (a Windows line end, CRLF?); lines must end in a line feed.",
}


def _split(data: bytes, path: Path) -> list[str]:
    """Split a text into lines, refusing what is not plain UTF-8 with line feeds."""
    if not data:
        raise DataFileError(path, "is empty.", line=1)
    if data.startswith(b"\xef\xbb\xbf"):
        raise DataFileError(path, "starts with a byte order mark; save as plain UTF-8.", line=1)
    for byte, fault in _FORBIDDEN.items():
        position = data.find(byte)
        if position >= 0:
            raise DataFileError(path, fault, line=data.count(b"\n", 0, position) + 1)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataFileError(path, "is not UTF-8 text.", line=line) from error
    return text.removesuffix("\n").split("\n")


def read_number(text: str, path: Path, line: int) -> float:
    """Read a score; `None` is NaN."""
    if text == "None":
        return float("nan")
    if _NUMBER.fullmatch(text) is None or not np.isfinite(float(text)):
        raise DataFileError(
            path, f"expected a finite number or 'None'; found {quote(text)}.", line=line
        )
    return float(text)


def _check_counts(
    path: Path,
    names: list[str],
    codes: npt.NDArray[np.int64],
    n_segments: int | None,
    as_in: str | Path | None,
) -> int:
    """Return the number of scores of each system, the same for all."""
    counts = np.bincount(codes, minlength=len(names))
    expected = n_segments
    if expected is None:
        # The most frequent count; the larger one if two are equally frequent.
        expected = max(Counter(counts.tolist()).items(), key=lambda item: (item[1], item[0]))[0]
    like = f", as in {as_in}" if as_in is not None else ""
    for code in np.flatnonzero(counts != expected)[:1]:
        raise DataFileError(
            path,
            f"expected {expected} scores of each system{like}; found {counts[code]} of "
            f"{names[code]!r}, the last one here.",
            line=int(np.flatnonzero(codes == code)[-1]) + 1,
        )
    return expected


def _check_order(path: Path, names: list[str], codes: npt.NDArray[np.int64]) -> None:
    """Refuse lines of systems that neither form blocks nor alternate in one order."""
    # Systems are counted in the order of their first lines.
    steps = np.diff(codes)
    if (steps >= 0).all():
        return
    strays = codes != np.arange(len(codes)) % len(names)
    if not strays.any():
        return
    # The first two lines tell which of the two was meant.
    line = int((steps < 0 if steps[0] == 0 else strays[1:]).argmax()) + 2
    raise DataFileError(
        path,
        "expected the lines of each system one after another, or the systems in the same order for "
        f"every segment; found {names[codes[line - 1]]!r} after {names[codes[line - 2]]!r}.",
        line=line,
    )
