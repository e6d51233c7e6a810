"""The human ceiling: how well one set of ratings predicts another of the same translations."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.meta.accuracy import segment_accuracy
from sigcore.meta.spa import soft_pairwise_accuracy
from sigcore.permutation.differences import Blocks
from sigcore.validation import as_choice, as_matrices

__all__ = ["HumanCeiling", "human_ceiling"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class HumanCeiling:
    """Result of `human_ceiling`.

    Attributes
    ----------
    spa, pa : float
        Soft and plain pairwise accuracy of one set of ratings against the other; both are the same
        in either direction.
    n_agree, n_pairs : int
        Pairs of systems that both order alike, and all pairs.
    n_systems, n_systems_left_out : int
        Systems rated in both sets on some segment, and the others.
    n_segments, n_segments_left_out : int
        Segments used for some pair of systems, and the others.
    missing : {"listwise", "pairwise"}
        Which segments were used.
    """

    spa: float
    pa: float
    n_agree: int
    n_pairs: int
    n_systems: int
    n_systems_left_out: int
    n_segments: int
    n_segments_left_out: int
    missing: str

    def to_record(self) -> dict[str, object]:
        """Return a flat row for a table."""
        return {name: getattr(self, name) for name in self.__slots__}


def human_ceiling(
    gold_1: npt.ArrayLike,
    gold_2: npt.ArrayLike,
    *,
    missing: str = "listwise",
    blocks: Blocks | None = None,
) -> HumanCeiling:
    """Score one set of ratings against another as if it were a metric.

    Parameters
    ----------
    gold_1, gold_2 : array_like, shape (systems, segments)
        Two sets of ratings of the same translations, larger is better; NaN marks a missing one.
        Translations that lack one of the two ratings are left out of both sets.
    missing : {"listwise", "pairwise"}
        Use the segments rated twice for all systems, or for each pair of systems those rated twice
        for both.
    blocks : sequence, optional
        Document of each segment; the segments of a document swap together.

    Returns
    -------
    HumanCeiling

    Notes
    -----
    A metric that scores higher against one set agrees with it better than a second group of people
    does. That does not make it better than people: the gold has errors of its own, and a metric
    may share them. p-values are exact or inverted numerically, ties count by half.

    Examples
    --------
    >>> human_ceiling([[1, 2, 3], [2, 3, 4]], [[1, 2, 3], [2, 3, 4]]).spa
    1.0
    """
    as_choice(missing, "missing", ("listwise", "pairwise"))
    first, second, n_systems = _validate(gold_1, gold_2)
    n_segments = first.shape[1]
    if missing == "listwise" and np.isnan(first).any(axis=0).all():
        raise InputError("`gold_1` and `gold_2` must share a segment rated for all systems.")
    spa = soft_pairwise_accuracy(first, second, missing=missing, blocks=blocks)
    accuracy = segment_accuracy(first, second, missing=missing)
    used = spa.gold.n_segments_used
    return HumanCeiling(
        spa=spa.value,
        pa=accuracy.value,
        n_agree=accuracy.n_agree,
        n_pairs=accuracy.n_pairs,
        n_systems=len(first),
        n_systems_left_out=n_systems - len(first),
        n_segments=used,
        n_segments_left_out=n_segments - used,
        missing=missing,
    )


def _validate(gold_1: npt.ArrayLike, gold_2: npt.ArrayLike) -> tuple[FloatArray, FloatArray, int]:
    """Return both sets with the same gaps, without systems not rated in both, and all systems."""
    first, second = as_matrices(gold_1=gold_1, gold_2=gold_2)
    gaps = np.isnan(first) | np.isnan(second)
    rated = ~gaps.all(axis=1)
    if rated.sum() < 2:
        raise InputError(
            "`gold_1` and `gold_2` must rate at least 2 systems in common; "
            f"got {int(rated.sum())} of {len(first)}."
        )
    return (
        np.where(gaps, np.nan, first)[rated],
        np.where(gaps, np.nan, second)[rated],
        len(first),
    )
