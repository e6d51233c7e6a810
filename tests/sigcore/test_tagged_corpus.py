from collections import Counter

import numpy as np
import pytest

from sigcore.bayes.corpus import TaggedCorpus, partition_corpus, restrict_chunks
from sigcore.bayes.corpus_simulation import simulate_corpus
from sigcore.errors import InputError
from sigcore.parsing.tagging import Span

CORPUS = TaggedCorpus(
    ((("a",), ("b",), ("c",)), (("d",),)),
    ((Span(0, 2, "ORG"), Span(2, 3, "PER")), (Span(0, 1, "LOC"),)),
)


def test_chunks_can_be_kept_by_type_and_stripped_of_it():
    kept = restrict_chunks(CORPUS, types=["ORG"])
    assert kept.chunks == ((Span(0, 2, "ORG"),), ())
    assert restrict_chunks(CORPUS, typed=False).types == ("",)
    assert restrict_chunks(CORPUS, types=["PER", "LOC"], typed=False).chunks == (
        (Span(2, 3, ""),),
        (Span(0, 1, ""),),
    )
    with pytest.raises(InputError, match="among those of the corpus, LOC, ORG, PER; got 'GPE'"):
        restrict_chunks(CORPUS, types=["GPE"])


def test_sentences_are_selected_with_chunks_and_lines():
    corpus = TaggedCorpus(CORPUS.sentences, CORPUS.chunks, (1, 5))
    assert corpus.select([1]) == TaggedCorpus((CORPUS.sentences[1],), (CORPUS.chunks[1],), (5,))
    assert CORPUS.select([1, 0]).lines == ()


@pytest.mark.parametrize("units", [("types", "length"), ("tags",), ()])
@pytest.mark.parametrize("seed", [0, 1])
def test_halves_are_balanced_in_what_was_asked_for(units, seed):
    corpus = simulate_corpus(200, seed=seed)
    partition = partition_corpus(corpus, units=units, seed=seed)
    assert partition.unbalanced_units == ()
    for fold in partition.folds():
        halves = [corpus.select(part.tolist()) for part in (fold.training, fold.validation)]
        assert abs(halves[0].n_sentences - halves[1].n_sentences) <= 2
        # Counted anew. The bound is twice the largest count of one sentence.
        most = max(map(len, corpus.chunks))
        assert abs(halves[0].n_chunks - halves[1].n_chunks) <= 2 * most
        if "length" in units:
            longest = max(map(len, corpus.sentences))
            assert abs(halves[0].n_tokens - halves[1].n_tokens) <= 2 * longest
        if "types" in units:
            counts = [Counter(c.type for cs in half.chunks for c in cs) for half in halves]
            largest = {
                name: max(sum(c.type == name for c in cs) for cs in corpus.chunks)
                for name in corpus.types
            }
            for name, bound in largest.items():
                assert abs(counts[0][name] - counts[1][name]) <= 2 * bound


@pytest.mark.parametrize("repetitions", [3, 5])
def test_every_sentence_is_validated_once_a_repetition(repetitions):
    corpus = simulate_corpus(101, seed=2)
    partition = partition_corpus(corpus, n_repetitions=repetitions)
    validated = np.concatenate([fold.validation for fold in partition.folds()])
    assert np.bincount(validated).tolist() == [repetitions] * 101


def test_a_skewed_corpus_is_balanced_too():
    # One type in one sentence of fifty, and a few very long sentences.
    corpus = simulate_corpus(200, seed=4)
    rare = tuple(
        (*chunks[:-1], chunks[-1]._replace(type="RARE")) if k % 50 == 0 and chunks else chunks
        for k, chunks in enumerate(corpus.chunks)
    )
    partition = partition_corpus(TaggedCorpus(corpus.sentences, rare))
    assert partition.unbalanced_units == ()
    column = partition.unit_names.index("type RARE")
    assert np.abs(partition.differences[:, column]).max() <= 2


def test_unknown_units_and_empty_corpora_are_refused():
    with pytest.raises(InputError, match="`units` must be one of 'types', 'tags', 'length'"):
        partition_corpus(CORPUS, units=["words"])
    empty = TaggedCorpus(CORPUS.sentences, ((), ()))
    with pytest.raises(InputError, match="at least one chunk"):
        partition_corpus(empty)


def test_the_simulated_corpus_is_the_same_for_the_same_seed():
    assert simulate_corpus(30, seed=5) == simulate_corpus(30, seed=5)
    assert simulate_corpus(30, seed=5) != simulate_corpus(30, seed=6)
    assert simulate_corpus(30, seed=5).sentences == simulate_corpus(40, seed=5).sentences[:30]


def test_the_simulated_corpus_needs_context():
    corpus = simulate_corpus(500, seed=0)
    kinds: dict[str, set[str]] = {}
    for sentence, chunks in zip(corpus.sentences, corpus.chunks, strict=True):
        for chunk in chunks:
            if chunk.end - chunk.start == 1:
                kinds.setdefault(sentence[chunk.start][0], set()).add(chunk.type)
    assert sum(len(types) > 1 for types in kinds.values()) >= 20
    assert {len(range(*chunk[:2])) for chunks in corpus.chunks for chunk in chunks} == {1, 2, 3, 4}
    assert corpus.types == ("LOC", "MISC", "ORG", "PER")
