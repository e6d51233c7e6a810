"""Shared ground of all rules: the validated configuration, what it names, and input functions.

INPUTS:  config
OUTPUTS: none; defines INPUTS, RESULTS, LOGS, PARTS, BAYES_PLAN, TASK_SET and the functions below
"""

import sys
import time

from snakemake.logging import logger

from scripts._bayes import plan_bayes
from scripts._compare import system_pair_batches
from scripts._config import check_config, check_files
from scripts._inputs import EvaluationInputs, simulation_spec
from scripts._locks import note_host
from scripts._messages import describe_failures, describe_success, say_last
from scripts._parsers import list_parsers
from scripts._places import name_place
from scripts._sources import source_digest
from scripts._tasks import documents_of, plan_tasks
from sigcore.errors import InputError

CONFIG_FILES = workflow.config_settings.configfiles or ["config/config.yaml"]


def refuse(reason):
    """End the run with one line that says why, with its place in the configuration."""
    sys.exit(f"sigcore: error: {name_place(str(reason), CONFIG_FILES)}")


try:
    check_files(CONFIG_FILES)
    check_config(config, workflow.source_path("../schemas/config.schema.yaml"))
    SIMULATION = simulation_spec(config.get("simulate"))
    INPUTS = EvaluationInputs.from_config(config)
    BAYES_PLAN = plan_bayes(config, f"results/{config['run']}/bayes")
    TASK_SET = plan_tasks(config, INPUTS)
except InputError as error:
    refuse(error)

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
    pairs=r"\d+-of-\d+",


def for_every_pair(pattern):
    """Fill {testset} and {lp} of a pattern for every language pair of the run."""
    return [pattern.format(testset=testset, lp=lp) for testset, lp in INPUTS.pairs]


def get_files(kind):
    """Make an input function that gives one kind of file of a language pair."""

    def files_of_pair(wildcards):
        return getattr(INPUTS.files[wildcards.testset, wildcards.lp], kind)

    return files_of_pair


def name_system_pairs(wildcards, both_orders=False):
    """Name the batches of system pairs of one language pair."""
    gold = INPUTS.files[wildcards.testset, wildcards.lp].gold
    return system_pair_batches(config, wildcards.lp, gold, both_orders=both_orders)


def get_pvalue_batches(wildcards):
    """List the tables of p-values of one language pair."""
    return expand(
        f"{RESULTS}/{wildcards.testset}/{wildcards.lp}/pvalues/{{batch}}/{{pairs}}.parquet",
        batch=INPUTS.metric_batches(wildcards.testset, wildcards.lp),
        pairs=name_system_pairs(wildcards),
    )


def get_comparison_batches(wildcards):
    """List the tables of comparisons between metrics of one language pair."""
    folder = f"{RESULTS}/{wildcards.testset}/{wildcards.lp}/comparisons"
    batches = INPUTS.comparison_batches(wildcards.testset, wildcards.lp)
    return [f"{folder}/{batch}.parquet" for batch in batches]


def get_model(wildcards):
    """Give the settings of a model."""
    return BAYES_SETTINGS["models"][wildcards.model]


def get_system_pair_batches(wildcards):
    """List the tables of system pairs of one language pair."""
    folder = f"{RESULTS}/{wildcards.testset}/{wildcards.lp}/compare/batches"
    both_orders = config["compare"]["alternative"] != "two-sided"
    batches = name_system_pairs(wildcards, both_orders=both_orders)
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
        refuse("averages need the key `tasks` in the configuration.")
    return [f"{RESULTS}/{testset}/{lp}/tasks.parquet" for testset, lp in TASK_SET.pairs]
