"""Tables on the Bayes test as people read them: headings and cells that are texts."""

from collections.abc import Iterable, Mapping, Sequence
from math import floor, log10
from typing import Any

__all__ = [
    "LATEX_HEADS",
    "MEASURES",
    "Columns",
    "bayes_columns",
    "coverage_columns",
    "decimals_of",
    "decision_columns",
    "interval_columns",
    "interval_text",
    "probability_text",
]

Row = Mapping[str, Any]
# Headings and cells, all of them texts.
Columns = dict[str, list[str]]

# Headings that LaTeX sets as formulas.
LATEX_HEADS = {
    "P(H0)": "$P(H_0)$",
    "P(H1)": "$P(H_1)$",
    "P(rope)": r"$P(\mathrm{rope})$",
    "range of P(H0)": "range of $P(H_0)$",
    "Monte Carlo P(H0)": "Monte Carlo $P(H_0)$",
    "printed P(H0)": "printed $P(H_0)$",
}
MEASURES = {"precision": "P", "recall": "R", "f1": "F1"}

_POSTERIORS = {"corrected": "this paper", "mean_count": "mean counts (older)"}
_TRUTHS = {
    "test": "of the corpus' classifier, on test items",
    "whole": "of the corpus' classifier, on the population",
    "folds": "of the folds' classifiers, on the population",
    "common": "one for all corpora",
}


def bayes_columns(tests: Sequence[Row]) -> Columns:
    """Choose and format what people read of the table `bayes_tests`."""
    columns = {
        "task": [row["task"] for row in tests],
        "measure": [MEASURES[row["measure"]] for row in tests],
    }
    ends = {side: [(row[f"lower_{side}"], row[f"upper_{side}"]) for row in tests] for side in "ab"}
    decimals = decimals_of([*ends["a"], *ends["b"]], scale=100.0, least=2)
    for side, intervals in ends.items():
        columns[side.upper()] = [
            f"{row[f'model_{side}']} {100 * row[f'mean_{side}']:.{decimals}f} "
            f"{interval_text(interval, decimals, scale=100.0)}"
            for row, interval in zip(tests, intervals, strict=True)
        ]
    columns["P(H0)"] = [probability_text(row["probability_h0"]) for row in tests]
    columns["P(H1)"] = [probability_text(row["probability_h1"]) for row in tests]
    if any(row["rope"] for row in tests):
        columns["P(rope)"] = [probability_text(row["probability_rope"]) for row in tests]
    columns["decision"] = [row["decision"] for row in tests]
    columns["range of P(H0)"] = [
        f"{probability_text(row['lowest_h0'])} to {probability_text(row['highest_h0'])}"
        for row in tests
    ]
    return columns


def interval_columns(intervals: Sequence[Row]) -> Columns:
    """Arrange the table `paper_intervals` as the paper's Table 2, printed values beside."""
    columns: Columns = {name: [] for name in ("task", "measure")}
    for number, (row, other) in enumerate(zip(intervals[::2], intervals[1::2], strict=True)):
        columns["task"].append(row["task"] if number % len(MEASURES) == 0 else "")
        columns["measure"].append(MEASURES[row["measure"]])
        for side, cell in (("1", row), ("2", other)):
            found = interval_text((cell["lower"], cell["upper"]), 2, scale=100.0)
            columns.setdefault(f"tag set {side} (%)", []).append(f"{cell['model']} {found}")
            ends = cell["printed_lower"], cell["printed_upper"]
            printed = interval_text(ends, 2, scale=100.0)
            mark = "" if cell["agrees"] else " (differs)"
            columns.setdefault(f"printed {side}", []).append(printed + mark)
    return columns


def decision_columns(decisions: Sequence[Row]) -> Columns:
    """Arrange rows of the table `paper_decisions` as Tables 3 to 5, printed values beside."""
    return {
        "measure": [MEASURES[row["measure"]] for row in decisions],
        "P(H0)": [probability_text(row["probability_h0"]) for row in decisions],
        "P(H1)": [probability_text(row["probability_h1"]) for row in decisions],
        "decision": [f"Accept {row['decision']}" for row in decisions],
        "Monte Carlo P(H0)": [
            f"{row['monte_carlo_h0']:.6f} ± {row['standard_error']:.6f}" for row in decisions
        ],
        "printed P(H0)": [
            f"{row['printed_h0']:.3f}" + ("" if row["agrees"] else " (differs)")
            for row in decisions
        ],
        "printed decision": [f"Accept {row['printed_decision']}" for row in decisions],
    }


def coverage_columns(coverage: Sequence[Row]) -> Columns:
    """Format the table `coverage`, printed values beside."""
    return {
        "class sizes": [row["classes"] for row in coverage],
        "blocks": [row["blocks"] for row in coverage],
        "true F1": [_TRUTHS[row["truth"]] for row in coverage],
        "posterior": [_POSTERIORS[row["posterior"]] for row in coverage],
        "coverage (%)": [
            f"{100 * row['coverage']:.1f} ± {100 * row['standard_error']:.1f}" for row in coverage
        ],
        "printed coverage (%)": [f"{100 * row['printed_coverage']:.1f}" for row in coverage],
        "length": [f"{row['length']:.5f} ± {row['length_error']:.5f}" for row in coverage],
        "printed length": [f"{row['printed_length']:.4g}" for row in coverage],
    }


def probability_text(value: float) -> str:
    """Print three decimals, and small values with two digits; what is not defined is a dash."""
    if value != value:
        return "–"
    return f"{value:.3f}" if value >= 0.001 or value == 0 else f"{value:.2g}"


def decimals_of(
    intervals: Iterable[tuple[float, float]], *, scale: float = 1.0, least: int = 4, most: int = 12
) -> int:
    """Return the decimals that give the width of the narrowest interval two digits."""
    widths = [scale * (upper - lower) for lower, upper in intervals if upper > lower]
    needed = max((1 - floor(log10(width)) for width in widths), default=least)
    return min(max(needed, least), most)


def interval_text(ends: tuple[float, float], decimals: int, *, scale: float = 1.0) -> str:
    """Print the ends of an interval in brackets."""
    lower, upper = ends
    return f"[{scale * lower:.{decimals}f}, {scale * upper:.{decimals}f}]"
