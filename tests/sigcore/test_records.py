from itertools import combinations

import numpy as np
import pytest

from sigcore.evalset import EvalSet, Metric
from sigcore.meta.records import metric_records, pvalue_records
from sigcore.meta.spa import soft_pairwise_accuracy
from sigcore.permutation.paired import paired_permutation_test


@pytest.fixture
def evalset() -> EvalSet:
    rng = np.random.default_rng(3)
    gold = rng.integers(-20, 1, (4, 30)) / 2
    scores = np.stack([gold + rng.normal(size=gold.shape), gold])
    return EvalSet(
        testset="t",
        language_pair="a-b",
        gold_name="mqm",
        systems=("A", "B", "C", "D"),
        human_systems=(),
        segments=np.arange(30),
        documents=None,
        gold=gold,
        metrics=(Metric("copy", "copy", "src"), Metric("noisy", "noisy", "refA")),
        scores=scores[::-1],
    )


def changed(evalset: EvalSet, **fields: object) -> EvalSet:
    return EvalSet(**{name: getattr(evalset, name) for name in EvalSet.__slots__} | fields)


def lacking_scores(evalset: EvalSet) -> np.ndarray:
    scores = evalset.scores.copy()
    scores[1, 0, 3:9] = np.nan
    scores[1, 3, 20:] = np.nan
    return scores


def with_gaps(evalset: EvalSet) -> EvalSet:
    gold = evalset.gold.copy()
    gold[1, :5] = np.nan
    gold[2, 25:] = np.nan
    return changed(evalset, gold=gold)


def test_a_metric_equal_to_the_gold_has_spa_and_pa_of_one(evalset):
    rows = metric_records(evalset, pvalue_records(evalset, [None, "copy", "noisy"], ties="mid"))
    assert rows[0]["metric"] == "copy"
    assert rows[0]["spa"] == rows[0]["pa"] == 1.0
    assert rows[0]["n_pairs"] == rows[0]["n_agreements"] == 6


@pytest.mark.parametrize("missing", ["listwise", "pairwise"])
def test_spa_from_the_table_is_spa_from_the_scores(evalset, missing):
    gaps = with_gaps(evalset)
    table = pvalue_records(gaps, [None, "copy", "noisy"], ties="mid", missing=missing)
    row = metric_records(gaps, table, missing=missing)[1]
    direct = soft_pairwise_accuracy(gaps.gold, gaps.scores[1], ties="mid", missing=missing)
    assert row["spa"] == pytest.approx(direct.value, abs=1e-14)
    assert row["n_segments"] == 20


@pytest.mark.parametrize("missing", ["listwise", "pairwise"])
def test_gold_and_a_metric_with_gaps_are_compared_on_the_same_cells(evalset, missing):
    scores = lacking_scores(evalset)
    gaps = changed(evalset, scores=scores)
    table = pvalue_records(gaps, [None, "copy", "noisy"], ties="mid", missing=missing)
    rows = metric_records(gaps, table, missing=missing)
    direct = soft_pairwise_accuracy(gaps.gold, scores[1], ties="mid", missing=missing)
    assert rows[1]["spa"] == pytest.approx(direct.value, abs=1e-14)
    assert rows[1]["n_missing"] == np.isnan(scores[1]).sum()
    assert (rows[0]["spa"], rows[0]["n_missing"]) == (1.0, 0)


@pytest.mark.filterwarnings("ignore::sigcore.errors.ApproximationWarning")
@pytest.mark.parametrize("method", ["auto", "exact", "analytic", "monte-carlo"])
def test_batches_of_system_pairs_have_the_same_rows_to_the_last_bit(evalset, method):
    gaps = changed(with_gaps(evalset), scores=lacking_scores(evalset))
    options = {"method": method, "ties": "mid", "missing": "pairwise"}
    whole = pvalue_records(gaps, [None, "noisy"], **options)
    pairs = combinations(range(4), 2)
    parts = [pvalue_records(gaps, [None, "noisy"], pairs=[pair], **options) for pair in pairs]
    assert whole == [row for index in (0, 1) for row in (part[index] for part in parts)]
    assert pvalue_records(gaps, [None, "noisy"], pairs=[], **options) == []


@pytest.mark.parametrize("missing", ["listwise", "pairwise"])
def test_gold_beside_a_metric_is_that_of_its_cells(evalset, missing):
    gaps = changed(with_gaps(evalset), scores=lacking_scores(evalset))
    rows = pvalue_records(gaps, ["noisy"], ties="mid", missing=missing)
    rated = np.where(np.isnan(gaps.scores[1]), np.nan, gaps.gold)
    for row in rows:
        i, j = ("ABCD".index(row[name]) for name in ("system_a", "system_b"))
        both = ~np.isnan(rated if missing == "listwise" else rated[[i, j]]).any(axis=0)
        assert row["n_segments"] == both.sum()
        differences = (gaps.gold[i] - gaps.gold[j])[both]
        assert row["gold_difference"] == pytest.approx(differences.mean())
        expected = paired_permutation_test(
            differences, np.zeros(both.sum()), ties="mid", alternative="greater"
        )
        assert row["gold_pvalue"] == pytest.approx(expected.pvalue, rel=1e-9)


def test_there_is_a_row_for_each_pair_in_the_order_of_names(evalset):
    rows = pvalue_records(evalset, [None], ties="mid")
    pairs = [(row["system_a"], row["system_b"]) for row in rows]
    assert pairs == [("A", "B"), ("A", "C"), ("A", "D"), ("B", "C"), ("B", "D"), ("C", "D")]
    assert all(row["is_gold"] and row["scorer"] == "mqm" for row in rows)
    means = dict(zip("ABCD", evalset.gold.mean(axis=1), strict=True))
    for row in rows:
        expected = means[row["system_a"]] - means[row["system_b"]]
        assert row["difference"] == pytest.approx(expected)


def test_pairs_of_systems_that_a_metric_scores_alike_are_counted(evalset):
    scores = evalset.scores.copy()
    scores[0] = np.arange(30)  # the same for all systems
    scores[1, 2] = scores[1, 0]
    rows = metric_records(
        changed(evalset, scores=scores),
        pvalue_records(changed(evalset, scores=scores), [None, "copy", "noisy"]),
    )
    assert [row["n_tied_pairs"] for row in rows] == [6, 1]
    # What has no gold does not count.
    gold = evalset.gold.copy()
    gold[1, 10:] = np.nan
    scores[1, 1, :10] = scores[1, 0, :10]
    gaps = changed(evalset, scores=scores, gold=gold)
    rows = metric_records(gaps, pvalue_records(gaps, [None, "copy", "noisy"]), missing="pairwise")
    assert rows[1]["n_tied_pairs"] == 3
