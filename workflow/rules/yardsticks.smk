"""
Further human ratings and corpus-level scores beside the metrics, where the configuration asks.

INPUTS:
    <pair>/scores.parquet            and files of ratings, outputs of systems and references
OUTPUTS:
    <pair>/yardsticks.parquet        second ratings and all metrics on the same translations
    yardsticks/section.json          what the report says about it
"""

if YARDSTICKS is not None:
    PARTS.append(f"{RESULTS}/yardsticks/section.json")


rule score_yardsticks:
    input:
        scores=f"{RESULTS}/{{testset}}/{{lp}}/scores.parquet",
        gold=get_files("gold"),
        ratings=get_further_ratings,
        texts=get_texts,
    output:
        table=f"{RESULTS}/{{testset}}/{{lp}}/yardsticks.parquet",
    log:
        f"{LOGS}/score_yardsticks/{{testset}}/{{lp}}.log",
    benchmark:
        f"{LOGS}/score_yardsticks/{{testset}}/{{lp}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        corpus_metrics=config.get("yardsticks", {}).get("corpus_metrics"),
        n_resamples=config["pvalues"]["n_resamples"],
        seed=config["seed"],
        code=source_digest("score_yardsticks"),
    message:
        "Scoring further ratings of {wildcards.testset} {wildcards.lp}"
    script:
        "../../scripts/score_yardsticks.py"


rule write_yardsticks:
    input:
        tables=get_yardstick_tables,
        sources=get_yardstick_sources,
    output:
        section=f"{RESULTS}/yardsticks/section.json",
    log:
        f"{LOGS}/write_yardsticks.log",
    benchmark:
        f"{LOGS}/write_yardsticks.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        pairs=() if YARDSTICKS is None else YARDSTICKS.pairs,
        absent=() if YARDSTICKS is None else YARDSTICKS.absent,
        code=source_digest("write_yardsticks"),
    message:
        "Writing what metrics are held against"
    script:
        "../../scripts/write_yardsticks.py"
