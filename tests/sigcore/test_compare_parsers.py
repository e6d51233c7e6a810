"""Comparison of two parsers: pairing, measures, methods."""

import itertools

import numpy as np
import pytest

from sigcore.errors import InputError
from sigcore.parsing.compare import compare_parsers
from sigcore.parsing.pairing import pair_scores
from sigcore.parsing.scores import SentenceScores, summarise
from sigcore.parsing.simulate import simulate_parsers


def scores(name="a", **columns):
    n = len(columns.get("matched", [1, 2, 3]))
    values = {
        "length": np.arange(5, 5 + n),
        "matched": np.arange(1, n + 1),
        "gold": np.full(n, n + 2),
        "test": np.full(n, n + 1),
    } | {column: np.asarray(value) for column, value in columns.items()}
    return SentenceScores(name, tuple(str(i) for i in range(1, n + 1)), **values)


def small_parsers(n_sentences=9, n_not_scored=0, seed=0):
    return simulate_parsers(n_sentences, recalls=(0.8, 0.7), n_not_scored=n_not_scored, seed=seed)


def enumerate_pvalue(top_a, bottom_a, top_b, bottom_b):
    """Two-sided p-value of a difference of ratios of sums, over all swaps, in whole numbers."""
    swaps = np.array(list(itertools.product((0, 1), repeat=len(top_a))))
    bottoms_a = bottom_a.sum() + swaps @ (bottom_b - bottom_a)
    bottoms_b = bottom_b.sum() + swaps @ (bottom_a - bottom_b)
    tops_a = top_a.sum() + swaps @ (top_b - top_a)
    tops_b = top_b.sum() + swaps @ (top_a - top_b)
    difference = np.abs(tops_a * bottoms_b - tops_b * bottoms_a)
    bottom = bottoms_a * bottoms_b
    return np.mean(difference * bottom[0] >= difference[0] * bottom)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("not_scored", ["drop", "fail", "keep"])
def test_every_measure_agrees_with_enumeration(seed, not_scored):
    a, b = small_parsers(n_not_scored=1, seed=seed)
    result = compare_parsers(a, b, alternative="two-sided", not_scored=not_scored)
    pair = pair_scores(a, b, not_scored=not_scored)
    ones = np.ones(pair.a.n_sentences, dtype=int)
    parts = {
        "recall": lambda s: (s.matched, s.gold),
        "precision": lambda s: (s.matched, s.test),
        "f1": lambda s: (2 * s.matched, s.gold + s.test),
        "complete_match": lambda s: (s.complete, ones),
        "crossing": lambda s: (s.crossing, ones),
    }
    assert [entry.measure for entry in result.measures] == list(parts)
    for measure, ratio in parts.items():
        expected = enumerate_pvalue(*ratio(pair.a), *ratio(pair.b))
        assert result[measure].pvalue == pytest.approx(expected, abs=1e-12)
        assert np.exp(result[measure].log_pvalue) == pytest.approx(expected, abs=1e-12)


def test_values_are_those_of_the_summary():
    a, b = small_parsers(40)
    result = compare_parsers(a, b)
    for entry, name in zip(
        result.measures,
        ("recall", "precision", "f1", "complete_match", "average_crossing"),
        strict=True,
    ):
        assert entry.value_a == pytest.approx(getattr(summarise(a), name), abs=1e-15)
        assert entry.value_b == pytest.approx(getattr(summarise(b), name), abs=1e-15)
        assert entry.difference == entry.value_a - entry.value_b


def test_the_default_side_is_the_observed_one_and_half_of_both():
    a, b = small_parsers(40)
    one, both = compare_parsers(a, b), compare_parsers(a, b, alternative="two-sided")
    for entry in one.measures:
        assert entry.alternative == ("greater" if entry.difference >= 0 else "less")
        assert 2 * entry.pvalue == pytest.approx(both[entry.measure].pvalue, rel=1e-9)


def test_identical_parsers_have_p_one():
    a, _ = small_parsers(40)
    for method in ("exact", "shuffle"):
        for alternative in ("observed", "two-sided"):
            result = compare_parsers(a, a, method=method, alternative=alternative)
            assert [entry.pvalue for entry in result.measures] == [1] * 5


def test_shuffling_with_a_seed_is_reproducible_and_close_to_exact():
    a, b = simulate_parsers(300, recalls=(0.88, 0.875))
    exact = compare_parsers(a, b)
    first, again = (
        compare_parsers(a, b, method="shuffle", n_shuffles=20_000, seed=5) for _ in range(2)
    )
    assert first == again
    assert first != compare_parsers(a, b, method="shuffle", n_shuffles=20_000, seed=6)
    for entry in first.measures:
        p = exact[entry.measure].pvalue
        assert abs(entry.pvalue - p) < 4 * np.sqrt(p * (1 - p) / 20_000) + 1e-4
    assert exact.seed is None
    assert (first.seed, first.n_shuffles) == (5, 20_000)


def test_equal_parsers_are_rejected_as_often_as_they_should_be():
    # 300 comparisons at level 0.1; the count is Bin(300, at most 0.1), 99.9 % below 48.
    rejected = 0
    for seed in range(300):
        a, b = simulate_parsers(60, recalls=(0.85, 0.85), seed=seed)
        result = compare_parsers(a, b, measures=["f1"], alternative="two-sided")
        rejected += result["f1"].pvalue <= 0.1
    assert 14 <= rejected <= 48


def test_a_cutoff_leaves_out_long_sentences():
    a, b = simulate_parsers(100)
    result = compare_parsers(a, b, cutoff=20)
    assert result.n_sentences == np.count_nonzero(a.length <= 20)
    assert result.n_sentences + result.n_too_long == 100
    assert result["recall"].value_a == summarise(a.select(a.length <= 20)).recall


def test_sentences_without_a_score_are_dropped_failed_or_kept():
    columns = {"gold": [4, 4, 0], "matched": [2, 3, 0], "test": [3, 3, 0], "length": [5, 5, 5]}
    a = scores("a", **columns, status=[0, 0, 2], crossing=[0, 0, 0])
    b = scores(
        "b",
        **(columns | {"gold": [4, 0, 0], "matched": [1, 0, 0], "test": [1, 0, 0]}),
        status=[0, 1, 1],
        crossing=[0, 0, 0],
    )
    dropped, failed, kept = (
        pair_scores(a, b, not_scored=policy) for policy in ("drop", "fail", "keep")
    )
    assert [pair.not_scored for pair in (dropped, failed, kept)] == [("2", "3")] * 3
    assert [pair.n_dropped for pair in (dropped, failed, kept)] == [2, 1, 0]
    assert dropped.a.sentences == ("1",)
    assert failed.b.gold.tolist() == [4, 4]
    assert failed.b.matched.tolist() == [1, 0]
    assert failed.b.test.tolist() == [1, 0]
    assert failed.b.valid.all()
    assert kept.b.gold.tolist() == [4, 0, 0]
    result = compare_parsers(a, b)
    assert (result.n_sentences, result.n_dropped, result.not_scored) == (1, 2, ("2", "3"))


def test_a_sentence_that_evalb_scored_in_spite_of_an_error_fails_in_percentages_too():
    # evalb prints what it found where a bracket is not closed, with status 1.
    columns = {"gold": [4, 4], "matched": [3, 3], "test": [4, 4], "length": [5, 5]}
    percent = {"recall_percent": [75.0, 75.0], "precision_percent": [75.0, 75.0]}
    a = scores("a", **columns, **percent)
    b = scores("b", **columns, **percent, status=[0, 1])
    pair = pair_scores(a, b, not_scored="fail")
    assert pair.b.recall_percent.tolist() == pair.b.precision_percent.tolist() == [75.0, 0.0]
    assert pair.b.test.tolist() == [4, 0]


def test_a_sentence_without_a_score_is_not_a_complete_match():
    a = scores(matched=[1, 0], gold=[1, 0], test=[1, 0], status=[0, 1])
    assert a.complete.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (scores("b", matched=[1, 2]), "a has sentence 3, b ends before it .3 and 2 sentences"),
        (scores("b", matched=[1, 2, 3, 4], gold=[5] * 4), "b has sentence 4, a ends before it"),
        (scores("b", length=[5, 7, 7]), "differ in `length` of sentence 2: 6 and 7; they must"),
        (scores("b", gold=[5, 5, 4]), "differ in `gold` of sentence 3: 5 and 4; they must"),
    ],
)
def test_other_sentences_are_refused_with_the_first_difference(other, message):
    with pytest.raises(InputError, match=message):
        compare_parsers(scores("a"), other)


def test_other_labels_are_refused():
    a = scores("a")
    b = SentenceScores("b", ("1", "3", "4"), a.length, a.matched, a.gold, a.test)
    with pytest.raises(InputError, match="a has sentence 2 where b has 3"):
        compare_parsers(a, b)


def test_a_comparison_of_nothing_is_refused():
    with pytest.raises(InputError, match="no sentence to compare: of 3, 3 are too long and 0 not"):
        compare_parsers(scores("a"), scores("b"), cutoff=4)
    a, b = (scores(name, status=[1, 2, 1]) for name in "ab")
    with pytest.raises(InputError, match="0 are too long and 3 not scored"):
        compare_parsers(a, b)


def test_tags_are_compared_by_accuracy_alone():
    a = scores("a", test=[5, 5, 5])
    b = scores("b", test=[5, 5, 5], matched=[1, 1, 3])
    result = compare_parsers(a, b)
    assert [entry.measure for entry in result.measures] == ["accuracy"]
    assert result["accuracy"].pvalue == 0.5
    with pytest.raises(InputError, match="gold standard and system differ in size"):
        compare_parsers(scores("a"), scores("b"), measures=["accuracy"])


def test_spans_have_no_crossing_brackets():
    result = compare_parsers(scores("a"), scores("b"))
    assert [entry.measure for entry in result.measures] == [
        "recall",
        "precision",
        "f1",
        "complete_match",
    ]
    with pytest.raises(InputError, match="the counts have no crossing brackets"):
        compare_parsers(scores("a"), scores("b"), measures=["crossing"])


def test_rounded_percentages_are_for_shuffling_recall_and_precision():
    a, b = scores("a"), scores("b")
    with pytest.raises(InputError, match='`rounded` needs `method` "shuffle"'):
        compare_parsers(a, b, rounded=True)
    with pytest.raises(InputError, match="`rounded` needs printed percentages; a has none"):
        compare_parsers(a, b, rounded=True, method="shuffle")
    with pytest.raises(InputError, match="`rounded` is for recall and precision; got 'f1'"):
        compare_parsers(a, b, rounded=True, method="shuffle", measures=["f1"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alternative": "x"}, "`alternative` must be one of"),
        ({"method": "x"}, "`method` must be one of 'exact', 'shuffle'"),
        ({"not_scored": "x"}, "`not_scored` must be one of 'drop', 'fail', 'keep'"),
        ({"measures": ["x"]}, "`measures` must be one of 'recall'"),
        ({"cutoff": -1}, "`cutoff` must be at least 0"),
        ({"n_shuffles": 0}, "`n_shuffles` must be at least 1"),
        ({"seed": -1}, "`seed` must be at least 0"),
    ],
)
def test_unknown_options_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        compare_parsers(scores("a"), scores("b"), **options)


def test_results_are_flat_records():
    a, b = small_parsers(20, n_not_scored=1)
    result = compare_parsers(a, b)
    records = result.to_records()
    assert [record["measure"] for record in records] == [e.measure for e in result.measures]
    assert records[0]["name_a"] == "parser-1"
    assert all(not isinstance(value, (tuple, list, dict)) for value in records[0].values())
    with pytest.raises(InputError, match=r"`measure` must be one of recall, .*; got 'x'"):
        result["x"]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"matched": [9, 1, 1]}, "`matched` must not exceed `gold`; got 9 and 5 in sentence 1"),
        ({"test": [0, 4, 4]}, "`matched` must not exceed `test`; got 1 and 0 in sentence 1"),
        ({"gold": [5.0, 5, 5]}, "`gold` must hold whole numbers; got float64"),
        ({"gold": [5, 5]}, r"`gold` must have shape \(3,\); got \(2,\)"),
        ({"length": [-1, 5, 5]}, "`length` must lie between 0 and"),
        ({"status": [0, 0, 3]}, "`status` must be 0, 1 or 2"),
        ({"recall_percent": [0.0, 101.0, 1.0]}, "`recall_percent` must lie between 0 and 100"),
        ({"recall_percent": [0.0]}, r"`recall_percent` must have shape \(3,\); got \(1,\)"),
    ],
)
def test_scores_that_cannot_be_are_refused(columns, message):
    with pytest.raises(InputError, match=message):
        scores(**columns)


def test_a_label_may_come_once_only():
    a = scores()
    with pytest.raises(InputError, match="`sentences` must have each label once; '1' comes twice"):
        SentenceScores("a", ("1", "2", "1"), a.length, a.matched, a.gold, a.test)
