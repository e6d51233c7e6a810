"""On which pairs of systems a metric contradicts people most."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sigcore.errors import InputError

__all__ = ["Disagreement", "disagreements"]

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two systems on which a metric and people disagree.

    Attributes
    ----------
    better, worse : str
        The systems, as people order them.
    gold_confidence, metric_confidence : float
        How sure people and metric are that `better` is better, 1 minus the one-sided p-value: near
        0 a metric is sure of the opposite.
    gold_difference, metric_difference : float
        Mean score of `better` minus that of `worse`.
    """

    better: str
    worse: str
    gold_confidence: float
    metric_confidence: float
    gold_difference: float
    metric_difference: float

    @property
    def distance(self) -> float:
        """What the pair takes off SPA, times the number of pairs."""
        return abs(self.gold_confidence - self.metric_confidence)


def disagreements(pvalues: Iterable[Row], metric: str) -> tuple[Disagreement, ...]:
    """List all pairs of systems, those on which metric and people differ most first.

    Parameters
    ----------
    pvalues : iterable of rows
        The table `pvalues`, see `pvalue_records`, with ties counted by half.
    metric : str
        Name of the metric.

    Returns
    -------
    tuple of Disagreement
        The distances of all pairs add up to (1 - SPA) times the number of pairs.
    """
    own = [row for row in pvalues if row["scorer"] == metric and not row["is_gold"]]
    if not own:
        raise InputError(f"`pvalues` must have rows of the metric {metric!r}; found none.")
    pairs = [_disagreement(row) for row in own]
    return tuple(sorted(pairs, key=lambda pair: (-pair.distance, pair.better, pair.worse)))


def _disagreement(row: Row) -> Disagreement:
    systems = row["system_a"], row["system_b"]
    turned = row["gold_difference"] < 0.0
    # With ties counted by half, the p-values of both directions add up to 1.
    gold_p, own_p = (1.0 - p if turned else p for p in (row["gold_pvalue"], row["pvalue"]))
    sign = -1.0 if turned else 1.0
    return Disagreement(
        better=systems[turned],
        worse=systems[not turned],
        gold_confidence=1.0 - gold_p,
        metric_confidence=1.0 - own_p,
        gold_difference=sign * row["gold_difference"],
        metric_difference=sign * row["difference"],
    )
