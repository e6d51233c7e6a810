"""The scores that come with a form, pasted or as files, and the temporary files they become."""

import contextlib
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from sigcore.errors import InputError

__all__ = ["Upload", "stored"]


@dataclass(frozen=True, slots=True)
class Upload:
    """Scores as they came.

    Attributes
    ----------
    name : str
        Name of the file, without folders; what the scores are for if they were pasted.
    content : bytes
        Its content.
    """

    name: str
    content: bytes

    @classmethod
    def from_form(cls, what: str, text: str, filename: str, content: bytes) -> "Upload | None":
        """Take what was pasted or the file; None if there is neither, an error if both."""
        if text.strip() and filename:
            raise InputError(f"Scores of {what}: paste them or choose a file, not both.")
        if filename:
            return cls(_plain_name(filename) or what, content)
        return cls(what, text.encode()) if text.strip() else None

    @property
    def sha256(self) -> str:
        """Hash of the content."""
        return hashlib.sha256(self.content).hexdigest()


@contextlib.contextmanager
def stored(uploads: Mapping[str, Upload]) -> Iterator[list[Path]]:
    """Give paths of the uploads, since readers take paths; the files are gone afterwards.

    An `InputError` that names such a path leaves this block with the name the user knows.
    """
    # Each file has a folder of its own, so that two may have one name.
    with TemporaryDirectory(prefix="sigcore-") as folder:
        paths = []
        for key, upload in uploads.items():
            path = Path(folder, key, upload.name)
            path.parent.mkdir()
            path.write_bytes(upload.content)
            paths.append(path)
        try:
            yield paths
        except InputError as error:
            raise InputError(_with_plain_names(str(error), paths)) from error


def _with_plain_names(text: str, paths: Sequence[Path]) -> str:
    """Name files and lines in a message as the user knows them."""
    for path in paths:
        name = path.name if path.name != path.parent.name else f"Scores of {path.name}"
        # In this order: `file: message`, `file:line: message`, the file within a message.
        text = text.replace(f"{path}: ", f"{name}: ")
        text = text.replace(f"{path}:", f"{name}, line ").replace(str(path), name)
    return text


def _plain_name(name: str) -> str:
    """Return a name without folders or control characters, short enough for every file system."""
    last = PurePosixPath(name.replace("\\", "/")).name
    kept = "".join(char for char in last if char.isprintable())
    # The end says what kind of file it is.
    return "" if kept in ("", ".", "..") else kept if len(kept) <= 60 else kept[:30] + kept[-30:]
