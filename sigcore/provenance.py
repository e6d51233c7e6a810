"""Where results come from: versions of the software and hashes of the inputs."""

import hashlib
import importlib.metadata
import platform
from pathlib import Path

import sigcore

__all__ = ["file_sha256", "software_versions"]

_PACKAGES = ("numpy", "scipy", "pandas", "pyarrow", "matplotlib")


def file_sha256(path: str | Path) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def software_versions() -> dict[str, str]:
    """Return the versions of sigcore, Python and the packages that numbers depend on."""
    versions = {"sigcore": sigcore.__version__, "python": platform.python_version()}
    return versions | {name: importlib.metadata.version(name) for name in _PACKAGES}
