"""What to hold metrics against: a second set of human ratings, and corpus-level scores.

Metrics are ranked by how well they follow people. How well do other people? Ratings of a second
group are scored as if they were a metric, on the translations that both groups rated, and every
metric is scored on the same translations. Corpus-level scores, which are no means of segment scores
and so cannot take part in PERM-INPUTS, are scored on all selected translations.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.evalset import EvalSet
from sigcore.meta.accuracy import segment_accuracy
from sigcore.meta.corpus import corpus_agreement
from sigcore.meta.corpus_scores import CORPUS_SCORES, text_statistics
from sigcore.meta.spa import soft_pairwise_accuracy
from sigcore.meta.tie_calibration import acc_eq

__all__ = ["Yardstick", "score_corpus_metrics", "score_ratings"]

FloatArray = npt.NDArray[np.float64]

_CORPUS_TITLES = {"bleu": "BLEU (corpus)", "chrf": "chrF (corpus)"}


@dataclass(frozen=True, slots=True)
class Yardstick:
    """A line to compare others with.

    Attributes
    ----------
    ratings : str or None
        Further ratings on whose translations it was scored; None for all selected translations.
    scorer : str
        Name of the ratings, of the metric or of the corpus-level score.
    kind : {"people", "metric", "corpus"}
        Which of these it is.
    spa, pa : float
        Soft and plain pairwise accuracy.
    acc_eq : float or None
        Pairwise accuracy of segments with tie calibration; None for corpus-level scores.
    n_agreements, n_pairs : int
        Pairs of systems ordered as by the gold, and all pairs.
    n_systems, n_segments : int
        What it was scored on.
    n_systems_left_out, n_segments_left_out : int
        Selected systems without the further ratings, and selected segments that lack one of the
        others' ratings, gold or metric scores; for corpus-level scores, segments without gold.
    """

    ratings: str | None
    scorer: str
    kind: str
    spa: float
    pa: float
    acc_eq: float | None
    n_agreements: int
    n_pairs: int
    n_systems: int
    n_segments: int
    n_systems_left_out: int = 0
    n_segments_left_out: int = 0

    def to_record(self) -> dict[str, object]:
        """Return a flat row for a table."""
        return asdict(self)


def score_ratings(evalset: EvalSet, name: str, ratings: npt.ArrayLike) -> list[Yardstick]:
    """Score further ratings of the same translations, and every metric where these are.

    Parameters
    ----------
    evalset : EvalSet
        The selected systems, segments and metrics.
    name : str
        Name of the ratings.
    ratings : array_like, shape (systems, segments)
        Larger is better; NaN marks a missing one. Systems without any are left out, then segments
        that lack one of the other systems, a gold score or a metric's score.

    Returns
    -------
    list of Yardstick
        People first, then the metrics in the order of the set.
    """
    second = np.asarray(ratings, dtype=np.float64)
    if second.shape != evalset.gold.shape:
        raise InputError(
            f"`ratings` must have shape {evalset.gold.shape}, systems x segments as in the set; "
            f"got {second.shape}."
        )
    rows = np.flatnonzero((~np.isnan(second)).any(axis=1))
    scores = np.concatenate([second[None], evalset.gold[None], evalset.scores])[:, rows]
    columns = np.flatnonzero(~np.isnan(scores).any(axis=(0, 1)))
    if len(rows) < 2 or not columns.size:
        raise InputError(
            f"{evalset.title}: no segment has both {evalset.gold_name} and {name} ratings, and all "
            "metrics, for the same two systems or more."
        )
    people, gold, *metrics = scores[:, :, columns]
    scorers = [(name, "people", people)]
    scorers += [(n, "metric", each) for n, each in zip(evalset.metric_names, metrics, strict=True)]
    return [
        _score(gold, scorer, ratings=name, name=label, kind=kind, evalset=evalset)
        for label, kind, scorer in scorers
    ]


def score_corpus_metrics(
    evalset: EvalSet,
    outputs: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    *,
    names: Sequence[str] = ("bleu", "chrf"),
    **options: Any,
) -> list[Yardstick]:
    """Score corpus-level metrics from texts.

    Parameters
    ----------
    evalset : EvalSet
        The selected systems and segments; segments that lack a gold score are left out. The target
        language of its language pair chooses the tokeniser of BLEU.
    outputs : sequence of texts
        What each system wrote, segment by segment.
    references : sequence of texts
        One reference translation or more.
    names : sequence of {"bleu", "chrf"}
        What to compute.
    **options
        For `corpus_pvalues`: ``n_resamples`` and ``seed``, for example.
    """
    columns = np.flatnonzero(~np.isnan(evalset.gold).any(axis=0))
    target = evalset.language_pair.split("-")[-1].split("_")[0]
    found = []
    for name in names:
        counted = text_statistics(outputs, references, metric=name, target_language=target)
        agreement = corpus_agreement(
            evalset.gold[:, columns], counted[:, columns], CORPUS_SCORES[name], **options
        )
        found.append(
            Yardstick(
                ratings=None,
                scorer=_CORPUS_TITLES[name],
                kind="corpus",
                spa=agreement.spa,
                pa=agreement.pa,
                acc_eq=None,
                n_agreements=agreement.n_agree,
                n_pairs=agreement.n_pairs,
                n_systems=evalset.n_systems,
                n_segments=len(columns),
                n_segments_left_out=evalset.n_segments - len(columns),
            )
        )
    return found


def _score(
    gold: FloatArray, scorer: FloatArray, *, ratings: str, name: str, kind: str, evalset: EvalSet
) -> Yardstick:
    accuracy = segment_accuracy(gold, scorer)
    return Yardstick(
        ratings=ratings,
        scorer=name,
        kind=kind,
        spa=soft_pairwise_accuracy(gold, scorer).value,
        pa=accuracy.value,
        acc_eq=acc_eq(gold, scorer).value,
        n_agreements=accuracy.n_agree,
        n_pairs=accuracy.n_pairs,
        n_systems=len(gold),
        n_segments=gold.shape[1],
        n_systems_left_out=evalset.n_systems - len(gold),
        n_segments_left_out=evalset.n_segments - gold.shape[1],
    )
