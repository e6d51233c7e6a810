"""Write a simulated corpus with named entities."""

from scripts._runtime import run
from sigcore.bayes.corpus_simulation import simulate_corpus
from sigcore.io.corpora import write_corpus


def main(snakemake):
    corpus = simulate_corpus(snakemake.params.sentences, seed=snakemake.params.seed)
    write_corpus(snakemake.output[0], corpus, tags=[corpus.tags("iob2")])


if __name__ == "__main__":
    run(main, snakemake)
