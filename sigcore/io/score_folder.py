"""Read a plain folder of score files: no test set, no facts, only names and scores.

Each file has lines `system<TAB>score` as described in `sigcore.io.scores`; the name of a metric is
that of its file without the ending.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sigcore.errors import DataFileError
from sigcore.evalset import EvalSet, Metric
from sigcore.io.scores import ScoreFile, read_scores
from sigcore.testsets import PairFacts

__all__ = ["align_scores", "folder_facts", "list_score_files", "read_score_folder", "score_name"]

FloatArray = npt.NDArray[np.float64]

_ENDINGS = (".seg.score", ".score", ".tsv", ".txt")
_SYSTEM_LEVEL = ".sys.score"


def score_name(path: str | Path) -> str:
    """Return the name of a score file without its ending.

    Examples
    --------
    >>> score_name("runs/my-metric.v2.seg.score")
    'my-metric.v2'
    """
    name = Path(path).name
    ending = next((ending for ending in _ENDINGS if name.endswith(ending)), "")
    return name.removesuffix(ending)


def list_score_files(folder: str | Path) -> list[Path]:
    """Return the score files of a folder, sorted by name: *.seg.score, *.score, *.tsv, *.txt.

    Hidden files and system-level scores, *.sys.score, are passed over.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise DataFileError(folder, "there is no such folder.")
    files = [
        path
        for path in sorted(folder.iterdir())
        if path.name.endswith(_ENDINGS)
        and not path.name.endswith(_SYSTEM_LEVEL)
        and not path.name.startswith(".")
    ]
    if not files:
        raise DataFileError(folder, f"there is no score file in it ({', '.join(_ENDINGS)}).")
    return files


def read_score_folder(
    gold: str | Path, folder: str | Path, *, extra_metric_files: Sequence[str | Path] = ()
) -> EvalSet:
    """Read human scores, a folder of metrics and further metrics of the user.

    Parameters
    ----------
    gold : str or Path
        File of human scores.
    folder : str or Path
        Folder of metric scores. A file that is the gold, or among the extra ones, is passed over.
    extra_metric_files : sequence of str or Path
        The user's own score files.

    Returns
    -------
    EvalSet
        All systems and metrics. A system that a file does not have is NaN there. `testset` is
        ``"folder"`` and `language_pair` the name of the folder, for want of better names.
    """
    gold = Path(gold)
    human = read_scores(gold)
    own = [Path(path) for path in extra_metric_files]
    known = {path.resolve() for path in (gold, *own)}
    stored = [path for path in list_score_files(folder) if path.resolve() not in known]
    found: dict[str, tuple[Metric, ScoreFile]] = {}
    for path in (*stored, *own):
        name = score_name(path)
        if name in found:
            raise DataFileError(path, f"is a second file of {name}, beside {found[name][1].path}.")
        metric = Metric(name=name, base=name, reference="", extra=path in own, source=str(path))
        scores = read_scores(path, n_segments=human.n_segments, as_in=gold)
        found[name] = metric, scores
    ordered = [found[name] for name in sorted(found)]
    systems = sorted({name for file in (human, *(f for _, f in ordered)) for name in file.systems})
    return EvalSet(
        testset="folder",
        language_pair=Path(folder).resolve().name,
        gold_name=score_name(gold),
        systems=tuple(systems),
        human_systems=(),
        segments=np.arange(human.n_segments, dtype=np.int64),
        documents=None,
        gold=align_scores(human, systems),
        metrics=tuple(metric for metric, _ in ordered),
        scores=np.stack([align_scores(file, systems) for _, file in ordered]),
        gold_source=str(gold),
        unlisted=tuple(name for name in systems if name not in human.scores),
    )


def align_scores(file: ScoreFile, systems: Sequence[str]) -> FloatArray:
    """Arrange scores as systems x segments; a system that the file does not have is NaN."""
    missing = np.full(file.n_segments, np.nan)
    return np.stack([file.scores.get(system, missing) for system in systems])


def folder_facts(evalset: EvalSet) -> PairFacts:
    """Return facts that leave everything in: no outliers, no references, no primary metrics."""
    return PairFacts(
        testset=evalset.testset,
        language_pair=evalset.language_pair,
        reference="",
        gold=evalset.gold_name,
        outliers=(),
        human_systems=True,
        references=("",),
        primary_metrics=(),
        baseline_metrics=(),
    )
