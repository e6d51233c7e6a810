"""Tests of two systems against R, and against the figures of the NLPStatTest paper."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from sigcore.comparison.assumptions import analyse, check_normality
from sigcore.comparison.compare import compare
from sigcore.comparison.effect_size import hedges_factor
from sigcore.comparison.multiplicity import adjust_pvalues
from sigcore.comparison.power import power_t, sample_size_t
from sigcore.comparison.randomisation import permutation_test
from sigcore.comparison.recommendation import recommend
from sigcore.comparison.reporting import report
from sigcore.comparison.signed_rank import wilcoxon_test
from sigcore.comparison.signs import sign_test
from sigcore.comparison.student import t_test
from sigcore.io.paired import read_pair

GOLDEN = json.loads((Path(__file__).parent / "comparison.json").read_text())
SAMPLES = [np.array(sample) for sample in GOLDEN["samples"]]


def values(function, option):
    return [
        (SAMPLES[sample], alternative, numbers)
        for sample, name, which, alternative, numbers in GOLDEN["values"]
        if (name, which) == (function, option)
    ]


def assert_interval(interval, low, high):
    assert interval.low == pytest.approx(-math.inf if low is None else low, rel=1e-9)
    assert interval.high == pytest.approx(math.inf if high is None else high, rel=1e-9)


def test_t_test_agrees_with_r():
    for d, alternative, (pvalue, statistic, low, high) in values("t.test", "mu=0.1"):
        result = t_test(d, 0 * d, alternative=alternative, hypothesised=0.1)
        assert result.pvalue == pytest.approx(pvalue, rel=1e-10)
        assert result.statistic == pytest.approx(statistic, rel=1e-10)
        assert_interval(result.interval, low, high)


def test_asymptotic_wilcoxon_with_ties_and_continuity_agrees_with_r():
    for d, alternative, (pvalue, statistic) in values("wilcox.test", "correct"):
        result = wilcoxon_test(
            d, 0 * d, alternative=alternative, method="asymptotic", continuity=True
        )
        assert result.pvalue == pytest.approx(pvalue, rel=1e-10)
        assert result.statistic == statistic


def test_exact_wilcoxon_with_ties_agrees_with_exactranktests():
    for d, alternative, (pvalue,) in values("wilcox.exact", "wilcox"):
        result = wilcoxon_test(d, 0 * d, alternative=alternative, method="exact")
        assert result.pvalue == pytest.approx(pvalue, rel=1e-10)


def test_exact_wilcoxon_interval_and_estimate_agree_with_r():
    for d, alternative, (pvalue, low, high, estimate) in values("wilcox.test", "exact"):
        result = wilcoxon_test(d, 0 * d, alternative=alternative, method="exact")
        assert result.pvalue == pytest.approx(pvalue, rel=1e-10)
        assert result.estimate == pytest.approx(estimate, rel=1e-10)
        if len(d) <= 50:  # beyond 50 pairs the ranks of the ends are asymptotic here
            assert_interval(result.interval, low, high)


@pytest.mark.parametrize("option", ["pratt", "pratt-asymptotic"])
def test_pratt_wilcoxon_agrees_with_coin(option):
    method = "exact" if option == "pratt" else "asymptotic"
    for d, alternative, (pvalue,) in values("wilcoxsign_test", option):
        result = wilcoxon_test(d, 0 * d, alternative=alternative, zeros="pratt", method=method)
        assert result.pvalue == pytest.approx(pvalue, rel=1e-9)


def test_sign_test_agrees_with_r():
    for d, alternative, (pvalue,) in values("binom.test", "sign"):
        assert sign_test(d, 0 * d, alternative=alternative).pvalue == pytest.approx(pvalue)


def test_permutation_test_of_the_mean_agrees_with_exactranktests():
    for d, alternative, (pvalue,) in values("perm.test", "mean"):
        whole = np.rint(d * 100)
        result = permutation_test(whole, 0 * whole, alternative=alternative)
        assert result.pvalue == pytest.approx(pvalue, rel=1e-8)


def test_shapiro_wilk_agrees_with_r():
    for d, _, (pvalue, statistic) in values("shapiro.test", ""):
        result = check_normality(d)
        assert result.statistic == pytest.approx(statistic, rel=1e-6)
        assert result.pvalue == pytest.approx(pvalue, rel=1e-4)


def test_power_of_the_t_test_agrees_with_r():
    # power.t.test(type = "paired", strict = TRUE), R 4.2.2
    assert power_t(34, 0.5) == pytest.approx(0.807777501279, rel=1e-11)
    assert power_t(10, 0.5, alternative="greater") == pytest.approx(0.427289826771, rel=1e-11)


def test_sample_sizes_agree_with_noncentral_t():
    # Two-sided, level 0.05, power 0.8: pwr and G*Power give the same.
    assert [sample_size_t(d) for d in (0.1, 0.2, 0.5, 0.8, 1.2)] == [787, 199, 34, 15, 8]


def test_hedges_factors_at_ten_pairs():
    factors = [hedges_factor(10, correction=name) for name in ("nlpstattest", "paired", "exact")]
    assert factors == pytest.approx([0.903226, 0.914286, 0.913875], abs=5e-7)


def test_corrections_agree_with_r():
    # p.adjust(c(0.03, 0.01, 0.02, 0.4, 0.01), method)
    pvalues = [0.03, 0.01, 0.02, 0.4, 0.01]
    holm, bh = [0.06, 0.05, 0.06, 0.4, 0.05], [0.0375, 0.025, 1 / 30, 0.4, 0.025]
    assert adjust_pvalues(pvalues, method="holm") == pytest.approx(holm)
    assert adjust_pvalues(pvalues, method="bh") == pytest.approx(bh)
    assert adjust_pvalues(pvalues, method="bonferroni") == pytest.approx(
        [0.15, 0.05, 0.1, 1.0, 0.05]
    )


# Zhu et al. (2020), Figure 2: mean, median, standard deviation, minimum, maximum.
FIGURE_2 = {
    "first": ("0.28464", "0.25552", "0.15964", "0.02206", "1.00000"),
    "second": ("0.28051", "0.24905", "0.15694", "0.01216", "1.00000"),
    "difference": ("0.00413", "0.00070", "0.11228", "-0.83215", "0.51108"),
}


@pytest.mark.real_data
def test_figure_2_of_nlpstattest_is_reproduced(public_data):
    pair = read_pair(public_data / "paired-scores" / "data-file.txt")
    analysis = analyse(pair.u, pair.v)
    for name, printed in FIGURE_2.items():
        summary = getattr(analysis, name)
        found = (summary.mean, summary.median, summary.sd, summary.minimum, summary.maximum)
        assert tuple(f"{value:.5f}" for value in found) == printed
    assert f"{analysis.skewness:.4f}" == "-0.2637"
    assert not analysis.normality.normal
    assert analysis.statistic == "mean"
    preferred = [item.test for item in recommend(analysis) if item.grade == "preferred"]
    assert preferred == ["wilcoxon"]


@pytest.mark.real_data
def test_the_report_prints_figure_2(public_data):
    pair = read_pair(public_data / "paired-scores" / "data-file.txt")
    text = report(compare(pair.u, pair.v, power_method="none"))
    for numbers in FIGURE_2.values():
        assert any(all(number in line for number in numbers) for line in text.splitlines())
    assert "-0.2637" in text
    assert "the test statistic to use is the mean" in text
