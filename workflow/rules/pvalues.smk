"""
p-values of all pairs of systems, by human scores and by each metric.

INPUTS:
    <pair>/scores.parquet
OUTPUTS:
    <pair>/pvalues/<batch>/<pairs>.parquet   those of a batch of metrics and of system pairs; the
                                             first batch of metrics has the gold's too
"""


rule compute_pvalues:
    input:
        scores=f"{RESULTS}/{{testset}}/{{lp}}/scores.parquet",
    output:
        pvalues=f"{RESULTS}/{{testset}}/{{lp}}/pvalues/{{batch}}/{{pairs}}.parquet",
    log:
        f"{LOGS}/compute_pvalues/{{testset}}/{{lp}}/{{batch}}/{{pairs}}.log",
    benchmark:
        f"{LOGS}/compute_pvalues/{{testset}}/{{lp}}/{{batch}}/{{pairs}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        settings=config["pvalues"],
        missing=MISSING,
        seed=config["seed"],
        code=source_digest("compute_pvalues"),
    message:
        "p-values of {wildcards.testset} {wildcards.lp}, metrics {wildcards.batch}, "
        "system pairs {wildcards.pairs}"
    script:
        "../../scripts/compute_pvalues.py"
