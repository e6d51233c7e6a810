"""Run the benchmarks one after another and keep what they print.

Each runs in a process of its own with linear algebra limited to one thread, so that no method
profits from other cores. Its tables go to results/benchmarks/<name>.md, its measurements to
<name>.parquet where it has any. All together take some minutes on two cores. With a checkout of
the public code of a peer its times stand beside ours. What follows an option that is not one of
these goes to the one benchmark that is named, for example `exact_f1 --sizes 30`.

Usage: python -m benchmarks.run_all [NAME ...] [--to DIR] [--paired-perm-test DIR]
       [--mt-metrics-eval DIR] [OPTIONS OF THE BENCHMARK]
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from sigcore.io.files import write_text
from sigcore.io.machine import describe_machine
from sigcore.provenance import software_versions

ROOT = Path(__file__).resolve().parent.parent
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


# Scripts that take more than `--output`, and those that can time a peer with `--peer`.
SETTINGS = {"paper_figure": ("--figure", "{to}/paper_figure.png")}
PEERS = {
    "acc_eq": "mt_metrics_eval",
    "exact_vs_convolution": "paired_perm_test",
    "exact_f1": "paired_perm_test",
    "spa_significance": "mt_metrics_eval",
}


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    os.environ.update(ONE_THREAD)
    options.to.mkdir(parents=True, exist_ok=True)
    failed = []
    for name in options.names or scripts():
        start = time.perf_counter()
        print(f"{name} ...", flush=True)
        if not run(name, options):
            failed.append(name)
        print(f"({time.perf_counter() - start:.0f} s)\n", flush=True)
    print(f"The tables are in {options.to}.")
    if failed:
        print(f"Failed: {', '.join(failed)}.", file=sys.stderr)
    return 1 if failed else 0


def scripts() -> list[str]:
    """Name the benchmarks: every script of this folder but this one."""
    names = {path.stem for path in Path(__file__).parent.glob("[!_]*.py")}
    return sorted(names - {"run_all"})


def run(name: str, options: argparse.Namespace) -> bool:
    """Run one benchmark, write what it printed, and return whether it succeeded."""
    command = command_of(name, options)
    done = subprocess.run(
        [sys.executable, *command],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    if done.returncode != 0:
        return False
    print(done.stdout)
    write_text(options.to / f"{name}.md", page(name, command, done.stdout))
    return True


def command_of(name: str, options: argparse.Namespace) -> list[str]:
    arguments = [part.format(to=options.to) for part in SETTINGS.get(name, ())]
    if '"--output"' in (Path(__file__).parent / f"{name}.py").read_text(encoding="utf-8"):
        arguments += ["--output", str(options.to / f"{name}.parquet")]
    peer = getattr(options, PEERS[name]) if name in PEERS else None
    if peer is not None:
        arguments += ["--peer", str(peer)]
    return ["-m", f"benchmarks.{name}", *arguments, *options.passed_on]


def page(name: str, command: list[str], text: str) -> str:
    """Put what a benchmark printed under a heading that says how and where it ran."""
    # What is not Markdown keeps its columns in a block.
    body = text if any(line.startswith("|") for line in text.splitlines()) else f"```\n{text}```\n"
    facts = describe_machine() | software_versions()
    about = "; ".join(f"{fact} {value}" for fact, value in facts.items())
    return f"# {name}\n\n`python {' '.join(command)}`\n\n{about}\n\n{body}"


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    known = scripts()
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)}; or all")
    parser.add_argument("--to", type=Path, default=Path("results/benchmarks"), metavar="DIR")
    parser.add_argument(
        "--paired-perm-test", type=Path, metavar="DIR", help="checkout of rycolab/paired-perm-test"
    )
    parser.add_argument(
        "--mt-metrics-eval", type=Path, metavar="DIR", help="checkout of mt-metrics-eval"
    )
    own, passed_on = split(sys.argv[1:] if arguments is None else arguments)
    options = parser.parse_args(own)
    for name in options.names:
        if name not in known:
            parser.error(f"NAME must be one of {', '.join(known)}; got {name!r}")
    if passed_on and len(options.names) != 1:
        parser.error(f"{passed_on[0]} is an option of a benchmark; name that one and no other")
    return argparse.Namespace(**vars(options), passed_on=passed_on)


def split(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Cut before the first option that is not one of ours."""
    ours = ("-h", "--help", "--to", "--paired-perm-test", "--mt-metrics-eval")
    for position, argument in enumerate(arguments):
        if argument.startswith("-") and argument.split("=")[0] not in ours:
            return arguments[:position], arguments[position:]
    return arguments, []


if __name__ == "__main__":
    sys.exit(main())
