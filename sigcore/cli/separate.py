"""`sigcore separate`: finds how many segments or systems separate two metrics."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sigcore.cli._data_options import add_data_arguments
from sigcore.cli._metrics import MetricData, read_metrics
from sigcore.cli._output import (
    check_figure,
    check_outputs_of_metrics,
    format_table,
    use_one_thread,
)
from sigcore.errors import InputError
from sigcore.wording import counted

if TYPE_CHECKING:
    from sigcore.meta.power import SeparationCurve

__all__ = ["add_parser"]

_DESCRIPTION = """\
Estimate how many segments, or systems, it takes until two metrics differ significantly.

Samples are drawn from the data, segments with replacement and systems without, and the metrics are
compared on each by PERM-INPUTS. The curve shows how often the metric that is better on all data is
significantly better, if further segments were like these. A and B are files of scores or names of
stored metrics.

  sigcore separate COMET BLEU --testset wmt23 --lp en-de --data DIR
  sigcore separate my-metric.seg.score COMET --testset wmt23 --lp en-de --by systems
"""
# The library is imported when the command runs: the parser is built for every subcommand.
METAS = ("spa", "pa")


def add_parser(subcommands: Any) -> None:
    """Add `sigcore separate`."""
    parser = subcommands.add_parser(
        "separate",
        help="how many segments or systems until two metrics separate",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("first", metavar="A", help="file of scores, or name of a stored metric")
    parser.add_argument("second", metavar="B", help="the other metric")
    add_data_arguments(parser)
    group = parser.add_argument_group("power")
    group.add_argument(
        "--by", choices=("segments", "systems"), default="segments", help="what to vary (segments)"
    )
    group.add_argument("--meta", choices=METAS, default="spa", help="meta-metric (spa)")
    group.add_argument(
        "--sizes", type=int, nargs="+", metavar="N", help="numbers of segments or systems"
    )
    group.add_argument("--target", type=float, default=0.8, help="power aimed at (0.8)")
    group.add_argument("--alpha", type=float, default=0.05, help="level (0.05)")
    group.add_argument("--samples", type=int, default=200, help="samples at each size (200)")
    group.add_argument(
        "--resamples", "--n-resamples", type=int, default=199, metavar="K", help="draws (199)"
    )
    group.add_argument("--seed", type=int, default=0, help="of samples and draws (0)")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument("--figure", type=Path, metavar="FILE", help="draw the curve")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read, simulate and print."""
    use_one_thread()
    from sigcore.io.files import to_json

    metrics = (arguments.first, arguments.second)
    check_figure("--figure", arguments.figure)
    check_outputs_of_metrics({"--figure": arguments.figure}, arguments, metrics)
    data = read_metrics(arguments, metrics)
    if len(data.names) != 2:
        raise InputError("A and B must be two different metrics.")
    curve = _simulate(data, arguments)
    if arguments.figure:
        _draw(arguments.figure, data, curve)
    if arguments.json:
        print(to_json(_record(data, curve), indent=2))
    else:
        print("\n".join(_report(data, curve)))
    return 0


def _simulate(data: MetricData, arguments: argparse.Namespace) -> "SeparationCurve":
    from sigcore.meta.power import separation_curve

    evalset = data.evalset
    first, second = (evalset.scores[evalset.metric_index(name)] for name in data.names)
    for name, scores in zip(data.names, (first, second), strict=True):
        if scores.min() == scores.max():
            raise InputError(f"the metric {name} must not give all translations the same score.")
    return separation_curve(
        evalset.gold,
        first,
        second,
        by=arguments.by,
        meta=arguments.meta,
        sizes=arguments.sizes,
        target=arguments.target,
        alpha=arguments.alpha,
        n_samples=arguments.samples,
        n_resamples=arguments.resamples,
        seed=arguments.seed,
    )


def _report(data: MetricData, curve: "SeparationCurve") -> list[str]:
    from sigcore.evalset import left_out_sentences

    evalset, (first, second) = data.evalset, data.names
    better, worse = (first, second) if curve.difference >= 0.0 else (second, first)
    rows = [
        [str(n), f"{power:.3f}", f"{low:.3f} to {high:.3f}", f"{opposite:.3f}"]
        for n, power, low, high, opposite in zip(
            curve.sizes, curve.power, curve.low, curve.high, curve.opposite, strict=True
        )
    ]
    return [
        f"{evalset.testset} {evalset.language_pair}, gold {evalset.gold_name}: "
        f"{counted(curve.n_systems, 'system')}, {counted(curve.n_segments, 'segment')}.",
        *left_out_sentences(data.left_out),
        _difference(curve, better, worse),
        "",
        format_table([curve.by, "power", "95% interval", f"{worse} wins"], rows),
        "",
        _answer(curve),
        f"Power: share of {curve.n_samples} samples with p <= {curve.alpha:g} by PERM-INPUTS, "
        f"{curve.n_resamples} draws, seed {curve.seed}; the interval is that of the simulation.",
    ]


def _difference(curve: "SeparationCurve", better: str, worse: str) -> str:
    from sigcore.meta.hybrids import SLACK

    if abs(curve.difference) <= SLACK:
        return f"{better} and {worse} have the same {curve.meta.upper()}."
    size = f"{abs(curve.difference):.4f}"
    return f"{curve.meta.upper()} of {better} is larger than that of {worse} by {size}."


def _answer(curve: "SeparationCurve") -> str:
    if curve.reason:
        return f"{curve.reason[0].upper()}{curve.reason[1:]}."
    ends = (curve.n_target_low, curve.n_target_high)
    low, high = ("beyond" if n != n else f"{n:.0f}" for n in ends)
    return (
        f"A power of {curve.target:g} takes about {curve.n_target:.0f} {curve.by} "
        f"({low} to {high} by the interval)."
    )


def _record(data: MetricData, curve: "SeparationCurve") -> dict[str, Any]:
    names = ("by", "meta", "n_target", "n_target_low", "n_target_high", "reason", "target", "alpha")
    more = ("difference", "n_systems", "n_segments", "n_samples", "n_resamples", "seed")
    return {
        **data.to_record(),
        "first": data.names[0],
        "second": data.names[1],
        "curve": curve.to_records(),
    } | {name: getattr(curve, name) for name in (*names, *more)}


def _draw(path: Path, data: MetricData, curve: "SeparationCurve") -> None:
    from matplotlib.figure import Figure

    from sigcore.plotting.separation import draw_separation
    from sigcore.plotting.style import figure_style, save

    with figure_style():
        figure = Figure(figsize=(5.5, 3.5), layout="constrained")
        axes = draw_separation(figure.subplots(), curve)
        axes.set_title(f"{data.names[0]} and {data.names[1]}: {curve.meta.upper()}", pad=14)
        save(figure, path)
