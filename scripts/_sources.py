"""Which library code a script uses, as a digest.

Snakemake reruns a job when its script changes, but does not see the modules that the script
imports. A digest of their source among the parameters of a rule closes the gap: a change of
code that matters reruns the job, touching a file does not.
"""

from __future__ import annotations

import ast
import hashlib
from functools import cache
from pathlib import Path

__all__ = ["source_digest"]

_ROOT = Path(__file__).resolve().parent.parent
_PACKAGES = ("sigcore", "scripts")
_DATA = (".css", ".html", ".yaml")


def source_digest(script: str) -> str:
    """Digest the source of every project module that a script imports, directly or not.

    Parameters
    ----------
    script : str
        Name of a script in ``scripts/``, without its ending.

    Returns
    -------
    str
        Sixteen hexadecimal digits; the same for the same source text.
    """
    seen: dict[Path, bytes] = {}
    waiting = [_ROOT / "scripts" / f"{script}.py"]
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen[path] = path.read_bytes()
            waiting.extend(_imported_files(path))
    digest = hashlib.sha256()
    for path in sorted(seen):
        digest.update(path.relative_to(_ROOT).as_posix().encode() + b"\0" + seen[path] + b"\0")
    return digest.hexdigest()[:16]


@cache
def _imported_files(path: Path) -> tuple[Path, ...]:
    """List the project's files that one file imports, anywhere in it, and the data beside them."""
    if path.suffix != ".py":
        return ()
    found: list[Path] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            # `from package import name` may name a module or something inside one.
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in names:
            if name.split(".")[0] in _PACKAGES:
                found.extend(_files_of(name))
    return tuple(found)


def _files_of(module: str) -> list[Path]:
    """List the files that importing `module` runs; none if it is not a module."""
    path = _ROOT.joinpath(*module.split("."))
    if path.with_suffix(".py").is_file():
        return [path.with_suffix(".py"), *_data_in(path.parent)]
    if (path / "__init__.py").is_file():
        return [path / "__init__.py", *_data_in(path)]
    return []


def _data_in(folder: Path) -> list[Path]:
    """List the templates and facts in a package, which its modules read."""
    return [path for path in folder.iterdir() if path.suffix in _DATA]
