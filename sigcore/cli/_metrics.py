"""What commands on metrics share: where scores come from and which are used."""

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sigcore.errors import DataFileError, InputError

if TYPE_CHECKING:
    from sigcore.evalset import EvalSet, LeftOut, Metric, Selection
    from sigcore.testsets import PairFacts

__all__ = ["MetricData", "read_metrics"]

# Option -> name and default of its value.
_NEEDS_TESTSET = {
    "--lp": ("lp", None),
    "--reference": ("reference", None),
    "--human-systems": ("human_systems", None),
    "--outliers": ("outliers", False),
    "--primary-only": ("primary_only", False),
    "--no-reference-free": ("reference_free", True),
}


@dataclass(frozen=True, slots=True)
class MetricData:
    """The scores a command works on.

    Attributes
    ----------
    evalset : EvalSet
        Selected systems, segments and metrics.
    names : tuple of str
        Labels of the metrics the user named, in that order.
    human : tuple of str
        Labels of further human ratings, which are among the metrics.
    references : tuple of str
        References in use; empty for a plain folder.
    left_out : tuple of LeftOut
        What the selection left out.
    """

    evalset: "EvalSet"
    names: tuple[str, ...]
    human: tuple[str, ...]
    references: tuple[str, ...]
    left_out: "tuple[LeftOut, ...]"

    @property
    def n_segments_left_out(self) -> int:
        """Number of segments that the selection left out."""
        return sum(entry.count for entry in self.left_out if entry.kind == "segment")

    def to_record(self) -> dict[str, Any]:
        """Return what the scores are of, and what was left out, for JSON."""
        return {
            "testset": self.evalset.testset,
            "language_pair": self.evalset.language_pair,
            "gold": self.evalset.gold_name,
            "systems": self.evalset.systems,
            "left_out": [asdict(entry) for entry in self.left_out],
        }


def read_metrics(
    arguments: argparse.Namespace, metrics: Sequence[str], human: Sequence[str] = ()
) -> MetricData:
    """Read and select scores.

    Parameters
    ----------
    arguments : argparse.Namespace
        With the options of `sigcore.cli._data_options`.
    metrics : sequence of str
        Files of the user, folders of them, or names of stored metrics.
    human : sequence of str
        Further human ratings: names in the test set, or files.
    """
    from sigcore.evalset import select

    metrics = _expand(metrics)
    files = [Path(metric) for metric in metrics if Path(metric).exists()]
    if arguments.smaller_is_better and not files:
        raise InputError("`--smaller-is-better` is for scores in files; none was named.")
    if arguments.testset is not None:
        evalset, facts = _read_testset(arguments, files)
    else:
        evalset, facts = _read_folder(arguments, files)
    evalset, excluded = _exclude(evalset, arguments)
    if arguments.smaller_is_better:
        evalset = _turn_round(evalset)
    labels = []
    for name in dict.fromkeys(human):
        evalset, label = _add_ratings(evalset, name, arguments)
        labels.append(label)
    selection = _selection(arguments)
    chosen, left_out = select(evalset, selection, facts)
    _refuse_incomplete(evalset, chosen.systems, left_out)
    reference = selection.reference or facts.reference
    return MetricData(
        evalset=chosen,
        names=tuple(dict.fromkeys(_label(chosen.metrics, name) for name in metrics)),
        human=tuple(labels),
        references=tuple(reference.split(".")) if reference else (),
        left_out=(*excluded, *left_out),
    )


def _expand(metrics: Sequence[str]) -> list[str]:
    """Replace each folder by the score files in it."""
    from sigcore.io.score_folder import list_score_files

    expanded: list[str] = []
    for metric in metrics:
        inside = list_score_files(metric) if Path(metric).is_dir() else (metric,)
        expanded += map(str, inside)
    return expanded


def _read_testset(
    arguments: argparse.Namespace, files: Sequence[Path]
) -> "tuple[EvalSet, PairFacts]":
    from sigcore.io.mtme import read_evalset
    from sigcore.testsets import load_testset

    if arguments.lp is None:
        raise InputError("`--lp` must name the language pair of the test set.")
    if arguments.metrics is not None:
        raise InputError("`--metrics` is for a plain folder; it does not go with `--testset`.")
    facts = load_testset(arguments.testset, root=arguments.data).facts(arguments.lp)
    if not (arguments.data / arguments.testset).is_dir():
        raise InputError(
            f"There is no directory {arguments.data / arguments.testset}. Name the folder of the "
            f"test sets with `--data`, or get the public data with `sigcore data get "
            f"{arguments.testset} --to {arguments.data}`."
        )
    evalset = read_evalset(
        arguments.data,
        arguments.testset,
        arguments.lp,
        gold=arguments.gold,
        extra_metric_files=files,
        facts=facts,
    )
    return evalset, facts


def _read_folder(
    arguments: argparse.Namespace, files: Sequence[Path]
) -> "tuple[EvalSet, PairFacts]":
    from sigcore.io.score_folder import folder_facts, read_score_folder

    if arguments.metrics is None or arguments.gold is None:
        raise InputError(
            "name a test set with `--testset` and `--lp`, or files with `--gold` and `--metrics`."
        )
    for option, (name, default) in _NEEDS_TESTSET.items():
        if getattr(arguments, name) != default:
            raise InputError(f"`{option}` needs `--testset`: a folder says nothing about it.")
    evalset = read_score_folder(arguments.gold, arguments.metrics, extra_metric_files=files)
    return evalset, folder_facts(evalset)


def _exclude(evalset: "EvalSet", arguments: argparse.Namespace) -> "tuple[EvalSet, list[LeftOut]]":
    """Leave out the systems not wanted, and those of a plain folder that no metric scores."""
    import numpy as np

    from sigcore.evalset import LeftOut

    reasons = dict.fromkeys(arguments.exclude, "not wanted")
    for name in reasons:
        if name not in evalset.systems:
            known = ", ".join(evalset.systems)
            raise InputError(f"`--exclude` must name a system, one of {known}; got {name!r}.")
    if arguments.testset is None:
        n_scores = np.count_nonzero(~np.isnan(evalset.scores), axis=(0, 2))
        unscored = [evalset.systems[row] for row in np.flatnonzero(n_scores == 0)]
        reasons |= dict.fromkeys(unscored, "no metric scores it")
    rows = [row for row, name in enumerate(evalset.systems) if name not in reasons]
    kept = replace(
        evalset,
        systems=tuple(evalset.systems[row] for row in rows),
        human_systems=tuple(name for name in evalset.human_systems if name not in reasons),
        gold=evalset.gold[rows],
        scores=evalset.scores[:, rows],
    )
    return kept, [LeftOut("system", name, reason) for name, reason in reasons.items()]


def _selection(arguments: argparse.Namespace) -> "Selection":
    from sigcore.evalset import Selection

    return Selection(
        reference=arguments.reference,
        human_systems=arguments.human_systems,
        outliers=arguments.outliers,
        primary_only=arguments.primary_only,
        reference_free=arguments.reference_free,
        incomplete_metrics="leave-out",
        unlisted_systems="leave-out",
        max_missing=arguments.max_missing,
    )


def _turn_round(evalset: "EvalSet") -> "EvalSet":
    scores = evalset.scores.copy()
    for index, metric in enumerate(evalset.metrics):
        if metric.extra:
            scores[index] *= -1.0
    return replace(evalset, scores=scores)


def _add_ratings(
    evalset: "EvalSet", name: str, arguments: argparse.Namespace
) -> "tuple[EvalSet, str]":
    """Add ratings as if they were a metric; what they do not rate has no gold either."""
    import numpy as np

    from sigcore.evalset import Metric
    from sigcore.io.score_folder import align_scores, score_name
    from sigcore.io.scores import read_scores

    path, shown = Path(name), score_name(name)
    if arguments.testset is not None:
        folder = arguments.data / arguments.testset / "human-scores"
        path, shown = folder / f"{arguments.lp}.{name}.seg.score", name
        _check_ratings(path, arguments)
    if shown == evalset.gold_name:
        raise InputError(f"`--human` must name other ratings than the gold, {shown}.")
    label = f"human: {shown}"
    ratings = align_scores(read_scores(path, n_segments=evalset.n_segments), evalset.systems)
    metric = Metric(name=label, base=label, reference="", extra=True, source=str(path))
    metrics = sorted((*evalset.metrics, metric), key=lambda entry: entry.name)
    at = metrics.index(metric)
    added = replace(
        evalset,
        gold=np.where(np.isnan(ratings), np.nan, evalset.gold),
        metrics=tuple(metrics),
        scores=np.insert(evalset.scores, at, ratings, axis=0),
    )
    return added, label


def _check_ratings(path: Path, arguments: argparse.Namespace) -> None:
    from sigcore.io.mtme import list_gold_names

    if not path.is_file():
        there = ", ".join(list_gold_names(arguments.data, arguments.testset, arguments.lp))
        raise DataFileError(path, f"there is no such file; ratings of {arguments.lp} are {there}.")


def _refuse_incomplete(
    evalset: "EvalSet", systems: Iterable[str], left_out: "Iterable[LeftOut]"
) -> None:
    """Refuse a file of the user that lacks scores; stored metrics are left out and listed."""
    from sigcore.io.scores import find_line

    own = {metric.identifier: metric.source for metric in evalset.metrics if metric.extra}
    for entry in left_out:
        if entry.kind == "metric" and entry.name in own:
            path = own[entry.name]
            absent = [repr(name) for name in systems if find_line(path, name) is None]
            where = f"no line has system {', '.join(absent)}; " if absent else ""
            raise DataFileError(path, where + entry.reason)


def _label(metrics: "Sequence[Metric]", name: str) -> str:
    """Return the label of the metric that a file or a name stands for."""
    path = Path(name)
    for metric in metrics:
        if metric.extra and Path(metric.source) == path:
            return metric.name
    for metric in metrics:
        if name in (metric.name, metric.identifier):
            return metric.name
    known = ", ".join(metric.name for metric in metrics)
    raise InputError(f"{name!r} is neither a file nor one of the metrics in use: {known}.")
