"""
Figures 2 to 5 of the paper on NLPStatTest (Zhu, Mak, Gioannini and Xia, 2020).

Not part of the default target; ask for `paper_nlpstattest`. Figure 4 is the heatmap of compare.smk.

INPUTS:
    a file with a pair of scores a line, or simulated scores; the evaluation sets of the run
OUTPUTS:
    nlpstattest/summary.{parquet,csv,tex,md}    Figure 2: summary statistics
    nlpstattest/tests.{parquet,csv,tex,md}      Figure 2: tests graded, with reasons
    nlpstattest/comparison.json                 the whole comparison as data
    nlpstattest/comparison.html                 the whole comparison as a page
    nlpstattest/power.parquet                   Figure 3
    nlpstattest/simulation.parquet              Figure 5
    nlpstattest/figures/{figure2,figure3,figure5}.{svg,pdf,png}
    nlpstattest/report.html                     all figures on a self-contained page
"""

from scripts._compare import paired_scores

NLPSTATTEST = f"{RESULTS}/nlpstattest"

try:
    PAIRED_SCORES = paired_scores(config, f"{NLPSTATTEST}/simulated")
except InputError as error:
    refuse(error)


if config["nlpstattest"]["scores"] == "simulated":

    rule simulate_scores:
        output:
            scores=PAIRED_SCORES,
        log:
            f"{LOGS}/simulate_scores.log",
        benchmark:
            f"{LOGS}/simulate_scores.tsv"
        conda:
            "../../environment.yml"
        threads: 1
        resources:
            mem_mb=1000,
            runtime=10,
        params:
            seed=config["seed"],
            code=source_digest("simulate_scores"),
        message:
            "Simulating the scores of two systems"
        script:
            "../../scripts/simulate_scores.py"


rule compare_scores:
    input:
        scores=PAIRED_SCORES,
    output:
        expand(
            f"{NLPSTATTEST}/figures/{{figure}}.{{ending}}",
            figure=("figure2", "figure3"),
            ending=("svg", "pdf"),
        ),
        images=report(
            expand(
                f"{NLPSTATTEST}/figures/{{figure}}.png", figure=("figure2", "figure3")
            ),
            caption="../report/nlpstattest.rst",
            category="NLPStatTest",
        ),
        summary=f"{NLPSTATTEST}/summary.parquet",
        summary_csv=f"{NLPSTATTEST}/summary.csv",
        summary_latex=f"{NLPSTATTEST}/summary.tex",
        summary_markdown=f"{NLPSTATTEST}/summary.md",
        tests=f"{NLPSTATTEST}/tests.parquet",
        tests_csv=f"{NLPSTATTEST}/tests.csv",
        tests_latex=f"{NLPSTATTEST}/tests.tex",
        tests_markdown=f"{NLPSTATTEST}/tests.md",
        power=f"{NLPSTATTEST}/power.parquet",
        record=f"{NLPSTATTEST}/comparison.json",
        page=f"{NLPSTATTEST}/comparison.html",
    log:
        f"{LOGS}/compare_scores.log",
    benchmark:
        f"{LOGS}/compare_scores.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        settings=config["nlpstattest"],
        seed=config["seed"],
        code=source_digest("compare_scores"),
    message:
        "Comparing two systems by the three-stage procedure"
    script:
        "../../scripts/compare_scores.py"


rule simulate_tests:
    output:
        simulation=f"{NLPSTATTEST}/simulation.parquet",
    log:
        f"{LOGS}/simulate_tests.log",
    benchmark:
        f"{LOGS}/simulate_tests.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        sizes=config["nlpstattest"]["sizes"],
        runs=config["nlpstattest"]["runs"],
        seed=config["seed"],
        code=source_digest("simulate_tests"),
    message:
        "Simulating p-values against sample size"
    script:
        "../../scripts/simulate_tests.py"


rule draw_simulation:
    input:
        simulation=f"{NLPSTATTEST}/simulation.parquet",
    output:
        expand(f"{NLPSTATTEST}/figures/figure5.{{ending}}", ending=("svg", "pdf")),
        image=report(
            f"{NLPSTATTEST}/figures/figure5.png",
            caption="../report/nlpstattest.rst",
            category="NLPStatTest",
        ),
    log:
        f"{LOGS}/draw_simulation.log",
    benchmark:
        f"{LOGS}/draw_simulation.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        alpha=config["nlpstattest"]["alpha"],
        code=source_digest("draw_simulation"),
    message:
        "Drawing p-values against sample size"
    script:
        "../../scripts/draw_simulation.py"


rule write_nlpstattest_page:
    input:
        scores=PAIRED_SCORES,
        record=f"{NLPSTATTEST}/comparison.json",
        comparison=f"{NLPSTATTEST}/comparison.html",
        summary=f"{NLPSTATTEST}/summary.parquet",
        tests=f"{NLPSTATTEST}/tests.parquet",
        simulation=f"{NLPSTATTEST}/simulation.parquet",
        figures=expand(f"{NLPSTATTEST}/figures/figure{{number}}.svg", number=(2, 3, 5)),
        heatmaps=for_every_pair(f"{COMPARE}/figures/systems.svg"),
        systems=f"{RESULTS}/compare/report.html",
    output:
        page=f"{NLPSTATTEST}/report.html",
    log:
        f"{LOGS}/write_nlpstattest_page.log",
    benchmark:
        f"{LOGS}/write_nlpstattest_page.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        pairs=INPUTS.pairs,
        settings={name: config[name] for name in ("nlpstattest", "compare", "seed")},
        code=source_digest("write_nlpstattest_page"),
    message:
        "Writing the page on NLPStatTest"
    script:
        "../../scripts/write_nlpstattest_page.py"
