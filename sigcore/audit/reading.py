"""Read all files of a language pair; a file that cannot be read becomes a finding."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from sigcore.audit.results import ERROR, INFO, WARNING, Finding
from sigcore.errors import DataFileError, InputError
from sigcore.io.mtme import (
    list_gold_names,
    list_metric_files,
    metric_id,
    read_documents,
)
from sigcore.io.scores import ScoreFile, read_scores
from sigcore.testsets import PairFacts, load_testset

__all__ = ["Material", "read_material"]

T = TypeVar("T")


@dataclass(slots=True)
class Material:
    """What could be read of a language pair, and findings about what could not.

    Attributes
    ----------
    root : Path
        Data directory.
    facts : PairFacts
        Facts about the pair; with a finding beside if they had to be guessed.
    gold : ScoreFile or None
        Human scores.
    metrics : dict of str to ScoreFile
        Metric scores by name and reference, sorted.
    n_metrics : int
        Metric files, readable or not.
    findings : list of Finding
        Faults of files.
    """

    root: Path
    facts: PairFacts
    gold: ScoreFile | None = None
    metrics: dict[str, ScoreFile] = field(default_factory=dict)
    n_metrics: int = 0
    findings: list[Finding] = field(default_factory=list)

    @property
    def directory(self) -> Path:
        """Directory of the test set."""
        return self.root / self.facts.testset

    def relative(self, path: Path) -> str:
        """Return a path relative to the data directory."""
        return path.relative_to(self.root).as_posix()

    def note(
        self,
        severity: str,
        kind: str,
        message: str,
        *,
        subject: str = "",
        path: Path | None = None,
        line: int | None = None,
    ) -> None:
        """Add a finding."""
        file = self.relative(path) if path is not None else None
        self.findings.append(Finding(severity, kind, message, subject, file, line))

    def attempt(self, read: Callable[[Path], T], path: Path, subject: str) -> T | None:
        """Read a file, or note why that fails."""
        try:
            return read(path)
        except DataFileError as error:
            place = f"{error.path}:{error.line}" if error.line is not None else f"{error.path}"
            message = str(error).removeprefix(f"{place}: ")
            self.note(
                ERROR, "unreadable-file", message, subject=subject, path=path, line=error.line
            )
            return None


def read_material(root: Path, testset: str, language_pair: str) -> Material:
    """Read all files of a language pair.

    Files that do not have as many segments as most others are left out with a finding.
    """
    facts, findings = _facts(root, testset, language_pair)
    material = Material(root, facts, findings=findings)
    _read_gold(material)
    _read_metrics(material)
    _check_case(material)
    _check_segments(material)
    return material


def _facts(root: Path, testset: str, language_pair: str) -> tuple[PairFacts, list[Finding]]:
    """Load the facts of the pair; without any, guess them from the files and say so."""
    try:
        return load_testset(testset, root=root).facts(language_pair), []
    except InputError as error:
        names = list_gold_names(root, testset, language_pair)
        gold = names[0] if len(names) == 1 else None
        guess = PairFacts(testset, language_pair, "refA", gold, (), True, ("refA",), (), ())
        message = f"{error} The audit goes on with reference refA and gold {gold or 'unknown'}."
        return guess, [Finding(ERROR, "no-facts", message)]


def _read_gold(material: Material) -> None:
    facts = material.facts
    names = list_gold_names(material.root, facts.testset, facts.language_pair)
    if facts.gold is None:
        message = f"No gold is named for this language pair; files: {', '.join(names) or 'none'}."
        material.note(INFO, "no-gold", message)
        return
    directory = material.directory / "human-scores"
    path = directory / f"{facts.language_pair}.{facts.gold}.seg.score"
    if path.is_file():
        material.gold = material.attempt(read_scores, path, facts.gold)
    else:
        message = f"There is no such file; human scores here: {', '.join(names) or 'none'}."
        material.note(ERROR, "no-gold", message, subject=facts.gold, path=path)


def _read_metrics(material: Material) -> None:
    facts = material.facts
    directory = material.directory / "metric-scores" / facts.language_pair
    paths = list_metric_files(material.root, facts.testset, facts.language_pair)
    material.n_metrics = len(paths)
    if not paths:
        material.note(ERROR, "no-metrics", "There is no metric file.", path=directory)
    for path in paths:
        name = material.attempt(metric_id, path, path.name)
        if name is not None:
            file = material.attempt(read_scores, path, "-".join(name))
            if file is not None:
                material.metrics["-".join(name)] = file
    for path in sorted(directory.glob("[!.]*")):
        if not path.name.endswith(".score"):
            message = "This file is not read; names of score files end in .seg.score."
            material.note(INFO, "other-file", message, path=path)


def _check_case(material: Material) -> None:
    """Note names that differ in case only: many file systems and people take them for one."""
    paths = {name: file.path for name, file in material.metrics.items()}
    _note_collisions(material, paths)
    gold = [material.gold] if material.gold is not None else []
    files = (*gold, *material.metrics.values())
    _note_collisions(material, {name: file.path for file in files for name in file.systems})


def _note_collisions(material: Material, paths: dict[str, Path]) -> None:
    first: dict[str, str] = {}
    for name, path in sorted(paths.items()):
        other = first.setdefault(name.lower(), name)
        if other != name:
            message = f"The name {name} differs from {other} only in case."
            material.note(WARNING, "name-collision", message, subject=name, path=path)


def _check_segments(material: Material) -> None:
    """Leave out files whose number of segments is not that of most files."""
    counts = _segment_counts(material)
    if len(set(counts.values())) < 2:
        return
    # Equally frequent counts come in the order of the files: then the gold is right.
    (expected, n_files), *_ = Counter(counts.values()).most_common()
    for path, count in counts.items():
        if count != expected:
            message = (
                f"There are {count} segments; {n_files} of {len(counts)} files have {expected}."
            )
            material.note(ERROR, "wrong-count", message, subject=path.name, path=path)
    if material.gold is not None and material.gold.n_segments != expected:
        material.gold = None
    material.metrics = {
        name: file for name, file in material.metrics.items() if file.n_segments == expected
    }


def _segment_counts(material: Material) -> dict[Path, int]:
    """Return the number of segments in each file: gold, documents, metrics."""
    counts = {}
    if material.gold is not None:
        counts[material.gold.path] = material.gold.n_segments
    path = material.directory / "documents" / f"{material.facts.language_pair}.docs"
    if path.is_file():
        documents = material.attempt(read_documents, path, "documents")
        if documents is not None:
            counts[path] = len(documents[0])
    return counts | {file.path: file.n_segments for file in material.metrics.values()}
