import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from sigcore.bayes.folds import EffectiveCounts
from sigcore.bayes.posterior import (
    MEASURES,
    Posterior,
    fold_posterior,
    mean_count_posterior,
    measure_of_counts,
    posterior_of_counts,
)
from sigcore.errors import InputError

COUNTS = EffectiveCounts(40.0, 7.0, 12.0, 1.0)


def f1_by_beta_prime(tp, fp, fn, prior=1.0):
    # Equation 30: F1 = 2 / (2 + X) with X beta-prime of FP + FN + 2 lambda and TP + lambda.
    return stats.betaprime(fp + fn + 2 * prior, tp + prior)


@pytest.mark.parametrize(
    ("measure", "reference"),
    [("precision", stats.beta(41, 8)), ("recall", stats.beta(41, 13))],
)
def test_precision_and_recall_are_beta(measure, reference):
    posterior = posterior_of_counts(COUNTS, measure=measure)
    values = np.linspace(0.3, 0.99, 30)
    np.testing.assert_allclose(posterior.density(values), reference.pdf(values), rtol=1e-12)
    np.testing.assert_allclose(posterior.cdf(values), reference.cdf(values), rtol=1e-11)
    assert posterior.mean == pytest.approx(reference.mean(), rel=1e-13)
    assert posterior.sd == pytest.approx(reference.std(), rel=1e-13)
    np.testing.assert_allclose(
        posterior.equal_tailed_interval(0.9), reference.interval(0.9), rtol=1e-12
    )


def test_f1_interval_has_the_reversed_quantiles_of_the_beta_prime():
    lower, upper = posterior_of_counts(COUNTS, measure="f1").equal_tailed_interval(0.95)
    reference = f1_by_beta_prime(40, 7, 12)
    assert lower == pytest.approx(2 / (2 + reference.ppf(0.975)), rel=1e-9)
    assert upper == pytest.approx(2 / (2 + reference.ppf(0.025)), rel=1e-9)


def test_f1_density_is_that_of_equation_27_with_two_to_the_power_a():
    posterior = posterior_of_counts(COUNTS, measure="f1")
    t = np.linspace(0.5, 0.95, 20)
    reference = f1_by_beta_prime(40, 7, 12).pdf(2 / t - 2) * 2 / t**2
    np.testing.assert_allclose(posterior.density(t), reference, rtol=1e-10)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("prior", [0.5, 1.0, 3.0])
def test_density_integrates_to_one_and_gives_the_moments(measure, prior):
    posterior = posterior_of_counts(COUNTS, measure=measure, prior=prior)

    def moment(power):
        return quad(lambda t: t**power * posterior.density(t), 0, 1, epsabs=1e-12, limit=200)[0]

    assert moment(0) == pytest.approx(1, abs=1e-10)
    assert posterior.mean == pytest.approx(moment(1), abs=1e-10)
    assert posterior.sd == pytest.approx(np.sqrt(moment(2) - moment(1) ** 2), abs=1e-9)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("counts", [(40, 7, 12), (1, 0, 0), (0, 1, 2), (3, 0, 0), (300, 1, 900)])
def test_mode_is_the_peak_of_the_density(measure, counts):
    posterior = posterior_of_counts(EffectiveCounts(*map(float, counts), 1.0), measure=measure)
    values = np.linspace(0, 1, 200_001)
    assert posterior.mode == pytest.approx(values[posterior.density(values).argmax()], abs=1e-5)


def test_mode_under_a_flat_prior_is_the_measure_itself():
    # Equations 5 and 6.
    for measure in ("precision", "recall"):
        posterior = posterior_of_counts(COUNTS, measure=measure)
        assert posterior.mode == pytest.approx(measure_of_counts(COUNTS, measure=measure))


@pytest.mark.parametrize(
    ("a", "b", "mode"), [(0.5, 1.2, 0.0), (1.2, 0.5, 1.0), (0.5, 1.0, 0.0), (1.0, 0.5, 1.0)]
)
def test_mode_lies_at_the_end_where_the_density_is_infinite(a, b, mode):
    assert Posterior("recall", a, b).mode == mode


@pytest.mark.parametrize("parameters", [(1.0, 1.0), (0.5, 0.5), (0.2, 0.7)])
def test_flat_and_two_peaked_densities_have_no_mode(parameters):
    assert np.isnan(Posterior("recall", *parameters).mode)


def test_flat_f1_mode_of_no_counts():
    # Density (1 - f) (2 - f)^-3 up to a factor has its peak at 1/2.
    assert Posterior("f1", 1.0, 2.0).mode == pytest.approx(0.5)
    assert Posterior("f1", 1.0, 3.0).mode == 0.0


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("counts", [(40, 7, 12), (5, 0, 0), (0, 5, 5), (0, 0, 0), (2e4, 900, 800)])
def test_highest_density_interval_is_the_shortest(measure, counts):
    posterior = posterior_of_counts(EffectiveCounts(*map(float, counts), 1.0), measure=measure)
    lower, upper = posterior.highest_density_interval(0.9)
    assert posterior.cdf(upper) - posterior.cdf(lower) == pytest.approx(0.9, abs=1e-9)
    tails = np.linspace(0, 0.1, 2001)
    lengths = posterior.quantile(np.minimum(tails + 0.9, 1)) - posterior.quantile(tails)
    assert upper - lower <= lengths.min() + 1e-9


def test_one_sided_density_has_a_one_sided_interval():
    lower, upper = Posterior("recall", 1.0, 10.0).highest_density_interval(0.95)
    assert lower == pytest.approx(0, abs=1e-15)
    assert upper == pytest.approx(1 - 0.05 ** (1 / 10))


def test_a_posterior_that_is_a_point_has_an_interval_of_no_width():
    for a, b, end in ((120.0, 1e-20, 1.0), (0.5, 1e-30, 1.0), (1e-20, 120.0, 0.0)):
        posterior = Posterior("precision", a, b)
        for interval in (posterior.highest_density_interval(), posterior.equal_tailed_interval()):
            assert interval == pytest.approx((end, end), rel=1e-15, abs=1e-300)


@pytest.mark.parametrize("measure", ["recall", "f1"])
def test_intervals_of_a_credibility_near_one_keep_the_digits_of_the_rest(measure):
    rest = 2.0**-48
    posterior = Posterior(measure, 12.0, 5.0)
    ends = np.array([stats.beta.ppf(rest / 2, 12, 5), stats.beta.isf(rest / 2, 12, 5)])
    expected = 2 * ends / (1 + ends) if measure == "f1" else ends
    found = posterior.equal_tailed_interval(1 - rest)
    assert found == pytest.approx(tuple(expected), rel=1e-12)
    lower, upper = posterior.highest_density_interval(1 - rest)
    assert 0 < lower < upper < 1
    assert upper - lower < expected[1] - expected[0]
    assert posterior.cdf(lower) + posterior.tails(np.array(upper), np.array(1 - upper))[
        1
    ] == pytest.approx(rest, rel=0.01, abs=0)


@pytest.mark.parametrize(("a", "b"), [(1e8, 5e6), (1e8, 1.0), (1.0, 1e8), (3e7, 3e7)])
@pytest.mark.parametrize("measure", ["recall", "f1"])
def test_quantiles_of_huge_counts_invert_the_distribution(a, b, measure):
    posterior = Posterior(measure, a, b)
    p = np.array([1e-6, 0.025, 0.5, 0.975])
    # The digits of a value near 1 limit how well its probability can be known.
    np.testing.assert_allclose(posterior.cdf(posterior.quantile(p)), p, rtol=2e-7)


def test_f1_mean_of_huge_counts_is_near_its_expansion():
    # Delta method: mean of g(Z) = g(m) + g''(m) v / 2 up to O(n^-2), g = 2z/(1+z).
    a, b = 9e7, 1e7
    m, v = 0.9, 0.09 / (1e8 + 1)
    expected = 2 * m / (1 + m) - 4 / (1 + m) ** 3 * v / 2
    posterior = Posterior("f1", a, b)
    assert posterior.mean == pytest.approx(expected, abs=1e-13)
    assert posterior.sd == pytest.approx(np.sqrt(v) * 2 / (1 + m) ** 2, rel=1e-6)


def test_older_posterior_uses_the_mean_counts():
    counts = np.arange(18).reshape(3, 2, 3)
    tp, fp, fn = counts.reshape(6, 3).mean(axis=0)
    posterior = mean_count_posterior(counts, measure="f1")
    assert (posterior.a, posterior.b) == pytest.approx((tp + 1, fp + fn + 2))


def test_prior_enters_f1_twice():
    posterior = fold_posterior(np.zeros((3, 2, 3)), measure="f1", prior=0.5)
    assert (posterior.a, posterior.b) == (0.5, 1.0)


def test_measures_follow_their_definition():
    assert measure_of_counts(COUNTS, measure="precision") == 40 / 47
    assert measure_of_counts(COUNTS, measure="recall") == 40 / 52
    assert measure_of_counts(COUNTS, measure="f1") == pytest.approx(2 * 40 / (80 + 7 + 12))
    assert np.isnan(measure_of_counts(EffectiveCounts(0.0, 0.0, 0.0, 1.0), measure="f1"))


def test_bad_options_are_refused():
    with pytest.raises(InputError, match="`measure`"):
        posterior_of_counts(COUNTS, measure="accuracy")
    with pytest.raises(InputError, match="`prior`"):
        posterior_of_counts(COUNTS, prior=0.0)
    with pytest.raises(InputError, match="`values`"):
        posterior_of_counts(COUNTS).density([1.2])
    with pytest.raises(InputError, match="`credibility`"):
        posterior_of_counts(COUNTS).equal_tailed_interval(1.0)
