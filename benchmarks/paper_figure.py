"""Run time against the number of sentences: Figure 1 of Zmigrod, Vieira and Cotterell (2022).

The same as the target `paper_exact` of the workflow, without the page.

Usage: python benchmarks/paper_figure.py [--sizes 500 1000 10000] [--output FILE] [--figure FILE]
"""

import argparse
import sys
from pathlib import Path

from tqdm import tqdm

from sigcore.io.machine import describe_machine
from sigcore.io.schemas import table_of
from sigcore.io.tables import to_markdown, write_table
from sigcore.permutation.timing import paper_methods, time_methods
from sigcore.permutation.timing_summary import summarise_timings, timing_columns


def main(arguments: list[str] | None = None) -> None:
    options = parse(arguments)
    methods = paper_methods(
        n_resamples=options.resamples, plain_resamples=20_000, scipy_resamples=1000
    )
    total = len(options.sizes) * len(methods) * options.repeats
    with tqdm(total=total, disable=None, file=sys.stderr) as bar:
        rows = time_methods(
            options.sizes,
            methods=methods,
            repeats=options.repeats,
            seed=options.seed,
            progress=bar.update,
        )
    print(to_markdown(timing_columns(summarise_timings(rows))), end="")
    if options.output:
        facts = {"machine": describe_machine()}
        write_table(options.output, table_of("timings", rows), metadata=facts)
    if options.figure:
        draw(rows, options.figure)


def draw(rows: list[dict[str, object]], path: Path) -> None:
    from sigcore.plotting.style import figure_style, save
    from sigcore.plotting.timings import timings_figure

    with figure_style():
        save(timings_figure(rows), path)


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    sizes = [500, 1000, 2000, 5000, 10_000]
    parser.add_argument("--sizes", type=int, nargs="+", default=sizes)
    parser.add_argument("--resamples", type=int, nargs="+", default=[5000, 10_000, 20_000, 40_000])
    parser.add_argument("--repeats", type=int, default=3, help="the fastest counts")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, help="Parquet file to write")
    parser.add_argument("--figure", type=Path, help="svg, pdf or png file to write")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
