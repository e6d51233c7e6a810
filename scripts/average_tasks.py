"""Average scores and ranks of metrics over the tasks of the run."""

from scripts._runtime import run
from scripts._tables import write_all
from sigcore.io.schemas import table_of
from sigcore.io.system_scores import read_system_scores_table
from sigcore.io.tables import read_metric_names, write_json, write_table
from sigcore.io.task_results import read_task_results
from sigcore.meta.adjustment import describe_few_draws
from sigcore.meta.average_records import average_comparisons, average_records, task_records
from sigcore.meta.averaging import average_tasks
from sigcore.meta.tasks import TaskOptions, pool_results, scheme_names
from sigcore.report.tasks import average_section, describe_system_scores, describe_unofficial
from sigcore.testsets import load_testset

SHOWN = {
    "rank": "cluster",
    "metric": "metric",
    "score": "mean score",
    "mean_rank": "mean rank",
    "n_beaten": "beats",
}
FORMATS = {"score": ".4f", "mean_rank": ".2f"}


def main(snakemake):
    params, chosen = snakemake.params, snakemake.params.task_set
    settings = dict(params.settings)
    average = average_tasks(
        read_results(chosen, snakemake.input.results),
        alternative=settings["alternative"],
        estimator=settings["estimator"],
        adjust=settings["adjust"],
        alpha=settings["alpha"],
    )
    scheme = scheme_names(chosen.tasks, TaskOptions(**params.schemes))
    comparisons = average_comparisons(
        average,
        scheme=scheme,
        alternative=settings["alternative"],
        estimator=settings["estimator"],
        correction=settings["adjust"],
        n_resamples=settings["n_resamples"],
        seed=params.seed,
    )
    rows = average_records(average, by=chosen.average, alpha=settings["alpha"])
    by_task = task_records(average, chosen.tasks)
    table = table_of("average", rows)
    write_all(snakemake.output, "table", table, lambda shown: (shown, SHOWN, FORMATS))
    write_table(snakemake.output.tasks, table_of("task_scores", by_task))
    write_table(snakemake.output.comparisons, table_of("comparisons", comparisons))
    html = average_section(
        rows,
        by_task,
        description=chosen.description,
        by=chosen.average,
        scheme=scheme,
        left_out=average.left_out,
        skipped=chosen.skipped,
        remarks=remarks(snakemake, average)
        + describe_few_draws(comparisons, alpha=settings["alpha"]),
    )
    section = {"anchor": "average", "title": f"Average over tasks: {chosen.name}", "html": html}
    write_json(snakemake.output.section, section | {"inputs": {}})


def remarks(snakemake, average):
    """Say which system scores enter, and which metrics are not averaged."""
    chosen, found = snakemake.params.task_set, []
    published = [read_system_scores_table(path) for path in snakemake.input.system_scores]
    if published:
        found.append(describe_system_scores([each for one in published for each in one.values()]))
    if chosen.primary_only:
        names = {name for path in snakemake.input.scores for name in read_metric_names(path)}
        root = snakemake.params.data_root
        primary = {
            name
            for testset, lp in chosen.pairs
            for name in load_testset(testset, root=root).facts(lp).primary_metrics
        }
        averaged = {*average.metric_names, *average.left_out}
        found += describe_unofficial(names - averaged, averaged, primary)
    return found


def read_results(chosen, paths):
    """Read the results of every task, those of pooled tasks put together."""
    files = dict(zip(chosen.pairs, paths, strict=True))
    parts = {}
    for pair, path in files.items():
        mine = [task for task in chosen.tasks if pair in task.pairs]
        for name, result in read_task_results(path, mine).items():
            parts.setdefault(name, []).append(result)
    return [
        pool_results(parts[task.name]) if len(parts[task.name]) > 1 else parts[task.name][0]
        for task in chosen.tasks
    ]


if __name__ == "__main__":
    run(main, snakemake)
