"""Simulated tagging counts."""

import numpy as np
import pytest
from scipy.stats import truncnorm

from sigcore.errors import InputError
from sigcore.permutation.tagging import tagging_counts


def test_the_same_seed_gives_the_same_counts_and_another_others() -> None:
    first, again, other = (tagging_counts(50, seed=seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first[0], other[0])


def test_counts_follow_the_truncated_normal_laws() -> None:
    u, v = tagging_counts(200_000, seed=3)
    assert u.min() >= 0
    length = truncnorm.mean(-12.08 / 10.60, np.inf, 12.08, 10.60)
    for counts, ratio in ((u, 1.0), (v, 0.98)):
        mean = 0.9543 * ratio
        accuracy = truncnorm.mean(-mean / 0.1116, (1.0 - mean) / 0.1116, mean, 0.1116)
        # Rounding down costs between 0 and 1.
        assert accuracy * length - 1.0 < counts.mean() < accuracy * length


def test_the_second_system_is_a_little_worse() -> None:
    u, v = tagging_counts(100_000, seed=4)
    assert 0.0 < u.mean() - v.mean() < 0.5


@pytest.mark.parametrize("n", [0, -1, 2.5])
def test_a_number_of_sentences_below_1_is_refused(n: float) -> None:
    with pytest.raises(InputError, match="`n` must be"):
        tagging_counts(n, seed=0)  # type: ignore[arg-type]
