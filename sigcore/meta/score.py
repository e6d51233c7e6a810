"""The one result that all meta-metrics return."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field

from sigcore.errors import DegenerateDataWarning

__all__ = ["MetaScore", "undefined_score"]


@dataclass(frozen=True, slots=True)
class MetaScore:
    """Value of a meta-metric for one metric, with what it rests on.

    Attributes
    ----------
    value : float
        The score; NaN where it is undefined.
    n_used : int
        How many units entered.
    n_left_out : int
        How many units did not, because scores are missing or the statistic is undefined there.
    unit : str
        What was counted: ``"system pairs"``, ``"systems"``, ``"items"``, ``"pairs"`` of
        translations or single ``"scores"``.
    reason : str
        Why the value is undefined; empty when it is defined.
    extra : mapping of str to float
        What belongs to this meta-metric only, such as the tie threshold ``"epsilon"``.
    """

    value: float
    n_used: int
    n_left_out: int
    unit: str
    reason: str = ""
    extra: Mapping[str, float] = field(default_factory=dict)

    def to_record(self) -> dict[str, object]:
        """Return a flat row for a table."""
        return {
            "value": self.value,
            "unit": self.unit,
            "n_used": self.n_used,
            "n_left_out": self.n_left_out,
            "reason": self.reason,
            **self.extra,
        }


def undefined_score(
    title: str, unit: str, n_left_out: int, reason: str, extra: Mapping[str, float]
) -> MetaScore:
    """Warn that a meta-metric is undefined for these data and return NaN with the reason."""
    warnings.warn(f"{title} is undefined: {reason}.", DegenerateDataWarning, stacklevel=3)
    return MetaScore(float("nan"), 0, n_left_out, unit, reason, extra)
