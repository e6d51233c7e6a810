"""What an evaluation set holds: systems, segments, gold and metric scores."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.validation import as_matrix

__all__ = ["EvalSet", "Metric", "unique_labels"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric of an evaluation set.

    Attributes
    ----------
    name : str
        Label that is unique in the set: the base name where that is enough, else the identifier.
    base : str
        Base name, for example ``"BLEU"``.
    reference : str
        What the metric compares with: ``"refA"``, several as ``"refA.refB"``, ``"all"``, or
        ``"src"`` for the source only; empty if a user's file does not say.
    primary, baseline : bool
        Whether the official task counts it as a primary submission or as a baseline.
    extra : bool
        Whether a user added it to the official ones.
    source : str
        Name of the file that the scores come from.
    """

    name: str
    base: str
    reference: str
    primary: bool = False
    baseline: bool = False
    extra: bool = False
    source: str = ""

    @property
    def identifier(self) -> str:
        """Base name and reference, as in the file name."""
        return f"{self.base}-{self.reference}" if self.reference else self.base

    @property
    def reference_free(self) -> bool:
        """Whether the metric uses the source only."""
        return self.reference == "src"


@dataclass(frozen=True, slots=True, eq=False)
class EvalSet:
    """Scores of systems on segments, from humans and from metrics.

    Attributes
    ----------
    testset, language_pair, gold_name : str
        Where the scores come from.
    systems : tuple of str
        Names of the systems, sorted.
    human_systems : tuple of str
        Those of `systems` that are human translations.
    segments : ndarray of int64
        Position of each segment in the test set, counted from 0.
    documents : tuple of str or None
        Document of each segment, if known.
    gold : ndarray, systems x segments
        Human scores; NaN where there is none.
    metrics : tuple of Metric
        The metrics, sorted by name.
    scores : ndarray, metrics x systems x segments
        Metric scores; NaN where there is none.
    gold_source : str
        The file that the gold comes from; empty once a selection was made.
    unlisted : tuple of str
        Systems that this file does not name at all, not even without scores.
    """

    testset: str
    language_pair: str
    gold_name: str
    systems: tuple[str, ...]
    human_systems: tuple[str, ...]
    segments: npt.NDArray[np.int64]
    documents: tuple[str, ...] | None
    gold: FloatArray
    metrics: tuple[Metric, ...]
    scores: FloatArray
    gold_source: str = ""
    unlisted: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together."""
        names = tuple(metric.name for metric in self.metrics)
        shape = (len(self.metrics), len(self.systems), len(self.segments))
        if as_matrix(self.gold, "gold").shape != shape[1:]:
            raise InputError(f"`gold` must have shape {shape[1:]}; got {self.gold.shape}.")
        if self.scores.shape != shape:
            raise InputError(f"`scores` must have shape {shape}; got {self.scores.shape}.")
        if self.documents is not None and len(self.documents) != shape[2]:
            raise InputError(
                f"`documents` must name one document for each of {shape[2]} segments; "
                f"got {len(self.documents)}."
            )
        for name, values in (("systems", self.systems), ("metrics", names)):
            if list(values) != sorted(set(values)):
                raise InputError(f"`{name}` must be sorted by name, each once; got {values}.")
        if not set(self.human_systems) <= set(self.systems):
            raise InputError(f"`human_systems` must be systems; got {self.human_systems}.")

    @property
    def title(self) -> str:
        """Test set and language pair."""
        return f"{self.testset} {self.language_pair}"

    @property
    def n_systems(self) -> int:
        """Number of systems."""
        return len(self.systems)

    @property
    def n_segments(self) -> int:
        """Number of segments."""
        return len(self.segments)

    @property
    def n_metrics(self) -> int:
        """Number of metrics."""
        return len(self.metrics)

    @property
    def metric_names(self) -> tuple[str, ...]:
        """Labels of the metrics, in order."""
        return tuple(metric.name for metric in self.metrics)

    @property
    def mask(self) -> npt.NDArray[np.bool_]:
        """Which cells have gold, systems x segments."""
        return np.logical_not(np.isnan(self.gold))

    def metric_index(self, name: str) -> int:
        """Return the position of the metric with this label."""
        try:
            return self.metric_names.index(name)
        except ValueError:
            known = ", ".join(self.metric_names)
            raise InputError(f"`metric` must be one of {known}; got {name!r}.") from None


def unique_labels(metrics: Iterable[Metric]) -> list[Metric]:
    """Give each metric its base name where that is unique, else its identifier; sort by name."""
    metrics = list(metrics)
    # A base name such as "X-refA" may be the identifier of another metric.
    taken = Counter(metric.base for metric in metrics)
    taken += Counter(metric.identifier for metric in metrics if metric.reference)
    named = [
        replace(metric, name=metric.base if taken[metric.base] == 1 else metric.identifier)
        for metric in metrics
    ]
    return sorted(named, key=lambda metric: metric.name)
