"""Read the scores of one language pair, select what enters, and store it as Parquet."""

from dataclasses import asdict
from pathlib import Path

from scripts._runtime import run
from sigcore.errors import InputError
from sigcore.evalset import Selection
from sigcore.io.schemas import table_of
from sigcore.io.selected import read_selected
from sigcore.io.tables import write_evalset, write_json, write_table
from sigcore.provenance import file_sha256
from sigcore.testsets import load_testset


def main(snakemake):
    testset, lp = snakemake.wildcards.testset, snakemake.wildcards.lp
    # The gold is <root>/<testset>/human-scores/<lp>.<gold>.seg.score.
    root = Path(snakemake.input.gold).parents[2]
    try:
        selected, left_out = read_selected(
            root,
            testset,
            lp,
            selection_of(snakemake.params.selection),
            extra_metric_files=snakemake.input.my_metrics,
            facts=load_testset(testset, root=root).facts(lp),
        )
    except InputError as error:
        raise named_by_key(error) from None
    write_evalset(snakemake.output.scores, selected, left_out)
    write_table(snakemake.output.left_out, table_of("left_out", map(asdict, left_out)))
    files = sorted(set(snakemake.input))
    write_json(snakemake.output.inputs, {path: file_sha256(path) for path in files})


def selection_of(settings):
    """Turn the configuration's words for the official rule into the library's None."""
    settings = dict(settings)
    if settings["reference"] == "standard":
        settings["reference"] = None
    if settings["human_systems"] == "official":
        settings["human_systems"] = None
    return Selection(**settings)


def named_by_key(error):
    """Name the key of the configuration where the library names its argument."""
    argument = "`reference` "
    text = str(error)
    if not text.startswith(argument):
        return error
    return InputError(f"configuration: `selection.reference` {text.removeprefix(argument)}")


if __name__ == "__main__":
    run(main, snakemake)
