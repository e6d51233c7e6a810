"""Errors and warnings that sigcore raises on purpose."""

from pathlib import Path

__all__ = [
    "DataFileError",
    "DegenerateDataWarning",
    "InputError",
    "MemoryLimitError",
    "ResolutionWarning",
    "SplitTieWarning",
]


class InputError(ValueError):
    """Input that cannot be used; the message says what was expected and what came."""


class MemoryLimitError(InputError):
    """A computation that would need more memory than allowed; the message has the figure."""


class DataFileError(InputError):
    """A file that cannot be read as what it should be, with the place of the fault.

    Parameters
    ----------
    path : str or Path
        The file.
    message : str
        What was expected and what was found.
    line : int, optional
        Line number, counted from 1.
    """

    def __init__(self, path: str | Path, message: str, *, line: int | None = None) -> None:
        self.path = Path(path)
        self.line = line
        place = f"{path}:{line}" if line is not None else f"{path}"
        super().__init__(f"{place}: {message}")


class DegenerateDataWarning(UserWarning):
    """A statistic is undefined for this input (one system, a constant metric, ...)."""


class ResolutionWarning(UserWarning):
    """There are too few draws for p-values as small as a correction needs."""


class SplitTieWarning(UserWarning):
    """Two metrics with the same score are in different clusters."""
