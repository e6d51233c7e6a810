import math

import numpy as np
import pytest

from sigcore.comparison.dominance import aso_test, violation_ratio


def test_dominance_at_every_quantile_has_no_violation():
    x = np.random.default_rng(32).normal(size=50)
    result = aso_test(x + 1, x)
    assert result.estimate == 0.0
    assert result.pvalue == 2 / 1000
    assert aso_test(x, x + 1).estimate == 1.0


def test_ratios_of_both_orders_add_up_to_one():
    u, v = np.sort(np.random.default_rng(33).normal(size=(2, 30)), axis=1)
    assert violation_ratio(u, v) + violation_ratio(v, u) == pytest.approx(1.0)


def test_ratio_is_the_share_of_squared_quantile_distance():
    assert violation_ratio(np.array([0.0, 4.0]), np.array([1.0, 2.0])) == pytest.approx(1 / 5)


def test_one_sided_p_values_add_up_to_one():
    u, v = np.random.default_rng(34).normal(size=(2, 40))
    greater, less = (aso_test(u, v, alternative=side).pvalue for side in ("greater", "less"))
    assert greater + less == pytest.approx(1.0)
    assert aso_test(u, v).pvalue == pytest.approx(2 * min(greater, less))


def test_hypothesised_difference_is_taken_from_the_first():
    u, v = np.random.default_rng(35).normal(size=(2, 40))
    shifted = aso_test(u + 3.0, v, hypothesised=3.0)
    assert shifted.estimate == pytest.approx(aso_test(u, v).estimate)


def test_interval_of_a_one_sided_test_starts_at_the_favourable_end():
    u, v = np.random.default_rng(36).normal(size=(2, 40))
    interval = aso_test(u, v, alternative="greater").interval
    assert interval.low == 0.0
    assert 0.0 < interval.high <= 1.0


def test_same_distributions_and_few_pairs_say_why_it_is_not_run():
    assert "same distribution" in aso_test([1, 2, 3, 4, 5], [5, 4, 3, 2, 1]).reason
    result = aso_test([1, 2], [2, 3])
    assert math.isnan(result.pvalue)
    assert "at least 5 pairs; got 2" in result.reason
