"""
How well each metric follows human judgement.

INPUTS:
    <pair>/scores.parquet, <pair>/pvalues/<batch>/<pairs>.parquet
OUTPUTS:
    <pair>/pvalues.parquet           all p-values of the language pair
    <pair>/metrics.parquet           soft and plain pairwise accuracy of every metric
"""


rule score_metrics:
    input:
        scores=f"{RESULTS}/{{testset}}/{{lp}}/scores.parquet",
        pvalues=get_pvalue_batches,
    output:
        metrics=f"{RESULTS}/{{testset}}/{{lp}}/metrics.parquet",
        pvalues=f"{RESULTS}/{{testset}}/{{lp}}/pvalues.parquet",
    log:
        f"{LOGS}/score_metrics/{{testset}}/{{lp}}.log",
    benchmark:
        f"{LOGS}/score_metrics/{{testset}}/{{lp}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        missing=MISSING,
        code=source_digest("score_metrics"),
    message:
        "Meta-metrics of {wildcards.testset} {wildcards.lp}"
    script:
        "../../scripts/score_metrics.py"
