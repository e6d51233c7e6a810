import numpy as np
import pytest

from sigcore.comparison.pairs import compare_pairs
from sigcore.comparison.system_pairs import (
    adjust_pairs,
    ordered_pairs,
    pair_records,
    rank_systems,
)
from sigcore.errors import InputError
from sigcore.io.schemas import SCHEMAS, table_of

NAMES = ("e", "d", "c", "b", "a")


def scores(seed=3, n=40):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(5, n)).round(1) + np.array([[0.0], [0.1], [1.0], [1.1], [2.5]])


def all_pairs(values, **settings):
    alternative = settings.get("alternative", "two-sided")
    pairs = ordered_pairs(values, NAMES, alternative=alternative)
    return adjust_pairs(pair_records(values, NAMES, pairs, **settings))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign", "permutation_mean"])
def test_pairs_and_ranks_agree_with_the_comparison_of_all_at_once(test, alternative):
    values = scores()
    rows = all_pairs(values, test=test, alternative=alternative)
    whole = compare_pairs(values, NAMES, test=test, alternative=alternative)
    expected = {(row["first"], row["second"]): row for row in whole.to_records()}
    assert len(rows) == len(expected)
    for row in rows:
        other = expected[row["system_a"], row["system_b"]]
        assert row["pvalue"] == pytest.approx(other["pvalue"], rel=1e-9)
        assert row["adjusted"] == pytest.approx(other["adjusted"], rel=1e-9)
        assert row["difference"] == pytest.approx(other["difference"])
    ranking = rank_systems(values, NAMES, rows)
    assert [row["system"] for row in ranking] == list(whole.names)
    assert [row["rank"] for row in ranking] == whole.clusters.ranks.tolist()


def test_a_pair_gives_the_same_row_alone_and_among_others():
    values = scores()
    settings = {"test": "bootstrap_mean", "unit_size": 3, "shuffle_seed": 0}
    together = pair_records(values, NAMES, [("a", "e"), ("b", "c")], **settings)
    alone = pair_records(values, NAMES, [("b", "c")], **settings)
    assert together[1] == alone[0]


def test_identical_systems_have_p_one_and_share_a_cluster():
    values = np.vstack([scores()[0]] * 5)
    rows = all_pairs(values, test="permutation_mean")
    assert [row["adjusted"] for row in rows] == [1.0] * 10
    assert {row["rank"] for row in rank_systems(values, NAMES, rows)} == {1}


def test_a_system_with_the_higher_mean_does_not_win_where_the_test_finds_it_worse():
    # The second system is better on all items but one, where the first is far ahead.
    first, second = np.zeros(41), np.full(41, 1.0)
    first[0] = 100.0
    pairs = ordered_pairs([first, second], ["first", "second"])
    rows = adjust_pairs(pair_records([first, second], ["first", "second"], pairs, test="sign"))
    assert pairs == [("first", "second")]
    assert (rows[0]["direction"], rows[0]["significant"]) == (-1, True)
    ranking = rank_systems([first, second], ["first", "second"], rows)
    assert [(row["system"], row["n_wins"], row["n_losses"]) for row in ranking] == [
        ("first", 0, 1),
        ("second", 1, 0),
    ]


def test_missing_scores_leave_items_out_pair_by_pair():
    values = scores()
    values[0, :30] = np.nan
    values[1, 30:] = np.nan
    rows = {(row["system_a"], row["system_b"]): row for row in all_pairs(values, test="t")}
    assert rows["a", "e"]["n_items"] == 10
    assert rows["a", "d"]["n_items"] == 30
    apart = rows.get(("d", "e")) or rows["e", "d"]
    assert apart["n_items"] == 0
    assert "no item in common" in apart["reason"]
    assert not apart["significant"]
    table = table_of("system_pairs", rows.values())
    assert table.schema.names == SCHEMAS["system_pairs"].names


def test_units_are_means_of_adjacent_items():
    values = scores(n=12)
    row = pair_records(values, NAMES, [("a", "e")], test="t", unit_size=4)[0]
    units = values.reshape(5, 3, 4).mean(axis=2)
    again = pair_records(units, NAMES, [("a", "e")], test="t")[0]
    assert row["n_units"] == 3
    assert row["pvalue"] == pytest.approx(again["pvalue"])


def test_names_must_fit():
    with pytest.raises(InputError, match="`names`"):
        ordered_pairs(scores(), ["a", "b"])
    with pytest.raises(InputError, match="`names`"):
        ordered_pairs(scores(), ["a"] * 5)
