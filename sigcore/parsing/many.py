"""Many parsers: every pair, corrected for their number."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from sigcore.comparison.multiplicity import ADJUSTMENTS, adjust_pvalues
from sigcore.errors import InputError
from sigcore.parsing.compare import ParserComparison, compare_parsers
from sigcore.parsing.measures import measure_counts, measure_value
from sigcore.parsing.pairing import pair_scores
from sigcore.parsing.scores import SentenceScores
from sigcore.validation import as_choice

__all__ = ["AllPairs", "PairComparison", "compare_all"]


@dataclass(frozen=True, slots=True)
class PairComparison:
    """Two of many parsers.

    Attributes
    ----------
    name_a, name_b : str
        The parsers.
    n_sentences : int
        Sentences that entered.
    value_a, value_b, difference : float
        The measure of each on these sentences, and A - B.
    pvalue, log_pvalue : float
        The p-value of this pair alone and its natural logarithm.
    adjusted : float
        The p-value corrected for the number of pairs.
    """

    name_a: str
    name_b: str
    n_sentences: int
    value_a: float
    value_b: float
    difference: float
    pvalue: float
    log_pvalue: float
    adjusted: float


@dataclass(frozen=True, slots=True)
class AllPairs:
    """Result of `compare_all`.

    Attributes
    ----------
    measure : str
        The measure.
    names : tuple of str
        The parsers in the order given.
    values : tuple of float
        The measure of each on all sentences that are valid for it.
    pairs : tuple of PairComparison
        Every pair, the parser given first as A.
    alternative : str
        Which differences count as extreme.
    method : {"exact", "shuffle"}
        How p-values were found.
    correction : str
        How they were corrected.
    """

    measure: str
    names: tuple[str, ...]
    values: tuple[float, ...]
    pairs: tuple[PairComparison, ...]
    alternative: str
    method: str
    correction: str

    def matrix(self, column: str = "adjusted") -> npt.NDArray[np.float64]:
        """Return a column of the pairs as a matrix with parsers as rows and columns.

        Differences have the sign of row minus column; the diagonal is NaN.
        """
        sign = -1.0 if column == "difference" else 1.0
        matrix = np.full((len(self.names), len(self.names)), np.nan)
        places = combinations(range(len(self.names)), 2)
        for (row, other), pair in zip(places, self.pairs, strict=True):
            matrix[row, other] = getattr(pair, column)
            matrix[other, row] = sign * getattr(pair, column)
        return matrix

    def to_records(self) -> list[dict[str, object]]:
        """Return a flat dict for each pair, for tables."""
        shared = {
            "measure": self.measure,
            "alternative": self.alternative,
            "method": self.method,
            "correction": self.correction,
        }
        return [shared | asdict(pair) for pair in self.pairs]


def compare_all(
    parsers: Sequence[SentenceScores],
    *,
    measure: str = "f1",
    correction: str = "holm",
    alternative: str = "two-sided",
    cutoff: int | None = None,
    method: str = "exact",
    n_shuffles: int = 10_000,
    seed: int = 0,
    not_scored: str = "drop",
) -> AllPairs:
    """Compare every pair of several parsers in one measure.

    Parameters
    ----------
    parsers : sequence of SentenceScores
        Counts of two parsers or more, with different names.
    measure : str
        The measure; see `compare_parsers`.
    correction : {"holm", "bonferroni", "bh", "none"}
        Holm and Bonferroni bound the probability of any false claim, BH (Benjamini and Hochberg)
        the expected share of false claims.
    alternative : {"two-sided", "observed"}
        Two-sided by default, unlike `compare_parsers`: p-values on the side that the data chose
        are half as large, and a correction of them does not hold its level.
    cutoff, method, n_shuffles, seed, not_scored
        As in `compare_parsers`. Which sentences are dropped can differ from pair to pair.

    Returns
    -------
    AllPairs
        Values, differences and p-values.
    """
    as_choice(correction, "correction", ADJUSTMENTS)
    as_choice(alternative, "alternative", ("two-sided", "observed"))
    names = _check_names(parsers)
    compared = [
        compare_parsers(
            a,
            b,
            measures=[measure],
            cutoff=cutoff,
            alternative=alternative,
            method=method,
            n_shuffles=n_shuffles,
            seed=seed,
            not_scored=not_scored,
        )
        for a, b in combinations(parsers, 2)
    ]
    pvalues = np.array([result[measure].pvalue for result in compared])
    adjusted = adjust_pvalues(pvalues, method=correction)
    return AllPairs(
        measure=measure,
        names=names,
        values=tuple(_value(parser, measure, cutoff) for parser in parsers),
        pairs=tuple(map(_as_pair, compared, adjusted.tolist())),
        alternative=alternative,
        method=method,
        correction=correction,
    )


def _check_names(parsers: Sequence[SentenceScores]) -> tuple[str, ...]:
    names = tuple(parser.name for parser in parsers)
    if len(names) < 2:
        raise InputError(f"`parsers` must have at least 2 entries; got {len(names)}.")
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"`parsers` must have different names; {name!r} comes twice.")
    return names


def _value(parser: SentenceScores, measure: str, cutoff: int | None) -> float:
    pair = pair_scores(parser, parser, cutoff=cutoff)
    return measure_value(pair.a, measure, measure_counts(pair, measure)[0])


def _as_pair(result: ParserComparison, adjusted: float) -> PairComparison:
    (entry,) = result.measures
    return PairComparison(
        name_a=result.name_a,
        name_b=result.name_b,
        n_sentences=result.n_sentences,
        value_a=entry.value_a,
        value_b=entry.value_b,
        difference=entry.difference,
        pvalue=entry.pvalue,
        log_pvalue=entry.log_pvalue,
        adjusted=adjusted,
    )
