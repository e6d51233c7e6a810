"""Corpus BLEU and chrF as functions of summed statistics, and those statistics from texts.

The statistics of a segment come from sacrebleu, so tokenisation and counting are its own; the
scores computed here from their sums equal its `corpus_score`.
"""

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.meta.corpus import CorpusScore
from sigcore.validation import as_choice

__all__ = ["CORPUS_SCORES", "bleu_score", "chrf_score", "text_statistics"]

FloatArray = npt.NDArray[np.float64]

_ORDERS = 4  # of the n-grams of BLEU
_BETA = 2.0  # weight of recall in chrF
_PACKAGES = ("ja", "ko")  # languages whose tokenisers are extras of sacrebleu


def bleu_score(sums: npt.ArrayLike) -> FloatArray:
    """Compute BLEU, 0 to 100, from summed statistics.

    Parameters
    ----------
    sums : array_like, shape (..., 10)
        Length of the output, length of the reference, matching n-grams of orders 1 to 4, and
        n-grams of the output of orders 1 to 4.

    Returns
    -------
    ndarray, shape (...)

    Notes
    -----
    The geometric mean of precisions times the brevity penalty (Papineni et al. 2002). The first
    order without a match has its precision taken as ``1 / (2 total)``, the next one as
    ``1 / (4 total)`` and so on, as mteval and sacrebleu do; without any match, or without
    n-grams of some order, BLEU is 0.
    """
    values = np.asarray(sums, dtype=np.float64)
    if values.shape[-1:] != (2 + 2 * _ORDERS,):
        raise InputError(f"`sums` must have shape (..., {2 + 2 * _ORDERS}); got {values.shape}.")
    output, reference = values[..., 0], values[..., 1]
    matches, totals = values[..., 2 : 2 + _ORDERS], values[..., 2 + _ORDERS :]
    defined = (matches > 0.0).any(axis=-1) & (totals > 0.0).all(axis=-1) & (output > 0.0)
    n_empty = np.cumsum(matches == 0.0, axis=-1)
    smoothed = np.where(matches > 0.0, matches, 0.5**n_empty)
    precisions = np.divide(smoothed, totals, out=np.ones_like(totals), where=totals > 0.0)
    length = np.divide(reference, output, out=np.ones_like(output), where=output > 0.0)
    brevity = np.minimum(1.0 - length, 0.0)
    score = 100.0 * np.exp(brevity + np.log(precisions).mean(axis=-1))
    return np.where(defined, score, 0.0)


def chrf_score(sums: npt.ArrayLike) -> FloatArray:
    """Compute chrF, 0 to 100, from summed statistics.

    Parameters
    ----------
    sums : array_like, shape (..., 3 n)
        For each of n orders: n-grams of the output, n-grams of the reference, matches.

    Returns
    -------
    ndarray, shape (...)

    Notes
    -----
    F-score, recall counting four times, of the mean precision and mean recall over the orders that
    both texts have (Popović 2015, as in sacrebleu without epsilon smoothing); 0 without a match.
    """
    values = np.asarray(sums, dtype=np.float64)
    if values.ndim == 0 or values.shape[-1] == 0 or values.shape[-1] % 3:
        raise InputError(f"`sums` must have shape (..., 3 n); got {values.shape}.")
    output, reference, matches = values[..., 0::3], values[..., 1::3], values[..., 2::3]
    present = (output > 0.0) & (reference > 0.0)
    n_orders = np.maximum(present.sum(axis=-1), 1)
    precision, recall = (
        np.divide(matches, counts, out=np.zeros_like(matches), where=present).sum(axis=-1)
        / n_orders
        for counts in (output, reference)
    )
    weight = _BETA**2
    below = weight * precision + recall
    above = (1.0 + weight) * precision * recall
    score: FloatArray = np.divide(above, below, out=np.zeros_like(below), where=below > 0.0)
    return 100.0 * score


CORPUS_SCORES: dict[str, CorpusScore] = {"bleu": bleu_score, "chrf": chrf_score}
"""Name to score function of summed statistics."""


def text_statistics(
    outputs: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    *,
    metric: str = "bleu",
    target_language: str = "",
    **options: Any,
) -> FloatArray:
    """Count the statistics of each segment with sacrebleu.

    Parameters
    ----------
    outputs : sequence of texts
        For each system a sequence of segments.
    references : sequence of texts
        One or more reference translations, each a sequence of segments.
    metric : {"bleu", "chrf"}
        What to count.
    target_language : str
        ``"zh"``, ``"ja"`` and ``"ko"`` have their own tokenisers in BLEU; those of Japanese and
        Korean are the extras ``sacrebleu[ja]`` and ``sacrebleu[ko]``.
    **options
        For ``sacrebleu.metrics.BLEU`` or ``CHRF``: ``tokenize`` or ``word_order``, for example.
        Smoothing, the orders of BLEU and the beta of chrF are fixed by `bleu_score` and
        `chrf_score`.

    Returns
    -------
    ndarray, shape (systems, segments, k)
        For `corpus_pvalues`, with the function in `CORPUS_SCORES`.

    Raises
    ------
    InputError
        If sacrebleu is not installed, or its tokeniser of the language, or if texts differ in their
        number of segments.
    """
    as_choice(metric, "metric", tuple(CORPUS_SCORES))
    _check_texts(outputs, references)
    fixed = {"smooth_method", "smooth_value", "max_ngram_order", "effective_order", "beta"}
    refused = sorted({*options} & (fixed | {"eps_smoothing", "references"}))
    if refused:
        raise InputError(f"`{refused[0]}` cannot be changed here; the score functions fix it.")
    module = _sacrebleu()
    if metric == "bleu":
        counter = _bleu(module, target_language, options)
    else:
        counter = module.CHRF(**options)
    # The one place that reads statistics of segments, which sacrebleu has no public name for.
    rows = [counter._extract_corpus_statistics(list(text), references) for text in outputs]
    return np.array(rows, dtype=np.float64)


def _check_texts(outputs: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> None:
    if not outputs or not references:
        raise InputError("`outputs` and `references` must have at least one text each.")
    for name, texts in (("outputs", outputs), ("references", references)):
        _check_strings(texts, name)
    lengths = [len(text) for text in (*outputs, *references)]
    if min(lengths) != max(lengths) or not lengths[0]:
        raise InputError(
            "`outputs` and `references` must all have the same number of segments; "
            f"got {min(lengths)} to {max(lengths)}."
        )


def _check_strings(texts: Sequence[Sequence[str]], name: str) -> None:
    for number, text in enumerate(texts):
        if isinstance(text, str):
            raise InputError(f"`{name}` must be sequences of segments; got {text!r} at {number}.")
        for segment, line in enumerate(text):
            if not isinstance(line, str):
                raise InputError(
                    f"`{name}` must have a string for each segment; got {line!r} at "
                    f"({number}, {segment})."
                )


def _bleu(module: ModuleType, target_language: str, options: dict[str, Any]) -> Any:
    """Make sacrebleu's BLEU, whose tokenisers of some languages need packages of their own."""
    try:
        return module.BLEU(trg_lang=target_language, **options)
    except KeyError as error:
        known = ", ".join(module.BLEU.TOKENIZERS)
        raise InputError(f"`tokenize` must be one of {known}; got {error}.") from error
    except (ImportError, RuntimeError) as error:
        tokeniser = options.get("tokenize", target_language)
        language = tokeniser.removesuffix("-mecab")
        package = f"`sacrebleu[{language}]`" if language in _PACKAGES else "what sacrebleu names"
        told = "" if language in _PACKAGES else f": {' '.join(str(error).split())}"
        raise InputError(
            f"the tokeniser of BLEU for {tokeniser!r} is not installed. Install {package}{told}, "
            "or take chrF, which needs none."
        ) from error


def _sacrebleu() -> ModuleType:
    try:
        import sacrebleu.metrics
    except ImportError as error:
        raise InputError(
            "corpus BLEU and chrF need sacrebleu: install it, or sigcore with its extra `texts`."
        ) from error
    return sacrebleu.metrics
