import numpy as np
import pytest

from sigcore.bayes.folds import FoldCounts
from sigcore.bayes.published import (
    MISPRINTS,
    TASKS,
    coverage_records,
    decision_records,
    interval_records,
    published_tasks,
)
from sigcore.bayes.records import bayes_records, cv_test_records
from sigcore.bayes.simulation import interval_coverage
from sigcore.errors import InputError
from sigcore.io.folds import read_folds
from sigcore.io.schemas import SCHEMAS, table_of

FILES = {
    "CWS": "cws_pku_bmes_vs_bb2b3mes.tsv",
    "NER": "conll2003_ner_all_iob2_vs_iobes.tsv",
    "ORG": "conll2003_ner_org_iob2_vs_iobes.tsv",
}


@pytest.fixture(scope="module")
def tasks(public_data):
    folder = public_data / "bayes3x2cv"
    if not folder.is_dir():
        pytest.skip("the published fold counts are not there")
    return {task: read_folds(folder / name) for task, name in FILES.items()}


@pytest.fixture(scope="module")
def tests(tasks):
    return bayes_records(tasks)


def made_up(correct=80):
    counts = np.tile([correct, 10, 20], (3, 2, 1))
    return FoldCounts(counts)


@pytest.mark.real_data
def test_the_published_counts_are_recognised(tasks):
    assert [task.name for task in published_tasks(tasks)] == ["CWS", "NER", "ORG"]


def test_other_counts_are_not_taken_for_the_published_ones():
    with pytest.raises(InputError, match="task CWS are missing"):
        published_tasks({"NER": {}})
    tasks = {task: {"IOB2": made_up(), "IOBES": made_up()} for task in TASKS}
    with pytest.raises(InputError, match="CWS are not the paper's: expected the models BMES and"):
        published_tasks(tasks)


@pytest.mark.real_data
def test_only_two_ends_of_table_2_differ_from_print(tests):
    records = interval_records(tests)
    assert len(records) == 18
    odd = [(row["task"], row["measure"], row["model"]) for row in records if not row["agrees"]]
    assert odd == [("CWS", "recall", "BMES"), ("NER", "precision", "IOBES")]


@pytest.mark.real_data
def test_tables_3_to_5_agree_but_for_two_probabilities(tests, tasks):
    records = decision_records(tests, tasks)
    assert [row["table"] for row in records] == [3] * 3 + [4] * 3 + [5] * 3
    assert [row["decision"] for row in records] == [row["printed_decision"] for row in records]
    odd = [(row["task"], row["measure"]) for row in records if not row["agrees"]]
    assert odd == [("CWS", "recall"), ("CWS", "f1")]
    for row in records:
        # Four standard errors of the exact probability.
        p = row["probability_h0"]
        assert abs(row["monte_carlo_h0"] - p) <= 4 * np.sqrt(p * (1 - p) / 1e6)


@pytest.mark.real_data
def test_the_older_interval_is_about_one_and_a_half_times_as_long(tests):
    for row in tests:
        for side in "ab":
            length = row[f"upper_{side}"] - row[f"lower_{side}"]
            older = row[f"older_upper_{side}"] - row[f"older_lower_{side}"]
            assert older / length == pytest.approx(np.sqrt(6 * 0.3688), rel=0.01)


def test_rows_have_the_columns_of_their_tables():
    tasks = {"task": {"A": made_up(), "B": made_up(82)}}
    for name, rows in (("bayes_tests", bayes_records(tasks)), ("cv_tests", cv_test_records(tasks))):
        assert set(SCHEMAS[name].names) <= set(rows[0])
        assert table_of(name, rows).num_rows == len(rows)
    coverage = coverage_records([interval_coverage(n_corpora=20)])
    assert list(coverage[0]) == SCHEMAS["coverage"].names


def test_tests_say_which_model_is_better_and_how_sure_that_is():
    rows = bayes_records({"task": {"A": made_up(), "B": made_up(88)}})
    assert [row["measure"] for row in rows] == ["precision", "recall", "f1"]
    for row in rows:
        assert row["probability_h0"] + row["probability_h1"] == pytest.approx(1, abs=1e-12)
        assert row["lowest_h0"] <= row["probability_h0"] <= row["highest_h0"]
        assert row["decision"] == row["decisions"] == "H1"
    with pytest.raises(InputError, match="must have the fold counts of two models; it has A"):
        bayes_records({"task": {"A": made_up()}})


def test_tasks_that_are_not_the_papers_are_passed_over():
    rows = bayes_records({"mine": {"A": made_up(), "B": made_up(82)}})
    assert interval_records(rows) == []
    assert decision_records(rows, {}) == []


def test_coverage_is_set_beside_print():
    records = coverage_records([interval_coverage(n_corpora=200, seed=0)])
    first, older = records
    assert (first["printed_coverage"], first["printed_length"]) == (0.945, 0.0854)
    assert (older["printed_coverage"], older["printed_length"]) == (0.996, 0.117)
    assert (first["classes"], first["blocks"], first["truth"]) == ("fixed", "random", "test")
    # 4 standard errors of 200 corpora around the printed coverage.
    assert abs(first["coverage"] - 0.945) <= 4 * np.sqrt(0.945 * 0.055 / 200)
    assert older["length"] == pytest.approx(0.127, abs=0.002)


def test_the_misprint_of_the_older_length_is_named():
    assert any("older interval" in misprint.where for misprint in MISPRINTS)
