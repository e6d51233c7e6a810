"""Size of tests and coverage of intervals; the full table is made by a benchmark."""

import math

import numpy as np
import pytest

from sigcore.comparison.dominance import violation_ratio
from sigcore.comparison.error_rates import (
    EFFECTS,
    POPULATIONS,
    effect_coverage,
    parameter_of,
    simulate_test,
)
from sigcore.comparison.multiplicity import max_t_pvalues
from sigcore.comparison.significance import ROW_TESTS, SignificanceOptions, row_pvalues
from sigcore.errors import InputError

RUNS = 2500
CLOSED = [test for test in ROW_TESTS if "bootstrap" not in test]
QUICK = ("t", "wilcoxon", "sign", "permutation_median")


def upper_bound(share, runs):
    """A share that a simulation with this true share exceeds once in about 10,000 times."""
    return share + 3.7 * math.sqrt(share * (1 - share) / runs)


@pytest.mark.parametrize("population", ["normal", "laplace", "grid"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("test", CLOSED)
def test_size_on_symmetric_populations_is_at_most_the_level(test, alternative, population):
    rows = POPULATIONS[population].draw(np.random.default_rng(56), (RUNS, 31))
    pvalues = row_pvalues(test, rows, alternative=alternative)
    assert np.mean(pvalues < 0.05) <= upper_bound(0.05, RUNS)
    # Not so strict as to be of no use.
    if population == "normal" and test != "permutation_median":
        assert np.mean(pvalues < 0.05) > 0.02


def test_the_sign_test_holds_its_level_on_a_skewed_population_and_wilcoxon_does_not():
    population = POPULATIONS["exponential"]
    rows = population.draw(np.random.default_rng(57), (RUNS, 101)) - population.median
    assert np.mean(row_pvalues("sign", rows) < 0.05) <= upper_bound(0.05, RUNS)
    assert np.mean(row_pvalues("wilcoxon", rows) < 0.05) > 0.2


@pytest.mark.parametrize("test", ["bootstrap_mean", "bootstrap_median"])
def test_bootstrap_size_is_near_the_level(test):
    rows = POPULATIONS["normal"].draw(np.random.default_rng(58), (600, 60))
    pvalues = row_pvalues(test, rows, options=SignificanceOptions(n_resamples=399))
    assert np.mean(pvalues < 0.05) <= upper_bound(0.06, 600)


@pytest.mark.parametrize("test", QUICK)
def test_coverage_is_at_least_the_level(test):
    for population in ("normal", "grid"):
        rates = simulate_test(test, population, 25, runs=400)
        assert rates.coverage.share >= 1 - upper_bound(0.05, 400)


def test_mcnemar_holds_level_and_coverage():
    rates = simulate_test("mcnemar", "binary", 40, runs=500)
    assert rates.size.share <= upper_bound(0.05, 500)
    assert rates.coverage.share >= 1 - upper_bound(0.05, 500)
    assert rates.coverage.share + rates.below.share + rates.above.share == pytest.approx(1)


@pytest.mark.parametrize("population", ["normal", "exponential"])
def test_almost_stochastic_order_is_in_balance_in_the_simulation(population):
    drawn = POPULATIONS[population]
    rng = np.random.default_rng(61)
    u, v = drawn.draw(rng, (200_000,)), 2 * drawn.draw(rng, (200_000,)) - drawn.balance
    assert violation_ratio(np.sort(u), np.sort(v)) == pytest.approx(0.5, abs=0.02)
    rates = simulate_test("aso", population, 100, runs=150, options=SignificanceOptions(199))
    assert rates.size.share <= upper_bound(0.07, 150)


@pytest.mark.parametrize("effect", EFFECTS)
def test_coverage_of_effect_sizes_is_near_the_level(effect):
    assert effect_coverage(effect, 40, runs=600).share >= 1 - upper_bound(0.06, 600)


def test_max_t_holds_the_family_wise_level():
    rng = np.random.default_rng(59)
    upper = np.triu_indices(5, 1)
    found = [
        max_t_pvalues(rng.normal(size=(5, 25)), n_resamples=99, seed=run)[upper].min() <= 0.05
        for run in range(500)
    ]
    assert np.mean(found) <= upper_bound(0.05, 500)


def test_centres_of_the_populations_are_right():
    rng = np.random.default_rng(60)
    for name, population in POPULATIONS.items():
        x = population.draw(rng, (200_000,))
        averages = (x[:100_000] + x[100_000:]) / 2
        assert x.mean() == pytest.approx(population.mean, abs=0.02)
        if name != "binary":
            assert np.median(x) == pytest.approx(population.median, abs=0.02)
            assert np.median(averages) == pytest.approx(population.pseudomedian, abs=0.02)
    assert parameter_of("sign", POPULATIONS["exponential"]) == math.log(2)


def test_unknown_populations_are_refused():
    with pytest.raises(InputError, match="`population` must be one of"):
        simulate_test("t", "cauchy", 10)
