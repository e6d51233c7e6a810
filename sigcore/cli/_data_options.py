"""Options that say which scores a command on metrics uses."""

import argparse
from pathlib import Path

from sigcore.cli._output import DATA_ROOT

__all__ = ["add_data_arguments"]


def add_data_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which scores to use."""
    group = parser.add_argument_group("data", "a test set, or a file of human scores and a folder")
    group.add_argument("--testset", help="for example wmt23")
    group.add_argument("--lp", metavar="PAIR", help="language pair, for example en-de")
    group.add_argument(
        "--data",
        default=DATA_ROOT,
        type=_folder,
        metavar="DIR",
        help=f"where test sets are ({DATA_ROOT})",
    )
    group.add_argument("--metrics", type=_folder, metavar="FOLDER", help="folder of metric scores")
    group.add_argument(
        "--gold", help="human scores: their name in the test set, or the file that goes with FOLDER"
    )
    group.add_argument(
        "--smaller-is-better", action="store_true", help="turn the scores of the files named round"
    )
    group = parser.add_argument_group("selection", "by default as in the official task")
    group.add_argument("--reference", metavar="NAME", help="reference that metrics use")
    group.add_argument(
        "--human-systems",
        action=argparse.BooleanOptionalAction,
        help="whether human translations other than the reference are systems",
    )
    group.add_argument("--outliers", action="store_true", help="keep outlier systems")
    group.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="SYSTEM",
        help="leave a system out; may be repeated",
    )
    group.add_argument(
        "--primary-only", action="store_true", help="primary metrics and baselines only"
    )
    group.add_argument(
        "--no-reference-free",
        dest="reference_free",
        action="store_false",
        help="without metrics that use the source only",
    )
    group.add_argument(
        "--max-missing",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="share of scores that a metric may lack; such segments are left out for all (0)",
    )


def _folder(name: str) -> Path:
    # `Path("")` is the current folder, which an empty variable of a shell does not mean.
    if not name:
        raise argparse.ArgumentTypeError("expected the name of a folder; got an empty text")
    return Path(name)
