"""Testing only what is needed gives the clusters and p-values of testing everything."""

from itertools import combinations

import numpy as np
import pytest

from sigcore.errors import InputError
from sigcore.evalset import EvalSet, Metric, Selection, select
from sigcore.io.mtme import read_evalset
from sigcore.meta import contests
from sigcore.meta.clusters import greedy_clusters
from sigcore.meta.contests import Comparer, adjusted_pvalues, needed_tests, pairs_read
from sigcore.meta.significance import compare_metrics
from sigcore.testsets import load_testset


def simulate(n_metrics=12, n_systems=6, n_segments=80, seed=0):
    rng = np.random.default_rng(seed)
    quality = rng.normal(0.0, 0.3, size=(n_systems, 1)) + rng.normal(size=(n_systems, n_segments))
    noise = np.linspace(0.2, 4.0, n_metrics)[:, None, None]
    names = [f"m{number:02d}" for number in range(n_metrics)]
    return EvalSet(
        testset="t",
        language_pair="a-b",
        gold_name="gold",
        systems=tuple(f"s{number:02d}" for number in range(n_systems)),
        human_systems=(),
        segments=np.arange(n_segments),
        documents=tuple(f"d{number // 4}" for number in range(n_segments)),
        gold=np.rint(3 * quality),
        metrics=tuple(Metric(name=name, base=name, reference="refA") for name in names),
        scores=quality + noise * rng.normal(size=(n_metrics, n_systems, n_segments)),
    )


def compare_all(evalset, n_resamples, seed, blocks=None):
    return compare_metrics(
        evalset.gold,
        evalset.scores,
        blocks=blocks,
        n_resamples=n_resamples,
        seed=seed,
        purpose=(evalset.testset, evalset.language_pair),
    )["spa"]


def clusters_of(spa, pvalues, names):
    return greedy_clusters(spa, pvalues, names=names).ranks.tolist()


def test_the_pairs_read_are_those_that_can_change_the_clusters():
    rng = np.random.default_rng(1)
    names = [f"m{number}" for number in range(7)]
    for _ in range(30):
        scores = rng.normal(size=7)
        pvalues = np.triu(rng.random((7, 7)) ** 2, 1)
        pvalues += pvalues.T
        read = pairs_read(scores, pvalues, ranked=range(7), names=names, alpha=0.05)
        assert all(a < b for a, b in read)
        expected = clusters_of(scores, pvalues, names)
        for pair in combinations(range(7), 2):
            if pair not in read:
                changed = pvalues.copy()
                changed[pair] = changed[pair[::-1]] = 1e-9 if pvalues[pair] > 0.05 else 1.0
                assert clusters_of(scores, changed, names) == expected


@pytest.mark.parametrize("seed", [0, 1])
def test_clusters_and_p_values_are_those_of_all_comparisons(seed):
    evalset = simulate(seed=seed)
    full = compare_all(evalset, 300, seed)
    spa = full.scores
    tests = needed_tests(
        Comparer(evalset, None, 300, seed), spa, ranked=range(12), chosen=[3], alpha=0.05
    )
    assert tests.scheme == "perm-inputs"
    assert tests.tested[3, [0, 1, 2, *range(4, 12)]].all()
    assert tests.tested.sum() < 12 * 11
    np.testing.assert_array_equal(tests.pvalues[tests.tested], full.pvalues[tests.tested])
    np.testing.assert_array_equal(tests.low[tests.tested], full.interval_low[tests.tested])
    assert np.isnan(tests.pvalues[~tests.tested]).all()
    names = evalset.metric_names
    assert clusters_of(spa, tests.pvalues, names) == clusters_of(spa, full.pvalues, names)


def test_a_wrong_forecast_is_made_good(monkeypatch):
    monkeypatch.setattr(contests, "_FORECAST", 1)  # one draw: no p-value is below 0.5
    evalset = simulate()
    full = compare_all(evalset, 200, 0)
    tests = needed_tests(
        Comparer(evalset, None, 200, 0), full.scores, ranked=range(12), chosen=(), alpha=0.05
    )
    names = evalset.metric_names
    found = clusters_of(full.scores, tests.pvalues, names)
    assert found == clusters_of(full.scores, full.pvalues, names)


def test_documents_swap_together():
    evalset = simulate(n_metrics=3)
    full = compare_all(evalset, 100, 5, blocks=evalset.documents)
    comparer = Comparer(evalset, evalset.documents, 100, 5)
    tests = needed_tests(comparer, full.scores, ranked=range(3), chosen=[0, 1, 2], alpha=0.05)
    np.testing.assert_array_equal(tests.pvalues, full.pvalues)


def test_adjustment_is_for_the_rivals_of_one_metric():
    evalset = simulate(n_metrics=4)
    comparer = Comparer(evalset, None, 500, 0)
    tests = needed_tests(comparer, np.arange(4.0), ranked=range(4), chosen=[0, 1, 2, 3], alpha=0.05)
    plain = tests.pvalues[1]
    for adjust, expected in {
        "none": plain,
        "bonferroni": np.minimum(1.0, 3.0 * plain),
    }.items():
        np.testing.assert_allclose(adjusted_pvalues(comparer, tests, 1, adjust=adjust), expected)
    largest = adjusted_pvalues(comparer, tests, 1, adjust="maxt")
    holm = adjusted_pvalues(comparer, tests, 1, adjust="holm")
    assert np.isnan(largest[1])
    others = [0, 2, 3]
    assert (largest[others] >= plain[others] - 1e-12).all()
    # maxT is at most as strict as Holm, up to the different statistic of its draws.
    assert (largest[others] <= holm[others] + 0.05).all()
    with pytest.raises(InputError, match="`adjust`"):
        adjusted_pvalues(comparer, tests, 1, adjust="sidak")


@pytest.mark.real_data
def test_clusters_of_wmt23_are_those_of_all_comparisons(public_data):
    root = public_data / "mtme"
    facts = load_testset("wmt23", root=root).facts("en-de")
    evalset, _ = select(
        read_evalset(root, "wmt23", "en-de"), Selection(reference_free=False), facts
    )
    full = compare_all(evalset, 300, 0)
    tests = needed_tests(
        Comparer(evalset, None, 300, 0),
        full.scores,
        ranked=range(evalset.n_metrics),
        chosen=[0],
        alpha=0.05,
    )
    # Less than two thirds of the 300 pairs.
    assert tests.tested.sum() / 2 < 200
    names = evalset.metric_names
    found = clusters_of(full.scores, tests.pvalues, names)
    assert found == clusters_of(full.scores, full.pvalues, names)
    np.testing.assert_array_equal(tests.pvalues[tests.tested], full.pvalues[tests.tested])
