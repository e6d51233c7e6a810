"""Score and compare metrics by the tasks that one language pair takes part in."""

from scripts._runtime import run
from sigcore.io.mtme import read_documents
from sigcore.io.system_scores import read_system_scores_table
from sigcore.io.tables import read_evalset_table
from sigcore.io.task_results import write_task_results
from sigcore.meta.tasks import TaskOptions, run_tasks


def main(snakemake):
    evalset, _ = read_evalset_table(snakemake.input.scores)
    documents = snakemake.input.documents
    domains = read_documents(documents[0])[0] if documents else None
    params, published = snakemake.params, snakemake.input.system_scores
    options = TaskOptions(
        **params.schemes,
        n_resamples=params.n_resamples,
        seed=params.seed,
        missing=params.missing,
        primary_only=params.primary_only,
    )
    results = run_tasks(
        evalset,
        params.tasks,
        options,
        domains=domains,
        system_scores=read_system_scores_table(published) if published else None,
    )
    write_task_results(snakemake.output.results, results)


if __name__ == "__main__":
    run(main, snakemake)
