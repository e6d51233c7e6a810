"""Corpus-level p-values against enumeration of all swaps and against additive scores."""

from itertools import combinations, product

import numpy as np
import pytest

from sigcore.errors import InputError
from sigcore.meta.corpus import corpus_agreement, corpus_pvalues
from sigcore.meta.spa import soft_pairwise_accuracy, spa_from_pvalues
from sigcore.permutation.pairwise import pairwise_pvalues


def f_score(sums):
    """Harmonic mean of matches over output length and over reference length."""
    return 2.0 * sums[..., 0] / (sums[..., 1] + sums[..., 2])


def mean_score(sums):
    return sums[..., 0] / sums[..., 1]


def enumerate_shares(first, second, score, blocks=None):
    """Shares of all swaps with a difference above, equal to and below the observed one."""
    labels = list(range(len(first))) if blocks is None else blocks
    names = sorted(set(labels))
    observed = score(first.sum(axis=0)) - score(second.sum(axis=0))
    gaps = []
    for swap in product((False, True), repeat=len(names)):
        swapped = np.array([swap[names.index(label)] for label in labels])[:, None]
        one, other = np.where(swapped, second, first), np.where(swapped, first, second)
        gaps.append(score(one.sum(axis=0)) - score(other.sum(axis=0)) - observed)
    gaps = np.array(gaps)
    tied = np.abs(gaps) < 1e-9
    return np.mean((gaps > 0) & ~tied), tied.mean(), np.mean((gaps < 0) & ~tied)


@pytest.fixture
def statistics():
    """Matches, output length and reference length of 4 systems on 9 segments."""
    rng = np.random.default_rng(3)
    lengths = rng.integers(3, 12, size=(4, 9))
    references = np.broadcast_to(rng.integers(3, 12, size=9), (4, 9))
    return np.stack([rng.binomial(lengths, 0.6), lengths, references], axis=2)


@pytest.mark.parametrize("blocks", [None, list("abcabcdde")])
def test_p_values_are_those_of_all_swaps(statistics, blocks):
    n = 20_000
    results = {
        ties: corpus_pvalues(
            statistics, f_score, ties=ties, blocks=blocks, n_resamples=n, seed=1
        ).pvalues
        for ties in ("ge", "mid")
    }
    for i, j in combinations(range(4), 2):
        above, tied, below = enumerate_shares(statistics[i], statistics[j], f_score, blocks)
        # Five standard errors of a share of n draws, at most.
        tolerance = 2.5 / np.sqrt(n)
        assert results["ge"][i, j] == pytest.approx(above + tied, abs=tolerance)
        assert results["ge"][j, i] == pytest.approx(below + tied, abs=tolerance)
        assert results["mid"][i, j] == pytest.approx(above + tied / 2, abs=tolerance)


def test_a_mean_of_segment_scores_gives_the_sign_flip_test():
    rng = np.random.default_rng(7)
    scores = rng.normal([[0.0], [0.1], [0.3]], 1.0, size=(3, 80))
    statistics = np.stack([scores, np.ones_like(scores)], axis=2)
    drawn = corpus_pvalues(statistics, mean_score, n_resamples=20_000).pvalues
    exact = pairwise_pvalues(scores, ties="mid").pvalues
    np.testing.assert_allclose(drawn, exact, atol=2.5 / np.sqrt(20_000))


@pytest.mark.parametrize("estimator", ["plain", "plus-one"])
@pytest.mark.parametrize(("ties", "expected"), [("ge", 1.0), ("mid", 0.5)])
def test_identical_systems_are_never_significant(statistics, ties, estimator, expected):
    twins = np.stack([statistics[0], statistics[0]])
    result = corpus_pvalues(twins, f_score, ties=ties, estimator=estimator, n_resamples=99)
    assert result.pvalues[0, 1] == result.pvalues[1, 0] == expected


def test_mid_p_values_of_both_directions_add_up_to_one(statistics):
    for estimator in ("plain", "plus-one"):
        p = corpus_pvalues(statistics, f_score, estimator=estimator, n_resamples=500).pvalues
        upper = np.triu_indices(4, 1)
        np.testing.assert_allclose(p[upper] + p.T[upper], 1.0, atol=1e-12)


def test_order_of_systems_does_not_matter(statistics):
    order = [2, 0, 3, 1]
    p = corpus_pvalues(statistics, f_score, n_resamples=500).pvalues
    turned = corpus_pvalues(statistics[order], f_score, n_resamples=500).pvalues
    np.testing.assert_array_equal(turned, p[np.ix_(order, order)])


def test_plus_one_is_never_zero():
    statistics = np.array([[[9, 10]] * 40, [[1, 10]] * 40])
    plain = corpus_pvalues(statistics, mean_score, ties="ge", n_resamples=99)
    added = corpus_pvalues(statistics, mean_score, ties="ge", estimator="plus-one", n_resamples=99)
    assert plain.pvalues[0, 1] == 0.0
    assert added.pvalues[0, 1] == 0.01
    assert plain.scores.tolist() == [0.9, 0.1]
    assert plain.error == pytest.approx(0.5 / np.sqrt(99))


def test_draws_in_parts_give_the_same_values(statistics, monkeypatch):
    whole = corpus_pvalues(statistics, f_score, n_resamples=300).pvalues
    monkeypatch.setattr("sigcore.meta.corpus._DRAWS", 64)
    np.testing.assert_array_equal(
        corpus_pvalues(statistics, f_score, n_resamples=300).pvalues, whole
    )


def test_agreement_feeds_the_p_values_into_spa(statistics):
    gold = np.random.default_rng(0).integers(0, 5, size=(4, 9)).astype(float)
    result = corpus_agreement(gold, statistics, f_score, n_resamples=400, seed=2)
    people = pairwise_pvalues(gold, ties="mid").pvalues
    own = corpus_pvalues(statistics, f_score, n_resamples=400, seed=2)
    assert result.spa == spa_from_pvalues(people, own.pvalues)
    signs = [
        [np.sign(values[i] - values[j]) for i, j in combinations(range(4), 2)]
        for values in (gold.sum(axis=1), own.scores)
    ]
    assert result.n_agree == sum(a == b for a, b in zip(*signs, strict=True))
    assert result.pa == result.n_agree / 6


def test_a_mean_has_the_spa_of_a_segment_level_metric():
    rng = np.random.default_rng(11)
    quality = rng.normal([[0.0], [0.1], [0.2], [0.4]], 1.0, size=(4, 150))
    gold, metric = np.rint(quality + rng.normal(size=(2, 4, 150)))
    statistics = np.stack([metric, np.ones_like(metric)], axis=2)
    drawn = corpus_agreement(gold, statistics, mean_score, n_resamples=20_000)
    assert drawn.spa == pytest.approx(soft_pairwise_accuracy(gold, metric).value, abs=0.02)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"statistics": [[1.0, 2.0]]}, "3-dimensional"),
        ({"statistics": [[[1.0, np.nan]]]}, "finite"),
        ({"score": lambda sums: 1.0}, "must map sums"),
        ({"score": lambda sums: sums[..., 0] * np.nan}, "must be finite"),
        ({"ties": "half"}, "`ties`"),
        ({"n_resamples": 0}, "`n_resamples`"),
        ({"blocks": ["a"]}, "`blocks`"),
    ],
)
def test_bad_input_is_refused(statistics, change, message):
    arguments = {"statistics": statistics, "score": f_score} | change
    with pytest.raises(InputError, match=message):
        corpus_pvalues(arguments.pop("statistics"), arguments.pop("score"), **arguments)


def test_agreement_needs_complete_gold_of_the_same_shape(statistics):
    gold = np.zeros((4, 9))
    with pytest.raises(InputError, match="`statistics` must have shape"):
        corpus_agreement(gold[:, 1:], statistics, f_score)
    gold[0, 0] = np.nan
    with pytest.raises(InputError, match="complete"):
        corpus_agreement(gold, statistics, f_score)
