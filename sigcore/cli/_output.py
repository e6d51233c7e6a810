"""What subcommands share: where data are, files to write, tables and progress bars."""

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from sigcore.errors import InputError

__all__ = [
    "DATA_ROOT",
    "FIGURES",
    "check_figure",
    "check_outputs",
    "check_outputs_of_metrics",
    "format_table",
    "progress_in_bytes",
    "use_one_thread",
]

DATA_ROOT = "data/mtme"  # where test sets are put and looked for, as in config/wmt*.yaml
FIGURES = (".pdf", ".png", ".svg")


def check_figure(option: str, path: Path | None) -> None:
    """Refuse a figure whose ending is of no format that can be drawn."""
    if path and path.suffix.lower() not in FIGURES:
        raise InputError(f"`{option}` must end in {', '.join(FIGURES)}; got {str(path)!r}.")


def check_outputs(
    outputs: Mapping[str, Path | None],
    inputs: Iterable[tuple[str, Path]],
    folders: Iterable[Path] = (),
) -> None:
    """Refuse files that are read or cannot all be written, before any of them is.

    Parameters
    ----------
    outputs : mapping of str to Path or None
        The files to write by their options.
    inputs : iterable of (str, Path)
        What files that are read are called, and the files.
    folders : iterable of Path
        Folders that are read with all that is in them.
    """
    from sigcore.io.files import refuse_unwritable

    taken = {path.resolve(): name for name, path in inputs}
    read = [folder.resolve() for folder in folders]
    for option, path in outputs.items():
        if path is None:
            continue
        place = path.resolve()
        if place in taken:
            raise InputError(f"{path}: {taken[place]} and `{option}` must be different files.")
        if any(place.is_relative_to(folder) for folder in read):
            raise InputError(f"{path}: `{option}` must not be among the files of the test set.")
        refuse_unwritable(path)
        taken[place] = f"`{option}`"


def check_outputs_of_metrics(
    outputs: Mapping[str, Path | None],
    arguments: argparse.Namespace,
    metrics: Sequence[str],
    human: Sequence[str] = (),
) -> None:
    """Refuse to write files that a command on metrics reads; see `sigcore.cli._metrics`."""
    named = [(name, "the scores to read") for name in metrics]
    folders: list[Path] = []
    if arguments.testset is None:
        named += [(arguments.gold, "`--gold`"), (arguments.metrics, "a file of `--metrics`")]
        named += [(name, "`--human`") for name in human]
    else:
        from sigcore.testsets import FACTS_FILE

        root = arguments.data / arguments.testset
        named.append((root / FACTS_FILE, "the facts of the test set"))
        folders = [path for path in root.glob("*") if path.is_dir()]
    inputs = [(what, path) for name, what in named if name for path in _files(Path(name))]
    check_outputs(outputs, inputs, folders)


def _files(path: Path) -> list[Path]:
    """Return a file, the scores of a folder, or nothing if it is the name of something else."""
    from sigcore.io.score_folder import list_score_files

    if path.is_dir():
        return list_score_files(path)
    return [path] if path.exists() else []


def format_table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1) -> str:
    """Align a table with pipes; the first `left` columns are flush left, the others right.

    Examples
    --------
    >>> print(format_table(["metric", "ties"], [["BLEU", "0.2"]]))
    | metric | ties |
    | :----- | ---: |
    | BLEU   |  0.2 |
    """
    columns = list(zip(heads, *rows, strict=True))
    widths = [max(3, *map(len, column)) for column in columns]
    rule = [
        f":{'-' * (width - 1)}" if index < left else f"{'-' * (width - 1)}:"
        for index, width in enumerate(widths)
    ]
    lines = []
    for row in (heads, rule, *rows):
        cells = [
            cell.ljust(width) if index < left else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


@contextlib.contextmanager
def progress_in_bytes(what: str) -> Iterator[Callable[[int, int | None], None]]:
    """Give a function of bytes done and bytes in all that draws a bar, if someone looks."""
    from tqdm import tqdm

    with tqdm(
        desc=what, unit="B", unit_scale=True, unit_divisor=1024, disable=None, file=sys.stderr
    ) as bar:

        def show(done: int, total: int | None) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield show


def use_one_thread() -> None:
    """Let numpy compute in one thread, unless the user has said otherwise.

    The matrix products are small: threads would wait for each other longer than they compute. This
    has an effect only before numpy is loaded.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
