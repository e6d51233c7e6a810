"""The scores of a language pair side by side, and what an official evaluation takes of them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.audit.reading import Material
from sigcore.io.scores import ScoreFile

__all__ = ["ScoreTable", "align", "references_of"]

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """Aligned scores.

    Attributes
    ----------
    systems : tuple of str
        All systems of all files, sorted.
    gold : ndarray, systems x segments
        Human scores; NaN where there is none.
    scores : dict of str to ndarray, systems x segments
        Scores of each metric; NaN where there is none.
    compared : ndarray of bool, systems
        Systems that an official evaluation compares; without gold all but the reference.
    complete : ndarray of bool, segments
        Segments with gold for all of them; without gold all.
    """

    systems: tuple[str, ...]
    gold: FloatArray
    scores: dict[str, FloatArray]
    compared: BoolArray
    complete: BoolArray

    def used(self, scores: FloatArray) -> FloatArray:
        """Return the part of a matrix that an official evaluation looks at."""
        return scores[np.ix_(self.compared, self.complete)]

    def names(self, chosen: BoolArray) -> tuple[str, ...]:
        """Return the names of systems."""
        return tuple(name for name, take in zip(self.systems, chosen, strict=True) if take)


def align(material: Material) -> ScoreTable:
    """Put the scores of all files side by side."""
    gold = material.gold
    files = [*([gold] if gold is not None else []), *material.metrics.values()]
    systems = tuple(sorted({name for file in files for name in file.systems}))
    n_segments = files[0].n_segments if files else 0
    human = _matrix(gold, systems, n_segments)
    compared = _compared(material, systems, human)
    complete = np.ones(n_segments, dtype=bool)
    if gold is not None:
        complete &= ~np.isnan(human[compared]).any(axis=0)
    scores = {name: _matrix(file, systems, n_segments) for name, file in material.metrics.items()}
    return ScoreTable(systems, human, scores, compared, complete)


def references_of(metric: str) -> tuple[str, ...]:
    """Return the references that a metric uses, from its name; none for the source only."""
    names = metric.rpartition("-")[2].split(".")
    return () if names == ["src"] else tuple(names)


def _matrix(file: ScoreFile | None, systems: tuple[str, ...], n_segments: int) -> FloatArray:
    matrix = np.full((len(systems), n_segments), np.nan)
    if file is not None:
        for row, system in enumerate(systems):
            if system in file.scores:
                matrix[row] = file.scores[system]
    return matrix


def _compared(material: Material, systems: tuple[str, ...], human: FloatArray) -> BoolArray:
    facts = material.facts
    left_out = {*facts.reference.split("."), *facts.outliers}
    if not facts.human_systems:
        used = [name for metric in material.metrics for name in references_of(metric)]
        left_out |= {*facts.references, *used}
    kept = np.array([name not in left_out for name in systems], dtype=bool)
    if material.gold is not None:
        kept &= ~np.isnan(human).all(axis=1)
    return kept
