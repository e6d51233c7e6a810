"""File names that Snakemake can take as they are."""

from __future__ import annotations

from sigcore.errors import InputError

__all__ = ["plain_name"]

# Snakemake fills wildcards, {name}, and path variables, <name>, into the names of input files.
_SPECIAL = "{}<>"


def plain_name(path: str) -> str:
    """Give the name of an input file back, or refuse one that Snakemake would change.

    Examples
    --------
    >>> plain_name("scores/Metric v2.1 (large)-refA.seg.score")
    'scores/Metric v2.1 (large)-refA.seg.score'
    """
    found = [character for character in _SPECIAL if character in path]
    if found:
        raise InputError(
            f"{path}: a file name must not have {' '.join(found)}, which mean something else to "
            "Snakemake; rename the file or the folder."
        )
    return path
