"""
The paper on Soft Pairwise Accuracy: Table 1, Figures 1 to 4, and its claims on stability.

Nothing here is part of the default target; ask for `paper_spa`.

INPUTS:
    <pair>/scores.parquet, <pair>/pvalues.parquet, <pair>/ranking.parquet, <pair>/comparisons.parquet
    <pair>/inputs.json, <pair>/left_out.parquet
OUTPUTS:
    paper_spa/<pair>/repeats.parquet              counts of Table 1 over repeats
    paper_spa/<pair>/sampled_comparisons.parquet  metrics compared as the paper did
    paper_spa/<pair>/ablation_systems.parquet     stability with fewer systems
    paper_spa/<pair>/ablation_segments.parquet    intervals with fewer segments
    paper_spa/<pair>/figure{1,3,4}.{svg,pdf,png}
    paper_spa/figure2.{svg,pdf,png}
    paper_spa/table1.{parquet,csv,tex,md}
    paper_spa/report.html
"""

SPA_PAIR = f"{RESULTS}/paper_spa/{{testset}}/{{lp}}"
SPA_FIGURES = ("figure1", "figure3", "figure4")


rule repeat_comparisons:
    input:
        scores=f"{RESULTS}/{{testset}}/{{lp}}/scores.parquet",
    output:
        repeats=f"{SPA_PAIR}/repeats.parquet",
    log:
        f"{LOGS}/repeat_comparisons/{{testset}}/{{lp}}.log",
    benchmark:
        f"{LOGS}/repeat_comparisons/{{testset}}/{{lp}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        settings=config["significance"],
        repeats=config["paper_spa"]["repeats"],
        seed=config["seed"],
        code=source_digest("repeat_comparisons"),
    message:
        "Repeating the comparison of metrics on {wildcards.testset} {wildcards.lp}"
    script:
        "../../scripts/repeat_comparisons.py"


rule sample_comparisons:
    input:
        scores=f"{RESULTS}/{{testset}}/{{lp}}/scores.parquet",
    output:
        comparisons=f"{SPA_PAIR}/sampled_comparisons.parquet",
    log:
        f"{LOGS}/sample_comparisons/{{testset}}/{{lp}}.log",
    benchmark:
        f"{LOGS}/sample_comparisons/{{testset}}/{{lp}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        settings=config["significance"],
        sign_flips=config["paper_spa"]["sign_flips"],
        seed=config["seed"],
        code=source_digest("sample_comparisons"),
    message:
        "Comparing metrics on {wildcards.testset} {wildcards.lp} with sampled p-values"
    script:
        "../../scripts/sample_comparisons.py"


rule ablate_metrics:
    input:
        scores=f"{RESULTS}/{{testset}}/{{lp}}/scores.parquet",
        pvalues=f"{RESULTS}/{{testset}}/{{lp}}/pvalues.parquet",
        ranking=f"{RESULTS}/{{testset}}/{{lp}}/ranking.parquet",
    output:
        systems=f"{SPA_PAIR}/ablation_systems.parquet",
        segments=f"{SPA_PAIR}/ablation_segments.parquet",
    log:
        f"{LOGS}/ablate_metrics/{{testset}}/{{lp}}.log",
    benchmark:
        f"{LOGS}/ablate_metrics/{{testset}}/{{lp}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        settings=config["paper_spa"],
        seed=config["seed"],
        code=source_digest("ablate_metrics"),
    message:
        "Fewer systems and fewer segments of {wildcards.testset} {wildcards.lp}"
    script:
        "../../scripts/ablate_metrics.py"


rule draw_paper_spa:
    input:
        ranking=f"{RESULTS}/{{testset}}/{{lp}}/ranking.parquet",
        comparisons=f"{RESULTS}/{{testset}}/{{lp}}/comparisons.parquet",
        pvalues=f"{RESULTS}/{{testset}}/{{lp}}/pvalues.parquet",
        segments=f"{SPA_PAIR}/ablation_segments.parquet",
    output:
        expand(
            f"{SPA_PAIR}/{{figure}}.{{ending}}",
            figure=SPA_FIGURES,
            ending=("svg", "pdf"),
            allow_missing=True,
        ),
        images=report(
            expand(
                f"{SPA_PAIR}/{{figure}}.png", figure=SPA_FIGURES, allow_missing=True
            ),
            caption="../report/paper_spa.rst",
            category="The SPA paper",
            subcategory="{testset} {lp}",
        ),
    log:
        f"{LOGS}/draw_paper_spa/{{testset}}/{{lp}}.log",
    benchmark:
        f"{LOGS}/draw_paper_spa/{{testset}}/{{lp}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        alpha=config["significance"]["alpha"],
        components_metric=config["paper_spa"]["components_metric"],
        code=source_digest("draw_paper_spa"),
    message:
        "Drawing Figures 1, 3 and 4 of the SPA paper for {wildcards.testset} {wildcards.lp}"
    script:
        "../../scripts/draw_paper_spa.py"


rule draw_stability:
    input:
        systems=for_every_pair(f"{SPA_PAIR}/ablation_systems.parquet"),
    output:
        expand(f"{RESULTS}/paper_spa/figure2.{{ending}}", ending=("svg", "pdf")),
        image=report(
            f"{RESULTS}/paper_spa/figure2.png",
            caption="../report/stability.rst",
            category="The SPA paper",
        ),
    log:
        f"{LOGS}/draw_stability.log",
    benchmark:
        f"{LOGS}/draw_stability.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        pairs=INPUTS.pairs,
        trials=config["paper_spa"]["trials"],
        code=source_digest("draw_stability"),
    message:
        "Drawing Figure 2 of the SPA paper"
    script:
        "../../scripts/draw_stability.py"


rule tabulate_discrimination:
    input:
        rankings=for_every_pair(f"{RESULTS}/{{testset}}/{{lp}}/ranking.parquet"),
        comparisons=for_every_pair(f"{RESULTS}/{{testset}}/{{lp}}/comparisons.parquet"),
        sampled=for_every_pair(f"{SPA_PAIR}/sampled_comparisons.parquet"),
        repeats=for_every_pair(f"{SPA_PAIR}/repeats.parquet"),
    output:
        table=f"{RESULTS}/paper_spa/table1.parquet",
        table_csv=f"{RESULTS}/paper_spa/table1.csv",
        table_latex=f"{RESULTS}/paper_spa/table1.tex",
        table_markdown=f"{RESULTS}/paper_spa/table1.md",
    log:
        f"{LOGS}/tabulate_discrimination.log",
    benchmark:
        f"{LOGS}/tabulate_discrimination.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        pairs=INPUTS.pairs,
        alpha=config["significance"]["alpha"],
        code=source_digest("tabulate_discrimination"),
    message:
        "Writing Table 1 of the SPA paper"
    script:
        "../../scripts/tabulate_discrimination.py"


rule write_paper_spa:
    input:
        table=f"{RESULTS}/paper_spa/table1.parquet",
        systems=for_every_pair(f"{SPA_PAIR}/ablation_systems.parquet"),
        segments=for_every_pair(f"{SPA_PAIR}/ablation_segments.parquet"),
        stability=f"{RESULTS}/paper_spa/figure2.svg",
        figure1=for_every_pair(f"{SPA_PAIR}/figure1.svg"),
        figure3=for_every_pair(f"{SPA_PAIR}/figure3.svg"),
        figure4=for_every_pair(f"{SPA_PAIR}/figure4.svg"),
        inputs=for_every_pair(f"{RESULTS}/{{testset}}/{{lp}}/inputs.json"),
        left_out=for_every_pair(f"{RESULTS}/{{testset}}/{{lp}}/left_out.parquet"),
    output:
        page=f"{RESULTS}/paper_spa/report.html",
    log:
        f"{LOGS}/write_paper_spa.log",
    benchmark:
        f"{LOGS}/write_paper_spa.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        pairs=INPUTS.pairs,
        settings=config,
        skipped=INPUTS.skipped,
        code=source_digest("write_paper_spa"),
    message:
        "Writing the page on the SPA paper"
    script:
        "../../scripts/write_paper_spa.py"
