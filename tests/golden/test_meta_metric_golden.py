"""Meta-metrics against mt-metrics-eval; its values and their source are in meta_metrics.json.

The scores are made from Python's own random numbers, whose sequence is the same in every version.
"""

import json
import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from sigcore.errors import DegenerateDataWarning
from sigcore.evalset import Selection, select
from sigcore.io.mtme import read_evalset
from sigcore.meta.correlation import correlate_segments, correlate_systems
from sigcore.meta.correlation_tests import williams_test
from sigcore.meta.pdp import pairwise_difference_pearson
from sigcore.meta.registry import META_METRICS
from sigcore.meta.tie_calibration import acc_eq
from sigcore.meta.ties import kendall_like, kendall_tau
from sigcore.testsets import load_testset

FloatArray = npt.NDArray[np.float64]

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parent / "meta_metrics.json").read_text(encoding="utf-8")
)
CASES = GOLDEN["cases"]
# Sums of a few hundred terms in another order.
TOLERANCE = 1e-12


def make_scores(case: dict[str, Any]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return gold and two metrics, systems x items, by the recipe of a case."""
    rng = random.Random(case["seed"])
    shape = (case["n_systems"], case["n_items"])

    def draw(levels: int, step: float) -> FloatArray:
        numbers = [rng.random() * levels for _ in range(shape[0] * shape[1])]
        if step:
            numbers = [math.floor(number) * step for number in numbers]
        return np.array(numbers).reshape(shape)

    gold = draw(case["gold_levels"], case["gold_step"])
    metric = draw(case["metric_levels"], case["metric_step"]) + case["strength"] * gold
    other = draw(case["metric_levels"], case["metric_step"])
    for item in range(shape[1]):
        for system in range(shape[0]):
            # Every fifth item has gold for at most one system.
            emptied = case["share_missing"] > 0 and item % 5 == 4 and system > item % 2 - 1
            if emptied or rng.random() < case["share_missing"]:
                gold[system, item] = np.nan
    return gold, metric, other


def values_of(prefix: str) -> list[Any]:
    """Return (case, key, expected) of all entries whose key begins with `prefix` and a space."""
    return [
        pytest.param(case, key.split(" ")[1:], expected, id=f"{case['name']}: {key}")
        for case in CASES
        for key, expected in case["values"].items()
        if key.split(" ")[0] == prefix
    ]


def check_average(score: Any, expected: list[float], grouping: str) -> None:
    value, n_groups = expected
    assert score.value == pytest.approx(value, abs=TOLERANCE)
    if grouping != "none":
        assert score.n_used == n_groups


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "tau-b", "tau-c"])
def test_correlations_equal_those_of_mt_metrics_eval(coefficient: str) -> None:
    for entry in values_of(coefficient):
        case, (name,), expected = entry.values
        gold, metric, _ = make_scores(case)
        grouping, _, zero = name.partition("-")
        options = {"grouping": grouping, "undefined": "zero" if zero else "leave-out"}
        if coefficient.startswith("tau"):
            score = kendall_tau(gold, metric, variant=coefficient[-1], **options)
        else:
            score = correlate_segments(gold, metric, coefficient=coefficient, **options)
        check_average(score, expected, grouping)


@pytest.mark.parametrize("variant", ["23", "acc23", "b"])
def test_tau_variants_equal_those_of_mt_metrics_eval(variant: str) -> None:
    for entry in values_of(variant):
        case, (grouping, epsilon), expected = entry.values
        gold, metric, _ = make_scores(case)
        score = kendall_tau(
            gold, metric, variant=variant, grouping=grouping, epsilon=float(epsilon)
        )
        check_average(score, expected, grouping)


@pytest.mark.parametrize(("case", "key", "expected"), values_of("acc-eq"))
def test_acc_eq_and_its_threshold_equal_those_of_mt_metrics_eval(
    case: dict[str, Any], key: list[str], expected: list[float]
) -> None:
    gold, metric, _ = make_scores(case)
    score = acc_eq(gold, metric, grouping=key[0])
    assert score.value == pytest.approx(expected[0], abs=TOLERANCE)
    assert score.extra["epsilon"] == expected[1]


@pytest.mark.parametrize(("case", "key", "expected"), values_of("kendall-like"))
def test_kendall_like_equals_that_of_mt_metrics_eval(
    case: dict[str, Any], key: list[str], expected: list[float]
) -> None:
    gold, metric, _ = make_scores(case)
    options: dict[str, Any] = {"grouping": key[0], "threshold": float(key[1])}
    if expected[1] == 0:  # mt-metrics-eval says 0 where no pair is far enough apart
        with pytest.warns(DegenerateDataWarning, match="no gold scores of a pair differ by"):
            assert math.isnan(kendall_like(gold, metric, **options).value)
        return
    score = kendall_like(gold, metric, **options)
    assert score.value == pytest.approx(expected[0], abs=TOLERANCE)
    assert score.n_used == expected[1]


@pytest.mark.parametrize(("case", "key", "expected"), values_of("pdp"))
def test_pairwise_difference_pearson_equals_that_of_mt_metrics_eval(
    case: dict[str, Any], key: list[str], expected: list[float]
) -> None:
    gold, metric, _ = make_scores(case)
    score = pairwise_difference_pearson(gold, metric, grouping=key[0])
    assert score.value == pytest.approx(expected[0], abs=TOLERANCE)


def test_system_level_values_equal_those_of_mt_metrics_eval() -> None:
    case = next(case for case in CASES if case["share_missing"] == 0)
    gold, metric, other = make_scores(case)
    for name in ("pearson", "spearman", "kendall"):
        score = correlate_systems(gold, metric, coefficient=name)
        assert score.value == pytest.approx(case["values"][f"{name}-sys"][0], abs=TOLERANCE)
    n_agree, n_pairs = case["values"]["agreement"]
    assert META_METRICS["pa"](gold, metric).value == n_agree / n_pairs
    pvalue, r_metric, r_other = case["values"]["williams one-sided"]
    alternative = "greater" if r_metric > r_other else "less"
    means = [scores.mean(axis=1) for scores in (gold, metric, other)]
    result = williams_test(*means, alternative=alternative)
    assert result.pvalue == pytest.approx(pvalue, abs=TOLERANCE)
    assert result.correlations[:2] == pytest.approx((r_metric, r_other), abs=TOLERANCE)


def test_values_of_the_tests_of_mt_metrics_eval() -> None:
    # stats_test.py, testKendallLike, testAgreement and testSigDiff.
    gold, metric = [10, 11, 100, 150], [2, 1, 4, 3]
    assert kendall_like(gold, metric).value == 3 / 5
    assert kendall_like(gold, metric, threshold=1).value == pytest.approx(2 / 6)
    column = np.array([[1, 2, 3, 3, 4], [1, 1, 2, 1, 2]], dtype=float)[:, :, None]
    score = META_METRICS["pa"](column[0], column[1])
    assert (score.extra["n_agree"], score.n_used) == (5, 10)
    metrics = [1.1, 2, 3.1, 4, 5.1], [1.5, 2, 3.1, 4, 5.5]
    result = williams_test([1, 2, 3, 4, 5], *metrics, alternative="greater")
    assert result.pvalue == pytest.approx(0.019, abs=5e-4)
    assert result.correlations[:2] == pytest.approx((0.999, 0.987), abs=5e-4)


def test_tie_calibration_of_the_tests_of_mt_metrics_eval() -> None:
    # tau_optimization_test.py, test_regression_example; one row an item.
    nan = np.nan
    metric = np.array(
        [[0, 5, 2, 3, 2], [nan, 2, 1, 5, 3], [9, 1, 5, 3, 8], [9, 3, 4, 4, 1], [nan] * 5]
    )
    human = np.array(
        [[1, 5, 2, 1, 1], [4, 2, 2, 1, 4], [5, 9, 2, 8, 7], [7, 6, nan, 3, 2], [nan] * 5]
    )
    score = acc_eq(human.T, metric.T)
    assert score.value == pytest.approx(0.4916666666666668, abs=TOLERANCE)
    assert score.extra["epsilon"] == 1
    assert (score.n_used, score.n_left_out) == (4, 1)


# WMT23 en-de without human references: values of mt-metrics-eval with its published scores.
@pytest.mark.real_data
def test_acc_eq_of_wmt23_en_de_equals_the_published_values(public_data: Path) -> None:
    root = public_data / "mtme"
    if not (root / "wmt23").is_dir():
        pytest.skip("the public WMT scores are not there")
    facts = load_testset("wmt23").facts("en-de")
    selection = Selection(primary_only=True, human_systems=False)
    evalset, _ = select(read_evalset(root, "wmt23", "en-de"), selection, facts)
    published = {
        "XCOMET-Ensemble": 0.6039855,
        "MetricX-23": 0.6026021,
        "COMET": 0.5740119,
        "BLEURT-20": 0.5721344,
        "CometKiwi": 0.5691700,
    }
    for name, value in published.items():
        scores = evalset.scores[evalset.metric_index(name)]
        assert round(acc_eq(evalset.gold, scores).value, 7) == value
