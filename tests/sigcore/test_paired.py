"""The paired permutation test: definition, limits, methods, errors."""

import itertools
import math

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import permutation_test

from sigcore.errors import InputError, MemoryLimitError
from sigcore.permutation.paired import paired_permutation_test
from sigcore.permutation.tagging import tagging_counts

ALTERNATIVES = ("two-sided", "greater", "less")
EXACT_METHODS = ("auto", "exact", "enumerate", "dp", "fft")


def enumerated(differences: npt.ArrayLike, alternative: str, ties: str) -> float:
    d = np.asarray(differences)
    sums = np.array(list(itertools.product((1, -1), repeat=d.size))) @ d
    observed = d.sum()
    if alternative == "two-sided":
        sums, observed = np.abs(sums), abs(observed)
    elif alternative == "less":
        sums, observed = -sums, -observed
    tied = np.abs(sums - observed) <= 1e-9
    beyond = (sums > observed) & ~tied
    return float(np.mean(beyond) + np.mean(tied) * (0.5 if ties == "mid" else 1.0))


@pytest.mark.parametrize("ties", ["ge", "mid"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("method", EXACT_METHODS)
def test_counts_equal_enumeration(method: str, alternative: str, ties: str) -> None:
    rng = np.random.default_rng(0)
    for n in (1, 2, 5, 11):
        u, v = rng.integers(0, 6, (2, n))
        result = paired_permutation_test(u, v, method=method, alternative=alternative, ties=ties)
        truth = enumerated(u - v, alternative, ties)
        assert result.pvalue == pytest.approx(truth, rel=1e-13)
        assert result.log_pvalue == pytest.approx(math.log(truth), abs=1e-13)


@pytest.mark.parametrize("ties", ["ge", "mid"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_scores_on_a_grid_and_real_scores_equal_enumeration(alternative: str, ties: str) -> None:
    rng = np.random.default_rng(1)
    grid = rng.integers(0, 300, (2, 11)) / 10
    real = rng.normal(size=(2, 11))
    for u, v in (grid, real):
        result = paired_permutation_test(u, v, alternative=alternative, ties=ties)
        assert result.pvalue == pytest.approx(enumerated(u - v, alternative, ties), rel=1e-13)
        assert result.certified


def test_greater_means_that_u_is_better() -> None:
    u, v = [3, 4, 5, 6, 7], [1, 1, 1, 1, 1]
    assert paired_permutation_test(u, v, alternative="greater").pvalue == 2.0**-5
    assert paired_permutation_test(u, v, alternative="less").pvalue == 1.0
    assert paired_permutation_test(u, v).statistic == 4.0


@pytest.mark.parametrize("method", [*EXACT_METHODS, "analytic", "monte-carlo"])
def test_identical_systems_have_p_one_and_mid_p_one_half(method: str) -> None:
    scores = [3, 1, 4, 1, 5]
    two_sided = paired_permutation_test(scores, scores, method=method)
    assert two_sided.pvalue == 1.0
    assert two_sided.n_nonzero == 0
    assert two_sided.n == 5
    mid = paired_permutation_test(scores, scores, method=method, ties="mid", alternative="greater")
    assert mid.pvalue == 0.5


def test_a_sum_of_zero_has_two_sided_p_one() -> None:
    for method in (*EXACT_METHODS, "analytic"):
        result = paired_permutation_test([2, 0, 1], [0, 2, 1], method=method)
        assert result.pvalue == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("scale", [1, 0.1])
def test_analytic_sees_that_a_sum_is_zero(scale: float) -> None:
    # 5, 4, 3, 2, 1 over 5 do not add up to exactly 0 again, once their signs differ.
    differences = np.array([5, 4, 3, -2, -1, 4, -5, -3, -4, 1, -2, 3, -3, -1, 1])
    assert differences.sum() == 0
    result = paired_permutation_test(
        scale * differences, np.zeros(15), method="analytic", ties="mid"
    )
    truth = enumerated(differences, "two-sided", "mid")
    assert result.pvalue == pytest.approx(truth, abs=1e-4)
    assert truth < 0.98


def test_the_error_of_a_few_analytic_values_is_seldom_exceeded() -> None:
    rng = np.random.default_rng(3)
    n_exceeded = 0
    for index in range(400):
        n = 2 + index % 9
        differences = rng.integers(-5, 6, n) if index % 2 else rng.standard_cauchy(n)
        result = paired_permutation_test(differences, np.zeros(n), method="analytic")
        error = abs(result.pvalue - enumerated(differences, "two-sided", "ge"))
        n_exceeded += error > result.error_bound * result.pvalue + 1e-12
    assert n_exceeded <= 4


def test_the_result_names_what_was_done() -> None:
    u = np.array([25.2, 3.1, 0.4, 7.0])
    v = np.array([25.1, 2.8, 0.4, 6.5])
    result = paired_permutation_test(u, v, alternative="greater", ties="mid")
    assert result.method == "count"
    assert result.grid_step == pytest.approx(0.1)
    assert (result.n, result.n_nonzero, result.n_blocks) == (4, 3, None)
    assert (result.alternative, result.ties, result.delta) == ("greater", "mid", 0.0)
    assert (result.interval, result.n_resamples, result.seed) == (None, None, None)
    record = result.to_record()
    assert record["pvalue"] == result.pvalue == 2.0**-4
    assert record["interval_low"] is None
    assert "units" not in record


@pytest.mark.parametrize("n", [500, 3000])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_all_exact_methods_agree_on_tagging_counts(n: int, alternative: str) -> None:
    u, v = tagging_counts(n, seed=2)
    results = {
        method: paired_permutation_test(u, v, method=method, alternative=alternative)
        for method in ("exact", "dp", "fft")
    }
    exact = results["exact"]
    assert exact.method == "lattice"
    for result in results.values():
        assert result.pvalue == pytest.approx(exact.pvalue, rel=result.error_bound + 1e-14)
    analytic = paired_permutation_test(u, v, method="analytic", alternative=alternative)
    assert abs(analytic.pvalue - exact.pvalue) <= analytic.error_bound * analytic.pvalue


def test_monte_carlo_surrounds_the_exact_value() -> None:
    u, v = tagging_counts(400, seed=3)
    exact = paired_permutation_test(u, v)
    covered = 0
    for seed in range(40):
        drawn = paired_permutation_test(u, v, method="monte-carlo", n_resamples=500, seed=seed)
        assert drawn.interval is not None
        covered += drawn.interval[0] <= exact.pvalue <= drawn.interval[1]
    # 95 % each: fewer than 34 of 40 has a chance of 1.4 %, fewer than 32 of 0.03 %.
    assert covered >= 32


def test_monte_carlo_depends_on_the_seed_alone() -> None:
    u, v = tagging_counts(100, seed=4)

    def run(seed: int) -> float:
        return paired_permutation_test(u, v, method="monte-carlo", seed=seed).pvalue

    assert run(0) == run(0)
    assert run(0) != run(1)


def test_monte_carlo_estimators_differ_by_the_observed_result() -> None:
    u, v = [9] * 30, [1] * 30
    options = {"method": "monte-carlo", "n_resamples": 99}
    plus_one = paired_permutation_test(u, v, **options)  # type: ignore[arg-type]
    plain = paired_permutation_test(u, v, **options, estimator="plain")  # type: ignore[arg-type]
    assert plus_one.pvalue == 0.01
    assert (plain.pvalue, plain.log_pvalue, plain.error_bound) == (0.0, -math.inf, math.inf)
    assert (plain.n_resamples, plain.estimator, plain.seed) == (99, "plain", 0)


def test_a_decided_monte_carlo_test_stops() -> None:
    u, v = tagging_counts(2000, seed=0)
    result = paired_permutation_test(
        u, v, method="monte-carlo", n_resamples=10**6, stop_when_decided=0.5
    )
    assert result.n_resamples is not None
    assert result.n_resamples < 10_000
    assert result.interval is not None
    assert not result.interval[0] <= 0.5 <= result.interval[1]
    exact = paired_permutation_test(u, v).pvalue
    assert result.interval[0] <= exact <= result.interval[1]


def test_scipy_finds_the_same_by_permuting_signs() -> None:
    rng = np.random.default_rng(5)
    u, v = rng.integers(0, 9, (2, 12))
    for alternative in ALTERNATIVES:
        reference = permutation_test(
            (u, v),
            lambda x, y, axis: np.mean(x - y, axis=axis),
            permutation_type="samples",
            alternative=alternative,
            n_resamples=np.inf,
            vectorized=True,
        )
        result = paired_permutation_test(u, v, alternative=alternative)
        assert result.pvalue == pytest.approx(reference.pvalue, rel=1e-12)
        assert result.statistic == pytest.approx(reference.statistic)


def test_blocks_swap_as_a_whole() -> None:
    u, v = np.array([4, 2, 7, 1, 5, 3]), np.array([1, 2, 5, 3, 1, 4])
    blocks = ["b", "a", "b", "c", "a", "c"]
    result = paired_permutation_test(u, v, blocks=blocks, alternative="greater")
    # a: 0 + 4, b: 3 + 2, c: -2 - 1
    assert result.pvalue == enumerated([4, 5, -3], "greater", "ge")
    assert (result.n, result.n_blocks, result.n_nonzero) == (6, 3, 3)
    assert result.statistic == 1.0


def test_blocks_of_one_item_change_nothing_and_tied_grid_sums_stay_tied() -> None:
    rng = np.random.default_rng(6)
    u, v = rng.integers(0, 50, (2, 200)) / 10
    single = paired_permutation_test(u, v, blocks=rng.permutation(200))
    assert single.pvalue == paired_permutation_test(u, v).pvalue
    tenths = np.rint(10 * u).astype(int) - np.rint(10 * v).astype(int)
    labels = np.arange(200) // 7
    by_hand = np.bincount(labels, weights=tenths).astype(int)
    blocked = paired_permutation_test(u, v, blocks=labels)
    assert blocked.pvalue == paired_permutation_test(by_hand, np.zeros_like(by_hand)).pvalue
    assert blocked.grid_step == pytest.approx(0.1)


@pytest.mark.parametrize("delta", [1, 0.5, -2.0, 0.123456, math.sqrt(2.0) / 10])
def test_delta_is_subtracted_from_each_difference(delta: float) -> None:
    rng = np.random.default_rng(7)
    u, v = rng.integers(0, 9, (2, 10))
    result = paired_permutation_test(u, v, delta=delta, alternative="greater")
    truth = enumerated(u - v - delta, "greater", "ge")
    assert result.pvalue == pytest.approx(truth, rel=1e-13)
    assert result.delta == delta
    assert result.statistic == np.mean(u - v)


def test_a_difference_equal_to_delta_carries_no_information() -> None:
    result = paired_permutation_test([0.3, 1.3], [0.1, 0.1], delta=0.2)
    assert result.n_nonzero == 1


def test_the_null_is_the_law_of_the_mean() -> None:
    u, v = tagging_counts(300, seed=8)
    result = paired_permutation_test(u / 10, v / 10, delta=0.05, alternative="greater")
    law = result.null()
    assert law.exact
    assert law.pmf @ law.support == pytest.approx(0.05, abs=1e-12)
    tail = law.pmf[law.support >= result.statistic - 1e-12].sum()
    assert tail == pytest.approx(result.pvalue, rel=1e-10)


def test_the_null_of_real_scores_is_close_to_their_law() -> None:
    rng = np.random.default_rng(9)
    u, v = rng.normal(0.05, 1.0, 600), rng.normal(0.0, 1.0, 600)
    result = paired_permutation_test(u, v, alternative="greater")
    law = result.null()
    assert not law.exact
    assert law.pmf[law.support >= result.statistic].sum() == pytest.approx(result.pvalue, abs=5e-3)


def test_far_tails_are_right_in_logarithms() -> None:
    u, v = np.ones(5000, dtype=int), np.zeros(5000, dtype=int)
    result = paired_permutation_test(u, v)
    assert result.pvalue == 0.0
    assert result.log_pvalue == pytest.approx(-4999 * math.log(2.0), rel=1e-15)


def test_a_million_items_take_little_memory() -> None:
    import tracemalloc

    u, v = tagging_counts(1_000_000, seed=0)
    tracemalloc.start()
    try:
        result = paired_permutation_test(u, v)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert result.method == "lattice"
    assert peak < 100e6


@pytest.mark.parametrize(
    ("u", "v", "options", "message"),
    [
        ([], [], {}, "`u` must not be empty"),
        ([1, 2], [1], {}, "same length; got 2 and 1"),
        ([1.0, np.nan], [1, 2], {}, "`u` must be finite; found nan at index 1"),
        ([1, 2], [np.inf, 2], {}, "`v` must be finite; found inf at index 0"),
        ([[1, 2]], [[1, 2]], {}, "`u` must be 1-dimensional"),
        (["a"], ["b"], {}, "`u` must contain numbers only"),
        ([1.5, 2], [1, 2], {"method": "dp"}, "`u` must contain whole numbers .* found 1.5"),
        ([1, 2], [1, 2.5], {"method": "fft"}, "`v` must contain whole numbers .* index 1"),
        ([1, 2], [1, 3], {"method": "dp", "delta": 0.5}, "`delta` must contain whole numbers"),
        ([1, 2], [1, 3], {"delta": np.nan}, "`delta` must be finite"),
        ([1, 2], [1, 3], {"blocks": [1]}, "`blocks` must have one label for each of 2 items"),
        ([1, 2], [1, 3], {"alternative": "both"}, "`alternative` must be one of"),
        ([1, 2], [1, 3], {"method": "magic"}, "`method` must be one of"),
        ([1, 2], [1, 3], {"ties": "none"}, "`ties` must be one of"),
        ([1, 2], [1, 3], {"method": "monte-carlo", "estimator": "x"}, "`estimator` must be"),
        ([1, 2], [1, 3], {"method": "monte-carlo", "n_resamples": 0}, "`n_resamples` must be"),
        ([1, 2], [1, 3], {"method": "monte-carlo", "seed": -1}, "`seed` must be at least 0"),
        (
            [1, 2],
            [1, 3],
            {"method": "monte-carlo", "stop_when_decided": 1.5},
            "`stop_when_decided` must lie between",
        ),
        (list(range(1, 47)), [0] * 46, {"method": "enumerate"}, "at most 44"),
    ],
)
def test_unusable_input_is_refused_with_what_and_where(
    u: list[float], v: list[float], options: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        paired_permutation_test(u, v, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["dp", "fft"])
def test_too_large_a_convolution_is_refused_with_the_alternative(method: str) -> None:
    u, v = [10**9, 10**9 - 1], [0, 0]
    with pytest.raises(MemoryLimitError, match='"exact" needs far less'):
        paired_permutation_test(u, v, method=method)
    assert paired_permutation_test(u, v).pvalue == 0.5
