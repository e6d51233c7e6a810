"""
From score files to one table per language pair.

INPUTS:
    <data_root>/<testset>/...      human and metric scores in the layout of mt-metrics-eval
OUTPUTS:
    <pair>/scores.parquet          the selected systems, segments and metrics
    <pair>/inputs.json             the files that were read, with their SHA-256
    <pair>/left_out.parquet        what was left out, and why
"""

from sigcore.simulate import file_names

if SIMULATION is not None:

    rule simulate_evalset:
        output:
            [f"{config['data_root']}/{name}" for name in file_names(SIMULATION)],
        log:
            f"{LOGS}/simulate_evalset.log",
        benchmark:
            f"{LOGS}/simulate_evalset.tsv"
        conda:
            "../../environment.yml"
        threads: 1
        resources:
            mem_mb=1000,
            runtime=10,
        params:
            settings=config["simulate"],
            code=source_digest("simulate_evalset"),
        message:
            "Simulating an evaluation set"
        script:
            "../../scripts/simulate_evalset.py"


rule ingest_scores:
    input:
        gold=get_files("gold"),
        metrics=get_files("metrics"),
        my_metrics=get_files("my_metrics"),
        others=get_files("others"),
        system_scores=get_files("system_scores"),
    output:
        scores=f"{RESULTS}/{{testset}}/{{lp}}/scores.parquet",
        left_out=f"{RESULTS}/{{testset}}/{{lp}}/left_out.parquet",
        inputs=f"{RESULTS}/{{testset}}/{{lp}}/inputs.json",
    log:
        f"{LOGS}/ingest_scores/{{testset}}/{{lp}}.log",
    benchmark:
        f"{LOGS}/ingest_scores/{{testset}}/{{lp}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        selection=config["selection"],
        code=source_digest("ingest_scores"),
    message:
        "Reading the scores of {wildcards.testset} {wildcards.lp}"
    script:
        "../../scripts/ingest_scores.py"
