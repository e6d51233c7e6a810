"""
Which metrics differ significantly, and the clusters that follow.

INPUTS:
    <pair>/scores.parquet, <pair>/metrics.parquet
OUTPUTS:
    <pair>/comparisons/<batch>.parquet    a batch of metric pairs
    <pair>/comparisons.parquet            all metric pairs
    <pair>/ranking.{parquet,csv,tex,md}   metrics best first, with scores and clusters
"""


rule compare_metrics:
    input:
        scores=f"{RESULTS}/{{testset}}/{{lp}}/scores.parquet",
    output:
        comparisons=f"{RESULTS}/{{testset}}/{{lp}}/comparisons/{{batch}}.parquet",
    log:
        f"{LOGS}/compare_metrics/{{testset}}/{{lp}}/{{batch}}.log",
    benchmark:
        f"{LOGS}/compare_metrics/{{testset}}/{{lp}}/{{batch}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        settings=config["significance"],
        missing=MISSING,
        seed=config["seed"],
        code=source_digest("compare_metrics"),
    message:
        "Comparing metrics on {wildcards.testset} {wildcards.lp}, batch {wildcards.batch}"
    script:
        "../../scripts/compare_metrics.py"


rule rank_metrics:
    input:
        metrics=f"{RESULTS}/{{testset}}/{{lp}}/metrics.parquet",
        comparisons=get_comparison_batches,
    output:
        comparisons=f"{RESULTS}/{{testset}}/{{lp}}/comparisons.parquet",
        table=f"{RESULTS}/{{testset}}/{{lp}}/ranking.parquet",
        table_latex=f"{RESULTS}/{{testset}}/{{lp}}/ranking.tex",
        table_markdown=f"{RESULTS}/{{testset}}/{{lp}}/ranking.md",
        table_csv=report(
            f"{RESULTS}/{{testset}}/{{lp}}/ranking.csv",
            caption="../report/ranking.rst",
            category="Rankings",
            labels={"set": "{testset} {lp}", "kind": "table"},
        ),
    log:
        f"{LOGS}/rank_metrics/{{testset}}/{{lp}}.log",
    benchmark:
        f"{LOGS}/rank_metrics/{{testset}}/{{lp}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        alpha=config["significance"]["alpha"],
        adjust=config["significance"]["adjust"],
        code=source_digest("rank_metrics"),
    message:
        "Ranking the metrics of {wildcards.testset} {wildcards.lp}"
    script:
        "../../scripts/rank_metrics.py"
