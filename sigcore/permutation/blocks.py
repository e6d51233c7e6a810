"""Blocks of items that swap together: labels of any kind as numbers."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.grid import IntArray
from sigcore.validation import is_absent

__all__ = ["Blocks", "block_codes"]

Blocks: TypeAlias = Sequence[object] | npt.NDArray[np.generic]


def block_codes(blocks: Blocks, n_items: int, *, items: str = "items") -> IntArray:
    """Return the number of the block of each item; equal labels are one block.

    Raises
    ------
    InputError
        If there is not one label for each item, or a label is missing (None, NaN, masked) or of a
        kind that cannot be compared.
    """
    labels = _as_array(blocks)
    if labels.shape != (n_items,):
        raise InputError(
            f"`blocks` must have one label for each of {n_items} {items}; got shape {labels.shape}."
        )
    missing = _missing(blocks, labels)
    if missing.any():
        raise InputError(
            f"`blocks` must have a label for each of {n_items} {items}; the one at index "
            f"{int(np.argmax(missing))} is missing."
        )
    if labels.dtype.kind != "O":
        codes: IntArray = np.unique(labels, return_inverse=True)[1].astype(np.int64, copy=False)
        return codes
    try:
        # Objects of several kinds have no order; they are numbered as they come.
        numbers = {label: index for index, label in enumerate(dict.fromkeys(labels.tolist()))}
    except TypeError as error:
        raise InputError(f"`blocks` must have labels such as names or numbers: {error}.") from error
    return np.array([numbers[label] for label in labels.tolist()], dtype=np.int64)


def _as_array(blocks: Blocks) -> npt.NDArray[np.generic]:
    try:
        array = np.asarray(blocks)
    except ValueError as error:
        raise InputError(f"`blocks` must have one label for each item: {error}.") from error
    if array.dtype.kind in "US" and isinstance(blocks, (list, tuple)):
        # Beside names numpy turns numbers, None and NaN into text.
        mixed = any(not isinstance(label, (str, bytes)) for label in blocks)
        return _as_objects(blocks) if mixed and array.ndim == 1 else array
    return array


def _as_objects(blocks: Sequence[object]) -> npt.NDArray[np.generic]:
    labels = np.empty(len(blocks), dtype=object)
    labels[:] = blocks
    return labels


def _missing(blocks: Blocks, labels: npt.NDArray[np.generic]) -> npt.NDArray[np.bool_]:
    if isinstance(blocks, np.ma.MaskedArray):
        return np.ma.getmaskarray(blocks)
    if labels.dtype.kind == "O":
        # NaN is the only label that differs from itself.
        absent = [is_absent(label) or label != label for label in labels.tolist()]
        return np.array(absent, dtype=np.bool_)
    return np.asarray(labels != labels, dtype=np.bool_)
