import math

import numpy as np
import pytest
from scipy import integrate, stats
from scipy.special import chdtrc, ndtr

from sigcore.comparison.effect_size import cohens_d, noncentrality_interval
from sigcore.comparison.noncentral import noncentral_interval_end, noncentral_t_cdf
from sigcore.comparison.power import power_t
from sigcore.comparison.results import Hypothesis


def by_adaptive_quadrature(t, freedom, centre):
    """P(T <= t), t > 0, over the normal part: P(Z + centre <= 0) and then P(S >= x / t)."""
    spread = t / math.sqrt(2 * freedom)
    points = [p for p in (t - 8 * spread, t, t + 8 * spread) if 0 < p < centre + 9]
    value, _ = integrate.quad(
        lambda x: stats.norm.pdf(x - centre) * chdtrc(freedom, freedom * (x / t) ** 2),
        max(0.0, centre - 9),
        max(centre, 0.0) + 9,
        points=[p for p in points if p > centre - 9] or None,
        limit=400,
        epsabs=1e-13,
        epsrel=1e-12,
    )
    return ndtr(-centre) + value


@pytest.mark.parametrize("freedom", [1, 2, 5, 30, 199, 499, 999, 2000, 24_999])
def test_agrees_with_adaptive_quadrature(freedom):
    for t in (0.05, 1.0, 2.3, 7.0, 30.0, 200.0):
        for centre in (-6.0, -1.0, 0.0, t - 2.0, t, t + 2.0, 1.3 * t):
            expected = by_adaptive_quadrature(t, freedom, centre)
            assert noncentral_t_cdf(t, freedom, centre) == pytest.approx(expected, abs=1e-11)


def test_is_the_central_t_distribution_without_a_centre():
    for freedom in (1, 3, 40, 5000):
        for t in (-50.0, -3.0, -0.2, 0.0, 0.7, 4.0, 80.0):
            expected = stats.t.cdf(t, freedom)
            assert noncentral_t_cdf(t, freedom, 0.0) == pytest.approx(expected, rel=1e-10)


def test_is_finite_and_falls_with_the_centre_everywhere():
    for freedom in (3, 49, 199, 500, 1000, 2000):
        for t in (-7.0, 0.0, 2.0, 4.5, 7.1, 11.2, 895.0):
            centres = np.linspace(-12.0, 1.4 * abs(t) + 12.0, 300)
            found = np.array([noncentral_t_cdf(t, freedom, centre) for centre in centres])
            assert np.all(np.diff(found) <= 1e-14)
            assert np.all((found >= 0.0) & (found <= 1.0))


def test_small_tails_keep_their_digits():
    # scipy 1.17, where it does not fail
    for t, freedom, centre in ((-5.0, 20, 1.0), (-30.0, 5, 0.5), (-2.0, 400, 4.0)):
        expected = stats.nct.cdf(t, freedom, centre)
        assert noncentral_t_cdf(t, freedom, centre) == pytest.approx(expected, rel=1e-8)


def test_interval_ends_invert_the_distribution():
    rng = np.random.default_rng(71)
    for freedom in (1, 9, 200, 777, 2000):
        for t in (*rng.normal(0, 3, 4), 12.0, 300.0):
            for probability in (0.005, 0.025, 0.5, 0.975, 0.995):
                end = noncentral_interval_end(t, freedom, probability)
                assert noncentral_t_cdf(t, freedom, end) == pytest.approx(probability, abs=1e-10)


@pytest.mark.parametrize("n", [200, 500, 700, 1000, 1500, 2000, 3000, 5000, 25_000])
def test_intervals_of_d_are_near_the_large_sample_ones(n):
    # Hedges and Olkin (1985): var(d) is about 1/n + d^2 / (2n). A search that meets a NaN of
    # scipy's function ends far from it, at n = 500 for d = 0.185, at n = 5000 for d = 1.4.
    for d in (*np.arange(-40, 41) * 0.005, 0.5, 1.0, 1.4, 1.48, 3.0):
        found = noncentrality_interval(d * math.sqrt(n), n - 1, Hypothesis(confidence=0.95))
        half = 1.96 * math.sqrt(1.0 / n + d * d / (2.0 * n))
        ends = found.low / math.sqrt(n), found.high / math.sqrt(n)
        assert ends == pytest.approx((d - half, d + half), abs=0.1 * half)


@pytest.mark.parametrize("n", [200, 500, 1000])
def test_intervals_of_d_cover_in_samples_of_hundreds(n):
    rng = np.random.default_rng(72)
    runs, truth = 400, 0.2
    samples = rng.normal(truth, 1.0, size=(runs, n))
    inside = sum(truth in cohens_d(row, 0 * row).interval for row in samples)
    assert inside / runs == pytest.approx(0.95, abs=3.7 * math.sqrt(0.95 * 0.05 / runs))


def test_power_has_no_jump_in_the_sample_size():
    powers = [power_t(n, 0.2) for n in range(2, 1500, 7)]
    assert np.all(np.diff(powers) >= -1e-12)
    assert max(np.diff(powers)) < 0.04


# t, degrees of freedom, centre and P(T <= t) by mpmath 1.4.1: the integral over S in 30 digits.
MPMATH = (
    (4.14, 3, 6.14, 0.11488449285259922),
    (-0.5, 10, 1.5, 0.024086572471230267),
    (40.0, 199, 42.0, 0.17973802063771926),
    (9.0, 499, 7.0, 0.9725368256294884),
    (4.14, 499, -5.3, 1.0),
    (-3.0, 777, -5.0, 0.9769890383830494),
    (40.0, 999, 38.0, 0.9311399273255669),
    (300.0, 1999, 302.0, 0.3364212514955826),
    (2.0, 2000, 4.0, 0.02279062936761001),
    (9.0, 4999, 11.0, 0.023164011514282042),
)


@pytest.mark.parametrize(("t", "freedom", "centre", "expected"), MPMATH)
def test_agrees_with_thirty_digits(t, freedom, centre, expected):
    assert noncentral_t_cdf(t, freedom, centre) == pytest.approx(expected, abs=2e-14)
