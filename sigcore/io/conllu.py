"""Read CoNLL-U and count words with the right tag, head or relation.

System and gold standard must have the same words. Lines of multiword tokens (1-2) and of empty
nodes (1.1) are no words; they are passed over and counted.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sigcore.errors import DataFileError, InputError
from sigcore.io.lines import read_lines
from sigcore.parsing.scores import SentenceScores
from sigcore.validation import as_choice

__all__ = ["WORD_MEASURES", "ConlluFile", "Word", "count_words", "read_conllu"]

# Tags, unlabelled and labelled attachment.
WORD_MEASURES = ("upos", "xpos", "uas", "las")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a sentence.

    Attributes
    ----------
    line : int
        Line of the file.
    form, upos, xpos, deprel : str
        The columns of that name.
    head : int or None
        Number of the head, 0 for the root; None where the file has ``_``.
    """

    line: int
    form: str
    upos: str
    xpos: str
    head: int | None
    deprel: str


@dataclass(frozen=True, slots=True)
class ConlluFile:
    """Contents of a CoNLL-U file.

    Attributes
    ----------
    path : Path
        The file.
    name : str
        Name of the system.
    sentences : tuple of tuple of Word
        Words of each sentence.
    n_multiword, n_empty : int
        Lines of multiword tokens and of empty nodes, which were passed over.
    """

    path: Path
    name: str
    sentences: tuple[tuple[Word, ...], ...]
    n_multiword: int
    n_empty: int

    @property
    def annotated(self) -> tuple[str, ...]:
        """Measures that the file has an annotation for; trees count if every word has a head."""
        words = [word for sentence in self.sentences for word in sentence]
        has_trees = all(word.head is not None for word in words)
        has = {
            "upos": any(word.upos != "_" for word in words),
            "xpos": any(word.xpos != "_" for word in words),
            "uas": has_trees,
            "las": has_trees and any(word.deprel != "_" for word in words),
        }
        return tuple(measure for measure in WORD_MEASURES if has[measure])


def read_conllu(path: str | Path, *, name: str | None = None) -> ConlluFile:
    """Read a CoNLL-U file.

    Parameters
    ----------
    path : str or Path
        The file.
    name : str, optional
        Name of the system; the default is the name of the file without its last suffix.

    Returns
    -------
    ConlluFile
        The words of each sentence.

    Raises
    ------
    DataFileError
        If a line has not ten columns, words are not numbered 1, 2, ... or a head does not exist.

    References
    ----------
    Nivre, J. et al. (2020). Universal Dependencies v2. LREC.
    """
    path = Path(path)
    sentences: list[list[Word]] = [[]]
    n_multiword = n_empty = 0
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            sentences.append([])
        elif not line.startswith("#"):
            columns = _columns(path, number, line)
            if _MULTIWORD.fullmatch(columns[0]):
                n_multiword += 1
            elif _EMPTY.fullmatch(columns[0]):
                n_empty += 1
            else:
                sentences[-1].append(_word(path, number, columns, len(sentences[-1]) + 1))
    words = tuple(tuple(sentence) for sentence in sentences if sentence)
    if not words:
        raise DataFileError(path, "has no sentence.")
    _check_heads(path, words)
    return ConlluFile(path, name if name is not None else path.stem, words, n_multiword, n_empty)


def count_words(
    gold: ConlluFile,
    system: ConlluFile,
    *,
    measure: str,
    subtypes: bool = False,
    punctuation: bool = True,
) -> SentenceScores:
    """Count the words of each sentence that a system annotates as the gold standard does.

    Parameters
    ----------
    gold, system : ConlluFile
        Annotations of the same words.
    measure : {"upos", "xpos", "uas", "las"}
        What must agree: a tag, the head, or head and relation.
    subtypes : bool
        Whether relations must agree in what follows the colon (``nsubj:pass``). The CoNLL 2018
        shared task compares the universal part only, which is the default.
    punctuation : bool
        Whether to count words whose gold UPOS is PUNCT.

    Returns
    -------
    SentenceScores
        `matched` has the words that agree, `gold` and `test` all words; so recall, precision, F1
        and accuracy are one.

    Raises
    ------
    InputError
        If the words differ, or the gold standard lacks the annotation.
    """
    as_choice(measure, "measure", WORD_MEASURES)
    _check_same_words(gold, system)
    if measure in ("uas", "las"):
        _check_trees(gold)
    counted, matched = [], []
    for pair in zip(gold.sentences, system.sentences, strict=True):
        words = [
            (_annotation(first, measure, subtypes), _annotation(second, measure, subtypes))
            for first, second in zip(*pair, strict=True)
            if punctuation or first.upos != "PUNCT"
        ]
        counted.append(len(words))
        matched.append(sum(first == second for first, second in words))
    return SentenceScores(
        name=system.name,
        sentences=tuple(str(number) for number in range(1, len(counted) + 1)),
        length=_integers([len(sentence) for sentence in gold.sentences]),
        matched=_integers(matched),
        gold=_integers(counted),
        test=_integers(counted),
    )


_N_COLUMNS = 10
_MULTIWORD = re.compile(r"[0-9]+-[0-9]+")
_EMPTY = re.compile(r"[0-9]+\.[0-9]+")
_NUMBER = re.compile(r"[0-9]{1,9}")


def _columns(path: Path, line: int, text: str) -> list[str]:
    columns = text.split("\t")
    if len(columns) != _N_COLUMNS:
        message = f"must have {_N_COLUMNS} columns parted by tabs; got {len(columns)}."
        raise DataFileError(path, message, line=line)
    return columns


def _word(path: Path, line: int, columns: list[str], expected: int) -> Word:
    number, form, _, upos, xpos, _, head, deprel, _, _ = columns
    if number != str(expected):
        message = f"must be word {expected} of the sentence; got {number!r}."
        raise DataFileError(path, message, line=line)
    if head != "_" and not _NUMBER.fullmatch(head):
        raise DataFileError(path, f"a head must be a number or _; got {head!r}.", line=line)
    return Word(line, form, upos, xpos, None if head == "_" else int(head), deprel)


def _check_heads(path: Path, sentences: tuple[tuple[Word, ...], ...]) -> None:
    for sentence in sentences:
        for word in sentence:
            if word.head is not None and word.head > len(sentence):
                message = (
                    f"head {word.head} does not exist; the sentence has {len(sentence)} words."
                )
                raise DataFileError(path, message, line=word.line)


def _check_same_words(gold: ConlluFile, system: ConlluFile) -> None:
    if len(gold.sentences) != len(system.sentences):
        raise InputError(
            f"{gold.name} has {len(gold.sentences)} sentences, {system.name} "
            f"{len(system.sentences)}."
        )
    for first, second in zip(gold.sentences, system.sentences, strict=True):
        for left, right in zip(first, second, strict=False):
            if left.form != right.form:
                raise InputError(
                    f"{gold.path}:{left.line} has {left.form!r} where "
                    f"{system.path}:{right.line} has {right.form!r}."
                )
        if len(first) != len(second):
            raise InputError(
                f"{gold.path}:{first[0].line} begins a sentence of {len(first)} words, "
                f"{system.path}:{second[0].line} one of {len(second)}."
            )


def _check_trees(gold: ConlluFile) -> None:
    for sentence in gold.sentences:
        for word in sentence:
            if word.head is None:
                raise InputError(f"{gold.path}:{word.line} has no head; `gold` must have trees.")


def _annotation(word: Word, measure: str, subtypes: bool) -> object:
    if measure == "upos":
        return word.upos
    if measure == "xpos":
        return word.xpos
    relation = word.deprel if subtypes else word.deprel.partition(":")[0]
    return word.head if measure == "uas" else (word.head, relation)


def _integers(values: list[int]) -> npt.NDArray[np.int64]:
    return np.array(values, dtype=np.int64)
