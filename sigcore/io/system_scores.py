"""Scores of whole systems: published in files, or means over the segments of a test set.

Beside the segment scores `<name>.seg.score` of people or of a metric there may be::

    <name>.sys.score       a line `system<TAB>score` for each system
    <name>.domain.score    a line `domain<TAB>system<TAB>score` for each domain and system

Corpus-level metrics such as BLEU have scores there that are no mean of segment scores.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sigcore.errors import DataFileError
from sigcore.evalset import EvalSet, Metric, SystemScores, mean_system_scores
from sigcore.io.arrow import float_values
from sigcore.io.mtme import SUFFIX, read_evalset
from sigcore.io.schemas import table_of
from sigcore.io.scores import quote, read_lines, read_number, read_scores
from sigcore.io.tables import read_table, write_table
from sigcore.testsets import PairFacts

__all__ = [
    "list_system_files",
    "read_system_scores",
    "read_system_scores_table",
    "write_system_scores",
]

FloatArray = npt.NDArray[np.float64]

_SUFFIXES = (".sys.score", ".domain.score")


def list_system_files(paths: Iterable[str | Path]) -> tuple[Path, ...]:
    """Return the files of system and domain scores that lie beside files of segment scores."""
    beside = (_beside(Path(path), suffix) for path in paths for suffix in _SUFFIXES)
    return tuple(path for path in beside if path.is_file())


def read_system_scores(
    root: str | Path,
    selected: EvalSet,
    *,
    facts: PairFacts,
    extra_metric_files: Sequence[str | Path] = (),
    domains: Sequence[str | None] = (None,),
    domain_of_segment: Sequence[str] | None = None,
) -> tuple[SystemScores, ...]:
    """Collect scores of systems: published ones where there are files, else means over segments.

    Parameters
    ----------
    root : str or Path
        Directory that holds the test sets.
    selected : EvalSet
        The systems and metrics wanted.
    facts, extra_metric_files
        As for `read_evalset`.
    domains : sequence of str or None
        What to collect them for: domains, and None for the whole test set.
    domain_of_segment : sequence of str, optional
        Domain of each segment of the test set.

    Returns
    -------
    tuple of SystemScores
        One for each domain.
    """
    everything = read_evalset(
        root,
        selected.testset,
        selected.language_pair,
        gold=selected.gold_name,
        extra_metric_files=extra_metric_files,
        facts=facts,
    )
    collected = []
    for domain in domains:
        means = mean_system_scores(everything, selected, domain=domain, domains=domain_of_segment)
        collected.append(_with_published(means, Path(root), everything, selected))
    return tuple(collected)


def write_system_scores(path: str | Path, collected: Sequence[SystemScores]) -> None:
    """Write scores of systems as the table `system_scores`."""
    rows = []
    for scores in collected:
        for row, system in enumerate(scores.systems):
            people = (None, scores.gold[row], scores.n_rated[row])
            metrics = zip(
                scores.metric_names, scores.scores[:, row], scores.n_segments[:, row], strict=True
            )
            rows += [
                {
                    "domain": scores.domain,
                    "system": system,
                    "metric": metric,
                    "score": None if np.isnan(score) else float(score),
                    "n_segments": int(n) or None,
                }
                for metric, score, n in (people, *metrics)
            ]
    write_table(path, table_of("system_scores", rows))


def read_system_scores_table(path: str | Path) -> dict[str | None, SystemScores]:
    """Read what `write_system_scores` wrote, by domain."""
    table, _ = read_table(path)
    domains, systems, metrics = (
        np.array(table.column(name).to_pylist(), dtype=object)
        for name in ("domain", "system", "metric")
    )
    values = float_values(table.column("score"))
    counts = np.array([n or 0 for n in table.column("n_segments").to_pylist()], dtype=np.int64)
    found = {}
    for domain in dict.fromkeys(domains):
        inside = domains == domain
        names = tuple(dict.fromkeys(systems[inside]))
        scorers = tuple(dict.fromkeys(metrics[inside]))
        square = (len(names), len(scorers))
        scores, n_segments = values[inside].reshape(square).T, counts[inside].reshape(square).T
        found[domain] = SystemScores(
            domain=domain,
            systems=names,
            metric_names=scorers[1:],
            gold=scores[0],
            scores=scores[1:],
            n_rated=n_segments[0],
            n_segments=n_segments[1:],
        )
    return found


def _with_published(
    means: SystemScores, root: Path, everything: EvalSet, selected: EvalSet
) -> SystemScores:
    """Put published scores in the place of means, where there are files."""
    gold, n_rated = means.gold.copy(), means.n_rated.copy()
    scores, n_segments = means.scores.copy(), means.n_segments.copy()
    rated = ~np.isnan(gold)
    for path, values, counts in (
        (Path(everything.gold_source), gold, n_rated),
        *(
            (_source(root, metric), scores[row], n_segments[row])
            for row, metric in enumerate(selected.metrics)
        ),
    ):
        published = _published(path, means.domain, means.systems, rated)
        if published is not None:
            values[:], counts[:] = published, 0
    return replace(means, gold=gold, scores=scores, n_rated=n_rated, n_segments=n_segments)


def _source(root: Path, metric: Metric) -> Path:
    """Return the file of a metric; stored ones are named from the root."""
    return Path(metric.source) if metric.extra else root / metric.source


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name.removesuffix(SUFFIX) + suffix)


def _published(
    segments: Path, domain: str | None, systems: Sequence[str], rated: npt.NDArray[np.bool_]
) -> FloatArray | None:
    """Read the scores of the systems from beside a file of segment scores, if they are there."""
    path = _beside(segments, _SUFFIXES[0 if domain is None else 1])
    if not path.is_file():
        return None
    if domain is None:
        file = read_scores(path, n_segments=1)
        found = {system: float(scores[0]) for system, scores in file.scores.items()}
    else:
        found = _read_domain(path, domain)
    values = np.array([found.get(system, np.nan) for system in systems])
    for row in np.flatnonzero(np.isnan(values) & rated)[:1]:
        where = "" if domain is None else f" on {domain}"
        raise DataFileError(
            path,
            f"expected a score of system {systems[row]!r}{where}. Without this file, or with "
            "`system_scores: rated`, means over segments are taken.",
        )
    return values


def _read_domain(path: Path, domain: str) -> dict[str, float]:
    """Read the lines of one domain."""
    found: dict[str, float] = {}
    for number, line in enumerate(read_lines(path), start=1):
        fields = line.split("\t") if "\t" in line else line.split()
        if len(fields) != 3:
            raise DataFileError(
                path, f"expected 'domain<TAB>system<TAB>score'; found {quote(line)}.", line=number
            )
        if fields[0] == domain:
            if fields[1] in found:
                raise DataFileError(path, f"has {fields[1]!r} on {domain} twice.", line=number)
            found[fields[1]] = read_number(fields[2], path, number)
    return found
