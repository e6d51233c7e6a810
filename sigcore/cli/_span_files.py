"""Files of `sigcore spans`: options of their format, and what is to be compared in them."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sigcore.io.lines import Remark
    from sigcore.io.spans import SpanFile
    from sigcore.parsing.scores import SentenceScores

__all__ = ["MEASURES", "WORD_MEASURES", "SpanInput", "View", "add_format", "read_input"]

FORMATS = ("columns", "table", "jsonl", "conllu")
SCHEMES = ("iob1", "iob2", "iobes", "bilou", "bmes")
MEASURES = ("recall", "precision", "f1", "complete_match")
WORD_MEASURES = ("upos", "xpos", "uas", "las")


@dataclass(frozen=True)
class View:
    """What is compared: all spans, those of a type, or a column of CoNLL-U."""

    title: str
    measures: Sequence[str]
    scores: "list[SentenceScores]"


@dataclass(frozen=True)
class SpanInput:
    """What the files hold."""

    views: list[View]
    remarks: "list[tuple[Path, Sequence[Remark]]]"


def add_format(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how files are read."""
    parser.add_argument(
        "--format",
        choices=FORMATS,
        help="columns of tags, a table of spans (sentence, start, end, type), JSON lines or "
        "CoNLL-U (default: by the suffix .conllu or .jsonl of the gold standard, else columns)",
    )
    parser.add_argument(
        "--scheme", choices=SCHEMES, default="iob2", help="of the tags (default iob2)"
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="drop spans whose tags break the scheme (default: read them as conlleval does)",
    )
    parser.add_argument(
        "--column", type=int, default=-1, help="of the tags, from 0 (default -1, the last)"
    )
    parser.add_argument(
        "--gold-column", type=int, help="of the tags of the gold standard (default: as --column)"
    )
    parser.add_argument("--comment", metavar="TEXT", help="pass over lines that begin with TEXT")
    parser.add_argument(
        "--subtypes", action="store_true", help="las: relations must agree after the colon too"
    )
    parser.add_argument(
        "--no-punctuation", action="store_true", help="CoNLL-U: leave out words tagged PUNCT"
    )


def read_input(arguments: argparse.Namespace) -> SpanInput:
    """Read the gold standard and the systems and count what matches."""
    return (_read_words if _format(arguments) == "conllu" else _read_spans)(arguments)


def _format(arguments: argparse.Namespace) -> str:
    suffixes = {".conllu": "conllu", ".jsonl": "jsonl"}
    return str(arguments.format or suffixes.get(arguments.gold.suffix, "columns"))


def _read_spans(arguments: argparse.Namespace) -> SpanInput:
    from sigcore.io.parsers import short_names
    from sigcore.parsing.annotation import align, count_spans

    measures = _measures(arguments, MEASURES)
    column = arguments.column if arguments.gold_column is None else arguments.gold_column
    files = [_read_span_file(arguments, arguments.gold, "gold", column)]
    for path, name in zip(arguments.files, short_names(arguments.files), strict=True):
        files.append(_read_span_file(arguments, path, name, arguments.column))
    gold, *systems = align(*(file.annotation for file in files))
    views = [View("all", measures, [count_spans(gold, system) for system in systems])]
    if arguments.by_type:
        every = (gold, *systems)
        types = {span.type for side in every for spans in side.spans for span in spans}
        for name in sorted(types):
            scores = [count_spans(gold, system, type=name) for system in systems]
            views.append(View(name or "(no type)", measures, scores))
    return SpanInput(views, [(file.path, file.remarks) for file in files])


def _read_span_file(
    arguments: argparse.Namespace, path: Path, name: str, column: int
) -> "SpanFile":
    from sigcore.io.plain_spans import read_span_json, read_span_table
    from sigcore.io.spans import read_tag_columns

    kind = _format(arguments)
    if kind != "columns":
        return (read_span_table if kind == "table" else read_span_json)(path, name=name)
    return read_tag_columns(
        path,
        name=name,
        column=column,
        scheme=arguments.scheme,
        strict=arguments.strict,
        comment=arguments.comment,
    )


def _read_words(arguments: argparse.Namespace) -> SpanInput:
    from sigcore.errors import DataFileError, InputError
    from sigcore.io.conllu import count_words, read_conllu
    from sigcore.io.parsers import short_names

    if arguments.by_type:
        raise InputError("`--by-type` is for spans; CoNLL-U has none.")
    gold = read_conllu(arguments.gold, name="gold")
    systems = [
        read_conllu(path, name=name)
        for path, name in zip(arguments.files, short_names(arguments.files), strict=True)
    ]
    if not gold.annotated:
        raise DataFileError(gold.path, "has neither tags nor trees.")
    views = []
    for measure in _measures(arguments, gold.annotated):
        scores = [
            count_words(
                gold,
                system,
                measure=measure,
                subtypes=arguments.subtypes,
                punctuation=not arguments.no_punctuation,
            )
            for system in systems
        ]
        views.append(View(measure, ["accuracy"], scores))
    return SpanInput(views, [])


def _measures(arguments: argparse.Namespace, known: Sequence[str]) -> Sequence[str]:
    """Return the measures asked for, or those that the format and the gold standard allow."""
    from sigcore.errors import InputError

    for measure in arguments.measure or ():
        if measure not in known:
            raise InputError(
                f"`--measure` must be one of {', '.join(known)} for this gold standard; "
                f"got {measure}."
            )
    return arguments.measure or known
