"""Shared ground of all rules: the validated configuration, what it names, and input functions.

INPUTS:  config
OUTPUTS: none; defines INPUTS, RESULTS, LOGS, PARTS, BAYES_PLAN, TASK_SET and the functions below
"""

import time

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

from scripts._bayes import plan_bayes
from scripts._compare import system_pair_batches
from scripts._config import check_config
from scripts._messages import describe_failures, describe_success
from scripts._inputs import EvaluationInputs, simulation_spec
from scripts._parsers import list_parsers
from scripts._sources import source_digest
from scripts._tasks import documents_of, plan_tasks
from sigcore.errors import InputError

try:
    check_config(config, workflow.source_path("../schemas/config.schema.yaml"))
    SIMULATION = simulation_spec(config.get("simulate"))
    INPUTS = EvaluationInputs.from_config(config)
    BAYES_PLAN = plan_bayes(config, f"results/{config['run']}/bayes")
    TASK_SET = plan_tasks(config, INPUTS)
except InputError as error:
    raise WorkflowError(str(error)) from None

for sentence in (*INPUTS.skipped, *(TASK_SET.skipped if TASK_SET else ())):
    logger.warning(sentence)

RESULTS = f"results/{config['run']}"
LOGS = f"logs/{config['run']}"
STARTED = time.time()

BAYES = f"{RESULTS}/bayes"
BAYES_SETTINGS = config.get("bayes", {})

# What other parts of the workflow add to the report: JSON with anchor, title, html and inputs.
PARTS = []


wildcard_constraints:
    testset=r"[A-Za-z0-9][A-Za-z0-9._-]*",
    lp=r"[A-Za-z0-9][A-Za-z0-9._-]*",
    batch=r"\d+-of-\d+",


def get_pages(wildcards):
    """Give the report of the run; without evaluation sets, the pages of its other parts."""
    if INPUTS.pairs:
        return f"{RESULTS}/report.html"
    return [path.replace("section.json", "report.html") for path in PARTS]


def get_page(part):
    """Make an input function that gives the page of a part, or says which key is missing."""

    def page_of_part(wildcards):
        if f"{RESULTS}/{part}/section.json" not in PARTS:
            raise WorkflowError(
                f"the target `{part}` needs the key `{part}` in the configuration."
            )
        return f"{RESULTS}/{part}/report.html"

    return page_of_part


def for_every_pair(pattern):
    """Fill {testset} and {lp} of a pattern for every language pair of the run."""
    return [pattern.format(testset=testset, lp=lp) for testset, lp in INPUTS.pairs]


def get_files(kind):
    """Make an input function that gives one kind of file of a language pair."""

    def files_of_pair(wildcards):
        return getattr(INPUTS.files[wildcards.testset, wildcards.lp], kind)

    return files_of_pair


def get_pvalue_batches(wildcards):
    """List the tables of p-values of one language pair."""
    folder = f"{RESULTS}/{wildcards.testset}/{wildcards.lp}/pvalues"
    batches = INPUTS.metric_batches(wildcards.testset, wildcards.lp)
    return [f"{folder}/{batch}.parquet" for batch in batches]


def get_comparison_batches(wildcards):
    """List the tables of comparisons between metrics of one language pair."""
    folder = f"{RESULTS}/{wildcards.testset}/{wildcards.lp}/comparisons"
    batches = INPUTS.comparison_batches(wildcards.testset, wildcards.lp)
    return [f"{folder}/{batch}.parquet" for batch in batches]


def get_paper_tables(wildcards):
    """List the tables and figures of the paper, or say which key the configuration lacks."""
    if not BAYES_PLAN.paper:
        raise WorkflowError(
            "the target `paper_bayes` needs the keys `bayes.folds` and `bayes.paper: true`, as in "
            "config/paper_bayes.yaml."
        )
    return [
        f"{BAYES}/report.html",
        *expand(f"{BAYES}/paper/table{{number}}.md", number=(2, 3, 4, 5)),
        *expand(f"{BAYES}/figures/{{task}}.png", task=BAYES_PLAN.tasks),
        f"{BAYES}/coverage.md",
    ]


def get_spa_page(wildcards):
    """Give the page on the SPA paper, or say that there is no evaluation set to make it from."""
    if not INPUTS.pairs:
        raise WorkflowError(
            "the target `paper_spa` needs evaluation sets; `testsets` names none."
        )
    return f"{RESULTS}/paper_spa/report.html"


def get_model(wildcards):
    """Give the settings of a model."""
    return BAYES_SETTINGS["models"][wildcards.model]


def get_systems_page(wildcards):
    """Give the page on systems, or say what the configuration lacks."""
    if not INPUTS.pairs:
        raise WorkflowError(
            "the target `compare` needs an evaluation set in `testsets`."
        )
    return f"{RESULTS}/compare/report.html"


def get_system_pair_batches(wildcards):
    """List the tables of system pairs of one language pair."""
    gold = INPUTS.files[wildcards.testset, wildcards.lp].gold
    folder = f"{RESULTS}/{wildcards.testset}/{wildcards.lp}/compare/batches"
    batches = system_pair_batches(config, wildcards.lp, gold)
    return [f"{folder}/{batch}.parquet" for batch in batches]


def get_bayes_settings(*names):
    """Pick some of the settings; None for those of a configuration without the test."""
    return {name: BAYES_SETTINGS.get(name) for name in names}


def get_tasks(wildcards):
    """List the tasks that a language pair takes part in."""
    pair = (wildcards.testset, wildcards.lp)
    return [task for task in TASK_SET.tasks if pair in task.pairs]


def get_documents(wildcards):
    """Give the file of documents of a language pair if its tasks are on domains."""
    if not any(task.domain for task in get_tasks(wildcards)):
        return []
    return documents_of(INPUTS, wildcards.testset, wildcards.lp)


def get_task_results(wildcards):
    """List the results of tasks, a file for each language pair in use."""
    if TASK_SET is None:
        raise WorkflowError("averages need the key `tasks` in the configuration.")
    return [f"{RESULTS}/{testset}/{lp}/tasks.parquet" for testset, lp in TASK_SET.pairs]
