"""What is timed gives the right p-values, and what is said about times is right."""

import math

import numpy as np
import pytest

from sigcore.errors import InputError
from sigcore.io.machine import describe_machine
from sigcore.io.schemas import SCHEMAS, table_of
from sigcore.permutation.tagging import tagging_counts
from sigcore.permutation.timing import METHODS, paper_methods, time_methods
from sigcore.permutation.timing_summary import (
    method_label,
    spaced_sizes,
    summarise_timings,
    timing_columns,
)

EVERYTHING = paper_methods(n_resamples=[4000], plain_resamples=4000, scipy_resamples=4000)


@pytest.fixture(scope="module")
def rows():
    return time_methods([12, 40], methods=EVERYTHING, repeats=2, seed=3)


def enumerate_pvalue(u, v):
    """Count the sign choices that reach the observed sum, all 2^n of them."""
    differences = (u - v)[u != v]
    sums = np.zeros(1, dtype=np.int64)
    for value in differences:
        sums = np.concatenate([sums + value, sums - value])
    return float(np.mean(np.abs(sums) >= abs(differences.sum())))


def test_every_method_is_timed_once_a_size_and_repeat(rows):
    found = [(row["method"], row["n_resamples"], row["n"], row["repeat"]) for row in rows]
    expected = [
        (*method, n, repeat) for repeat in (0, 1) for n in (12, 40) for method in EVERYTHING
    ]
    assert found == expected
    assert {name for name, _ in EVERYTHING} == set(METHODS)
    assert all(row["seconds"] > 0 for row in rows)


def test_what_is_timed_is_the_test(rows):
    expected = enumerate_pvalue(*tagging_counts(12, seed=3))
    for row in rows:
        if row["n"] != 12:
            continue
        if row["n_resamples"] is None:
            assert row["pvalue"] == pytest.approx(expected, rel=1e-12)
        else:
            # Five standard errors of 4000 draws.
            margin = 5 * math.sqrt(expected * (1 - expected) / 4000) + 1 / 4001
            assert row["pvalue"] == pytest.approx(expected, abs=margin)


def test_rows_are_the_table_timings(rows):
    table = table_of("timings", rows)
    assert table.schema.names == SCHEMAS["timings"].names == list(rows[0])
    assert table.column("n_resamples").null_count == 3 * 4


def test_progress_is_reported_for_each_measurement():
    calls = []
    time_methods([5, 6], methods=[("exact", None)], repeats=3, progress=lambda: calls.append(1))
    assert len(calls) == 6


def made_up(seconds_of, sizes=(100, 1000, 10_000), repeats=3):
    """Make rows with known times; the second repeat is the fastest."""
    return [
        {
            "method": method,
            "n_resamples": draws,
            "n": n,
            "repeat": repeat,
            "seconds": seconds(n) * (1.0 if repeat == 1 else 3.0),
            "pvalue": 0.5,
        }
        for repeat in range(repeats)
        for n in sizes
        for (method, draws), seconds in seconds_of.items()
    ]


def test_summary_has_the_fastest_times_their_ratio_and_their_growth():
    rows = made_up(
        {
            ("dp", None): lambda n: 1e-9 * n**2,
            ("exact", None): lambda n: 1e-5 * n**0.5,
            ("monte-carlo", 5000): lambda n: 1e-6 * n,
        }
    )
    dp, exact, sampled = summarise_timings(rows)
    assert [dp.method, exact.method, sampled.method] == ["dp", "exact", "monte-carlo"]
    assert dp.seconds == pytest.approx({100: 1e-5, 1000: 1e-3, 10_000: 0.1})
    assert (dp.exponent, exact.exponent, sampled.exponent) == pytest.approx((2, 0.5, 1))
    assert (dp.ratio, exact.ratio, sampled.ratio) == pytest.approx((100, 1, 10))
    assert sampled.label == "Monte Carlo, K = 5,000"


def test_table_for_people_has_milliseconds_and_leaves_out_close_sizes():
    rows = made_up({("exact", None): lambda n: 1e-6 * n}, sizes=(500, 600, 1000, 2_000_000))
    columns = timing_columns(summarise_timings(rows))
    assert columns["method"] == ["exact (tilted inversion)"]
    assert columns["N = 500 (ms)"] == ["0.5"]
    assert columns["N = 2,000,000 (ms)"] == ["2,000"]
    assert "N = 600 (ms)" not in columns
    assert columns["times exact, N = 2,000,000"] == ["1"]
    assert columns["exponent of N"] == ["1.00"]


def test_one_size_has_no_growth():
    rows = made_up({("exact", None): lambda n: 1e-6 * n}, sizes=(500,))
    (summary,) = summarise_timings(rows)
    assert math.isnan(summary.exponent)
    assert timing_columns([summary])["exponent of N"] == [""]


def test_sizes_are_spaced_and_keep_the_largest():
    assert spaced_sizes([10_000, 500, 6000, 1000, 2000, 4000], factor=2.0) == [
        500,
        1000,
        2000,
        4000,
        10_000,
    ]
    assert spaced_sizes([7], factor=2.0) == [7]


def test_labels_name_the_draws():
    assert method_label("scipy", 1000) == "scipy, K = 1,000"
    assert method_label("fft", None) == "FFT convolution"


@pytest.mark.parametrize(
    ("sizes", "options", "message"),
    [
        ([0], {"methods": [("exact", None)]}, "`sizes`"),
        ([5], {"methods": [("exakt", None)]}, "`methods`"),
        ([5], {"methods": [("exact", 100)]}, "`methods` must give draws to methods that draw"),
        ([5], {"methods": [("scipy", None)]}, "`methods` must give draws to methods that draw"),
        ([5], {"methods": [("exact", None)], "repeats": 0}, "`repeats`"),
    ],
)
def test_wrong_arguments_are_named(sizes, options, message):
    with pytest.raises(InputError, match=message):
        time_methods(sizes, **options)


def test_times_without_the_baseline_are_refused():
    with pytest.raises(InputError, match="times of the method 'exact'"):
        summarise_timings(made_up({("dp", None): lambda n: 1e-6 * n}))


def test_machine_names_the_limit_on_threads(monkeypatch):
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    assert describe_machine()["threads"] == "not limited"
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    facts = describe_machine()
    assert facts["threads"] == "OMP_NUM_THREADS = 1"
    assert int(facts["cores"]) >= 1
    assert facts["processor"]
