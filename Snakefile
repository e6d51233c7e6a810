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
include: "workflow/rules/yardsticks.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/parsing.smk"
include: "workflow/rules/bayes.smk"
include: "workflow/rules/benchmark.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/paper_spa.smk"
include: "workflow/rules/compare.smk"
include: "workflow/rules/paper_nlpstattest.smk"
include: "workflow/rules/targets.smk"


rule all:
    default_target: True
    input:
        get_everything,


rule paper_exact:
    input:
        get_timings,


rule parsing:
    input:
        get_parsing,


rule bayes:
    input:
        get_bayes,


rule paper_bayes:
    input:
        get_paper_bayes,


rule compare:
    input:
        get_systems,


rule paper_nlpstattest:
    input:
        get_nlpstattest,


rule paper_spa:
    input:
        get_paper_spa,


onstart:
    note_host()


onsuccess:
    print(describe_success(f"{RESULTS}/report.html", STARTED))


onerror:
    say_last(describe_failures(LOGS, STARTED))
