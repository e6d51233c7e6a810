"""What is odd about scores that could be read. Each check gives findings."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from sigcore.audit.reading import Material
from sigcore.audit.results import ERROR, INFO, WARNING, Finding, ScoreFacts
from sigcore.audit.table import ScoreTable, references_of
from sigcore.io.references import reference_names
from sigcore.io.scores import find_line
from sigcore.wording import counted, listed

__all__ = ["check_gold", "check_metrics", "check_systems"]

FloatArray = npt.NDArray[np.float64]


def check_metrics(
    material: Material, table: ScoreTable, facts: Sequence[ScoreFacts]
) -> Iterator[Finding]:
    """Look at each metric: gaps, zeros, constant, duplicate or reversed scores."""
    standard = set(material.facts.reference.split("."))
    for fact in facts:
        file = material.relative(material.metrics[fact.name].path)
        # An official evaluation does not use metrics with another reference.
        fatal = ERROR if standard.issuperset(references_of(fact.name)) else INFO
        yield from _missing_scores(material, table, fact, fatal)
        for severity, kind, message in _metric_faults(fact, table, fatal):
            yield Finding(severity, kind, message, fact.name, file)


def check_gold(material: Material, table: ScoreTable) -> Iterator[Finding]:
    """Look at which segments and systems have gold."""
    if material.gold is None:
        return
    name, file = material.facts.gold or "", material.relative(material.gold.path)
    rated = ~np.isnan(table.gold)
    if table.compared.sum() < 2:
        names = listed(table.names(table.compared)) or "none"
        message = f"Fewer than two systems can be compared: {names}."
        yield Finding(ERROR, "too-few-systems", message, name, file)
        return
    n_rated = rated[table.compared].sum(axis=0)
    n_none, n_some = int((n_rated == 0).sum()), int(((n_rated > 0) & ~table.complete).sum())
    if not table.complete.any():
        message = "No segment has gold for every system that is compared."
        yield Finding(ERROR, "no-complete-segment", message, name, file)
    elif not _tells_apart(table.used(table.gold)):
        message = "All systems have the same gold on every segment."
        yield Finding(ERROR, "constant-gold", message, name, file)
    if n_none:
        message = f"{n_none} of {rated.shape[1]} segments have no gold."
        yield Finding(INFO, "segments-without-gold", message, name, file)
    if n_some:
        counts = rated[table.compared].sum(axis=1)
        message = (
            f"{counted(n_some, 'segment')} {'has' if n_some == 1 else 'have'} gold for some of the "
            f"systems only; systems have {counts.min()} to {counts.max()} rated segments."
        )
        yield Finding(WARNING, "uneven-gold", message, name, file)


def check_systems(material: Material, table: ScoreTable) -> Iterator[Finding]:
    """Look at systems: unrated, unknown to the gold, or twice under two names."""
    if material.gold is not None:
        yield from _unrated_systems(material, table)
        yield from _unknown_systems(material)
        for first, second in _equal_rows(table, [table.gold]):
            message = f"{first} and {second} have the same gold on every segment."
            yield Finding(WARNING, "duplicate-system", message, second)
    if table.scores:
        for first, second in _equal_rows(table, list(table.scores.values())):
            message = f"{first} and {second} have the same scores in every metric."
            yield Finding(WARNING, "duplicate-system", message, second)


def _missing_scores(
    material: Material, table: ScoreTable, fact: ScoreFacts, fatal: str
) -> Iterator[Finding]:
    """Count the scores that a metric lacks, of systems that its file has, and name the first."""
    source = material.metrics[fact.name]
    name, file = fact.name, material.relative(source.path)
    gaps = np.isnan(table.scores[name]) & np.outer(table.compared, table.complete)
    gaps[[system not in source.scores for system in table.systems]] = False
    if gaps.any():
        row, segment = (int(index[0]) for index in gaps.nonzero())
        system = table.systems[row]
        n_gaps = int(gaps.sum())
        lack = "score is" if n_gaps == 1 else "scores are"
        message = f"{n_gaps} {lack} missing where there is gold; here is the first, of {system}."
        line = find_line(source.path, system, segment)
        yield Finding(fatal, "missing-scores", message, name, file, line)
    elif fact.n_missing:
        message = f"{fact.n_missing} scores are missing, none of them where it matters."
        yield Finding(INFO, "missing-scores", message, name, file)


def _metric_faults(
    fact: ScoreFacts, table: ScoreTable, fatal: str
) -> Iterator[tuple[str, str, str]]:
    if fact.missing_systems:
        yield fatal, "missing-systems", f"There are no scores of {listed(fact.missing_systems)}."
    if fact.constant:
        yield WARNING, "constant-metric", "All scores are equal."
        return
    if fact.zero_systems:
        message = f"All scores of {listed(fact.zero_systems)} are 0: filled in for missing ones?"
        yield WARNING, "zero-padded-systems", message
    if fact.duplicate_of is not None:
        yield WARNING, "duplicate-metric", f"The scores are those of {fact.duplicate_of}."
    if _is_reversed(fact, table.used(table.gold).size):
        message = (
            f"Ranks against the gold: correlation {fact.system_correlation:.2f} between systems, "
            f"{fact.segment_correlation:.2f} within segments. Higher must be better."
        )
        yield WARNING, "reversed-metric", message


def _tells_apart(scores: FloatArray) -> bool:
    """Say whether any two systems differ on any segment; scores have no gap."""
    return bool((scores != scores[0]).any())


def _is_reversed(fact: ScoreFacts, n_cells: int) -> bool:
    # Three standard errors of a zero correlation keep random metrics out.
    clear = fact.segment_correlation < -3.0 / np.sqrt(max(n_cells, 1))
    return bool(clear and fact.system_correlation < 0.0)


def _unrated_systems(material: Material, table: ScoreTable) -> Iterator[Finding]:
    assert material.gold is not None
    names = [name for name, row in material.gold.scores.items() if np.isnan(row).all()]
    if names:
        message = f"Systems without any gold: {listed(sorted(names))}."
        file = material.relative(material.gold.path)
        yield Finding(INFO, "unrated-systems", message, material.facts.gold or "", file)


def _unknown_systems(material: Material) -> Iterator[Finding]:
    """Note systems that the gold does not have; in one file only they may be misspelt."""
    assert material.gold is not None
    known = {*material.gold.systems, *material.facts.references}
    files: dict[str, list[str]] = {}
    for name, file in material.metrics.items():
        for system in file.systems:
            if system not in known:
                files.setdefault(system, []).append(name)
    # An evaluation takes no outliers, and people need not have rated a reference.
    expected = set(material.facts.outliers) | _references(material, files)
    for system, metrics in sorted(files.items()):
        severity = INFO if system in expected else ERROR
        n_metrics = len(material.metrics)
        if len(metrics) == 1 and n_metrics > 1:
            message = f"Only {metrics[0]} has a system {system}; is the name right?"
            path = material.relative(material.metrics[metrics[0]].path)
            yield Finding(severity, "unknown-system", message, system, path)
        else:
            share = f"{len(metrics)} of {n_metrics} metric files"
            message = f"System {system} is in {share}, but not in the gold."
            path = material.relative(material.gold.path)
            yield Finding(severity, "unknown-system", message, system, path)


def _references(material: Material, systems: Iterable[str]) -> set[str]:
    return reference_names(
        material.directory,
        material.facts.language_pair,
        systems=systems,
        used=[name.rpartition("-")[2] for name in material.metrics],
        facts=material.facts,
    )


def _equal_rows(table: ScoreTable, matrices: list[FloatArray]) -> Iterator[tuple[str, str]]:
    """Give pairs of systems with the same scores in all matrices, each second one once."""
    chosen = np.flatnonzero(table.compared)
    stack = np.concatenate([matrix[np.ix_(chosen, table.complete)] for matrix in matrices], axis=1)
    first: dict[bytes, str] = {}
    for row, values in zip(chosen, stack, strict=True):
        if np.unique(values[~np.isnan(values)]).size < 2:
            continue  # nothing to tell systems apart by
        name = table.systems[row]
        other = first.setdefault((values + 0.0).tobytes(), name)
        if other != name:
            yield other, name
