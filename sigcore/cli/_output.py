"""What subcommands share: tables for the terminal and progress bars."""

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence

__all__ = ["format_table", "progress_in_bytes"]


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
