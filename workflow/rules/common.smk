"""Shared ground of all rules: the validated configuration, what it names, and input functions.

INPUTS:  config
OUTPUTS: none; defines the names in capitals and the functions below
"""

import sys
import time

from snakemake.logging import logger

from scripts._bayes import plan_bayes, program_digests
from scripts._compare import system_pair_batches
from scripts._config import check_config, check_files
from scripts._inputs import EvaluationInputs, simulation_spec
from scripts._locks import note_host
from scripts._messages import describe_failures, describe_success, say_last
from scripts._parsers import list_parsers
from scripts._places import name_place
from scripts._sources import source_digest
from scripts._tasks import documents_of, plan_tasks
from scripts._yardsticks import plan_yardsticks
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
    YARDSTICKS = plan_yardsticks(config, INPUTS)
except InputError as error:
    refuse(error)

for sentence in (*INPUTS.skipped, *(TASK_SET.skipped if TASK_SET else ())):
    logger.warning(sentence)

RESULTS = f"results/{config['run']}"
LOGS = f"logs/{config['run']}"
STARTED = time.time()

# What of the scores is left out, in the words of the library.
MISSING = "pairwise" if config["selection"]["segments"] == "pairwise" else "listwise"

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


def get_programs(wildcards):
    """Digest the files that the commands of a model name; an edited one reruns its folds."""
    return program_digests([get_model(wildcards)])


def get_all_programs(wildcards):
    """Digest the files that the commands of the models name, if there is a corpus for them."""
    models = BAYES_SETTINGS["models"].values() if BAYES_PLAN.corpus else ()
    return program_digests(models)


def get_system_pair_batches(wildcards):
    """List the tables of system pairs of one language pair."""
    folder = f"{RESULTS}/{wildcards.testset}/{wildcards.lp}/compare/batches"
    both_orders = config["compare"]["alternative"] != "two-sided"
    batches = name_system_pairs(wildcards, both_orders=both_orders)
    return [f"{folder}/{batch}.parquet" for batch in batches]


def get_bayes_settings(*names):
    """Pick some of the settings; None for those of a configuration without the test."""
    return {name: BAYES_SETTINGS.get(name) for name in names}


def get_further_ratings(wildcards):
    """List the files of further ratings of a language pair."""
    return YARDSTICKS.ratings[wildcards.testset, wildcards.lp]


def get_texts(wildcards):
    """List the texts of a language pair, references first."""
    return YARDSTICKS.texts[wildcards.testset, wildcards.lp]


def get_yardstick_tables(wildcards):
    """List the tables of yardsticks, of every language pair that has any."""
    return [
        f"{RESULTS}/{testset}/{lp}/yardsticks.parquet"
        for testset, lp in YARDSTICKS.pairs
    ]


def get_yardstick_sources(wildcards):
    """List all files of further ratings and texts."""
    plan = YARDSTICKS
    return [
        path for pair in plan.pairs for path in (*plan.ratings[pair], *plan.texts[pair])
    ]


def get_tasks(wildcards):
    """List the tasks that a language pair takes part in."""
    pair = (wildcards.testset, wildcards.lp)
    return [task for task in TASK_SET.tasks if pair in task.pairs]


def get_system_scores(wildcards):
    """Give the table of system scores of a language pair if its tasks take official ones."""
    if not any(takes_official_scores(task) for task in get_tasks(wildcards)):
        return []
    return f"{RESULTS}/{wildcards.testset}/{wildcards.lp}/system_scores.parquet"


def get_all_system_scores(wildcards):
    """List the tables of system scores that the averages rest on."""
    pairs = {
        pair
        for task in TASK_SET.tasks
        if takes_official_scores(task)
        for pair in task.pairs
    }
    return [
        f"{RESULTS}/{testset}/{lp}/system_scores.parquet"
        for testset, lp in TASK_SET.pairs
        if (testset, lp) in pairs
    ]


def takes_official_scores(task):
    """Say whether a task compares the published scores of systems."""
    return TASK_SET.system_scores == "official" and task.takes_system_scores


def get_domains(wildcards):
    """List the domains on which a language pair needs scores of systems; None is the whole."""
    return list(dict.fromkeys(task.domain for task in get_tasks(wildcards)))


def get_documents(wildcards):
    """Give the file of documents of a language pair if its tasks are on domains."""
    if not any(task.domain for task in get_tasks(wildcards)):
        return []
    return documents_of(INPUTS, wildcards.testset, wildcards.lp)


def get_selected_scores(wildcards):
    """List the selected scores of every language pair with tasks."""
    return [
        f"{RESULTS}/{testset}/{lp}/scores.parquet" for testset, lp in TASK_SET.pairs
    ]


def get_task_results(wildcards):
    """List the results of tasks, a file for each language pair in use."""
    if TASK_SET is None:
        refuse("averages need the key `tasks` in the configuration.")
    return [f"{RESULTS}/{testset}/{lp}/tasks.parquet" for testset, lp in TASK_SET.pairs]
