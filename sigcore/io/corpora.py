"""Read and write corpora with chunks: columns, a blank line after each sentence.

One token a line, columns parted by tabs or else blanks, the tag in one of them. Lines of
``-DOCSTART-`` are passed over.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from sigcore.bayes.corpus import TaggedCorpus, restrict_chunks
from sigcore.bayes.tagsets import READABLE, TAG_SETS, chunks_of_tags, is_tag_of
from sigcore.errors import DataFileError, InputError
from sigcore.io.files import write_text
from sigcore.io.lines import read_lines
from sigcore.validation import as_choice

__all__ = ["count_columns", "read_chunks", "read_corpus", "read_tags", "write_corpus"]

# A line number and the columns.
Row = tuple[int, tuple[str, ...]]

_BLANKS = re.compile(" +")
_DOCUMENT = "-DOCSTART-"


def read_corpus(path: str | Path, *, tag_column: int = -1, scheme: str = "iob2") -> TaggedCorpus:
    """Read a corpus.

    Parameters
    ----------
    path : str or Path
        The file; each token has at least two columns.
    tag_column : int
        Column of the tag, from 0; negative numbers count from the last, which is -1.
    scheme : {"iob1", "iob2", "iobes", "bilou", "bmes", "bb2b3mes"}
        What the tags mean.

    Returns
    -------
    TaggedCorpus

    Raises
    ------
    DataFileError
        If rows have different numbers of columns, a row has nothing but its tag, a tag is not
        one of the scheme, or the file has no sentence; with the line.
    """
    as_choice(scheme, "scheme", READABLE)
    sentences = list(_read_sentences(path))
    if not sentences:
        raise DataFileError(path, "has no sentence.")
    width = len(sentences[0][0][1])
    if width < 2 or not -width <= tag_column < width:
        raise DataFileError(
            path,
            f"must have a word and a tag; the rows have {width} columns and the tag should be in "
            f"column {tag_column}.",
            line=sentences[0][0][0],
        )
    kept = [column for column in range(width) if column != tag_column % width]
    for number, columns in (row for sentence in sentences for row in sentence):
        if len(columns) != width:
            message = f"must have {width} columns like the rows above; got {len(columns)}."
            raise DataFileError(path, message, line=number)
        if not is_tag_of(columns[tag_column], scheme):
            message = f"{columns[tag_column]!r} is not a tag of {scheme}."
            raise DataFileError(path, message, line=number)
        if not any(columns[column] for column in kept):
            # Without its tag the row would be a blank line, which ends a sentence.
            raise DataFileError(path, "the word is empty.", line=number)
    return TaggedCorpus(
        sentences=tuple(
            tuple(tuple(columns[k] for k in kept) for _, columns in sentence)
            for sentence in sentences
        ),
        chunks=tuple(
            chunks_of_tags([columns[tag_column] for _, columns in sentence], tag_set=scheme)
            for sentence in sentences
        ),
        lines=tuple(sentence[0][0] for sentence in sentences),
    )


def read_chunks(
    path: str | Path,
    *,
    tag_column: int = -1,
    scheme: str = "iob2",
    types: Sequence[str] = (),
    typed: bool = True,
) -> TaggedCorpus:
    """Read a corpus with the chunks that are to be found.

    Parameters
    ----------
    path, tag_column, scheme
        See `read_corpus`.
    types, typed
        See `restrict_chunks`.

    Returns
    -------
    TaggedCorpus

    Raises
    ------
    DataFileError
        Also if the corpus has no chunk of one of the types.
    """
    corpus = read_corpus(path, tag_column=tag_column, scheme=scheme)
    try:
        return restrict_chunks(corpus, types=types, typed=typed)
    except InputError as error:
        raise DataFileError(path, str(error)) from error


def count_columns(path: str | Path) -> int:
    """Count the columns of the first token of a corpus, the tag among them; 0 without a token."""
    rows = (row for sentence in _read_sentences(path) for row in sentence)
    return next((len(columns) for _, columns in rows), 0)


def write_corpus(
    path: str | Path,
    corpus: TaggedCorpus,
    *,
    tags: Sequence[Sequence[Sequence[str]]] = (),
) -> None:
    """Write a corpus: its columns, then the tags, parted by tabs.

    Parameters
    ----------
    path : str or Path
        The file.
    corpus : TaggedCorpus
        The sentences.
    tags : sequence
        Columns of tags to write after the others, each with the tags of each sentence; see
        `TaggedCorpus.tags`. None is written by default.
    """
    lines = []
    for index, sentence in enumerate(corpus.sentences):
        further = [column[index] for column in tags]
        for columns, *added in zip(sentence, *further, strict=True):
            lines.append("\t".join((*columns, *added)))
        lines.append("")
    write_text(path, "".join(f"{line}\n" for line in lines))


def read_tags(path: str | Path, corpus: TaggedCorpus, *, tag_set: str) -> list[list[str]]:
    """Read the tags that a model predicted for the sentences of a corpus.

    Parameters
    ----------
    path : str or Path
        One line a token, with the tag in the last column, and a blank line after each sentence.
    corpus : TaggedCorpus
        The sentences.
    tag_set : {"iob2", "iobes", "bmes", "bb2b3mes"}
        Tags that are allowed.

    Returns
    -------
    list of list of str
        The tags of each sentence.

    Raises
    ------
    DataFileError
        If a sentence has not one tag for each token, a tag is not one of the tag set, or lines
        that repeat all columns of the corpus have another token; with the line.
    """
    as_choice(tag_set, "tag_set", TAG_SETS)
    if not Path(path).is_file():
        raise DataFileError(path, "was not written.")
    found = list(_read_sentences(path, documents=False))
    for number, (rows, sentence) in enumerate(zip(found, corpus.sentences, strict=False), start=1):
        if len(rows) != len(sentence):
            raise DataFileError(
                path,
                f"sentence {number} must have one tag for each of its {len(sentence)} tokens "
                f"({sentence[0][0]} ...); it has {len(rows)} lines.",
                line=rows[min(len(rows), len(sentence)) - 1][0],
            )
        for (line, columns), token in zip(rows, sentence, strict=True):
            _check_answer(path, line, columns, token, tag_set)
    if len(found) != corpus.n_sentences:
        raise DataFileError(
            path,
            f"must have {corpus.n_sentences} sentences with a blank line after each; it has "
            f"{len(found)}.",
            line=found[-1][-1][0] if found else None,
        )
    return [[columns[-1] for _, columns in rows] for rows in found]


def _check_answer(
    path: str | Path, line: int, columns: tuple[str, ...], token: Sequence[str], tag_set: str
) -> None:
    if not is_tag_of(columns[-1], tag_set):
        message = f"{columns[-1]!r} is not a tag of {tag_set}"
        if len(columns) <= len(token) and " " in columns[-1]:
            message += "; columns are parted by tabs here, not by blanks"
        raise DataFileError(path, f"{message}.", line=line)
    # Columns before the tag are the model's own affair unless they are those it was given.
    if len(columns) == len(token) + 1 and columns[0] != token[0]:
        message = f"has the token {columns[0]!r} where the corpus has {token[0]!r}."
        raise DataFileError(path, message, line=line)


def _read_sentences(path: str | Path, *, documents: bool = True) -> Iterator[list[Row]]:
    sentence: list[Row] = []
    for number, line in enumerate([*read_lines(path), ""], start=1):
        if not line.strip(" \t"):
            if sentence:
                yield sentence
            sentence = []
        elif not (documents and _split(line.lstrip(" \t"))[0] == _DOCUMENT):
            sentence.append((number, _split(line)))


def _split(line: str) -> tuple[str, ...]:
    # Not str.split(), which also splits at no-break spaces and the like within tokens.
    if "\t" in line:
        return tuple(field.strip(" ") for field in line.split("\t"))
    return tuple(_BLANKS.split(line.strip(" ")))
