import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import beta

from sigcore.bayes.comparison import bayes_test
from sigcore.bayes.difference import compare_posteriors
from sigcore.bayes.posterior import Posterior
from sigcore.bayes.quadrature import beta_nodes, beta_tails

SMALL = [0.5, 0.02, 1e-3, 1e-6, 1e-30, 1e-100]


def each_fold(*counts):
    return [[counts] * 2] * 3


@pytest.mark.parametrize("small", SMALL)
@pytest.mark.parametrize("ratio", [1e-4, 0.3, 1.0 + 1e-9, 7.0, 1e5])
def test_small_parameters_agree_with_the_closed_form(small, ratio):
    # Z = U^(1/a) is Beta(a, 1), so P(Z2 <= Z1) = a1 / (a1 + a2); the mirror image is Beta(1, b).
    left, right = (small, 1.0), (ratio * small, 1.0)
    found = compare_posteriors(Posterior("recall", *left), Posterior("recall", *right))
    assert found.h0 == pytest.approx(1 / (1 + ratio), rel=1e-12)
    mirror = compare_posteriors(Posterior("recall", *left[::-1]), Posterior("recall", *right[::-1]))
    assert mirror.h1 == pytest.approx(1 / (1 + ratio), rel=1e-12)


@pytest.mark.parametrize(
    ("prior", "expected"),
    [
        (0.1, 0.806799689307868108),
        (0.01, 0.757133613052488467),
        (0.001, 0.750731673956586842),
        (1e-6, 0.750000733759514107),
    ],
)
def test_zero_counts_and_a_small_prior_agree_with_an_integral_in_30_digits(prior, expected):
    # By Gauss-Legendre integration in mpmath with 30 digits, the distribution by hyp2f1.
    found = bayes_test(
        each_fold(0, 0, 5), each_fold(0, 5, 5), measure="precision", prior=prior
    ).probability_h0
    assert found == pytest.approx(expected, abs=1e-12)


def test_the_limit_of_no_prior_is_that_of_two_points():
    # A is 0 or 1 with equal chances, B is 0: B < A if A is 1, and either is above if both are 0.
    result = bayes_test(each_fold(0, 0, 5), each_fold(0, 5, 5), measure="precision", prior=1e-100)
    assert result.probability_h0 == pytest.approx(0.75, abs=1e-12)


@pytest.mark.parametrize("rope", [1e-6, 0.01, 0.4])
@pytest.mark.parametrize(("first", "second"), [(0.01, 0.02), (0.001, 3.0), (0.3, 1e-5)])
def test_a_region_of_equivalence_agrees_with_an_integral_over_uniform_variables(
    first, second, rope
):
    # With Z = U^(1/a): P(B > A + rope) = E[1 - (A + rope)^b]; nothing is sharp in U.
    def above(u):
        return 1 - (u ** (1 / first) + rope) ** second

    expected = quad(above, 0, (1 - rope) ** first, epsabs=1e-12, limit=200)[0]
    pair = Posterior("recall", first, 1.0), Posterior("recall", second, 1.0)
    assert compare_posteriors(*pair, rope=rope).h1 == pytest.approx(expected, abs=1e-9)
    assert compare_posteriors(*pair[::-1], rope=rope).h0 == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("a", [0.3, 0.01, 1e-4, 1e-8])
def test_moments_of_f1_agree_with_integrals_over_a_uniform_variable(a):
    def moment(power):
        def integrand(log_u):
            z = np.exp(log_u / a)
            return np.exp(log_u) * (2 * z / (1 + z)) ** power

        near = quad(integrand, -60 * a, 0, epsabs=0, epsrel=1e-12, limit=200)[0]
        return near + quad(integrand, -40, -60 * a, limit=200)[0]

    posterior = Posterior("f1", a, 1.0)
    assert posterior.mean == pytest.approx(moment(1), rel=1e-9, abs=0)
    assert posterior.sd**2 == pytest.approx(moment(2) - moment(1) ** 2, rel=1e-8, abs=0)


@pytest.mark.parametrize(("a", "b"), [(0.02, 5.0), (3.0, 2.0), (1e-3, 1e-3), (40.0, 0.1)])
def test_tails_are_those_of_the_beta_distribution(a, b):
    # On either side the smaller of z and 1 - z has the digits.
    t = np.linspace(-30, 0, 31)
    z = 1 / (1 + np.exp(-t))
    below, above = beta_tails(a, b, t)
    np.testing.assert_allclose(below, beta.cdf(z, a, b), rtol=1e-11)
    np.testing.assert_allclose(above, beta.sf(z, a, b), rtol=1e-11)
    below, above = beta_tails(a, b, -t)
    np.testing.assert_allclose(above, beta.cdf(z, b, a), rtol=1e-11)
    np.testing.assert_allclose(below, beta.sf(z, b, a), rtol=1e-11)


def test_tails_go_on_where_floating_point_numbers_end():
    # Beta(a, 1) lies below z with probability z^a, here z = exp(-5000).
    below, above = beta_tails(0.01, 1.0, np.array([-5000.0, 5000.0]))
    assert below.tolist() == pytest.approx([np.exp(-50), 1.0], rel=1e-6, abs=0)
    assert above[0] == pytest.approx(1.0)
    below, above = beta_tails(1.0, 0.01, np.array([-5000.0, 5000.0]))
    assert above.tolist() == pytest.approx([1.0, np.exp(-50)], rel=1e-6, abs=0)


@pytest.mark.parametrize("parameters", [(1e-3, 5.0), (1e-3, 0.5), (0.2, 1e-4), (1e-6, 1e8)])
def test_nodes_carry_the_whole_distribution(parameters):
    nodes = beta_nodes(*parameters)
    below, _ = beta_tails(*parameters, nodes.log_odds)
    assert nodes.weight.sum() == pytest.approx(1, abs=1e-13)
    # The distribution function of a variable at its own values is uniform.
    assert nodes.weight @ below == pytest.approx(1 / 2, abs=1e-12)
    assert nodes.weight @ below**2 == pytest.approx(1 / 3, abs=1e-12)
