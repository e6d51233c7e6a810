"""
Which systems differ: every pair of systems of a language pair, by human scores or a metric.

Not part of the default target; ask for `compare`.

INPUTS:
    <pair>/scores.parquet
OUTPUTS:
    <pair>/compare/batches/<batch>.parquet            tests and effect sizes of a batch of pairs
    <pair>/compare/pairs.{parquet,csv,tex,md}         every pair, corrected for their number
    <pair>/compare/systems.{parquet,csv,tex,md}       systems best first, with clusters
    <pair>/compare/figures/systems.{svg,pdf,png}      the heatmap of all pairs
    compare/report.html                               all of it on a self-contained page
"""

COMPARE = f"{RESULTS}/{{testset}}/{{lp}}/compare"


rule compare_systems:
    input:
        scores=f"{RESULTS}/{{testset}}/{{lp}}/scores.parquet",
    output:
        pairs=f"{COMPARE}/batches/{{batch}}.parquet",
    log:
        f"{LOGS}/compare_systems/{{testset}}/{{lp}}/{{batch}}.log",
    benchmark:
        f"{LOGS}/compare_systems/{{testset}}/{{lp}}/{{batch}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        settings=config["compare"],
        seed=config["seed"],
        code=source_digest("compare_systems"),
    message:
        "Comparing systems of {wildcards.testset} {wildcards.lp}, batch {wildcards.batch}"
    script:
        "../../scripts/compare_systems.py"


rule rank_systems:
    input:
        scores=f"{RESULTS}/{{testset}}/{{lp}}/scores.parquet",
        pairs=get_system_pair_batches,
    output:
        pairs=f"{COMPARE}/pairs.parquet",
        pairs_csv=f"{COMPARE}/pairs.csv",
        pairs_latex=f"{COMPARE}/pairs.tex",
        pairs_markdown=f"{COMPARE}/pairs.md",
        systems=f"{COMPARE}/systems.parquet",
        systems_csv=f"{COMPARE}/systems.csv",
        systems_latex=f"{COMPARE}/systems.tex",
        systems_markdown=f"{COMPARE}/systems.md",
    log:
        f"{LOGS}/rank_systems/{{testset}}/{{lp}}.log",
    benchmark:
        f"{LOGS}/rank_systems/{{testset}}/{{lp}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        settings=config["compare"],
        code=source_digest("rank_systems"),
    message:
        "Ranking the systems of {wildcards.testset} {wildcards.lp}"
    script:
        "../../scripts/rank_systems.py"


rule draw_systems:
    input:
        pairs=f"{COMPARE}/pairs.parquet",
        systems=f"{COMPARE}/systems.parquet",
    output:
        expand(
            f"{COMPARE}/figures/systems.{{ending}}",
            ending=("svg", "pdf"),
            allow_missing=True,
        ),
        image=report(
            f"{COMPARE}/figures/systems.png",
            caption="../report/systems.rst",
            category="Systems",
            subcategory="{testset} {lp}",
        ),
    log:
        f"{LOGS}/draw_systems/{{testset}}/{{lp}}.log",
    benchmark:
        f"{LOGS}/draw_systems/{{testset}}/{{lp}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        settings=config["compare"],
        code=source_digest("draw_systems"),
    message:
        "Drawing which systems of {wildcards.testset} {wildcards.lp} differ"
    script:
        "../../scripts/draw_systems.py"


rule write_systems_page:
    input:
        scores=for_every_pair(f"{RESULTS}/{{testset}}/{{lp}}/scores.parquet"),
        pairs=for_every_pair(f"{COMPARE}/pairs.parquet"),
        systems=for_every_pair(f"{COMPARE}/systems.parquet"),
        figures=for_every_pair(f"{COMPARE}/figures/systems.svg"),
    output:
        page=f"{RESULTS}/compare/report.html",
    log:
        f"{LOGS}/write_systems_page.log",
    benchmark:
        f"{LOGS}/write_systems_page.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        pairs=INPUTS.pairs,
        settings=config["compare"],
        run=config["run"],
        seed=config["seed"],
        code=source_digest("write_systems_page"),
    message:
        "Writing the page on systems"
    script:
        "../../scripts/write_systems_page.py"
