import numpy as np
import pytest
from scipy.optimize import minimize

from sigcore.bayes.simulation import _fit, _stratified_blocks, interval_coverage
from sigcore.errors import InputError


def test_coverage_and_length_are_near_the_published_ones():
    # Wang & Li (2019), section 2.4: 94.5% and 0.0854; 99.6% for the older posterior. Of the
    # readings of "the true F1" the paper leaves open, the one that gives these was chosen.
    result = interval_coverage(n_corpora=2000, seed=0)
    assert result.corrected.coverage == pytest.approx(0.945, abs=4 * 0.0051)
    assert result.mean_count.coverage == pytest.approx(0.996, abs=4 * 0.0014)
    assert result.corrected.length == pytest.approx(0.0854, abs=0.0005)


@pytest.mark.parametrize(
    ("classes", "truth", "lowest", "highest"),
    [
        ("random", "common", 0.75, 0.86),
        ("fixed", "own", 0.95, 0.99),
        ("fixed", "common", 0.95, 0.99),
    ],
)
def test_other_readings_of_the_paper_do_not_give_the_printed_coverage(
    classes, truth, lowest, highest
):
    result = interval_coverage(n_corpora=1000, classes=classes, truth=truth, seed=0)
    assert lowest < result.corrected.coverage < highest
    assert result.mean_count.length == pytest.approx(0.1265, abs=0.001)


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


def test_blocks_are_balanced_in_both_classes():
    positive = np.random.default_rng(4).random((5, 203)) < 0.4
    block = _stratified_blocks(positive)
    for corpus in range(5):
        for members in (positive[corpus], ~positive[corpus]):
            sizes = np.bincount(block[corpus, members], minlength=4)
            assert sizes.max() - sizes.min() <= 1


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
    with pytest.raises(InputError, match="`truth`"):
        interval_coverage(truth="none")
