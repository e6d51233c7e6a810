"""Checks at the door of public functions: clean arrays come out, or an `InputError` is raised."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError

__all__ = ["as_choice", "as_count", "as_matrix", "as_probability", "as_vector"]

FloatArray = npt.NDArray[np.float64]


def as_vector(values: npt.ArrayLike, name: str) -> FloatArray:
    """Return `values` as a finite, non-empty float64 vector."""
    array = _as_float(values, name)
    if array.ndim != 1:
        raise InputError(f"`{name}` must be 1-dimensional; got shape {array.shape}.")
    if array.size == 0:
        raise InputError(f"`{name}` must not be empty.")
    bad = np.flatnonzero(~np.isfinite(array))
    if bad.size:
        raise InputError(
            f"`{name}` must be finite; found {array[bad[0]]} at index {bad[0]} "
            f"({bad.size} such value{'s' if bad.size > 1 else ''})."
        )
    return array


def as_matrix(values: npt.ArrayLike, name: str, *, axes: str = "systems x segments") -> FloatArray:
    """Return `values` as a float64 matrix; NaN marks a missing cell, infinity is refused."""
    array = _as_float(values, name)
    if array.ndim != 2:
        raise InputError(f"`{name}` must be 2-dimensional ({axes}); got shape {array.shape}.")
    if array.size == 0:
        raise InputError(f"`{name}` must not be empty; got shape {array.shape} ({axes}).")
    bad = np.argwhere(np.isinf(array))
    if len(bad):
        raise InputError(f"`{name}` must not contain infinity; found it at {tuple(bad[0])}.")
    return array


def as_choice(value: str, name: str, choices: Sequence[str]) -> str:
    """Return `value` if it is one of `choices`."""
    if value not in choices:
        expected = ", ".join(repr(choice) for choice in choices)
        raise InputError(f"`{name}` must be one of {expected}; got {value!r}.")
    return value


def as_count(value: int, name: str, *, minimum: int = 0) -> int:
    """Return `value` as an int of at least `minimum`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise InputError(f"`{name}` must be a whole number; got {value!r}.")
    if value < minimum:
        raise InputError(f"`{name}` must be at least {minimum}; got {value}.")
    return int(value)


def as_probability(value: float, name: str) -> float:
    """Return `value` as a float strictly between 0 and 1."""
    number = float(value)
    if not 0.0 < number < 1.0:
        raise InputError(f"`{name}` must lie between 0 and 1; got {value}.")
    return number


def _as_float(values: npt.ArrayLike, name: str) -> FloatArray:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"`{name}` must contain numbers only: {error}.") from error
