"""What a folder of test sets has in it."""

from pathlib import Path

from sigcore.errors import InputError
from sigcore.io.mtme import list_gold_names, list_language_pairs, list_metric_files

__all__ = ["find_evaluations", "find_language_pairs", "is_testset"]


def is_testset(path: Path) -> bool:
    """Tell whether a folder is a test set: it has human scores or metric scores."""
    folders = (path / "human-scores", path / "metric-scores")
    return not path.name.startswith(".") and any(folder.is_dir() for folder in folders)


def find_language_pairs(root: Path) -> dict[str, tuple[str, ...]]:
    """Return the language pairs of each test set in a folder.

    Raises
    ------
    InputError
        If there is no such folder.
    """
    if not root.is_dir():
        raise InputError(f"There is no directory {root}.")
    names = sorted(path.name for path in root.iterdir() if is_testset(path))
    return {name: list_language_pairs(root, name) for name in names}


def find_evaluations(root: Path) -> list[tuple[str, str]]:
    """Return test sets and language pairs with both human and metric scores of segments."""
    return [
        (testset, pair)
        for testset, pairs in find_language_pairs(root).items()
        for pair in pairs
        if list_gold_names(root, testset, pair) and list_metric_files(root, testset, pair)
    ]
