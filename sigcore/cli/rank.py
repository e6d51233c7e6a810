"""`sigcore rank`: places a metric among others."""

import argparse
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sigcore.cli._data_options import add_data_arguments
from sigcore.cli._metrics import MetricData, read_metrics
from sigcore.cli._output import check_outputs_of_metrics, use_one_thread
from sigcore.errors import DegenerateDataWarning, InputError, ResolutionWarning

if TYPE_CHECKING:
    from sigcore.meta.placement import Ranking, Standing

__all__ = ["add_parser"]

_DESCRIPTION = """\
Place a metric among the stored ones of a test set, or among those of a folder.

A file has lines `system<TAB>score`, the scores of a system in the order of the test set; larger is
better. The report has Soft Pairwise Accuracy (SPA) and Pairwise Accuracy (PA), the place and the
cluster of the metric, against whom it is significantly better or worse (PERM-INPUTS, two-sided),
and the pairs of systems on which it disagrees with people most.

  sigcore rank my-metric.seg.score --testset wmt23 --lp en-de --data DIR
  sigcore rank my-metric.seg.score --gold gold.seg.score --metrics FOLDER

Several files may be named, and stored metrics by their name. --human lists further human ratings
as the ceiling, --corpus adds corpus BLEU or chrF from the texts of the test set.
"""
# The library is imported when the command runs: the parser is built for every subcommand.
ADJUSTMENTS = ("none", "bonferroni", "holm", "bh", "maxt")
CORPUS = ("bleu", "chrf")


def add_parser(subcommands: Any) -> None:
    """Add `sigcore rank`."""
    parser = subcommands.add_parser(
        "rank",
        help="place a metric among others: score, cluster, whom it beats, where it errs",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "metrics_to_place", nargs="*", metavar="FILE", help="scores, or the name of a stored metric"
    )
    add_data_arguments(parser)
    _add_evaluation(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print everything as JSON")
    form.add_argument("--markdown", action="store_true", help="print tables for Markdown")
    form.add_argument("--latex", action="store_true", help="print tables for LaTeX (booktabs)")
    parser.add_argument("--output", type=Path, metavar="OUT", help="write to a file")
    parser.add_argument("--html", type=Path, metavar="PAGE", help="write a page as well")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read, rank and print."""
    use_one_thread()
    from sigcore.cli._ranking import describe_ranking
    from sigcore.io.files import to_json, write_text

    _check_outputs(arguments)
    if not arguments.metrics_to_place and not arguments.human:
        raise InputError("name a file of scores, a stored metric, or ratings with `--human`.")
    data = read_metrics(arguments, arguments.metrics_to_place, arguments.human)
    with warnings.catch_warnings(record=True) as caught:
        for category in (DegenerateDataWarning, ResolutionWarning):
            warnings.simplefilter("always", category)
        ranking = _rank(data, arguments)
    notes = list(dict.fromkeys(str(warning.message) for warning in caught))
    if arguments.json:
        text = to_json(ranking.to_record() | data.to_record() | {"notes": notes}, indent=2) + "\n"
    else:
        form = "latex" if arguments.latex else "markdown" if arguments.markdown else "text"
        text = describe_ranking(data, ranking, notes, form=form)
    if arguments.html:
        write_text(arguments.html, _page(data, ranking, notes))
    if arguments.output:
        write_text(arguments.output, text)
    else:
        print(text, end="")
    return 0


def _check_outputs(arguments: argparse.Namespace) -> None:
    outputs = {"--output": arguments.output, "--html": arguments.html}
    check_outputs_of_metrics(outputs, arguments, arguments.metrics_to_place, arguments.human)


def _add_evaluation(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("evaluation")
    group.add_argument("--alpha", type=float, default=0.05, help="level (0.05)")
    group.add_argument(
        "--adjust",
        choices=ADJUSTMENTS,
        default="none",
        help="adjust the p-values of a metric for the number of its rivals (none)",
    )
    group.add_argument(
        "--by-document", action="store_true", help="swap documents instead of segments"
    )
    group.add_argument(
        "--human",
        action="append",
        default=[],
        metavar="NAME",
        help="further human ratings, compared as if they were a metric; may be repeated",
    )
    group.add_argument(
        "--corpus",
        action="append",
        default=[],
        choices=CORPUS,
        help="add a corpus-level metric, computed by sacrebleu from texts; may be repeated",
    )
    group.add_argument("--top", type=int, default=10, metavar="N", help="pairs to list (10)")
    group.add_argument(
        "--resamples", "--n-resamples", type=int, default=1000, metavar="K", help="draws (1000)"
    )
    group.add_argument("--seed", type=int, default=0, help="of the draws (0)")


def _rank(data: MetricData, arguments: argparse.Namespace) -> "Ranking":
    from sigcore.meta.placement import place_metrics

    if arguments.by_document and data.evalset.documents is None:
        raise InputError("`--by-document` needs the documents of the segments; there are none.")
    blocks = data.evalset.documents if arguments.by_document else None
    return place_metrics(
        data.evalset,
        data.names,
        human=data.human,
        unranked=_corpus_standings(data, arguments, blocks),
        alpha=arguments.alpha,
        adjust=arguments.adjust,
        blocks=blocks,
        n_resamples=arguments.resamples,
        seed=arguments.seed,
        n_disagreements=arguments.top,
    )


def _corpus_standings(
    data: MetricData, arguments: argparse.Namespace, blocks: tuple[str, ...] | None
) -> "list[Standing]":
    """Score corpus-level metrics from the texts of the selected systems and segments."""
    if not arguments.corpus:
        return []
    if arguments.testset is None:
        raise InputError("`--corpus` needs the texts of a test set: name one with `--testset`.")
    from sigcore.io.texts import read_texts
    from sigcore.meta.placement import Standing
    from sigcore.meta.yardsticks import score_corpus_metrics

    evalset = data.evalset
    texts = read_texts(
        arguments.data,
        arguments.testset,
        arguments.lp,
        systems=evalset.systems,
        references=data.references,
    ).take(evalset.segments.tolist())
    found = score_corpus_metrics(
        evalset,
        texts.outputs,
        list(texts.references.values()),
        names=tuple(dict.fromkeys(arguments.corpus)),
        blocks=blocks,
        n_resamples=arguments.resamples,
        seed=arguments.seed,
    )
    return [
        Standing(each.scorer, each.kind, each.spa, each.pa, each.n_agreements, each.n_pairs)
        for each in found
    ]


def _page(data: MetricData, ranking: "Ranking", notes: list[str]) -> str:
    from sigcore.provenance import file_sha256, software_versions
    from sigcore.report.placement import render_placement

    files = [metric.source for metric in data.evalset.metrics if metric.extra]
    facts = {name: file_sha256(name) for name in files} | software_versions()
    return render_placement(data.evalset, ranking, left_out=data.left_out, notes=notes, facts=facts)
