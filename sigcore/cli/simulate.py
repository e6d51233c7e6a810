"""The `sigcore simulate` command: write a simulated evaluation set."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sigcore.errors import InputError

if TYPE_CHECKING:
    from sigcore.simulate import SimulationSpec

__all__ = ["add_parser"]

_DESCRIPTION = """\
Write a simulated evaluation set in the layout of mt-metrics-eval, to OUT/NAME.

Systems have a known true quality and metrics a known reliability (OUT/NAME/truth); the rest looks
like a WMT metrics task: MQM-like human scores with gaps, reference-based and reference-free
metrics, one a duplicate, one useless. The same seed gives the same bytes on every machine.
"""


def add_parser(subcommands: Any) -> None:
    """Add `sigcore simulate`."""
    parser = subcommands.add_parser(
        "simulate",
        help="write a simulated evaluation set with known truth",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("out", metavar="OUT", help="data directory that receives the test set")
    parser.add_argument("--name", default="simulated", help="name of it (default: simulated)")
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: 0)")
    parser.add_argument(
        "--pairs", nargs="+", metavar="LP", help="only these of en-de, zh-en and he-en"
    )
    parser.add_argument(
        "--scale",
        type=float,
        default=1.0,
        metavar="FACTOR",
        help="factor on the number of segments (default: 1, which is 1315, 1875 and 460)",
    )
    parser.add_argument("--force", action="store_true", help="replace a test set of that name")
    parser.set_defaults(run=_simulate)


def _simulate(args: argparse.Namespace) -> int:
    from tqdm import tqdm

    from sigcore.io.directories import replace_directory, staging_directory
    from sigcore.simulate import file_names, write_evalset_files

    spec = _spec(args)
    place = Path(args.out) / spec.testset
    if place.exists() and not args.force and not (place.is_dir() and not any(place.iterdir())):
        raise InputError(f"{place} exists already and is not empty; --force replaces it.")
    n_files = len(file_names(spec))
    with (
        staging_directory(args.out) as staging,
        tqdm(total=n_files, unit="file", disable=None, file=sys.stderr) as bar,
    ):
        write_evalset_files(spec, staging, progress=lambda _: bar.update())
        replace_directory(staging / spec.testset, place)
    print(f"{place}: {n_files} files")
    for pair in spec.pairs:
        print(
            f"  {pair.language_pair}: {pair.n_systems} systems x {pair.n_rated} segments "
            f"x {pair.n_metrics} metrics"
        )
    return 0


def _spec(args: argparse.Namespace) -> "SimulationSpec":
    from dataclasses import replace

    from sigcore.simulate import default_spec, scale_spec

    spec = default_spec(args.seed, testset=args.name)
    if args.pairs is not None:
        known = {pair.language_pair: pair for pair in spec.pairs}
        for name in args.pairs:
            if name not in known:
                raise InputError(f"`--pairs` must be of {', '.join(known)}; got {name!r}.")
        chosen = [known[name] for name in dict.fromkeys(args.pairs)]
        spec = replace(spec, pairs=tuple(chosen))
    if not 0.0 < args.scale <= 100.0:
        raise InputError(f"`--scale` must be positive and at most 100; got {args.scale:g}.")
    return scale_spec(spec, args.scale) if args.scale != 1.0 else spec
