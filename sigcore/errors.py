"""Errors and warnings that sigcore raises on purpose."""

from pathlib import Path

__all__ = [
    "ApproximationWarning",
    "DataFileError",
    "DegenerateDataWarning",
    "InputError",
    "LevelWarning",
    "MemoryLimitError",
    "PairingWarning",
    "ResolutionWarning",
    "ScoreError",
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
        self.message = message
        self.line = line
        place = f"{path}:{line}" if line is not None else f"{path}"
        super().__init__(f"{place}: {message}")


class ScoreError(DataFileError):
    """Scores of one system of a file that do not fit those of other files.

    Parameters
    ----------
    path, message
        As for `DataFileError`.
    system : str
        The system.
    segment : int, optional
        Position of the first score in question, counted from 0; by default the first of the system.
    """

    def __init__(self, path: str | Path, message: str, *, system: str, segment: int = 0) -> None:
        super().__init__(path, message)
        self.system = system
        self.segment = segment


class ApproximationWarning(UserWarning):
    """Approximate p-values that may be far off by their own estimate."""


class DegenerateDataWarning(UserWarning):
    """A statistic is undefined for this input (one system, a constant metric, ...)."""


class LevelWarning(UserWarning):
    """A test that finds differences more often than its level promises."""


class PairingWarning(UserWarning):
    """Rows were matched line by line though what the files say of them differs."""


class ResolutionWarning(UserWarning):
    """There are too few draws for p-values as small as the level or a correction needs."""


class SplitTieWarning(UserWarning):
    """Two metrics with the same score are in different clusters."""
