"""Many parsers by several measures, as rows of tables."""

from itertools import combinations

import numpy as np
import pytest

from sigcore.errors import InputError
from sigcore.parsing.compare import compare_parsers
from sigcore.parsing.ranking import compare_by_measures, parser_matrix, rank_parsers
from sigcore.parsing.scores import SentenceScores
from sigcore.parsing.simulate import simulate_parsers

PARSERS = simulate_parsers(
    120, recalls=(0.6, 0.92, 0.91), names=("bad", "good", "next"), n_not_scored=3
)
COUNTS = dict.fromkeys(("f1", "crossing"), PARSERS)


def test_every_measure_is_tested_and_corrected_by_itself():
    results = compare_by_measures(COUNTS, correction="bonferroni")
    for measure, result in results.items():
        assert result.measure == measure
        for pair, (a, b) in zip(result.pairs, combinations(PARSERS, 2), strict=True):
            expected = compare_parsers(a, b, alternative="two-sided")[measure].pvalue
            assert pair.pvalue == expected
            assert pair.adjusted == pytest.approx(min(1.0, 3 * expected), rel=1e-12)


def test_parsers_are_ordered_best_first_with_their_totals():
    rows = rank_parsers(COUNTS, compare_by_measures(COUNTS))
    assert [row["parser"] for row in rows] == ["good", "next", "bad"]
    assert [row["rank"] for row in rows] == [1, 1, 2]
    assert [row["n_beaten"] for row in rows] == [1, 1, 0]
    bad, scores = rows[-1], PARSERS[0]
    assert bad["recall"] == scores.matched.sum() / scores.gold.sum()
    assert bad["precision"] == scores.matched.sum() / scores.test.sum()
    assert bad["crossing"] == scores.crossing.sum() / 117
    assert (bad["n_sentences"], bad["n_valid"], bad["n_error"], bad["n_skipped"]) == (
        120,
        117,
        2,
        1,
    )
    assert len(bad["not_scored"].split()) == 3


def test_fewer_crossing_brackets_are_better():
    counts = {"crossing": PARSERS}
    rows = rank_parsers(counts, compare_by_measures(counts))
    assert rows[-1]["parser"] == "bad"
    assert [row["n_beaten"] for row in rows] == [1, 1, 0]


def test_sentences_beyond_the_cut_off_are_counted_as_such():
    rows = rank_parsers(COUNTS, compare_by_measures(COUNTS, cutoff=20), cutoff=20)
    for row in rows:
        parser = next(scores for scores in PARSERS if scores.name == row["parser"])
        assert row["n_too_long"] == np.count_nonzero(parser.length > 20)
        assert row["n_sentences"] == 120
        parts = ("n_valid", "n_too_long", "n_error", "n_skipped")
        assert sum(row[part] for part in parts) == 120


def test_a_measure_of_words_is_an_accuracy_and_has_no_brackets():
    right = {"A": [5, 4, 3, 5], "B": [3, 4, 2, 1]}
    parsers = [
        SentenceScores(
            name=name,
            sentences=tuple("1234"),
            length=np.full(4, 5),
            matched=np.array(values),
            gold=np.full(4, 5),
            test=np.full(4, 5),
        )
        for name, values in right.items()
    ]
    results = compare_by_measures({"las": parsers})
    # Differences 2, 0, 1, 4: of the sixteen sums of signs, four are as large as 7 either way.
    assert results["las"].pairs[0].pvalue == pytest.approx(4 / 16)
    best = rank_parsers({"las": parsers}, results)[0]
    assert (best["parser"], best["las"]) == ("A", 17 / 20)
    assert "f1" not in best


def test_the_matrix_follows_the_order_asked_for():
    results = compare_by_measures(COUNTS)
    rows = [row for result in results.values() for row in result.to_records()]
    matrix = parser_matrix(["good", "bad", "next"], rows, "crossing")
    order = [1, 0, 2]
    expected = results["crossing"].matrix()[np.ix_(order, order)]
    assert np.array_equal(matrix, expected, equal_nan=True)


def test_nothing_cannot_be_ranked():
    with pytest.raises(InputError, match="`results` must have at least one measure"):
        rank_parsers({}, {})
