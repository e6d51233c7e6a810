"""Score the metrics of one language pair on fewer systems and on fewer segments."""

from scripts._runtime import run
from sigcore.io.schemas import table_of
from sigcore.io.tables import read_evalset_table, read_tables, write_table
from sigcore.meta.ablation import ablate_systems, agreement_terms
from sigcore.meta.segment_bootstrap import bootstrap_segments


def main(snakemake):
    evalset, _ = read_evalset_table(snakemake.input.scores)
    settings = snakemake.params.settings
    options = {
        "n_trials": settings["trials"],
        "seed": snakemake.params.seed,
        "purpose": (evalset.testset, evalset.language_pair),
    }
    terms = agreement_terms(
        read_tables([snakemake.input.pvalues]).to_pylist(),
        systems=evalset.systems,
        metrics=evalset.metric_names,
    )
    systems = ablate_systems(terms, **options).to_records()
    write_table(snakemake.output.systems, table_of("ablation_systems", systems))
    ranking = read_tables([snakemake.input.ranking]).column("metric").to_pylist()
    chosen = chosen_metrics(settings["segment_metrics"], ranking)
    index = [evalset.metric_index(name) for name in chosen]
    whole = bootstrap_segments(
        evalset.gold, evalset.scores, metric_names=evalset.metric_names, **options
    )
    rows = whole.to_records()
    sizes = [size for size in settings["segment_sizes"] if size < whole.n_segments]
    if sizes:
        fewer = bootstrap_segments(
            evalset.gold, evalset.scores[index], metric_names=chosen, sizes=sizes, **options
        )
        rows = fewer.to_records() + rows
    write_table(snakemake.output.segments, table_of("ablation_segments", rows))


def chosen_metrics(wanted, ranking):
    """Give the metrics of Figure 3 that the set has; the two best where it has none of them."""
    return [name for name in wanted if name in ranking] or ranking[:2]


if __name__ == "__main__":
    run(main, snakemake)
