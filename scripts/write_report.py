"""Put everything onto one page, and say where it came from."""

import json
from dataclasses import asdict
from pathlib import Path

from scripts._runtime import run
from sigcore.io.tables import read_evalset_table, read_tables, write_json, write_text
from sigcore.provenance import software_versions
from sigcore.report import Figure, PairReport, Part, render_report

CAPTIONS = {
    "ranking": (
        "Metrics by soft pairwise accuracy (SPA, blue dots) beside plain pairwise accuracy (PA, "
        "orange diamonds). Bands are clusters by SPA."
    ),
    "significance": (
        "Every comparison between two metrics: dark cells differ significantly, orange lines "
        "separate clusters, “=” marks scores that two metrics share exactly."
    ),
    "components": (
        "What the score of the best metric is made of. Each cell is a pair of systems, ordered by "
        "human score: how sure humans and the metric are that the row is better than the column, "
        "and how far they agree. PA rounds to 0 and 1, SPA does not."
    ),
}


def main(snakemake):
    settings = dict(snakemake.params.settings)
    alpha = settings["significance"]["alpha"]
    folders = [Path(path).parent for path in snakemake.input.scores]
    root = Path(snakemake.output.page).parent
    pairs = [pair_report(folder, root, alpha) for folder in folders]
    inputs = {}
    for path in snakemake.input.inputs:
        inputs |= json.loads(Path(path).read_text(encoding="utf-8"))
    parts = []
    for path in snakemake.input.parts:
        section = json.loads(Path(path).read_text(encoding="utf-8"))
        inputs |= section.pop("inputs")
        parts.append(Part(**section))
    versions = software_versions()
    skipped = list(snakemake.params.skipped)
    page = render_report(
        pairs,
        run=settings["run"],
        settings=settings,
        versions=versions,
        inputs=inputs,
        skipped=skipped,
        parts=parts,
    )
    provenance = {
        "settings": settings,
        "versions": versions,
        "inputs": inputs,
        "skipped": skipped,
        "left_out": {pair.anchor: list(pair.left_out) for pair in pairs},
    }
    write_json(snakemake.output.provenance, provenance)
    write_text(snakemake.output.page, page)


def pair_report(folder, root, alpha):
    """Collect what the report says about the language pair of one folder."""
    evalset, left_out = read_evalset_table(folder / "scores.parquet", metrics=[])
    place = folder.relative_to(root).as_posix()
    return PairReport(
        testset=evalset.testset,
        language_pair=evalset.language_pair,
        gold_name=evalset.gold_name,
        folder=place,
        ranking=read_tables([folder / "ranking.parquet"]).to_pylist(),
        comparisons=read_tables([folder / "comparisons.parquet"]).to_pylist(),
        alpha=alpha,
        n_systems=evalset.n_systems,
        n_segments=evalset.n_segments,
        left_out=[asdict(entry) for entry in left_out],
        figures=[
            Figure(
                (folder / f"figures/{name}.svg").read_text(encoding="utf-8"),
                text,
                f"{place}/figures/{name}",
            )
            for name, text in CAPTIONS.items()
        ],
    )


if __name__ == "__main__":
    run(main, snakemake)
