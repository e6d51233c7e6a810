"""The report of a comparison: its contents, and all figures as data."""

import dataclasses
from typing import Any

from sigcore.comparison.assumptions import Summary
from sigcore.comparison.compare import Comparison
from sigcore.comparison.document import (
    Section,
    Table,
    format_interval,
    format_number,
    format_pvalue,
    render,
)
from sigcore.comparison.options import ComparisonOptions
from sigcore.comparison.recommendation import Recommendation
from sigcore.comparison.results import SignificanceResult
from sigcore.comparison.sentence import (
    describe_detectable,
    describe_direction,
    describe_units,
    paper_sentence,
)
from sigcore.comparison.units import describe_grouping

__all__ = ["report", "report_record", "report_sections"]

_OTHERS = {"two-sided": "any other", "greater": "a larger one", "less": "a smaller one"}


def report(comparison: Comparison, form: str = "text") -> str:
    """Write the report of a comparison.

    Parameters
    ----------
    comparison : Comparison
        From `compare`.
    form : {"text", "markdown", "latex"}
        How to write it.
    """
    title = "Comparison of {} and {}".format(*comparison.names)
    return render(title, report_sections(comparison), form)


def report_sections(comparison: Comparison) -> list[Section]:
    """Return the contents of the report, independent of its form."""
    return [
        _conclusion(comparison),
        _summary(comparison),
        _recommended_statistic(comparison),
        _recommended_tests(comparison),
        _tests(comparison),
        _effects(comparison),
        _power(comparison),
        _settings(comparison),
    ]


def report_record(comparison: Comparison) -> dict[str, Any]:
    """Return all figures of a comparison as nested mappings, ready for JSON."""
    units, power = comparison.units, comparison.power
    curve = power.curve
    return {
        "systems": list(comparison.names),
        "settings": comparison.options.to_mapping(),
        "units": {
            "n_items": units.n_items,
            "n_units": units.n_units,
            "n_dropped": units.n_dropped,
            "n_missing": comparison.n_missing,
            "smallest": int(units.sizes.min()),
            "largest": int(units.sizes.max()),
        },
        "analysis": dataclasses.asdict(comparison.analysis),
        "recommendations": [dataclasses.asdict(item) for item in comparison.recommendations],
        "notes": list(comparison.notes),
        "primary": comparison.primary,
        "significant": comparison.significant,
        "tests": [result.to_record() for result in comparison.results],
        "effect_sizes": [effect.to_record() for effect in comparison.effect_sizes],
        "power": {
            "target": power.target,
            "detectable": power.detectable,
            "detectable_t": power.detectable_t,
            "sample_size_t": power.sample_size_t,
            "curve": None if curve is None else dataclasses.asdict(curve),
        },
        "sentence": paper_sentence(comparison),
    }


def _conclusion(comparison: Comparison) -> Section:
    return Section("Conclusion", (paper_sentence(comparison),))


def _summary(comparison: Comparison) -> Section:
    analysis, units = comparison.analysis, comparison.units
    rows = (
        (comparison.names[0], analysis.first),
        (comparison.names[1], analysis.second),
        ("Difference", analysis.difference),
    )
    verb = "difference is" if analysis.n_zero == 1 else "differences are"
    notes = [f"{describe_units(comparison)}; {analysis.n_zero} {verb} zero."]
    if comparison.n_missing:
        notes.append(f"{comparison.n_missing} items without both scores were left out before.")
    notes += comparison.notes
    if units.size > 1:
        notes.append(
            describe_grouping(
                units.n_items,
                units.n_dropped,
                size=units.size,
                statistic=units.statistic,
                remainder=units.remainder,
                shuffle_seed=units.shuffle_seed,
            )
        )
    headers = ("Score", "Mean", "Median", "Std. Dev.", "Minimum", "Maximum")
    table = Table(headers, tuple((name, *_summary_cells(summary)) for name, summary in rows))
    return Section("Summary of statistics", (), table, tuple(notes))


def _summary_cells(summary: Summary) -> tuple[str, ...]:
    values = (summary.mean, summary.median, summary.sd, summary.minimum, summary.maximum)
    return tuple(format_number(value) for value in values)


def _recommended_statistic(comparison: Comparison) -> Section:
    analysis = comparison.analysis
    shape = "roughly symmetric" if analysis.shape == "symmetric" else analysis.shape
    skewness = f"The skewness is {analysis.skewness:.4f}: the differences are {shape}."
    if analysis.shape == "undefined":
        skewness = "The skewness is undefined, since all differences are equal."
    rows = (
        ("Normality", analysis.normality.reason),
        ("Skewness", skewness),
        (
            "Test statistic",
            f"By the skewness, the test statistic to use is the {analysis.statistic}.",
        ),
    )
    return Section("Test statistic recommendation", (), Table(("Property", "Conclusion"), rows))


def _recommended_tests(comparison: Comparison) -> Section:
    rows = tuple((item.test, item.grade, item.reason) for item in comparison.recommendations)
    return Section("Recommended significance tests", (), Table(("Test", "Grade", "Reason"), rows))


def _tests(comparison: Comparison) -> Section:
    options = comparison.options
    test = f"the test is {describe_direction(comparison)}"
    if options.hypothesised != 0.0:
        test = f"the alternative is {_OTHERS[options.alternative]}"
    intro = (
        f"The null hypothesis is a difference of {options.hypothesised:g}, {test}, and a test "
        f"rejects if p < {options.alpha:g}. The first test decides; it was chosen before any "
        "p-value was seen. The others show how much depends on the choice."
    )
    if comparison.options.primary is None and _grade(comparison).grade == "inappropriate":
        intro += " No test is fit for these data; read the result with care."
    headers = ("Test", "p", "Reject", "Estimate", f"{_percent(options)} interval", "Method")
    rows = tuple(_test_row(result, options.alpha) for result in comparison.results)
    notes = tuple(
        f"{result.label}: {note}" for result in comparison.results for note in result.notes
    )
    return Section("Significance tests", (intro,), Table(headers, rows), notes)


def _test_row(result: SignificanceResult, alpha: float) -> tuple[str, ...]:
    if result.reason:
        return (result.test, "-", "-", "-", "-", f"Not run: {result.reason}")
    interval = result.interval
    return (
        result.test,
        format_pvalue(result.pvalue),
        "yes" if result.pvalue < alpha else "no",
        format_number(result.estimate),
        format_interval(interval.low, interval.high) if interval else "-",
        f"{result.estimate_name}; {result.method}",
    )


def _effects(comparison: Comparison) -> Section:
    rows = []
    for effect in comparison.effect_sizes:
        interval = effect.interval
        definition = effect.definition if effect.reason is None else effect.reason
        rows.append(
            (
                effect.label,
                format_number(effect.estimate),
                format_interval(interval.low, interval.high) if interval else "-",
                definition,
            )
        )
    level = _percent(comparison.options)
    headers = ("Effect size", "Estimate", f"{level} interval", "Definition")
    note = (
        f"Positive means that {comparison.names[0]} is better, as does a common-language effect "
        "size above 0.5."
    )
    return Section("Effect sizes", (note,), Table(headers, tuple(rows)))


def _power(comparison: Comparison) -> Section:
    power, curve = comparison.power, comparison.power.curve
    lines = []
    if power.detectable == power.detectable:
        lines.append(
            f"With {comparison.units.n_units} pairs the deciding test finds "
            f"{describe_detectable(comparison, power.detectable)} with power {power.target:g} "
            "(by simulation)."
        )
    if power.detectable_t == power.detectable_t:
        found = describe_detectable(comparison, power.detectable_t)
        lines.append(f"The t test finds {found} (closed form).")
    if power.sample_size_t is not None:
        lines.append(
            f"For an effect as observed the t test needs {power.sample_size_t} pairs to have power "
            f"{power.target:g}."
        )
    if curve is None:
        lines.append(f"No power curve was made: {_why_no_curve(comparison)}.")
        return Section("Power", (" ".join(lines),))
    headers = ("Pairs", "Power", "95% interval")
    rows = tuple(
        (str(row["n"]), f"{row['power']:.3f}", format_interval(row["low"], row["high"], decimals=3))
        for row in curve.to_records()
    )
    source = "resampled from the data"
    if curve.method == "montecarlo":
        source = f"drawn from a {curve.distribution} distribution"
    notes = [
        "Power of the deciding test if the true mean difference were "
        f"{format_number(curve.effect)}, {curve.n_runs} samples a size {source}. At the observed "
        "size it follows from the p-value and adds nothing to it; the curve tells what more data "
        "would bring."
    ]
    if curve.n_undefined:
        notes.append(
            f"On {curve.n_undefined} of {curve.n_runs * len(curve.sizes)} samples the test could "
            "not be run; they count as samples in which it does not reject."
        )
    return Section("Power", (" ".join(lines),), Table(headers, rows), tuple(notes))


def _why_no_curve(comparison: Comparison) -> str:
    if comparison.units.n_units < 2:
        return "there is only one pair"
    if not comparison.analysis.difference.sd > 0.0:
        return "all differences are equal"
    if comparison.options.power_method == "none":
        return "it was not asked for"
    return f"differences drawn from a distribution are no data for the test {comparison.primary!r}"


def _settings(comparison: Comparison) -> Section:
    rows = tuple(
        (name, ", ".join(map(str, value)) if isinstance(value, list) else str(value))
        for name, value in comparison.options.to_mapping().items()
    )
    return Section("Settings", (), Table(("Setting", "Value"), rows))


def _grade(comparison: Comparison) -> Recommendation:
    return next(item for item in comparison.recommendations if item.test == comparison.primary)


def _percent(options: ComparisonOptions) -> str:
    return f"{100 * options.confidence:g}%"
