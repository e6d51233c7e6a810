"""Where in a configuration file a key stands."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import yaml

__all__ = ["name_place"]

_KEY = re.compile(r"configuration: [^`]*`([^`:]+)")


def name_place(message: str, files: Iterable[str | Path]) -> str:
    """Put file and line into a message on a key of the configuration.

    Parameters
    ----------
    message : str
        Begins with ``configuration:`` and has the dotted key in backticks; others stay as they are.
    files : iterable of str or Path
        The configuration files, the last one first in importance.

    Returns
    -------
    str
        The message with ``<file>:<line>:`` in front. Of a key that is not there, the line of the
        nearest one above it; of a key that no file has (it came from the command line), no place.
    """
    found = _KEY.match(message)
    files = [str(path) for path in files]
    if found is None or not files:
        return message
    text = message.removeprefix("configuration: ")
    for path in reversed(files):
        line = _line_of(yaml.compose(Path(path).read_text(encoding="utf-8")), found.group(1))
        if line is not None:
            return f"{path}:{line}: {text}"
    return f"{files[-1]}: {text}" if "is missing" in text else message


def _line_of(node: yaml.Node | None, key: str) -> int | None:
    """Find the line of a dotted key, or of the part of it that is there."""
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            line = int(name.start_mark.line) + 1
            if key == name.value:
                return line
            if key.startswith(f"{name.value}."):
                return _line_of(value, key.removeprefix(f"{name.value}.")) or line
    if isinstance(node, yaml.SequenceNode):
        position, _, rest = key.partition(".")
        if position.isdigit() and int(position) < len(node.value):
            item = node.value[int(position)]
            return _line_of(item, rest) or int(item.start_mark.line) + 1
    return None
