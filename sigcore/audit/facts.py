"""Facts about one matrix of scores: grid, ties, zeros, agreement with the gold."""

import numpy as np
import numpy.typing as npt

from sigcore.audit.results import ScoreFacts
from sigcore.audit.table import ScoreTable, references_of
from sigcore.grid import find_grid
from sigcore.io.scores import ScoreFile

__all__ = ["gold_facts", "metric_facts"]

FloatArray = npt.NDArray[np.float64]


def gold_facts(name: str, file: ScoreFile, table: ScoreTable) -> ScoreFacts:
    """Collect the facts about the gold."""
    return _facts(name, file, table, table.gold, (), None, (float("nan"), float("nan")))


def metric_facts(
    name: str, file: ScoreFile, table: ScoreTable, duplicate_of: str | None
) -> ScoreFacts:
    """Collect the facts about a metric."""
    absent = [system not in file.scores for system in table.systems]
    own = [system in references_of(name) for system in table.systems]
    missing = table.names(np.array(absent) & ~np.array(own) & table.compared)
    scores = table.scores[name]
    agreement = _agreement(table.used(table.gold), table.used(scores))
    return _facts(name, file, table, scores, missing, duplicate_of, agreement)


def _facts(
    name: str,
    file: ScoreFile,
    table: ScoreTable,
    scores: FloatArray,
    missing_systems: tuple[str, ...],
    duplicate_of: str | None,
    agreement: tuple[float, float],
) -> ScoreFacts:
    grid = find_grid(scores)
    present = scores[~np.isnan(scores)]
    # On a grid, multiples of the step tie when they should; floats tie by chance.
    comparable = np.rint(scores / grid.step) if grid is not None else scores
    return ScoreFacts(
        name=name,
        n_systems=len(file.systems),
        n_segments=file.n_segments,
        n_missing=file.n_missing,
        grid_step=grid.step if grid is not None else None,
        tie_rate=_tie_rate(table.used(comparable)),
        constant=bool(present.size > 0 and (present == present[0]).all()),
        duplicate_of=duplicate_of,
        system_correlation=agreement[0],
        segment_correlation=agreement[1],
        zero_systems=table.names((scores == 0.0).all(axis=1)),
        missing_systems=missing_systems,
    )


def _tie_rate(values: FloatArray) -> float:
    """Return the fraction of pairs of systems, on all segments, that have equal values."""
    present = ~np.isnan(values)
    n_pairs = n_tied = 0
    for row in range(1, len(values)):
        n_pairs += int((present[:row] & present[row]).sum())
        n_tied += int((values[:row] == values[row]).sum())
    return n_tied / n_pairs if n_pairs else float("nan")


def _agreement(gold: FloatArray, scores: FloatArray) -> tuple[float, float]:
    """Return the correlations of system means and, segments centred, of single scores."""
    rows = ~np.isnan(scores).all(axis=1)
    gold, scores = gold[rows], scores[rows]
    columns = ~(np.isnan(gold) | np.isnan(scores)).any(axis=0)
    gold, scores = gold[:, columns], scores[:, columns]
    if gold.size == 0:
        return float("nan"), float("nan")
    between = _pearson(gold.mean(axis=1), scores.mean(axis=1))
    within = _pearson(gold - gold.mean(axis=0), scores - scores.mean(axis=0))
    return between, within


def _pearson(first: FloatArray, second: FloatArray) -> float:
    """Return Pearson's correlation over all entries; NaN if one side is constant."""
    a, b = (first - first.mean()).ravel(), (second - second.mean()).ravel()
    scale = float(np.sqrt((a * a).sum() * (b * b).sum()))
    # Centring leaves rounding errors of about 1e-16 of the values where nothing varies.
    floor = 1e-13 * max(1.0, float(np.abs(first).max() * np.abs(second).max())) * a.size
    return float((a * b).sum() / scale) if scale > floor else float("nan")
