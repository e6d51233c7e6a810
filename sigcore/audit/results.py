"""What an audit finds."""

from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["ERROR", "INFO", "SEVERITIES", "WARNING", "Audit", "Finding", "ScoreFacts"]

ERROR, WARNING, INFO = "error", "warning", "info"
SEVERITIES = (ERROR, WARNING, INFO)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that an audit found.

    Attributes
    ----------
    severity : {"error", "warning", "info"}
        An error stops an evaluation with default settings. A warning does not, but its numbers
        may not mean what they seem to. An info is good to know.
    kind : str
        What sort of thing, one word or a few joined by dashes: ``"duplicate-metric"``.
    message : str
        A sentence.
    subject : str
        Metric, system or gold that it is about; empty if it is about the language pair.
    file : str or None
        File, relative to the data directory.
    line : int or None
        Line in the file, counted from 1.
    """

    severity: str
    kind: str
    message: str
    subject: str = ""
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class ScoreFacts:
    """Facts about the scores of the gold or of one metric.

    Attributes
    ----------
    name : str
        Name of the gold, or of the metric with its reference.
    n_systems, n_segments : int
        Systems in the file and segments of each.
    n_missing : int
        Scores that are `None`.
    grid_step : float or None
        Largest number of which all scores are multiples; None if there is none worth the name.
    tie_rate : float
        Fraction of pairs of systems with equal scores, over segments; NaN with one system.
    constant : bool
        Whether all scores are equal.
    duplicate_of : str or None
        First metric by name that has the same scores.
    system_correlation, segment_correlation : float
        Pearson correlation with the gold, of system means and of scores within segments; NaN where
        it is undefined and for the gold itself.
    zero_systems : tuple of str
        Systems whose scores are all 0.
    missing_systems : tuple of str
        Systems that an official evaluation compares and that the file lacks.

    Notes
    -----
    Ties, duplicates and correlations look at the systems and segments of an official evaluation.
    """

    name: str
    n_systems: int
    n_segments: int
    n_missing: int
    grid_step: float | None
    tie_rate: float
    constant: bool
    duplicate_of: str | None
    system_correlation: float
    segment_correlation: float
    zero_systems: tuple[str, ...]
    missing_systems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Audit:
    """Result of `audit_testset`.

    Attributes
    ----------
    testset, language_pair : str
        What was audited.
    gold_name : str or None
        Name of the human scores; None if there are none.
    n_systems, n_segments : int
        Systems that an official evaluation compares, and segments with gold for all of them.
    n_metrics : int
        Metric files that are there, readable or not.
    gold : ScoreFacts or None
        Facts about the gold; None if it cannot be read.
    metrics : tuple of ScoreFacts
        Facts about each metric file that can be read, sorted by name.
    findings : tuple of Finding
        Errors first, then warnings, then the rest.
    """

    testset: str
    language_pair: str
    gold_name: str | None
    n_systems: int
    n_segments: int
    n_metrics: int
    gold: ScoreFacts | None
    metrics: tuple[ScoreFacts, ...]
    findings: tuple[Finding, ...]

    def count(self, severity: str) -> int:
        """Return the number of findings of a severity."""
        return sum(finding.severity == severity for finding in self.findings)

    def to_record(self) -> dict[str, Any]:
        """Return everything as plain values for JSON."""
        return asdict(self)
