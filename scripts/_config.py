"""The configuration of a run: checked against its schema, defaults filled in."""

from __future__ import annotations

import math
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from jsonschema.validators import extend

from sigcore.errors import InputError
from sigcore.io.yaml_files import read_yaml

__all__ = ["check_config", "check_files"]


def _is_integer(_: Any, value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(_: Any, value: Any) -> bool:
    return _is_integer(_, value) or (isinstance(value, float) and math.isfinite(value))


# JSON takes 1.0 for an integer, and knows no value that is not a number.
_Validator = extend(
    Draft202012Validator,
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine_many(
        {"integer": _is_integer, "number": _is_number}
    ),
)
_TYPES = {
    "integer": "a whole number",
    "number": "a finite number",
    "string": "a text",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping of keys to values",
}
_BOUNDS = {
    "minimum": "at least",
    "maximum": "at most",
    "exclusiveMinimum": "above",
    "exclusiveMaximum": "below",
}
_RULES = {
    "pattern": (
        "must be made of letters, digits, dots, dashes and underscores, the first one a letter or "
        "digit"
    ),
    "minLength": "must not be empty",
    "minItems": "must have entries, at least {}",
    "uniqueItems": "must not have the same value twice",
    "minProperties": "must have entries, at least {}",
    "maxProperties": "must have entries, at most {}",
    "not": "must not be {[const]!r}",
}


def check_files(files: Iterable[str | Path]) -> None:
    """Refuse configuration files that have a key twice; Snakemake takes the last one."""
    for path in map(Path, files):
        if path.suffix in (".yaml", ".yml") and path.is_file():
            read_yaml(path)


def check_config(config: dict[str, Any], schema_path: str | Path) -> None:
    """Complete `config` in place and refuse what the schema does not allow.

    Keys that are missing get their defaults, and ``{data_root}`` in any value becomes the folder
    that the key `data_root` names.

    Parameters
    ----------
    config : dict
        The configuration as Snakemake read it.
    schema_path : str or Path
        A JSON schema, written as YAML.

    Raises
    ------
    InputError
        The message names the key, what was expected and what came.
    """
    schema = yaml.safe_load(Path(schema_path).read_text(encoding="utf-8"))
    error = best_match(_Validator(schema).iter_errors(config))
    if error is not None:
        raise InputError(f"configuration: {_explain(error)}")
    _fill_defaults(config, schema)
    root = config.setdefault("data_root", "")
    if not root and "{data_root}" in repr(config):
        raise InputError("configuration: the key `data_root` is missing, which a value names.")
    config.update(_fill_root(config, root))


def _explain(error: ValidationError) -> str:
    """Put a validation error into one sentence."""
    place = ".".join(str(part) for part in error.absolute_path)
    if error.validator == "additionalProperties":
        known = sorted(error.schema.get("properties", {}))
        unknown = [key for key in error.instance if key not in known]
        return " ".join(_unknown_key(place, key, known) for key in unknown)
    if error.validator == "required":
        missing = [key for key in error.validator_value if key not in error.instance]
        return f"the key `{_join(place, missing[0])}` is missing."
    return f"`{place}` {_expected(error)}; got {error.instance!r}."


def _expected(error: ValidationError) -> str:
    rule, value = error.validator, error.validator_value
    if rule == "type":
        return f"must be {_TYPES[value]}{_number_as_text(error.instance)}"
    if rule == "enum":
        return f"must be one of {', '.join(map(_spell, value))}"
    if rule in _BOUNDS:
        return f"must be {_BOUNDS[rule]} {value}"
    if rule in _RULES:
        return _RULES[rule].format(value)
    if rule == "oneOf" and "description" in error.schema:
        return f"must fit its description, “{error.schema['description']}”"
    return error.message


def _spell(value: Any) -> str:
    """Write a value as YAML has it."""
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _number_as_text(value: Any) -> str:
    """Explain why YAML takes a number such as 1e-3 for a text."""
    try:
        number = float(value) if isinstance(value, str) else math.nan
    except ValueError:
        return ""
    return f" (without quotes, as {number:.15g})" if math.isfinite(number) else ""


def _unknown_key(place: str, key: str, known: list[str]) -> str:
    close = get_close_matches(key, known, n=1)
    hint = f"did you mean `{_join(place, close[0])}`?" if close else f"known: {', '.join(known)}."
    return f"unknown key `{_join(place, key)}`; {hint}"


def _join(*parts: str) -> str:
    return ".".join(part for part in parts if part)


def _fill_defaults(values: dict[str, Any], schema: dict[str, Any]) -> None:
    for key, subschema in schema.get("properties", {}).items():
        if key not in values and "default" in subschema:
            default = subschema["default"]
            values[key] = dict(default) if isinstance(default, dict) else default
        if isinstance(values.get(key), dict):
            _fill_defaults(values[key], subschema)


def _fill_root(value: Any, root: str) -> Any:
    """Put the folder of the data into every string of a value."""
    if isinstance(value, str):
        return value.replace("{data_root}", root)
    if isinstance(value, dict):
        return {key: _fill_root(inside, root) for key, inside in value.items()}
    if isinstance(value, list):
        return [_fill_root(inside, root) for inside in value]
    return value
