import tracemalloc

import numpy as np
import pytest

from sigcore.comparison.walsh import n_walsh, pseudomedian, walsh_order_statistic


def walsh_averages(x, self_pairs):
    first, second = np.triu_indices(len(x), 0 if self_pairs else 1)
    return np.sort((x[first] + x[second]) / 2)


def samples():
    rng = np.random.default_rng(5)
    for n in (1, 2, 3, 8, 60, 201):
        yield rng.normal(size=n)
        yield rng.integers(0, 5, n) / 10
        yield rng.standard_cauchy(n)


@pytest.mark.parametrize("self_pairs", [True, False])
def test_pseudomedian_is_the_median_of_all_averages(self_pairs):
    for x in samples():
        if len(x) > 1 or self_pairs:
            expected = np.median(walsh_averages(x, self_pairs))
            assert pseudomedian(x, self_pairs=self_pairs) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("self_pairs", [True, False])
def test_order_statistics_are_those_of_all_averages(self_pairs):
    for x in samples():
        averages = walsh_averages(x, self_pairs)
        assert n_walsh(len(x), self_pairs=self_pairs) == len(averages)
        for rank in {1, len(averages) // 3 + 1, len(averages)} if len(averages) else ():
            found = walsh_order_statistic(np.sort(x), rank, self_pairs=self_pairs)
            assert found == averages[rank - 1]


def test_selection_is_exact_when_it_has_to_narrow_down():
    rng = np.random.default_rng(6)
    for x in (rng.normal(size=700), rng.integers(0, 30, 700) / 10, rng.gamma(0.3, size=700)):
        averages = walsh_averages(x, True)
        for rank in (1, 2, 999, 122_850, 245_349, 245_350):
            assert walsh_order_statistic(np.sort(x), rank) == averages[rank - 1]


def test_equal_values_have_that_value_as_pseudomedian():
    assert pseudomedian(np.full(10_000, 0.3)) == 0.3


def test_25000_values_need_far_less_memory_than_their_averages():
    x = np.random.default_rng(7).normal(size=25_000)
    tracemalloc.start()
    pseudomedian(x)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6
