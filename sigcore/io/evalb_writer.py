"""Write counts in the layout of evalb, so that its readers can be tried on made-up parsers."""

from pathlib import Path

import numpy as np

from sigcore.errors import InputError
from sigcore.io.files import write_text
from sigcore.parsing.scores import ScoreSummary, SentenceScores, cut_off, summarise

__all__ = ["format_evalb", "write_evalb"]

_RULE = "=" * 76
_HEAD = (
    "  Sent.                        Matched  Bracket   Cross        Correct Tag\n"
    " ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy\n"
)


def write_evalb(path: str | Path, scores: SentenceScores, *, longest: int = 40) -> None:
    """Write counts as evalb would print them; parameters as in `format_evalb`."""
    write_text(path, format_evalb(scores, longest=longest))


def format_evalb(scores: SentenceScores, *, longest: int = 40) -> str:
    """Return counts as evalb would print them.

    Parameters
    ----------
    scores : SentenceScores
        Counts with crossing brackets, words and tags. Labels of sentences must be whole numbers.
    longest : int
        Longest sentence of the second part of the summary.

    Returns
    -------
    str
        Head, rows, totals and summary in the layout of the version of July 2008.
    """
    if scores.crossing is None or scores.words is None or scores.tags is None:
        raise InputError("`scores` must have crossing brackets, words and tags.")
    if not all(label.isdecimal() for label in scores.sentences):
        raise InputError("`scores` must have whole numbers as labels of sentences.")
    rows = "".join(_row(scores, index) for index in range(scores.n_sentences))
    everything = _summary("All", summarise(scores))
    short = _summary(f"len<={longest}", summarise(cut_off(scores, longest)))
    table = f"{_HEAD}{_RULE}\n{rows}{_RULE}\n{_totals(scores)}"
    return f"{table}=== Summary ===\n\n{everything}\n{short}"


def _row(scores: SentenceScores, index: int) -> str:
    columns = ("length", "status", "matched", "gold", "test", "crossing", "words", "tags")
    length, status, matched, gold, test, crossing, words, tags = (
        int(getattr(scores, column)[index]) for column in columns
    )
    return (
        f"{scores.sentences[index]:>4}  {length:3d}    {status:d}  "
        f"{_percent(matched, gold):6.2f} {_percent(matched, test):6.2f}   "
        f"{matched:3d}    {gold:3d}  {test:3d}    {crossing:3d}   "
        f"{words:4d}  {tags:4d}   {_percent(tags, words):6.2f}\n"
    )


def _totals(scores: SentenceScores) -> str:
    columns = ("matched", "gold", "test", "crossing", "words", "tags")
    matched, gold, test, crossing, words, tags = (
        int(np.sum(getattr(scores, column)[scores.valid])) for column in columns
    )
    brackets = (
        f"                {_percent(matched, gold):6.2f} {_percent(matched, test):6.2f} "
        f"{matched:6d} {gold:5d} {test:5d}  {crossing:5d}"
        if gold and test
        else ""
    )
    return f"{brackets}  {words:5d} {tags:5d}   {_percent(tags, words):6.2f}\n"


def _summary(title: str, summary: ScoreSummary) -> str:
    figures = (
        ("Number of sentence", f"{summary.n_sentences:6d}"),
        ("Number of Error sentence", f"{summary.n_error:6d}"),
        ("Number of Skip  sentence", f"{summary.n_skipped:6d}"),
        ("Number of Valid sentence", f"{summary.n_valid:6d}"),
        ("Bracketing Recall", f"{100 * summary.recall:6.2f}"),
        ("Bracketing Precision", f"{100 * summary.precision:6.2f}"),
        ("Bracketing FMeasure", f"{100 * summary.f1:6.2f}" if summary.f1 else "   nan"),
        ("Complete match", f"{100 * summary.complete_match:6.2f}"),
        ("Average crossing", f"{summary.average_crossing:6.2f}"),
        ("No crossing", f"{100 * summary.no_crossing:6.2f}"),
        ("2 or less crossing", f"{100 * summary.two_or_less_crossing:6.2f}"),
        ("Tagging accuracy", f"{100 * summary.tagging_accuracy:6.2f}"),
    )
    return f"-- {title} --\n" + "".join(f"{name:<25} = {value}\n" for name, value in figures)


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0
