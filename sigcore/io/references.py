"""Which systems of a test set are reference translations by people."""

import re
from collections.abc import Iterable
from pathlib import Path

from sigcore.testsets import PairFacts

__all__ = ["reference_names"]

# ASSUME: without the reference files, a system called ref, refA, refb, posteditB and the like is
# a human translation: these are the names of the references in all WMT sets from 2019 to 2025.
_REFERENCE_NAME = re.compile(r"(?:ref|postedit)[A-Za-z]?")


def reference_names(
    directory: Path,
    language_pair: str,
    *,
    systems: Iterable[str],
    used: Iterable[str],
    facts: PairFacts,
) -> set[str]:
    """Return the names of reference translations.

    Parameters
    ----------
    directory : Path
        Directory of the test set.
    language_pair : str
        The language pair.
    systems : iterable of str
        Names of all systems.
    used : iterable of str
        What metrics compare with, as `Metric.reference` has it.
    facts : PairFacts
        Facts about the language pair.
    """
    files = (directory / "references").glob(f"{language_pair}.*.*")
    names = {path.name.removeprefix(f"{language_pair}.").rpartition(".")[0] for path in files}
    if names:
        return names
    of_metrics = {name for reference in used for name in reference.split(".")}
    named = {name for name in systems if _REFERENCE_NAME.fullmatch(name)}
    return (of_metrics - {"src", "all", ""}) | set(facts.references) | named
