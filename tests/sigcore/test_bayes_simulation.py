import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import hypergeom

from sigcore.bayes.simulation import (
    READINGS,
    Reading,
    _deal_blocks,
    _draw_items,
    _fit,
    interval_coverage,
)
from sigcore.errors import InputError


def test_coverage_and_length_are_those_of_the_authors_protocol():
    # A separate program, with loops of its own, had 93.67% and 0.08542 in 10,000 corpora, and
    # 99.35% and 0.12659 for the older posterior. The paper prints 94.5% and 0.0854, and 99.6%.
    result = interval_coverage(n_corpora=2000, seed=0)
    assert result.corrected.coverage == pytest.approx(0.9367, abs=4 * 0.006)
    assert result.mean_count.coverage == pytest.approx(0.9935, abs=4 * 0.002)
    assert result.corrected.length == pytest.approx(0.08542, abs=0.0002)
    assert result.mean_count.length == pytest.approx(0.12659, abs=0.0003)
    # The printed coverages have the error of 1,000 corpora.
    assert abs(result.corrected.coverage - 0.945) < 4 * np.sqrt(
        0.945 * 0.055 * (1 / 1000 + 1 / 2000)
    )
    assert abs(result.mean_count.coverage - 0.996) < 4 * np.sqrt(
        0.996 * 0.004 * (1 / 1000 + 1 / 2000)
    )


@pytest.mark.parametrize(
    ("reading", "lowest", "highest"),
    [
        (("fixed", "random", "whole"), 0.935, 0.975),
        (("fixed", "random", "folds"), 0.945, 0.985),
        (("fixed", "random", "common"), 0.945, 0.985),
        (("fixed", "stratified", "test"), 0.915, 0.965),
        (("random", "random", "test"), 0.885, 0.94),
        (("random", "random", "common"), 0.76, 0.86),
    ],
)
def test_other_readings_have_other_coverages_and_the_same_lengths(reading, lowest, highest):
    assert Reading(*reading) in READINGS
    result = interval_coverage(n_corpora=1000, seed=0, **Reading(*reading)._asdict())
    assert lowest < result.corrected.coverage < highest
    assert result.corrected.length == pytest.approx(0.0854, abs=0.0005)
    assert result.mean_count.length == pytest.approx(0.1265, abs=0.0008)


def test_lengths_differ_by_the_root_of_the_weights():
    # The printed length of the older posterior, 0.117, contradicts this: 0.0854 x 1.488 = 0.127.
    result = interval_coverage(n_corpora=400, seed=1)
    ratio = result.mean_count.length / result.corrected.length
    assert ratio == pytest.approx(np.sqrt(6 * 0.3688), rel=0.01)
    assert result.mean_count.length == pytest.approx(0.127, abs=0.001)


def test_fitted_regression_maximises_the_likelihood():
    rng = np.random.default_rng(3)
    positive = rng.random((2, 120)) < 0.5
    features = np.concatenate(
        [np.ones((2, 120, 1)), rng.normal(size=(2, 120, 2)) + 0.5 * positive[..., None]], axis=2
    )
    training = rng.random((2, 120)) < 0.6
    found = _fit(features, positive, training)
    for corpus in range(2):
        x, y = features[corpus, training[corpus]], positive[corpus, training[corpus]]

        def loss(w, x=x, y=y):
            return np.logaddexp(0, np.where(y, -1, 1) * (x @ w)).sum()

        best = minimize(loss, np.zeros(3), method="BFGS", options={"gtol": 1e-6})
        np.testing.assert_allclose(found[corpus], best.x, atol=1e-5)


def test_stratified_blocks_are_balanced_in_both_classes():
    positive = np.random.default_rng(4).random((5, 203)) < 0.4
    block = _deal_blocks(positive, True)
    for corpus in range(5):
        for members in (positive[corpus], ~positive[corpus]):
            sizes = np.bincount(block[corpus, members], minlength=4)
            assert sizes.max() - sizes.min() <= 1


def test_random_blocks_have_equal_sizes_and_know_nothing_of_the_classes():
    # The positives of a block of 150 among 600 with 300 are hypergeometric.
    _, positive = _draw_items(2000, 600, "fixed", np.random.default_rng(5))
    assert (positive.sum(axis=1) == 300).all()
    block = _deal_blocks(positive, False)
    assert (np.bincount(block[0]) == 150).all()
    inside = (positive & (block == 2)).sum(axis=1)
    expected = hypergeom(600, 300, 150)
    assert inside.mean() == pytest.approx(expected.mean(), abs=4 * expected.std() / np.sqrt(2000))
    assert inside.std() == pytest.approx(expected.std(), rel=0.07)


def test_seed_fixes_the_simulation():
    first, again, other = (interval_coverage(n_corpora=20, seed=seed) for seed in (0, 0, 1))
    assert first == again
    assert first.true_f1 != other.true_f1


def test_bad_options_are_refused():
    with pytest.raises(InputError, match="`n_corpora`"):
        interval_coverage(n_corpora=0)
    with pytest.raises(InputError, match="`n_items`"):
        interval_coverage(n_items=8)
    with pytest.raises(InputError, match="`classes`"):
        interval_coverage(classes="even")
    with pytest.raises(InputError, match="`blocks`"):
        interval_coverage(blocks="even")
    with pytest.raises(InputError, match="`truth`"):
        interval_coverage(truth="none")
