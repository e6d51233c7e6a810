"""The part of the work that one job of a batch does."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TypeVar

__all__ = ["batch_names", "part_of"]

Item = TypeVar("Item")


def batch_names(total: int, size: int) -> list[str]:
    """Name the batches of `total` items with `size` in each, 0 for all in one.

    Examples
    --------
    >>> batch_names(6, 4)
    ['1-of-2', '2-of-2']
    """
    count = ceil(total / size) if size and total else 1
    return [f"{index}-of-{count}" for index in range(1, count + 1)]


def part_of(items: Sequence[Item], batch: str) -> list[Item]:
    """Take the items of one batch.

    Parameters
    ----------
    items : sequence
        Everything, in a fixed order.
    batch : str
        Which part, as ``2-of-3``.

    Returns
    -------
    list
        A run of consecutive items; the runs of all batches are as equal as they can be and give
        every item once.

    Examples
    --------
    >>> [part_of("abcde", f"{k}-of-2") for k in (1, 2)]
    [['a', 'b'], ['c', 'd', 'e']]
    """
    number, count = map(int, batch.split("-of-"))
    start, end = (len(items) * edge // count for edge in (number - 1, number))
    return list(items[start:end])
