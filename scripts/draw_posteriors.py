"""Draw the posteriors of both models of each task."""

from pathlib import Path

from scripts._runtime import run
from sigcore.bayes.published import TASKS
from sigcore.io.folds import read_fold_pair
from sigcore.plotting.posteriors import posteriors_figure
from sigcore.plotting.style import figure_style, save_all


def main(snakemake):
    folder = Path(snakemake.output.images[0]).parent
    # All are read before the first figure is written.
    tables = [read_fold_pair(path) for path in snakemake.input]
    for task, models in zip(snakemake.params.tasks, tables, strict=True):
        title = task
        if snakemake.params.paper and task in TASKS:
            title = f"Figure {TASKS[task].figure}: {task}, {TASKS[task].title}"
        with figure_style():
            figure = posteriors_figure(models, title=title, **snakemake.params.settings)
            save_all(figure, folder / task)


if __name__ == "__main__":
    run(main, snakemake)
