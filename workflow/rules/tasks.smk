"""
Averages over tasks, where the configuration names a set of them.

INPUTS:
    <pair>/scores.parquet                 and the domains of segments, for tasks on domains
OUTPUTS:
    <pair>/system_scores.parquet          scores of whole systems, for tasks that take official ones
    <pair>/tasks.parquet                  draws of the comparisons of metrics, task by task
    average.{parquet,csv,tex,md}          metrics best first, averaged over tasks
    average_comparisons.parquet           all metric pairs, by mean score
    task_scores.parquet                   scores and ranks in every task
    average/section.json                  what the report says about it
"""

if TASK_SET is not None:
    PARTS.append(f"{RESULTS}/average/section.json")

# What is swapped in tasks; see `sigcore.meta.tasks.TaskOptions`.
TASK_SCHEMES = {
    "scheme": config.get("tasks", {}).get("scheme", config["significance"]["scheme"]),
    "acc_eq_scheme": config.get("tasks", {}).get("acc_eq_scheme", "inputs"),
    "system_scores": "rated" if TASK_SET is None else TASK_SET.system_scores,
}


rule collect_system_scores:
    input:
        scores=f"{RESULTS}/{{testset}}/{{lp}}/scores.parquet",
        gold=get_files("gold"),
        metrics=get_files("metrics"),
        my_metrics=get_files("my_metrics"),
        others=get_files("others"),
        published=get_files("system_scores"),
        documents=get_documents,
    output:
        table=f"{RESULTS}/{{testset}}/{{lp}}/system_scores.parquet",
    log:
        f"{LOGS}/collect_system_scores/{{testset}}/{{lp}}.log",
    benchmark:
        f"{LOGS}/collect_system_scores/{{testset}}/{{lp}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        domains=get_domains,
        code=source_digest("collect_system_scores"),
    message:
        "Collecting the scores of systems of {wildcards.testset} {wildcards.lp}"
    script:
        "../../scripts/collect_system_scores.py"


rule compare_tasks:
    input:
        scores=f"{RESULTS}/{{testset}}/{{lp}}/scores.parquet",
        documents=get_documents,
        system_scores=get_system_scores,
    output:
        results=f"{RESULTS}/{{testset}}/{{lp}}/tasks.parquet",
    log:
        f"{LOGS}/compare_tasks/{{testset}}/{{lp}}.log",
    benchmark:
        f"{LOGS}/compare_tasks/{{testset}}/{{lp}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        tasks=get_tasks,
        primary_only=TASK_SET is not None and TASK_SET.primary_only,
        schemes=TASK_SCHEMES,
        n_resamples=config["significance"]["n_resamples"],
        missing=MISSING,
        seed=config["seed"],
        code=source_digest("compare_tasks"),
    message:
        "Comparing metrics by the tasks of {wildcards.testset} {wildcards.lp}"
    script:
        "../../scripts/compare_tasks.py"


rule average_tasks:
    input:
        results=get_task_results,
        scores=get_selected_scores,
        system_scores=get_all_system_scores,
    output:
        table=f"{RESULTS}/average.parquet",
        table_latex=f"{RESULTS}/average.tex",
        table_markdown=f"{RESULTS}/average.md",
        table_csv=report(
            f"{RESULTS}/average.csv",
            caption="../report/average.rst",
            category="Rankings",
            labels={"set": "all tasks", "kind": "table"},
        ),
        tasks=f"{RESULTS}/task_scores.parquet",
        comparisons=f"{RESULTS}/average_comparisons.parquet",
        section=f"{RESULTS}/average/section.json",
    log:
        f"{LOGS}/average_tasks.log",
    benchmark:
        f"{LOGS}/average_tasks.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        task_set=TASK_SET,
        settings=config["significance"],
        schemes=TASK_SCHEMES,
        data_root=config["data_root"],
        seed=config["seed"],
        code=source_digest("average_tasks"),
    message:
        "Averaging over tasks"
    script:
        "../../scripts/average_tasks.py"
