import math

import numpy as np
import pytest
from scipy import stats

from sigcore.comparison.detectable import detectable_effect
from sigcore.comparison.mcnemar import mcnemar_test
from sigcore.comparison.power import detectable_effect_t, power_t, sample_size_t
from sigcore.comparison.power_curves import default_sizes, power_curve, wilson_interval
from sigcore.comparison.significance import ROW_TESTS, TESTS, SignificanceOptions
from sigcore.errors import InputError

U = np.random.default_rng(39).normal(0.4, 1, 60)
V = np.zeros(60)


def test_power_of_no_effect_is_the_level():
    assert power_t(20, 0.0) == pytest.approx(0.05)
    assert power_t(20, 0.0, alpha=0.01, alternative="less") == pytest.approx(0.01)


def test_power_agrees_with_the_noncentral_t_of_scipy():
    for n, effect in ((5, 0.3), (30, -0.5), (1000, 0.1)):
        critical, centre = stats.t.ppf(0.975, n - 1), effect * math.sqrt(n)
        expected = stats.nct.sf(critical, n - 1, centre) + stats.nct.cdf(-critical, n - 1, centre)
        assert power_t(n, effect) == pytest.approx(expected, rel=1e-9)


def test_one_sided_power_follows_the_direction():
    assert power_t(30, 0.5, alternative="greater") == power_t(30, -0.5, alternative="less")
    assert power_t(30, -0.5, alternative="greater") < 0.001


def test_sample_size_is_the_smallest_with_the_power():
    for effect in (0.05, 0.3, 2.0, 5.0):
        n = sample_size_t(effect)
        assert power_t(n, effect) >= 0.8
        assert n == 2 or power_t(n - 1, effect) < 0.8


def test_sample_size_depends_on_the_standardised_effect_only():
    assert sample_size_t(0.5, sd=2.0) == sample_size_t(0.25) == sample_size_t(-0.25)


def test_detectable_effect_inverts_the_power():
    for n in (2, 10, 2001):
        effect = detectable_effect_t(n)
        assert power_t(n, effect) == pytest.approx(0.8, abs=1e-9)
    assert detectable_effect_t(10, sd=3.0) == pytest.approx(3.0 * detectable_effect_t(10))
    assert detectable_effect_t(10, alternative="less") == detectable_effect_t(
        10, alternative="greater"
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sample_size_t(0.0), "`effect` must lie on the side"),
        (lambda: sample_size_t(-1.0, alternative="greater"), "`effect` must lie on the side"),
        (lambda: sample_size_t(1e-9), "too small to detect"),
        (lambda: sample_size_t(1.0, sd=0.0), "`sd` must be positive"),
        (lambda: power_t(1, 0.5), "`n` must be at least 2"),
        (lambda: power_t(5, math.inf), "`effect` must be finite"),
        (lambda: detectable_effect_t(5, power=0.01), "`power` must exceed `alpha`"),
    ],
)
def test_impossible_plans_are_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_simulated_power_of_the_t_test_agrees_with_the_closed_form():
    curve = power_curve(U, V, test="t", method="montecarlo", sizes=[10, 30, 60], n_runs=2000)
    effect = U.mean() / U.std(ddof=1)
    expected = [power_t(n, effect) for n in (10, 30, 60)]
    assert np.all(curve.low - 0.02 <= expected)
    assert np.all(expected <= curve.high + 0.02)


def test_simulated_power_without_an_effect_is_the_level():
    for distribution in ("normal", "laplace", "uniform"):
        curve = power_curve(
            U,
            V,
            test="wilcoxon",
            method="montecarlo",
            distribution=distribution,
            effect=0.0,
            sizes=[60],
            n_runs=2000,
        )
        assert curve.power[0] == pytest.approx(0.05, abs=4 * math.sqrt(0.05 * 0.95 / 2000))


def test_power_is_that_of_the_users_test():
    heavy = np.random.default_rng(40).standard_t(1.5, 100) + 0.5
    t, wilcoxon = (
        power_curve(heavy, 0 * heavy, test=test, sizes=[100], n_runs=300).power[0]
        for test in ("t", "wilcoxon")
    )
    assert wilcoxon > t + 0.2


@pytest.mark.parametrize("test", TESTS)
def test_every_test_has_a_curve(test):
    u, v = (U > 0.3, V > 0.1) if test == "mcnemar" else (U, V + U[::-1] / 2)
    curve = power_curve(u, v, test=test, sizes=[20, 40], n_runs=20)
    assert np.all((curve.low <= curve.power) & (curve.power <= curve.high))
    assert len(curve.to_records()) == 2


def test_a_function_may_be_the_test():
    curve = power_curve(
        U, V, test=lambda u, v: stats.ttest_rel(u, v).pvalue, sizes=[60], n_runs=100
    )
    known = power_curve(U, V, test="t", sizes=[60], n_runs=1000)
    assert curve.test == "own"
    assert curve.power[0] == pytest.approx(known.power[0], abs=0.15)


def test_samples_on_which_the_test_is_undefined_do_not_reject_and_are_counted():
    u = np.array([0.0] * 9 + [1.0])
    curve = power_curve(u, 0 * u, test="t", sizes=[2], n_runs=100)
    assert curve.n_undefined > 50
    assert curve.power[0] < 0.05


def test_curves_are_reproducible_by_their_seed():
    one, two = (power_curve(U, V, test="bootstrap_mean", n_runs=10, seed=0) for _ in range(2))
    assert np.array_equal(one.power, two.power)
    assert one.n_resamples == 199


def test_a_hypothesised_difference_is_taken_off():
    shifted = power_curve(U, V, test="t", hypothesised=0.4, sizes=[60], n_runs=500)
    same = power_curve(U - 0.4, V, test="t", sizes=[60], n_runs=500)
    assert shifted.power[0] == pytest.approx(same.power[0])


def test_power_of_mcnemar_against_a_margin_is_the_sum_over_all_outcomes():
    u, v = np.repeat([1, 1, 0, 0], [12, 5, 2, 6]), np.repeat([1, 0, 1, 0], [12, 5, 2, 6])
    n, alternative, margin = 12, "greater", -0.25
    exact = 0.0
    for b in range(n + 1):
        for c in range(n - b + 1):
            first, second = np.repeat([1, 0, 1], [b, c, n - b - c]), np.repeat([0, 1], [b, n - b])
            pvalue = mcnemar_test(
                first, second, alternative=alternative, hypothesised=margin
            ).pvalue
            chance = stats.multinomial.pmf([b, c, n - b - c], n, [5 / 25, 2 / 25, 18 / 25])
            exact += chance * (pvalue < 0.05)
    curve = power_curve(
        u,
        v,
        test="mcnemar",
        alternative=alternative,
        hypothesised=margin,
        sizes=[n],
        n_runs=1000,
    )
    assert 0.2 < exact < 0.9
    assert curve.n_undefined == 0
    assert curve.power[0] == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 1000))


def test_power_of_mcnemar_does_not_depend_on_what_the_two_values_are():
    rng = np.random.default_rng(5)
    u, v = rng.integers(0, 2, size=(2, 40))
    plain = power_curve(u, v, test="mcnemar", sizes=[30], n_runs=50)
    scaled = power_curve(0.1 + 0.2 * u, 0.1 + 0.2 * v, test="mcnemar", sizes=[30], n_runs=50)
    assert plain.n_undefined == scaled.n_undefined == 0
    assert plain.power[0] == scaled.power[0]


def test_default_sizes_end_at_n():
    assert default_sizes(2001)[-1] == 2001
    assert default_sizes(30) == [5, 6, 9, 12, 15, 18, 21, 24, 27, 30]
    assert default_sizes(1) == [2]


def test_wilson_interval_agrees_with_scipy():
    low, high = wilson_interval([0, 3, 50], 50)
    for index, successes in enumerate((0, 3, 50)):
        expected = stats.binomtest(successes, 50).proportion_ci(method="wilson")
        assert (low[index], high[index]) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_wilson_interval_of_all_or_nothing_ends_at_the_bound():
    low, high = wilson_interval([0, 200], 200)
    assert low[0] == 0.0
    assert high[1] == 1.0


def test_detectable_effect_of_the_t_test_agrees_with_the_closed_form():
    x = stats.norm.ppf((np.arange(400) + 0.5) / 400)
    found = detectable_effect(x, 0 * x, test="t", n_runs=1000)
    assert found == pytest.approx(detectable_effect_t(400, sd=x.std(ddof=1)), rel=0.06)


@pytest.mark.parametrize("test", ROW_TESTS)
def test_power_at_the_detectable_effect_is_the_target(test):
    x = stats.logistic.ppf((np.arange(101) + 0.5) / 101)
    options = SignificanceOptions(n_resamples=99)
    found = detectable_effect(x, 0 * x, test=test, n_runs=100, options=options)
    curve = power_curve(
        x, 0 * x, test=test, effect=found, sizes=[101], n_runs=200, options=options, seed=5
    )
    assert curve.power[0] == pytest.approx(0.8, abs=0.13)


def test_items_that_tie_stay_tied():
    x = np.concatenate([np.zeros(300), np.random.default_rng(41).normal(size=100)])
    assert detectable_effect(x, 0 * x, test="permutation_median", n_runs=50) == math.inf
    sign = detectable_effect(x, 0 * x, test="sign", n_runs=200)
    assert 0.02 < sign < 0.5


def test_detectable_effect_of_constant_differences_is_undefined():
    assert math.isnan(detectable_effect([2, 3, 4], [1, 2, 3], test="t"))


def test_bad_arguments_are_refused():
    with pytest.raises(InputError, match="`method` must be one of"):
        power_curve(U, V, method="exact")
    with pytest.raises(InputError, match="`test` must be one of"):
        power_curve(U, V, test="mcnemar", method="montecarlo")
    with pytest.raises(InputError, match="`sizes` must be at least 2"):
        power_curve(U, V, sizes=[1])
    with pytest.raises(InputError, match="`test` must be one of"):
        detectable_effect(U, V, test="aso")
    with pytest.raises(InputError, match="`power` must exceed `alpha`"):
        detectable_effect(U, V, power=0.05)


@pytest.mark.parametrize("test", ["t", "permutation_mean"])
def test_ties_do_not_stay_at_a_null_value_that_is_not_theirs(test):
    # Half of the items tie. Against 0 they stay tied; against 0.5 all differences move alike, and
    # the t test has its closed form.
    rng = np.random.default_rng(97)
    d = np.where(rng.random(80) < 0.5, 0.0, rng.normal(size=80))
    closed = detectable_effect_t(80, sd=float(d.std(ddof=1)))
    found = detectable_effect(d, 0 * d, test=test, hypothesised=0.5, n_runs=400)
    assert found == pytest.approx(closed, rel=0.1)
    assert found != detectable_effect(d, 0 * d, test=test, n_runs=400)
