"""
Which parsers or taggers really differ: every pair, from their counts on each sentence.

INPUTS:
    outputs of evalb, or a gold standard and system outputs as tags, spans or CoNLL-U
OUTPUTS:
    parsing/pairs.{parquet,csv,tex,md}       every comparison
    parsing/parsers.{parquet,csv,tex,md}     parsers best first, with totals and clusters
    parsing/remarks.parquet                  what was passed over or not scored in the files
    parsing/inputs.json                      the files that were read, with their SHA-256
    parsing/figures/parsers.{svg,pdf,png}    ranking and significance
    parsing/report.html                      all of it on a self-contained page
    parsing/section.json                     what the report of the run shows of it
"""

PARSING = f"{RESULTS}/parsing"
PARSING_SETTINGS = config.get("parsing", {})

try:
    PARSERS = list_parsers(PARSING_SETTINGS, f"{PARSING}/simulated")
except InputError as error:
    refuse(error)


if PARSERS:
    PARTS.append(f"{PARSING}/section.json")


if PARSING_SETTINGS.get("files") == "simulated":

    rule simulate_parsers:
        output:
            PARSERS,
        log:
            f"{LOGS}/simulate_parsers.log",
        benchmark:
            f"{LOGS}/simulate_parsers.tsv"
        conda:
            "../../environment.yml"
        threads: 1
        resources:
            mem_mb=1000,
            runtime=10,
        params:
            sentences=PARSING_SETTINGS["simulate"]["sentences"],
            seed=PARSING_SETTINGS["simulate"]["seed"],
            code=source_digest("simulate_parsers"),
        message:
            "Simulating the outputs of parsers"
        script:
            "../../scripts/simulate_parsers.py"


rule compare_parsers:
    input:
        files=PARSERS,
        gold=[PARSING_SETTINGS["gold"]] if "gold" in PARSING_SETTINGS else [],
    output:
        pairs=f"{PARSING}/pairs.parquet",
        pairs_csv=f"{PARSING}/pairs.csv",
        pairs_latex=f"{PARSING}/pairs.tex",
        pairs_markdown=f"{PARSING}/pairs.md",
        parsers=f"{PARSING}/parsers.parquet",
        parsers_csv=f"{PARSING}/parsers.csv",
        parsers_latex=f"{PARSING}/parsers.tex",
        parsers_markdown=f"{PARSING}/parsers.md",
        remarks=f"{PARSING}/remarks.parquet",
        inputs=f"{PARSING}/inputs.json",
    log:
        f"{LOGS}/compare_parsers.log",
    benchmark:
        f"{LOGS}/compare_parsers.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        settings=PARSING_SETTINGS,
        seed=config["seed"],
        code=source_digest("compare_parsers"),
    message:
        "Comparing parsers"
    script:
        "../../scripts/compare_parsers.py"


rule draw_parsing:
    input:
        pairs=f"{PARSING}/pairs.parquet",
        parsers=f"{PARSING}/parsers.parquet",
    output:
        expand(f"{PARSING}/figures/parsers.{{ending}}", ending=("svg", "pdf")),
        image=report(
            f"{PARSING}/figures/parsers.png",
            caption="../report/parsing.rst",
            category="Parsers",
        ),
    log:
        f"{LOGS}/draw_parsing.log",
    benchmark:
        f"{LOGS}/draw_parsing.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        alpha=PARSING_SETTINGS.get("alpha"),
        code=source_digest("draw_parsing"),
    message:
        "Drawing the ranking of parsers"
    script:
        "../../scripts/draw_parsing.py"


rule write_parsing_page:
    input:
        pairs=f"{PARSING}/pairs.parquet",
        parsers=f"{PARSING}/parsers.parquet",
        remarks=f"{PARSING}/remarks.parquet",
        inputs=f"{PARSING}/inputs.json",
        figure=f"{PARSING}/figures/parsers.svg",
    output:
        page=f"{PARSING}/report.html",
        section=f"{PARSING}/section.json",
    log:
        f"{LOGS}/write_parsing_page.log",
    benchmark:
        f"{LOGS}/write_parsing_page.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        settings=PARSING_SETTINGS,
        run=config["run"],
        seed=config["seed"],
        code=source_digest("write_parsing_page"),
    message:
        "Writing the page on parsers"
    script:
        "../../scripts/write_parsing_page.py"
