"""Read an evaluation set and take from it what enters an evaluation."""

from collections.abc import Sequence
from pathlib import Path

from sigcore.errors import DataFileError, ScoreError
from sigcore.evalset import EvalSet, LeftOut, Selection, select
from sigcore.io.mtme import read_evalset
from sigcore.io.scores import find_line
from sigcore.testsets import PairFacts

__all__ = ["read_selected"]


def read_selected(
    root: str | Path,
    testset: str,
    language_pair: str,
    selection: Selection,
    *,
    extra_metric_files: Sequence[str | Path] = (),
    facts: PairFacts,
) -> tuple[EvalSet, tuple[LeftOut, ...]]:
    """Read a language pair and select from it; errors name files as they can be opened, and lines.

    Parameters
    ----------
    root, testset, language_pair, extra_metric_files, facts
        As for `read_evalset`.
    selection : Selection
        What to take.

    Returns
    -------
    evalset : EvalSet
        The part that was selected.
    left_out : tuple of LeftOut
        What is not in it, with the reason.
    """
    everything = read_evalset(
        root, testset, language_pair, extra_metric_files=extra_metric_files, facts=facts
    )
    try:
        return select(everything, selection, facts)
    except ScoreError as error:
        raise _located(error, Path(root)) from None


def _located(error: ScoreError, root: Path) -> DataFileError:
    """Say on which line of its file the fault is, or that the system has none."""
    # Stored metrics are named from the root.
    inside = root / error.path
    path = inside if inside.is_file() else error.path
    line = find_line(path, error.system, error.segment)
    message = error.message
    if line is None:
        message = f"no line has system {error.system!r}; {message}"
    return DataFileError(path, message, line=line)
