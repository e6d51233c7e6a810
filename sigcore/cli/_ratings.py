"""Further human ratings, compared as if they were a metric."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sigcore.cli._cuts import without_segments, without_systems
from sigcore.errors import DataFileError, InputError

if TYPE_CHECKING:
    from sigcore.evalset import EvalSet, LeftOut, Selection
    from sigcore.io.scores import ScoreFile
    from sigcore.testsets import PairFacts

__all__ = ["add_ratings"]


@dataclass(frozen=True, slots=True)
class _Ratings:
    """Ratings by people that are not the gold."""

    name: str
    file: "ScoreFile"

    @property
    def label(self) -> str:
        return f"human: {self.name}"


def add_ratings(
    evalset: "EvalSet",
    names: Sequence[str],
    arguments: argparse.Namespace,
    selection: "Selection",
    facts: "PairFacts",
) -> "tuple[EvalSet, list[str], list[LeftOut]]":
    """Add ratings as metrics, and take out what they do not rate.

    Parameters
    ----------
    evalset : EvalSet
        Everything that was read.
    names : sequence of str
        Names in the test set, or files.
    arguments : argparse.Namespace
        With the options of `sigcore.cli._data_options`.
    selection, facts
        What will be selected: a system that is not selected needs no ratings.

    Returns
    -------
    evalset : EvalSet
        What is left, with the ratings among the metrics.
    labels : list of str
        Labels of the ratings.
    left_out : list of LeftOut
        Systems and segments that have gold and were taken out.
    """
    from sigcore.evalset.selection import selected_systems

    left_out: list[LeftOut] = []
    found = [_read(evalset, name, arguments) for name in dict.fromkeys(names)]
    for ratings in found:
        systems = selected_systems(evalset, selection, facts)
        evalset, unrated = _cut_systems(evalset, ratings, systems)
        left_out += unrated
        rated = [name for name in systems if name in evalset.systems]
        evalset, unrated = _cut_segments(evalset, ratings, rated)
        left_out += unrated
    for ratings in found:
        evalset = _add(evalset, ratings)
    return evalset, [ratings.label for ratings in found], left_out


def _read(evalset: "EvalSet", name: str, arguments: argparse.Namespace) -> _Ratings:
    from sigcore.io.score_folder import score_name
    from sigcore.io.scores import read_scores

    path, shown = Path(name), score_name(name)
    if arguments.testset is not None:
        folder = arguments.data / arguments.testset / "human-scores"
        path, shown = folder / f"{arguments.lp}.{name}.seg.score", name
        _check_name(path, arguments)
    if shown == evalset.gold_name:
        raise InputError(f"`--human` must name other ratings than the gold, {shown}.")
    return _Ratings(shown, read_scores(path, n_segments=evalset.n_segments))


def _check_name(path: Path, arguments: argparse.Namespace) -> None:
    from sigcore.io.mtme import list_gold_names

    if not path.is_file():
        there = ", ".join(list_gold_names(arguments.data, arguments.testset, arguments.lp))
        raise DataFileError(path, f"there is no such file; ratings of {arguments.lp} are {there}.")


def _cut_systems(
    evalset: "EvalSet", ratings: _Ratings, systems: Sequence[str]
) -> "tuple[EvalSet, list[LeftOut]]":
    """Take out the systems that have no rating where they have gold."""
    import numpy as np

    from sigcore.evalset import LeftOut
    from sigcore.io.score_folder import align_scores

    rated = ~np.isnan(align_scores(ratings.file, evalset.systems)[:, evalset.segments])
    twice = np.flatnonzero((rated & evalset.mask).any(axis=1)).tolist()
    unrated = [name for name in systems if evalset.systems.index(name) not in twice]
    if len(systems) - len(unrated) < 2:
        raise DataFileError(
            ratings.file.path,
            f"expected scores of at least 2 of the {len(systems)} systems in use; found "
            f"{len(systems) - len(unrated)}.",
        )
    left_out = [LeftOut("system", name, f"no {ratings.name} score") for name in unrated]
    return without_systems(evalset, unrated), left_out


def _cut_segments(
    evalset: "EvalSet", ratings: _Ratings, systems: Sequence[str]
) -> "tuple[EvalSet, list[LeftOut]]":
    """Take out the segments that have gold for every system and lack a rating of one."""
    import numpy as np

    from sigcore.evalset import LeftOut

    rows = [evalset.systems.index(name) for name in systems]
    has_gold = evalset.mask[rows].all(axis=0)
    scores = np.stack([ratings.file.scores[name] for name in systems])[:, evalset.segments]
    dropped = np.asarray(has_gold & np.isnan(scores).any(axis=0))
    n_dropped = int(np.count_nonzero(dropped))
    if not n_dropped:
        return evalset, []
    if n_dropped == np.count_nonzero(has_gold):
        raise DataFileError(
            ratings.file.path,
            f"expected scores of all {len(systems)} systems on a segment that has "
            f"{evalset.gold_name} scores; there is no such segment.",
        )
    reason = f"no {ratings.name} score for every system"
    left_out = [LeftOut("segment", ratings.name, reason, n_dropped)]
    return without_segments(evalset, dropped), left_out


def _add(evalset: "EvalSet", ratings: _Ratings) -> "EvalSet":
    import numpy as np

    from sigcore.evalset import Metric
    from sigcore.io.score_folder import align_scores

    label, source = ratings.label, str(ratings.file.path)
    metric = Metric(name=label, base=label, reference="", extra=True, source=source)
    metrics = sorted((*evalset.metrics, metric), key=lambda entry: entry.name)
    scores = align_scores(ratings.file, evalset.systems)[:, evalset.segments]
    return replace(
        evalset,
        metrics=tuple(metrics),
        scores=np.insert(evalset.scores, metrics.index(metric), scores, axis=0),
    )
