"""What a file of tasks may say. Every fault is an error with file, line, key and expectation."""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sigcore.io.yaml_files import YamlFile
from sigcore.meta.registry import META_METRICS
from sigcore.tasksets.data import ATTRIBUTES, SYSTEM_SCORES

__all__ = ["check_task_file"]

# What a value must be, and whether it is.
Rule = tuple[str, Callable[[Any], bool]]


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value.strip() != ""


def _is_positive(value: Any) -> bool:
    # A whole number of hundreds of digits is beyond floating point.
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and 0.0 < value <= sys.float_info.max


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_meta(value: Any) -> bool:
    return isinstance(value, str) and value in META_METRICS


def _list_of(fits: Callable[[Any], bool], *, least: int = 1) -> Callable[[Any], bool]:
    def is_list(value: Any) -> bool:
        return isinstance(value, list) and len(value) >= least and all(map(fits, value))

    return is_list


_METAS = f"a meta-metric or a list of them, out of {', '.join(META_METRICS)}"
_NAMES = "a list of language pairs, one or more"

# The keys of a file.
_TOP: dict[str, Rule] = {
    "name": ("a text", _is_text),
    "description": ("a text", _is_text),
    "average": ("scores or ranks", lambda value: value in ("scores", "ranks")),
    "primary_only": ("true or false", _is_flag),
    "system_scores": (" or ".join(SYSTEM_SCORES), lambda value: value in SYSTEM_SCORES),
    "weights_by": (
        f"a list out of {', '.join(ATTRIBUTES)}",
        _list_of(lambda value: value in ATTRIBUTES, least=0),
    ),
    "tasks": ("a list of one task or more", _list_of(lambda _: True)),
}
# The keys of a task.
_ENTRY: dict[str, Rule] = {
    "testset": ("a text", _is_text),
    "pool": (_NAMES, _list_of(_is_text)),
    "each": (f"all, or {_NAMES}", lambda value: value == "all" or _list_of(_is_text)(value)),
    "meta": (_METAS, lambda value: _is_meta(value) or _list_of(_is_meta)(value)),
    "human_systems": ("a list of true and false, one or both", _list_of(_is_flag)),
    "domain": ("a list of domains, one or more", _list_of(_is_text)),
    "weight": ("a number above 0", _is_positive),
}


def check_task_file(file: YamlFile) -> None:
    """Refuse a file that does not describe tasks.

    Raises
    ------
    DataFileError
        With the line and the key of the first fault.
    """
    _check_keys(file, file.value, _TOP, ("name", "tasks"))
    for position, entry in enumerate(file.value["tasks"]):
        place = f"tasks.{position}"
        _check_keys(file, entry, _ENTRY, ("testset", "meta"), place)
        if ("pool" in entry) == ("each" in entry):
            message = f"{_name(place)} must have either `pool` or `each`; got {entry}."
            raise file.error(message, place)
        if "pool" in entry and entry["meta"] != "pa":
            message = f"`pool` is for the meta-metric pa; got {entry['meta']!r}."
            raise file.error(message, f"{place}.meta")
        if entry["testset"] == "all" and entry.get("each") != "all":
            raise file.error("`testset: all` goes with `each: all` only.", f"{place}.testset")


def _check_keys(
    file: YamlFile, values: Any, rules: Mapping[str, Rule], needed: Sequence[str], place: str = ""
) -> None:
    """Refuse a mapping with an unknown key, a wrong value or without a key that it needs."""
    if not isinstance(values, Mapping):
        raise file.error(f"{_name(place)} must be a mapping; got {values!r}.", place)
    for key, value in values.items():
        where = f"{place}.{key}" if place else str(key)
        of_task = f" of {_name(place)}" if place else ""
        if key not in rules:
            known = ", ".join(rules)
            raise file.error(f"unknown key `{key}`{of_task}; known are {known}.", where)
        expected, fits = rules[key]
        if not fits(value):
            raise file.error(f"`{key}`{of_task} must be {expected}; got {value!r}.", where)
        _refuse_repeated(file, value, f"`{key}`{of_task}", where)
    for key in needed:
        if key not in values:
            raise file.error(f"{_name(place)} must have the key `{key}`.", place)


def _refuse_repeated(file: YamlFile, value: Any, what: str, where: str) -> None:
    """Refuse a list with a value twice, which would change weights or make a task twice."""
    if not isinstance(value, list):
        return
    for position, item in enumerate(value):
        # Tasks are told apart by their names, once they are expanded.
        if not isinstance(item, Mapping) and item in value[:position]:
            message = f"{what} must have each value once; {item!r} is there twice."
            raise file.error(message, f"{where}.{position}")


def _name(place: str) -> str:
    """Name the file or a task of it, counted from 1."""
    return f"task {int(place.removeprefix('tasks.')) + 1}" if place else "the file"
