"""Ranks: golden values of mt-metrics-eval's greedy rule and hand-made cases."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from sigcore.errors import InputError
from sigcore.meta.clusters import Clusters, all_pairs_clusters, greedy_clusters


def matrix(n: int, upper: list[float]) -> npt.NDArray[np.float64]:
    square = np.ones((n, n))
    square[np.triu_indices(n, 1)] = upper
    return square


@pytest.mark.parametrize(
    ("upper", "ranks"),
    [([1, 0, 1, 1, 1, 1], [1, 1, 2, 2]), ([0, 1, 1, 1, 1, 0], [1, 2, 2, 3])],
)
def test_greedy_ranks_equal_mt_metrics_eval(upper: list[float], ranks: list[int]) -> None:
    # Values of mt-metrics-eval's own test of its rank assignment, threshold 0.5.
    clusters = greedy_clusters([4.0, 3.0, 2.0, 1.0], matrix(4, upper), alpha=0.5)
    assert clusters.ranks.tolist() == ranks
    assert clusters.n_clusters == max(ranks)


def test_greedy_sorts_by_score_then_name() -> None:
    clusters = greedy_clusters([1.0, 3.0, 3.0], np.ones((3, 3)), names=["a", "c", "b"])
    assert [clusters.names[index] for index in clusters.order] == ["b", "c", "a"]


def test_p_of_exactly_alpha_is_significant() -> None:
    assert greedy_clusters([2.0, 1.0], matrix(2, [0.05])).ranks.tolist() == [1, 2]
    assert greedy_clusters([2.0, 1.0], matrix(2, [0.0500001])).ranks.tolist() == [1, 1]


def test_only_the_better_of_two_can_beat_the_other() -> None:
    pvalues = np.array([[1.0, 0.9], [0.01, 1.0]])
    assert greedy_clusters([2.0, 1.0], pvalues).ranks.tolist() == [1, 1]
    assert greedy_clusters([1.0, 2.0], pvalues).ranks.tolist() == [2, 1]


@pytest.mark.parametrize("rule", [greedy_clusters, all_pairs_clusters])
def test_the_higher_score_does_not_beat_what_the_test_finds_better(
    rule: Callable[..., Clusters],
) -> None:
    pvalues, differences = np.full((2, 2), 0.01), np.array([[0.0, -0.3], [0.3, 0.0]])
    assert rule([2.0, 1.0], pvalues, differences=differences).ranks.tolist() == [1, 1]
    assert rule([2.0, 1.0], pvalues, differences=-differences).ranks.tolist() == [1, 2]
    with pytest.raises(InputError, match=r"`differences` must have shape \(2, 2\); got \(1, 1\)"):
        rule([2.0, 1.0], pvalues, differences=[[1.0]])


def test_missing_p_values_are_not_significant() -> None:
    assert greedy_clusters([2.0, 1.0], matrix(2, [np.nan])).ranks.tolist() == [1, 1]


def test_separated_pairs_without_a_significant_difference_are_listed() -> None:
    # a beats c; b, tied with c in score, is not told apart from it.
    pvalues = matrix(3, [0.6, 0.01, 0.9])
    clusters = greedy_clusters([3.0, 2.0, 2.0], pvalues, names=["a", "b", "c"])
    assert clusters.ranks.tolist() == [1, 1, 2]
    assert [(pair.better, pair.worse, pair.pvalue) for pair in clusters.split_pairs] == [
        ("b", "c", 0.9)
    ]
    assert [pair.worse for pair in clusters.split_ties] == ["c"]


def test_separated_pairs_with_different_scores_are_no_ties() -> None:
    clusters = greedy_clusters([3.0, 2.5, 2.0], matrix(3, [0.6, 0.01, 0.9]))
    assert len(clusters.split_pairs) == 1
    assert clusters.split_ties == ()


def test_all_pairs_rule_draws_a_line_only_where_everyone_beats_everyone() -> None:
    pvalues = matrix(4, [0.6, 0.01, 0.01, 0.2, 0.01, 0.01])
    scores = [4.0, 3.0, 2.0, 1.0]
    assert greedy_clusters(scores, pvalues).ranks.tolist() == [1, 1, 2, 3]
    clusters = all_pairs_clusters(scores, pvalues)
    assert clusters.ranks.tolist() == [1, 1, 1, 2]
    assert clusters.split_pairs == ()
    assert clusters.rule == "all-pairs"


def test_all_pairs_equals_the_wins_rule_of_wmt() -> None:
    # WMT21's script: a line where the fewest wins in the current cluster, counted against all
    # entries, equal the number of entries that remain.
    rng = np.random.default_rng(0)
    for _ in range(200):
        pvalues = (rng.random((6, 6)) > 0.75).astype(float)
        clusters = all_pairs_clusters(np.arange(6, 0, -1.0), pvalues)
        beats = np.triu(pvalues <= 0.05, 1)
        ranks, rank, cluster = [], 1, []
        for entry in range(6):
            ranks.append(rank)
            cluster.append(entry)
            remaining = 6 - entry - 1
            if min(beats[member, entry + 1 :].sum() for member in cluster) == remaining:
                rank, cluster = rank + 1, []
        assert clusters.ranks.tolist() == ranks


def test_one_entry_has_rank_one() -> None:
    assert greedy_clusters([1.0], [[np.nan]]).ranks.tolist() == [1]
    assert all_pairs_clusters([1.0], [[np.nan]]).ranks.tolist() == [1]


def test_wrong_input_is_refused() -> None:
    with pytest.raises(InputError, match=r"`pvalues` must have shape \(2, 2\); got \(3, 3\)"):
        greedy_clusters([1.0, 2.0], np.ones((3, 3)))
    with pytest.raises(InputError, match="`names` must be 2 different names"):
        greedy_clusters([1.0, 2.0], np.ones((2, 2)), names=["a", "a"])
    with pytest.raises(InputError, match="`alpha` must lie between 0 and 1"):
        all_pairs_clusters([1.0, 2.0], np.ones((2, 2)), alpha=1.5)
    with pytest.raises(InputError, match="`scores` must be finite"):
        greedy_clusters([1.0, np.nan], np.ones((2, 2)))


@pytest.mark.parametrize("names", [3, {"a", "b"}])
def test_names_must_be_a_sequence(names: object) -> None:
    with pytest.raises(InputError, match="`names` must be a sequence"):
        greedy_clusters([1, 2], np.eye(2), names=names)  # type: ignore[arg-type]
