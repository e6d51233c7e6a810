from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import sici
from scipy.stats import beta

from sigcore.bayes.difference import compare_posteriors, sample_posteriors
from sigcore.bayes.posterior import Posterior
from sigcore.errors import InputError


def beta_ratio(a: int, b: int, i: int, j: int) -> Fraction:
    """B(a + i, b + j) / B(a, b) for whole i, j."""
    value = Fraction(1)
    for k in range(i):
        value *= Fraction(a + k, a + b + k)
    for k in range(j):
        value *= Fraction(b + k, a + b + i + k)
    return value


def exact_below(a1: int, b1: int, a2: int, b2: int) -> Fraction:
    """P(Z2 <= Z1) in fractions: the distribution of Beta(a2, b2) is a binomial tail.

    P(Z2 <= z) is the chance of at least a2 successes in n = a2 + b2 - 1 trials, that is of at
    most b2 - 1 failures, so the sum over failures is short when b2 is small.
    """
    n = a2 + b2 - 1
    return sum(comb(n, k) * beta_ratio(a1, b1, n - k, k) for k in range(b2))


@pytest.mark.parametrize(
    ("first", "second"), list(product([(1, 1), (3, 2), (7, 1), (1, 9), (20, 5)], repeat=2))
)
def test_small_counts_agree_with_fractions(first, second):
    found = compare_posteriors(Posterior("recall", *first), Posterior("recall", *second))
    assert found.h0 == pytest.approx(float(exact_below(*first, *second)), abs=1e-13)
    assert found.h0 + found.h1 == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize(("a1", "a2"), [(10**8, 3 * 10**8), (10**8, 1), (1, 10**8), (5, 10**7)])
def test_huge_counts_without_errors_agree_with_the_closed_form(a1, a2):
    # P(Z2 <= Z1) for Beta(a1, 1) and Beta(a2, 1) is a1 / (a1 + a2).
    found = compare_posteriors(Posterior("recall", a1, 1.0), Posterior("recall", a2, 1.0))
    assert found.h0 == pytest.approx(a1 / (a1 + a2), rel=1e-11)


@pytest.mark.parametrize(("b1", "b2"), [(1, 2), (2, 2), (3, 1), (4, 5)])
def test_huge_counts_with_few_errors_agree_with_fractions(b1, b2):
    # With the roles of z and 1 - z exchanged the sum is short: b - 1 terms of rational factors.
    a1, a2 = 10**8, 10**8 + 3 * 10**7
    total = Fraction(0)
    # P(Z2 <= Z1) = P(1 - Z2 >= 1 - Z1); 1 - Z2 ~ Beta(b2, a2) exceeds y with probability
    # sum over k < b2 of C(n, k) y^k (1 - y)^(n - k), n = a2 + b2 - 1, here in closed form.
    n = a2 + b2 - 1
    log_free = Fraction(1)  # E[(1 - y)^n] = B(b1, a1 + n) / B(b1, a1)
    for k in range(b1):
        log_free *= Fraction(a1 + k, a1 + n + k)
    for k in range(b2):
        # E[y^k (1 - y)^(n - k)] from E[(1 - y)^n] by moving k factors.
        term = log_free * comb(n, k)
        for j in range(k):
            term *= Fraction(b1 + j, a1 + n - 1 - j)
        total += term
    found = compare_posteriors(Posterior("recall", a1, b1), Posterior("recall", a2, b2))
    assert found.h0 == pytest.approx(float(total), rel=1e-10)


def decimal_weights(a: int, b: int, grid: list[Decimal]) -> np.ndarray:
    """Density of the log-odds of Beta(a, b) on a grid, in 50 digits, up to a factor."""
    logs = [a * t - (a + b) * (1 + t.exp()).ln() for t in grid]
    return np.array([float((value - max(logs)).exp()) for value in logs])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((10**8, 5 * 10**6), (10**8 + 2000, 5 * 10**6)),
        ((10**8, 5 * 10**6), (9 * 10**7, 45 * 10**5)),
        ((10**6, 10**6), (10**6 + 1000, 10**6 - 1000)),
    ],
)
def test_huge_counts_agree_with_a_sum_in_fifty_digits(first, second):
    # Sinc quadrature: P = sum_ij f(t_i) g(t_j) s(i - j), s(k) = 1/2 + Si(pi k)/pi, converges
    # exponentially in the step, and needs neither log-beta nor the incomplete beta function.
    with localcontext() as context:
        context.prec = 50
        centre = (Decimal(first[0]) / first[1]).ln()
        step = Decimal((1 / first[0] + 1 / first[1]) ** 0.5) / 4
        grid = [centre + step * k for k in range(-70, 71)]
        f, g = (decimal_weights(*parameters, grid) for parameters in (first, second))
    k = np.subtract.outer(np.arange(len(grid)), np.arange(len(grid)))
    share = 0.5 + sici(np.pi * k)[0] / np.pi
    expected = f @ share @ g / (f.sum() * g.sum())
    found = compare_posteriors(Posterior("f1", *first), Posterior("f1", *second))
    assert found.h0 == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("measure", ["precision", "f1"])
@pytest.mark.parametrize("rope", [0.01, 0.1, 0.6])
@pytest.mark.parametrize("second", [(25.0, 6.0), (3.0, 1.0), (1.0, 40.0)])
def test_region_of_practical_equivalence_agrees_with_a_general_integrator(measure, rope, second):
    first = (30.0, 9.0)

    def to_measure(z):
        return z if measure == "precision" else 2 * z / (1 + z)

    def to_beta(value):
        value = min(max(value, 0.0), 1.0)
        return value if measure == "precision" else value / (2 - value)

    def below(z, margin):
        return beta.pdf(z, *first) * beta.cdf(to_beta(to_measure(z) + margin), *second)

    expected = [quad(below, 0, 1, args=(m,), limit=400, epsabs=1e-12)[0] for m in (-rope, rope)]
    found = compare_posteriors(Posterior(measure, *first), Posterior(measure, *second), rope=rope)
    assert found.h0 == pytest.approx(expected[0], abs=1e-9)
    assert found.h1 == pytest.approx(1 - expected[1], abs=1e-9)
    assert found.h0 + found.h1 + found.rope == pytest.approx(1, abs=1e-13)


def test_two_uniform_variables_differ_by_less_than_a_margin_with_known_probability():
    flat = Posterior("recall", 1.0, 1.0)
    assert compare_posteriors(flat, flat, rope=0.1).rope == pytest.approx(1 - 0.9**2, abs=1e-13)


def test_far_tails_keep_their_digits():
    # P(Z2 <= Z1) with Z1 ~ Beta(1, b), Z2 ~ Beta(a, 1): integral of z^a b (1-z)^(b-1), which is
    # b B(a + 1, b) = 1 / C(a + b, a).
    a, b = 60, 60
    found = compare_posteriors(Posterior("recall", 1.0, b), Posterior("recall", a, 1.0))
    assert found.h0 == pytest.approx(1 / comb(a + b, a), rel=1e-10, abs=0)
    assert found.h0 < 1e-34


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (
            (1120862.358339902, 51.65442686671882),
            (42910307.52322288, 0.9315192856111353),
            3.28750116107102e-83,
        ),
        (
            (3654.7892967976613, 14933.20739166777),
            (4024.752507414464, 9134.0479370376),
            3.56603700513966e-110,
        ),
        # The product of density and tail is steep on one side and slow on the other.
        ((1.75e-28, 0.09), (4.37, 1481047.35), 4.1692581121826e-27),
        ((1.6e-22, 0.07), (3307549.07, 1.56e-28), 1.71723048942057e-48),
    ],
)
def test_tiny_probabilities_agree_with_an_integral_in_150_digits(first, second, expected):
    # In mpmath with 150 digits: by nested Gauss-Legendre integration; the last two by the inverse
    # Mellin transform of a ratio of odds through the saddle point of its products of gammas.
    found = compare_posteriors(Posterior("recall", *first), Posterior("recall", *second))
    assert found.h0 == pytest.approx(expected, rel=1e-10, abs=0)
    assert found.h1 == 1


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((36880211.03, 1.0), (36880000.0, 3.21), 0.10806616663565181),
        ((99990424.5, 9576.0), (99990000.0, 10001.25), 0.001184475216539924),
        ((1e8, 2.0), (99999000.0, 37.88), 7.881886260483981e-11),
    ],
)
def test_counts_of_1e8_agree_with_a_sum_over_a_negative_binomial(first, second, expected):
    # With a whole number b_A, P(B > A) is a finite sum of beta-negative-binomial terms: the first
    # one by mpmath in 50 digits, the others by their ratios in 64-bit mantissas.
    found = compare_posteriors(Posterior("recall", *first), Posterior("recall", *second))
    assert found.h1 == pytest.approx(expected, rel=1e-11, abs=0)


@pytest.mark.parametrize(
    ("measure", "first", "second", "rope", "expected"),
    [
        ("recall", (1.3688, 1.0), (1.0, 112.3776), 0.25, (0.84273392364830, 1.15056369703636e-17)),
        ("f1", (34.2, 16.0), (0.004, 0.002), 0.99, (3.49059478492174e-16, 2.47170113443954e-67)),
    ],
)
def test_tiny_probabilities_beyond_a_region_have_their_digits(
    measure, first, second, rope, expected
):
    # By nested Gauss-Legendre integration in 64-bit mantissas over panels that grow from the
    # centres of both models and from where a moved value leaves (0, 1).
    found = compare_posteriors(Posterior(measure, *first), Posterior(measure, *second), rope=rope)
    assert (found.h0, found.h1) == pytest.approx(expected, rel=1e-12, abs=0)


def test_f1_is_compared_like_its_beta_variable():
    first, second = (41.0, 21.0), (47.0, 18.0)
    f1 = compare_posteriors(Posterior("f1", *first), Posterior("f1", *second))
    plain = compare_posteriors(Posterior("recall", *first), Posterior("recall", *second))
    assert f1.h0 == pytest.approx(plain.h0, abs=1e-13)


def test_probability_has_the_sign_of_the_tables_not_of_algorithm_1():
    better = compare_posteriors(Posterior("recall", 50.0, 50.0), Posterior("recall", 90.0, 10.0))
    assert better.h1 > 0.999
    assert better.decision == "H1"


def test_equal_posteriors_favour_h0():
    twin, nearly = Posterior("f1", 1e8, 1e6), Posterior("f1", 1e8 + 1e-6, 1e6)
    assert compare_posteriors(twin, twin).h0 == 0.5
    # The quadrature itself, one rounding step away from the case that needs none.
    assert compare_posteriors(twin, nearly).h0 == pytest.approx(0.5, abs=1e-9)
    assert compare_posteriors(twin, twin).decision == "H0"
    drawn = Posterior("recall", 2.0, 2.0)
    assert compare_posteriors(drawn, drawn, rope=0.9).decision == "rope"


def test_monte_carlo_lies_within_its_error():
    first, second = Posterior("f1", 90.0, 20.0), Posterior("f1", 95.0, 18.0)
    for rope in (0.0, 0.02):
        exact = compare_posteriors(first, second, rope=rope)
        drawn = sample_posteriors(first, second, rope=rope, n_draws=200_000, seed=0)
        for name in ("h0", "h1", "rope"):
            p = getattr(exact, name)
            error = np.sqrt(p * (1 - p) / 200_000)
            assert abs(getattr(drawn, name) - p) <= 4.5 * error
        assert drawn.h0 + drawn.h1 + drawn.rope == pytest.approx(1)


@pytest.mark.parametrize("rope", [0.0, 0.001, 0.3])
@pytest.mark.parametrize(
    ("first", "second"),
    [
        # No errors and a prior of 0.02: most of Z rounds to 1 in both models.
        ((663.86, 0.02), (685.99, 0.02)),
        ((0.02, 5.0), (0.03, 9.0)),
        ((1e-6, 2e-6), (3e-6, 1e-6)),
    ],
)
def test_monte_carlo_does_not_take_tiny_differences_for_ties(first, second, rope):
    pair = Posterior("recall", *first), Posterior("recall", *second)
    exact = compare_posteriors(*pair, rope=rope)
    drawn = sample_posteriors(*pair, rope=rope, n_draws=200_000, seed=0)
    for name in ("h0", "h1", "rope"):
        p = getattr(exact, name)
        assert abs(getattr(drawn, name) - p) <= 4.5 * np.sqrt(p * (1 - p) / 200_000) + 1e-12


def test_monte_carlo_of_beta_variables_with_a_closed_form():
    # P(Z2 <= Z1) for Beta(a1, 1) and Beta(a2, 1) is a1 / (a1 + a2), also where Z is no float.
    for a1, a2 in ((1e-5, 3e-5), (2e-100, 1e-100), (1e8, 3e8)):
        pair = Posterior("recall", a1, 1.0), Posterior("recall", a2, 1.0)
        drawn = sample_posteriors(*pair, n_draws=100_000, seed=1)
        p = a1 / (a1 + a2)
        assert abs(drawn.h0 - p) <= 4.5 * np.sqrt(p * (1 - p) / 100_000)


def test_seed_fixes_the_draws():
    pair = Posterior("recall", 9.0, 2.0), Posterior("recall", 8.0, 2.0)
    first, again, other = (sample_posteriors(*pair, n_draws=1000, seed=s) for s in (0, 0, 1))
    assert first == again
    assert first != other


def test_different_measures_are_refused():
    with pytest.raises(InputError, match="one measure"):
        compare_posteriors(Posterior("recall", 2.0, 2.0), Posterior("f1", 2.0, 2.0))


@pytest.mark.parametrize("rope", [-0.1, 1.0, float("nan"), "x", None])
def test_impossible_regions_are_refused(rope):
    with pytest.raises(InputError, match="`rope`"):
        compare_posteriors(Posterior("f1", 2.0, 2.0), Posterior("f1", 2.0, 2.0), rope=rope)


def test_draws_are_held_in_memory_in_parts(monkeypatch):
    pair = Posterior("f1", 30.0, 9.0), Posterior("f1", 28.0, 9.5)
    monkeypatch.setattr("sigcore.bayes.difference._DRAWS", 7_000)
    for rope in (0.0, 0.02):
        drawn = sample_posteriors(*pair, rope=rope, n_draws=100_000, seed=1)
        exact = compare_posteriors(*pair, rope=rope)
        assert drawn.h0 == pytest.approx(exact.h0, abs=0.008)
        assert drawn.h1 == pytest.approx(exact.h1, abs=0.008)
        assert drawn.h0 + drawn.h1 + drawn.rope == pytest.approx(1, abs=1e-14)
    with pytest.raises(InputError, match="`n_draws` must be at most 100000000"):
        sample_posteriors(*pair, n_draws=10**11)


@pytest.mark.parametrize(
    ("n", "a", "b"), [(115_419_085, 72, 16), (10**8, 30, 15), (4_000, 7, 60), (10**6, 1, 40)]
)
def test_tiny_probabilities_have_their_digits(n, a, b):
    # A ~ Beta(n, 1) is below z with probability z^n, so P(B > A) = E[B^n], B ~ Beta(a, b).
    exact = Fraction(1)
    for k in range(b):
        exact *= Fraction(a + k, a + n + k)
    first, second = Posterior("recall", n, 1.0), Posterior("recall", a, b)
    found = compare_posteriors(first, second)
    assert 0 < found.h1 < 1e-20
    assert found.h1 == pytest.approx(float(exact), rel=1e-11, abs=0)
    assert found.h0 == 1.0
    assert compare_posteriors(second, first).h0 == found.h1
    # A region of next to no width takes the other way round, on the scale of the measure.
    assert compare_posteriors(first, second, rope=1e-15).h1 == pytest.approx(
        found.h1, rel=1e-4, abs=0
    )


def test_probabilities_below_all_floats_are_nought():
    found = compare_posteriors(Posterior("recall", 1e8, 1.0), Posterior("recall", 1.0, 1e8))
    assert (found.h0, found.h1) == (1.0, 0.0)
