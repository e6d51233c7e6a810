"""
Run time of the paired permutation tests: Figure 1 of the paper on the exact test.

Run times differ from run to run, so nothing here is measured for the default target; ask for
`paper_exact`, on a machine that has nothing else to do. Once measured, the run's report shows them.

INPUTS:
    none; the data are simulated
OUTPUTS:
    benchmark/timings.parquet                every measurement
    benchmark/figures/timings.{svg,pdf,png}  run time against the number of sentences
    benchmark/timings.md                     times, ratios and how times grow
    benchmark/report.html                    figure and table on a self-contained page
    benchmark/section.json                   what the report of the run shows of it
"""

from pathlib import Path

TIMINGS = f"{RESULTS}/benchmark/timings.parquet"

if Path(TIMINGS).exists():
    PARTS.append(f"{RESULTS}/benchmark/section.json")


rule time_tests:
    output:
        timings=TIMINGS,
    log:
        f"{LOGS}/time_tests.log",
    benchmark:
        f"{LOGS}/time_tests.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        settings=config["benchmark"],
        seed=config["seed"],
        code=source_digest("time_tests"),
    message:
        "Timing the paired permutation tests"
    script:
        "../../scripts/time_tests.py"


rule draw_timings:
    input:
        timings=TIMINGS,
    output:
        expand(f"{RESULTS}/benchmark/figures/timings.{{ending}}", ending=("svg", "pdf")),
        image=report(
            f"{RESULTS}/benchmark/figures/timings.png",
            caption="../report/timings.rst",
            category="Run time",
        ),
    log:
        f"{LOGS}/draw_timings.log",
    benchmark:
        f"{LOGS}/draw_timings.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=source_digest("draw_timings"),
    message:
        "Drawing run time against the number of sentences"
    script:
        "../../scripts/draw_timings.py"


rule write_timings:
    input:
        timings=TIMINGS,
        figure=f"{RESULTS}/benchmark/figures/timings.svg",
    output:
        table=f"{RESULTS}/benchmark/timings.md",
        page=f"{RESULTS}/benchmark/report.html",
        section=f"{RESULTS}/benchmark/section.json",
    log:
        f"{LOGS}/write_timings.log",
    benchmark:
        f"{LOGS}/write_timings.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=source_digest("write_timings"),
    message:
        "Writing the page on run times"
    script:
        "../../scripts/write_timings.py"
