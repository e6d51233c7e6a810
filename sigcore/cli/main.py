"""Entry point of the `sigcore` command."""

import argparse
import contextlib
import importlib
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from typing import TextIO

import sigcore
from sigcore.errors import InputError

__all__ = ["build_parser", "main"]

# Each module has `add_parser(subcommands)`, which sets `run`, a function of the parsed arguments
# that returns the exit code.
SUBCOMMANDS = (
    "app",
    "bayes",
    "bcv",
    "compare",
    "data",
    "evalb",
    "interval",
    "pairs",
    "rank",
    "separate",
    "simulate",
    "spans",
    "test",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the `sigcore` command and return its exit code.

    Warnings are lines on standard error. So is bad input, with exit code 2; ``--traceback`` shows
    where the error was raised.
    """
    parsed = build_parser().parse_args(arguments)
    try:
        with _stop_is_interrupt(), warnings.catch_warnings():
            warnings.showwarning = _show_warning
            return int(parsed.run(parsed))
    except BrokenPipeError:
        # The reader of our output, `head` for example, has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (InputError, OSError) as error:
        if parsed.traceback:
            raise
        print(f"sigcore: error: {_sentence(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("sigcore: interrupted", file=sys.stderr)
        return 130


@contextlib.contextmanager
def _stop_is_interrupt() -> Iterator[None]:
    """Let SIGTERM end a command as Ctrl-C does, with temporary folders and programs it runs.

    What a shell runs for it gets a Ctrl-C of the terminal, but no SIGTERM.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # others cannot take signals
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _sentence(error: InputError | OSError) -> str:
    """Return what went wrong, file first, without the number of the operating system's error."""
    if isinstance(error, FileExistsError | NotADirectoryError) and error.filename is not None:
        return f"{error.filename}: a file is in the way; the name of a folder was expected."
    if isinstance(error, IsADirectoryError) and error.filename is not None:
        return f"{error.filename}: is a folder; the name of a file was expected."
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror}."
    return str(error)


def build_parser() -> argparse.ArgumentParser:
    """Build the parser with every subcommand."""
    parser = argparse.ArgumentParser(prog="sigcore", description=sigcore.__doc__)
    parser.add_argument("--version", action="version", version=f"sigcore {sigcore.__version__}")
    parser.add_argument(
        "--traceback", action="store_true", help="on an error show the Python traceback"
    )
    subcommands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in SUBCOMMANDS:
        importlib.import_module(f"sigcore.cli.{name}").add_parser(subcommands)
    return parser


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning without the line of code that gave it."""
    print(f"sigcore: warning: {message}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
