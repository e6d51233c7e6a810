import math

import numpy as np
import pytest
from scipy import stats

from sigcore.comparison.datasets import replicate_pairs
from sigcore.comparison.multiplicity import adjust_pvalues
from sigcore.comparison.pairs import compare_pairs
from sigcore.comparison.pairs_reporting import pairs_record, pairs_report
from sigcore.comparison.significance import TESTS, SignificanceOptions, run_test
from sigcore.errors import InputError
from sigcore.io.files import to_json
from sigcore.io.paired import read_score_table

NAMES = ["low", "middle", "twin", "high"]


def table(seed=50, n=40):
    base = np.random.default_rng(seed).normal(size=(3, n))
    return np.stack([base[0] - 2, base[1], base[1], base[2] + 2])


def test_systems_are_sorted_by_mean_then_name():
    result = compare_pairs(table(), NAMES)
    assert result.names == ("high", "middle", "twin", "low")
    assert np.all(np.diff(result.means) <= 0)


@pytest.mark.parametrize("test", [name for name in TESTS if name != "mcnemar"])
def test_p_values_are_those_of_the_single_test(test):
    options = SignificanceOptions(n_resamples=199)
    result = compare_pairs(table(), NAMES, test=test, correction="none", options=options)
    scores = dict(zip(NAMES, table(), strict=True))
    single = run_test(test, scores["high"], scores["low"], options=options).pvalue
    assert result.pvalues[0, 3] == pytest.approx(single, abs=0.02 if "boot" in test else 1e-9)


def test_identical_systems_are_not_significant():
    for test in ("wilcoxon", "sign", "permutation_mean", "permutation_median"):
        result = compare_pairs(table(), NAMES, test=test, correction="none")
        assert result.pvalues[1, 2] == 1.0


def test_a_test_that_cannot_run_says_why_and_the_rest_runs():
    result = compare_pairs(table(), NAMES, test="t")
    assert math.isnan(result.adjusted[1, 2])
    assert result.reasons == (
        "middle and twin: all differences are equal (0): there is no spread to compare with.",
    )
    assert result.adjusted[0, 3] < 0.001


def test_correction_covers_all_pairs_once():
    result = compare_pairs(table(), NAMES, test="sign", correction="holm")
    upper = np.triu_indices(4, 1)
    expected = adjust_pvalues(result.pvalues[upper], method="holm")
    assert result.adjusted[upper] == pytest.approx(expected)
    assert np.array_equal(result.adjusted, result.adjusted.T)


def test_one_sided_tests_cover_both_orders():
    result = compare_pairs(table(), NAMES, alternative="greater", correction="bonferroni")
    assert result.adjusted[0, 3] == pytest.approx(12 * result.pvalues[0, 3])
    assert result.pvalues[3, 0] > 0.99
    assert len(result.to_records()) == 12
    less = compare_pairs(table(), NAMES, alternative="less", correction="bonferroni")
    assert less.adjusted == pytest.approx(result.adjusted.T)
    assert less.clusters.ranks.tolist() == result.clusters.ranks.tolist()


def test_clusters_separate_clearly_different_systems():
    result = compare_pairs(table(), NAMES)
    assert result.clusters.ranks.tolist() == [1, 2, 2, 3]
    assert compare_pairs(table(), NAMES, cluster_rule="greedy").clusters.rule == "greedy"


def test_a_system_with_the_higher_mean_that_loses_by_ranks_does_not_win():
    # 29 small losses and one huge gain: the mean says one thing, the ranks another.
    gain = np.array([60.0] + [-1.0 - k / 100 for k in range(29)])
    result = compare_pairs([gain, np.zeros(30)], ["gain", "steady"], correction="none")
    assert result.names == ("gain", "steady")
    assert result.pvalues[0, 1] < 0.01
    assert result.directions.tolist() == [[0, -1], [1, 0]]
    assert result.wins.tolist() == [[False, False], [True, False]]
    assert result.clusters.ranks.tolist() == [1, 1]


def test_max_t_goes_with_tests_of_the_mean():
    options = SignificanceOptions(n_resamples=999)
    result = compare_pairs(
        table(), NAMES, test="permutation_mean", correction="maxt", options=options
    )
    assert result.adjusted[0, 3] == 0.001
    assert result.adjusted[1, 2] == 1.0
    with pytest.raises(InputError, match="compares means"):
        compare_pairs(table(), NAMES, test="sign", correction="maxt")


def test_missing_scores_follow_the_policy():
    scores = table()
    scores[0, :5] = np.nan
    with pytest.raises(InputError, match="has 5 missing values"):
        compare_pairs(scores, NAMES)
    listwise = compare_pairs(scores, NAMES, missing="listwise")
    assert (listwise.n_dropped, set(listwise.n_items.ravel().tolist())) == (5, {35})
    pairwise = compare_pairs(scores, NAMES, missing="pairwise")
    assert pairwise.n_items[0, 1] == 40
    assert pairwise.n_items[0, 3] == 35
    expected = stats.wilcoxon(scores[3, 5:] - scores[0, 5:], method="exact").pvalue
    assert pairwise.pvalues[0, 3] == pytest.approx(expected)


def test_a_pair_without_common_items_has_no_p_value():
    scores = np.array([[1.0, 2.0, np.nan, np.nan], [np.nan, np.nan, 1.0, 2.0], [1.0, 2, 3, 5]])
    result = compare_pairs(scores, ["a", "b", "c"], missing="pairwise")
    assert any("a and b: no item in common." in reason for reason in result.reasons)


@pytest.mark.parametrize(
    ("scores", "names", "message"),
    [
        ([[1, 2]], ["a"], "at least 2 systems"),
        ([[1, 2], [2, 3]], ["a", "a"], "different names"),
        ([[1, 2], [np.nan, np.nan]], ["a", "b"], "none for 'b'"),
        ([1, 2], None, "2-dimensional"),
    ],
)
def test_bad_tables_are_refused(scores, names, message):
    with pytest.raises(InputError, match=message):
        compare_pairs(scores, names, missing="pairwise")


def test_replicability_counts_datasets_on_which_a_system_is_better():
    results = {
        f"set{seed}": compare_pairs(table(seed), NAMES, alternative="greater") for seed in range(4)
    }
    found = replicate_pairs(results)
    names = list(found.names)
    high, low, twin = names.index("high"), names.index("low"), names.index("twin")
    assert names[0] == "high"
    assert found.counts[high, low] == 4
    assert found.counts[low, high] == 0
    assert found.counts[names.index("middle"), twin] == 0
    assert found.n_datasets[high, low] == 4
    assert found.n_datasets[high, high] == 0


def test_a_win_and_a_loss_are_not_two_effects():
    one = compare_pairs(table()[[0, 3]], ["a", "b"], alternative="greater")
    two = compare_pairs(table()[[3, 0]], ["a", "b"], alternative="greater")
    assert replicate_pairs({"one": one, "two": two}).counts.tolist() == [[0, 1], [1, 0]]


def test_a_dataset_may_lack_a_system():
    results = {
        "all": compare_pairs(table(), NAMES, alternative="greater"),
        "some": compare_pairs(table()[[0, 3]], ["low", "high"], alternative="greater"),
    }
    found = replicate_pairs(results)
    names = list(found.names)
    assert found.n_datasets[names.index("high"), names.index("low")] == 2
    assert found.n_datasets[names.index("high"), names.index("twin")] == 1


def test_replicability_needs_one_sided_results():
    with pytest.raises(InputError, match="must be one-sided"):
        replicate_pairs({"one": compare_pairs(table(), NAMES)})
    with pytest.raises(InputError, match="at least one dataset"):
        replicate_pairs({})


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_report_has_ranking_and_pairs(form):
    result = compare_pairs(table(), NAMES, alternative="greater")
    text = pairs_report(
        {"news": result}, replicability=replicate_pairs({"news": result}), form=form
    )
    for word in ("news: ranking", "Replicability", "high", "Holm"):
        assert word in text


def test_record_is_plain_json():
    assert '"middle"' in to_json(pairs_record(compare_pairs(table(), NAMES, test="t")))


@pytest.mark.real_data
def test_all_91_pairs_of_wmt22_en_de(public_data):
    scores = read_score_table(public_data / "mtme/wmt22/human-scores/en-de.mqm.seg.score")
    scores = scores.without(["refA", "refB", "chrf_bestmbr"])
    result = compare_pairs(scores.scores, scores.names, missing="listwise")
    assert len(result.to_records()) == 91
    assert set(result.n_items.ravel().tolist()) == {1315}
    assert result.names[-1] == "M2M100_1.2B-B4"
    rated = ~np.isnan(scores.scores[0])
    first, second = (scores.scores[scores.names.index(name)][rated] for name in result.names[:2])
    # MQM differences tie in tenths, as floats only by chance: scipy needs them rounded.
    expected = stats.wilcoxon(np.round(first - second, 6), method="asymptotic").pvalue
    assert result.pvalues[0, 1] == pytest.approx(expected, rel=1e-9)


def test_the_direction_of_stochastic_order_is_that_of_its_ratio():
    # The first system has the lower mean, but is ahead where the quantiles are far apart.
    first = np.array([1.0, 1.0, 0.0, 2.0, 9.0, 4.0])
    second = np.array([2.0, 4.0, 4.0, 4.0, 4.0, 0.0])
    gap = np.sort(first) - np.sort(second)
    ratio = (gap[gap < 0] ** 2).sum() / (gap**2).sum()
    result = compare_pairs([first, second], ["a", "b"], test="aso", correction="none")
    row, column = result.names.index("a"), result.names.index("b")
    assert np.sign(first.mean() - second.mean()) != np.sign(0.5 - ratio)
    assert result.directions[row, column] == np.sign(0.5 - ratio)


def test_pairs_say_how_many_resamples_were_drawn():
    rng = np.random.default_rng(8)
    scores = rng.normal(size=(2, 12))
    # Of the error of a violation ratio at most 999 are drawn.
    drawn = {"aso": 999, "bootstrap_mean": 9999, "t": None}
    for test, expected in drawn.items():
        assert compare_pairs(scores, test=test).n_resamples == expected
    assert compare_pairs(scores, test="t", correction="maxt").n_resamples == 9999


def test_items_without_a_score_are_left_out_before_units_are_formed():
    scores = table()
    scores[0, [3, 10, 17, 24, 31, 38]] = np.nan
    units = scores[:, ~np.isnan(scores[0])][:, :30].reshape(4, 6, 5).mean(axis=2)
    result = compare_pairs(scores, NAMES, missing="listwise", test="t", unit_size=5)
    expected = stats.ttest_rel(units[3], units[0]).pvalue
    assert result.pvalues[0, 3] == pytest.approx(expected, rel=1e-9)
    assert (result.n_items[0, 3], result.n_dropped) == (6, 6)
    report = " ".join(pairs_report({"x": result}).split())
    assert "6 items lack a score and were left out. A unit is the mean of 5 items" in report
    assert "4 of 34 items left out" in report
    with pytest.raises(InputError, match="`unit_size` above 1 needs the same items for all"):
        compare_pairs(scores, NAMES, missing="pairwise", unit_size=5)
