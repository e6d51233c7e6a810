"""Score further human ratings and corpus-level metrics of one language pair."""

from pathlib import Path

from scripts._runtime import run
from sigcore.errors import InputError
from sigcore.io.metric_files import SUFFIX
from sigcore.io.schemas import table_of
from sigcore.io.score_folder import align_scores
from sigcore.io.scores import read_scores
from sigcore.io.tables import read_evalset_table, write_table
from sigcore.io.texts import read_texts
from sigcore.meta.yardsticks import score_corpus_metrics, score_ratings
from sigcore.testsets import load_testset


def main(snakemake):
    evalset, _ = read_evalset_table(snakemake.input.scores)
    gold = read_scores(snakemake.input.gold)
    found, absent = [], []
    for path in snakemake.input.ratings:
        name = Path(path).name.removeprefix(f"{evalset.language_pair}.").removesuffix(SUFFIX)
        file = read_scores(path, n_segments=gold.n_segments, as_in=gold.path)
        ratings = align_scores(file, evalset.systems)[:, evalset.segments]
        try:
            found += score_ratings(evalset, name, ratings)
        except InputError as error:
            # Other language pairs may have such ratings, so the report says it and goes on.
            absent.append(str(error))
    if snakemake.input.texts:
        found += score_texts(evalset, snakemake)
    rows = [yardstick.to_record() for yardstick in found]
    write_table(snakemake.output.table, table_of("yardsticks", rows), metadata={"absent": absent})


def score_texts(evalset, snakemake):
    """Score corpus-level metrics on the texts of the selected systems and segments."""
    # The first text is <root>/<testset>/references/<lp>.<name>.txt.
    root, lp = Path(snakemake.input.texts[0]).parents[2], evalset.language_pair
    standard = load_testset(evalset.testset, root=root).facts(lp).reference.split(".")
    texts = read_texts(
        root, evalset.testset, lp, systems=evalset.systems, references=standard
    ).take(evalset.segments.tolist())
    return score_corpus_metrics(
        evalset,
        texts.outputs,
        list(texts.references.values()),
        names=snakemake.params.corpus_metrics,
        n_resamples=snakemake.params.n_resamples,
        seed=snakemake.params.seed,
    )


if __name__ == "__main__":
    run(main, snakemake)
