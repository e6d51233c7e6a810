"""Collect the scores of whole systems that tasks compare, published ones or means over segments."""

from pathlib import Path

from scripts._runtime import run
from sigcore.io.mtme import read_documents
from sigcore.io.system_scores import read_system_scores, write_system_scores
from sigcore.io.tables import read_evalset_table
from sigcore.testsets import load_testset


def main(snakemake):
    testset, lp = snakemake.wildcards.testset, snakemake.wildcards.lp
    # The gold is <root>/<testset>/human-scores/<lp>.<gold>.seg.score.
    root = Path(snakemake.input.gold).parents[2]
    documents = snakemake.input.documents
    selected, _ = read_evalset_table(snakemake.input.scores)
    collected = read_system_scores(
        root,
        selected,
        facts=load_testset(testset, root=root).facts(lp),
        extra_metric_files=snakemake.input.my_metrics,
        domains=snakemake.params.domains,
        domain_of_segment=read_documents(documents[0])[0] if documents else None,
    )
    write_system_scores(snakemake.output.table, collected)


if __name__ == "__main__":
    run(main, snakemake)
