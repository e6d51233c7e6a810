"""The result of a comparison in words for a paper."""

from sigcore.comparison.compare import Comparison
from sigcore.comparison.document import (
    format_interval,
    format_number,
    format_pvalue,
    format_statistic,
)
from sigcore.comparison.results import Interval

__all__ = ["describe_direction", "describe_units", "paper_sentence"]

_DIRECTIONS = {
    "two-sided": "two-sided",
    "greater": "one-sided, {first} better",
    "less": "one-sided, {second} better",
}


def paper_sentence(comparison: Comparison) -> str:
    """Return the result in words for a paper.

    It names the test, the level, the sample size, the estimate, the effect size and the power, as
    section 2.3 of Zhu et al. (2020) demands.
    """
    first, second = comparison.names
    decision = comparison.decision
    start = (
        f"We compared {first} and {second} on {describe_units(comparison)} with the "
        f"{decision.label} ({describe_direction(comparison)}, alpha = "
        f"{comparison.options.alpha:g})"
    )
    if decision.reason:
        return f"{start}, which could not be run: {decision.reason}"
    verdict = "is" if comparison.significant else "is not"
    found = (
        f"the difference{_in_favour(comparison)} {verdict} significant "
        f"({decision.statistic_name} = {format_statistic(decision.statistic)}, p = "
        f"{format_pvalue(decision.pvalue)}; {decision.estimate_name} "
        f"{format_number(decision.estimate)}{_interval(decision.interval, ', ')})"
    )
    return f"{start}; {found}.{_effect_sentence(comparison)}{_power_sentence(comparison)}"


def describe_units(comparison: Comparison) -> str:
    """Return what was compared, with the number."""
    units = comparison.units
    if units.size == 1:
        return f"{units.n_units} pairs of scores"
    return f"{units.n_units} evaluation units of {units.size} items"


def describe_direction(comparison: Comparison) -> str:
    """Return the alternative in words."""
    first, second = comparison.names
    return _DIRECTIONS[comparison.options.alternative].format(first=first, second=second)


def _in_favour(comparison: Comparison) -> str:
    """Name the better system as the deciding test sees it, else by the mean."""
    estimate = comparison.decision.estimate
    if comparison.primary == "aso":
        estimate = 0.5 - estimate  # a small violation ratio speaks for the first system
    value = estimate or comparison.analysis.difference.mean
    if value == 0.0:
        return ""
    return f" in favour of {comparison.names[0] if value > 0 else comparison.names[1]}"


def _interval(interval: Interval | None, before: str, after: str = "") -> str:
    if interval is None:
        return ""
    ends = format_interval(interval.low, interval.high)
    return f"{before}{100 * interval.level:g}% CI {ends}{after}"


def _effect_sentence(comparison: Comparison) -> str:
    effect = comparison.effect
    if effect.estimate != effect.estimate:
        return ""
    number = format_number(effect.estimate)
    return f" The effect size is {effect.label} = {number}{_interval(effect.interval, ' (', ')')}."


def _power_sentence(comparison: Comparison) -> str:
    power = comparison.power
    simulated = power.detectable == power.detectable
    found = power.detectable if simulated else power.detectable_t
    if found != found:
        return ""
    return (
        f" At this sample size the {'test' if simulated else 't test'} has power "
        f"{power.target:g} to find a mean difference of {format_number(found)}."
    )
