"""The configuration file of `sigcore compare`, and what the command line changes of it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sigcore.errors import DataFileError, InputError

__all__ = ["check_inputs", "merge", "read_config", "write_config"]

_INPUTS = ("first", "second", "columns", "names", "drop_missing")
_OUTPUTS = ("format", "output", "plots", "html", "save_config")
_COMMAND_ONLY = ("run", "traceback", "config", "plan", *_OUTPUTS)


def read_config(path: Path) -> dict[str, Any]:
    """Read a configuration file."""
    from sigcore.io.yaml_files import read_yaml

    config = read_yaml(path).value
    if not isinstance(config, dict):
        raise DataFileError(path, "expected settings, one a line; found none.")
    return config


def merge(
    config: Mapping[str, Any], given: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return inputs and settings; what is on the command line overrules the file."""
    merged = dict(config)
    merged.update({name: value for name, value in given.items() if name not in _COMMAND_ONLY})
    inputs = {name: merged.pop(name) for name in _INPUTS if name in merged}
    return inputs, merged


def check_inputs(inputs: Mapping[str, Any]) -> None:
    """Refuse inputs of a configuration that the command line could not give."""
    if not inputs.get("first"):
        raise InputError("give one file with two columns of scores, or two files.")
    expected = {
        "first": (isinstance(inputs["first"], str), "a file"),
        "second": (isinstance(inputs.get("second"), str | None), "a file"),
        "columns": (isinstance(inputs.get("columns"), list | None), "a list of columns"),
        "names": (_is_pair_or_none(inputs.get("names")), "a list of two names"),
        "drop_missing": (isinstance(inputs.get("drop_missing", False), bool), "true or false"),
    }
    for name, (right, kind) in expected.items():
        if not right:
            raise InputError(f"`{name}` must be {kind}; got {inputs[name]!r}.")


def write_config(path: Path, inputs: Mapping[str, Any], settings: Mapping[str, Any]) -> None:
    """Write a file that `read_config` reads."""
    import yaml

    from sigcore.io.files import write_text

    write_text(path, yaml.safe_dump({**inputs, **settings}, sort_keys=False, allow_unicode=True))


def _is_pair_or_none(names: object) -> bool:
    return names is None or (isinstance(names, list) and len(names) == 2)
