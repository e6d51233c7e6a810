"""The part of the work that one job of a batch does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

__all__ = ["part_of"]

Item = TypeVar("Item")


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
