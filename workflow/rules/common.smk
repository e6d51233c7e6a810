"""Shared ground of all rules: the validated configuration, what it names, and input functions.

INPUTS:  config
OUTPUTS: none; defines INPUTS, RESULTS, LOGS, PARTS and the functions below
"""

import time

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

from scripts._config import check_config
from scripts._messages import describe_failures, describe_success
from scripts._inputs import EvaluationInputs, simulation_spec
from scripts._parsers import list_parsers
from scripts._sources import source_digest
from sigcore.errors import InputError

try:
    check_config(config, workflow.source_path("../schemas/config.schema.yaml"))
    SIMULATION = simulation_spec(config.get("simulate"))
    INPUTS = EvaluationInputs.from_config(config)
except InputError as error:
    raise WorkflowError(str(error)) from None

for sentence in INPUTS.skipped:
    logger.warning(sentence)

RESULTS = f"results/{config['run']}"
LOGS = f"logs/{config['run']}"
STARTED = time.time()

# What other parts of the workflow add to the report: JSON with anchor, title, html and inputs.
PARTS = []


wildcard_constraints:
    testset=r"[A-Za-z0-9][A-Za-z0-9._-]*",
    lp=r"[A-Za-z0-9][A-Za-z0-9._-]*",
    batch=r"\d+-of-\d+",


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
