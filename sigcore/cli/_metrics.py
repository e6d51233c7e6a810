"""What commands on metrics share: where scores come from and which are used."""

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sigcore.cli._naming import NamedMetrics, expand_folders
from sigcore.cli._ratings import add_ratings
from sigcore.errors import InputError

if TYPE_CHECKING:
    from sigcore.evalset import EvalSet, LeftOut, Selection
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

    metrics = expand_folders(metrics)
    evalset, facts = _read(arguments, [Path(metric) for metric in metrics if Path(metric).exists()])
    evalset, excluded = _exclude(evalset, arguments)
    selection = _selection(arguments)
    evalset, ratings, unrated = add_ratings(evalset, human, arguments, selection, facts)
    chosen, left_out = select(evalset, selection, facts)
    # Sources of a test set are relative to its folder.
    root = Path() if arguments.testset is None else arguments.data
    found = NamedMetrics(evalset, chosen, left_out, root)
    found.refuse_incomplete_files()
    reference = selection.reference or facts.reference
    return MetricData(
        evalset=chosen,
        names=tuple(dict.fromkeys(map(found.label, metrics))),
        human=tuple(ratings),
        references=tuple(reference.split(".")) if reference else (),
        left_out=(*excluded, *left_out, *unrated),
    )


def _read(arguments: argparse.Namespace, files: Sequence[Path]) -> "tuple[EvalSet, PairFacts]":
    if arguments.smaller_is_better and not files:
        raise InputError("`--smaller-is-better` is for scores in files; none was named.")
    read = _read_folder if arguments.testset is None else _read_testset
    evalset, facts = read(arguments, files)
    return _turn_round(evalset) if arguments.smaller_is_better else evalset, facts


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

    from sigcore.cli._cuts import without_systems
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
    left_out = [LeftOut("system", name, reason) for name, reason in reasons.items()]
    return without_systems(evalset, reasons), left_out


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
