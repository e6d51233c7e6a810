"""Files of metric scores, those of a test set and a user's own, and what their names say."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from sigcore.errors import DataFileError
from sigcore.evalset import Metric
from sigcore.testsets import PairFacts

__all__ = ["SUFFIX", "find_metrics", "metric_id", "score_files"]

SUFFIX = ".seg.score"


def find_metrics(
    root: str | Path,
    testset: str,
    language_pair: str,
    *,
    extra: Sequence[str | Path] = (),
    facts: PairFacts,
) -> list[tuple[Metric, Path]]:
    """Find the metrics of a language pair, each with its file.

    Parameters
    ----------
    root, testset, language_pair
        Directory that holds the test sets, and what to look for.
    extra : sequence of str or Path
        A user's own score files, or directories of them.
    facts : PairFacts
        Facts about the language pair.
    """
    folder = Path(root) / testset / "metric-scores"
    found: dict[str, tuple[Metric, Path]] = {}
    official = [(path, False) for path in score_files(folder / language_pair)]
    references = {*facts.references, "src", "all"}
    for path, _ in official:
        references |= set(metric_id(path)[1].split("."))
    for path, own in [*official, *((path, True) for path in _expand(extra))]:
        # Relative to the root: the same name wherever the data are kept.
        source = path if own else path.relative_to(root)
        metric = _metric(path, source, own, references, facts)
        if metric.identifier in found:
            other = found[metric.identifier][1]
            raise DataFileError(path, f"is a second file of {metric.identifier}, beside {other}.")
        found[metric.identifier] = (metric, path)
    if not found:
        raise DataFileError(folder / language_pair, f"there is no metric file, *{SUFFIX}.")
    taken = _official_names(folder)
    return [(_apart_from(taken, metric), path) for metric, path in found.values()]


def metric_id(path: str | Path) -> tuple[str, str]:
    """Split the name of a metric file at the last dash into base name and reference.

    Examples
    --------
    >>> metric_id("UniTE-src-src.seg.score")
    ('UniTE-src', 'src')
    >>> metric_id("metametrics_mt_mqm_qe_kendall.seg.s-src.seg.score")
    ('metametrics_mt_mqm_qe_kendall.seg.s', 'src')
    """
    stem = _stem(Path(path))
    base, dash, reference = stem.rpartition("-")
    if not dash or not base or not reference:
        raise DataFileError(path, f"expected a name like METRIC-REFERENCE{SUFFIX}.")
    return base, reference


def score_files(directory: Path) -> list[Path]:
    """Return the visible score files of a directory, sorted by name."""
    files = directory.glob(f"*{SUFFIX}")
    return sorted(path for path in files if not path.name.startswith("."))


def _official_names(directory: Path) -> set[str]:
    """Return the names of the stored metrics of all language pairs, with and without reference."""
    folders = (path for path in directory.glob("*") if path.is_dir())
    stems = {_stem(path) for folder in folders for path in score_files(folder)}
    return stems | {stem.rpartition("-")[0] for stem in stems}


def _apart_from(taken: set[str], metric: Metric) -> Metric:
    """Mark a user's metric that is called like a stored one.

    Of any language pair: where results of several are put together, metrics go by their names.
    """
    if not metric.extra or not taken & {metric.base, metric.identifier}:
        return metric
    base = f"{metric.base} (own)"
    return replace(metric, name=base, base=base)


def _expand(paths: Sequence[str | Path]) -> list[Path]:
    """Replace each directory by the score files in it."""
    files: list[Path] = []
    for path in map(Path, paths):
        if not path.is_dir():
            files.append(path)
            continue
        inside = score_files(path)
        if not inside:
            raise DataFileError(path, f"there is no score file, *{SUFFIX}, in this directory.")
        files.extend(inside)
    return files


def _metric(path: Path, source: Path, own: bool, references: set[str], facts: PairFacts) -> Metric:
    base, _, reference = _stem(path).rpartition("-")
    # The name of a user's file need not end in a reference.
    if own and not (base and set(reference.split(".")) <= references):
        base, reference = _stem(path), ""
    return Metric(
        name=base,
        base=base,
        reference=reference,
        primary=base in facts.primary_metrics,
        baseline=base in facts.baseline_metrics,
        extra=own,
        source=source.as_posix(),
    )


def _stem(path: Path) -> str:
    """Return the name of a score file without its suffix."""
    for suffix in (SUFFIX, ".score", ".tsv", ".txt"):
        if path.name.endswith(suffix):
            return path.name.removesuffix(suffix)
    return path.name
