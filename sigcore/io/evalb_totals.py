"""What evalb prints below the rows: totals and summary, to check the rows against."""

import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from sigcore.errors import DataFileError
from sigcore.parsing.scores import ScoreSummary, SentenceScores, cut_off, summarise

__all__ = [
    "F_MEASURE",
    "N_SENTENCES",
    "ROUNDING",
    "Section",
    "Totals",
    "check_section",
    "check_totals",
]

# Half a unit in the second decimal, which is the last one printed.
ROUNDING = 0.0051

# Names of figures in the summary.
N_SENTENCES = "Number of sentence"
F_MEASURE = "Bracketing FMeasure"


@dataclass(frozen=True, slots=True)
class Totals:
    """The row of totals.

    Attributes
    ----------
    line : int
        Line of the file.
    matched, gold, test, crossing : int or None
        Sums over valid sentences; evalb prints none where there is no bracket.
    words, tags : int
        Sums over valid sentences.
    """

    # Numbers in the row: with brackets, without.
    WIDTHS: ClassVar[tuple[int, int]] = (9, 3)

    line: int
    matched: int | None
    gold: int | None
    test: int | None
    crossing: int | None
    words: int
    tags: int

    @classmethod
    def parse(cls, path: Path, line: int, columns: list[str]) -> "Totals":
        """Read the row from its columns."""
        whole = columns[2:8] if len(columns) == 9 else columns[:2]
        for column in whole:
            if not re.fullmatch(r"[0-9]{1,15}", column):
                message = f"totals must be whole numbers; got {column}."
                raise DataFileError(path, message, line=line)
        counts = [int(column) for column in whole]
        if len(counts) == 2:
            return cls(line, None, None, None, None, *counts)
        return cls(line, *counts)


@dataclass(slots=True)
class Section:
    """A part of the summary: all sentences or those up to a length.

    Attributes
    ----------
    longest : int or None
        Longest sentence it counts; None for all.
    figures : dict of str to (line, value)
        The figures by the name evalb gives them.
    """

    longest: int | None
    figures: dict[str, tuple[int, float]] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        """Whether it is about all sentences and says how many they are."""
        return self.longest is None and N_SENTENCES in self.figures

    def add(self, path: Path, line: int, name: str, value: str) -> None:
        """Take a line `name = value`."""
        key = " ".join(name.split())
        if key in self.figures:
            raise DataFileError(path, f"`{key}` comes twice in this part.", line=line)
        try:
            self.figures[key] = (line, float(value))
        except ValueError as error:
            raise DataFileError(path, f"`{key}` is no number: {value}.", line=line) from error


def check_totals(path: Path, totals: Totals, scores: SentenceScores) -> None:
    """Raise `DataFileError` if the totals are not those of the rows."""
    for name in ("matched", "gold", "test", "words", "tags"):
        printed, summed = getattr(totals, name), _total(scores, name)
        if printed is not None and printed != summed:
            message = f"the total of `{name}` is {printed}, that of the rows is {summed}."
            raise DataFileError(path, message, line=totals.line)
    # Versions before July 2008 print the number of sentences without crossing brackets here.
    sentences = int((scores.valid & (scores.crossing == 0)).sum())
    crossing = _total(scores, "crossing")
    if totals.crossing not in (None, crossing, sentences):
        message = f"the total of `crossing` is {totals.crossing}, that of the rows is {crossing}."
        raise DataFileError(path, message, line=totals.line)


def check_section(path: Path, section: Section, scores: SentenceScores) -> None:
    """Raise `DataFileError` if a figure of the summary is not that of the rows."""
    summary = summarise(cut_off(scores, section.longest))
    for key, (line, printed) in section.figures.items():
        if key not in _FIGURES:
            continue
        name, scale = _FIGURES[key]
        value = scale * getattr(summary, name)
        # evalb divides zero by zero where F1 is 0.
        if math.isnan(printed) and value == 0:
            continue
        if not abs(printed - value) <= (ROUNDING if name in _RATES else 0):
            message = f"the summary has `{key}` = {printed:g}, the rows above give {value:.6g}."
            raise DataFileError(path, message, line=line)


_RATES = tuple(name for name in ScoreSummary.__slots__ if not name.startswith("n_"))
_FIGURES = {
    N_SENTENCES: ("n_sentences", 1),
    "Number of Error sentence": ("n_error", 1),
    "Number of Skip sentence": ("n_skipped", 1),
    "Number of Valid sentence": ("n_valid", 1),
    "Bracketing Recall": ("recall", 100),
    "Bracketing Precision": ("precision", 100),
    F_MEASURE: ("f1", 100),
    "Complete match": ("complete_match", 100),
    "Average crossing": ("average_crossing", 1),
    "No crossing": ("no_crossing", 100),
    "2 or less crossing": ("two_or_less_crossing", 100),
    "Tagging accuracy": ("tagging_accuracy", 100),
}


def _total(scores: SentenceScores, name: str) -> int:
    return int(getattr(scores, name)[scores.valid].sum())
