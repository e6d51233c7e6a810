"""Read the directory layout of mt-metrics-eval.

The layout is `<root>/<testset>/` with::

    human-scores/<lp>.<gold>.seg.score           human scores of the segments
    metric-scores/<lp>/<metric>-<ref>.seg.score  scores of a metric, `-src` without reference
    documents/<lp>.docs                          domain and document of each segment (optional)
    references/<lp>.<name>.txt                   reference translations (optional, names only)

The format of a score file is described in `sigcore.io.scores`.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sigcore.errors import DataFileError, InputError
from sigcore.evalset import EvalSet, unique_labels
from sigcore.io.metric_files import SUFFIX, find_metrics, metric_id, score_files
from sigcore.io.references import reference_names
from sigcore.io.scores import ScoreFile, quote, read_lines, read_scores
from sigcore.testsets import PairFacts, load_testset

__all__ = [
    "SUFFIX",
    "ScoreFile",
    "list_gold_names",
    "list_language_pairs",
    "list_metric_files",
    "metric_id",
    "read_documents",
    "read_evalset",
    "read_scores",
]

FloatArray = npt.NDArray[np.float64]


def list_language_pairs(root: str | Path, testset: str) -> tuple[str, ...]:
    """Return the language pairs of a test set that have metric scores or human scores, sorted."""
    directory = _testset_directory(root, testset)
    pairs = {path.name for path in (directory / "metric-scores").glob("*") if path.is_dir()}
    for path in (directory / "human-scores").glob(f"*{SUFFIX}"):
        pairs.add(path.name.split(".")[0])
    return tuple(sorted(pairs))


def list_gold_names(root: str | Path, testset: str, language_pair: str) -> tuple[str, ...]:
    """Return the names of the human scores of a language pair at segment level, sorted."""
    directory = _testset_directory(root, testset) / "human-scores"
    paths = directory.glob(f"{language_pair}.*{SUFFIX}")
    prefix = f"{language_pair}."
    return tuple(sorted(p.name.removeprefix(prefix).removesuffix(SUFFIX) for p in paths))


def list_metric_files(root: str | Path, testset: str, language_pair: str) -> tuple[Path, ...]:
    """Return the segment-level metric files of a language pair, sorted by name."""
    directory = _testset_directory(root, testset) / "metric-scores" / language_pair
    return tuple(score_files(directory))


def read_documents(path: str | Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Read a document file: one line a segment, domain and document.

    Returns
    -------
    domains, documents : tuple of str
        Domain and document of each segment.
    """
    path = Path(path)
    domains, documents = [], []
    for number, line in enumerate(read_lines(path), start=1):
        fields = line.split("\t") if "\t" in line else line.split()
        if len(fields) != 2 or not all(fields):
            raise DataFileError(
                path, f"expected 'domain<TAB>document'; found {quote(line)}.", line=number
            )
        domains.append(fields[0])
        documents.append(fields[1])
    return tuple(domains), tuple(documents)


def read_evalset(
    root: str | Path,
    testset: str,
    language_pair: str,
    *,
    gold: str | None = None,
    extra_metric_files: Sequence[str | Path] = (),
    facts: PairFacts | None = None,
) -> EvalSet:
    """Read everything there is about a language pair at segment level.

    Parameters
    ----------
    root : str or Path
        Directory that holds the test sets.
    testset, language_pair : str
        What to read.
    gold : str, optional
        Name of the human scores; the default is the standard one.
    extra_metric_files : sequence of str or Path
        A user's own score files, or directories of them.
    facts : PairFacts, optional
        Facts about the language pair; the default is what `load_testset` has.

    Returns
    -------
    EvalSet
        All systems and metrics. A system that a file does not have is NaN there; what that means
        is decided by `sigcore.evalset.select`.
    """
    directory = _pair_directory(root, testset, language_pair)
    if facts is None:
        facts = load_testset(testset, root=root).facts(language_pair)
    gold_path = _gold_path(root, testset, language_pair, gold or facts.gold)
    human = read_scores(gold_path)
    documents = _documents(directory, language_pair, human)
    metrics = find_metrics(root, testset, language_pair, extra=extra_metric_files, facts=facts)
    files = [
        (metric, read_scores(path, n_segments=human.n_segments, as_in=human.path))
        for metric, path in metrics
    ]
    systems = sorted({name for f in (human, *(f for _, f in files)) for name in f.systems})
    references = reference_names(
        directory,
        language_pair,
        systems=systems,
        used=[metric.reference for metric, _ in files],
        facts=facts,
    )
    by_id = {metric.identifier: file for metric, file in files}
    labelled = unique_labels(metric for metric, _ in files)
    return EvalSet(
        testset=testset,
        language_pair=language_pair,
        gold_name=gold or facts.gold or "",
        systems=tuple(systems),
        human_systems=tuple(name for name in systems if name in references),
        segments=np.arange(human.n_segments, dtype=np.int64),
        documents=documents,
        gold=_matrix(human, systems),
        metrics=tuple(labelled),
        scores=np.stack([_matrix(by_id[metric.identifier], systems) for metric in labelled]),
        gold_source=str(gold_path),
        unlisted=tuple(name for name in systems if name not in human.scores),
    )


def _testset_directory(root: str | Path, testset: str) -> Path:
    directory = Path(root) / testset
    if not directory.is_dir():
        there = _listing(path.name for path in Path(root).glob("*") if path.is_dir())
        raise InputError(f"There is no directory {directory}; {root} has {there}.")
    return directory


def _pair_directory(root: str | Path, testset: str, pair: str) -> Path:
    """Return the directory of the test set, which has data of this language pair."""
    directory = _testset_directory(root, testset)
    pairs = list_language_pairs(root, testset)
    if pair not in pairs:
        raise InputError(
            f"`language_pair` must be one of those in {directory} ({_listing(pairs)}); "
            f"got {pair!r}."
        )
    return directory


def _listing(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"


def _gold_path(root: str | Path, testset: str, pair: str, gold: str | None) -> Path:
    names = _listing(list_gold_names(root, testset, pair))
    if gold is None:
        raise InputError(f"{testset} {pair} has no standard gold; name one with `gold` ({names}).")
    path = Path(root) / testset / "human-scores" / f"{pair}.{gold}{SUFFIX}"
    if not path.is_file():
        raise DataFileError(path, f"there is no such file; human scores of {pair} are {names}.")
    return path


def _documents(directory: Path, pair: str, human: ScoreFile) -> tuple[str, ...] | None:
    path = directory / "documents" / f"{pair}.docs"
    if not path.is_file():
        return None
    _, documents = read_documents(path)
    if len(documents) != human.n_segments:
        raise DataFileError(
            path,
            f"expected {human.n_segments} lines, one a segment as in {human.path}; "
            f"found {len(documents)}, the last one here.",
            line=len(documents),
        )
    return documents


def _matrix(file: ScoreFile, systems: list[str]) -> FloatArray:
    matrix = np.full((len(systems), file.n_segments), np.nan)
    for row, system in enumerate(systems):
        if system in file.scores:
            matrix[row] = file.scores[system]
    return matrix
