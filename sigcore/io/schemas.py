"""The tables that the pipeline writes: their columns, types and meaning, in one place."""

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa

__all__ = ["SCHEMAS", "describe_table", "table_of"]


def _schema(*columns: tuple[str, pa.DataType, str]) -> pa.Schema:
    return pa.schema(
        [pa.field(name, kind, metadata={"description": text}) for name, kind, text in columns]
    )


_TEXT, _WHOLE, _REAL, _FLAG = pa.string(), pa.int64(), pa.float64(), pa.bool_()


def _of_both(name: str, text: str) -> list[tuple[str, pa.DataType, str]]:
    """Describe a column of real numbers for each of two models, A and B."""
    return [(f"{name}_{side}", _REAL, text.format(side.upper())) for side in "ab"]


def _with_interval(name: str, text: str) -> list[tuple[str, pa.DataType, str]]:
    """Describe an effect size and the ends of its interval."""
    ends = (("low", "lower end of its interval"), ("high", "upper end"))
    return [(name, _REAL, text), *((f"{name}_{end}", _REAL, what) for end, what in ends)]


SCHEMAS: Mapping[str, pa.Schema] = {
    "left_out": _schema(
        ("kind", _TEXT, "`system`, `metric`, `segment` or `cell`"),
        ("name", _TEXT, "what was left out; for segments the gold, for cells the metric"),
        ("reason", _TEXT, "why"),
        ("count", _WHOLE, "how many systems, metrics, segments or cells the row stands for"),
    ),
    "pvalues": _schema(
        ("scorer", _TEXT, "name of the gold or of the metric that scored the systems"),
        ("is_gold", _FLAG, "whether the scorer is the gold"),
        ("system_a", _TEXT, "first system of the pair, by name"),
        ("system_b", _TEXT, "second system"),
        ("n_segments", _WHOLE, "segments on which both were compared"),
        ("difference", _REAL, "mean score of the first minus that of the second"),
        ("pvalue", _REAL, "one-sided p-value of the first system being better"),
        ("gold_difference", _REAL, "the same difference by the gold, on the cells of the scorer"),
        ("gold_pvalue", _REAL, "the same p-value by the gold, on the cells of the scorer"),
        ("method", _TEXT, "how the p-value was computed"),
        ("grid_step", _REAL, "step of the grid that the scores lie on; empty for real values"),
    ),
    "metrics": _schema(
        ("metric", _TEXT, "name of the metric, unique in the language pair"),
        ("reference", _TEXT, "reference it was scored against; `src` for none"),
        ("reference_free", _FLAG, "whether it uses the source only"),
        ("primary", _FLAG, "whether it is a primary submission"),
        ("baseline", _FLAG, "whether it is a baseline of the organisers"),
        ("mine", _FLAG, "whether the user added it by `my_metrics`"),
        ("spa", _REAL, "soft pairwise accuracy"),
        ("pa", _REAL, "pairwise accuracy"),
        ("n_agreements", _WHOLE, "system pairs that the metric orders as the gold does"),
        ("n_pairs", _WHOLE, "system pairs"),
        ("n_systems", _WHOLE, "systems"),
        ("n_segments", _WHOLE, "segments; the smallest number over the system pairs"),
        ("n_missing", _WHOLE, "scores that the metric lacks although there is gold"),
        ("n_tied_pairs", _WHOLE, "system pairs with the same metric score on every segment"),
        ("method", _TEXT, "how the metric's p-values were computed"),
    ),
    "comparisons": _schema(
        ("meta", _TEXT, "meta-metric: `spa` or `pa`"),
        ("metric", _TEXT, "a metric"),
        ("other", _TEXT, "another; each pair has two rows, one for each direction"),
        ("difference", _REAL, "score of the metric minus that of the other"),
        (
            "pvalue",
            _REAL,
            "p-value of the metric being better, or of the two being different; "
            "NaN with a constant metric",
        ),
        ("adjusted", _REAL, "p-value corrected for the number of comparisons; decides clusters"),
        ("interval_low", _REAL, "lower end of the p-value's 95% interval (Clopper-Pearson)"),
        ("interval_high", _REAL, "upper end"),
        ("scheme", _TEXT, "what was swapped: `perm-inputs`, `perm-both`, `perm-systems`, ..."),
        ("alternative", _TEXT, "`two-sided`: different; `greater`: better"),
        ("estimator", _TEXT, "`plus-one` or `plain`"),
        ("correction", _TEXT, "`none`, `bonferroni`, `holm`, `bh` or `maxt`"),
        ("n_resamples", _WHOLE, "random swaps"),
        ("seed", _WHOLE, "seed of the swaps"),
        ("n_cells", _WHOLE, "scores of each metric that entered: those that people and both have"),
    ),
    "system_scores": _schema(
        ("domain", _TEXT, "domain of the test set; empty for the whole"),
        ("system", _TEXT, "a system"),
        ("metric", _TEXT, "a metric; empty for people"),
        ("score", _REAL, "score of the system; empty if people did not rate it there"),
        ("n_segments", _WHOLE, "segments it is the mean of; empty for a published score"),
    ),
    "task_draws": _schema(
        ("task", _TEXT, "test set, language pairs, meta-metric and restrictions of the task"),
        ("metric", _TEXT, "a metric"),
        ("other", _TEXT, "another; each pair has one row"),
        ("difference", _REAL, "score of the metric minus that of the other"),
        ("draws", pa.list_(_REAL), "random differences; none if the task was not tested"),
    ),
    "task_scores": _schema(
        ("task", _TEXT, "the task, as in `task_draws`"),
        ("testset", _TEXT, "test set"),
        ("language_pairs", _TEXT, "language pair, or several that are pooled, joined by `+`"),
        ("meta", _TEXT, "meta-metric"),
        ("weight", _REAL, "weight of the task in the average; weights add up to 1"),
        ("tested", _FLAG, "whether differences were tested; otherwise ranks are the plain order"),
        ("metric", _TEXT, "a metric that has a score in all tasks"),
        ("score", _REAL, "its score by the meta-metric"),
        ("rank", _WHOLE, "its cluster in the task, greedy rule"),
    ),
    "average": _schema(
        ("rank", _WHOLE, "cluster by mean score, greedy rule; empty if a task was not tested"),
        ("metric", _TEXT, "name of the metric"),
        ("score", _REAL, "weighted mean of the scores over tasks, each from 0 to 1"),
        ("mean_rank", _REAL, "weighted mean of the ranks over tasks"),
        ("n_beaten", _WHOLE, "metrics with significantly lower mean score; empty if untested"),
        ("n_tasks", _WHOLE, "tasks"),
    ),
    "ranking": _schema(
        ("rank", _WHOLE, "cluster by SPA, greedy rule of the metrics task; 1 is best"),
        ("metric", _TEXT, "name of the metric"),
        ("reference", _TEXT, "reference it was scored against; `src` for none"),
        ("reference_free", _FLAG, "whether it uses the source only"),
        ("mine", _FLAG, "whether the user added it by `my_metrics`"),
        ("spa", _REAL, "soft pairwise accuracy"),
        ("pa", _REAL, "pairwise accuracy"),
        ("rank_pa", _WHOLE, "cluster by PA, greedy rule"),
        ("rank_all_pairs", _WHOLE, "cluster by SPA, where all above beat all below"),
        ("n_beaten", _WHOLE, "metrics with significantly lower SPA"),
        ("n_systems", _WHOLE, "systems"),
        ("n_segments", _WHOLE, "segments; the smallest number over the system pairs"),
        ("n_missing", _WHOLE, "scores that the metric lacks although there is gold"),
        ("n_tied_pairs", _WHOLE, "system pairs with the same metric score on every segment"),
        ("method", _TEXT, "how the metric's p-values were computed"),
    ),
    "ablation_systems": _schema(
        ("meta", _TEXT, "meta-metric: `spa` or `pa`"),
        ("n_systems", _WHOLE, "systems in a random subset"),
        ("mean", _REAL, "mean Pearson r of the metrics' scores on a subset with those on all"),
        ("sd", _REAL, "standard deviation of r over subsets"),
        ("low", _REAL, "its 2.5% quantile"),
        ("lower_quartile", _REAL, "its 25% quantile"),
        ("upper_quartile", _REAL, "its 75% quantile"),
        ("high", _REAL, "its 97.5% quantile"),
        ("n_undefined", _WHOLE, "subsets on which all metrics score the same, left out"),
        ("n_trials", _WHOLE, "random subsets"),
        ("n_metrics", _WHOLE, "metrics"),
        ("seed", _WHOLE, "seed of the subsets"),
    ),
    "ablation_segments": _schema(
        ("metric", _TEXT, "name of the metric"),
        ("meta", _TEXT, "meta-metric: `spa` or `pa`"),
        ("n_segments", _WHOLE, "segments drawn with replacement"),
        ("value", _REAL, "score on all segments, by analytic p-values"),
        ("mean", _REAL, "mean score of the samples"),
        ("low", _REAL, "lower end of the 95% percentile interval"),
        ("high", _REAL, "upper end"),
        ("n_trials", _WHOLE, "samples"),
        ("seed", _WHOLE, "seed of the samples"),
    ),
    "sampled_comparisons": _schema(
        ("meta", _TEXT, "meta-metric: `spa`"),
        ("metric", _TEXT, "a metric"),
        ("other", _TEXT, "another; each pair has two rows, one for each direction"),
        ("difference", _REAL, "score of the metric minus that of the other"),
        ("pvalue", _REAL, "two-sided p-value, a plain share of the swaps"),
        ("n_resamples", _WHOLE, "random swaps between metrics"),
        ("n_sign_flips", _WHOLE, "sign flips of each p-value between systems"),
        ("seed", _WHOLE, "seed of both"),
    ),
    "repeats": _schema(
        ("meta", _TEXT, "meta-metric: `spa` or `pa`"),
        ("comparison", _TEXT, "differences as `values`; of PA as `counts` or as `float`"),
        ("repeat", _WHOLE, "number of the repeat, from 0"),
        ("n_distinct", _WHOLE, "distinct scores"),
        ("n_significant", _WHOLE, "pairs of metrics that differ significantly"),
        ("n_clusters", _WHOLE, "clusters, greedy rule"),
    ),
    "table_1": _schema(
        ("testset", _TEXT, "test set"),
        ("language_pair", _TEXT, "language pair"),
        ("procedure", _TEXT, "`exact`, `as published`, or `paper` for what is printed"),
        ("n_systems", _WHOLE, "systems"),
        ("n_metrics", _WHOLE, "metrics"),
        ("distinct_pa", _WHOLE, "distinct values of PA"),
        ("distinct_spa", _WHOLE, "distinct values of SPA"),
        ("distinct_max", _WHOLE, "metrics that do not repeat another one's scores"),
        ("significant_pa", _WHOLE, "significant differences of PA"),
        ("significant_spa", _WHOLE, "significant differences of SPA"),
        ("significant_max", _WHOLE, "pairs of different metrics"),
        ("clusters_pa", _WHOLE, "clusters by PA"),
        ("clusters_spa", _WHOLE, "clusters by SPA"),
        ("clusters_max", _WHOLE, "metrics that do not repeat another one's scores"),
        ("significant_pa_low", _WHOLE, "smallest `significant_pa` over repeats, if repeated"),
        ("significant_pa_high", _WHOLE, "largest"),
        ("significant_spa_low", _WHOLE, "smallest `significant_spa` over repeats"),
        ("significant_spa_high", _WHOLE, "largest"),
        ("clusters_pa_low", _WHOLE, "smallest `clusters_pa` over repeats"),
        ("clusters_pa_high", _WHOLE, "largest"),
        ("clusters_spa_low", _WHOLE, "smallest `clusters_spa` over repeats"),
        ("clusters_spa_high", _WHOLE, "largest"),
    ),
    "timings": _schema(
        ("method", _TEXT, "the way of testing that was timed"),
        ("n_resamples", _WHOLE, "draws of a way that draws; empty for the others"),
        ("n", _WHOLE, "items"),
        ("repeat", _WHOLE, "number of the measurement, from 0"),
        ("seconds", _REAL, "processor time of one test"),
        ("pvalue", _REAL, "two-sided p-value that it found"),
    ),
    "parsers": _schema(
        ("rank", _WHOLE, "cluster by the first measure, greedy rule; 1 is best"),
        ("parser", _TEXT, "the parser or tagger, named after its file"),
        ("recall", _REAL, "matched among gold brackets, 0 to 1; empty for CoNLL-U, like the next"),
        ("precision", _REAL, "matched among the parser's brackets"),
        ("f1", _REAL, "harmonic mean of the two, from summed counts"),
        ("complete_match", _REAL, "share of sentences with exactly the gold brackets"),
        ("crossing", _REAL, "crossing brackets a sentence, for evalb"),
        ("tagging_accuracy", _REAL, "share of words with the right tag, for evalb"),
        ("las", _REAL, "share of words with the right head and relation, for CoNLL-U"),
        ("uas", _REAL, "share of words with the right head"),
        ("xpos", _REAL, "share of words with the right language-specific tag"),
        ("upos", _REAL, "share of words with the right universal tag"),
        ("n_beaten", _WHOLE, "parsers that are significantly worse by the first measure"),
        ("n_sentences", _WHOLE, "sentences of the file"),
        ("n_valid", _WHOLE, "those that the rates are computed from"),
        ("n_too_long", _WHOLE, "those beyond the cut-off"),
        ("n_error", _WHOLE, "others that evalb could not align with the gold tree"),
        ("n_skipped", _WHOLE, "others without a tree"),
        ("not_scored", _TEXT, "labels of the last two, parted by blanks"),
    ),
    "parser_pairs": _schema(
        ("measure", _TEXT, "what the two are compared by; the first measure ranks"),
        ("name_a", _TEXT, "a parser"),
        ("name_b", _TEXT, "another; each pair has one row"),
        ("n_sentences", _WHOLE, "sentences that entered"),
        ("value_a", _REAL, "the measure of the first on these sentences"),
        ("value_b", _REAL, "that of the second"),
        ("difference", _REAL, "first minus second"),
        ("pvalue", _REAL, "p-value of this pair alone"),
        ("log_pvalue", _REAL, "its natural logarithm, also where it is too small for a float"),
        ("adjusted", _REAL, "p-value corrected for the number of pairs"),
        ("alternative", _TEXT, "`two-sided`, or `observed`: towards the difference found"),
        ("method", _TEXT, "`exact` or `shuffle`"),
        ("correction", _TEXT, "`holm`, `bonferroni`, `bh` or `none`"),
    ),
    "parser_remarks": _schema(
        ("parser", _TEXT, "whose file; `gold` for the gold standard"),
        ("line", _WHOLE, "line of the file, from 1; empty for the file as a whole"),
        ("text", _TEXT, "what was passed over, not scored or looks odd"),
    ),
    "balance": _schema(
        ("unit", _TEXT, "what was counted: chunks, chunks of a type, tags or tokens"),
        ("total", _REAL, "how often it occurs in the corpus"),
        ("largest_difference", _REAL, "largest difference between two halves over the repetitions"),
        ("share", _REAL, "that difference as a share of the total"),
        ("bound", _REAL, "what it should not exceed"),
        ("balanced", _FLAG, "whether it does not"),
    ),
    "fold_counts": _schema(
        ("model", _TEXT, "the model"),
        ("rep", _WHOLE, "repetition, from 1"),
        ("fold", _WHOLE, "fold of the repetition, 1 or 2"),
        ("gold", _WHOLE, "chunks of the validation half"),
        ("predicted", _WHOLE, "chunks that the model predicted"),
        ("correct", _WHOLE, "chunks that are both"),
    ),
    "bayes_tests": _schema(
        ("task", _TEXT, "`corpus`, or the name of the fold counts in the configuration"),
        ("measure", _TEXT, "`precision`, `recall` or `f1`"),
        ("model_a", _TEXT, "the baseline"),
        ("model_b", _TEXT, "the contender"),
        ("probability_h0", _REAL, "probability that B is not better than A"),
        ("probability_h1", _REAL, "probability that B is better"),
        ("probability_rope", _REAL, "probability of a difference of at most `rope`"),
        ("decision", _TEXT, "the most probable of `H0`, `H1` and `rope`"),
        ("lowest_h0", _REAL, "smallest P(H0) over the range of the correlations of folds"),
        ("highest_h0", _REAL, "largest P(H0) over that range"),
        ("decisions", _TEXT, "decisions that occur in that range"),
        ("mean_difference", _REAL, "expected B - A"),
        ("sd_difference", _REAL, "its standard deviation, A and B taken as independent"),
        *_of_both("true_positives", "effective true positives of {}"),
        *_of_both("false_positives", "effective false positives of {}"),
        *_of_both("false_negatives", "effective false negatives of {}"),
        *_of_both("estimate", "the measure of {} from the summed counts"),
        *_of_both("mean", "posterior mean of {}"),
        *_of_both("mode", "posterior mode of {}"),
        *_of_both("sd", "posterior standard deviation of {}"),
        *_of_both("lower", "lower end of the equal-tailed credible interval of {}"),
        *_of_both("upper", "upper end of it, {}"),
        *_of_both("hpd_lower", "lower end of the interval of highest density of {}"),
        *_of_both("hpd_upper", "upper end of it, {}"),
        *_of_both("older_lower", "lower end of the older interval, of mean counts, of {}"),
        *_of_both("older_upper", "upper end of it, {}"),
        ("rope", _REAL, "half-width of the region of practical equivalence"),
        ("credibility", _REAL, "of the intervals"),
        ("prior", _REAL, "lambda of the beta priors"),
        ("weight", _REAL, "weight of the summed counts"),
        ("n_repetitions", _WHOLE, "repetitions"),
        ("n_folds", _WHOLE, "folds"),
        ("method", _TEXT, "`quadrature` or `monte-carlo`"),
        ("flags", _TEXT, "where the folds contradict the derivation; empty where nowhere"),
    ),
    "cv_tests": _schema(
        ("task", _TEXT, "as in `bayes_tests`"),
        ("measure", _TEXT, "`precision`, `recall` or `f1`"),
        ("test", _TEXT, "name of the test"),
        ("mean_difference", _REAL, "mean of B - A over the folds"),
        ("statistic", _REAL, "t or F; empty where it is not defined"),
        ("degrees", _TEXT, "degrees of freedom, parted by blanks"),
        ("pvalue", _REAL, "p-value under no difference"),
        ("alternative", _TEXT, "which differences count as extreme"),
        ("reason", _TEXT, "why the statistic is not defined"),
    ),
    "paper_intervals": _schema(
        ("task", _TEXT, "`CWS`, `NER` or `ORG`"),
        ("measure", _TEXT, "`precision`, `recall` or `f1`"),
        ("model", _TEXT, "tag set"),
        ("lower", _REAL, "lower end of the credible interval"),
        ("upper", _REAL, "upper end"),
        ("printed_lower", _REAL, "lower end as the paper prints it"),
        ("printed_upper", _REAL, "upper end as the paper prints it"),
        ("agrees", _FLAG, "whether both agree in all printed digits"),
    ),
    "paper_decisions": _schema(
        ("table", _WHOLE, "number of the table in the paper"),
        ("task", _TEXT, "`CWS`, `NER` or `ORG`"),
        ("measure", _TEXT, "`precision`, `recall` or `f1`"),
        ("probability_h0", _REAL, "P(H0) by quadrature"),
        ("probability_h1", _REAL, "P(H1) by quadrature"),
        ("decision", _TEXT, "`H0` or `H1`"),
        ("monte_carlo_h0", _REAL, "P(H0) by the Monte Carlo of the paper, 1,000,000 draws"),
        ("standard_error", _REAL, "standard error of the Monte Carlo"),
        ("printed_h0", _REAL, "P(H0) as the paper prints it"),
        ("printed_decision", _TEXT, "decision as the paper prints it"),
        ("agrees", _FLAG, "the same decision, and P(H0) but for rounding and Monte Carlo error"),
    ),
    "coverage": _schema(
        ("posterior", _TEXT, "`corrected`: of the paper; `mean_count`: the older one"),
        ("classes", _TEXT, "class sizes of the simulated corpora: `fixed` or `random`"),
        ("blocks", _TEXT, "blocks of the cross-validation: `random` or `stratified` by class"),
        ("truth", _TEXT, "whose F1 is the true one: `test`, `whole`, `folds` or `common`"),
        ("coverage", _REAL, "share of the intervals that hold the true F1"),
        ("standard_error", _REAL, "its standard error"),
        ("length", _REAL, "mean length of the intervals"),
        ("length_error", _REAL, "its standard error"),
        ("printed_coverage", _REAL, "coverage as the paper prints it"),
        ("printed_length", _REAL, "length as the paper prints it"),
        ("n_corpora", _WHOLE, "simulated corpora"),
        ("n_items", _WHOLE, "items of a corpus"),
        ("credibility", _REAL, "nominal coverage"),
        ("seed", _WHOLE, "seed of the simulation"),
    ),
    "system_pairs": _schema(
        ("scorer", _TEXT, "`gold`, or the metric that scored the systems"),
        ("system_a", _TEXT, "a system"),
        ("system_b", _TEXT, "another; each pair has one row, one-sided a row for each order"),
        ("n_items", _WHOLE, "segments with a score for both"),
        ("n_units", _WHOLE, "evaluation units that they make"),
        ("mean_a", _REAL, "mean of the first over the units"),
        ("mean_b", _REAL, "mean of the second"),
        ("difference", _REAL, "first minus second"),
        ("test", _TEXT, "the test"),
        ("alternative", _TEXT, "`two-sided`; `greater`: the first is better; `less`: worse"),
        ("direction", _WHOLE, "1 if the test finds the first better, -1 the second, 0 neither"),
        ("method", _TEXT, "how the p-value was found"),
        ("statistic", _REAL, "statistic of the test"),
        ("pvalue", _REAL, "p-value of this pair alone"),
        ("adjusted", _REAL, "p-value corrected for the number of pairs"),
        ("significant", _FLAG, "whether it is at most `alpha`"),
        ("correction", _TEXT, "`holm`, `bonferroni`, `bh` or `none`"),
        ("alpha", _REAL, "level of significance"),
        ("estimate_name", _TEXT, "the difference as the test sees it: its name"),
        ("estimate", _REAL, "its value"),
        ("low", _REAL, "lower end of its confidence interval"),
        ("high", _REAL, "upper end"),
        ("confidence", _REAL, "level of the intervals, not corrected for the number of pairs"),
        *_with_interval("cohens_d", "Cohen's d of paired scores"),
        *_with_interval("hedges_g", "Hedges' g, with the exact factor"),
        *_with_interval("wilcoxon_r", "Wilcoxon r, positive if the first is better"),
        *_with_interval("hodges_lehmann", "Hodges-Lehmann estimate of the difference"),
        *_with_interval("cliffs_delta", "Cliff's delta"),
        *_with_interval("common_language", "common-language effect size"),
        ("notes", _TEXT, "what a reader must know to trust the result"),
        ("reason", _TEXT, "why there is no p-value"),
    ),
    "system_ranking": _schema(
        ("rank", _WHOLE, "cluster; 1 is best"),
        ("system", _TEXT, "the system"),
        ("human", _FLAG, "whether it is a human translation"),
        ("mean", _REAL, "mean score over its segments"),
        ("n_items", _WHOLE, "segments with a score"),
        ("n_wins", _WHOLE, "systems that are significantly worse"),
        ("n_losses", _WHOLE, "systems that are significantly better"),
    ),
    "score_summary": _schema(
        ("score", _TEXT, "a system, or `difference`: first minus second"),
        ("mean", _REAL, "mean"),
        ("median", _REAL, "median"),
        ("sd", _REAL, "standard deviation, divisor n - 1"),
        ("minimum", _REAL, "smallest"),
        ("maximum", _REAL, "largest"),
    ),
    "test_grades": _schema(
        ("test", _TEXT, "the test"),
        ("grade", _TEXT, "`preferred`, `acceptable` or `inappropriate`"),
        ("reason", _TEXT, "why"),
    ),
    "power_curve": _schema(
        ("test", _TEXT, "the test that decides"),
        ("n", _WHOLE, "pairs"),
        ("power", _REAL, "share of simulated samples on which the test rejects"),
        ("low", _REAL, "lower end of its 95% interval (Wilson), for the simulation error"),
        ("high", _REAL, "upper end"),
    ),
    "pvalue_simulation": _schema(
        ("setting", _TEXT, "which simulation"),
        ("distribution", _TEXT, "distribution of the scores of both systems"),
        ("test", _TEXT, "the test, two-sided"),
        ("null_true", _FLAG, "whether both systems have the same distribution"),
        ("n", _WHOLE, "pairs"),
        ("run", _WHOLE, "number of the run at this size, from 1"),
        ("pvalue", _REAL, "p-value"),
    ),
}


def table_of(name: str, rows: Iterable[Mapping[str, Any]]) -> pa.Table:
    """Make the table `name` of `SCHEMAS` from rows, also from none.

    Examples
    --------
    >>> table_of("left_out", []).column_names
    ['kind', 'name', 'reason', 'count']
    """
    return pa.Table.from_pylist(list(rows), schema=SCHEMAS[name])


def describe_table(name: str) -> str:
    """Describe the columns of a table in Markdown, as docs/results.md has it."""
    rows = [
        f"| `{field.name}` | {_type_name(field.type)} | {field.metadata[b'description'].decode()} |"
        for field in SCHEMAS[name]
    ]
    return "\n".join(["| column | type | meaning |", "| --- | --- | --- |", *rows])


def _type_name(kind: pa.DataType) -> str:
    """Name a type; Arrow and Parquet differ in how they spell that of a list."""
    return f"list of {kind.value_type}" if pa.types.is_list(kind) else str(kind)
