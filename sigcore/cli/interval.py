"""`sigcore interval`: confidence intervals of metrics' scores by resampling."""

import argparse
import math
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sigcore.cli._data_options import add_data_arguments
from sigcore.cli._metrics import MetricData, read_metrics
from sigcore.cli._output import format_table, use_one_thread
from sigcore.errors import DegenerateDataWarning, InputError
from sigcore.wording import counted

if TYPE_CHECKING:
    from sigcore.evalset import EvalSet
    from sigcore.meta.bootstrap import MetaBootstrap

__all__ = ["add_parser"]

_DESCRIPTION = """\
Score metrics by a meta-metric, with confidence intervals by the bootstrap.

Segments, systems or both are drawn with replacement: the interval says how the score would vary
with others of their kind. Intervals of two metrics that overlap do not show that the metrics are
alike; `sigcore rank` compares them. METRIC is a file of scores or the name of a stored metric;
without any, all stored metrics are scored.

  sigcore interval --testset wmt23 --lp en-de
  sigcore interval my-metric.seg.score COMET --testset wmt23 --lp en-de --meta acc-eq --over both
"""
# What docs/error-rates.md found by simulation.
_CAVEATS = {
    "segments": (),
    "systems": (
        "With few systems such intervals hold less often than they say: for 8 to 20 systems 86 to "
        "97 of 100 at 95%.",
    ),
    "both": (
        "Systems and segments drawn together count the errors of single translations more than "
        "once: such intervals are wide.",
    ),
}


def add_parser(subcommands: Any) -> None:
    """Add `sigcore interval`."""
    parser = subcommands.add_parser(
        "interval",
        help="scores of metrics with confidence intervals",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "metrics_named", nargs="*", metavar="METRIC", help="file of scores, or name of a metric"
    )
    add_data_arguments(parser)
    group = parser.add_argument_group("bootstrap")
    group.add_argument("--meta", default="spa", metavar="NAME", help="meta-metric (spa)")
    group.add_argument(
        "--over",
        choices=("segments", "systems", "both"),
        default="segments",
        help="what is drawn (segments)",
    )
    group.add_argument("--documents", action="store_true", help="draw whole documents")
    group.add_argument("--confidence", type=float, default=0.95, help="level (0.95)")
    group.add_argument(
        "--resamples", "--n-resamples", type=int, default=1000, metavar="K", help="samples (1000)"
    )
    group.add_argument("--seed", type=int, default=0, help="of the samples (0)")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read, resample and print."""
    use_one_thread()
    from sigcore.io.files import to_json

    data = read_metrics(arguments, arguments.metrics_named)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DegenerateDataWarning)
        result = _resample(data, arguments)
    notes = [str(warning.message) for warning in caught]
    if arguments.json:
        record = data.to_record() | {"intervals": result.to_records(), "notes": notes}
        print(to_json(record, indent=2))
    else:
        report = _report(data, result, documents=arguments.documents)
        print("\n".join([*report, *(f"Note: {note}" for note in notes)]))
    return 0


def _resample(data: MetricData, arguments: argparse.Namespace) -> "MetaBootstrap":
    from sigcore.meta.bootstrap import bootstrap_meta_metric

    evalset = data.evalset
    chosen = [evalset.metric_index(name) for name in data.names or evalset.metric_names]
    result = bootstrap_meta_metric(
        evalset.gold,
        evalset.scores[chosen],
        metric_names=[evalset.metric_names[index] for index in chosen],
        meta=arguments.meta,
        over=arguments.over,
        confidence=arguments.confidence,
        blocks=_documents(evalset) if arguments.documents else None,
        n_resamples=arguments.resamples,
        seed=arguments.seed,
        purpose=(evalset.testset, evalset.language_pair),
    )
    n_dropped = data.n_segments_left_out + result.n_segments_dropped
    return replace(result, n_segments_dropped=n_dropped)


def _documents(evalset: "EvalSet") -> tuple[str, ...]:
    if evalset.documents is None:
        raise InputError("`--documents` needs a test set whose documents are known.")
    return evalset.documents


def _report(data: MetricData, result: "MetaBootstrap", *, documents: bool) -> list[str]:
    from sigcore.evalset import left_out_sentences

    evalset = data.evalset
    names, values = result.metric_names, result.value.tolist()
    # Best first, those without a value last.
    order = sorted(
        range(len(names)), key=lambda at: (math.isnan(values[at]), -values[at], names[at])
    )
    rows = [_row(result, index) for index in order]
    interval = f"{100 * result.confidence:g}% interval"
    units = f"the {result.n_units} documents" if documents else "segments"
    drawn = {"segments": units, "systems": "systems", "both": f"{units} and of systems"}
    return [
        f"{evalset.testset} {evalset.language_pair}, gold {evalset.gold_name}: "
        f"{counted(result.n_systems, 'system')}, {counted(result.n_segments, 'segment')}.",
        *left_out_sentences(data.left_out),
        "",
        format_table(["metric", result.meta, interval, "standard error", "undefined"], rows),
        "",
        f"Percentiles of {result.n_resamples} samples of {drawn[result.over]}, seed {result.seed}, "
        "moved by their bias;",
        "undefined: samples without a value.",
        *_CAVEATS[result.over],
    ]


def _row(result: "MetaBootstrap", index: int) -> list[str]:
    value, low, high, error = (
        float(column[index])
        for column in (result.value, result.low, result.high, result.standard_error)
    )
    interval = "" if math.isnan(low) else f"{low:.4f} to {high:.4f}"
    return [
        result.metric_names[index],
        "" if math.isnan(value) else f"{value:.4f}",
        interval,
        "" if math.isnan(error) else f"{error:.4f}",
        str(result.n_undefined[index]),
    ]
