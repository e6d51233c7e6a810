"""What subcommands share: where data are, tables for the terminal and progress bars."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence

__all__ = ["DATA_ROOT", "format_table", "progress_in_bytes", "use_one_thread"]

DATA_ROOT = "data/mtme"  # where test sets are put and looked for, as in config/wmt*.yaml


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
