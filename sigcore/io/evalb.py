"""Read the output of evalb, the scorer of constituency parsers.

The output has a head, one row of twelve numbers a sentence, a row of totals and a summary::

      Sent.                        Matched  Bracket   Cross        Correct Tag
     ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
    ============================================================================
       1   22    0   90.91  83.33    10     11   12      0     19    17    89.47

A row says how many brackets match, how many the gold tree and the tree of the parser have, and how
many of the parser's cross a gold bracket. Its status is 0 (valid), 1 (error: the words differ) or
2 (skipped: the parser gave no tree); evalb leaves the last two out of its totals. The version of
the SPMRL shared task has an option (-X) to count sentences without a tree, with status 3; it counts
too many gold brackets in them, so they are read as skipped.

The reader takes files without head or summary, cut-short files, evalb's messages among the rows,
its debug output, byte order marks and any line ends. Everything it passes over is in the remarks
of the result, with the line. Whatever may be a sentence but cannot be read is an error, and so is
a file that contradicts its own totals or summary: no sentence gets lost unnoticed.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sigcore.errors import DataFileError
from sigcore.io.evalb_rows import (
    N_COLUMNS,
    WITHOUT_TREE,
    Row,
    as_scores,
    check_row,
    parse_row,
)
from sigcore.io.evalb_totals import (
    F_MEASURE,
    N_SENTENCES,
    Section,
    Totals,
    check_section,
    check_totals,
)
from sigcore.io.lines import Remark, read_ascii_lines
from sigcore.parsing.scores import ERROR, SKIPPED, VALID, SentenceScores

__all__ = ["EvalbFile", "read_evalb"]


@dataclass(frozen=True, slots=True, eq=False)
class EvalbFile:
    """Contents of an evalb output.

    Attributes
    ----------
    path : Path
        The file.
    scores : SentenceScores
        Counts of each sentence, in the order of the file.
    lines : tuple of int
        Line of each sentence.
    complete : bool
        Whether the file has a summary with the number of sentences; if not, it may be cut short.
    remarks : tuple of Remark
        What was passed over or looks odd, in the order of lines.
    """

    path: Path
    scores: SentenceScores
    lines: tuple[int, ...]
    complete: bool
    remarks: tuple[Remark, ...]

    @property
    def not_scored(self) -> tuple[Remark, ...]:
        """Sentences that evalb left out of its totals, with their line."""
        kinds = {ERROR: "error", SKIPPED: "skipped"}
        rows = zip(self.lines, self.scores.sentences, np.asarray(self.scores.status), strict=True)
        return tuple(
            Remark(line, f"sentence {label}: {kinds[int(status)]} (status {status})")
            for line, label, status in rows
            if status != VALID
        )


def read_evalb(path: str | Path, *, name: str | None = None, verify: bool = True) -> EvalbFile:
    """Read the output of evalb.

    Parameters
    ----------
    path : str or Path
        The file.
    name : str, optional
        Name of the parser; the default is the name of the file without its last suffix.
    verify : bool
        Whether to check percentages against counts, and totals and summary against the sum of the
        rows. Switch it off only for the output of another program with other rounding.

    Returns
    -------
    EvalbFile
        The counts and what was noticed.

    Raises
    ------
    DataFileError
        If a line cannot be understood, or the file contradicts itself.
    """
    path = Path(path)
    lines, ended = read_ascii_lines(path)
    reader = _Reader(path, verify=verify)
    for number, line in enumerate(lines, start=1):
        reader.read(number, line, cut=number == len(lines) and not ended)
    return reader.finish(name if name is not None else path.stem)


_NUMBER = re.compile(r"[-+]?[0-9.]+|[-+]?nan|[-+]?inf")
_HEAD = re.compile(r"Sent\.|ID\s+Len\.")
_RULE = re.compile(r"=+")
_SECTION = re.compile(r"-- (?:All|len<=([0-9]{1,9})) --")
_FIGURE = re.compile(r"([^=]*[^=\s])\s*=\s*([-+]?[0-9.]+|[-+]?nan)")
_MESSAGE = re.compile(r"[0-9]+ : [^\s0-9]")
# What evalb -d and -D print of each sentence.
_DEBUG = re.compile(
    r"-<1>---|[0-9]+ : [0-9] : |(LABEL|BRACKET|EXTRA|CROSSING)\[|1\.res=|bra=|bracket\[|endslen="
    r"|[0-9]+: \S+ - |label=.*, word=.*, wid="
)
# With -L or -l the version of the SPMRL shared task prints one line instead of totals and summary.
# The names of precision and recall are exchanged in it; F1 and the number of sentences are used.
_SHORT_SUMMARY = re.compile(r"F1: *([0-9.]+|-?nan) %.*\sSent:\s*([0-9]{1,9})\b.*")


class _Reader:
    """Takes one line after the other and remembers where in the file it is."""

    def __init__(self, path: Path, *, verify: bool) -> None:
        self.path = path
        self.verify = verify
        self.rows: list[Row] = []
        self.remarks: list[Remark] = []
        self.foreign: list[Remark] = []
        self.debug: list[int] = []
        self.has_head = self.after_rule = self.in_summary = False
        self.totals: Totals | None = None
        self.sections: list[Section] = []

    def read(self, number: int, line: str, *, cut: bool) -> None:
        """Take a line; `cut` says that the file ends in it, without a line end."""
        text = line.strip()
        if not text:
            return
        try:
            self._read(number, text, cut=cut)
        except DataFileError:
            # Half a row at the end of a file that was cut short is no fault of the rows before.
            if not cut or self.in_summary or not self.rows:
                raise
            self.remarks.append(Remark(number, f"the file ends within this line: {text!r}"))
        self.after_rule = bool(_RULE.fullmatch(text))

    def finish(self, name: str) -> EvalbFile:
        """Put the rows together and check them against totals and summary."""
        if not self.rows:
            raise DataFileError(self.path, "has no row of evalb (12 numbers a sentence).")
        if self.verify:
            self._check_against_end(as_scores(name, self.rows, without_tree=VALID))
        complete = any(section.is_complete for section in self.sections)
        self._remark_on_file(complete)
        return EvalbFile(
            path=self.path,
            scores=as_scores(name, self.rows),
            lines=tuple(row.line for row in self.rows),
            complete=complete,
            remarks=tuple(sorted(self.remarks, key=lambda remark: remark.line)),
        )

    def _check_against_end(self, scores: SentenceScores) -> None:
        if self.totals is not None:
            check_totals(self.path, self.totals, scores)
        for section in self.sections:
            check_section(self.path, section, scores)

    def _read(self, number: int, text: str, *, cut: bool) -> None:
        columns = text.split()
        numeric = all(_NUMBER.fullmatch(column) for column in columns)
        if numeric and len(columns) == N_COLUMNS:
            self._read_row(number, columns)
        elif self.in_summary:
            self._read_summary(number, text, cut=cut)
        elif numeric and len(columns) in Totals.WIDTHS and self.after_rule and self.rows:
            self._read_totals(number, columns)
        elif text.startswith("=== Summary"):
            self.in_summary = True
        elif _HEAD.match(text):
            self._read_head(number)
        elif self.rows and (short := _SHORT_SUMMARY.fullmatch(text)):
            self._read_short_summary(number, *short.groups())
        elif not _RULE.fullmatch(text):
            self._read_other(number, text)

    def _read_row(self, number: int, columns: list[str]) -> None:
        if self.totals is not None or self.in_summary:
            raise self._error(number, "a sentence after the totals; are these two outputs in one?")
        if self.foreign and not self.has_head:
            raise self._error(self.foreign[0].line, _NOT_UNDERSTOOD)
        row = parse_row(self.path, number, columns)
        last = self.rows[-1].id if self.rows else -1
        if row.id <= last:
            raise self._error(number, f"sentence {row.id} comes after sentence {last}.")
        check_row(self.path, row, percentages=self.verify)
        self.rows.append(row)
        if row.status == WITHOUT_TREE:
            text = f"sentence {row.id} without a tree counts for evalb (status 3); read as skipped"
            self.remarks.append(Remark(number, text))

    def _read_totals(self, number: int, columns: list[str]) -> None:
        if self.totals is not None:
            raise self._error(number, "a second row of totals.")
        self.totals = Totals.parse(self.path, number, columns)

    def _read_head(self, number: int) -> None:
        if self.rows:
            raise self._error(number, "a second head; are these two outputs in one?")
        self.has_head = True

    def _read_short_summary(self, number: int, f1: str, n_sentences: str) -> None:
        self.in_summary = True
        # -L is about all sentences, -l about those up to the usual 40 words; the line does not say.
        longest = None if int(n_sentences) == len(self.rows) else 40
        section = Section(longest)
        section.add(self.path, number, N_SENTENCES, n_sentences)
        section.add(self.path, number, F_MEASURE, f1)
        self.sections.append(section)

    def _read_summary(self, number: int, text: str, *, cut: bool) -> None:
        section = _SECTION.fullmatch(text)
        figure = _FIGURE.fullmatch(text)
        if _HEAD.match(text):
            raise self._error(number, "a second head; are these two outputs in one?")
        if section:
            self.sections.append(Section(int(section[1]) if section[1] else None))
        elif figure and self.sections:
            # The last digits of a line without line end may be missing.
            if not cut:
                self.sections[-1].add(self.path, number, *figure.groups())
        elif not _RULE.fullmatch(text):
            self.remarks.append(Remark(number, f"not part of a summary, passed over: {text!r}"))

    def _read_other(self, number: int, text: str) -> None:
        if _MESSAGE.match(text):
            self.remarks.append(Remark(number, f"message of evalb: {text}"))
        elif _DEBUG.match(text):
            self.debug.append(number)
        elif "unmatch (" in text:
            raise self._error(
                number,
                "a message of evalb stands within a row; write standard error to another file "
                "(evalb ... > scores 2> messages).",
            )
        elif self.rows or self.has_head:
            raise self._error(number, _NOT_UNDERSTOOD)
        else:
            self.foreign.append(Remark(number, f"before the head, passed over: {text!r}"))

    def _remark_on_file(self, complete: bool) -> None:
        self.remarks += self.foreign
        if self.debug:
            text = (
                f"debug output, {len(self.debug)} lines from here to {self.debug[-1]} passed over"
            )
            self.remarks.append(Remark(self.debug[0], text))
        expected = min(self.rows[0].id, 1)
        for row in self.rows:
            if row.id > expected:
                missing = f"{expected}" + (f" to {row.id - 1}" if row.id > expected + 1 else "")
                self.remarks.append(Remark(row.line, f"no row for sentence {missing} before here"))
            expected = row.id + 1
        if not complete:
            text = f"no summary after sentence {self.rows[-1].id}; the file may be cut short"
            self.remarks.append(Remark(self.rows[-1].line, text))

    def _error(self, number: int, message: str) -> DataFileError:
        return DataFileError(self.path, message, line=number)


_NOT_UNDERSTOOD = "is no row of evalb (12 numbers) nor anything else that evalb prints."
