"""Numerical inversion for real values: its error against its own statement of it."""

import math

import numpy as np
import numpy.typing as npt
import pytest

from sigcore.permutation.exact import enumerate_tail, signflip_tail
from sigcore.permutation.inversion import inversion_tail
from sigcore.permutation.tail import ScaledTail

Floats = npt.NDArray[np.float64]


def inverted(differences: Floats) -> ScaledTail:
    """Invert whatever the number of differences, all of distinct size."""
    towards = math.copysign(1.0, differences.sum())
    against = np.abs(differences[differences * towards < 0.0])
    sizes, counts = np.unique(np.abs(differences), return_counts=True)
    return inversion_tail(
        sizes,
        counts.astype(np.float64),
        abs(math.fsum(differences)),
        2.0 * math.fsum(against),
        log_atom=-differences.size * math.log(2.0),
    )


def relative_error(found: ScaledTail, truth: ScaledTail) -> float:
    pvalue = found.tail * math.exp(found.log_scale)
    return abs(pvalue - truth.tail) / truth.tail


@pytest.mark.parametrize("kind", ["normal", "skewed", "heavy", "one-sided", "partly integer"])
def test_the_error_stated_covers_the_error_made(kind: str) -> None:
    rng = np.random.default_rng(len(kind))
    for n in (24, 28, 32):
        for _ in range(3):
            signs = np.where(rng.random(n) < 0.65, 1.0, -1.0)
            differences = {
                "normal": lambda n=n: rng.normal(0.2, 1.0, n),
                "skewed": lambda n=n, signs=signs: rng.exponential(1.0, n) * signs,
                "heavy": lambda n=n: rng.standard_t(2, n),
                "one-sided": lambda n=n, signs=signs: rng.uniform(0.5, 1.5, n) * signs,
                "partly integer": lambda n=n, signs=signs: (
                    np.r_[rng.integers(1, 6, n - 3), rng.normal(0.0, 3.0, 3)] * signs
                ),
            }[kind]()
            found = inverted(differences)
            assert relative_error(found, enumerate_tail(differences).extreme) <= found.error
            assert not found.certified


def test_forty_values_are_good_to_seven_digits() -> None:
    differences = np.random.default_rng(1).normal(0.1, 1.0, 40)
    assert relative_error(inverted(differences), enumerate_tail(differences).extreme) < 1e-7


def test_hidden_relations_widen_the_error_stated() -> None:
    rng = np.random.default_rng(2)
    counts = rng.integers(-6, 9, 300)
    structured = inverted(counts - math.sqrt(2.0) / 10)
    generic = inverted(rng.normal(0.1, 4.0, 300))
    assert structured.error > 1e-4
    assert generic.error < 1e-6


def test_integers_shifted_by_an_odd_number_stay_within_the_error_stated() -> None:
    # The joint law of (sum of signed counts, sum of signs) gives the exact value.
    rng = np.random.default_rng(3)
    n, shift = 120, math.sqrt(2.0) / 10
    counts = rng.integers(-6, 9, n)
    total = int(np.abs(counts).sum())
    law = np.zeros((2 * total + 1, 2 * n + 1))
    law[total, n] = 1.0
    for count in counts.tolist():
        law = 0.5 * (np.roll(law, (count, 1), (0, 1)) + np.roll(law, (-count, -1), (0, 1)))
    sums = np.arange(-total, total + 1)[:, None] - shift * np.arange(-n, n + 1)[None, :]
    differences = counts - shift
    truth = law[sums >= abs(differences.sum()) - 1e-9].sum()
    found = inverted(differences)
    assert abs(found.tail * math.exp(found.log_scale) - truth) / truth <= found.error


def test_normal_values_have_nearly_the_normal_tail() -> None:
    differences = np.random.default_rng(4).normal(0.005, 1.0, 20_000)
    tail = signflip_tail(differences)
    z = differences.sum() / math.sqrt(float((differences**2).sum()))
    assert tail.method == "inversion"
    assert math.exp(tail.log_upper) == pytest.approx(0.5 * math.erfc(z / math.sqrt(2.0)), rel=1e-3)


def test_a_sum_of_zero_has_half_the_probability_on_each_side() -> None:
    sizes = np.random.default_rng(5).uniform(0.5, 1.5, 100)
    tail = signflip_tail(np.r_[sizes, -sizes])
    assert tail.sign == 0
    assert tail.probability("greater", "mid")[0] == pytest.approx(0.5, abs=1e-12)
    assert tail.probability("two-sided", "ge")[0] == 1.0


def test_values_that_all_but_lie_on_a_grid_widen_the_error_stated() -> None:
    rng = np.random.default_rng(5)
    steps = rng.integers(-40, 41, 200)
    steps = steps[steps != 0].astype(np.float64)
    on_grid = signflip_tail(steps)
    off_grid = signflip_tail(steps / 75.0 + 1e-9 * rng.normal(size=steps.size))
    assert off_grid.method == "inversion"
    # The sum off the grid falls somewhere into the atom of the sum on it.
    highest = math.exp(on_grid.log_upper)
    lowest = highest - math.exp(on_grid.log_point)
    found = math.exp(off_grid.log_upper)
    allowed = found * off_grid.error_bound
    assert lowest <= found <= highest
    assert found - allowed <= lowest
    assert highest <= found + allowed
