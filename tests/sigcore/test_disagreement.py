"""The pairs of systems that cost a metric most."""

import numpy as np
import pytest

from sigcore.errors import InputError
from sigcore.evalset import EvalSet, Metric
from sigcore.meta.disagreement import disagreements
from sigcore.meta.records import pvalue_records
from sigcore.meta.spa import soft_pairwise_accuracy


def simulate(n_metrics):
    """Gold on a grid and metrics that see the same quality, 6 systems x 80 segments."""
    rng = np.random.default_rng(0)
    quality = rng.normal(0.0, 0.3, size=(6, 1)) + rng.normal(size=(6, 80))
    names = [f"m{number:02d}" for number in range(n_metrics)]
    return EvalSet(
        testset="t",
        language_pair="a-b",
        gold_name="gold",
        systems=tuple("abcdef"),
        human_systems=(),
        segments=np.arange(80),
        documents=None,
        gold=np.rint(3 * quality),
        metrics=tuple(Metric(name=name, base=name, reference="refA") for name in names),
        scores=quality + rng.normal(size=(n_metrics, 6, 80)),
    )


def test_distances_add_up_to_what_spa_lacks():
    evalset = simulate(n_metrics=3)
    rows = pvalue_records(evalset, [None, *evalset.metric_names], ties="mid")
    for index, name in enumerate(evalset.metric_names):
        pairs = disagreements(rows, name)
        assert len(pairs) == 15
        spa = soft_pairwise_accuracy(evalset.gold, evalset.scores[index]).value
        assert sum(pair.distance for pair in pairs) / 15 == pytest.approx(1.0 - spa)
        distances = [pair.distance for pair in pairs]
        assert distances == sorted(distances, reverse=True)


def test_systems_are_named_in_the_order_of_people():
    evalset = simulate(n_metrics=1)
    rows = pvalue_records(evalset, [None, "m00"], ties="mid")
    means = dict(zip(evalset.systems, evalset.gold.mean(axis=1), strict=True))
    own = dict(zip(evalset.systems, evalset.scores[0].mean(axis=1), strict=True))
    for pair in disagreements(rows, "m00"):
        assert pair.gold_difference == pytest.approx(means[pair.better] - means[pair.worse])
        assert pair.gold_difference >= 0.0
        assert pair.gold_confidence >= 0.5
        assert pair.metric_difference == pytest.approx(own[pair.better] - own[pair.worse])
        assert (pair.metric_confidence > 0.5) == (pair.metric_difference > 0.0)


def test_a_metric_that_is_the_gold_never_disagrees():
    evalset = simulate(n_metrics=1)
    rows = pvalue_records(evalset, [None], ties="mid")
    copies = [row | {"is_gold": False, "scorer": "copy"} for row in rows]
    assert all(pair.distance == 0.0 for pair in disagreements([*rows, *copies], "copy"))


def test_an_unknown_metric_is_refused():
    rows = pvalue_records(simulate(n_metrics=1), [None, "m00"], ties="mid")
    with pytest.raises(InputError, match="rows of the metric 'm01'"):
        disagreements(rows, "m01")
    assert np.isfinite(disagreements(rows, "m00")[0].distance)
