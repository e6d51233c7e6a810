"""Read YAML files that people write: no key twice, and the line of each."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from yaml.constructor import ConstructorError
from yaml.scanner import ScannerError

from sigcore.errors import DataFileError

__all__ = ["YamlFile", "line_of", "read_yaml"]

_SHOWN = 40  # characters of a faulty value
_MERGE = "tag:yaml.org,2002:merge"  # `<<`, which may be there twice


@dataclass(frozen=True, slots=True)
class YamlFile:
    """A YAML file.

    Attributes
    ----------
    path : Path
        The file.
    value : object
        What it says; None if it is empty.
    node : yaml.Node or None
        The same with the places.
    """

    path: Path
    value: Any
    node: yaml.Node | None

    def error(self, message: str, key: str = "") -> DataFileError:
        """Return an error with the line of a dotted key, or of the part of it that is there."""
        return DataFileError(self.path, message, line=line_of(self.node, key) if key else None)


def read_yaml(path: str | Path) -> YamlFile:
    """Read a YAML file.

    Raises
    ------
    DataFileError
        If it is not YAML, or a key is there twice; the message has the line.
    """
    path = Path(path)
    try:
        loader = _Loader(path.read_bytes())
        node = loader.get_single_node()
        _refuse_repeated_keys(path, node)
        value = loader.construct_document(node) if node is not None else None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "not text"
        line = mark.line + 1 if mark is not None else None
        raise DataFileError(path, f"is not valid YAML: {problem}.", line=line) from error
    except RecursionError as error:
        raise DataFileError(path, "is not valid YAML: nested too deeply.") from error
    return YamlFile(path, value, node)


class _Loader(yaml.SafeLoader):
    """A loader whose every fault is an error of YAML, with the place."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """Make a value; one that is not what its form or its tag says is a fault of the file."""
        try:
            return super().construct_object(node, deep)
        except (ValueError, ArithmeticError, LookupError, AttributeError) as error:
            # All that yaml raises for 2020-13-45, `!!int abc`, `!!bool abc` and `!!timestamp abc`.
            kind, shown = node.tag.rpartition(":")[2], str(node.value)[:_SHOWN]
            problem = f"{shown!r} is no {kind}"
            raise ConstructorError(None, None, problem, node.start_mark) from error

    def scan_flow_scalar_non_spaces(self, double: bool, start_mark: Any) -> list[str]:
        """Read a part of a quoted text; an escape may name a character that there is not."""
        try:
            return super().scan_flow_scalar_non_spaces(double, start_mark)
        except (ValueError, OverflowError) as error:
            raise ScannerError(None, None, "there is no such character", start_mark) from error


def line_of(node: yaml.Node | None, key: str) -> int | None:
    """Find the line of a dotted key, or of the part of it that is there.

    Parameters
    ----------
    node : yaml.Node or None
        From `yaml.compose`.
    key : str
        Keys of mappings, and positions in lists counted from 0, joined by dots.
    """
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            line = int(name.start_mark.line) + 1
            if key == name.value:
                return line
            if key.startswith(f"{name.value}."):
                return line_of(value, key.removeprefix(f"{name.value}.")) or line
    if isinstance(node, yaml.SequenceNode):
        position, _, rest = key.partition(".")
        if position.isdigit() and int(position) < len(node.value):
            item = node.value[int(position)]
            return line_of(item, rest) or int(item.start_mark.line) + 1
    return None


def _refuse_repeated_keys(path: Path, root: yaml.Node | None) -> None:
    """Refuse a mapping with a key twice, of which YAML takes the last one without a word."""
    waiting, seen = [root], set()
    while waiting:
        node = waiting.pop()
        # An alias leads to a node again, and may lead a node to itself.
        if not isinstance(node, yaml.CollectionNode) or id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            _refuse_repeated(path, [name for name, _ in node.value])
            waiting += [value for _, value in node.value]
        else:
            waiting += node.value


def _refuse_repeated(path: Path, names: list[yaml.Node]) -> None:
    first: dict[tuple[str, str], int] = {}
    for name in names:
        if not isinstance(name, yaml.ScalarNode) or name.tag == _MERGE:
            continue
        line, key = int(name.start_mark.line) + 1, (name.tag, name.value)
        if key in first:
            raise DataFileError(
                path, f"the key `{name.value}` is there already in line {first[key]}.", line=line
            )
        first[key] = line
