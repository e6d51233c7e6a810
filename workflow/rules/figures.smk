"""
Figures of one language pair.

INPUTS:
    <pair>/ranking.parquet, <pair>/comparisons.parquet, <pair>/pvalues.parquet
OUTPUTS:
    <pair>/figures/<figure>.{svg,pdf,png}
"""

FIGURES = ("ranking", "significance", "components")


rule draw_figures:
    input:
        ranking=f"{RESULTS}/{{testset}}/{{lp}}/ranking.parquet",
        comparisons=f"{RESULTS}/{{testset}}/{{lp}}/comparisons.parquet",
        pvalues=f"{RESULTS}/{{testset}}/{{lp}}/pvalues.parquet",
    output:
        expand(
            f"{RESULTS}/{{{{testset}}}}/{{{{lp}}}}/figures/{{figure}}.{{ending}}",
            figure=FIGURES,
            ending=("svg", "pdf"),
        ),
        images=report(
            expand(
                f"{RESULTS}/{{{{testset}}}}/{{{{lp}}}}/figures/{{figure}}.png",
                figure=FIGURES,
            ),
            caption="../report/figures.rst",
            category="Figures",
            subcategory="{testset} {lp}",
        ),
    log:
        f"{LOGS}/draw_figures/{{testset}}/{{lp}}.log",
    benchmark:
        f"{LOGS}/draw_figures/{{testset}}/{{lp}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        alpha=config["significance"]["alpha"],
        code=source_digest("draw_figures"),
    message:
        "Drawing the figures of {wildcards.testset} {wildcards.lp}"
    script:
        "../../scripts/draw_figures.py"
