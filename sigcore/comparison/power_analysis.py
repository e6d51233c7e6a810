"""The power of a comparison: its curve, what it can find, and how many pairs it would need."""

import math
from dataclasses import dataclass

from sigcore.comparison.assumptions import DataAnalysis
from sigcore.comparison.detectable import detectable_effect
from sigcore.comparison.options import ComparisonOptions
from sigcore.comparison.power import detectable_effect_t, sample_size_t
from sigcore.comparison.power_curves import PowerCurve, power_curve
from sigcore.comparison.significance import ROW_TESTS
from sigcore.comparison.units import EvaluationUnits
from sigcore.errors import InputError

__all__ = ["Power", "analyse_power"]


@dataclass(frozen=True, slots=True)
class Power:
    """What the sample size can show.

    Attributes
    ----------
    curve : PowerCurve or None
        Power of the deciding test against sample size, if the effect were as observed.
    target : float
        Power that the next three refer to.
    detectable : float
        Smallest mean difference that the deciding test finds with this power, by simulation; NaN
        if it was not computed.
    detectable_t : float
        The same for the t test, in closed form.
    sample_size_t : int or None
        Pairs that the t test needs for an effect as observed; None if there is no such number.
    """

    curve: PowerCurve | None
    target: float
    detectable: float
    detectable_t: float
    sample_size_t: int | None


def analyse_power(
    units: EvaluationUnits, analysis: DataAnalysis, test: str, options: ComparisonOptions
) -> Power:
    """Return what a comparison tells about power.

    Parameters
    ----------
    units : EvaluationUnits
        The scores.
    analysis : DataAnalysis
        What is known about them.
    test : str
        The test that decides.
    options : ComparisonOptions
        Level, direction and the wanted power.
    """
    sd = analysis.difference.sd
    if not sd > 0.0:
        return Power(None, options.power_target, math.nan, math.nan, None)
    target, alpha, alternative = options.power_target, options.alpha, options.alternative
    reachable = target > alpha
    detectable = math.nan
    if reachable and options.power_method != "none" and test in ROW_TESTS:
        detectable = detectable_effect(
            units.u,
            units.v,
            test=test,
            power=target,
            alpha=alpha,
            alternative=alternative,
            hypothesised=options.hypothesised,
            options=options.significance,
            seed=options.seed,
        )
    return Power(
        curve=_curve(units, test, options),
        target=target,
        detectable=detectable,
        detectable_t=(
            detectable_effect_t(
                units.n_units, sd=sd, power=target, alpha=alpha, alternative=alternative
            )
            if reachable
            else math.nan
        ),
        sample_size_t=_sample_size(analysis, options),
    )


def _curve(units: EvaluationUnits, test: str, options: ComparisonOptions) -> PowerCurve | None:
    simulated = options.power_method == "montecarlo" and test not in ROW_TESTS
    if options.power_method == "none" or simulated:
        return None
    return power_curve(
        units.u,
        units.v,
        test=test,
        method=options.power_method,
        sizes=options.power_sizes or None,
        n_runs=options.power_runs,
        alpha=options.alpha,
        alternative=options.alternative,
        hypothesised=options.hypothesised,
        distribution=options.power_distribution,
        options=options.significance,
        seed=options.seed,
    )


def _sample_size(analysis: DataAnalysis, options: ComparisonOptions) -> int | None:
    try:
        return sample_size_t(
            analysis.difference.mean - options.hypothesised,
            sd=analysis.difference.sd,
            power=options.power_target,
            alpha=options.alpha,
            alternative=options.alternative,
        )
    except InputError:  # no effect in the direction of the alternative
        return None
