"""Is one system really better than another, and which metric can be trusted?

From evaluation sets in the layout of mt-metrics-eval to one report: data -> p-values ->
meta-metrics -> significance and clusters -> figures -> report. See README.md and config/README.md.
"""

from snakemake.utils import min_version

min_version("9.8")


# A configuration named on the command line stands alone; it is not laid over the default one.
if not workflow.config_settings.configfiles:

    configfile: "config/config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/pvalues.smk"
include: "workflow/rules/meta_evaluation.smk"
include: "workflow/rules/metric_tests.smk"
include: "workflow/rules/tasks.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/parsing.smk"
include: "workflow/rules/bayes.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/benchmark.smk"
include: "workflow/rules/paper_spa.smk"
include: "workflow/rules/compare.smk"
include: "workflow/rules/paper_nlpstattest.smk"


rule all:
    default_target: True
    input:
        get_pages,


rule paper_exact:
    input:
        f"{RESULTS}/benchmark/report.html",
        f"{RESULTS}/benchmark/figures/timings.png",


rule parsing:
    input:
        get_page("parsing"),


rule bayes:
    input:
        get_page("bayes"),


rule paper_bayes:
    input:
        get_paper_tables,


rule compare:
    input:
        get_systems_page,


rule paper_nlpstattest:
    input:
        f"{RESULTS}/nlpstattest/report.html",


rule paper_spa:
    input:
        get_spa_page,


onsuccess:
    print(describe_success(f"{RESULTS}/report.html", STARTED))


onerror:
    print(describe_failures(LOGS, STARTED))
