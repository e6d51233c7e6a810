"""What Wang & Li (2019) print, beside what comes out.

Tables 2 to 5 come from fold counts that the authors published; the counts are not part of this
package. Values here are facts of the paper: intervals in percent, probabilities of H0, and the
figures of its simulation.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

from sigcore.bayes.comparison import bayes_test
from sigcore.bayes.folds import FoldCounts
from sigcore.bayes.simulation import CoverageResult
from sigcore.errors import InputError

__all__ = [
    "MISPRINTS",
    "TASKS",
    "Misprint",
    "PublishedTask",
    "coverage_records",
    "decision_records",
    "interval_records",
    "published_tasks",
]

Row = Mapping[str, Any]
Ends = tuple[float, float]

# Draws of the paper's Monte Carlo, whose error its probabilities have.
N_DRAWS = 1_000_000


@dataclass(frozen=True, slots=True)
class PublishedTask:
    """One of the three experiments of the paper.

    Attributes
    ----------
    name, title : str
        Its name in the paper, and what it is.
    models : tuple of str
        Tag sets: model A, model B.
    n_chunks : int
        Gold chunks of the corpus.
    table, figure : int
        Numbers of the table of decisions and of the figure.
    intervals : mapping of measure to intervals
        Table 2, in percent: of model A and of model B.
    probabilities : mapping of measure to float
        P(H0).
    decisions : mapping of measure to str
        H0 or H1.
    """

    name: str
    title: str
    models: tuple[str, str]
    n_chunks: int
    table: int
    figure: int
    intervals: Mapping[str, tuple[Ends, Ends]]
    probabilities: Mapping[str, float]
    decisions: Mapping[str, str]


class Misprint(NamedTuple):
    """A place where the paper prints something else than it means or than comes out."""

    where: str
    printed: str
    used: str


TASKS = {
    "CWS": PublishedTask(
        name="CWS",
        title="Chinese word segmentation, PKU corpus",
        models=("BMES", "BB2B3MES"),
        n_chunks=1109947,
        table=3,
        figure=1,
        intervals={
            "precision": ((95.55, 95.62), (95.60, 95.67)),
            "recall": ((95.04, 95.11), (95.16, 95.23)),
            "f1": ((95.30, 95.36), (95.39, 95.44)),
        },
        probabilities={"precision": 0.024, "recall": 0.001, "f1": 0.001},
        decisions={"precision": "H1", "recall": "H1", "f1": "H1"},
    ),
    "NER": PublishedTask(
        name="NER",
        title="boundaries of named entities, CoNLL-2003",
        models=("IOB2", "IOBES"),
        n_chunks=23499,
        table=4,
        figure=2,
        intervals={
            "precision": ((90.59, 91.30), (90.70, 91.41)),
            "recall": ((87.69, 88.48), (87.78, 88.57)),
            "f1": ((89.21, 89.77), (89.32, 89.87)),
        },
        probabilities={"precision": 0.321, "recall": 0.372, "f1": 0.300},
        decisions={"precision": "H1", "recall": "H1", "f1": "H1"},
    ),
    "ORG": PublishedTask(
        name="ORG",
        title="organisations only, CoNLL-2003",
        models=("IOB2", "IOBES"),
        n_chunks=6321,
        table=5,
        figure=3,
        intervals={
            "precision": ((91.37, 92.86), (91.85, 93.31)),
            "recall": ((64.89, 67.11), (64.45, 66.68)),
            "f1": ((76.06, 77.74), (75.93, 77.61)),
        },
        probabilities={"precision": 0.191, "recall": 0.706, "f1": 0.587},
        decisions={"precision": "H1", "recall": "H0", "f1": "H0"},
    ),
}

# Section 2.4: coverage and length of this paper's interval and of the older one.
COVERAGE = {"corrected": (0.945, 0.0854), "mean_count": (0.996, 0.117)}

MISPRINTS = (
    Misprint(
        "Algorithm 1 lines 16-18, equations 32 and 33",
        "P(H0) = P(A - B <= 0)",
        "P(B - A <= 0), as in equation 31 and in Tables 3 to 5",
    ),
    Misprint(
        "Equations 25 and 26",
        "exponents TP + l, FP + l, FN + l",
        "each less 1; the printed form does not integrate to 1",
    ),
    Misprint("Equations 7 and 27", "2a", "2 to the power a"),
    Misprint("Table 2, CWS, R, tag set 1, upper end", "95.11", "95.12 (95.118)"),
    Misprint("Table 2, NER, P, tag set 2, lower end", "90.70", "90.71 (90.7096)"),
    Misprint("Table 3, R and F1, P(H0)", "0.001", "0.000015 and 0.000009"),
    Misprint(
        "Section 2.4, length of the older interval",
        "0.117",
        "0.127: both intervals come from the same three sums of counts, with the weights 0.3688 "
        "and 1/6, so that beside a length of 0.0854 no experiment gives less than 0.126; 0.117 is "
        "a misprint or from another experiment",
    ),
)


def published_tasks(tasks: Mapping[str, Mapping[str, FoldCounts]]) -> list[PublishedTask]:
    """Check that tasks are the three of the paper.

    Parameters
    ----------
    tasks : mapping of task to models
        The counts of the two models of each task; other tasks than the paper's are passed over.

    Returns
    -------
    list of PublishedTask
        In the order of the paper.

    Raises
    ------
    InputError
        If a task is missing, or its models or chunks are not those of the paper.
    """
    for name, published in TASKS.items():
        if name not in tasks:
            raise InputError(f"the fold counts of the paper's task {name} are missing.")
        models = tasks[name]
        chunks = {int(folds.positives.sum(axis=1)[0]) for folds in models.values()}
        if tuple(models) != published.models or chunks != {published.n_chunks}:
            raise InputError(
                f"the fold counts of {name} are not the paper's: expected the models "
                f"{' and '.join(published.models)} with {published.n_chunks} gold chunks; found "
                f"{' and '.join(models)} with {' and '.join(map(str, sorted(chunks)))}."
            )
    return list(TASKS.values())


def interval_records(tests: Iterable[Row]) -> list[dict[str, Any]]:
    """Set the intervals of the tests beside Table 2, one row a task, measure and model.

    Parameters
    ----------
    tests : iterable of rows
        Rows of the table `bayes_tests`; tasks other than the paper's are passed over.

    Returns
    -------
    list of dict
        `agrees` says whether both ends, in percent with two decimals, are as printed.
    """
    records = []
    for test in tests:
        for index, side in enumerate("ab" if test["task"] in TASKS else ""):
            printed = TASKS[test["task"]].intervals[test["measure"]][index]
            ends = test[f"lower_{side}"], test[f"upper_{side}"]
            records.append(
                {
                    "task": test["task"],
                    "measure": test["measure"],
                    "model": test[f"model_{side}"],
                    "lower": ends[0],
                    "upper": ends[1],
                    "printed_lower": round(printed[0] / 100, 4),
                    "printed_upper": round(printed[1] / 100, 4),
                    "agrees": all(
                        round(100 * end, 2) == value
                        for end, value in zip(ends, printed, strict=True)
                    ),
                }
            )
    return records


def decision_records(
    tests: Iterable[Row], tasks: Mapping[str, Mapping[str, FoldCounts]], *, seed: int = 0
) -> list[dict[str, Any]]:
    """Set the decisions of the tests beside Tables 3 to 5, one row a task and measure.

    Parameters
    ----------
    tests : iterable of rows
        Rows of the table `bayes_tests`; tasks other than the paper's are passed over.
    tasks : mapping of task to models
        Their fold counts, for the paper's Monte Carlo.
    seed : int
        Its seed.

    Returns
    -------
    list of dict
        `agrees` says whether P(H0) is as printed but for rounding and for the error of the paper's
        Monte Carlo, two and a half standard errors, and the decision is the same.
    """
    return [
        _decision_record(test, tasks[test["task"]], seed) for test in tests if test["task"] in TASKS
    ]


def coverage_records(results: Iterable[CoverageResult]) -> list[dict[str, Any]]:
    """Set simulated coverages and lengths beside section 2.4, one row a reading and posterior."""
    return [
        {
            "posterior": name,
            **result.reading._asdict(),
            "coverage": getattr(result, name).coverage,
            "standard_error": getattr(result, name).standard_error,
            "length": getattr(result, name).length,
            "length_error": getattr(result, name).length_error,
            "printed_coverage": printed[0],
            "printed_length": printed[1],
            "n_corpora": result.n_corpora,
            "n_items": result.n_items,
            "credibility": result.credibility,
            "seed": result.seed,
        }
        for result in results
        for name, printed in COVERAGE.items()
    ]


def _decision_record(test: Row, models: Mapping[str, FoldCounts], seed: int) -> dict[str, Any]:
    published = TASKS[test["task"]]
    measure, p = test["measure"], test["probability_h0"]
    drawn = bayes_test(
        *models.values(),
        measure=measure,
        rope=test["rope"],
        prior=test["prior"],
        method="monte-carlo",
        n_draws=N_DRAWS,
        seed=seed,
    )
    printed, decision = published.probabilities[measure], published.decisions[measure]
    error = sqrt(p * (1 - p) / N_DRAWS)
    return {
        "table": published.table,
        "task": test["task"],
        "measure": measure,
        "probability_h0": p,
        "probability_h1": test["probability_h1"],
        "decision": test["decision"],
        "monte_carlo_h0": drawn.probability_h0,
        "standard_error": drawn.standard_error,
        "printed_h0": printed,
        "printed_decision": decision,
        "agrees": abs(p - printed) <= 0.0005 + 2.5 * error and test["decision"] == decision,
    }
