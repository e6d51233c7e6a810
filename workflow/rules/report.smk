"""
One page for everything, and where it came from.

INPUTS:
    every table and figure of the run
OUTPUTS:
    report.html        a self-contained page
    provenance.json    settings, versions and hashes of the inputs
"""


rule write_report:
    input:
        scores=for_every_pair(f"{RESULTS}/{{testset}}/{{lp}}/scores.parquet"),
        inputs=for_every_pair(f"{RESULTS}/{{testset}}/{{lp}}/inputs.json"),
        rankings=for_every_pair(f"{RESULTS}/{{testset}}/{{lp}}/ranking.parquet"),
        comparisons=for_every_pair(f"{RESULTS}/{{testset}}/{{lp}}/comparisons.parquet"),
        figures=[
            for_every_pair(f"{RESULTS}/{{testset}}/{{lp}}/figures/{figure}.svg")
            for figure in FIGURES
        ],
        parts=PARTS,
    output:
        page=f"{RESULTS}/report.html",
        provenance=f"{RESULTS}/provenance.json",
    log:
        f"{LOGS}/write_report.log",
    benchmark:
        f"{LOGS}/write_report.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        settings=config,
        skipped=INPUTS.skipped,
        code=source_digest("write_report"),
    message:
        "Writing the report"
    script:
        "../../scripts/write_report.py"
