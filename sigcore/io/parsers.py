"""Read what several parsers or taggers made of the same sentences, whatever the format."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sigcore.errors import DataFileError, InputError
from sigcore.io.conllu import WORD_MEASURES, ConlluFile, count_words, read_conllu
from sigcore.io.evalb import read_evalb
from sigcore.io.lines import Remark
from sigcore.io.plain_spans import read_span_json, read_span_table
from sigcore.io.spans import SpanFile, read_tag_columns
from sigcore.parsing.annotation import align, count_spans
from sigcore.parsing.scores import SentenceScores
from sigcore.validation import as_choice

__all__ = ["FORMATS", "FileRemark", "ParserSet", "read_parsers", "short_names"]

FORMATS = ("evalb", "columns", "table", "jsonl", "conllu")

# What a format allows, the measure that parsers are ranked by first.
_SPAN_MEASURES = ("f1", "recall", "precision", "complete_match")
_EVALB_MEASURES = (*_SPAN_MEASURES, "crossing")


@dataclass(frozen=True, slots=True)
class FileRemark:
    """Something a reader noticed or passed over.

    Attributes
    ----------
    parser : str
        Whose file; ``gold`` for the gold standard.
    line : int or None
        Line of the file, from 1; None for the file as a whole.
    text : str
        What was there.
    """

    parser: str
    line: int | None
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class ParserSet:
    """Parsers or taggers on the same sentences.

    Attributes
    ----------
    names : tuple of str
        The parsers, in the order of their files.
    counts : mapping of measure to tuple of SentenceScores
        What each measure is computed from, one entry a parser. The measures of CoNLL-U have
        counts of their own, the others share theirs.
    has_lengths : bool
        Whether the files say how long the sentences are.
    remarks : tuple of FileRemark
        What was passed over, not scored or looks odd.
    """

    names: tuple[str, ...]
    counts: Mapping[str, tuple[SentenceScores, ...]]
    has_lengths: bool
    remarks: tuple[FileRemark, ...]


def read_parsers(
    paths: Sequence[str | Path],
    *,
    format: str = "evalb",
    gold: str | Path | None = None,
    measures: Sequence[str] | None = None,
    scheme: str = "iob2",
    column: int = -1,
    gold_column: int = -1,
) -> ParserSet:
    """Read the files of several parsers or taggers.

    Parameters
    ----------
    paths : sequence of str or Path
        One file a parser; parsers are named after them, see `short_names`.
    format : {"evalb", "columns", "table", "jsonl", "conllu"}
        Output of evalb, a column of tags, a table of spans, spans as JSON lines, or CoNLL-U.
    gold : str or Path, optional
        The gold standard in the same format; for all formats but evalb.
    measures : sequence of str, optional
        What to compare by. Spans have "f1", "recall", "precision" and "complete_match", evalb
        also "crossing", CoNLL-U "las", "uas", "xpos" and "upos". The default is all that the
        format or the gold standard allows, in this order.
    scheme : {"iob1", "iob2", "iobes", "bilou", "bmes"}
        Scheme of the tags, for columns.
    column, gold_column : int
        Column of the tags in the files and in the gold standard; see `read_tag_columns`.

    Returns
    -------
    ParserSet
        The counts and what was noticed.

    Raises
    ------
    InputError
        If a file cannot be read, or sentences differ; the message has the place.
    """
    as_choice(format, "format", FORMATS)
    files = [Path(path) for path in paths]
    names = short_names(files)
    if (gold is None) != (format == "evalb"):
        needs = "needs no" if format == "evalb" else "needs a"
        raise InputError(f"`format` {format!r} {needs} `gold` standard.")
    if gold is None:
        return _evalb_set(files, names, measures)
    if format == "conllu":
        return _word_set(Path(gold), files, names, measures)
    standard = _span_reader(format, scheme, gold_column)(gold, name="gold")
    read = _span_reader(format, scheme, column)
    systems = [read(path, name=name) for path, name in zip(files, names, strict=True)]
    return _span_set(standard, systems, measures)


def short_names(paths: Sequence[Path]) -> list[str]:
    """Name systems after their files, with suffix or directory if it takes that to part them.

    Examples
    --------
    >>> short_names([Path("a/one.evalb"), Path("b/two.evalb")])
    ['one', 'two']
    >>> short_names([Path("a/one.evalb"), Path("b/one.evalb")])
    ['a/one.evalb', 'b/one.evalb']
    """
    for names in ([path.stem for path in paths], [path.name for path in paths]):
        if len(set(names)) == len(names):
            return names
    return [path.as_posix() for path in paths]


def _evalb_set(
    paths: Sequence[Path], names: Sequence[str], measures: Sequence[str] | None
) -> ParserSet:
    files = [read_evalb(path, name=name) for path, name in zip(paths, names, strict=True)]
    wanted = _wanted(measures, _EVALB_MEASURES)
    scores = tuple(file.scores for file in files)
    remarks = [
        remark
        for name, file in zip(names, files, strict=True)
        for remark in _of_file(name, (*file.not_scored, *file.remarks))
    ]
    return ParserSet(tuple(names), dict.fromkeys(wanted, scores), True, tuple(remarks))


def _span_reader(format: str, scheme: str, column: int) -> Callable[..., SpanFile]:
    if format == "columns":
        return partial(read_tag_columns, scheme=scheme, column=column)
    return read_span_table if format == "table" else read_span_json


def _span_set(
    gold: SpanFile, systems: Sequence[SpanFile], measures: Sequence[str] | None
) -> ParserSet:
    wanted = _wanted(measures, _SPAN_MEASURES)
    files = (gold, *systems)
    standard, *annotations = align(*(file.annotation for file in files))
    scores = tuple(count_spans(standard, annotation) for annotation in annotations)
    remarks = [remark for file in files for remark in _of_file(file.annotation.name, file.remarks)]
    return ParserSet(
        names=tuple(annotation.name for annotation in annotations),
        counts=dict.fromkeys(wanted, scores),
        has_lengths=standard.lengths is not None,
        remarks=tuple(remarks),
    )


def _word_set(
    gold: Path, paths: Sequence[Path], names: Sequence[str], measures: Sequence[str] | None
) -> ParserSet:
    standard = read_conllu(gold, name="gold")
    if not standard.annotated:
        raise DataFileError(gold, "has neither tags nor trees.")
    # Best known first: las, uas, xpos, upos.
    wanted = _wanted(measures, [name for name in WORD_MEASURES[::-1] if name in standard.annotated])
    files = [read_conllu(path, name=name) for path, name in zip(paths, names, strict=True)]
    counts = {
        measure: tuple(count_words(standard, file, measure=measure) for file in files)
        for measure in wanted
    }
    remarks = [remark for file in (standard, *files) for remark in _passed_over(file)]
    return ParserSet(tuple(names), counts, True, tuple(remarks))


def _wanted(measures: Sequence[str] | None, known: Sequence[str]) -> Sequence[str]:
    """Return the measures asked for, each once, or all that are known."""
    for measure in measures or ():
        if measure not in known:
            raise InputError(
                f"`measures` must be among {', '.join(known)} for these files; got {measure!r}."
            )
    return list(dict.fromkeys(measures)) if measures else known


def _of_file(parser: str, remarks: Iterable[Remark]) -> list[FileRemark]:
    found = [FileRemark(parser, remark.line, remark.text) for remark in remarks]
    return sorted(found, key=lambda remark: remark.line or 0)


def _passed_over(file: ConlluFile) -> list[FileRemark]:
    lines = {"multiword tokens": file.n_multiword, "empty nodes": file.n_empty}
    return [
        FileRemark(file.name, None, f"{count} lines of {kind} passed over")
        for kind, count in lines.items()
        if count
    ]
