import numpy as np

from sigcore.bayes.comparison import MARK
from sigcore.bayes.folds import FoldCounts
from sigcore.bayes.inspection import inspect_folds


def even_folds(tp: int = 90, fp: int = 12, fn: int = 10) -> FoldCounts:
    return FoldCounts(np.full((3, 2, 3), (tp, fp, fn)))


def test_folds_in_accord_raise_no_flag():
    assert inspect_folds(even_folds(), even_folds(tp=95, fn=5)) == ()


def test_uneven_halves_are_flagged_with_the_figures():
    counts = np.full((3, 2, 3), (90, 12, 10))
    counts[1] = [(100, 12, 20), (70, 12, 10)]
    flags = inspect_folds(FoldCounts(counts), FoldCounts(counts))
    assert len(flags) == 2
    assert (
        "models A and B: repetition 2, fold 1 has TP + FN = 120 where n+/2 = 100 (+20.0%)"
        in flags[0]
    )


def test_repetitions_of_different_size_are_flagged():
    counts = np.full((3, 2, 3), (90, 12, 10))
    counts[2, :, 2] = 11
    flags = inspect_folds(FoldCounts(counts), FoldCounts(counts))
    assert "different positives n+ (200, 200, 202)" in flags[0]


def test_models_validated_on_different_folds_are_flagged():
    flags = inspect_folds(even_folds(), even_folds(fn=11))
    assert len(flags) == 1
    assert "6 of 6 folds, first in repetition 1, fold 1: 100 and 101" in flags[0]


def test_no_positives_at_all_is_flagged():
    flags = inspect_folds(even_folds(0, 3, 0), even_folds(0, 3, 0))
    assert flags == ("models A and B: no positives (TP + FN = 0 in all folds)",)


def test_models_with_different_positives_have_flags_of_their_own():
    counts = np.full((3, 2, 3), (90, 12, 10))
    counts[0] = [(110, 12, 10), (70, 12, 10)]
    flags = inspect_folds(FoldCounts(counts), even_folds())
    assert [flag.partition(":")[0] for flag in flags[:2]] == ["model A", "model A"]
    assert flags[2].startswith("models A and B have different positives")


def test_no_flag_has_the_mark_that_parts_them_in_a_table():
    counts = np.full((3, 2, 3), (90, 12, 10))
    counts[0] = [(110, 12, 10), (70, 12, 11)]
    flags = inspect_folds(FoldCounts(counts), even_folds(0, 3, 0))
    assert not any(MARK in flag for flag in flags)
