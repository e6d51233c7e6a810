"""The whole comparison of two systems: data analysis, tests, effect sizes, power."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from sigcore.comparison.assumptions import DataAnalysis, analyse
from sigcore.comparison.effect_size import EffectSize, cohens_d, hedges_g
from sigcore.comparison.options import ComparisonOptions
from sigcore.comparison.power_analysis import Power, analyse_power
from sigcore.comparison.rank_effects import (
    cliffs_delta,
    common_language,
    hodges_lehmann,
    wilcoxon_r,
)
from sigcore.comparison.recommendation import Recommendation, recommend
from sigcore.comparison.results import SignificanceResult
from sigcore.comparison.significance import TESTS, run_test
from sigcore.comparison.units import EvaluationUnits, make_units
from sigcore.errors import InputError

__all__ = ["Comparison", "compare"]

# The effect size that goes with what a test looks at.
_MATCHING_EFFECT = {
    "t": "cohens_d",
    "wilcoxon": "wilcoxon_r",
    "sign": "common_language",
    "permutation_mean": "cohens_d",
    "permutation_median": "common_language",
    "bootstrap_mean": "cohens_d",
    "bootstrap_median": "common_language",
    "mcnemar": "common_language",
    "aso": "cliffs_delta",
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything there is to say about two systems.

    Attributes
    ----------
    names : tuple of two str
        The systems.
    options : ComparisonOptions
        How they were compared.
    units : EvaluationUnits
        The scores that were compared.
    analysis : DataAnalysis
        What the data look like.
    recommendations : tuple of Recommendation
        All tests, graded.
    primary : str
        The test that decides.
    results : tuple of SignificanceResult
        The tests that were run, the deciding one first.
    effect_sizes : tuple of EffectSize
        All effect sizes.
    power : Power
        What the sample size can show.
    n_missing : int
        Items left out before the comparison because a score was missing.
    notes : tuple of str
        What else a reader must know about the scores.
    """

    names: tuple[str, str]
    options: ComparisonOptions
    units: EvaluationUnits
    analysis: DataAnalysis
    recommendations: tuple[Recommendation, ...]
    primary: str
    results: tuple[SignificanceResult, ...]
    effect_sizes: tuple[EffectSize, ...]
    power: Power
    n_missing: int = 0
    notes: tuple[str, ...] = ()

    @property
    def decision(self) -> SignificanceResult:
        """Result of the deciding test."""
        return self.results[0]

    @property
    def significant(self) -> bool:
        """Whether the deciding test rejects: p < alpha, unrounded."""
        return self.decision.pvalue < self.options.alpha

    @property
    def effect(self) -> EffectSize:
        """The effect size that goes with the deciding test."""
        wanted = _MATCHING_EFFECT[self.primary]
        return next(effect for effect in self.effect_sizes if effect.name == wanted)


def compare(
    u: npt.ArrayLike,
    v: npt.ArrayLike,
    *,
    names: tuple[str, str] = ("A", "B"),
    n_missing: int = 0,
    notes: Sequence[str] = (),
    options: ComparisonOptions | None = None,
    **settings: Any,
) -> Comparison:
    """Compare two systems by the three-stage procedure of Zhu et al. (2020).

    Parameters
    ----------
    u, v : array_like of shape (n,)
        Scores of the systems on the same items, larger is better.
    names : tuple of two str
        Names of the systems.
    n_missing : int
        Items already left out because a score was missing, for the report.
    notes : sequence of str
        What else a reader must know about the scores, for the report.
    options : ComparisonOptions, optional
        All settings.
    **settings
        Single settings by name, instead of `options`.

    Returns
    -------
    Comparison
        A test that cannot be run on these data has a `reason` and no p-value; the rest is there.

    Notes
    -----
    The deciding test is chosen from the shape of the differences, or by the user, before any
    p-value is seen. The other tests are there to show how much depends on the choice.

    References
    ----------
    Zhu, Mak, Gioannini and Xia (2020), NLPStatTest: a toolkit for comparing NLP system
    performance. AACL, system demonstrations.

    Examples
    --------
    >>> result = compare([1, 2, 3, 4, 5, 6, 7, 9], [0, 2, 1, 2, 2, 3, 5, 5], power_method="none")
    >>> result.primary, round(result.decision.pvalue, 4)
    ('t', 0.0019)
    """
    if options is not None and settings:
        raise InputError("give either `options` or single settings, not both.")
    if len(names) != 2 or names[0] == names[1]:
        raise InputError(f"`names` must be two different names; got {tuple(names)}.")
    chosen = options if options is not None else ComparisonOptions.from_mapping(settings)
    units = make_units(
        u,
        v,
        size=chosen.unit_size,
        statistic=chosen.unit_statistic,
        remainder=chosen.unit_remainder,
        shuffle_seed=chosen.shuffle_seed,
    )
    analysis = analyse(
        units.u,
        units.v,
        hypothesised=chosen.hypothesised,
        alpha=chosen.normality_alpha,
        large_sample=chosen.large_sample,
        seed=chosen.seed,
    )
    graded = recommend(analysis, alpha=chosen.alpha, alternative=chosen.alternative)
    primary = chosen.primary or _first_choice(graded)
    return Comparison(
        names=(names[0], names[1]),
        options=chosen,
        units=units,
        analysis=analysis,
        recommendations=graded,
        primary=primary,
        results=tuple(_run(units, test, chosen) for test in _wanted(graded, primary, chosen)),
        effect_sizes=_effect_sizes(units, chosen.confidence),
        power=analyse_power(units, analysis, primary, chosen),
        n_missing=n_missing,
        notes=tuple(notes),
    )


def _first_choice(graded: tuple[Recommendation, ...]) -> str:
    """Return the best graded test; the permutation test if none is fit, since it always runs."""
    best = graded[0]
    return best.test if best.grade != "inappropriate" else "permutation_mean"


def _wanted(
    graded: tuple[Recommendation, ...], primary: str, options: ComparisonOptions
) -> list[str]:
    """Return the tests to run, the deciding one first, then in the order of their grades."""
    asked = list(options.tests)
    if "all" in asked:
        asked = list(TESTS)
    if "recommended" in asked:
        asked += [item.test for item in graded if item.grade != "inappropriate"]
    ranked = [item.test for item in graded if item.test in asked and item.test != primary]
    return [primary, *ranked]


def _run(units: EvaluationUnits, test: str, options: ComparisonOptions) -> SignificanceResult:
    return run_test(
        test,
        units.u,
        units.v,
        alternative=options.alternative,
        hypothesised=options.hypothesised,
        confidence=options.confidence,
        options=options.significance,
    )


def _effect_sizes(units: EvaluationUnits, confidence: float) -> tuple[EffectSize, ...]:
    u, v = units.u, units.v
    return (
        cohens_d(u, v, confidence=confidence),
        hedges_g(u, v, confidence=confidence),
        hedges_g(u, v, correction="nlpstattest", confidence=confidence),
        wilcoxon_r(u, v, confidence=confidence),
        hodges_lehmann(u, v, confidence=confidence),
        cliffs_delta(u, v, confidence=confidence),
        common_language(u, v, confidence=confidence),
    )
