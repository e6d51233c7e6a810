"""Which further ratings and texts a run has to hold metrics against, known before it starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts._inputs import EvaluationInputs
from sigcore.io.metric_files import SUFFIX
from sigcore.testsets import load_testset

__all__ = ["YardstickPlan", "plan_yardsticks"]

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class YardstickPlan:
    """What there is.

    Attributes
    ----------
    ratings, texts : mapping of (testset, language pair) to files
        Files of further ratings; files of texts, none where one is missing.
    absent : tuple of str
        Sentences on what was asked for and is not there.
    """

    ratings: Mapping[Pair, tuple[str, ...]]
    texts: Mapping[Pair, tuple[str, ...]]
    absent: tuple[str, ...]

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Language pairs that have anything."""
        return tuple(pair for pair in self.ratings if self.ratings[pair] or self.texts[pair])


def plan_yardsticks(config: Mapping[str, Any], inputs: EvaluationInputs) -> YardstickPlan | None:
    """Look up the files of `yardsticks` for every language pair; None without the key."""
    settings = config.get("yardsticks")
    if settings is None:
        return None
    ratings, texts, absent = {}, {}, []
    for testset, lp in inputs.pairs:
        gold = Path(inputs.files[testset, lp].gold)
        wanted = [gold.with_name(f"{lp}.{name}{SUFFIX}") for name in settings["ratings"]]
        there = [path for path in wanted if path.is_file() and path != gold]
        ratings[testset, lp] = tuple(map(str, there))
        absent += [f"{testset} {lp} has no file {p.name}." for p in wanted if not p.is_file()]
        if gold in wanted:
            absent.append(f"{gold.name} is the gold of {testset} {lp}, no second set of ratings.")
        texts[testset, lp] = ()
        if settings["corpus_metrics"]:
            texts[testset, lp] = _texts(gold.parents[2], testset, lp)
            if not texts[testset, lp]:
                absent.append(
                    f"{testset} {lp} has no texts in system-outputs/{lp} and references, so no "
                    "corpus-level scores."
                )
    return YardstickPlan(ratings, texts, tuple(absent))


def _texts(root: Path, testset: str, lp: str) -> tuple[str, ...]:
    """List the outputs of systems and the standard reference, if both are there."""
    standard = load_testset(testset, root=root).facts(lp).reference.split(".")
    references = [root / testset / f"references/{lp}.{name}.txt" for name in standard]
    outputs = sorted((root / testset / "system-outputs" / lp).glob("*.txt"))
    if not outputs or not all(path.is_file() for path in references):
        return ()
    return tuple(map(str, [*references, *outputs]))
