"""All settings of a comparison in one place, as a mapping for a configuration file and back."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sigcore.comparison import bootstrap, mcnemar, power_sampling, ranks, signed_rank, units
from sigcore.comparison.assumptions import LARGE_SAMPLES
from sigcore.comparison.results import as_hypothesis
from sigcore.comparison.significance import TESTS, SignificanceOptions
from sigcore.errors import InputError
from sigcore.validation import as_choice, as_count, as_probability

__all__ = ["POWER_METHODS", "ComparisonOptions"]

POWER_METHODS = (*power_sampling.METHODS, "none")
_TEST_SETS = ("recommended", "all")


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonOptions:
    """How two systems are compared. Values are checked when the object is made.

    Attributes
    ----------
    unit_size, unit_statistic, unit_remainder, shuffle_seed
        Evaluation units; see `make_units`.
    normality_alpha, large_sample
        Normality test; see `check_normality`.
    alpha : float
        Level of the significance tests; reject if p < alpha.
    alternative, hypothesised, confidence
        See `Hypothesis`.
    tests : tuple of str
        Tests to run by name, or "recommended" for those preferred or acceptable, or "all".
    primary : str or None
        The test that decides; the first preferred one if None.
    n_resamples, seed
        Of all that is resampled.
    bootstrap_mean, bootstrap_median, wilcoxon_method, wilcoxon_zeros, wilcoxon_continuity,
    mcnemar_method
        See `SignificanceOptions`.
    power_method : {"bootstrap", "montecarlo", "none"}
        How the retrospective power curve is made.
    power_distribution, power_sizes, power_runs
        See `power_curve`; an empty tuple and None stand for its defaults.
    power_target : float
        Power for the sample size and the detectable difference.
    """

    unit_size: int = 1
    unit_statistic: str = "mean"
    unit_remainder: str = "drop"
    shuffle_seed: int | None = None
    normality_alpha: float = 0.05
    large_sample: str = "moments"
    alpha: float = 0.05
    alternative: str = "two-sided"
    hypothesised: float = 0.0
    confidence: float = 0.95
    tests: tuple[str, ...] = ("recommended",)
    primary: str | None = None
    n_resamples: int = 9999
    seed: int = 0
    bootstrap_mean: str = "studentised"
    bootstrap_median: str = "percentile"
    wilcoxon_method: str = "auto"
    wilcoxon_zeros: str = "wilcox"
    wilcoxon_continuity: bool = False
    mcnemar_method: str = "auto"
    power_method: str = "bootstrap"
    power_distribution: str = "normal"
    power_sizes: tuple[int, ...] = ()
    power_runs: int | None = None
    power_target: float = 0.8

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            as_choice(getattr(self, name), name, choices)
        for name in ("normality_alpha", "alpha", "power_target"):
            as_probability(getattr(self, name), name)
        as_hypothesis(self.alternative, self.hypothesised, self.confidence)
        as_count(self.unit_size, "unit_size", minimum=1)
        as_count(self.n_resamples, "n_resamples", minimum=2)
        as_count(self.seed, "seed")
        if self.shuffle_seed is not None:
            as_count(self.shuffle_seed, "shuffle_seed")
        if self.power_runs is not None:
            as_count(self.power_runs, "power_runs", minimum=1)
        for size in self.power_sizes:
            as_count(size, "power_sizes", minimum=2)
        for test in self.tests:
            as_choice(test, "tests", (*TESTS, *_TEST_SETS))
        if not self.tests:
            raise InputError("`tests` must name at least one test.")
        if self.primary is not None:
            as_choice(self.primary, "primary", TESTS)

    @property
    def significance(self) -> SignificanceOptions:
        """The part that concerns single tests."""
        names = [field.name for field in dataclasses.fields(SignificanceOptions)]
        return SignificanceOptions(**{name: getattr(self, name) for name in names})

    def to_mapping(self) -> dict[str, Any]:
        """Return all settings as plain values, ready for a YAML file."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in dataclasses.asdict(self).items()
        }

    @classmethod
    def from_mapping(cls, settings: Mapping[str, Any]) -> "ComparisonOptions":
        """Make the options from what a YAML file has; settings it lacks have their defaults.

        Raises
        ------
        InputError
            If a setting is unknown or has a wrong value.
        """
        known = [field.name for field in dataclasses.fields(cls)]
        for name in settings:
            if name not in known:
                raise InputError(f"unknown setting {name!r}; known are {', '.join(known)}.")
        values = dict(settings)
        for name in ("tests", "power_sizes"):
            if name in values:
                value = values[name]
                values[name] = tuple(value) if isinstance(value, (list, tuple)) else (value,)
        continuity = values.get("wilcoxon_continuity", False)
        if not isinstance(continuity, bool):
            raise InputError(f"`wilcoxon_continuity` must be true or false; got {continuity!r}.")
        try:
            return cls(**values)
        except InputError:
            raise
        except (TypeError, ValueError) as error:
            raise InputError(f"a setting has a value of the wrong kind: {error}.") from error


_CHOICES = {
    "unit_statistic": units.STATISTICS,
    "unit_remainder": units.REMAINDERS,
    "large_sample": LARGE_SAMPLES,
    "bootstrap_mean": bootstrap.KINDS,
    "bootstrap_median": bootstrap.KINDS,
    "wilcoxon_method": signed_rank.METHODS,
    "wilcoxon_zeros": ranks.ZEROS,
    "mcnemar_method": mcnemar.METHODS,
    "power_method": POWER_METHODS,
    "power_distribution": power_sampling.DISTRIBUTIONS,
}
