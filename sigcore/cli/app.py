"""`sigcore app`: compare two systems and rank a metric in the browser."""

import argparse
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sigcore.cli._output import DATA_ROOT, use_one_thread
from sigcore.errors import InputError

__all__ = ["add_parser"]

_DESCRIPTION = """\
Compare two systems or rank a metric in the browser: give files of scores, choose the settings, and
get the page that `sigcore compare` or `sigcore rank` writes. --data names the folder of test sets
among whose metrics one can be ranked.

Only this machine can reach the app. From another one, forward the port:
  ssh -L 8000:localhost:8000 HOST
"""


def add_parser(subcommands: Any) -> None:
    """Add the `app` subcommand."""
    parser = subcommands.add_parser(
        "app",
        help="compare two systems and rank a metric in the browser",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help=f"where test sets are ({DATA_ROOT}, if there is such)",
    )
    parser.add_argument(
        "--port", type=_port, default=8000, metavar="N", help="default 8000; 0 takes a free one"
    )
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until interrupted."""
    if find_spec("flask") is None:
        raise InputError("the app needs Flask; install it with: pip install 'sigcore[app]'")
    use_one_thread()
    from sigcore.app.server import HOST, listen

    data = _data_folder(arguments.data)
    try:
        server = listen(arguments.port, data)
    except OSError as error:
        reason = error.strerror or error
        raise InputError(
            f"port {arguments.port} cannot be opened ({reason}); choose another with --port."
        ) from error
    address = f"http://{HOST}:{server.port}/"
    print(f"sigcore app: {address} (Ctrl-C ends it)", flush=True)
    if arguments.open:
        import webbrowser

        webbrowser.open(address)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()
    finally:
        server.server_close()
    return 0


def _data_folder(given: Path | None) -> Path | None:
    """Return the folder of test sets; the default is used only if it is there."""
    if given is None:
        default = Path(DATA_ROOT)
        return default if default.is_dir() else None
    if not given.is_dir():
        raise InputError(f"There is no directory {given}.")
    return given


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 65535; got {text!r}")
    return int(text)
