"""All pairs of systems by a corpus-level score of their texts: BLEU, chrF or TER.

Such a score is no mean over segments, so the tests of `compare_pairs` do not apply. The paired
permutation test swaps the statistics of two systems segment by segment.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sigcore.comparison.multiplicity import ADJUSTMENTS, adjust_pvalues
from sigcore.comparison.pair_tests import ordered_pairs
from sigcore.comparison.pairs import CLUSTER_RULES, PairsResult
from sigcore.comparison.results import ALTERNATIVES
from sigcore.errors import InputError
from sigcore.meta.clusters import all_pairs_clusters, greedy_clusters
from sigcore.meta.corpus import CorpusScore, corpus_pvalues
from sigcore.meta.corpus_scores import CORPUS_SCORES, text_statistics
from sigcore.validation import FloatArray, as_choice, as_probability

__all__ = ["TEXT_METRICS", "compare_texts", "negative_ter"]

TEXT_METRICS = (*CORPUS_SCORES, "ter")


def compare_texts(
    outputs: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    names: Sequence[str],
    *,
    metric: str = "bleu",
    target_language: str = "",
    alternative: str = "two-sided",
    correction: str = "holm",
    alpha: float = 0.05,
    cluster_rule: str = "all-pairs",
    n_resamples: int = 9999,
    seed: int = 0,
) -> PairsResult:
    """Test every pair of systems by a corpus-level score.

    Parameters
    ----------
    outputs : sequence of texts
        For each system a sequence of segments.
    references : sequence of texts
        One or more reference translations, each a sequence of segments.
    names : sequence of str
        Names of the systems.
    metric : {"bleu", "chrf", "ter"}
        The score, as sacrebleu computes it. TER counts errors and has its sign turned.
    target_language : str
        For the tokeniser of BLEU.
    alternative, correction, alpha, cluster_rule
        As for `compare_pairs`; no maxT.
    n_resamples, seed : int
        Random swaps and their seed; all pairs use the same swaps.

    Returns
    -------
    PairsResult
        Its means are corpus-level scores.

    Notes
    -----
    A swap as extreme as the observed difference counts, and so does the observed assignment itself:
    (count + 1) / (n + 1), two-sided twice the smaller side. Identical systems have p = 1 (sacreBLEU
    counts larger differences only, and so finds identical systems significant).

    References
    ----------
    Riezler and Maxwell (2005), On Some Pitfalls in Automatic Evaluation and Significance Testing
    for MT.
    """
    as_choice(metric, "metric", TEXT_METRICS)
    as_choice(alternative, "alternative", ALTERNATIVES)
    as_choice(correction, "correction", ADJUSTMENTS)
    as_choice(cluster_rule, "cluster_rule", CLUSTER_RULES)
    as_probability(alpha, "alpha")
    if len(outputs) < 2 or len(dict.fromkeys(names)) != len(outputs):
        raise InputError(
            f"`names` must be different names of two or more systems; got {len(names)} names for "
            f"{len(outputs)} texts."
        )
    statistics, score = _statistics(outputs, references, metric, target_language)
    found = corpus_pvalues(
        statistics, score, ties="ge", estimator="plus-one", n_resamples=n_resamples, seed=seed
    )
    order = sorted(range(len(names)), key=lambda index: (-found.scores[index], names[index]))
    labels, scores = tuple(names[index] for index in order), found.scores[order]
    differences = scores[:, None] - scores[None, :]
    directions = np.sign(differences).astype(np.int64)
    pvalues = _choose(found.pvalues[np.ix_(order, order)], alternative)
    adjusted = _adjust(pvalues, alternative, correction)
    better = np.where(directions > 0, adjusted.T if alternative == "less" else adjusted, 1.0)
    rule = all_pairs_clusters if cluster_rule == "all-pairs" else greedy_clusters
    return PairsResult(
        names=labels,
        means=scores,
        differences=differences,
        directions=directions,
        pvalues=pvalues,
        adjusted=adjusted,
        n_items=np.full(differences.shape, found.n_segments, dtype=np.int64),
        clusters=rule(scores, better, names=labels, alpha=alpha),
        test=f"permutation of {metric.upper() if metric != 'chrf' else 'chrF'}",
        alternative=alternative,
        correction=correction,
        missing="refuse",
        alpha=alpha,
        n_dropped=0,
        n_resamples=n_resamples,
        seed=seed,
        reasons=(),
    )


def negative_ter(sums: npt.ArrayLike) -> FloatArray:
    """Compute minus TER, so that larger is better, from summed statistics.

    Parameters
    ----------
    sums : array_like, shape (..., 2)
        Edits, and mean length of the references.

    Returns
    -------
    ndarray, shape (...)
        Minus 100 edits for each word of the reference. Without words it is 0 if there are no edits
        either, else -100, as in sacrebleu.
    """
    values = np.asarray(sums, dtype=np.float64)
    if values.shape[-1:] != (2,):
        raise InputError(f"`sums` must have shape (..., 2); got {values.shape}.")
    edits, length = values[..., 0], values[..., 1]
    rate = np.divide(edits, length, out=np.where(edits > 0.0, 1.0, 0.0), where=length > 0.0)
    return np.asarray(-100.0 * rate)


def _statistics(
    outputs: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    metric: str,
    target_language: str,
) -> tuple[FloatArray, CorpusScore]:
    if metric != "ter":
        counts = text_statistics(
            outputs, references, metric=metric, target_language=target_language
        )
        return counts, CORPUS_SCORES[metric]
    lengths = [len(text) for text in (*outputs, *references)]
    if not references or min(lengths) != max(lengths) or not lengths[0]:
        raise InputError(
            "`outputs` and `references` must all have the same number of segments; "
            f"got {min(lengths)} to {max(lengths)}."
        )
    try:
        from sacrebleu.metrics.ter import TER
    except ImportError as error:
        raise InputError(
            "TER needs sacrebleu: install it, or sigcore with its extra `texts`."
        ) from error
    # sacrebleu has no public name for the statistics of segments.
    rows = [TER()._extract_corpus_statistics(list(text), references) for text in outputs]
    return np.array(rows, dtype=np.float64), negative_ter


def _choose(one_sided: FloatArray, alternative: str) -> FloatArray:
    """Return the p-values of the alternative, row against column, 1 on the diagonal."""
    pvalues = (one_sided.T if alternative == "less" else one_sided).copy()
    if alternative == "two-sided":
        pvalues = np.minimum(2.0 * np.minimum(one_sided, one_sided.T), 1.0)
    np.fill_diagonal(pvalues, 1.0)
    return pvalues


def _adjust(pvalues: FloatArray, alternative: str, correction: str) -> FloatArray:
    first, second = np.array(list(ordered_pairs(len(pvalues), alternative))).T
    adjusted = pvalues.copy()
    adjusted[first, second] = adjust_pvalues(pvalues[first, second], method=correction)
    if alternative == "two-sided":
        adjusted[second, first] = adjusted[first, second]
    return adjusted
