"""The settings of a comparison as fields of a form."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sigcore.comparison.options import ComparisonOptions
from sigcore.errors import InputError

__all__ = ["GROUPS", "MOST", "Field", "read_settings"]

# What one request may ask for; the command has no such bounds.
MOST = {"n_resamples": 1_000_000, "power_runs": 10_000, "unit_size": 1_000_000}

_DEFAULTS = {field.name: field.default for field in dataclasses.fields(ComparisonOptions)}


@dataclass(frozen=True, slots=True)
class Field:
    """A setting as a field of the form.

    Attributes
    ----------
    name : str
        Name of the setting in `ComparisonOptions`.
    label : str
        What the form calls it.
    kind : {"choice", "whole", "number", "wholes", "flag"}
        How it is asked for.
    choices : mapping of str to str
        Values and what the form calls them; an empty value leaves the default.
    hint : str
        A few words below the field.
    """

    name: str
    label: str
    kind: str
    choices: Mapping[str, str] = dataclasses.field(default_factory=dict)
    hint: str = ""

    @property
    def default(self) -> str:
        """What the field holds at first."""
        value = _DEFAULTS[self.name]
        if value is None or value is False or value == ():
            return ""
        return value[0] if isinstance(value, tuple) else str(value)

    def read(self, text: str) -> Any:
        """Return the value of what was filled in.

        Raises
        ------
        InputError
            If it is no such number.
        """
        if self.kind in ("choice", "flag"):
            return True if self.kind == "flag" else text
        if self.kind == "wholes":
            return [self._number(part, int) for part in text.replace(",", " ").split()]
        return self._number(text, float if self.kind == "number" else int)

    def _number(self, text: str, kind: type[int] | type[float]) -> int | float:
        try:
            value = kind(text)
        except ValueError:
            wanted = "a number" if kind is float else "a whole number"
            raise InputError(f"{self.label}: expected {wanted}; found {text!r}.") from None
        most = MOST.get(self.name, value)
        if value > most:
            raise InputError(f"{self.label}: at most {most:,} here; found {text!r}.")
        return value


def read_settings(form: Mapping[str, str]) -> ComparisonOptions:
    """Make the options of a comparison from a form; what is left empty has its default.

    Raises
    ------
    InputError
        If a field has a wrong value.
    """
    settings = {}
    for field in (field for fields in GROUPS.values() for field in fields):
        text = form.get(field.name, "").strip()
        if text:
            settings[field.name] = field.read(text)
    return ComparisonOptions.from_mapping(settings)


def _named(*values: str) -> dict[str, str]:
    return {value: value for value in values}


_TESTS = {
    "t": "t test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "sign": "sign test",
    "permutation_mean": "permutation test of the mean",
    "permutation_median": "permutation test of the median",
    "bootstrap_mean": "bootstrap of the mean",
    "bootstrap_median": "bootstrap of the median",
    "mcnemar": "McNemar's test (scores 0 and 1)",
    "aso": "almost stochastic order (ASO)",
}
_INTERVALS = _named("studentised", "basic", "percentile", "bca")
GROUPS: dict[str, tuple[Field, ...]] = {
    "Question": (
        Field(
            "alternative",
            "Alternative",
            "choice",
            {
                "two-sided": "A and B differ",
                "greater": "A is better than B",
                "less": "A is worse than B",
            },
        ),
        Field("alpha", "Level of the tests", "number", hint="chosen before looking at the data"),
        Field(
            "tests",
            "Tests",
            "choice",
            {"recommended": "those that suit the data", "all": "all", **_TESTS},
        ),
        Field("primary", "The test that decides", "choice", {"": "the most suitable", **_TESTS}),
    ),
    "Evaluation units": (
        Field("unit_size", "Items in a unit", "whole"),
        Field("unit_statistic", "Score of a unit", "choice", _named("mean", "median")),
        Field(
            "unit_remainder",
            "Items that fill no unit",
            "choice",
            {"drop": "left out", "short": "a short unit", "spread": "spread over the units"},
        ),
        Field("shuffle_seed", "Shuffle the items first", "whole", hint="seed; empty: no shuffling"),
        Field("normality_alpha", "Level of the normality test", "number"),
        Field(
            "large_sample",
            "Normality beyond 5,000 units",
            "choice",
            {"moments": "test of moments", "subsample": "of a subsample"},
        ),
    ),
    "Details of the tests": (
        Field("hypothesised", "Mean of A − B under the null", "number"),
        Field("confidence", "Level of the intervals", "number"),
        Field("n_resamples", "Resamples", "whole", hint=f"at most {MOST['n_resamples']:,}"),
        Field("seed", "Seed", "whole", hint="same seed, same numbers"),
        Field("bootstrap_mean", "Bootstrap of the mean", "choice", _INTERVALS),
        Field("bootstrap_median", "Bootstrap of the median", "choice", _INTERVALS),
        Field(
            "wilcoxon_method",
            "Wilcoxon's p-value",
            "choice",
            {"auto": "exact up to 50 pairs", "exact": "exact", "asymptotic": "asymptotic"},
        ),
        Field(
            "wilcoxon_zeros",
            "Wilcoxon's ties of A and B",
            "choice",
            {"wilcox": "left out", "pratt": "ranked (Pratt)", "zsplit": "split"},
        ),
        Field("wilcoxon_continuity", "Wilcoxon with continuity correction", "flag"),
        Field(
            "mcnemar_method",
            "McNemar's p-value",
            "choice",
            _named("auto", "exact", "mid-p", "asymptotic"),
        ),
    ),
    "Power": (
        Field(
            "power_method",
            "Power curve",
            "choice",
            {
                "bootstrap": "samples from the data",
                "montecarlo": "samples from a distribution",
                "none": "none",
            },
        ),
        Field(
            "power_distribution",
            "Distribution",
            "choice",
            _named("normal", "laplace", "uniform"),
        ),
        Field("power_sizes", "Numbers of pairs", "wholes", hint="such as 50 100 200"),
        Field("power_runs", "Samples at each number", "whole"),
        Field("power_target", "Power to plan for", "number"),
    ),
}
