"""Parts of an evaluation set, taken before the selection."""

from collections.abc import Container
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from sigcore.evalset import EvalSet

__all__ = ["without_segments", "without_systems"]


def without_systems(evalset: "EvalSet", names: Container[str]) -> "EvalSet":
    """Take systems out."""
    rows = [row for row, name in enumerate(evalset.systems) if name not in names]
    return replace(
        evalset,
        systems=tuple(evalset.systems[row] for row in rows),
        human_systems=tuple(name for name in evalset.human_systems if name not in names),
        gold=evalset.gold[rows],
        scores=evalset.scores[:, rows],
    )


def without_segments(evalset: "EvalSet", dropped: "npt.NDArray[np.bool_]") -> "EvalSet":
    """Take segments out."""
    kept = ~dropped
    documents = evalset.documents
    return replace(
        evalset,
        segments=evalset.segments[kept],
        documents=tuple(documents[at] for at in kept.nonzero()[0]) if documents else documents,
        gold=evalset.gold[:, kept],
        scores=evalset.scores[:, :, kept],
    )
