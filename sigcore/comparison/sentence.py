"""The result of a comparison in words for a paper."""

import math

from sigcore.comparison.compare import Comparison
from sigcore.comparison.document import (
    format_interval,
    format_number,
    format_pvalue,
    format_statistic,
)
from sigcore.comparison.results import Interval

__all__ = [
    "describe_detectable",
    "describe_direction",
    "describe_units",
    "describe_verdict",
    "paper_sentence",
]


_SIDES = {"two-sided": "different from", "greater": "above", "less": "below"}


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
    pvalue = format_pvalue(decision.pvalue)
    numbers = [f"p {pvalue}" if pvalue.startswith("<") else f"p = {pvalue}", _estimate(comparison)]
    if decision.statistic_name != decision.estimate_name:
        statistic = format_statistic(decision.statistic)
        numbers[0] = f"{decision.statistic_name} = {statistic}, {numbers[0]}"
    found = f"{describe_verdict(comparison)} ({'; '.join(numbers)})"
    return f"{start}; {found}.{_effect_sentence(comparison)}{_power_sentence(comparison)}"


def describe_units(comparison: Comparison) -> str:
    """Return what was compared, with the number."""
    units = comparison.units
    plural = "" if units.n_units == 1 else "s"
    if units.size == 1:
        return f"{units.n_units} pair{plural} of scores"
    return f"{units.n_units} evaluation unit{plural} of {units.size} items"


def describe_direction(comparison: Comparison) -> str:
    """Return the alternative in words."""
    first, second = comparison.names
    alternative, value = comparison.options.alternative, comparison.options.hypothesised
    if alternative == "two-sided":
        return "two-sided" if value == 0.0 else f"two-sided, against a difference of {value:g}"
    if value == 0.0:
        return f"one-sided, {first if alternative == 'greater' else second} better"
    return f"one-sided, difference {_SIDES[alternative]} {value:g}"


def describe_verdict(comparison: Comparison) -> str:
    """Say what the test found, in the direction that was tested and against the tested value."""
    first, second = comparison.names
    alternative, value = comparison.options.alternative, comparison.options.hypothesised
    verb = "is" if comparison.significant else "is not"
    if value != 0.0:
        side = _SIDES[alternative]
        return f"the difference {first} minus {second} {verb} significantly {side} {value:g}"
    if alternative == "two-sided":
        return f"the difference{_in_favour(comparison)} {verb} significant"
    better, other = (first, second) if alternative == "greater" else (second, first)
    return f"{better} {verb} significantly better than {other}"


def describe_detectable(comparison: Comparison, difference: float) -> str:
    """Return a difference that a test can find, in words; infinite if there is none."""
    if math.isinf(difference):
        return "no mean difference, however large"
    found = f"a mean difference of {format_number(difference)}"
    value = comparison.options.hypothesised
    return found if value == 0.0 else f"{found} from {value:g}"


def _in_favour(comparison: Comparison) -> str:
    """Name the better system as the deciding test sees it, else by the mean."""
    estimate = comparison.decision.estimate
    if comparison.primary == "aso":
        estimate = 0.5 - estimate  # a small violation ratio speaks for the first system
    value = estimate or comparison.analysis.difference.mean
    if value == 0.0:
        return ""
    return f" in favour of {comparison.names[0] if value > 0 else comparison.names[1]}"


def _estimate(comparison: Comparison) -> str:
    decision = comparison.decision
    name = decision.estimate_name
    if decision.test == "aso":
        name = "violation ratio of {} over {}".format(*comparison.names)
    return f"{name} {format_number(decision.estimate)}" + _interval(decision.interval, ", ")


def _interval(interval: Interval | None, before: str, after: str = "") -> str:
    """Return the interval in words; nothing if neither end is finite, as with very few pairs."""
    if interval is None or not (math.isfinite(interval.low) or math.isfinite(interval.high)):
        return ""
    level = f"{100 * interval.level:g}%"
    if math.isinf(interval.high):
        return f"{before}{level} lower bound {format_number(interval.low)}{after}"
    if math.isinf(interval.low):
        return f"{before}{level} upper bound {format_number(interval.high)}{after}"
    ends = format_interval(interval.low, interval.high)
    return f"{before}{level} CI {ends}{after}"


def _effect_sentence(comparison: Comparison) -> str:
    effect = comparison.effect
    if effect.estimate != effect.estimate:
        return ""
    number = format_number(effect.estimate)
    subject = f"effect size is {effect.label} ="
    if effect.label.endswith("effect size"):
        subject = f"{effect.label} is"
    return f" The {subject} {number}{_interval(effect.interval, ' (', ')')}."


def _power_sentence(comparison: Comparison) -> str:
    power = comparison.power
    simulated = power.detectable == power.detectable
    found = power.detectable if simulated else power.detectable_t
    if found != found:
        return ""
    return (
        f" At this sample size the {'test' if simulated else 't test'} has power "
        f"{power.target:g} to find {describe_detectable(comparison, found)}."
    )
