"""Is one parser (tagger, chunker) better than the other? Exact tests, or Bikel's shuffling."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TypedDict

import numpy as np

from sigcore.errors import InputError
from sigcore.parsing.measures import (
    MEASURES,
    default_measures,
    measure_counts,
    measure_value,
    rounded_counts,
)
from sigcore.parsing.pairing import ScorePair, pair_scores
from sigcore.parsing.scores import SentenceScores
from sigcore.parsing.shuffling import ALTERNATIVES, HitCounts, is_at_least, stratified_shuffling
from sigcore.permutation.prf import prf_permutation_test
from sigcore.validation import as_choice, as_count

__all__ = ["MeasureComparison", "ParserComparison", "compare_parsers"]

_METHODS = ("exact", "shuffle")


@dataclass(frozen=True, slots=True)
class MeasureComparison:
    """Difference of two parsers in one measure.

    Attributes
    ----------
    measure : str
        The measure.
    value_a, value_b : float
        The measure of each parser; rates lie between 0 and 1.
    difference : float
        `value_a` - `value_b`.
    pvalue : float
        Probability, under random swaps of sentences, of a difference at least as extreme.
    log_pvalue : float
        Its natural logarithm, also where the p-value is too small for a float.
    alternative : {"two-sided", "greater", "less"}
        Which differences count as extreme.
    interval_low, interval_high : float or None
        95 % interval of a p-value from shuffling; None if exact.
    """

    measure: str
    value_a: float
    value_b: float
    difference: float
    pvalue: float
    log_pvalue: float
    alternative: str
    interval_low: float | None
    interval_high: float | None


@dataclass(frozen=True, slots=True)
class ParserComparison:
    """Result of `compare_parsers`.

    Attributes
    ----------
    name_a, name_b : str
        The parsers.
    n_sentences : int
        Sentences that entered.
    n_too_long : int
        Sentences beyond the cut-off.
    not_scored : tuple of str
        Sentences that are not valid for one of the parsers.
    n_dropped : int
        How many of these were dropped.
    cutoff : int or None
        Longest sentence.
    method : {"exact", "shuffle"}
        How p-values were found.
    rounded : bool
        Whether printed percentages were used instead of counts.
    n_shuffles, seed : int or None
        For shuffling.
    measures : tuple of MeasureComparison
        One entry a measure.
    """

    name_a: str
    name_b: str
    n_sentences: int
    n_too_long: int
    not_scored: tuple[str, ...]
    n_dropped: int
    cutoff: int | None
    method: str
    rounded: bool
    n_shuffles: int | None
    seed: int | None
    measures: tuple[MeasureComparison, ...]

    def __getitem__(self, measure: str) -> MeasureComparison:
        """Return the comparison in a measure."""
        for entry in self.measures:
            if entry.measure == measure:
                return entry
        known = ", ".join(entry.measure for entry in self.measures)
        raise InputError(f"`measure` must be one of {known}; got {measure!r}.")

    def to_records(self) -> list[dict[str, object]]:
        """Return a flat dict for each measure, for tables."""
        shared = asdict(self)
        del shared["measures"]
        shared["not_scored"] = " ".join(self.not_scored)
        return [shared | asdict(entry) for entry in self.measures]


def compare_parsers(
    a: SentenceScores,
    b: SentenceScores,
    *,
    measures: Sequence[str] | None = None,
    cutoff: int | None = None,
    alternative: str = "observed",
    method: str = "exact",
    n_shuffles: int = 10_000,
    seed: int = 0,
    not_scored: str = "drop",
    rounded: bool = False,
) -> ParserComparison:
    """Compare two parsers on the same sentences.

    Parameters
    ----------
    a, b : SentenceScores
        Counts of the parsers, from `read_evalb`, `count_spans` or `count_words`.
    measures : sequence of str, optional
        Among "recall", "precision", "f1", "complete_match", "crossing" and "accuracy". The
        default is what the counts allow.
    cutoff : int, optional
        Longest sentence to use; 40 is customary.
    alternative : {"observed", "two-sided", "greater", "less"}
        Which differences count as extreme; "observed" is the side of the difference that was
        found, as in Bikel's script. See `stratified_shuffling`.
    method : {"exact", "shuffle"}
        All swaps of sentences, or a random sample of them.
    n_shuffles, seed : int
        Size and seed of that sample.
    not_scored : {"drop", "fail", "keep"}
        What to do with sentences that are not valid for one of the parsers; see `pair_scores`.
    rounded : bool
        Whether to use percentages as printed, as the original script does; only for recall and
        precision and with ``method="shuffle"``.

    Returns
    -------
    ParserComparison
        Values, differences and p-values.

    Notes
    -----
    The test takes sentences to be independent. Sentences of one article are not quite.

    References
    ----------
    Bikel, D. Randomized Parsing Evaluation Comparator. Zmigrod, R., Vieira, T. and Cotterell, R.
    (2022). Exact paired-permutation testing for structured test statistics. NAACL.
    """
    options = _Options(alternative, method, n_shuffles, seed, rounded)
    pair = pair_scores(a, b, cutoff=cutoff, not_scored=not_scored)
    if measures is None:
        measures = ("recall", "precision") if rounded else default_measures(pair)
    shuffled = method == "shuffle"
    return ParserComparison(
        name_a=a.name,
        name_b=b.name,
        n_sentences=pair.a.n_sentences,
        n_too_long=pair.n_too_long,
        not_scored=pair.not_scored,
        n_dropped=pair.n_dropped,
        cutoff=cutoff,
        method=method,
        rounded=rounded,
        n_shuffles=n_shuffles if shuffled else None,
        seed=seed if shuffled else None,
        measures=tuple(_compare(pair, measure, options) for measure in measures),
    )


@dataclass(frozen=True, slots=True)
class _Options:
    alternative: str
    method: str
    n_shuffles: int
    seed: int
    rounded: bool

    def __post_init__(self) -> None:
        as_choice(self.alternative, "alternative", ALTERNATIVES)
        as_choice(self.method, "method", _METHODS)
        as_count(self.n_shuffles, "n_shuffles", minimum=1)
        as_count(self.seed, "seed")
        if self.rounded and self.method != "shuffle":
            raise InputError('`rounded` needs `method` "shuffle".')


def _compare(pair: ScorePair, measure: str, options: _Options) -> MeasureComparison:
    as_choice(measure, "measures", MEASURES)
    counts = rounded_counts if options.rounded else measure_counts
    first, second = counts(pair, measure)
    value_a = measure_value(pair.a, measure, first)
    value_b = measure_value(pair.b, measure, second)
    test = _shuffle if options.method == "shuffle" else _exact
    return MeasureComparison(
        measure=measure,
        value_a=value_a,
        value_b=value_b,
        difference=value_a - value_b,
        **test(first, second, options),
    )


class _Pvalue(TypedDict):
    pvalue: float
    log_pvalue: float
    alternative: str
    interval_low: float | None
    interval_high: float | None


def _exact(a: HitCounts, b: HitCounts, options: _Options) -> _Pvalue:
    # Recall, precision and the others are all right items out of a total, like accuracy.
    measure = "f1" if a.weight == 2 else "accuracy"
    columns = [(c.hits, c.errors + (c.hits if measure == "accuracy" else 0)) for c in (a, b)]
    first, second = (np.stack(pair, axis=1) for pair in columns)
    alternative = options.alternative
    if alternative == "observed":
        alternative = "greater" if is_at_least(a, b) else "less"
    result = prf_permutation_test(
        first, second, measure=measure, alternative=alternative, method="exact"
    )
    return {
        "pvalue": result.pvalue,
        "log_pvalue": result.log_pvalue,
        "alternative": alternative,
        "interval_low": None,
        "interval_high": None,
    }


def _shuffle(a: HitCounts, b: HitCounts, options: _Options) -> _Pvalue:
    result = stratified_shuffling(
        a,
        b,
        alternative=options.alternative,
        n_shuffles=options.n_shuffles,
        seed=options.seed,
    )
    return {
        "pvalue": result.pvalue,
        "log_pvalue": math.log(result.pvalue),
        "alternative": result.alternative,
        "interval_low": result.interval[0],
        "interval_high": result.interval[1],
    }
