"""What `sigcore bayes` prints, and its table in LaTeX."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sigcore.cli._output import format_table
from sigcore.report.bayes_columns import (
    LATEX_HEADS,
    decimals_of,
    interval_text,
    probability_text,
)

if TYPE_CHECKING:
    from sigcore.bayes.comparison import BayesTestResult
    from sigcore.bayes.cv_tests import CrossValidationTest

__all__ = ["INDEPENDENCE", "latex_table", "report_lines"]

INDEPENDENCE = "A and B are taken as independent although they share the folds."
_POSTERIORS = "Means and intervals are those of the posteriors."


def report_lines(
    labels: Sequence[str],
    results: "Sequence[BayesTestResult]",
    ranges: Sequence[dict[str, Any]],
    others: "Sequence[tuple[str, CrossValidationTest]]",
) -> list[str]:
    """Return what is printed: the table, what it means, further tests, and what to heed."""
    first = results[0]
    hypotheses = (
        f"H0: B - A < -{first.rope:g}; rope: |B - A| <= {first.rope:g}; H1: B - A > {first.rope:g}."
        if first.rope
        else "H0: B - A <= 0; H1: B - A > 0."
    )
    columns = _columns(results)
    return [
        f"A = {labels[0]}, B = {labels[1]}; {first.n_repetitions} x 2 cross-validation, "
        f"weight {first.weight:.6f}, prior {first.prior:g}, {_method(results)}",
        "",
        format_table(list(columns), list(zip(*columns.values(), strict=True))),
        "",
        hypotheses,
        f"{_POSTERIORS} {INDEPENDENCE}",
        *map(_range_line, ranges),
        *(_test_line(measure, test) for measure, test in others),
        *_notes(results),
    ]


def latex_table(labels: Sequence[str], results: "Sequence[BayesTestResult]") -> str:
    """Return the table in LaTeX, with what to heed as comments."""
    from sigcore.io.typeset import to_latex

    decimals = decimals_of(_intervals(results), scale=100.0, least=2)
    columns: dict[str, list[Any]] = {"measure": [result.measure for result in results]}
    for label, side in zip(labels, "ab", strict=True):
        columns[f"{side.upper()}: {label} (%)"] = [
            interval_text(getattr(result, f"model_{side}").interval, decimals, scale=100.0)
            for result in results
        ]
    probabilities = {
        head: [probability_text(value) for value in values]
        for head, values in _probabilities(results).items()
    }
    columns |= probabilities | {"decision": [result.decision for result in results]}
    headers = {head: LATEX_HEADS[head] for head in probabilities}
    return to_latex(columns, headers=headers) + "".join(f"% {note}\n" for note in _notes(results))


def _columns(results: "Sequence[BayesTestResult]") -> dict[str, list[str]]:
    decimals = decimals_of(_intervals(results))
    share = f"{100 * results[0].credibility:.10g}% interval"
    columns = {"measure": [result.measure for result in results]}
    for side in "ab":
        models = [getattr(result, f"model_{side}") for result in results]
        columns[f"mean {side.upper()}"] = [f"{model.mean:.{decimals}f}" for model in models]
        columns[f"{share} {side.upper()}"] = [
            interval_text(each.interval, decimals) for each in models
        ]
    for head, values in _probabilities(results).items():
        columns[head] = [_probability(value) for value in values]
    return columns | {"decision": [result.decision for result in results]}


def _probabilities(results: "Sequence[BayesTestResult]") -> dict[str, list[float]]:
    columns = {
        "P(H0)": [result.probability_h0 for result in results],
        "P(H1)": [result.probability_h1 for result in results],
    }
    if results[0].rope:
        columns["P(rope)"] = [result.probability_rope for result in results]
    return columns


def _intervals(results: "Sequence[BayesTestResult]") -> list[tuple[float, float]]:
    return [model.interval for each in results for model in (each.model_a, each.model_b)]


def _method(results: "Sequence[BayesTestResult]") -> str:
    first = results[0]
    if not first.n_draws:
        return first.method
    error = max(result.standard_error for result in results)
    return f"{first.method} with {first.n_draws} draws, standard error of P(H0) at most {error:.1e}"


def _range_line(found: dict[str, Any]) -> str:
    lowest, highest = _probability(found["lowest_h0"]), _probability(found["highest_h0"])
    return (
        f"{found['measure']}: P(H0) from {lowest} to {highest} over the published ranges of rho1 "
        f"and rho2; decision {' or '.join(found['decisions'])}"
    )


def _test_line(measure: str, test: "CrossValidationTest") -> str:
    reason = f" ({test.reason})" if test.reason else ""
    return (
        f"{measure}: {test.test} of B - A, statistic {test.statistic:.4f}, {test.alternative} "
        f"p = {_probability(test.pvalue)}{reason}"
    )


def _notes(results: "Sequence[BayesTestResult]") -> list[str]:
    notes = [f"note: {result.measure}: {why}" for result in results for why in result.reasons]
    return [*notes, *(f"flag: {flag}" for flag in results[0].flags)]


def _probability(value: float) -> str:
    # Small probabilities have their digits: 9.2e-12 is not 0.
    return f"{value:.1e}" if 0 < value < 5e-7 else f"{value:.6f}"
