"""
What each target of the workflow promises: every file behind its page, not the page alone.

A file that is missing is made again by the target that promises it.

INPUTS:
    the outputs of all other rules
OUTPUTS:
    none; defines the input functions of the targets in the Snakefile
"""

from types import SimpleNamespace

RANKING_RULES = (
    "simulate_evalset",
    "ingest_scores",
    "score_metrics",
    "rank_metrics",
)
PARSING_RULES = (
    "simulate_parsers",
    "compare_parsers",
    "draw_parsing",
    "write_parsing_page",
)
CORPUS_RULES = ("simulate_corpus", "split_corpus", "count_folds")
BAYES_RULES = ("compare_folds", "draw_posteriors", "write_bayes_page")
SYSTEMS_RULES = ("rank_systems", "draw_systems", "write_systems_page")
SPA_RULES = (
    "repeat_comparisons",
    "sample_comparisons",
    "ablate_metrics",
    "draw_paper_spa",
    "draw_stability",
    "tabulate_discrimination",
    "write_paper_spa",
)
# What the repeats of the comparison take from the paper; other keys are those of the run.
SPA_PROTOCOL = (
    ("selection", "segments", "complete"),
    ("significance", "scheme", "inputs"),
    ("significance", "alternative", "two-sided"),
)
NLPSTATTEST_RULES = (
    "simulate_scores",
    "compare_scores",
    "simulate_tests",
    "draw_simulation",
    "write_nlpstattest_page",
)


def outputs_of(*names):
    """List the files that rules make in this run, for every language pair where they have one.

    Rules that simulate are passed over where the run has real data.
    """
    made = [getattr(rules, name).output for name in names if workflow.is_rule(name)]
    patterns = [str(pattern) for outputs in made for pattern in outputs]
    return [
        path
        for pattern in patterns
        for path in (for_every_pair(pattern) if "{lp}" in pattern else [pattern])
    ]


def batches_of(*getters):
    """List the tables of all batches, of every language pair."""
    pairs = [SimpleNamespace(testset=testset, lp=lp) for testset, lp in INPUTS.pairs]
    return [
        path for pair in pairs for get_batches in getters for path in get_batches(pair)
    ]


def need_evaluation_sets(target):
    """Say that a target needs an evaluation set if the run has none."""
    if not INPUTS.pairs:
        refuse(f"the target `{target}` needs an evaluation set; `testsets` names none.")


def need_part(part):
    """Say which key a target needs if the configuration lacks it."""
    if f"{RESULTS}/{part}/section.json" not in PARTS:
        refuse(f"the target `{part}` needs the key `{part}` in the configuration.")


def get_ranking_files():
    """List what is known about the metrics of every language pair."""
    batches = batches_of(get_pvalue_batches, get_comparison_batches)
    return [*outputs_of(*RANKING_RULES), *batches]


def get_everything(wildcards):
    """List the report and all behind it; without evaluation sets, the other parts of the run."""
    files = []
    if INPUTS.pairs:
        files += [*get_ranking_files(), *outputs_of("draw_figures", "write_report")]
    if TASK_SET is not None:
        files += [*get_task_results(wildcards), *outputs_of("average_tasks")]
        files += get_all_system_scores(wildcards)
    if YARDSTICKS is not None:
        files += [*get_yardstick_tables(wildcards), *outputs_of("write_yardsticks")]
    if f"{PARSING}/section.json" in PARTS:
        files += get_parsing(wildcards)
    if f"{BAYES}/section.json" in PARTS:
        files += get_bayes(wildcards)
    if f"{RESULTS}/benchmark/section.json" in PARTS:
        files += get_timings(wildcards)
    return files


def get_timings(wildcards):
    """List the run times, their figure and their page."""
    return outputs_of("time_tests", "draw_timings", "write_timings")


def get_parsing(wildcards):
    """List everything about parsers."""
    need_part("parsing")
    return outputs_of(*PARSING_RULES)


def get_bayes(wildcards):
    """List everything about the Bayes test; the paper's tables where they are asked for."""
    need_part("bayes")
    files = outputs_of(*BAYES_RULES)
    if BAYES_PLAN.corpus:
        trained = expand(
            rules.train_fold.output, model=BAYES_PLAN.models, batch=BAYES_PLAN.batches
        )
        files += [*outputs_of(*CORPUS_RULES), *trained]
    if BAYES_PLAN.paper:
        files += outputs_of("tabulate_paper", "simulate_coverage")
    return files


def get_paper_bayes(wildcards):
    """List the tables and figures of the paper, or say which key the configuration lacks."""
    if not BAYES_PLAN.paper:
        refuse(
            "the target `paper_bayes` needs the keys `bayes.folds` and `bayes.paper: true`, as in "
            "config/paper_bayes.yaml."
        )
    return get_bayes(wildcards)


def get_systems(wildcards):
    """List every comparison of systems."""
    need_evaluation_sets("compare")
    stored = outputs_of("simulate_evalset", "ingest_scores")
    return [*stored, *outputs_of(*SYSTEMS_RULES), *batches_of(get_system_pair_batches)]


def get_nlpstattest(wildcards):
    """List the figures of the paper on NLPStatTest; one of them needs the systems."""
    need_evaluation_sets("paper_nlpstattest")
    return [*outputs_of(*NLPSTATTEST_RULES), *get_systems(wildcards)]


def get_paper_spa(wildcards):
    """List the table and the figures of the paper on Soft Pairwise Accuracy."""
    need_evaluation_sets("paper_spa")
    for part, key, value in SPA_PROTOCOL:
        if config[part][key] != value:
            refuse(
                f"configuration: `{part}.{key}` must be {value} for the target `paper_spa`, which "
                f"repeats what the paper does; got {config[part][key]}."
            )
    return [*get_ranking_files(), *outputs_of(*SPA_RULES)]
