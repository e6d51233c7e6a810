"""Which files of parsers or taggers a run compares, known before anything runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from scripts._names import plain_name
from sigcore.errors import InputError
from sigcore.parsing.simulate import EXAMPLE_PARSERS

__all__ = ["list_parsers"]


def list_parsers(settings: Mapping[str, Any], folder: str) -> list[str]:
    """List the files that the key `parsing` of a configuration names.

    Parameters
    ----------
    settings : mapping
        The key; empty if the configuration does not have it.
    folder : str
        Where simulated files go.

    Returns
    -------
    list of str
        One file a parser, in the order of the configuration and of names; none without settings.

    Raises
    ------
    InputError
        If a file does not exist, there are fewer than two, or gold standard and format do not go
        together.
    """
    if not settings:
        return []
    _check_gold(settings)
    if settings["files"] == "simulated":
        return [f"{folder}/{name}.evalb" for name in EXAMPLE_PARSERS]
    named = settings["files"]
    found = list(dict.fromkeys(_existing([named] if isinstance(named, str) else named, settings)))
    if len(found) < 2:
        raise InputError(
            "configuration: `parsing.files` must name two files or more, or a folder of them; "
            f"found {len(found)}."
        )
    return [plain_name(path) for path in found]


def _check_gold(settings: Mapping[str, Any]) -> None:
    kind, gold = settings["format"], settings.get("gold")
    if kind == "evalb" and gold is not None:
        raise InputError(
            "configuration: `parsing.gold` is for span files; the output of evalb has been "
            "compared with the gold standard already."
        )
    if kind != "evalb" and settings["files"] == "simulated":
        raise InputError(
            f"configuration: `parsing.format` must be 'evalb' for simulated files; got {kind!r}."
        )
    if kind != "evalb" and gold is None:
        raise InputError(f"configuration: `parsing.format` {kind!r} needs `parsing.gold`.")
    if gold is not None and not Path(gold).is_file():
        raise InputError(f"{gold}: no such file, named by `parsing.gold`.")
    if gold is not None:
        plain_name(gold)


def _existing(names: list[str], settings: Mapping[str, Any]) -> Iterator[str]:
    """Give files, and what is in folders: every file but hidden ones and the gold standard."""
    for name in names:
        path = Path(name)
        if path.is_dir():
            inside = (entry for entry in sorted(path.iterdir()) if entry.is_file())
            yield from (str(entry) for entry in inside if _is_output(entry, settings.get("gold")))
        elif path.is_file():
            yield str(path)
        else:
            raise InputError(f"{path}: no such file or folder, named by `parsing.files`.")


def _is_output(path: Path, gold: str | None) -> bool:
    return not path.name.startswith(".") and (gold is None or not path.samefile(gold))
