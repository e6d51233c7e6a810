"""Made-up parsers: reproducible, possible, and as good as they are said to be."""

import numpy as np
import pytest

from sigcore.errors import InputError
from sigcore.io.evalb import read_evalb
from sigcore.io.evalb_writer import write_evalb
from sigcore.parsing.scores import ERROR, SKIPPED, summarise
from sigcore.parsing.simulate import simulate_parsers


def test_the_same_seed_gives_the_same_parsers():
    first, again, other = (simulate_parsers(50, seed=seed) for seed in (0, 0, 1))
    assert np.array_equal(first[0].matched, again[0].matched)
    assert not np.array_equal(first[0].matched, other[0].matched)


def test_a_further_parser_does_not_change_the_others():
    two, three = (simulate_parsers(50, recalls=(0.9, 0.8, 0.7)[:n]) for n in (2, 3))
    assert np.array_equal(two[1].matched, three[1].matched)
    assert three[2].name == "parser-3"


def test_all_parsers_see_the_same_sentences_and_gold_trees():
    a, b = simulate_parsers(200)
    assert a.sentences == b.sentences
    assert np.array_equal(a.length, b.length)
    assert np.array_equal(a.gold, b.gold)
    assert np.array_equal(a.words, b.words)


def test_recall_follows_the_order_asked_for():
    summaries = [summarise(s) for s in simulate_parsers(2000, recalls=(0.95, 0.85, 0.6))]
    recalls = [summary.recall for summary in summaries]
    assert recalls == sorted(recalls, reverse=True)
    assert recalls == pytest.approx([0.95, 0.85, 0.6], abs=0.06)


def test_sentences_without_a_score_are_errors_and_skipped_ones():
    for scores in simulate_parsers(30, n_not_scored=3):
        assert sorted(scores.status[scores.status > 0].tolist()) == [ERROR, ERROR, SKIPPED]
        assert scores.gold[~scores.valid].tolist() == [0, 0, 0]


def test_simulated_parsers_pass_for_output_of_evalb(tmp_path):
    for scores in simulate_parsers(300, n_not_scored=5):
        write_evalb(tmp_path / "x.evalb", scores)
        file = read_evalb(tmp_path / "x.evalb")
        assert file.complete
        assert len(file.not_scored) == 5
        assert np.array_equal(file.scores.matched, scores.matched)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_sentences": 0}, "`n_sentences` must be at least 1"),
        ({"n_sentences": 5, "recalls": (1.0,)}, "`recalls` must lie between 0 and 1"),
        ({"n_sentences": 5, "names": ("a",)}, "`names` must have 2 entries; got 1"),
        ({"n_sentences": 5, "n_not_scored": 6}, "`n_not_scored` must be at most 5; got 6"),
    ],
)
def test_impossible_parsers_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        simulate_parsers(**options)
