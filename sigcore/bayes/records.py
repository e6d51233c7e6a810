"""Tests of many tasks as rows of tables."""

from collections.abc import Mapping
from typing import Any

from sigcore.bayes import cv_tests
from sigcore.bayes.comparison import bayes_test
from sigcore.bayes.cv_tests import CrossValidationTest
from sigcore.bayes.folds import FoldCounts
from sigcore.bayes.posterior import MEASURES, mean_count_posterior
from sigcore.bayes.sensitivity import sensitivity
from sigcore.errors import InputError

__all__ = ["bayes_records", "cv_test_records", "fold_tests"]

Models = Mapping[str, FoldCounts]

# P(H0) depends on the correlations only through one weight, so a coarse grid shows its range.
N_POINTS = 3


def bayes_records(
    tasks: Mapping[str, Models],
    *,
    rope: float = 0.0,
    prior: float = 1.0,
    credibility: float = 0.95,
) -> list[dict[str, Any]]:
    """Test the two models of each task on precision, recall and F1.

    Parameters
    ----------
    tasks : mapping of task to models
        The counts of two models of each task, the baseline first.
    rope, prior, credibility
        See `bayes_test`.

    Returns
    -------
    list of dict
        Rows of the table `bayes_tests`: the results, the range of P(H0) over the correlations of
        the folds, and the older intervals, of mean counts.
    """
    records = []
    for task, models in tasks.items():
        names, folds = _two(task, models)
        for measure in MEASURES:
            options: dict[str, Any] = {"measure": measure, "rope": rope, "prior": prior}
            result = bayes_test(*folds, credibility=credibility, **options)
            spread = sensitivity(*folds, n_points=N_POINTS, **options)
            record: dict[str, Any] = {"task": task, "model_a": names[0], "model_b": names[1]}
            record |= result.to_record()
            record["lowest_h0"], record["highest_h0"] = spread.range_h0
            record["decisions"] = " ".join(spread.decisions)
            for side, counts in zip("ab", folds, strict=True):
                older = mean_count_posterior(counts, measure=measure, prior=prior)
                ends = older.equal_tailed_interval(credibility)
                record[f"older_lower_{side}"], record[f"older_upper_{side}"] = ends
            records.append(record)
    return records


def cv_test_records(tasks: Mapping[str, Models]) -> list[dict[str, Any]]:
    """Run the t and F tests that the Bayes test replaces, as rows of the table `cv_tests`."""
    return [
        {
            "task": task,
            "measure": measure,
            "test": test.test,
            "mean_difference": test.mean,
            "statistic": test.statistic,
            "degrees": " ".join(map(str, test.degrees)),
            "pvalue": test.pvalue,
            "alternative": test.alternative,
            "reason": test.reason,
        }
        for task, models in tasks.items()
        for measure in MEASURES
        for test in fold_tests(*_two(task, models)[1], measure=measure)
    ]


def fold_tests(
    folds_a: FoldCounts, folds_b: FoldCounts, *, measure: str
) -> list[CrossValidationTest]:
    """Run the tests of the differences B - A that fit the number of folds."""
    differences = cv_tests.fold_scores(folds_b.counts, measure=measure) - cv_tests.fold_scores(
        folds_a.counts, measure=measure
    )
    tests = [
        cv_tests.correlated_t_test(differences.ravel(), test_train_ratio=1.0),
        cv_tests.block_regularised_t_test(differences),
    ]
    if len(differences) == 5:
        tests.append(cv_tests.five_by_two_t_test(differences))
        tests.append(cv_tests.five_by_two_f_test(differences))
    return tests


def _two(task: str, models: Models) -> tuple[list[str], list[FoldCounts]]:
    if len(models) != 2:
        raise InputError(
            f"the task {task} must have the fold counts of two models; it has {', '.join(models)}."
        )
    return list(models), list(models.values())
