"""Settings that do not fit the scores are refused by their key."""

import numpy as np
import pytest

from scripts._compare import check_unit_size, read_scorer
from scripts._inputs import EvaluationInputs
from scripts._tasks import plan_tasks
from scripts.ingest_scores import named_by_key
from sigcore.errors import DataFileError, InputError
from sigcore.evalset import EvalSet, Metric, Selection, select
from sigcore.io.tables import write_evalset
from sigcore.testsets import PairFacts


@pytest.fixture
def evalset():
    return EvalSet(
        testset="t",
        language_pair="a-b",
        gold_name="mqm",
        systems=("A", "B"),
        human_systems=(),
        segments=np.arange(3),
        documents=None,
        gold=np.arange(6.0).reshape(2, 3),
        metrics=(Metric("chrF", "chrF", "refA"),),
        scores=np.arange(6.0, 12.0).reshape(1, 2, 3),
    )


def test_the_scorer_is_the_gold_or_a_metric(evalset, tmp_path):
    path = tmp_path / "scores.parquet"
    write_evalset(path, evalset)
    np.testing.assert_array_equal(read_scorer(path, "gold")[1], evalset.gold)
    np.testing.assert_array_equal(read_scorer(path, "chrF")[1], evalset.scores[0])
    with pytest.raises(InputError, match=r"`compare.scorer` must be gold .*of chrF; got 'BLEU'"):
        read_scorer(path, "BLEU")


def test_units_are_no_larger_than_the_set(evalset):
    check_unit_size(3, evalset)
    with pytest.raises(InputError, match=r"`compare.unit_size` must be at most 3, .*t a-b; got 4"):
        check_unit_size(4, evalset)


def test_an_unknown_set_of_tasks_is_refused_by_its_key():
    inputs = EvaluationInputs({}, (), 0, 0)
    with pytest.raises(
        InputError, match=r"configuration: `tasks\.set` cannot be used: .*'nothing'"
    ):
        plan_tasks({"tasks": {"set": "nothing"}}, inputs)


def test_an_unknown_reference_is_refused_by_its_key(evalset):
    facts = PairFacts("t", "a-b", "refA", "mqm", (), False, ("refA",), (), ())
    with pytest.raises(InputError) as caught:
        select(evalset, Selection(reference="refZ"), facts)
    assert str(named_by_key(caught.value)) == (
        "configuration: `selection.reference` must be one of all, refA; got 'refZ'."
    )
    other = DataFileError("file", "is empty.")
    assert named_by_key(other) is other
