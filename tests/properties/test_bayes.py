"""Properties of the Bayes test that hold for all counts."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sigcore.bayes.comparison import bayes_test
from sigcore.bayes.difference import compare_posteriors
from sigcore.bayes.partition import block_partition
from sigcore.bayes.posterior import MEASURES, Posterior

count = st.one_of(st.integers(0, 3), st.integers(0, 1000), st.integers(0, 10**8))
folds = st.integers(1, 4).flatmap(lambda m: arrays(np.int64, (m, 2, 3), elements=count))
parameter = st.floats(0.5, 1e8)
measure = st.sampled_from(MEASURES)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.data(), folds, measure)
def test_probabilities_add_up_and_swap_with_the_models(data, first, name):
    second = data.draw(arrays(np.int64, first.shape, elements=count))
    found = bayes_test(first, second, measure=name)
    turned = bayes_test(second, first, measure=name)
    assert found.probability_h0 + found.probability_h1 == 1
    assert found.probability_h0 == turned.probability_h1
    assert found.probability_h1 == turned.probability_h0


@settings(deadline=None, derandomize=True, max_examples=60)
@given(measure, parameter, parameter, parameter, parameter, st.floats(0, 0.9))
def test_region_takes_from_both_hypotheses(name, a1, b1, a2, b2, rope):
    pair = Posterior(name, a1, b1), Posterior(name, a2, b2)
    whole, parted = compare_posteriors(*pair), compare_posteriors(*pair, rope=rope)
    assert parted.h0 <= whole.h0 + 1e-9
    assert parted.h1 <= whole.h1 + 1e-9
    assert abs(parted.h0 + parted.h1 + parted.rope - 1) <= 1e-9


@settings(deadline=None, derandomize=True, max_examples=60)
@given(folds, measure)
def test_intervals_hold_their_probability_and_the_mean_lies_in_the_unit_interval(counts, name):
    model = bayes_test(counts, counts, measure=name).model_a
    for lower, upper in (model.interval, model.highest_density_interval):
        assert 0 <= lower < upper <= 1
    assert 0 < model.mean < 1
    length = np.diff(model.interval)
    assert np.diff(model.highest_density_interval) <= length * (1 + 1e-6)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.data(), st.integers(1, 7), st.integers(16, 60), st.integers(1, 4), st.integers(0, 99))
def test_every_item_is_validated_once_in_each_repetition(data, m, n, d, seed):
    units = data.draw(arrays(np.int64, (n, d), elements=st.integers(0, 9)))
    validated = np.zeros(n, dtype=int)
    partition = block_partition(units, n_repetitions=m, seed=seed)
    for fold in partition.folds():
        validated[fold.validation] += 1
    assert np.all(validated == m)
    sizes = np.bincount(partition.block, minlength=len(partition.design))
    assert sizes.max() - sizes.min() <= 1
