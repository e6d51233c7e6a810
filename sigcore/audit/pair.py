"""Audit one language pair."""

from pathlib import Path

import numpy as np

from sigcore.audit.checks import check_gold, check_metrics, check_systems
from sigcore.audit.facts import gold_facts, metric_facts
from sigcore.audit.reading import Material, read_material
from sigcore.audit.results import SEVERITIES, Audit, ScoreFacts
from sigcore.audit.table import ScoreTable, align
from sigcore.errors import InputError
from sigcore.io.mtme import list_language_pairs

__all__ = ["audit_testset"]


def audit_testset(root: str | Path, testset: str, language_pair: str) -> Audit:
    """Audit all files of a language pair.

    Parameters
    ----------
    root : str or Path
        Directory that holds the test sets.
    testset, language_pair : str
        What to audit.

    Returns
    -------
    Audit
        Facts and findings. A file that cannot be read is a finding, not an exception, so one
        call lists the faults of all files (of each file the first).

    Raises
    ------
    InputError
        If there is no such test set or language pair.
    """
    root = Path(root)
    pairs = list_language_pairs(root, testset)
    if language_pair not in pairs:
        raise InputError(
            f"`language_pair` must be one of {', '.join(pairs) or 'none'} in {root / testset}; "
            f"got {language_pair!r}."
        )
    material = read_material(root, testset, language_pair)
    table = align(material)
    duplicates = _duplicates(table)
    metrics = tuple(
        metric_facts(name, file, table, duplicates.get(name))
        for name, file in material.metrics.items()
    )
    findings = [
        *material.findings,
        *check_metrics(material, table, metrics),
        *check_gold(material, table),
        *check_systems(material, table),
    ]
    return Audit(
        testset=testset,
        language_pair=language_pair,
        gold_name=material.facts.gold,
        n_systems=int(table.compared.sum()),
        n_segments=int(table.complete.sum()),
        n_metrics=material.n_metrics,
        gold=_gold_facts(material, table),
        metrics=metrics,
        findings=tuple(sorted(findings, key=lambda one: SEVERITIES.index(one.severity))),
    )


def _duplicates(table: ScoreTable) -> dict[str, str]:
    """Map each metric with the scores of an earlier one to that one."""
    first: dict[bytes, str] = {}
    found = {}
    for name, scores in table.scores.items():
        used = table.used(scores) + 0.0  # -0.0 becomes 0.0
        if used.size == 0 or np.isnan(used).all():
            continue
        other = first.setdefault(used.tobytes(), name)
        if other != name:
            found[name] = other
    return found


def _gold_facts(material: Material, table: ScoreTable) -> ScoreFacts | None:
    if material.gold is None or material.facts.gold is None:
        return None
    return gold_facts(material.facts.gold, material.gold, table)
