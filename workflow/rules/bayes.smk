"""
How probable is it that one model beats the other: Bayes test on 3 x 2 cross-validation.

INPUTS:
    a corpus with chunks, one token a line; or tables of fold counts
OUTPUTS:
    bayes/partition.tsv, balance.parquet          the folds, and how balanced they are
    bayes/runs/<model>/<batch>.parquet            chunks that a model found in a batch of folds
    bayes/predictions/<model>/<batch>/            predicted tags of each fold
    bayes/folds.{tsv,parquet}                     counts of all folds
    bayes/tests.{parquet,csv,tex,md}              posteriors, probabilities and decisions
    bayes/cv_tests.parquet                        the t and F tests that it replaces
    bayes/figures/<task>.{svg,pdf,png}            posteriors
    bayes/paper/table<2-5>.{parquet,csv,tex,md}   the paper's tables beside what it prints
    bayes/coverage.{parquet,csv,tex,md}           coverage of the intervals, simulated
    bayes/report.html                             all of it on a self-contained page
    bayes/section.json                            what the report of the run shows of it
"""

if BAYES_PLAN.tasks:
    PARTS.append(f"{BAYES}/section.json")


wildcard_constraints:
    model=r"[A-Za-z0-9][A-Za-z0-9._-]*",


if BAYES_SETTINGS.get("corpus") == "simulated":

    rule simulate_corpus:
        output:
            BAYES_PLAN.corpus,
        log:
            f"{LOGS}/simulate_corpus.log",
        benchmark:
            f"{LOGS}/simulate_corpus.tsv"
        conda:
            "../../environment.yml"
        threads: 1
        resources:
            mem_mb=1000,
            runtime=10,
        params:
            sentences=BAYES_SETTINGS["simulate"]["sentences"],
            seed=BAYES_SETTINGS["simulate"]["seed"],
            code=source_digest("simulate_corpus"),
        message:
            "Simulating a corpus with named entities"
        script:
            "../../scripts/simulate_corpus.py"


rule split_corpus:
    input:
        corpus=BAYES_PLAN.corpus or [],
    output:
        partition=f"{BAYES}/partition.tsv",
        balance=f"{BAYES}/balance.parquet",
    log:
        f"{LOGS}/split_corpus.log",
    benchmark:
        f"{LOGS}/split_corpus.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        reading=get_bayes_settings("tag_column", "scheme", "types", "typed"),
        balance=BAYES_SETTINGS.get("balance"),
        repetitions=BAYES_SETTINGS.get("repetitions"),
        seed=config["seed"],
        code=source_digest("split_corpus"),
    message:
        "Cutting the corpus into folds"
    script:
        "../../scripts/split_corpus.py"


rule train_fold:
    input:
        corpus=BAYES_PLAN.corpus or [],
        partition=f"{BAYES}/partition.tsv",
    output:
        counts=f"{BAYES}/runs/{{model}}/{{batch}}.parquet",
        predictions=directory(f"{BAYES}/predictions/{{model}}/{{batch}}"),
    log:
        f"{LOGS}/train_fold/{{model}}/{{batch}}.log",
    benchmark:
        f"{LOGS}/train_fold/{{model}}/{{batch}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=600,
    params:
        reading=get_bayes_settings("tag_column", "scheme", "types", "typed"),
        model=get_model,
        programs=get_programs,
        tagger=BAYES_SETTINGS.get("tagger"),
        code=source_digest("train_fold"),
    message:
        "Training and validating {wildcards.model}, folds {wildcards.batch}"
    script:
        "../../scripts/train_fold.py"


rule count_folds:
    input:
        expand(
            f"{BAYES}/runs/{{model}}/{{batch}}.parquet",
            model=BAYES_PLAN.models,
            batch=BAYES_PLAN.batches,
        ),
    output:
        folds=f"{BAYES}/folds.tsv",
        table=f"{BAYES}/folds.parquet",
    log:
        f"{LOGS}/count_folds.log",
    benchmark:
        f"{LOGS}/count_folds.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        code=source_digest("count_folds"),
    message:
        "Gathering the counts of the folds"
    script:
        "../../scripts/count_folds.py"


rule compare_folds:
    input:
        corpus=[BAYES_PLAN.corpus] if BAYES_PLAN.corpus else [],
        counts=list(BAYES_PLAN.tasks.values()),
    output:
        tests=f"{BAYES}/tests.parquet",
        csv=report(
            f"{BAYES}/tests.csv",
            caption="../report/posteriors.rst",
            category="Bayes test",
        ),
        latex=f"{BAYES}/tests.tex",
        markdown=f"{BAYES}/tests.md",
        others=f"{BAYES}/cv_tests.parquet",
        inputs=f"{BAYES}/inputs.json",
    log:
        f"{LOGS}/compare_folds.log",
    benchmark:
        f"{LOGS}/compare_folds.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        tasks=list(BAYES_PLAN.tasks),
        made=[f"{BAYES}/folds.tsv"],
        programs=get_all_programs,
        settings=get_bayes_settings("rope", "prior", "credibility"),
        code=source_digest("compare_folds"),
    message:
        "Testing how probable it is that one model beats the other"
    script:
        "../../scripts/compare_folds.py"


rule draw_posteriors:
    input:
        list(BAYES_PLAN.tasks.values()),
    output:
        expand(
            f"{BAYES}/figures/{{task}}.{{ending}}",
            task=BAYES_PLAN.tasks,
            ending=("svg", "pdf"),
        ),
        images=report(
            expand(f"{BAYES}/figures/{{task}}.png", task=BAYES_PLAN.tasks),
            caption="../report/posteriors.rst",
            category="Bayes test",
        ),
    log:
        f"{LOGS}/draw_posteriors.log",
    benchmark:
        f"{LOGS}/draw_posteriors.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        tasks=list(BAYES_PLAN.tasks),
        paper=BAYES_PLAN.paper,
        settings=get_bayes_settings("prior", "credibility"),
        code=source_digest("draw_posteriors"),
    message:
        "Drawing the posteriors"
    script:
        "../../scripts/draw_posteriors.py"


rule simulate_coverage:
    output:
        table=f"{BAYES}/coverage.parquet",
        csv=f"{BAYES}/coverage.csv",
        latex=f"{BAYES}/coverage.tex",
        markdown=f"{BAYES}/coverage.md",
    log:
        f"{LOGS}/simulate_coverage.log",
    benchmark:
        f"{LOGS}/simulate_coverage.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        corpora=BAYES_SETTINGS.get("coverage_corpora"),
        seed=config["seed"],
        code=source_digest("simulate_coverage"),
    message:
        "Simulating the coverage of the credible intervals"
    script:
        "../../scripts/simulate_coverage.py"


rule tabulate_paper:
    input:
        counts=list(BAYES_PLAN.tasks.values()),
        tests=f"{BAYES}/tests.parquet",
    output:
        expand(
            f"{BAYES}/paper/table{{number}}.{{ending}}",
            number=(2, 3, 4, 5),
            ending=("parquet", "csv", "tex", "md"),
        ),
    log:
        f"{LOGS}/tabulate_paper.log",
    benchmark:
        f"{LOGS}/tabulate_paper.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        tasks=list(BAYES_PLAN.tasks),
        seed=config["seed"],
        code=source_digest("tabulate_paper"),
    message:
        "Setting the paper's tables beside what it prints"
    script:
        "../../scripts/tabulate_paper.py"


rule write_bayes_page:
    input:
        tests=f"{BAYES}/tests.parquet",
        others=f"{BAYES}/cv_tests.parquet",
        inputs=f"{BAYES}/inputs.json",
        figures=expand(f"{BAYES}/figures/{{task}}.svg", task=BAYES_PLAN.tasks),
        balance=[f"{BAYES}/balance.parquet"] if BAYES_PLAN.corpus else [],
        counts=[f"{BAYES}/folds.parquet"] if BAYES_PLAN.corpus else [],
        intervals=[f"{BAYES}/paper/table2.parquet"] if BAYES_PLAN.paper else [],
        decisions=(
            expand(f"{BAYES}/paper/table{{number}}.parquet", number=(3, 4, 5))
            if BAYES_PLAN.paper
            else []
        ),
        coverage=[f"{BAYES}/coverage.parquet"] if BAYES_PLAN.paper else [],
    output:
        page=f"{BAYES}/report.html",
        section=f"{BAYES}/section.json",
    log:
        f"{LOGS}/write_bayes_page.log",
    benchmark:
        f"{LOGS}/write_bayes_page.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        settings=BAYES_SETTINGS | {"seed": config["seed"]},
        run=config["run"],
        code=source_digest("write_bayes_page"),
    message:
        "Writing the page on the Bayes test"
    script:
        "../../scripts/write_bayes_page.py"
