"""Where in a configuration file a key stands."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import yaml

from sigcore.io.yaml_files import line_of

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
        line = line_of(yaml.compose(Path(path).read_text(encoding="utf-8")), found.group(1))
        if line is not None:
            return f"{path}:{line}: {text}"
    return f"{files[-1]}: {text}" if "is missing" in text else message
