"""The `sigcore data` command: get, list and check evaluation data."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sigcore.cli._output import DATA_ROOT, format_table, progress_in_bytes
from sigcore.errors import DataFileError, InputError
from sigcore.wording import counted

if TYPE_CHECKING:
    from sigcore.audit import Audit, Finding, ScoreFacts
    from sigcore.io.archive import Extracted
    from sigcore.io.download import Downloaded
    from sigcore.testsets import PairFacts

__all__ = ["add_parser"]

_GET = """\
Download the public mt-metrics-eval archive (about 2 GB) and unpack the test sets asked for.

An interrupted download continues when the command is run again. The checksum of a sound archive is
recorded beside it; a later download with another checksum is refused. A damaged archive is deleted
and the next address is tried. An archive that is already in the directory is used.
"""
_CHECK = """\
Check the files of a data directory and list everything wrong or odd about them.

An error would stop an evaluation with default settings; a warning would not, but the numbers may
not mean what they seem to. The exit code is 1 if there is an error, else 0.

The table has for the gold and each metric the number of systems, of missing scores, the step of
the grid that the scores lie on (empty if there is none), the fraction of pairs of systems that
tie on a segment, and the correlation with the gold of system means and within segments.
"""
_LABELS = {"error": "error", "warning": "warning", "info": "note"}


def add_parser(subcommands: Any) -> None:
    """Add `sigcore data` with its commands."""
    parser = subcommands.add_parser("data", help="get, list and check evaluation data")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_get(commands)
    _add_list(commands)
    _add_check(commands)


def _add_get(commands: Any) -> None:
    parser = commands.add_parser(
        "get",
        help="download public WMT test sets",
        description=_GET,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("testsets", nargs="+", metavar="TESTSET", help="for example wmt22 wmt23")
    parser.add_argument(
        "--to",
        default=DATA_ROOT,
        metavar="DIR",
        help=f"directory that receives them (default: {DATA_ROOT})",
    )
    parser.add_argument(
        "--url", action="append", help="address of the archive; repeat it to name a second choice"
    )
    parser.add_argument(
        "--keep-archive", action="store_true", help="keep the archive after unpacking"
    )
    parser.add_argument(
        "--force", action="store_true", help="replace test sets that are there already"
    )
    parser.set_defaults(run=_get)


def _add_list(commands: Any) -> None:
    parser = commands.add_parser(
        "list",
        help="list known test sets and what a directory has of them",
        description="List the test sets that sigcore knows, with gold and standard reference, and "
        "what a directory has of them.",
    )
    parser.add_argument("directory", nargs="?", metavar="DIR", help="data directory to look at")
    parser.add_argument(
        "--all",
        action="store_true",
        help="every language pair, not only those of the official tasks and those in DIR",
    )
    parser.set_defaults(run=_list)


def _add_check(commands: Any) -> None:
    parser = commands.add_parser(
        "check",
        help="check the files of a data directory",
        description=_CHECK,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "directory", metavar="DIR", help="directory of test sets, or of a single test set"
    )
    parser.add_argument("--testset", nargs="+", help="check only these test sets")
    parser.add_argument("--lp", nargs="+", help="check only these language pairs")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--brief", action="store_true", help="findings only, no table of scores")
    form.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.set_defaults(run=_check)


def _get(args: argparse.Namespace) -> int:
    from sigcore.io.download import ARCHIVE_NAME, ARCHIVE_URLS

    root = Path(args.to)
    wanted = _still_wanted(args.testsets, root, force=args.force)
    if not wanted:
        return 0
    urls = args.url or ARCHIVE_URLS
    if not (root / ARCHIVE_NAME).exists():
        print(f"Getting {', '.join(wanted)} from {urls[0]}", file=sys.stderr)
    archive, done = _download_and_unpack(urls, wanted, root, force=args.force)
    # An archive that was there before is the user's.
    if archive.url is not None and not args.keep_archive:
        archive.path.unlink()
    for testset in done:
        print(f"{testset.path}: {counted(testset.n_files, 'file')}")
        for name in testset.skipped:
            print(f"left out, not a plain file: {name}", file=sys.stderr)
    return 0


def _download_and_unpack(
    urls: Sequence[str], wanted: Sequence[str], root: Path, *, force: bool
) -> tuple["Downloaded", list["Extracted"]]:
    """Unpack the archive of the first address that has a sound one."""
    from sigcore.io.archive import extract_testsets
    from sigcore.io.download import ARCHIVE_NAME, discard_archive, download_archive

    with progress_in_bytes("download") as show:
        archive = download_archive(urls, root / ARCHIVE_NAME, progress=show)
    print(f"{archive.path}: {archive.bytes} bytes, sha256 {archive.sha256}", file=sys.stderr)
    try:
        with progress_in_bytes("unpack") as show:
            done = extract_testsets(archive.path, wanted, root, force=force, progress=show)
    except DataFileError as error:
        if archive.url is None:  # the user's own
            advice = f"Delete it and {archive.path.name}.sha256 to download it again."
            raise InputError(f"{error} {advice}") from None
        # Kept, it would be used by the next run, and its checksum would keep a sound one out.
        discard_archive(archive.path)
        others = [url for url in urls if url != archive.url]
        if not others:
            raise InputError(f"{error} It was deleted; run again to download it anew.") from None
        print(f"{error} It was deleted; trying {others[0]}.", file=sys.stderr)
        return _download_and_unpack(others, wanted, root, force=force)
    except InputError:
        print(f"{archive.path} is kept for another try.", file=sys.stderr)
        raise
    return archive, done


def _still_wanted(testsets: Sequence[str], root: Path, *, force: bool) -> list[str]:
    """Say which test sets are there already or unknown; return those to get."""
    from sigcore.testsets import known_testsets

    wanted = []
    for name in dict.fromkeys(testsets):
        if (root / name).exists() and not force:
            print(f"{root / name} is there already; --force gets it anew.")
            continue
        wanted.append(name)
        if name not in known_testsets():
            known = ", ".join(known_testsets())
            print(f"note: {name} is not one of the known test sets ({known}).", file=sys.stderr)
    return wanted


def _list(args: argparse.Namespace) -> int:
    from sigcore.io.data_folder import find_language_pairs
    from sigcore.testsets import known_testsets, load_testset

    root = Path(args.directory) if args.directory is not None else None
    found = find_language_pairs(root) if root is not None else {}
    rows = []
    for name in sorted({*known_testsets(), *found}):
        try:
            facts = load_testset(name, root=root)
        except InputError:
            rows += [[name, pair, "?", "?", "", "yes"] for pair in found[name]]
            continue
        there = found.get(name, ())
        for pair in facts.pairs:
            lp = pair.language_pair
            if args.all or lp in facts.official or lp in there:
                rows.append(_list_row(pair, lp in facts.official, lp in there))
    heads = ["test set", "language pair", "gold", "reference", "official", "present"]
    shown = len(heads) if root is not None else len(heads) - 1
    print(format_table(heads[:shown], [row[:shown] for row in rows], left=shown))
    return 0


def _list_row(pair: "PairFacts", official: bool, present: bool) -> list[str]:
    marks = ["yes" if official else "", "yes" if present else ""]
    return [pair.testset, pair.language_pair, pair.gold or "-", pair.reference, *marks]


def _check(args: argparse.Namespace) -> int:
    from sigcore.audit import audit_testset
    from sigcore.io.files import to_json

    root, pairs = _chosen_pairs(args)
    audits = []
    for testset, pair in pairs:
        audits.append(audit_testset(root, testset, pair))
        if not args.json:
            print(_describe(audits[-1], brief=args.brief), end="\n\n")
    counts = {severity: sum(a.count(severity) for a in audits) for severity in _LABELS}
    if args.json:
        print(to_json([audit.to_record() for audit in audits], indent=2))
    else:
        numbers = ", ".join(counted(count, _LABELS[name]) for name, count in counts.items())
        print(f"{counted(len(audits), 'language pair')} checked: {numbers}.")
    return 1 if counts["error"] else 0


def _chosen_pairs(args: argparse.Namespace) -> tuple[Path, list[tuple[str, str]]]:
    """Return the data directory and the test sets and language pairs to check."""
    from sigcore.io.data_folder import find_language_pairs, is_testset

    root = Path(args.directory)
    only = args.testset
    if is_testset(root):
        root, only = root.resolve().parent, [root.resolve().name]
    found = find_language_pairs(root)
    for name in only or ():
        if name not in found:
            raise InputError(f"{root} has no test set {name}; it has {_names(found)}.")
    pairs = [
        (name, pair)
        for name in only or found
        for pair in found[name]
        if args.lp is None or pair in args.lp
    ]
    there = dict.fromkeys(pair for name in only or found for pair in found[name])
    for pair in args.lp or ():
        if pair not in there:
            raise InputError(f"{root} has no language pair {pair}; it has {_names(there)}.")
    if not pairs:
        raise InputError(
            f"{root} has no test set: no directory in it has human-scores or metric-scores."
        )
    return root, pairs


def _names(names: Any) -> str:
    return ", ".join(names) or "none"


def _describe(audit: "Audit", *, brief: bool) -> str:
    """Return a heading, the table of scores and the findings of a language pair."""
    lines = [
        f"## {audit.testset} {audit.language_pair}: {counted(audit.n_systems, 'system')}, "
        f"{counted(audit.n_segments, 'segment')}, {counted(audit.n_metrics, 'metric')}, "
        f"gold {audit.gold_name or 'none'}"
    ]
    if not brief and (audit.gold is not None or audit.metrics):
        facts = [*([audit.gold] if audit.gold is not None else []), *audit.metrics]
        heads = ["scores", "systems", "missing", "step", "ties", "r systems", "r segments"]
        lines += ["", format_table(heads, [_fact_row(fact) for fact in facts])]
    if audit.findings:
        lines += ["", *(_finding_line(finding) for finding in audit.findings)]
    return "\n".join(lines)


def _fact_row(fact: "ScoreFacts") -> list[str]:
    return [
        fact.name,
        str(fact.n_systems),
        str(fact.n_missing or ""),
        f"{fact.grid_step:g}" if fact.grid_step is not None else "",
        _decimal(fact.tie_rate, 3),
        _decimal(fact.system_correlation, 2),
        _decimal(fact.segment_correlation, 2),
    ]


def _decimal(value: float, digits: int) -> str:
    return f"{value:.{digits}f}" if value == value else ""


def _finding_line(finding: "Finding") -> str:
    line = f":{finding.line}" if finding.line is not None else ""
    place = f" {finding.file}{line}:" if finding.file is not None else ""
    return f"- {_LABELS[finding.severity]}:{place} {finding.message}"
