"""Many parsers by several measures: every comparison, the ranking and the totals, as rows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.meta.clusters import greedy_clusters
from sigcore.parsing.many import AllPairs, compare_all
from sigcore.parsing.measures import MEASURES
from sigcore.parsing.scores import SentenceScores, cut_off, summarise

__all__ = ["compare_by_measures", "measure_title", "parser_matrix", "rank_parsers"]

Row = Mapping[str, Any]
Counts = Mapping[str, Sequence[SentenceScores]]

_TITLES = {"complete_match": "complete match", "crossing": "crossing brackets"}
_CAPITALS = ("f1", "las", "uas", "upos", "xpos")


def compare_by_measures(counts: Counts, **options: Any) -> dict[str, AllPairs]:
    """Compare every pair of parsers by each of several measures.

    Parameters
    ----------
    counts : mapping of measure to sequence of SentenceScores
        Counts of each parser, as `read_parsers` gives them. A measure that `compare_parsers` does
        not know (las, upos, ...) is the accuracy of its counts.
    **options
        As in `compare_all`. p-values are corrected for the number of pairs, each measure by
        itself.

    Returns
    -------
    dict of measure to AllPairs
        In the order of `counts`.
    """
    results = {}
    for measure, parsers in counts.items():
        known = measure if measure in MEASURES else "accuracy"
        result = compare_all(parsers, measure=known, **options)
        results[measure] = replace(result, measure=measure)
    return results


def rank_parsers(
    counts: Counts,
    results: Mapping[str, AllPairs],
    *,
    cutoff: int | None = None,
    alpha: float = 0.05,
) -> list[dict[str, Any]]:
    """Order parsers by the first measure and say what their numbers are made of.

    Parameters
    ----------
    counts, results
        What `compare_by_measures` took and gave, with the same `cutoff`.
    cutoff : int, optional
        Longest sentence.
    alpha : float
        Two parsers differ where their corrected p-value is at most this.

    Returns
    -------
    list of dict
        A row for each parser, best first: `rank` of its cluster by the greedy rule, `parser`, its
        values, `n_beaten` (parsers that are significantly worse), and how many sentences
        were used and how many were not, and why.
    """
    if not results:
        raise InputError("`results` must have at least one measure.")
    measure, result = next(iter(results.items()))
    sign = -1.0 if measure == "crossing" else 1.0
    values = sign * np.array(result.values)
    clusters = greedy_clusters(values, result.matrix(), names=result.names, alpha=alpha)
    better = (result.matrix() <= alpha) & (sign * result.matrix("difference") > 0)
    return [
        {
            "rank": int(clusters.ranks[index]),
            "parser": result.names[index],
            **_totals(counts[measure][index], cutoff, brackets=measure in MEASURES),
            **{name: other.values[index] for name, other in results.items()},
            "n_beaten": int(better[index].sum()),
        }
        for index in clusters.order.tolist()
    ]


def parser_matrix(
    names: Sequence[str], pairs: Sequence[Row], measure: str
) -> npt.NDArray[np.float64]:
    """Arrange the corrected p-values of one measure as a matrix in the order of `names`.

    Parameters
    ----------
    names : sequence of str
        The parsers.
    pairs : sequence of rows
        The records of `AllPairs`.
    measure : str
        Which of them.

    Returns
    -------
    ndarray
        Symmetric, with NaN on the diagonal.
    """
    place = {name: index for index, name in enumerate(names)}
    matrix = np.full((len(names), len(names)), np.nan)
    for row in pairs:
        if row["measure"] == measure:
            a, b = place[row["name_a"]], place[row["name_b"]]
            matrix[a, b] = matrix[b, a] = row["adjusted"]
    return matrix


def measure_title(measure: str) -> str:
    """Write the name of a measure as people do.

    Examples
    --------
    >>> measure_title("f1"), measure_title("complete_match"), measure_title("recall")
    ('F1', 'complete match', 'recall')
    """
    return measure.upper() if measure in _CAPITALS else _TITLES.get(measure, measure)


def _totals(scores: SentenceScores, cutoff: int | None, *, brackets: bool) -> dict[str, Any]:
    short = cut_off(scores, cutoff)
    total = summarise(short)
    labels = np.array(short.sentences, dtype=object)[~short.valid]
    rates = {
        "recall": total.recall,
        "precision": total.precision,
        "f1": total.f1,
        "complete_match": total.complete_match,
        "crossing": total.average_crossing,
        "tagging_accuracy": total.tagging_accuracy,
    }
    return (rates if brackets else {}) | {
        "n_sentences": scores.n_sentences,
        "n_valid": total.n_valid,
        "n_too_long": scores.n_sentences - short.n_sentences,
        "n_error": total.n_error,
        "n_skipped": total.n_skipped,
        "not_scored": " ".join(labels),
    }
