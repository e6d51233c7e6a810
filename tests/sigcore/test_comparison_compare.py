import dataclasses
import math

import numpy as np
import pytest

from sigcore.comparison.compare import compare
from sigcore.comparison.document import (
    Section,
    Table,
    format_interval,
    format_number,
    format_pvalue,
    format_statistic,
    render,
)
from sigcore.comparison.options import ComparisonOptions
from sigcore.comparison.reporting import report, report_record
from sigcore.comparison.sentence import paper_sentence
from sigcore.comparison.significance import TESTS, SignificanceOptions
from sigcore.errors import InputError
from sigcore.io.files import to_json

RNG = np.random.default_rng(51)
U, V = RNG.normal(0.6, 1, 40), RNG.normal(0.0, 1, 40)
FAST = {"power_method": "none", "n_resamples": 199}
CURVE = {"power_runs": 20, "n_resamples": 199, "power_sizes": (20, 40)}


def test_the_deciding_test_is_the_preferred_one_and_comes_first():
    result = compare(U, V, **CURVE)
    assert result.primary == result.decision.test == result.recommendations[0].test
    assert result.significant == (result.decision.pvalue < 0.05)
    assert result.power.curve.test == result.primary


def test_recommended_tests_are_run_by_default_and_others_on_request():
    default = {item.test for item in compare(U, V, **FAST).results}
    assert default == {
        item.test for item in compare(U, V, **FAST).recommendations if item.grade != "inappropriate"
    }
    assert {item.test for item in compare(U, V, tests="all", **FAST).results} == set(TESTS)
    chosen = compare(U, V, tests=("sign",), primary="bootstrap_median", **FAST)
    assert [item.test for item in chosen.results] == ["bootstrap_median", "sign"]


def test_the_effect_size_goes_with_the_deciding_test():
    assert compare(U, V, primary="wilcoxon", **FAST).effect.name == "wilcoxon_r"
    assert compare(U, V, primary="t", **FAST).effect.name == "cohens_d"
    assert compare(U, V, primary="sign", **FAST).effect.name == "common_language"


@pytest.mark.parametrize("primary", TESTS)
def test_any_test_can_decide(primary):
    u, v = (U > 0, V > 0) if primary == "mcnemar" else (U, V)
    result = compare(u, v, primary=primary, **FAST)
    assert result.decision.reason is None
    assert result.decision.label in paper_sentence(result)


DEGENERATE = {
    "one pair": ([1.0], [2.0]),
    "two pairs": ([1.0, 2.0], [0.0, 0.5]),
    "identical": ([1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]),
    "constant difference": ([2.0, 3.0, 4.0, 5.0, 6.0, 7.0], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
    "binary": ([1, 0, 1, 1, 1, 0], [0, 0, 1, 0, 0, 1]),
    "one value": ([1, 1, 1], [1, 1, 1]),
    "almost all ties": ([0.0] * 20 + [1.0], [0.0] * 21),
    "large": ([1e99, 2e99, 3e99], [1e98, 2e99, 1e99]),
    "small": ([1e-99, 2e-99, 3e-99], [1e-100, 2e-99, 1e-99]),
}


@pytest.mark.parametrize("case", DEGENERATE)
@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_degenerate_data_give_a_report_in_which_every_gap_is_explained(case, form):
    result = compare(*DEGENERATE[case], tests="all", **CURVE)
    assert len(result.results) == len(TESTS)
    for item in result.results:
        assert math.isnan(item.pvalue) == (item.reason is not None)
        assert math.isnan(item.pvalue) or 0.0 <= item.pvalue <= 1.0
    for effect in result.effect_sizes:
        assert not math.isnan(effect.estimate) or effect.reason
    assert report(result, form)
    assert "NaN" not in to_json(report_record(result))


def test_scores_too_large_or_too_small_to_square_are_refused():
    for scale in (1e200, 1e-200):
        with pytest.raises(InputError, match="Rescale the scores"):
            compare([scale, 2 * scale], [0.0, scale])


def test_identical_systems_are_not_significant():
    result = compare([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], tests="all")
    assert not result.significant
    assert result.decision.pvalue == 1.0


def test_the_same_settings_give_the_same_report():
    settings = {**CURVE, "tests": "all", "seed": 3}
    one, two = (compare(U, V, **settings) for _ in range(2))
    assert report(one) == report(two)
    assert to_json(report_record(one)) == to_json(report_record(two))


def test_units_are_grouped_before_anything_else():
    result = compare(U, V, unit_size=4, shuffle_seed=0, **FAST)
    assert result.units.n_units == result.analysis.difference.n == 10
    assert "10 evaluation units of 4 items" in report(result)
    assert "shuffled with seed 0" in report(result)


def test_the_sentence_names_what_a_reader_needs():
    sentence = paper_sentence(compare(U, V, names=("New", "Old"), primary="t", **FAST))
    for word in (
        "New",
        "Old",
        "40 pairs",
        "paired t test",
        "alpha = 0.05",
        "p = ",
        "95% CI",
        "Cohen's d",
        "power 0.8",
        "in favour of New",
    ):
        assert word in sentence


@pytest.mark.parametrize("primary", [test for test in TESTS if test != "mcnemar"])
def test_the_sentence_names_the_better_system(primary):
    for u, v, better in ((U + 1, V, "A"), (V, U + 1, "B")):
        sentence = paper_sentence(compare(u, v, primary=primary, **FAST))
        assert f"in favour of {better} is significant" in sentence


VERDICTS = {
    # alternative, hypothesised, whether A has the higher scores: what the test says
    ("two-sided", 0.0, True): "the difference in favour of A is significant",
    ("two-sided", 0.0, False): "the difference in favour of B is significant",
    ("greater", 0.0, True): "A is significantly better than B",
    ("greater", 0.0, False): "A is not significantly better than B",
    ("less", 0.0, True): "B is not significantly better than A",
    ("less", 0.0, False): "B is significantly better than A",
    ("two-sided", 0.5, True): "the difference A minus B is significantly different from 0.5",
    ("greater", 0.5, True): "the difference A minus B is significantly above 0.5",
    ("greater", 0.5, False): "the difference A minus B is not significantly above 0.5",
    ("less", 0.5, False): "the difference A minus B is significantly below 0.5",
}


@pytest.mark.parametrize(("alternative", "hypothesised", "first_higher"), VERDICTS)
@pytest.mark.parametrize("primary", ["t", "permutation_mean", "sign"])
def test_the_verdict_is_about_the_tested_direction(
    alternative, hypothesised, first_higher, primary
):
    u, v = (U + 1, V) if first_higher else (V, U + 1)
    result = compare(
        u, v, alternative=alternative, hypothesised=hypothesised, primary=primary, **FAST
    )
    sentence = paper_sentence(result)
    assert VERDICTS[alternative, hypothesised, first_higher] in sentence
    bound = {"two-sided": "95% CI [", "greater": "95% lower bound", "less": "95% upper bound"}
    assert bound[alternative] in sentence
    assert sentence.count("mean difference ") <= 2  # the estimate and what can be found
    assert ("from 0.5." in sentence) == (hypothesised != 0.0)


def test_a_few_pairs_have_a_sentence_without_infinities():
    sentence = paper_sentence(compare([1, 2, 3, 4, 9], [0, 1, 2, 2, 2], power_runs=50))
    assert "inf" not in sentence
    assert "to find no mean difference, however large" in sentence
    assert "on 1 pair of scores" in paper_sentence(compare([1], [0], **FAST))


def test_a_p_value_below_all_floats_is_a_bound():
    result = compare(U + 9, V, primary="aso", **FAST)
    sentence = paper_sentence(compare(U + 2, V, primary="aso", **FAST))
    assert "with the test of almost stochastic order" in sentence
    assert "violation ratio of A over B" in sentence
    assert format_pvalue(0.0) == "< 1e-300"
    assert "p = <" not in paper_sentence(result)


def test_the_sentence_admits_that_the_deciding_test_did_not_run():
    sentence = paper_sentence(compare([2, 3, 4], [1, 2, 3], primary="t"))
    assert "could not be run: all differences are equal" in sentence


def test_options_survive_the_way_through_a_mapping():
    options = ComparisonOptions(alpha=0.01, tests=("t", "sign"), power_sizes=(5, 10), seed=7)
    assert ComparisonOptions.from_mapping(options.to_mapping()) == options
    assert ComparisonOptions.from_mapping({"tests": "all"}).tests == ("all",)


def test_options_cover_those_of_single_tests():
    names = {field.name for field in dataclasses.fields(SignificanceOptions)}
    assert names <= set(ComparisonOptions().to_mapping())
    options = ComparisonOptions(wilcoxon_zeros="pratt", n_resamples=77)
    assert options.significance == SignificanceOptions(wilcoxon_zeros="pratt", n_resamples=77)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"alfa": 0.05}, "unknown setting 'alfa'"),
        ({"alpha": 5}, "`alpha` must lie between 0 and 1"),
        ({"alpha": "much"}, "wrong kind|`alpha`"),
        ({"tests": ["z"]}, "`tests` must be one of"),
        ({"tests": []}, "at least one test"),
        ({"primary": "z"}, "`primary` must be one of"),
        ({"unit_remainder": "keep"}, "`unit_remainder` must be one of"),
        ({"power_sizes": [1]}, "`power_sizes` must be at least 2"),
        ({"seed": -1}, "`seed` must be at least 0"),
        ({"shuffle_seed": 0.5}, "`shuffle_seed` must be a whole number"),
        ({"power_runs": 0}, "`power_runs` must be at least 1"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        ComparisonOptions.from_mapping(settings)


def test_options_and_settings_exclude_each_other():
    with pytest.raises(InputError, match="not both"):
        compare(U, V, options=ComparisonOptions(), alpha=0.01)


def test_hypothesised_difference_reaches_every_part():
    result = compare(U, V, hypothesised=0.6, primary="t", **CURVE)
    assert result.decision.hypothesis.difference == 0.6
    assert result.power.curve.hypothesised == 0.6
    assert "a difference of 0.6" in report(result)


def test_numbers_are_printed_with_fitting_digits():
    assert format_number(0.123456) == "0.12346"
    assert format_number(0.00001234) == "1.234e-05"
    assert format_number(0.0) == "0.00000"
    assert format_number(math.nan) == "-"
    assert format_pvalue(0.0264) == "0.0264"
    assert format_pvalue(0.00012) == "1.2e-04"
    assert format_pvalue(math.nan) == "-"
    assert format_interval(-math.inf, 1.0, decimals=2) == "[-inf, 1.00]"
    assert format_statistic(966042.5) == "966042.5"
    assert format_statistic(1.64485) == "1.645"


def test_names_are_escaped_in_markdown_and_latex():
    table = Table(("a|b", "c"), (("x_y", "50%"),))
    section = Section("A & B", ("p < 0.05",), table)
    latex, markdown = render("T_1", [section], "latex"), render("T_1", [section], "markdown")
    for piece in (r"T\_1", r"A \& B", "p $<$ 0.05", r"x\_y", r"50\%"):
        assert piece in latex
    for piece in (r"T\_1", r"a\|b", r"x\_y"):
        assert piece in markdown


def test_long_texts_wrap_in_the_last_column():
    table = Table(("name", "reason"), (("x", "word " * 60),))
    lines = render("T", [Section("S", (), table)]).splitlines()
    assert max(map(len, lines)) <= 100


def test_long_texts_beside_many_columns_become_a_list_in_latex():
    table = Table(("Test", "p", "n", "Method"), (("a_b", "0.1", "5", "very long " * 9),))
    text = render("x", [Section("s", (), table)], "latex")
    assert r"Test & p & n \\" in text
    assert r"a\_b & 0.1 & 5 \\" in text
    assert r"\item[{a\_b}] very long" in text
    assert "tabularx" not in text


def test_a_report_says_on_how_many_samples_of_the_power_curve_the_test_failed():
    u = [1.0] + [0.0] * 5
    result = compare(u, [0.0] * 6, primary="t", power_runs=400, power_sizes=[4])
    # Four of six differences, drawn with replacement, all equal: (5^4 + 1) / 6^4.
    share = (5**4 + 1) / 6**4
    undefined = result.power.curve.n_undefined
    assert abs(undefined - 400 * share) < 4 * (400 * share * (1 - share)) ** 0.5
    assert f"On {undefined} of 400 samples the test could not be run" in report(result)


@pytest.mark.parametrize("value", [0.0, -1.0])
def test_no_zero_of_a_report_has_a_sign(value):
    scores = np.arange(8.0)
    result = compare(scores + value, scores, hypothesised=value, tests=["all"])
    text = report(result)
    assert "-0.00000" not in text
    notes = {note for test in result.results for note in test.notes}
    wanted = "All differences are zero."
    if value:
        wanted = "All differences equal the hypothesised one, -1."
    assert notes == {wanted}


@pytest.mark.parametrize(
    ("u", "settings", "reason"),
    [
        ([1.0], {}, "there is only one pair"),
        ([1.0, 1.0, 1.0], {}, "all differences are equal"),
        ([1.0, 2.0, 4.0], {"power_method": "none"}, "it was not asked for"),
    ],
)
def test_a_report_says_why_it_has_no_power_curve(u, settings, reason):
    text = report(compare(u, [0.0] * len(u), **settings))
    assert f"No power curve was made: {reason}." in text


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "a difference of 0, the test is two-sided, and"),
        ({"alternative": "less"}, "a difference of 0, the test is one-sided, B better, and"),
        ({"hypothesised": 0.5}, "a difference of 0.5, the alternative is any other, and"),
        (
            {"hypothesised": 0.5, "alternative": "greater"},
            "a difference of 0.5, the alternative is a larger one, and",
        ),
    ],
)
def test_the_report_says_what_is_tested(settings, words):
    text = report(compare([1.0, 2.0, 4.0], [0.0, 0.0, 1.0], power_method="none", **settings))
    assert f"The null hypothesis is {words} a test rejects if p < 0.05." in " ".join(text.split())


@pytest.mark.parametrize("names", [("A",), ("A", "A"), ("A", "B", "C")])
def test_names_must_tell_the_systems_apart(names):
    with pytest.raises(InputError, match="`names` must be two different names; got"):
        compare([1, 2, 3], [2, 2, 1], names=names)
