"""Arguments of the wrong kind: an error that names the argument, whatever comes."""

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from sigcore.errors import InputError
from sigcore.meta.registry import META_METRICS, meta_metric
from sigcore.permutation.paired import paired_permutation_test
from sigcore.permutation.pairwise import pairwise_pvalues
from sigcore.permutation.prf import prf_permutation_test
from sigcore.permutation.structured import structured_permutation_test

SCORES = ([1, 2, 3], [0, 0, 0])
COUNTS = ([[1, 2, 3], [2, 1, 0]], [[1, 1, 1], [0, 1, 2]])
# None of these is any argument below.
ODD = ["odd", b"odd", [1], {}, -1, float("nan"), object(), 1j, [[1], [2, 3]], 1.5j]


def paired(**options: object) -> object:
    return paired_permutation_test(*SCORES, **options)


def prf(**options: object) -> object:
    return prf_permutation_test(*COUNTS, **options)


def pairwise(**options: object) -> object:
    return pairwise_pvalues(np.array(SCORES), **options)


@pytest.mark.parametrize(
    ("test", "name"),
    [
        *itertools.product(
            (paired, prf), ("alternative", "method", "ties", "n_resamples", "seed", "max_memory")
        ),
        *itertools.product((paired,), ("blocks", "estimator", "stop_when_decided")),
        (prf, "measure"),
        *itertools.product(
            (pairwise,), ("method", "ties", "missing", "blocks", "pairs", "n_resamples", "seed")
        ),
    ],
)
def test_a_wrong_kind_of_option_is_named(test: Callable[..., object], name: str) -> None:
    method = "dp" if name == "max_memory" else "monte-carlo"
    for value in ODD:
        if (name, value) == ("pairs", {}):
            continue  # no pairs at all
        with pytest.raises(InputError, match=f"`{name}`"):
            test(**{"method": method, name: value})


@pytest.mark.parametrize("value", [*ODD, None, {1, 2, 3}, [1j, 2, 3], ["a", "b", "c"]])
def test_a_wrong_kind_of_data_is_named(value: object) -> None:
    with pytest.raises(InputError, match="`u`"):
        paired_permutation_test(value, SCORES[1])
    with pytest.raises(InputError, match="`a`"):
        prf_permutation_test(value, COUNTS[1])
    with pytest.raises(InputError, match="`scores`"):
        pairwise_pvalues(value)


def test_dates_and_masked_counts_are_refused() -> None:
    days = np.array(["2024-01-01"] * 3, dtype="datetime64[D]")
    with pytest.raises(InputError, match="got datetime64"):
        paired_permutation_test(days, SCORES[1])
    masked = np.ma.masked_array(COUNTS[0], mask=[[0, 0, 1], [0, 0, 0]])
    with pytest.raises(InputError, match="`a` must not have masked values"):
        prf_permutation_test(masked, COUNTS[1])


def test_a_delta_that_is_no_number_is_named() -> None:
    for value in ("odd", b"odd", [1, 2], {}, float("nan"), object(), 1j, None):
        with pytest.raises(InputError, match="`delta`"):
            paired(delta=value)


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("acc-23", "epsilon"),
        ("tau-c-seg", "epsilon"),
        ("kendall-like", "threshold"),
        ("acc-eq", "max_memory"),
        ("acc-eq-heldout", "max_memory"),
    ],
)
def test_a_wrong_kind_of_option_of_a_meta_metric_is_named(name: str, option: str) -> None:
    for value in ODD:
        with pytest.raises(InputError, match=f"`{option}`"):
            META_METRICS[name](*np.array([SCORES, SCORES]), **{option: value})


@pytest.mark.parametrize("option", ["max_memory", "tolerance"])
def test_a_wrong_kind_of_option_of_a_structured_test_is_named(option: str) -> None:
    for value in ODD:
        with pytest.raises(InputError, match=f"`{option}`"):
            structured_permutation_test([[1, 2]], [[0, 1]], np.sum, **{option: value})


@pytest.mark.parametrize("value", [*ODD, None, ["spa"]])
def test_what_is_no_name_of_a_meta_metric_is_refused(value: object) -> None:
    with pytest.raises(InputError, match="`meta` must be one of"):
        meta_metric(value)
