"""Checks at the door of public functions: clean arrays come out, or an `InputError` is raised."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError

__all__ = [
    "as_choice",
    "as_count",
    "as_counts",
    "as_cube",
    "as_distance",
    "as_limit",
    "as_matrices",
    "as_matrix",
    "as_number",
    "as_probability",
    "as_vector",
    "is_absent",
    "refuse_other_labels",
]

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
    return _without_infinity(array, name)


def as_matrices(**values: npt.ArrayLike) -> tuple[FloatArray, ...]:
    """Return matrices as `as_matrix` does, of one shape and without labels that contradict."""
    refuse_other_labels(values)
    matrices = tuple(as_matrix(each, name) for name, each in values.items())
    if len({matrix.shape for matrix in matrices}) > 1:
        shapes = [str(matrix.shape) for matrix in matrices]
        raise InputError(
            f"{_listed([f'`{name}`' for name in values])} must have the same shape "
            f"(systems x segments); got {_listed(shapes)}."
        )
    return matrices


def as_cube(values: npt.ArrayLike, name: str, shape: tuple[int, int]) -> FloatArray:
    """Return `values` as matrices of a given shape, one for each metric, as `as_matrix` does."""
    array = _as_float(values, name)
    if array.ndim != 3 or array.shape[1:] != shape or not len(array):
        raise InputError(
            f"`{name}` must have shape (metrics, systems, segments) = (..., {shape[0]}, "
            f"{shape[1]}) as `gold`; got {array.shape}."
        )
    return _without_infinity(array, name)


def refuse_other_labels(
    values: Mapping[str, Any], *, axes: Sequence[str] = ("index", "columns")
) -> None:
    """Refuse data frames or series whose rows or columns do not stand for the same.

    All else goes by position. Labels counted from 0, which come by default, may stand beside names,
    but not beside some of themselves: rows that were left out or put in another order.

    Parameters
    ----------
    values : mapping of str to array_like
        Arguments by name.
    axes : sequence of str
        Which labels to compare.
    """
    for axis in axes:
        labels = [(name, _labels(each, axis)) for name, each in values.items()]
        known = [(name, one) for name, one in labels if one is not None]
        for (name, one), (other_name, other) in combinations(known, 2):
            if not one.equals(other) and not _by_default(one, other):
                raise InputError(
                    f"`{name}` and `{other_name}` have different labels ({axis}), or the same in "
                    "another order; reindex one."
                )


def is_absent(value: object) -> bool:
    """Return whether a value is None or the NA of pandas, which cannot be compared."""
    return value is None or type(value).__name__ == "NAType"


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


def as_counts(values: Sequence[int], name: str, *, minimum: int = 0) -> tuple[int, ...]:
    """Return `values`, one whole number or more, each of at least `minimum`."""
    if isinstance(values, (str, bytes)) or not isinstance(values, (Sequence, np.ndarray)):
        raise InputError(f"`{name}` must be a sequence of whole numbers; got {values!r}.")
    if not len(values):
        raise InputError(f"`{name}` must not be empty.")
    return tuple(as_count(value, name, minimum=minimum) for value in values)


def as_number(value: float, name: str) -> float:
    """Return `value` as a finite float."""
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"`{name}` must be a number; got {value!r}.") from error
    if not math.isfinite(number):
        raise InputError(f"`{name}` must be finite; got {value}.")
    return number


def as_limit(value: float, name: str) -> float:
    """Return `value` as a positive float; infinity is no limit."""
    number = _number_or_infinity(value, name)
    if number <= 0.0:
        raise InputError(f"`{name}` must be above 0; got {value}.")
    return number


def as_distance(value: float, name: str) -> float:
    """Return `value` as a float of at least 0; it may be infinity."""
    number = _number_or_infinity(value, name)
    if number < 0.0:
        raise InputError(f"`{name}` must be 0 or larger; got {value}.")
    return number


def as_probability(value: float, name: str) -> float:
    """Return `value` as a float strictly between 0 and 1."""
    number = as_number(value, name)
    if not 0.0 < number < 1.0:
        raise InputError(f"`{name}` must lie between 0 and 1; got {value}.")
    return number


def _without_infinity(array: FloatArray, name: str) -> FloatArray:
    bad = np.argwhere(np.isinf(array))
    if len(bad):
        raise InputError(
            f"`{name}` must not contain infinity; found it at {tuple(bad[0].tolist())}."
        )
    return array


def _number_or_infinity(value: float, name: str) -> float:
    is_infinite = isinstance(value, (float, np.floating)) and value == math.inf
    return math.inf if is_infinite else as_number(value, name)


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _labels(values: Any, axis: str) -> Any:
    """Return the labels of a data frame or series; None for arrays, whose `index` is a method."""
    labels = getattr(values, axis, None)
    return labels if hasattr(labels, "equals") else None


def _by_default(first: Any, second: Any) -> bool:
    """Return whether one of two sets of labels only counts and the other has none of its labels."""
    counted = [list(labels) == list(range(len(labels))) for labels in (first, second)]
    return any(counted) and not set(first) & set(second)


def _as_float(values: npt.ArrayLike, name: str) -> FloatArray:
    if isinstance(values, np.ma.MaskedArray):
        # A masked value is a missing one.
        floats = np.full(values.shape, np.nan)
        floats[~np.ma.getmaskarray(values)] = _as_float(values.compressed(), name)
        return floats
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "biufO":
            raise TypeError(f"got {array.dtype} values")
        if array.dtype.kind == "O":
            array = _without_na(array)
        floats = _widened(array) if array.dtype == np.float32 else array.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"`{name}` must contain numbers only: {error}.") from error
    _refuse_large_integers(array, name)
    return floats


def _without_na(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    result = np.empty(array.size, dtype=object)
    result[:] = [None if is_absent(cell) else cell for cell in array.flat]
    return result.reshape(array.shape)


def _refuse_large_integers(array: npt.NDArray[np.generic], name: str) -> None:
    if array.dtype.kind in "iu" and array.size:
        largest = max(int(array.max()), -int(array.min()))
        if largest > 1 << 53:
            raise InputError(
                f"`{name}` must contain integers up to 2^53, which floats hold; found {largest}."
            )


def _widened(single: npt.NDArray[np.float32]) -> FloatArray:
    """Return float32 numbers as float64; those written with a few decimals as these decimals.

    The float32 nearest to 25.2 is 25.2000007...; its double would lie on no grid. Decimals of
    less than 32 spacings of float32 numbers would fit anything.
    """
    double = single.astype(np.float64)
    finite = double[np.isfinite(double)]
    spacing = float(np.spacing(np.float32(np.abs(finite).max(initial=0.0))))
    for digits in range(1, 7):
        if 10.0**-digits < 32.0 * spacing:
            break
        rounded = np.round(double, digits)
        if np.array_equal(rounded.astype(np.float32), single, equal_nan=True):
            return rounded
    return double
