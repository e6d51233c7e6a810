"""Monte Carlo draws: shares, intervals and early stopping."""

import math

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from sigcore.permutation.montecarlo import (
    Draws,
    confidence_sequence,
    draw_sums,
    exact_interval,
)
from sigcore.seeding import generator

COUNTS = np.array([3, 1, 4, 1, -5, 9, 2, -6])  # P(S >= 9) = 74/256, P(S = 9) = 12/256


def draws_of(differences: np.ndarray, n_resamples: int, **options: object) -> Draws:
    settings: dict[str, object] = {"alternative": "greater", **options}
    return draw_sums(
        differences,
        n_resamples=n_resamples,
        rng=generator(0, "test"),
        **settings,  # type: ignore[arg-type]
    )


def test_estimators_count_the_observed_result_or_not() -> None:
    draws = Draws(beyond=3, tied=2, n_drawn=99)
    assert draws.pvalue(ties="ge", estimator="plus-one") == 6 / 100
    assert draws.pvalue(ties="ge", estimator="plain") == 5 / 99
    assert draws.pvalue(ties="mid", estimator="plain") == 4 / 99
    assert draws.pvalue(ties="mid", estimator="plus-one") == 4.5 / 100


@pytest.mark.parametrize(
    ("alternative", "share"),
    [("greater", 0.2890625), ("less", 1 - 0.2890625 + 12 / 256), ("two-sided", 0.578125)],
)
def test_shares_of_many_draws_are_close_to_the_exact_ones(alternative: str, share: float) -> None:
    draws = draws_of(COUNTS, 200_000, alternative=alternative)
    found = draws.pvalue(ties="ge", estimator="plain")
    assert found == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / 200_000))


def test_ties_on_a_grid_are_all_seen() -> None:
    draws = draws_of(COUNTS, 100_000)
    assert draws.tied / 100_000 == pytest.approx(12 / 256, abs=0.003)
    # As real numbers with rounding errors the same sums tie within the tolerance.
    real = draws_of(COUNTS * 0.1, 100_000)
    assert (real.beyond, real.tied) == (draws.beyond, draws.tied)


def test_draws_do_not_depend_on_the_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = draws_of(COUNTS, 5000)
    monkeypatch.setattr("sigcore.permutation.montecarlo._CHUNK", 77)
    assert draws_of(COUNTS, 5000) == whole


def test_large_integers_are_summed_exactly() -> None:
    # Beyond single precision: sums would tie by rounding.
    differences = np.array([2**40, 1, 1, -(2**40)])
    draws = draws_of(differences, 20_000)
    # S >= 2 is: both small ones up with the large ones cancelling, or both large ones up.
    assert draws.tied / 20_000 == pytest.approx(1 / 8, abs=0.01)
    assert draws.beyond / 20_000 == pytest.approx(1 / 4, abs=0.015)


def test_no_difference_ties_every_draw() -> None:
    assert draws_of(np.zeros(4, dtype=np.int64), 50) == Draws(0, 50, 50)


@pytest.mark.parametrize("count", [0, 1, 37, 99, 100])
def test_the_interval_is_that_of_clopper_and_pearson(count: int) -> None:
    reference = binomtest(count, 100).proportion_ci(0.95, method="exact")
    low, high = exact_interval(Draws(count, 0, 100), ties="ge")
    assert (low, high) == pytest.approx((reference.low, reference.high), abs=1e-12)


def test_the_interval_of_a_mid_p_value_covers_both_ends_of_the_ties() -> None:
    draws = Draws(beyond=10, tied=20, n_drawn=100)
    low, high = exact_interval(draws, ties="mid")
    assert low == exact_interval(Draws(10, 0, 100), ties="ge")[0]
    assert high == exact_interval(Draws(30, 0, 100), ties="ge")[1]


def test_the_confidence_sequence_solves_its_equation() -> None:
    low, high = confidence_sequence(Draws(30, 5, 200), ties="ge", risk=0.001)
    assert 201 * binom.pmf(35, 200, low) == pytest.approx(0.001, rel=1e-9)
    assert 201 * binom.pmf(35, 200, high) == pytest.approx(0.001, rel=1e-9)
    assert low < 35 / 200 < high


def test_the_confidence_sequence_ends_at_0_and_1() -> None:
    assert confidence_sequence(Draws(0, 0, 10), ties="ge", risk=0.01)[0] == 0.0
    assert confidence_sequence(Draws(10, 0, 10), ties="ge", risk=0.01)[1] == 1.0


def test_a_clear_case_stops_early_and_a_close_one_does_not() -> None:
    clear = draws_of(np.ones(40, dtype=np.int64), 100_000, alpha=0.05)
    assert clear.n_drawn <= 1000
    close = draws_of(COUNTS, 20_000, alpha=0.2890625)
    assert close.n_drawn == 20_000


def test_early_decisions_are_wrong_at_most_as_often_as_stated() -> None:
    # P = 0.2890625 against a level of 0.27: many looks, so a fixed-sample interval would err often.
    risk, wrong = 0.05, 0
    for seed in range(200):
        draws = draw_sums(
            COUNTS,
            alternative="greater",
            n_resamples=20_000,
            rng=generator(seed, "risk"),
            alpha=0.27,
            risk=risk,
        )
        low, high = confidence_sequence(draws, ties="ge", risk=risk)
        wrong += not low <= 0.2890625 <= high
    assert wrong <= binom.ppf(0.999, 200, risk)
