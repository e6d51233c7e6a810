"""Compare all pairs of parsers or taggers and rank them."""

from dataclasses import asdict

from scripts._runtime import run
from scripts._tables import write_all
from sigcore.errors import InputError
from sigcore.io.parsers import read_parsers
from sigcore.io.schemas import table_of
from sigcore.io.tables import write_json, write_table
from sigcore.parsing.ranking import compare_by_measures, rank_parsers
from sigcore.provenance import file_sha256
from sigcore.report.parsing import pair_table, parser_table

READING = ("format", "scheme", "column", "gold_column")
TESTING = ("correction", "alternative", "method", "n_shuffles", "not_scored")


def main(snakemake):
    settings = snakemake.params.settings
    cutoff = None if settings["cutoff"] == "all" else settings["cutoff"]
    parsers = read_parsers(
        snakemake.input.files,
        gold=next(iter(snakemake.input.gold), None),
        measures=None if settings["measures"] == "auto" else settings["measures"],
        **{name: settings[name] for name in READING},
    )
    if cutoff is not None and not parsers.has_lengths:
        raise InputError("`cutoff` needs files that say how long the sentences are.")
    results = compare_by_measures(
        parsers.counts,
        cutoff=cutoff,
        seed=snakemake.params.seed,
        **{name: settings[name] for name in TESTING},
    )
    rows = rank_parsers(parsers.counts, results, cutoff=cutoff, alpha=settings["alpha"])
    pairs = [row for result in results.values() for row in result.to_records()]
    write_all(snakemake.output, "parsers", table_of("parsers", rows), parser_table)
    write_all(snakemake.output, "pairs", table_of("parser_pairs", pairs), pair_table)
    remarks = table_of("parser_remarks", map(asdict, parsers.remarks))
    write_table(snakemake.output.remarks, remarks)
    files = sorted(set(snakemake.input))
    write_json(snakemake.output.inputs, {path: file_sha256(path) for path in files})


if __name__ == "__main__":
    run(main, snakemake)
