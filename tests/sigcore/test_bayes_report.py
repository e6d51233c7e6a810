from dataclasses import replace

import numpy as np
import pytest

from sigcore.bayes.folds import FoldCounts
from sigcore.bayes.published import TASKS, coverage_records
from sigcore.bayes.records import bayes_records, cv_test_records
from sigcore.bayes.simulation import interval_coverage
from sigcore.report import Figure
from sigcore.report.bayes import BayesReport
from sigcore.report.bayes_columns import (
    bayes_columns,
    coverage_columns,
    decision_columns,
    interval_columns,
)


def folds(correct):
    return FoldCounts(np.tile([correct, 10, 20], (3, 2, 1)))


@pytest.fixture(scope="module")
def tasks():
    return {"mine": {"<A>": folds(80), "B": folds(85)}}


@pytest.fixture(scope="module")
def report(tasks):
    return BayesReport(
        tests=bayes_records(tasks),
        others=cv_test_records(tasks),
        figures=[Figure("<svg/>", "caption", "figures/mine")],
        facts={},
    )


def test_narrow_intervals_have_the_decimals_that_part_their_ends():
    wide = bayes_columns(bayes_records({"mine": {"A": folds(80), "B": folds(85)}}))
    # Beta(0.368802 x 480 + 1, 0.368802 x 60 + 1) by scipy.
    assert wide["A"][0] == "A 88.50 [83.76, 92.52]"
    counts = FoldCounts(np.tile([90_000_000, 4_000_000, 10_000_000], (3, 2, 1)))
    narrow = bayes_columns(bayes_records({"mine": {"A": counts, "B": counts}}))
    assert narrow["A"][0] == "A 95.7447 [95.7419, 95.7474]"


def titles(report):
    parts = report.parts(settings={"rope": 0.0}, versions={"numpy": "2"}, inputs={})
    return [part.title for part in parts]


def test_a_page_has_the_sections_that_there_is_something_for(report):
    assert titles(report) == ["Decisions", "Tests it replaces", "Settings", "Provenance"]
    facts = {"file": "c.conll", "sentences": 5, "tokens": 50, "chunks": 9}
    balance = [
        {
            "unit": "tokens",
            "total": 50.0,
            "largest_difference": 9.0,
            "share": 0.18,
            "bound": 4.0,
            "balanced": False,
        }
    ]
    more = replace(report, facts=facts, balance=balance)
    assert titles(more)[1] == "Corpus and folds"
    html = more.parts(settings={}, versions={}, inputs={})[1].html
    assert "The halves differ by more than the bound in tokens." in html


def test_the_overview_says_what_is_decided_and_assumed(report):
    html = report.overview()
    assert "H0: B - A &lt;= 0" in html
    assert "taken as independent" in html
    assert "&lt;A&gt;" in html
    assert "<svg/>" in html


def test_flags_are_shown_once_and_whole(tasks):
    skewed = FoldCounts(np.array([[[80, 10, 20], [8, 10, 2]]] * 3))
    report = BayesReport(bayes_records({"mine": {"A": skewed, "B": skewed}}), [], [], {})
    html = report.overview()
    assert html.count("repetition 1, fold 2") == 1
    assert "(-81.8%); the posterior assumes equal halves. models A and B: repetition 2" in html
    assert html.count('<div class="note">') == 2


def test_a_model_that_predicts_nothing_is_noted():
    blind = FoldCounts(np.tile([0, 0, 100], (3, 2, 1)))
    report = BayesReport(bayes_records({"mine": {"A": folds(80), "B": blind}}), [], [], {})
    assert (
        "mine: P, estimate of model B: 0/0, TP and FP are 0 in all folds; its posterior is the "
        "prior. P, mode of model B: the density is flat."
    ) in report.overview()


def test_small_and_undefined_p_values_are_not_noughts(report):
    row = dict(report.others[0])
    others = [row | {"pvalue": 1.2e-9}, row | {"pvalue": float("nan")}]
    html = replace(report, others=others).parts(settings={}, versions={}, inputs={})[1].html
    assert "<td>1.2e-09</td>" in html
    assert "<td>–</td>" in html


def test_a_region_of_equivalence_has_a_column(tasks):
    columns = bayes_columns(bayes_records(tasks, rope=0.01))
    assert "P(rope)" in columns
    assert "P(rope)" not in bayes_columns(bayes_records(tasks))


def test_small_probabilities_keep_their_digits(tasks):
    row = bayes_records(tasks)[0] | {"probability_h0": 0.0000146}
    assert bayes_columns([row])["P(H0)"] == ["1.5e-05"]


def test_table_2_has_a_row_a_measure_and_marks_differences():
    rows = [
        {
            "task": "CWS",
            "measure": measure,
            "model": model,
            "lower": 0.95,
            "upper": 0.96,
            "printed_lower": 0.95,
            "printed_upper": 0.97,
            "agrees": model == "BMES",
        }
        for measure in ("precision", "recall", "f1")
        for model in ("BMES", "BB2B3MES")
    ]
    columns = interval_columns(rows)
    assert columns["task"] == ["CWS", "", ""]
    assert columns["measure"] == ["P", "R", "F1"]
    assert columns["tag set 1 (%)"][0] == "BMES [95.00, 96.00]"
    assert columns["printed 1"][0] == "[95.00, 97.00]"
    assert columns["printed 2"][0] == "[95.00, 97.00] (differs)"


def test_decisions_show_three_decimals_and_print():
    row = {
        "measure": "f1",
        "probability_h0": 0.30020,
        "probability_h1": 0.69980,
        "decision": "H1",
        "monte_carlo_h0": 0.299843,
        "standard_error": 0.000458,
        "printed_h0": TASKS["NER"].probabilities["f1"],
        "printed_decision": "H1",
        "agrees": True,
    }
    columns = decision_columns([row])
    assert columns["P(H0)"] == ["0.300"]
    assert columns["decision"] == ["Accept H1"]
    assert columns["printed P(H0)"] == ["0.300"]


def test_the_page_states_both_lengths_of_the_older_interval(report):
    coverage = coverage_records([interval_coverage(n_corpora=100)])
    columns = coverage_columns(coverage)
    assert columns["printed length"] == ["0.0854", "0.117"]
    assert columns["length"][1].startswith("0.12")
    html = replace(report, coverage=coverage).parts(settings={}, versions={}, inputs={})[1].html
    assert "prints the length 0.117 for the older interval; 0.127 comes out. Both" in html
    assert "no experiment gives less than 0.126; 0.117 is a misprint or from another" in html
